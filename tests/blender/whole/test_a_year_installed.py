"""An add-on that stays installed: upgrades, other add-ons beside it, and a great many files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.preview import player
from tests.blender.support import preview_scenes, scenes
from tests.support import pace
from tools import environment
from tools.random_runs.blender_dump import differences, dump

pytestmark = pytest.mark.usefixtures("stopped_preview")
SECONDS = 480  # At most; about 6 for all ways to load it anew.


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What loaded_anew.py found."""
    tmp_path: Path = tmp_path_factory.mktemp("installed")
    (tmp_path / "addons").mkdir()
    try:
        for name in ("omi_physics_addon", "omi_physics_copy"):
            link = tmp_path / "addons" / name
            link.symlink_to(environment.ROOT / "omi_physics_addon", target_is_directory=True)
    except OSError:
        pytest.skip("this user may make no links")
    script = environment.ROOT / "tests" / "blender" / "support" / "loaded_anew.py"
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "found.json")],
        env={**os.environ, "BLENDER_USER_SCRIPTS": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("way", ["upgrade", "reload_scripts"])
def test_it_can_be_loaded_anew_while_a_preview_runs(found: dict[str, Any], way: str) -> None:
    """Nothing is left of the preview, and all works again."""
    assert found[way] == {
        "enabled": [True, True],
        "changed": [],
        "changed_again": [],
        "written": ["OMI_physics_body", "OMI_physics_shape"],
        "left": [],
    }


def test_a_second_copy_of_it_is_refused_and_does_no_harm(found: dict[str, Any]) -> None:
    assert found["another copy"] == {
        "enabled": False,
        "told": [
            "OMI Physics is enabled already, as omi_physics_addon, and two copies of it replace "
            "each other; disable that one first"
        ],
        "still works": True,
    }


def test_factory_settings_leave_nothing_of_it(found: dict[str, Any]) -> None:
    assert found["factory settings"] == {"left": [], "scenes": 1}


# Other add-ons


def fail(*_arguments: Any) -> None:
    raise ValueError("the fault of another add-on")


def add(_self: Any, gltf2_object: Any, *_rest: Any) -> None:
    gltf2_object.extensions = {**(gltf2_object.extensions or {}), "VENDOR_other": {"a": 1}}


def clear(_self: Any, gltf2_object: Any, *_rest: Any) -> None:
    gltf2_object.extensions = None


@pytest.fixture
def other_addon() -> Iterator[Callable[..., None]]:
    """Puts an add-on with hooks on the list of Blender's glTF add-on, behind ours."""
    name, addons = "omi_tests_other_addon", bpy.context.preferences.addons

    def enable(**hooks: Any) -> None:
        module: Any = types.ModuleType(name)
        hooks_of = type("Hooks", (), {"__init__": lambda self: None, **hooks})
        module.glTF2ExportUserExtension = module.glTF2ImportUserExtension = hooks_of
        sys.modules[name] = module
        addons.new().module = name

    yield enable
    addons.remove(addons[name])
    del sys.modules[name]


def crate(name: str = "Crate") -> Any:
    return preview_scenes.body(name, (0.0, 0.0, 3.0))


@pytest.mark.parametrize("hook", [add, clear, fail])
def test_an_export_is_whole_beside_another_add_on(hook: Any, other_addon: Any, export: Any) -> None:
    crate()
    alone = export("alone.gltf")
    other_addon(gather_node_hook=hook, gather_scene_hook=fail)
    beside = export("beside.gltf")
    found = {node["name"]: node.get("extensions", {}) for node in beside["nodes"]}
    assert (found["Crate"].pop("VENDOR_other", None) is not None) == (hook is add)
    found["Crate Mesh"].pop("VENDOR_other", None)
    assert found == {node["name"]: node.get("extensions", {}) for node in alone["nodes"]}
    assert not reports.latest("EXPORT").failed


def test_an_import_that_another_add_on_ended_harms_no_later_one(
    other_addon: Any, export: Any, tmp_path: Path
) -> None:
    crate()
    export("crate.gltf")
    path = str(tmp_path / "crate.gltf")
    other_addon(gather_import_node_after_hook=fail, gather_import_gltf_before_hook=fail)
    try:
        bpy.ops.import_scene.gltf(filepath=path)
    except RuntimeError as problem:  # Blender's importer stumbles over telling of it.
        assert "another add-on" in str(problem)  # noqa: PT017 - it may go well, too.
    sys.modules["omi_tests_other_addon"].glTF2ImportUserExtension = type("None", (), {})
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=path)
    (made,) = set(bpy.data.objects) - before
    assert made.omi_physics.use_motion
    assert not reports.latest("IMPORT").failed


HANDLERS = (
    "depsgraph_update_pre",
    "depsgraph_update_post",
    "frame_change_pre",
    "frame_change_post",
)


@pytest.mark.parametrize("name", HANDLERS)
def test_a_handler_of_another_add_on_that_fails_ends_no_preview(name: str) -> None:
    crate()
    bpy.context.view_layer.update()
    before = dump()
    handlers = getattr(bpy.app.handlers, name)
    handlers.insert(0, fail)
    try:
        session = preview_scenes.play()
        preview_scenes.run(session, 0.5)
        fallen = 3.0 - session.poses().position[0][1]
        player.stop()
    finally:
        handlers.remove(fail)
    assert fallen == pytest.approx(0.5 * 9.81 * 0.5**2, rel=0.05)
    assert session.error == ""
    assert differences(before, dump()) == []


def test_a_purge_takes_nothing_from_a_preview_or_the_scene() -> None:
    body = crate()
    body.omi_physics.collider.shape.type = "CONVEX"
    mesh = scenes.cube_mesh("Hull")
    body.omi_physics.collider.shape.mesh_source = "DATA"
    body.omi_physics.collider.shape.mesh = mesh
    session = preview_scenes.play()
    preview_scenes.run(session, 0.1)
    bpy.data.orphans_purge(do_recursive=True)
    preview_scenes.run(session, 0.1)
    assert session.error == ""
    player.stop()
    bpy.data.orphans_purge(do_recursive=True)
    assert body.omi_physics.collider.shape.mesh == mesh


# A great many files


def test_a_hundred_exports_and_imports_take_no_memory(tmp_path: Path) -> None:
    crate()
    preview_scenes.floor()
    path = str(tmp_path / "scene.glb")

    def there_and_back() -> None:
        bpy.ops.export_scene.gltf(filepath=path)
        before = set(bpy.data.objects)
        bpy.ops.import_scene.gltf(filepath=path)
        for obj in set(bpy.data.objects) - before:
            bpy.data.objects.remove(obj)
        bpy.data.orphans_purge(do_recursive=True)

    for _ in range(10):
        there_and_back()
    before_all, grown = dump(), list[int]()
    for _ in range(2):  # What else this process has done may give or take some once.
        before = pace.memory()
        for _ in range(50):
            there_and_back()
        grown.append(pace.memory() - before)
    assert min(grown) < 5_000
    assert differences(before_all, dump()) == []
