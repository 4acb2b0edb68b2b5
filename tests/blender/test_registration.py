from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import addon_utils
import bpy
import pytest

import omi_physics_addon
from omi_physics_addon.blender.overlay import overlay
from tests.blender.support import leftovers
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tools import environment

ADDON = "omi_physics_addon"
# Beginnings of the names of modules that nobody needs who only starts Blender and draws nothing.
ONLY_FOR_WORK = (
    "cli.",
    "codec",
    "geometry",
    "model.document",
    "model.joint_kinds",
    "model.joint_words",
    "simulation",
    "blender.authoring",
    "blender.host.",
    "blender.overlay.gravity_marks",
    "blender.overlay.joint_marks",
    "blender.overlay.object_marks",
    "blender.overlay.shape_m",
    "blender.preview.bake",
    "blender.preview.bodies",
    "blender.preview.copies",
    "blender.preview.input",
    "blender.preview.interaction",
    "blender.preview.session",
    "blender.scene.derived_masses",
    "blender.scene.entry_",
    "blender.scene.feature_",
    "blender.authoring.issue_groups",
    "blender.scene.joint_settings",
    "blender.scene.scene_",
)


class _Window:
    """Blender's module as it is where there is a window; the tests have none."""

    app: Any

    def __init__(self, module: Any) -> None:
        self._module = module
        if module is bpy:
            self.app = _Window(bpy.app)
        else:
            self.background = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


@pytest.fixture
def draw_handlers() -> Iterator[leftovers.DrawHandlers]:
    """The callbacks that the add-on adds while it is enabled in the test; enabled again after."""
    addon_utils.disable(ADDON, default_set=True)
    try:
        with leftovers.DrawHandlers() as found:
            yield found
    finally:
        if not all(addon_utils.check(ADDON)):
            addon_utils.enable(ADDON, default_set=True)


def _use(tmp_path) -> None:
    """Everything that may leave something: a file with a body goes out and comes back."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    obj = add("Crate", cube_mesh())
    add_body(obj)
    add_collider(obj)
    path = str(tmp_path / "crate.glb")
    bpy.ops.export_scene.gltf(filepath=path)
    bpy.ops.import_scene.gltf(filepath=path)
    assert bpy.data.objects["Crate.001"].omi_physics.use_motion


def test_what_is_there_is_found(tmp_path):
    _use(tmp_path)
    found = leftovers.find()
    assert "property Object.omi_physics" in found
    assert "property Scene.omi_physics" in found
    assert "registered class OMIPHYSICS_PG_motion" in found
    assert "handler after_load of load_post" in found
    assert any("BLACK_LIST" in trace for trace in found)
    assert not any("garbage" in trace for trace in found)


def test_draw_handlers_are_counted():
    def draw() -> None:
        """Stand in for one of the add-on's."""

    draw.__module__ = ADDON
    with leftovers.DrawHandlers() as found:
        space = bpy.types.SpaceView3D
        handle = space.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")
        assert list(found.alive.values()) == ["draw handler draw"]
        space.draw_handler_remove(handle, "WINDOW")
        assert not found.alive


@pytest.mark.parametrize("times", [1, 2])
def test_nothing_is_left_when_disabled(draw_handlers, tmp_path, times):
    for _ in range(times):
        addon_utils.enable(ADDON, default_set=True)
        _use(tmp_path)
        addon_utils.disable(ADDON, default_set=True)
        assert leftovers.find() == []
        assert not draw_handlers.alive
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)


def test_nothing_is_left_of_the_overlay(draw_handlers, monkeypatch):
    monkeypatch.setattr(overlay, "bpy", _Window(bpy))
    for _ in range(2):
        addon_utils.enable(ADDON, default_set=True)
        assert list(draw_handlers.alive.values()) == ["draw handler _draw"]
        assert "handler _start_again of undo_post" in leftovers.find()
        addon_utils.disable(ADDON, default_set=True)
        assert leftovers.find() == []
        assert not draw_handlers.alive


def test_nothing_is_left_when_unregistered(draw_handlers):
    for _ in range(2):
        omi_physics_addon.register()
        assert leftovers.find()
        omi_physics_addon.unregister()
        assert leftovers.find() == []
        assert not draw_handlers.alive


def test_data_survives(draw_handlers):
    addon_utils.enable(ADDON, default_set=True)
    obj = add("Crate", cube_mesh())
    add_body(obj).mass = 7.0
    addon_utils.disable(ADDON, default_set=True)
    assert not hasattr(obj, "omi_physics")
    addon_utils.enable(ADDON, default_set=True)
    assert obj.omi_physics.use_motion
    assert obj.omi_physics.motion.mass == 7.0


def test_disabled_addon_takes_no_part_in_an_export(draw_handlers, export):
    add("Crate", cube_mesh())
    assert "extensions" not in export()
    assert ADDON in sys.modules


def test_blender_starts_without_what_only_work_needs():
    """Export, import, checks and the preview are loaded by whoever uses them first."""
    program = (
        "import os, sys, bpy\n"
        "from omi_physics_addon.blender import registration\n"
        "print(*sys.modules)\n"
        "sys.stdout.flush()\n"
        "os._exit(0)\n"  # bpy may crash or hang while it tidies up behind itself.
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=environment.ROOT, capture_output=True, text=True
    )
    loaded = set(done.stdout.split())
    assert f"{ADDON}.blender.panels.sidebar.sidebar_preview" in loaded, done.stderr
    late = [
        name
        for name in sorted(loaded)
        if name.startswith(tuple(f"{ADDON}.{each}" for each in ONLY_FOR_WORK))
    ]
    assert late == []
