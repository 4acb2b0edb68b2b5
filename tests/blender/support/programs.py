"""Finds the Blender, the Godot and the virtual screen on this machine, for tests that need one.

Each is a command with its first arguments. They are looked for

1. in the environment variable BLENDER, GODOT or XVFB, which may hold arguments, too;
2. on PATH;
3. in a Debian system in a folder of its own, as debootstrap makes it: DESKTOP_ROOT, or
   `desktop-root` in the user's cache folder when that is not set.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

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


def find_blender() -> list[str] | None:
    """How to call Blender from a folder that holds all it is to see; None where there is none."""
    return _inside("blender")


def find_screen() -> list[str] | None:
    """How to call Xvfb, which draws a screen that nobody sees; None where there is none."""
    return _inside("Xvfb")


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
