"""What comes through thin things while it plays is named, and nothing else is."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import recorder
from tests.blender.preview.test_fast_bodies import CASES, PHASES, shots, wall
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    body,
    collision_filter,
    floor,
    gravity,
    joint,
    limit,
    place,
    play,
    run,
)

pytestmark = pytest.mark.usefixtures("no_gravity")


def named(session: Any) -> set[tuple[str, str]]:
    return {(one.body, one.through) for one in recorder.passed_by(session)}


@pytest.mark.parametrize("share", [0.9, 1.3, 2.0, 5.0])
@pytest.mark.parametrize(("ground", "thick", "kind", "size", "speed"), CASES)
def test_who_comes_through_is_named_and_who_does_not_is_not(
    ground: str, thick: float, kind: str, size: float, speed: float, share: float
) -> None:
    wall(ground, thick)
    shots(kind, size, share * speed)
    session = play(show=False)
    run(session, 0.4)
    passed = {f"shot {i}" for i in range(PHASES) if place(session, f"shot {i}")[0] > 0.2}
    found = {name for name, through in named(session) if through == "wall"}
    assert found == passed


def ball(name: str, x: float, speed: float, size: float = 0.1, y: float = 0.0) -> Any:
    obj = body(name, (x, y, 0.0), "SPHERE", linear_velocity=(speed, 0.0, 0.0))
    obj.omi_physics.collider.shape.sphere.radius = size / 2.0
    return obj


def moving_wall(kind: str = "DYNAMIC") -> Any:
    obj = wall("BOX", 0.02)
    scenes.add_body(obj, kind).mass = 1e4
    return obj


def balls(x: float, speed: float) -> None:
    """Five, which are at other parts of their steps when they come to the wall."""
    for i in range(5):
        ball(f"Ball {i}", x + 0.05 * i, speed, y=float(i) - 2.0)


def beyond(session: Any, than: str) -> set[tuple[str, str]]:
    """The balls that are on the far side of the wall."""
    here = place(session, than)[0]
    far = {f"Ball {i}" for i in range(5) if place(session, f"Ball {i}")[0] > here}
    return {(name, than) for name in far}


def test_a_wall_that_moves_is_passed() -> None:
    moving_wall()
    balls(-3.05, 60.0)
    session = play(show=False)
    run(session, 0.2)
    assert 0 < len(beyond(session, "wall")) < 5
    assert named(session) == beyond(session, "wall")
    assert session.passed[0][0] == pytest.approx(3.0 / 60.0, abs=1.1 / 60.0)


def test_a_fast_wall_passes_balls_that_rest() -> None:
    bat = moving_wall("KINEMATIC")
    bat.location.x = 3.05
    bat.omi_physics.motion.linear_velocity = (-60.0, 0.0, 0.0)
    balls(0.0, 0.0)
    session = play(show=False)
    run(session, 0.2)
    assert 0 < len(beyond(session, "wall")) < 5
    assert named(session) == beyond(session, "wall")


def test_what_thrusters_accelerate_is_named() -> None:
    wall("BOX", 0.02)
    balls(-20.0, 0.0)
    for i in range(5):
        jet = scenes.add("jet", None, parent=bpy.data.objects[f"Ball {i}"])
        jet.rotation_euler = (0.0, 0.0, math.pi / 2.0)  # It pushes along +X.
        jet.omi_physics.use_thruster = True
        jet.omi_physics.thruster.max_force = 100.0
        jet.omi_physics.thruster.target_force_ratio = 1.0
    session = play(show=False)
    run(session, 0.75)
    assert 0 < len(beyond(session, "wall")) < 5
    assert named(session) == beyond(session, "wall")


def test_what_may_not_meet_is_not_named() -> None:
    ground = wall("BOX", 0.02)
    free, tied = ball("Free", -3.0, 60.0, y=1.0), ball("Tied", -3.0, 60.0, y=-1.0)
    collision_filter("ghosts", free, systems=("ghosts",), mode="NOT", others=("walls",))
    collision_filter("walls", ground, systems=("walls",))
    scenes.add_body(ground).mass = 1e4
    limit(joint("Tie", ground, tied, (0.0, 0.0, 0.0)), "LINEAR", "Y", 0.0, 0.0)
    session = play(show=False)
    run(session, 0.2)
    assert min(place(session, name)[0] for name in ("Free", "Tied")) > 1.0
    assert named(session) == set()


def test_nobody_is_named_where_balls_bounce_fast_in_a_room() -> None:
    gravity()
    floor()
    for at in (-2.5, 2.5):
        for axis in (0, 1):
            side = scenes.add("Side", scenes.cube_mesh())
            size = [6.0, 6.0, 90.0]
            size[axis] = 1.0
            scenes.add_collider(side).box.size = size
            side.location[axis] = at
    random = np.random.default_rng(4)
    for i in range(30):
        start = random.uniform(-1.6, 1.6, 3) + (0.0, 0.0, 2.2)
        obj = ball(f"Ball {i}", start[0], 0.0, 0.3)
        obj.location = start
        obj.omi_physics.motion.linear_velocity = random.normal(0.0, 12.0, 3)
    session = play(show=False)
    run(session, 2.0)
    for i in range(30):
        assert np.abs(place(session, f"Ball {i}")[:2]).max() < 2.01
    assert named(session) == set()


def test_a_trigger_that_is_passed_logs_entering_and_leaving() -> None:
    zone = scenes.add("Zone", None)
    zone.omi_physics.use_trigger = True
    zone.omi_physics.trigger.shape.box.size = (0.1, 5.0, 5.0)
    ball("Ball", -3.05, 40.0)
    session = play(show=False)
    run(session, 0.2)
    found = recorder.passages(session)
    assert [one.entered for one in found] == [True, False]
    # It touches from -0.1 to 0.1.
    assert [one.time for one in found] == pytest.approx([2.95 / 40.0, 3.15 / 40.0], abs=1e-4)
