"""Finds the Blender, the Godot, the browser and the virtual screen on this machine, and runs them.

Each is a command with its first arguments. They are looked for

1. in the environment variable BLENDER, GODOT, CHROMIUM or XVFB, which may hold arguments, too;
2. on PATH;
3. in a Debian system in a folder of its own, as debootstrap makes it: DESKTOP_ROOT, or
   `desktop-root` in the user's cache folder when that is not set.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tools import environment
from tools.engines.engine_clients import MissingError

# What draws without a graphics card.
_DRAWN_BY_SOFTWARE: Final = {"LIBGL_ALWAYS_SOFTWARE": "1"}

# Shows the folder it is called from under the same name inside the other system. Needs root.
_INSIDE = """
for folder in proc sys dev; do mount --rbind "/$folder" "$0/$folder"; done
mkdir -p "$0$PWD" && mount --bind "$PWD" "$0$PWD"
exec chroot "$0" env HOME=/root LANG=C.UTF-8 sh -c 'cd "$0" && exec "$@"' "$PWD" "$@"
"""


def find_godot() -> list[str] | None:
    """How to call Godot; None where there is none."""
    found = _installed("godot")
    root = _root("godot")
    if found or root is None:
        return found
    # Its own linker and libraries let it run here, where it sees our files as they are.
    linker = next(iter(sorted(root.glob("usr/lib/*/ld-linux-*.so.*"))), None)
    if linker is None:
        return None
    libraries = f"{linker.parent}:{linker.parent}/pulseaudio"
    return [str(linker), "--library-path", libraries, str(root / "usr/bin/godot")]


def find_godot_with_window() -> list[str] | None:
    """How to call a Godot that draws, from a folder that holds all it is to see."""
    return _inside("godot")


def find_browser() -> list[str] | None:
    """How to call Chromium; None where there is none."""
    return _installed("chromium")


def find_blender() -> list[str] | None:
    """How to call Blender from a folder that holds all it is to see; None where there is none."""
    return _inside("blender")


def find_screen() -> list[str] | None:
    """How to call Xvfb, which draws a screen that nobody sees; None where there is none."""
    return _inside("Xvfb")


def run(
    command: Sequence[str],
    folder: Path,
    around: Mapping[str, str] | None = None,
    *,
    seconds: float = 600.0,
    may_fail: bool = False,
) -> str:
    """Run a program to its end; what it printed, errors and warnings included.

    Args:
        folder: where it runs; in another system it sees nothing else of this one.
        around: its environment; that of this process when left out.
        seconds: how long it may take.
        may_fail: whether it may end with another code than 0; then the caller looks for its work.

    Raises:
        RuntimeError: it failed, or took too long; the message has what it printed.
    """
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=around,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as late:
        words = _text(late.stdout)
        raise RuntimeError(f"{name} took more than {seconds:g} s: {words}") from late
    if done.returncode and not may_fail:
        raise RuntimeError(f"{name} ended with {done.returncode}: {_text(done.stdout)}")
    return _text(done.stdout)


def _text(printed: bytes | None) -> str:
    return (printed or b"").decode("utf-8", "replace")


def copy_project(folder: Path, *more: str) -> None:
    """Copy the add-on, the tools and more parts of the project to a folder."""
    caches = shutil.ignore_patterns("__pycache__")
    for part in ("omi_physics_addon", "tools", *more):
        shutil.copytree(environment.ROOT / part, folder / part, ignore=caches)


@contextmanager
def screen(folder: Path, size: tuple[int, int] = (1600, 1000)) -> Generator[Mapping[str, str]]:
    """A screen that nobody sees; gives the environment of programs that show something on it.

    Raises:
        MissingError: there is none, or it did not start.
    """
    command = find_screen()
    if command is None:
        raise MissingError("no virtual screen here: set XVFB to the command of Xvfb, or install it")
    shape = ["-screen", "0", f"{size[0]}x{size[1]}x24", "+extension", "GLX"]
    process = subprocess.Popen(
        [*command, "-displayfd", "1", *shape],
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
            raise MissingError("the virtual screen did not start")
        # Blender leaves files of always the same names there.
        own = folder.resolve() / "temporary"
        own.mkdir(exist_ok=True)
        temporary = dict.fromkeys(("TMP", "TMPDIR"), str(own))
        yield {**os.environ, **_DRAWN_BY_SOFTWARE, **temporary, "DISPLAY": f":{number}"}
    finally:
        process.terminate()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _inside(name: str) -> list[str] | None:
    """How to call a program, in the other system where it is not in this one."""
    found = _installed(name)
    root = _root(name)
    if found or root is None:
        return found
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return None
    return ["unshare", "--mount", "sh", "-ec", _INSIDE, str(root), name]


def _installed(name: str) -> list[str] | None:
    """The program that a variable or PATH names."""
    command = os.environ.get(name.upper())
    if command:
        return shlex.split(command)
    path = shutil.which(name)
    return [path] if path else None


def _root(name: str) -> Path | None:
    """The other system, if it has the program."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    root = Path(os.environ.get("DESKTOP_ROOT") or cache / "desktop-root")
    return root if (root / "usr" / "bin" / name).exists() else None
