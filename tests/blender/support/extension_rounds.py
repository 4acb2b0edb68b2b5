"""Runs in a real Blender that has our extension installed: uses it, disables it, looks for traces.

blender --background --python extension_rounds.py -- SCENE.blend OUT.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

import leftovers

MODULE = "bl_ext.user_default.omi_physics_addon"
ROUNDS = 2


def enabled() -> bool:
    return MODULE in bpy.context.preferences.addons


def use(scene: str, output: Path) -> None:
    """Open the scene, export it, and import what was written."""
    bpy.ops.wm.open_mainfile(filepath=scene)
    bpy.ops.export_scene.gltf(filepath=str(output))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(output))


def run(scene: str, folder: Path) -> dict[str, Any]:
    result: dict[str, Any] = {
        "version": bpy.app.version_string,
        "enabled_after_installation": enabled(),
        "rounds": [],
    }
    with leftovers.DrawHandlers() as draw_handlers:
        for number in range(ROUNDS):
            if not enabled():
                bpy.ops.preferences.addon_enable(module=MODULE)
            output = folder / f"round_{number}.glb"
            use(scene, output)
            row: dict[str, Any] = {
                "output": output.name,
                "found_while_enabled": leftovers.find(),
                "bodies": sum(obj.omi_physics.use_motion for obj in bpy.data.objects),
            }
            bpy.ops.preferences.addon_disable(module=MODULE)
            row["left"] = [*leftovers.find(), *draw_handlers.alive.values()]
            row["still_enabled"] = enabled()
            result["rounds"].append(row)
    return result


if __name__ == "__main__":
    scene_path, answer = sys.argv[sys.argv.index("--") + 1 :]
    rounds = run(scene_path, Path(answer).parent)
    Path(answer).write_text(json.dumps(rounds, indent=2), encoding="utf-8")
