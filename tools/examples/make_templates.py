"""Makes the scenes that File > New > Physics opens, from the walks of the README and the manual.

From the command line, with the oldest Blender we support, so that all others can open them:

    .venv/bpy-4.2/bin/python tools/examples/make_templates.py

They have the least of a window, as Blender warns of files without any; it keeps those that there
are.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import bpy as stubbed_bpy  # noqa: TID251

from tools.examples import walk_scenes

FOLDER: Final = ROOT / "omi_physics_addon" / "templates"
WALKS: Final = {"car": "car", "door": "door", "planet": "planet"}  # By the names of their files.

bpy: Any = stubbed_bpy


def begin() -> None:
    """Begin an empty file, with our add-on."""
    import addon_utils  # Of bpy, and found once that is imported.

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    addon_utils.enable("omi_physics_addon")


def save(path: Path) -> None:
    """Save the file with no more of a window than it needs."""
    path.unlink(missing_ok=True)  # Or Blender would keep it as a backup.
    shown = bpy.context.window_manager.windows[0].workspace
    others = [each for each in bpy.data.workspaces if each != shown]
    bpy.data.batch_remove([*bpy.data.brushes, *others])
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, compress=True)


def make(name: str, folder: Path) -> Path:
    """Write one of them."""
    path, walk = folder / f"{name}.blend", walk_scenes.WALKS[WALKS[name]]
    begin()
    walk.model()
    walk.act()
    walk.check()
    save(path)
    return path


if __name__ == "__main__":
    for each in WALKS:
        make(each, FOLDER)
    os._exit(0)  # The bpy module may crash while it tidies up behind itself.
