"""The table of handles: every row, what it changes, and what shows it."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from omi_physics_addon.blender.overlay.handles import handle as pulls
from omi_physics_addon.blender.overlay.handles import table
from omi_physics_addon.blender.overlay.handles.handle import Handle
from omi_physics_addon.blender.overlay.marks import Role
from tests.blender.support import handle_scenes
from tests.blender.support.scenes import add, add_collider, cube_mesh
from tests.blender.support.viewports import Viewport

BY = 0.1


def settings() -> Any:
    return bpy.context.scene.omi_physics.overlay


def drawn(obj: Any) -> dict[str, Handle]:
    bpy.context.view_layer.update()
    return table.drawn(obj, settings())


@pytest.mark.parametrize("name", handle_scenes.SCENES)
def test_every_scene_has_its_handles(name: str):
    assert drawn(handle_scenes.build(name)).keys() == handle_scenes.SCENES[name][1]


def test_every_row_has_a_scene():
    """All keys of the table are pulled by somebody, here and in the window."""
    flags: set[str] = set()
    for name in handle_scenes.SCENES:
        group = handle_scenes.build(name).omi_physics
        flags |= {row.flag for row in table.ROWS if getattr(group, row.flag)}
    assert {row.flag for row in table.ROWS} == flags


@pytest.mark.parametrize("name", handle_scenes.SCENES)
def test_a_handle_goes_where_it_is_pulled(name: str):
    """Where the mouse is, there it is afterwards, in the world; and all can go back."""
    obj = handle_scenes.build(name)
    for key, before in drawn(obj).items():
        if before.form == "DOT":
            continue
        begun = pulls.start(before)
        by = -BY if before.value + BY > before.most else BY
        assert pulls.pull(before, begun, by) == pytest.approx(before.value + by, abs=1e-6)
        after = drawn(obj)[key]
        if before.center is None:
            wanted = before.place + before.way * by
        else:
            arm = before.place - before.center
            wanted = before.center + Matrix.Rotation(by, 3, before.way) @ arm
        assert (after.place - wanted).length < 1e-5, key
        if before.form != "RING":
            assert after.value == pytest.approx(before.value + by, abs=1e-6), key
        pulls.go_back(after, begun)
        assert pulls.start(drawn(obj)[key])[1] == begun[1], key


LIMITS = ("hinge", "moved_hinge", "cone", "ball", "slider", "moved_slider", "disc", "rope")


@pytest.mark.parametrize("name", LIMITS)
def test_ends_are_where_their_lines_are_drawn(name: str):
    obj = handle_scenes.build(name)
    viewport = Viewport()
    try:
        lines = viewport.lines(Role.LIMIT, selected=True)
    finally:
        viewport.close()
    for key, handle in drawn(obj).items():
        if key.startswith("limit"):
            near = np.linalg.norm(lines - np.array(handle.place), axis=1).min()
            assert near < 0.08, (key, near)  # Circles are drawn with corners.


def test_locked_ends_have_no_handles_but_while_they_are_pulled():
    obj = handle_scenes.build("hinge")
    low = drawn(obj)["limit 0 Min"]
    begun = pulls.start(low)
    assert pulls.pull(low, begun, 9.0) == pytest.approx(1.2)
    assert "limit 0 Min" not in drawn(obj)
    pulls.pull(table.shown(obj, settings())["limit 0 Min"], begun, 0.1)
    assert drawn(obj)["limit 0 Min"].value == pytest.approx(-0.3)


def test_a_pivot_moves_both_frames():
    obj = handle_scenes.build("hinge")
    other = obj.omi_physics.joint.connected_object
    other.parent = add("Above", location=(1.0, 2.0, 3.0))
    other.parent.rotation_euler = (0.3, 0.2, 0.9)
    bpy.context.view_layer.update()
    other.matrix_world = obj.matrix_world.copy()
    arrow = drawn(obj)["pivot 1"]
    pulls.pull(arrow, pulls.start(arrow), 0.5)
    bpy.context.view_layer.update()
    assert obj.location[1] == pytest.approx(handle_scenes.PLACE[1] + 0.5)
    assert (obj.matrix_world.translation - other.matrix_world.translation).length < 1e-5


def test_the_pivot_of_what_has_more_to_it_stays():
    obj = handle_scenes.build("hinge")
    add("Below", parent=obj)
    assert not any(key.startswith("pivot") for key in drawn(obj))


def test_dots_choose_a_point():
    obj = handle_scenes.build("line")
    pulls.choose(drawn(obj)["point 0"])
    assert obj.omi_physics.gravity.line.points_index == 0
    assert {"point 0 0", "point 1"} <= drawn(obj).keys()


def test_settings_show_handles():
    obj = add("A", cube_mesh())
    group = obj.omi_physics
    assert drawn(obj) == {}
    group.use_collider = group.use_trigger = True
    forms = lambda: {key.split()[0] for key in drawn(obj)}  # noqa: E731 - short.
    assert forms() == {"COLLIDER", "TRIGGER"}
    group.trigger.mode = "BELOW"
    group.collider.shape.type = "CONVEX"
    assert drawn(obj) == {}
    settings().placing = True
    assert forms() == {"COLLIDER"}
    group.trigger.mode, group.collider.shape.type = "SHAPE", "SPHERE"
    settings().colliders = False
    assert forms() == {"TRIGGER"}
    settings().triggers = False
    assert drawn(obj) == {}


def test_shared_settings_of_another_file_have_no_handles(tmp_path):
    handle_scenes.build("hinge")
    path = tmp_path / "library.blend"
    tree = next(t for t in bpy.data.node_groups)
    bpy.data.libraries.write(str(path), {tree})
    obj = handle_scenes.build("hinge")
    with bpy.data.libraries.load(str(path), link=True) as (there, here):
        here.node_groups = there.node_groups
    obj.omi_physics.joint.settings_entry = next(t for t in bpy.data.node_groups if t.library)
    assert not any(key.startswith("limit") for key in drawn(obj))


def test_what_is_scaled_is_pulled_in_its_own_units():
    obj = add("A", cube_mesh())
    add_collider(obj).box.size = (1.0, 1.0, 1.0)
    obj.scale = (2.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    handle = drawn(obj)["COLLIDER size 0"]
    assert (handle.place - Vector((1.0, 0.0, 0.0))).length < 1e-6
    assert (handle.way - Vector((2.0, 0.0, 0.0))).length < 1e-6
