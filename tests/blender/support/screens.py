"""Opens a Blender with a window on a screen that nobody sees, for tests that need one.

Blender sees a copy of the project, as it may run in another system, see programs.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import bpy
import pytest

from tools import environment, programs
from tools.engines.engine_clients import MissingError

copy_project = programs.copy_project
_OPTIONS = ("--factory-startup", "--enable-event-simulate", "--window-geometry", "0", "0")


def blender() -> list[str]:
    """The command of Blender; skips where there is none, or where older releases are tested."""
    newest = environment.choose().bpy
    if bpy.app.version_string.rpartition(".")[0] != newest:
        pytest.skip(f"windows show the same for each bpy; they are tried with {newest} only")
    found = programs.find_blender()
    if found is None:
        pytest.skip("no Blender here: set BLENDER to its command, or put blender on PATH")
    return found


@contextmanager
def screen(folder: Path) -> Iterator[Mapping[str, str]]:
    """A screen; gives the environment of programs that show something on it."""
    with ExitStack() as stack:
        try:
            around = stack.enter_context(programs.screen(folder))
        except MissingError as problem:
            pytest.skip(str(problem))
        yield around


def run_in_window(
    folder: Path, script: str, *arguments: str, seconds: float, size: tuple[int, int] = (1600, 1000)
) -> str:
    """Run a script of a copy of the project in a window; what Blender said."""
    command = blender()
    with screen(folder) as around:
        words = [*command, *_OPTIONS, *map(str, size), "--python", script, "--", *arguments]
        said = programs.run(words, folder, around, seconds=seconds, may_fail=True)
    if "Unable to open a display" in said:
        pytest.skip("Blender has no window here")
    return said
