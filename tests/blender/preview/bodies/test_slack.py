"""Joints that leave room along several axes at once."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import limitations
from tests.blender.support.preview_scenes import body, gravity, joint, limit, place, play, run

ROOM = 0.25  # m, to each side.


pytestmark = pytest.mark.usefixtures("standard_gravity")


def hung(place: Any, axes: str) -> None:
    """A cube of 0.5 m on a joint at the origin of the world, with room along some axes."""
    cube = body("Cube", place)
    cube.omi_physics.collider.shape.box.size = (0.5, 0.5, 0.5)
    entry = joint("Joint", cube, None, (0.0, 0.0, 0.0))
    for axis in "XYZ":
        room = ROOM if axis in axes else 0.0
        limit(entry, "LINEAR", axis, -room, room)


@pytest.mark.parametrize("axes", ["XYZ", "YZ"])  # It swings in the plane of Y and Z.
def test_what_swings_in_its_room_gains_no_energy(axes: str) -> None:
    hung((0.0, 1.0, 0.0), axes)
    session = play(show=False)
    highest = -np.inf
    for _ in range(240):
        run(session, session.options.step)
        highest = max(highest, place(session, "Cube")[2])
    assert highest < 0.02  # It began at 0, at rest.


def test_what_hangs_in_its_room_hangs_still_at_its_end() -> None:
    hung((0.0, 0.0, -1.0), "XYZ")
    session = play(show=False)
    run(session, 3.0)
    places = []
    for _ in range(30):
        run(session, session.options.step)
        places.append(place(session, "Cube"))
    np.testing.assert_allclose(places, np.tile((0.0, 0.0, -1.0 - ROOM), (30, 1)), atol=0.003)


@pytest.mark.parametrize(
    ("room", "turns", "is_told"),
    [
        ("XZ", "XYZ", True),
        ("XZ", "Y", False),
        ("XZ", "X", True),
        ("X", "X", False),  # A piston.
        ("X", "Y", True),
        ("XYZ", "XYZ", False),
        ("", "XYZ", False),
    ],
)
def test_what_may_gain_is_told(room: str, turns: str, is_told: bool) -> None:
    hung((0.0, 1.0, 0.0), room)
    (entry,) = bpy.context.scene.omi_physics.joint_settings
    for axis in set("XYZ") - set(turns):
        limit(entry, "ANGULAR", axis, 0.0, 0.0)
    told = [
        one for one in limitations.of_scene(bpy.context.scene) if "swing ever higher" in one.text
    ]
    assert [one.objects for one in told] == ([("Joint B",)] if is_told else [])


def thrown_back(soft: bool) -> float:
    """The part of its speed that a slider comes back with from the end of its way."""
    gravity(0.0)
    cube = body("Cube", (0.0, 0.0, 0.0), linear_velocity=(1.0, 0.0, 0.0))
    entry = joint("Joint", None, cube, (0.0, 0.0, 0.0))
    row = limit(entry, "LINEAR", "X", -1.0, 0.505)
    row.use_stiffness, row.stiffness = soft, 100.0
    limit(entry, "LINEAR", "YZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    session = play(show=False)
    run(session, 1.0)
    before = place(session, "Cube")[0]
    run(session, 0.5)
    return float(before - place(session, "Cube")[0]) / 0.5


@pytest.mark.parametrize(("soft", "back"), [(False, 0.0), (True, 1.0)])
def test_hard_ends_stop_and_soft_ones_throw_back(soft: bool, back: float) -> None:
    assert thrown_back(soft) == pytest.approx(back, abs=0.02)


@pytest.mark.parametrize("substeps", [4, 10])
@pytest.mark.parametrize("before", [0.0, 0.015, 0.03, 0.045])
@pytest.mark.parametrize("kind", ["cone", "rope"])
def test_hard_ends_of_cones_and_ropes_stop(kind: str, before: float, substeps: int) -> None:
    """Forces hold these; what meets them is slowed down before, wherever a step finds it."""
    gravity(0.0)
    is_rope, speed = kind == "rope", 3.0
    start = (0.0, 0.0, -0.5) if is_rope else (0.0, 0.0, -1.0)
    way = (0.0, 0.0, -speed) if is_rope else (speed, 0.0, 0.0)
    cube = body("Cube", start, linear_velocity=way)
    cube.omi_physics.motion.angular_velocity = (0.0, 0.0 if is_rope else -speed, 0.0)
    entry = joint("Joint", None, cube, (0.0, 0.0, 0.0))
    if is_rope:
        limit(entry, "LINEAR", "XYZ", None, 0.75 + before)
    else:
        limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
        limit(entry, "ANGULAR", "XY", None, 0.4 + before)
    session = play(show=False, engine="KHR", substeps=substeps)
    run(session, 0.3)
    there = np.array(place(session, "Cube"))
    run(session, 0.5)
    assert np.linalg.norm(place(session, "Cube") - there) < 0.01 * speed * 0.5
