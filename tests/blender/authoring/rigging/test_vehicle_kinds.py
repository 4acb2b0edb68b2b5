"""What each kind of vehicle is driven and held by."""

from __future__ import annotations

import pytest
from mathutils import Vector

from omi_physics_addon.blender.authoring.rigging.vehicle_kinds import KINDS, Hull, set_body
from tests.blender.support.scenes import add

MASS, GRAVITY = 300.0, 9.81
HULL = Hull(Vector((-0.4, -1.1, 0.0)), Vector((0.4, 1.1, 1.2)))


@pytest.mark.parametrize("kind", KINDS)
def test_only_a_motorcycle_is_held_upright_against_its_weight(kind):
    bike = add("Bike")
    set_body(bike, KINDS[kind], MASS, HULL, GRAVITY)
    pitch, roll, yaw = bike.omi_physics.vehicle_body.gyro_torque
    tips = MASS * GRAVITY * HULL.size.z / 2.0  # When it lies on its side.
    assert (roll > tips) == (kind == "MOTORCYCLE")
    assert min(pitch, roll, yaw) >= 0.0
