from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector

from omi_physics_addon.blender.base import groups
from tests.blender.operators.test_bodies import run, select
from tests.blender.operators.test_vehicle_parts import box, cylinder
from tests.blender.support import preview_scenes
from tests.blender.support.scenes import add, add_body, add_collider

FORWARD = {"-Y": (0, -1, 0), "+Y": (0, 1, 0), "-X": (-1, 0, 0), "+X": (1, 0, 0)}
SECONDS = 2.0


def buggy(front: str, place: Matrix | None = None) -> tuple[Any, list[Any]]:
    """A chassis that is long where it looks, and cylinders that lie across."""
    along = "XY".index(front[1])
    sizes = (4.0, 1.8) if along == 0 else (1.8, 4.0)
    base = place or Matrix.Translation((0.0, 0.0, 0.7))
    chassis = box("Buggy", *sizes, 0.5)
    chassis.matrix_world = base
    wheels: list[Any] = []
    for ahead in (1.3, -1.3):
        for side in (0.9, -0.9):
            wheel = cylinder(f"{'Front' if ahead > 0.0 else 'Back'} {side}", 0.4, 0.25)
            forward = Vector(FORWARD[front])
            across = Vector((-forward.y, forward.x, 0.0))
            turn = Vector((0.0, 0.0, 1.0)).rotation_difference(across)
            spot = ahead * forward + side * across + Vector((0.0, 0.0, -0.3))
            wheel.matrix_world = base @ Matrix.LocRotScale(spot, turn, None)
            wheels.append(wheel)
    select(*wheels, chassis, active=chassis)
    return chassis, wheels


def vehicle() -> Any:
    """The only one of the scene."""
    (found,) = (o for o in bpy.context.scene.objects if groups.of_object(o).use_vehicle_body)
    return found


def drive() -> Any:
    """How far the vehicle comes with the throttle open."""
    preview_scenes.gravity()
    preview_scenes.floor()
    name = vehicle().name
    session = preview_scenes.play()
    preview_scenes.run(session, 0.5)
    start = preview_scenes.place(session, name)
    assert session.driver.key("W", is_down=True)
    preview_scenes.run(session, SECONDS)
    return preview_scenes.place(session, name) - start


@pytest.mark.usefixtures("stopped_preview")
@pytest.mark.parametrize("front", FORWARD)
def test_it_drives_where_its_front_is(front):
    buggy(front)
    assert run("object.omi_physics_make_wheels", front=front) == {"FINISHED"}
    gone = drive()
    ahead = float(gone @ np.array(FORWARD[front], dtype=float))
    assert ahead > 3.0
    assert np.linalg.norm(gone - ahead * np.array(FORWARD[front], dtype=float)) < 0.1 * ahead


@pytest.mark.usefixtures("stopped_preview")
def test_a_buggy_that_faces_x_drives_there_by_itself():
    buggy("+X", Matrix.LocRotScale((3.0, 2.0, 0.7), Quaternion((0, 0, 1), 0.5), None))
    run("object.omi_physics_make_wheels")
    gone = drive()
    wanted = np.array([math.cos(0.5), math.sin(0.5), 0.0])
    assert gone @ wanted > 3.0
    assert abs(gone @ np.array([-wanted[1], wanted[0], 0.0])) < 0.5


@pytest.mark.parametrize("front", FORWARD)
def test_nothing_moves_and_wheels_lie_on_their_axles(front, capfd):
    chassis, wheels = buggy(front, Matrix.Translation((1, 2, 3)))
    chassis.scale = (1.0, 1.5, 0.5)
    flag = add("Flag", parent=chassis, location=(0.0, 0.0, 1.0))
    bpy.context.view_layer.update()
    before = {obj: obj.matrix_world.copy() for obj in (chassis, flag, *wheels)}
    run("object.omi_physics_make_wheels", front=front, use_stand=False)
    bpy.context.view_layer.update()
    for obj, place in before.items():
        assert np.allclose(obj.matrix_world, place, atol=1e-5)
    assert "not round" not in capfd.readouterr().out
    found = vehicle()
    forward = found.matrix_world.to_3x3() @ Vector((0.0, -1.0, 0.0))
    assert np.allclose(forward.normalized(), FORWARD[front], atol=1e-5)
    assert bpy.context.object == found
    for wheel in wheels:
        hub = wheel.parent
        assert hub.parent == found
        axle = (wheel.matrix_world.to_3x3() @ Vector((0.0, 0.0, 1.0))).normalized()
        own = (hub.matrix_world.to_3x3() @ Vector((1.0, 0.0, 0.0))).normalized()
        assert abs(axle.dot(own)) == pytest.approx(1.0, abs=1e-5)
        steers = groups.of_object(hub).wheel.max_steering_angle > 0.0
        assert steers is wheel.name.startswith("Front")


def test_the_front_comes_from_the_axles(capfd):
    chassis, _ = buggy("+X")
    run("object.omi_physics_make_wheels")
    assert vehicle() == chassis.parent
    assert "the front is +X" in capfd.readouterr().out


def test_without_a_choice_the_chassis_is_the_vehicle():
    chassis, _ = buggy("-Y")
    run("object.omi_physics_make_wheels")
    assert vehicle() == chassis
    assert chassis.parent is None


def test_what_the_chassis_was_goes_to_the_vehicle():
    above = add("Trailer", location=(5.0, 0.0, 0.0))
    chassis, _ = buggy("+X")
    chassis.parent = above
    motion = add_body(chassis)
    motion.mass = 321.0
    motion.center_of_mass_mode = "VALUE"
    motion.center_of_mass = (1.0, 0.0, -0.2)
    motion.linear_velocity = (2.0, 0.0, 0.0)
    add_collider(chassis)
    bpy.context.view_layer.update()
    run("object.omi_physics_make_wheels", front="+X")
    found = vehicle()
    assert found.parent == above
    assert not chassis.omi_physics.use_motion
    moved = found.omi_physics.motion
    assert moved.mass == 321.0
    assert tuple(moved.center_of_mass) == pytest.approx((0.0, -1.0, -0.2), abs=1e-6)
    assert tuple(moved.linear_velocity) == pytest.approx((0.0, -2.0, 0.0), abs=1e-6)


def test_a_vehicle_keeps_its_front():
    chassis, _ = buggy("-Y")
    add_body(chassis)
    chassis.omi_physics.use_vehicle_body = True
    run("object.omi_physics_make_wheels", front="+X")
    assert vehicle() == chassis


def test_what_lies_flat_is_told_with_what_helps(capfd):
    chassis, wheels = buggy("-Y")
    for wheel in wheels:
        wheel.rotation_euler = (0.0, 0.0, 0.0)
    select(*wheels, chassis, active=chassis)
    run("object.omi_physics_make_wheels")
    assert "choose another Front, or rotate them" in capfd.readouterr().out
