"""Builds the extension's zip file in `dist`, and has Blender validate it where that is asked for.

From the command line:

    python3 tools/build_extension.py
    python3 tools/build_extension.py --validate
    python3 tools/build_extension.py --validate --blender /path/to/blender
    python3 tools/build_extension.py --split-platforms

With --split-platforms there is one more file for each system that convex decomposition has a
library for, with its wheel, which pip downloads. The file without a system is for all of them.
Equal content makes equal bytes, on every machine.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import environment
from tools.manual import local_pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PACKAGE = environment.ROOT / "omi_physics_addon"
MANIFEST = environment.ROOT / "blender_manifest.toml"
LICENCE = environment.ROOT / "LICENSE"
REFERENCE = environment.ROOT / "docs" / "reference"  # What F1 opens is made of it.
BUILDER = "*/scripts/addons_core/bl_pkg/cli/blender_ext.py"
TAGS = "*/scripts/modules/_bpy_internal/extensions/tags.py"
# What the newest of Blender's builders leave out when a manifest does not say.
LEFT_OUT = ("__pycache__", "*.pyc", "*.blend[0-9]*", ".*")
# What the manifest of an extension must say, according to Blender's manual.
REQUIRED = (
    "schema_version",
    "id",
    "version",
    "name",
    "tagline",
    "maintainer",
    "type",
    "blender_version_min",
    "license",
)
WHEELS = environment.ROOT / "tools" / "requirements" / "wheels.txt"
# Blender's names of systems, and those that wheels for them have.
PLATFORMS = {
    "linux-x64": "manylinux2014_x86_64",
    "macos-arm64": "macosx_11_0_arm64",
    "windows-x64": "win_amd64",
}
OLDEST_PYTHON = "3.11"  # That of Blender 4.2.
DATE = (1980, 1, 1, 0, 0, 0)  # The oldest that a zip file can hold.
UNIX = 3  # The system that made a zip file; what follows from it is the meaning of rights.


class BuildError(Exception):
    """The extension cannot be built; the message says why."""


def manifest_head() -> dict[str, str]:
    """What the manifest says above its sections, as TOML; old Pythons lack tomllib."""
    head = re.split(r"^\[", MANIFEST.read_text(encoding="utf-8"), flags=re.MULTILINE)[0]
    return dict(re.findall(r"^(\w+) *= *(\S.*)$", head, re.MULTILINE))


def check_manifest() -> None:
    """Make sure that the manifest says what every extension must.

    Raises:
        BuildError: it does not.
    """
    said = manifest_head()
    missing = [key for key in REQUIRED if said.get(key, '""') in ('""', "[]")]
    if missing:
        raise BuildError(f"{MANIFEST.name} does not say {', '.join(missing)}.")
    if said["type"] != '"add-on"':
        raise BuildError(f'{MANIFEST.name}: the type of an add-on is "add-on".')
    if not re.fullmatch(r'"\d+\.\d+\.\d+"', said["version"]):
        raise BuildError(f"{MANIFEST.name}: the version is not of three numbers.")


def zip_name(platform: str | None = None) -> str:
    """What the built file is called, "omi_physics_addon-0.1.0-linux_x64.zip"."""
    said = manifest_head()
    words = [said["id"].strip('"'), said["version"].strip('"')]
    words += [] if platform is None else [platform.replace("-", "_")]
    return "-".join(words) + ".zip"


def contents() -> dict[str, Path]:
    """The files of the extension, by their names in the zip file."""
    inside = [path for path in PACKAGE.rglob("*") if path.is_file()]
    files = {path.relative_to(PACKAGE).as_posix(): path for path in inside}
    kept = {
        name: path
        for name, path in files.items()
        if not any(fnmatch.fnmatch(part, each) for part in name.split("/") for each in LEFT_OUT)
    }
    return {**kept, MANIFEST.name: MANIFEST, LICENCE.name: LICENCE}


def wheels_for(platform: str, folder: Path) -> list[Path]:
    """Download the wheels for a system.

    Raises:
        BuildError: pip does not find them.
    """
    folder.mkdir()
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", f"--python-version={OLDEST_PYTHON}"]
    command += [f"--platform={PLATFORMS[platform]}", "-r", str(WHEELS), "-d", str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise BuildError(f"pip finds no wheels for {platform}:\n{done.stdout.strip()}")
    return sorted(folder.glob("*.whl"))


def manifest_with(platform: str, wheels: Sequence[Path]) -> bytes:
    """The manifest for one system and what it brings along."""
    text = MANIFEST.read_text(encoding="utf-8")
    head, bracket, rest = text.partition("\n[")
    names = ", ".join(f'"./wheels/{path.name}"' for path in wheels)
    added = f'\nplatforms = ["{platform}"]\nwheels = [{names}]\n'
    return f"{head}{added}{bracket}{rest}".encode()


def write_zip(target: Path, platform: str | None = None, wheels: Sequence[Path] = ()) -> None:
    """Pack the extension; nothing of it depends on the machine."""
    files = {name: path.read_bytes() for name, path in contents().items()}
    files |= local_pages.files(REFERENCE)
    files |= {f"wheels/{path.name}": path.read_bytes() for path in wheels}
    if platform is not None:
        files[MANIFEST.name] = manifest_with(platform, wheels)
    pack(target, files)


def pack(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a zip file that does not depend on the machine.

    It is not compressed, as releases of zlib compress differently.

    Args:
        files: contents by name.
    """
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system, entry.external_attr = UNIX, 0o644 << 16
            archive.writestr(entry, content)


