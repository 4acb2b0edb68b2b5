"""Makes a release: version, zip files, wheel, notes, commit and tag, in this order.

From the command line:

    python3 tools/release.py 1.0.0
    python3 tools/release.py 1.0.0 --split-platforms

docs/releasing.md says what comes before and after. Nothing is committed where one of the files
cannot be built; the tag is the last that is made, and nothing is sent anywhere.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import build_extension, build_measure, environment

if TYPE_CHECKING:
    from collections.abc import Sequence

# Where the version stands.
PLACES = (build_extension.MANIFEST, environment.ROOT / "pyproject.toml")
CHANGES = environment.ROOT / "CHANGELOG.md"
WAITING = "not released yet"


class ReleaseError(Exception):
    """The release cannot be made; the message says why."""


def git(*words: str) -> str:
    """What git says in the folder of the project.

    Raises:
        ReleaseError: it refuses.
    """
    done = subprocess.run(
        ["git", "-C", str(environment.ROOT), *words], capture_output=True, text=True
    )
    if done.returncode:
        raise ReleaseError(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def check(version: str) -> None:
    """Make sure that there is something new to release, and nothing that is not committed.

    Raises:
        ReleaseError: there is.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ReleaseError(f"{version} is not a version of three numbers, such as 1.0.0")
    if git("status", "--porcelain"):
        raise ReleaseError("there are changes that are not committed")
    if git("tag", "--list", f"v{version}"):
        raise ReleaseError(f"there is a tag v{version} already")
    notes(version)


def notes(version: str) -> str:
    """What the change log says of a version.

    Raises:
        ReleaseError: nothing.
    """
    parts = re.split(r"^## (.+)$", CHANGES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        if title.split()[0] == version and text.strip():
            return text.strip() + "\n"
    raise ReleaseError(f"{CHANGES.name} has no section {version}")


def set_version(version: str) -> None:
    """Write the version, and today's date in the change log."""
    line = re.compile(r'^version = ".*"$', re.MULTILINE)
    for path in PLACES:
        text = path.read_text(encoding="utf-8")
        path.write_text(line.sub(f'version = "{version}"', text, count=1), encoding="utf-8")
    text = CHANGES.read_text(encoding="utf-8")
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    CHANGES.write_text(text.replace(WAITING, today, 1), encoding="utf-8")


def build(version: str, output: Path, platforms: Sequence[str]) -> list[Path]:
    """Build all files of the release; their paths.

    Raises:
        ReleaseError: one of them cannot be built.
    """
    try:
        built = [build_extension.build(output, platform=each) for each in (None, *platforms)]
    except build_extension.BuildError as error:
        raise ReleaseError(str(error)) from error
    built.append(build_measure.build(output))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    command += [f"--wheel-dir={output}", str(environment.ROOT)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise ReleaseError(f"pip cannot build the wheel:\n{done.stdout.strip()}")
    page = output / f"notes-{version}.md"
    page.write_text(notes(version), encoding="utf-8")
    return [*built, *output.glob(f"*-{version}-*.whl"), page]


def release(version: str, output: Path, platforms: Sequence[str]) -> list[Path]:
    """Make a release; the files that are to be published.

    Raises:
        ReleaseError: it cannot be made, and all is as it was but for files in `output`.
    """
    check(version)
    changed = [str(path) for path in (*PLACES, CHANGES)]
    set_version(version)
    try:
        files = build(version, output, platforms)
    except ReleaseError:
        git("checkout", "--", *changed)
        raise
    if git("status", "--porcelain", "--", *changed):
        git("commit", "--message", f"Release {version}", "--", *changed)
    git("tag", "--annotate", f"v{version}", "--message", f"Version {version}")
    return files


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Make a release.")
    parser.add_argument("version", help="three numbers, such as 1.0.0")
    parser.add_argument(
        "--split-platforms",
        action="store_true",
        help="also a zip file for each system, with the wheels that pip downloads",
    )
    parser.add_argument(
        "--output",
        metavar="FOLDER",
        type=Path,
        default=environment.ROOT / "dist",
        help="where the files go; dist when left out",
    )
    parsed = parser.parse_args(arguments)
    platforms = list(build_extension.PLATFORMS) if parsed.split_platforms else []
    try:
        files = release(parsed.version, parsed.output.absolute(), platforms)
    except ReleaseError as error:
        environment.say(f"error: {error}")
        return 1
    for path in files:
        print(path)
    environment.say(f"Tagged v{parsed.version}. docs/releasing.md says how to publish it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
