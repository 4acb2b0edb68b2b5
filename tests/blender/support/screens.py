"""Opens a Blender with a window on a screen that nobody sees, for tests that need one.

Blender sees a copy of the project, as it may run in another system, see programs.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
import pytest

from tests.blender.support.programs import find_blender, find_screen
from tools import environment

# What Blender needs for pictures, besides itself.
_DRAWN_BY_SOFTWARE = {"LIBGL_ALWAYS_SOFTWARE": "1"}
_OPTIONS = ("--factory-startup", "--enable-event-simulate", "--window-geometry", "0", "0")


def blender() -> list[str]:
    """The command of Blender; skips where there is none, or where older releases are tested."""
    newest = environment.choose().bpy
    if bpy.app.version_string.rpartition(".")[0] != newest:
        pytest.skip(f"windows show the same for each bpy; they are tried with {newest} only")
    found = find_blender()
    if found is None:
        pytest.skip("no Blender here: set BLENDER to its command, or put blender on PATH")
    return found


def copy_project(folder: Path, *more: str) -> None:
    """Copy the add-on, the tools and more parts of the project to a folder."""
    caches = shutil.ignore_patterns("__pycache__")
    for part in ("omi_physics_addon", "tools", *more):
        shutil.copytree(environment.ROOT / part, folder / part, ignore=caches)


@contextmanager
def screen(folder: Path) -> Iterator[dict[str, str]]:
    """A screen; gives the environment of programs that show something on it."""
    command = find_screen()
    if command is None:
        pytest.skip("no virtual screen here: set XVFB to the command of Xvfb, or install it")
    size = ["-screen", "0", "1600x1000x24", "+extension", "GLX"]
    process = subprocess.Popen(
        [*command, "-displayfd", "1", *size],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        number = process.stdout.readline().strip()
        if not number:
            pytest.skip("the virtual screen did not start")
        yield {**os.environ, **_DRAWN_BY_SOFTWARE, "DISPLAY": f":{number}"}
    finally:
        process.terminate()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def run_in_window(
    folder: Path, script: str, *arguments: str, seconds: float, size: tuple[int, int] = (1600, 1000)
) -> str:
    """Run a script of a copy of the project in a window; what Blender said."""
    command = blender()
    with screen(folder) as around:
        done = subprocess.run(
            [*command, *_OPTIONS, *map(str, size), "--python", script, "--", *arguments],
            cwd=folder,
            env=around,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
        )
    if "Unable to open a display" in done.stdout:
        pytest.skip("Blender has no window here")
    return done.stdout
