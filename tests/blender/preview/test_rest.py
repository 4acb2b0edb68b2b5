"""What lies on a mesh keeps still, also where it never falls asleep as forces pull it."""

from __future__ import annotations

import math
from collections.abc import Callable

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Quaternion, Vector

from tests.blender.support import scenes
from tests.blender.support.preview_scenes import STEP, body, play, run

RADIUS, PULL = 3.0, 9.81
COUNT = 24


pytestmark = pytest.mark.usefixtures("no_gravity")


def planet() -> None:
    """A ball of triangles that attracts."""
    mesh = bpy.data.meshes.new("planet")
    form = bmesh.new()
    bmesh.ops.create_icosphere(form, subdivisions=4, radius=RADIUS)
    form.to_mesh(mesh)
    form.free()
    scenes.add_collider(scenes.add("planet", mesh), "TRIMESH")
    group = scenes.add("pull", None).omi_physics
    group.use_trigger = group.use_gravity = True
    group.trigger.shape.type = "SPHERE"
    group.trigger.shape.sphere.radius = 4.0 * RADIUS
    group.gravity.type, group.gravity.gravity = "POINT", PULL
    group.gravity.point.unit_distance = RADIUS


def way(number: int) -> Vector:
    """Upwards at one of the places that are spread over the planet."""
    up, turn = (2.0 * number + 1.0) / COUNT - 1.0, 2.4 * number
    across = math.sqrt(1.0 - up * up)
    return Vector((across * math.cos(turn), across * math.sin(turn), up))


def crate(name: str) -> float:
    """A body that is a box; gives the height of its origin."""
    body(name).omi_physics.collider.shape.box.size = (0.5, 0.5, 0.5)
    return 0.25


def drum(name: str) -> float:
    """A body that is a cylinder."""
    sizes = body(name, kind="CYLINDER").omi_physics.collider.shape.cylinder
    sizes.height, sizes.radius_bottom, sizes.radius_top = 0.42, 0.28, 0.28
    return 0.21


@pytest.mark.parametrize("make", [crate, drum])
def test_what_stands_on_a_planet_keeps_still(make: Callable[[str], float]) -> None:
    planet()
    for number in range(COUNT):
        height = make(f"thing {number}")
        obj, up = bpy.data.objects[f"thing {number}"], way(number)
        obj.rotation_mode = "QUATERNION"
        obj.location = up * (RADIUS + height)
        obj.rotation_quaternion = up.to_track_quat("Z", "Y") @ Quaternion((0, 0, 1), 0.4 * number)
    session = play()
    run(session, 2.0)
    before, fastest = session.poses().position, np.zeros(COUNT + 1)
    for _ in range(360):
        session.step()
        now = session.poses().position
        fastest = np.maximum(fastest, np.linalg.norm(now - before, axis=1) / STEP)
        before = now
    assert np.median(fastest) < 0.0012
    assert fastest.max() < 0.05
