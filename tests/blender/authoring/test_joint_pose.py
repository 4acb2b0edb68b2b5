"""Posing joints without playing."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, gravity, joint, limit

QUARTER = math.radians(45.0)


@pytest.fixture(autouse=True)
def _stopped(stopped_preview: None) -> None:
    gravity(0.0)


def door(*, pivot: bool = False) -> tuple[Any, Any]:
    """A door that opens by 110 degrees about Z at its edge, and its joint."""
    post, leaf = scenes.add("Post", None), body("Door", (1.0, 0.0, 0.0))
    entry = joint("Hinge", post, leaf, (0.5, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XY", 0.0, 0.0)
    limit(entry, "ANGULAR", "Z", 0.0, math.radians(110.0))
    (held,) = (obj for obj in bpy.context.scene.objects if obj.omi_physics.use_joint)
    held.omi_physics.joint.pivot_at_joint = pivot
    bpy.context.view_layer.objects.active = held
    bpy.context.view_layer.update()
    return leaf, held


def pose(**values: float) -> set[str]:
    found = bpy.ops.object.omi_physics_pose_joint(**values)
    bpy.context.view_layer.update()
    return found


def rest() -> set[str]:
    found = bpy.ops.object.omi_physics_rest_joint()
    bpy.context.view_layer.update()
    return found


@pytest.mark.parametrize("pivot", [False, True])
def test_a_door_opens_within_its_limits_and_closes_again(pivot: bool) -> None:
    leaf, _ = door(pivot=pivot)
    closed = np.array(leaf.matrix_world)
    assert pose(angle_z=QUARTER) == {"FINISHED"}
    assert leaf.rotation_euler.z == pytest.approx(QUARTER, abs=1e-5)
    edge = leaf.matrix_world.translation
    assert tuple(edge) == pytest.approx((0.5 + 0.5**1.5, 0.5**1.5, 0.0), abs=1e-5)
    assert pose(angle_z=math.radians(170.0)) == {"FINISHED"}
    assert leaf.rotation_euler.z == pytest.approx(math.radians(110.0), abs=1e-5)
    assert pose(angle_z=-1.0) == {"FINISHED"}
    assert np.array(leaf.matrix_world) == pytest.approx(closed, abs=1e-5)
    pose(angle_z=QUARTER)
    assert rest() == {"FINISHED"}
    assert np.array(leaf.matrix_world) == pytest.approx(closed, abs=1e-5)


@pytest.mark.parametrize("pivot", [False, True])
def test_a_door_that_was_posed_still_ends_at_its_typed_angle(pivot: bool) -> None:
    leaf, _ = door(pivot=pivot)
    pose(angle_z=QUARTER)
    leaf.omi_physics.motion.angular_velocity = (0.0, 0.0, 2.0)
    session = player.start(bpy.context.scene, PreviewOptions(show=False))
    largest = 0.0
    for _ in range(120):
        session.step()
        turn = session.poses().rotation[0]
        largest = max(largest, math.degrees(math.atan2(turn[0, 2], turn[0, 0])))
    assert largest == pytest.approx(110.0, abs=2.0)


def test_a_slider_slides() -> None:
    rail, cart = scenes.add("Rail", None), body("Cart", (0.0, 0.0, 0.0))
    entry = joint("Slider", rail, cart, (0.0, 0.0, 0.0), (0.0, 0.0, math.pi / 2))
    limit(entry, "LINEAR", "X", -1.0, 2.0)
    limit(entry, "LINEAR", "YZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    (held,) = (obj for obj in bpy.context.scene.objects if obj.omi_physics.use_joint)
    bpy.context.view_layer.objects.active = held
    assert pose(distance_x=5.0, distance_y=3.0) == {"FINISHED"}
    assert tuple(cart.location) == pytest.approx((0.0, 2.0, 0.0), abs=1e-5)
    assert rest() == {"FINISHED"}
    assert tuple(cart.location) == pytest.approx((0.0, 0.0, 0.0), abs=1e-5)


def test_a_ball_has_three_angles() -> None:
    post, arm = scenes.add("Post", None), body("Arm", (0.0, 0.0, -1.0))
    limit(joint("Ball", post, arm, (0.0, 0.0, 0.0)), "LINEAR", "XYZ", 0.0, 0.0)
    (held,) = (obj for obj in bpy.context.scene.objects if obj.omi_physics.use_joint)
    bpy.context.view_layer.objects.active = held
    for turn in ((0.3, 0.2, -0.5), (0.1, 0.0, 0.0)):
        assert pose(**dict(zip(("angle_x", "angle_y", "angle_z"), turn, strict=True))) == {
            "FINISHED"
        }
        assert tuple(arm.rotation_euler) == pytest.approx(turn, abs=1e-5)
    assert rest() == {"FINISHED"}
    assert tuple(arm.matrix_world.translation) == pytest.approx((0.0, 0.0, -1.0), abs=1e-5)


def test_why_a_joint_cannot_be_posed() -> None:
    leaf, held = door()
    leaf.keyframe_insert("location")
    assert pose(angle_z=0.5) == {"CANCELLED"}
    leaf.animation_data_clear()
    held.omi_physics.joint.connected_object = None
    assert pose(angle_z=0.5) == {"CANCELLED"}
    assert rest() == {"CANCELLED"}
    bpy.context.view_layer.objects.active = leaf
    assert not bpy.ops.object.omi_physics_pose_joint.poll()


def test_a_pose_is_one_step_of_undo() -> None:
    door(pivot=True)
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.object.omi_physics_pose_joint("EXEC_DEFAULT", True, angle_z=QUARTER)
    assert bpy.data.objects["Door"].rotation_euler.z == pytest.approx(QUARTER, abs=1e-5)
    bpy.ops.ed.undo()
    assert bpy.data.objects["Door"].rotation_euler.z == 0.0
    assert not any(obj.name.endswith("Pivot") for obj in bpy.data.objects)
