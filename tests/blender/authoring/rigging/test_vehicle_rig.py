"""Vehicles of a chassis and of wheels that are joined into one mesh."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring.rigging import vehicle_rig
from omi_physics_addon.blender.authoring.rigging.vehicle_rig import Choices
from tests.blender.operators.test_bodies import cloud
from tests.blender.operators.test_vehicle_parts import box, cylinder
from tests.blender.support.scenes import add_collider


@pytest.fixture
def car() -> tuple[Any, Any]:
    """A chassis, and a mesh of four wheels with a collider and keyframes."""
    chassis = box("Chassis", 1.8, 4.0, 0.5)
    chassis.location.z = 0.7
    rim = cylinder("Rim", 0.4, 0.25)
    corners = [tuple(vertex.co) for vertex in rim.data.vertices]
    faces = [tuple(face.vertices) for face in rim.data.polygons]
    places = [(x, y, 0.4) for x in (-0.9, 0.9) for y in (-1.3, 1.3)]
    mesh: Any = bpy.data.meshes.new("Tires")
    mesh.from_pydata(
        [(z + x, b + y, -a + h) for x, y, h in places for a, b, z in corners],
        [],
        [tuple(i + k * len(corners) for i in face) for k in range(4) for face in faces],
    )
    tires = cloud("Tires", [])
    tires.data = mesh
    add_collider(tires, "CONVEX")
    tires.keyframe_insert("location")
    bpy.data.objects.remove(rim)
    bpy.context.view_layer.update()
    return chassis, tires


def rigged(chassis: Any, **choices: Any) -> vehicle_rig.Rigged:
    context: Any = bpy.context
    return vehicle_rig.rig(context.scene, context.view_layer, chassis, Choices(**choices))


def test_joined_wheels_become_wheels_without_the_physics_of_their_mesh(car):
    chassis, tires = car
    vertices = len(tires.data.vertices)
    found = rigged(chassis, use_separate=True)
    assert (found.kind, found.separated, len(found.made)) == ("CAR", 4, 4)
    bpy.context.view_layer.update()
    looks = [obj for obj in bpy.data.objects if obj.name.startswith("Tires")]
    assert [len(obj.data.vertices) for obj in looks] == [vertices // 4] * 4
    others = [obj for obj in looks if obj != tires]
    assert not any(obj.omi_physics.use_collider or obj.animation_data for obj in others)
    for wheel in found.made:
        assert wheel.omi_physics.use_wheel
        assert wheel.omi_physics.wheel.radius == pytest.approx(0.4, rel=0.01)
        x, y, _ = wheel.matrix_world.translation
        assert (abs(x), abs(y)) == pytest.approx((0.9, 1.3), abs=1e-3)


def test_joined_wheels_stay_joined_unless_that_is_asked_for(car):
    with pytest.raises(vehicle_rig.JoinedWheelsError, match="4 wheels are joined in Tires"):
        rigged(car[0])
