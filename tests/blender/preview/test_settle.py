"""Settling: bodies come to rest where the physics leads them."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview import settle as work
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, floor, gravity

STILL = 2e-3


@pytest.fixture(autouse=True)
def _begin() -> None:
    gravity()


def settle(**options: Any) -> set[str]:
    return bpy.ops.object.omi_physics_settle(**options)


def place(obj: Any) -> Any:
    bpy.context.view_layer.update()
    return np.array(obj.matrix_world)


def select(*objects: Any) -> None:
    for obj in bpy.context.scene.objects:
        obj.select_set(obj in objects)


def test_a_pile_settles_once_and_stays() -> None:
    floor()
    pile = [body(f"Box {i}", (0.3 * (i % 3), 0.2 * (i % 2), 0.6 + 1.2 * i)) for i in range(20)]
    assert settle(seconds=30.0) == {"FINISHED"}
    first = [place(obj) for obj in pile]
    assert min(matrix[2, 3] for matrix in first) == pytest.approx(0.5, abs=0.02)
    assert player.running() is None
    assert settle(seconds=30.0) == {"FINISHED"}
    for obj, before in zip(pile, first, strict=True):
        assert np.abs(place(obj) - before).max() < STILL


@pytest.mark.parametrize("size", [(1.0, 1.0, 1.0), (1.0, 1.0, 0.2), (0.4, 0.3, 0.1)])
def test_flat_boxes_stay_where_they_come_down(size: tuple[float, float, float]) -> None:
    """Without a soft landing some are thrown aside by up to 67 mm."""
    floor()
    heights = (0.31, 0.5, 0.77, 1.0, 1.6, 2.0, 3.3, 5.0)
    for i, height in enumerate(heights):
        body(f"Box {i}", (3.0 * i, 0.0, height + size[2] / 2.0)).scale = size
    assert settle() == {"FINISHED"}
    for i in range(len(heights)):
        x, y, _ = bpy.data.objects[f"Box {i}"].location
        assert (x, y) == pytest.approx((3.0 * i, 0.0), abs=1e-3)


def test_what_has_landed_softly_rolls_on() -> None:
    floor(turn=0.2)
    one = body("Ball", (0.0, 0.0, 3.0), "SPHERE")
    run = work.Settle(bpy.context.scene, 4.0, None)
    while not run.is_over:
        run.step()
    run.finish()
    assert np.hypot(one.location.x, one.location.y) > 5.0


def test_only_the_selection_moves() -> None:
    floor()
    one, other = body("One", (0.0, 0.0, 3.0)), body("Other", (5.0, 0.0, 3.0))
    select(one)
    assert settle(only_selected=True) == {"FINISHED"}
    assert one.location.z == pytest.approx(0.5, abs=0.01)
    assert tuple(other.location) == (5.0, 0.0, 3.0)


def test_bodies_below_others_and_what_is_on_them() -> None:
    floor()
    above = scenes.add("Above", None, location=(2.0, 1.0, 0.5))
    above.scale = (2.0, 2.0, 2.0)
    one = body("One", (0.0, 0.0, 2.0))
    one.parent, one.rotation_euler = above, (0.0, 0.0, 0.3)
    one.scale = (0.5, 0.5, 0.5)
    below = body("Below", (0.0, 4.0, 1.0))
    below.parent = one
    mark = scenes.add("Mark", None, location=(0.0, 0.0, 1.0))
    mark.parent = one
    start = np.linalg.inv(place(one)) @ place(mark)
    assert settle() == {"FINISHED"}
    assert place(one)[2, 3] == pytest.approx(0.5, abs=0.01)
    assert place(below)[2, 3] == pytest.approx(0.5, abs=0.01)
    assert np.linalg.inv(place(one)) @ place(mark) == pytest.approx(start, abs=1e-5)
    assert tuple(one.scale) == (0.5, 0.5, 0.5)
    select(one)
    below.location.z += 2.0
    one.location.z += 1.0
    held = place(below)
    assert settle(only_selected=True) == {"FINISHED"}
    assert place(below) == pytest.approx(held, abs=1e-4)


def test_start_velocities_do_not_count_and_stay() -> None:
    floor()
    one = body("One", (0.0, 0.0, 2.0), linear_velocity=(5.0, 0.0, 0.0))
    assert settle() == {"FINISHED"}
    assert tuple(one.location) == pytest.approx((0.0, 0.0, 0.5), abs=0.1)
    assert tuple(one.omi_physics.motion.linear_velocity) == (5.0, 0.0, 0.0)


def test_what_has_keyframes_is_left() -> None:
    floor()
    one, keyed = body("One", (0.0, 0.0, 2.0)), body("Keyed", (5.0, 0.0, 2.0))
    keyed.keyframe_insert("location")
    assert settle() == {"FINISHED"}
    assert tuple(keyed.location) == (5.0, 0.0, 2.0)
    assert one.location.z == pytest.approx(0.5, abs=0.01)


def test_who_does_not_rest_is_named() -> None:
    floor()
    body("Rests", (0.0, 0.0, 0.5))
    body("Falls", (500.0, 0.0, 0.5))
    run = work.Settle(bpy.context.scene, 2.0, None)
    while not run.is_over:
        run.step()
    found = run.finish()
    assert found.moving == ("Falls",)
    assert set(found.objects) == {"Rests", "Falls"}


def test_nothing_to_settle_is_told() -> None:
    floor()
    assert settle() == {"CANCELLED"}
    assert player.running() is None


def test_it_is_one_step_of_undo() -> None:
    floor()
    body("One", (0.0, 0.0, 2.0))
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.object.omi_physics_settle("EXEC_DEFAULT", True) == {"FINISHED"}
    assert bpy.data.objects["One"].location.z == pytest.approx(0.5, abs=0.01)
    bpy.ops.ed.undo()
    assert bpy.data.objects["One"].location.z == pytest.approx(2.0)


def test_another_kind_of_rotation_and_delta_transforms() -> None:
    floor()
    one = body("One", (0.0, 0.0, 1.0))
    one.rotation_mode, one.delta_location = "QUATERNION", (0.0, 0.0, 1.0)
    one.scale = (-1.0, 1.0, 1.0)
    assert settle() == {"FINISHED"}
    assert place(one)[2, 3] == pytest.approx(0.5, abs=0.01)
    assert tuple(one.scale) == (-1.0, 1.0, 1.0)
