"""Copies of wheels: how they steer, roll and move on their springs while a preview plays."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.support import scenes
from tests.blender.support.preview_scenes import STEP, G, body, floor, gravity, play, run, shown

RADIUS, TRAVEL, STIFFNESS, MASS = 0.3, 0.3, 25000.0, 1000.0
NODE = 0.2  # Of the wheels below the middle of the car, m.
WHEELS = {f"{end} {side}": (x, y) for end, y in (("front", -1.3), ("back", 1.3))
          for side, x in (("left", 0.8), ("right", -0.8))}  # fmt: skip


@pytest.fixture(autouse=True)
def _begin() -> None:
    gravity()
    floor()


def car(height: float = RADIUS + NODE + TRAVEL, turn: float = 0.0) -> Any:
    """A car whose wheels have a mesh of their own, and hub caps below."""
    obj = body("car", (0.0, 0.0, height), mass=MASS)
    obj.rotation_euler = (0.0, 0.0, turn)
    obj.omi_physics.collider.shape.box.size = (1.6, 3.0, 0.5)
    obj.omi_physics.use_vehicle_body = True
    for name, (x, y) in WHEELS.items():
        wheel = scenes.add(name, scenes.cube_mesh(), location=(x, y, -NODE), parent=obj)
        wheel.omi_physics.use_wheel = True
        group = wheel.omi_physics.wheel
        group.radius, group.suspension_travel = RADIUS, TRAVEL
        group.suspension_stiffness = STIFFNESS
        if "front" in name:
            group.max_steering_angle = math.radians(30.0)
            group.steering_change_rate = -1.0
        else:
            group.max_propulsion_force = 1500.0
        scenes.add(f"cap {name}", scenes.cube_mesh(), location=(0.1, 0.0, 0.0), parent=wheel)
    return obj


def seen(session: Any, name: str) -> Matrix:
    """Where the copy of an object is, in the world."""
    return shown(session, name).matrix_world


def on_car(session: Any, name: str) -> Matrix:
    """Where the copy of an object is, as seen from the car; that is a frame further."""
    x, y, z = session.poses().position[0]
    turn = Matrix(session.poses().rotation[0].tolist())
    to = Matrix(((1, 0, 0), (0, 0, -1), (0, 1, 0)))
    placed = Matrix.Translation((x, -z, y)) @ (to @ turn @ to.transposed()).to_4x4()
    return placed.inverted() @ seen(session, name)


@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_wheels_hang_by_their_springs(turn: float) -> None:
    car(turn=turn)
    session = play()
    run(session, 3.0)
    hangs = TRAVEL - MASS * G / 4.0 / STIFFNESS
    for name, (x, y) in WHEELS.items():
        place = on_car(session, name).translation
        assert tuple(place) == pytest.approx((x, y, -NODE - hangs), abs=5e-3)
        assert seen(session, name).translation.z == pytest.approx(RADIUS, abs=2e-3)
        cap = on_car(session, f"cap {name}").translation
        assert tuple(cap - place) == pytest.approx((0.1, 0.0, 0.0), abs=2e-3)


def test_wheels_in_the_air_hang_as_low_as_they_can() -> None:
    car(30.0)
    session = play()
    run(session, 0.5)
    for name, (x, y) in WHEELS.items():
        place = on_car(session, name).translation
        assert tuple(place) == pytest.approx((x, y, -NODE - TRAVEL), abs=1e-4)


def test_wheels_steer() -> None:
    car()
    session = play()
    session.driver.key("A", is_down=True)
    run(session, 0.5)
    for name in WHEELS:
        front = on_car(session, name).to_3x3() @ Matrix.Identity(3).col[1] * -1.0
        turned = math.atan2(front.x, -front.y)  # To the left, which is +X.
        assert turned == pytest.approx(math.radians(30.0) if "front" in name else 0.0, abs=1e-3)


def test_wheels_roll_as_far_as_the_car_goes() -> None:
    car()
    session = play()
    run(session, 1.0)
    start = seen(session, "car").translation.y
    before = {name: on_car(session, name).to_3x3() for name in WHEELS}
    session.driver.key("W", is_down=True)
    turned, last = dict.fromkeys(WHEELS, 0.0), dict(before)
    for _ in range(60):
        session.step()
        for name in WHEELS:
            now = on_car(session, name).to_3x3()
            axis, angle = (now @ last[name].transposed()).to_quaternion().to_axis_angle()
            turned[name] += angle * math.copysign(1.0, axis.x)
            last[name] = now
    gone = start - seen(session, "car").translation.y
    assert gone > 0.8
    for name in WHEELS:
        # Ahead, the top of a wheel goes to the front: about +X from +Z to -Y.
        assert turned[name] * RADIUS == pytest.approx(gone, rel=0.05)


def test_wheels_are_seen_again_as_they_were() -> None:
    car()
    session = play()
    for key in "WA":
        session.driver.key(key, is_down=True)
    found: dict[int, Any] = {}
    for _ in range(60):
        session.step()
        found[session.frame] = [np.array(seen(session, name)) for name in WHEELS]
    for frame in (60, 30, 4, 61):
        session.scene.frame_set(frame)
        there = [np.array(seen(session, name)) for name in WHEELS]
        assert np.allclose(there, found[frame], atol=1e-6), frame
    session.step()
    assert session.error == ""


def test_what_is_a_body_of_its_own_does_not_follow_a_wheel() -> None:
    car()
    wheel = bpy.data.objects["front left"]
    sign = body("sign", (0.0, 0.0, 3.0), "")
    sign.parent = wheel
    sign.omi_physics.motion.gravity_factor = 0.0
    session = play()
    before = np.array(seen(session, "sign"))
    session.driver.key("A", is_down=True)
    run(session, 20 * STEP)
    assert np.array(seen(session, "sign")) == pytest.approx(before, abs=1e-4)