def find_bpy() -> Path | None:
    """The folder of this Python's `bpy`, which is not started for that."""
    spec = importlib.util.find_spec("bpy")
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) if places else None


def validator_in(bpy: Path) -> list[str]:
    """The command by which `bpy` validates a zip file, up to the file; it checks our tags, too.

    Raises:
        BuildError: this `bpy` has no such command.
    """
    builder = next(bpy.glob(BUILDER), None)
    if builder is None:
        raise BuildError("This bpy does not contain Blender's extension builder.")
    tags = next(bpy.glob(TAGS), None)
    command = [sys.executable, str(builder), "validate"]
    return [*command, f"--valid-tags={tags}"] if tags else command


def validate(command: Sequence[str], path: Path) -> None:
    """Let Blender validate a zip file.

    Raises:
        BuildError: it is not there, or it refuses.
    """
    try:
        done = subprocess.run(
            [*command, str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    except OSError as error:
        raise BuildError(f"cannot start {command[0]}: {error.strerror}") from error
    if done.returncode:
        raise BuildError(f"Blender's builder says:\n{done.stdout.strip()}")


def build(output: Path, validator: Sequence[str] = (), platform: str | None = None) -> Path:
    """Build the extension; returns the path of the zip file.

    Args:
        output: folder for the zip file, made when missing.
        validator: the command that validates it, up to the file; none when left out.
        platform: the system whose wheels it brings along; none when left out.

    Raises:
        BuildError: the manifest or the validator is against it.
    """
    check_manifest()
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        built = Path(scratch) / zip_name(platform)
        wheels = [] if platform is None else wheels_for(platform, Path(scratch) / "wheels")
        write_zip(built, platform, wheels)
        if validator:
            validate(validator, built)
        shutil.copyfile(built, output / built.name)
    return output / built.name


def run_in_environment(release: str | None, output: Path, more: Sequence[str]) -> int:
    """Run this script again with a Python that has `bpy`."""
    python = environment.ensure(environment.choose(release))
    command = [python, __file__, "--validate", f"--output={output}", *more]
    return subprocess.run(command).returncode


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Build the extension.")
    parser.add_argument("--validate", action="store_true", help="have Blender validate it")
    parser.add_argument(
        "--split-platforms",
        action="store_true",
        help="also a file for each system, with the wheels that pip downloads",
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--blender", metavar="PATH", help="validate with this Blender program")
    choice.add_argument(
        "--bpy", choices=environment.NAMES, help="validate with this release of bpy"
    )
    parser.add_argument(
        "--output",
        metavar="FOLDER",
        type=Path,
        default=environment.ROOT / "dist",
        help="where the zip file goes; dist when left out",
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parsed = parse_arguments(arguments)
    output = parsed.output.absolute()
    try:
        if parsed.blender:
            validator = [parsed.blender, "--command", "extension", "validate"]
        elif parsed.validate or parsed.bpy:
            bpy = find_bpy()
            if bpy is None or parsed.bpy:
                more = ["--split-platforms"] if parsed.split_platforms else []
                return run_in_environment(parsed.bpy, output, more)
            validator = validator_in(bpy)
        else:
            validator = []
        for platform in (None, *(PLATFORMS if parsed.split_platforms else ())):
            print(build(output, validator, platform))
    except (BuildError, environment.SetupError) as problem:
        environment.say(f"error: {problem}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
