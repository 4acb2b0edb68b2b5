"""Runs the commands in the pages of docs/commands, and writes what they print below them.

From the command line:

    .venv/bpy-4.2/bin/python tools/command_pages.py --write
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Generator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from omi_physics_addon.cli import main as cli

FOLDER: Final = ROOT / "docs" / "commands"
PROGRAM: Final = "omi-physics"
_BLOCK: Final = re.compile(r"```console\n(.*?)```", re.DOTALL)


def pages() -> list[Path]:
    """The pages with commands in them."""
    return sorted(FOLDER.glob("*.md"))


def printed(command: str) -> str:
    """What a command prints, run in this folder."""
    program, *arguments = shlex.split(command)
    if program != PROGRAM:
        raise ValueError(f"{command!r} does not begin with {PROGRAM}")
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        cli.main(arguments)
    return out.getvalue()


@contextlib.contextmanager
def playground() -> Generator[Path]:
    """A folder with the examples and the files of the pages, to work in."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "examples").symlink_to(ROOT / "examples")
        for path in (*FOLDER.glob("*.gltf"), *FOLDER.glob("*.toml")):
            shutil.copy(path, folder)
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def filled(text: str) -> str:
    """A page with what its commands print today."""

    def block(found: re.Match[str]) -> str:
        commands = [line for line in found[1].splitlines() if line.startswith("$ ")]
        told = "".join(f"{line}\n{printed(line[2:])}" for line in commands)
        return f"```console\n{told}```"

    with playground():
        return _BLOCK.sub(block, text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write what commands print into their pages.")
    parser.add_argument("--write", action="store_true", help="change the pages")
    chosen = parser.parse_args(arguments)
    if find_spec("bpy") is None:
        parser.error("this Python has no bpy, which some of the commands need")
    old = 0
    for path in pages():
        text = path.read_text(encoding="utf-8")
        new = filled(text)
        if new != text:
            old += 1
            print(f"{path.name} is {'written anew' if chosen.write else 'not what it should be'}")
            if chosen.write:
                path.write_text(new, encoding="utf-8")
    return 0 if chosen.write or not old else 1


if __name__ == "__main__":
    sys.exit(main())
