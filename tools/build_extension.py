"""Builds the extension's zip file in `dist` with Blender's own builder, and validates it.

From the command line:

    python3 tools/build_extension.py
    python3 tools/build_extension.py --blender /path/to/blender
"""

from __future__ import annotations

import argparse
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

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE = environment.ROOT / "omi_physics_addon"
MANIFEST = environment.ROOT / "blender_manifest.toml"
LICENCE = environment.ROOT / "LICENSE"
BUILDER = "*/scripts/addons_core/bl_pkg/cli/blender_ext.py"
TAGS = "*/scripts/modules/_bpy_internal/extensions/tags.py"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "*.blend[0-9]*", ".*")
# The oldest date a zip file can hold, so that equal content makes equal files.
DATE = (1980, 1, 1, 0, 0, 0)


class BuildError(Exception):
    """The extension cannot be built; the message holds what the builder said."""


def manifest_value(key: str) -> str:
    """A text from the top of the manifest; read without tomllib, which old Pythons lack."""
    found = re.search(rf'^{key} = "(.+)"$', MANIFEST.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise BuildError(f"{MANIFEST.name} does not say {key}.")
    return found[1]


def zip_name() -> str:
    """What the built file is called, "omi_physics_addon-0.1.0.zip"."""
    return f"{manifest_value('id')}-{manifest_value('version')}.zip"


def find_bpy() -> Path | None:
    """The folder of this Python's `bpy`, which is not started for that."""
    spec = importlib.util.find_spec("bpy")
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) if places else None


def builder_commands(bpy: Path) -> tuple[list[str], list[str]]:
    """The builder that `bpy` contains, and the option that makes it check our tags.

    Raises:
        BuildError: this `bpy` has no builder.
    """
    builder = next(bpy.glob(BUILDER), None)
    if builder is None:
        raise BuildError("This bpy does not contain Blender's extension builder.")
    tags = next(bpy.glob(TAGS), None)
    return [sys.executable, str(builder)], [f"--valid-tags={tags}"] if tags else []


def stage(folder: Path) -> None:
    """Lay package, manifest and licence together, as Blender wants an extension."""
    shutil.copytree(PACKAGE, folder, ignore=LEFT_OUT)
    shutil.copy(MANIFEST, folder)
    shutil.copy(LICENCE, folder)


def run_builder(command: Sequence[str]) -> None:
    """Run Blender's builder.

    Raises:
        BuildError: it is not there, or it refuses.
    """
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError as error:
        raise BuildError(f"cannot start {command[0]}: {error.strerror}") from error
    if done.returncode:
        raise BuildError(f"Blender's builder says:\n{done.stdout.strip()}")


def write_sorted(source: Path, target: Path) -> None:
    """Copy a zip file so that equal content makes equal bytes.

    The builder packs in the order the disk lists files, with their dates.
    """
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in sorted(old.namelist()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            new.writestr(entry, old.read(name), compresslevel=9)


def build(command: Sequence[str], options: Sequence[str], output: Path) -> Path:
    """Build and validate the extension; returns the path of the zip file.

    Args:
        command: runs Blender's builder, up to `build` or `validate`.
        options: for both of them.
        output: folder for the zip file, made when missing.

    Raises:
        BuildError: the builder refuses the extension.
    """
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        staged, built = Path(scratch) / "staged", Path(scratch) / "built.zip"
        ready = Path(scratch) / zip_name()
        stage(staged)
        paths = [f"--source-dir={staged}", f"--output-filepath={built}"]
        run_builder([*command, "build", *paths, *options])
        write_sorted(built, ready)
        run_builder([*command, "validate", *options, str(ready)])
        shutil.copyfile(ready, output / zip_name())
    return output / zip_name()


def run_in_environment(release: str | None, output: Path) -> int:
    """Run this script again with a Python that has `bpy`."""
    python = environment.ensure(environment.choose(release))
    return subprocess.run([python, __file__, f"--output={output}"]).returncode


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Build the extension and validate it.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--blender", metavar="PATH", help="use this Blender program")
    choice.add_argument(
        "--bpy", choices=environment.NAMES, help="use the builder in this release of bpy"
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
            print(build([parsed.blender, "--command", "extension"], [], output))
            return 0
        bpy = find_bpy()
        if bpy is None or parsed.bpy:
            return run_in_environment(parsed.bpy, output)
        print(build(*builder_commands(bpy), output))
    except (BuildError, environment.SetupError) as problem:
        environment.say(f"error: {problem}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
