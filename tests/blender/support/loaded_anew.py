"""Loads the add-on anew while its preview runs, as upgrades and Reload Scripts do, and uses it.

    BLENDER_USER_SCRIPTS=FOLDER python loaded_anew.py OUT.json

FOLDER has `addons` with two copies of the add-on, where Blender finds them. Writes to the file, as
JSON, what was there after each way.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

import bpy  # noqa: E402

addon_utils: Any = importlib.import_module("addon_utils")
NAME, COPY = "omi_physics_addon", "omi_physics_copy"


def upgrade() -> None:
    """As Blender's extension manager does: disable, forget all modules, enable what is there."""
    addon_utils.disable(NAME, default_set=False)
    for name in [name for name in sys.modules if f"{name}.".startswith(f"{NAME}.")]:
        del sys.modules[name]
    addon_utils.enable(NAME, default_set=True)


def reload_scripts() -> None:
    """F3 > Reload Scripts."""
    bpy.utils.load_scripts(reload_scripts=True)


def preview() -> Any:
    """The preview as it is loaded now, running."""
    player = importlib.import_module(f"{NAME}.blender.preview.player")
    options = importlib.import_module(f"{NAME}.blender.preview.stage.options")
    session = player.start(bpy.context.scene, options.PreviewOptions(seconds=5.0))
    session.step(30)
    assert not session.error, session.error
    return player


def changes(before: Any) -> list[str]:
    """What of the file differs; the handlers are those of other add-ons, too."""
    dumps = importlib.import_module("tools.random_runs.blender_dump")
    differences = dumps.differences(before, dumps.dump())
    return [each for each in differences if not each.startswith("/handlers/")]


def found(folder: Path, before: Any) -> dict[str, Any]:
    """What is left of the preview that ran, and whether all works that was loaded anew."""
    leftovers = importlib.import_module("tests.blender.support.leftovers")
    result: dict[str, Any] = {
        "enabled": addon_utils.check(NAME),
        "changed": changes(before),
    }
    preview().stop()
    result["changed_again"] = changes(before)
    bpy.ops.export_scene.gltf(filepath=str(folder / "out.gltf"), export_format="GLTF_SEPARATE")
    result["written"] = json.loads((folder / "out.gltf").read_text())["extensionsUsed"]
    addon_utils.disable(NAME, default_set=False)
    result["left"] = leftovers.find()
    addon_utils.enable(NAME, default_set=True)
    return result


def another_copy() -> dict[str, Any]:
    """What comes of enabling another copy of the add-on beside the one that is enabled."""
    errors = list[Exception]()
    made = addon_utils.enable(COPY, default_set=False, handle_error=errors.append)
    result = {"enabled": made is not None, "told": [str(error) for error in errors]}
    player = preview()
    result["still works"] = player.running() is not None
    player.stop()
    return result


def factory_settings() -> dict[str, Any]:
    """What Load Factory Settings leaves of a preview that runs, and of the add-on."""
    leftovers = importlib.import_module("tests.blender.support.leftovers")
    preview()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return {"left": leftovers.find(), "scenes": len(bpy.data.scenes)}


def main() -> None:
    path = Path(sys.argv[1])
    addon_utils.enable("io_scene_gltf2", default_set=True)
    addon_utils.enable(NAME, default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    scenes = importlib.import_module("tests.blender.support.scenes")
    dumps = importlib.import_module("tools.random_runs.blender_dump")
    body = scenes.add("Body", scenes.cube_mesh(), location=(0.0, 0.0, 3.0))
    scenes.add_collider(body)
    scenes.add_body(body)
    bpy.context.view_layer.update()
    before, results = dumps.dump(), dict[str, Any]()
    ways: tuple[Callable[[], None], ...] = (upgrade, reload_scripts)
    for way in ways:
        preview()
        way()
        results[way.__name__] = found(path.parent, before)
    results["another copy"] = another_copy()
    results["factory settings"] = factory_settings()
    path.write_text(json.dumps(results), encoding="utf-8")
    sys.stdout.flush()
    os._exit(0)  # bpy may crash or hang while it tidies up behind itself.


if __name__ == "__main__":
    main()
