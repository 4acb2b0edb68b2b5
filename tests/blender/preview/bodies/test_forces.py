"""What forces do in the preview: gravity volumes, drives, soft limits, vehicles."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    STEP,
    G,
    at,
    axes,
    body,
    drive,
    fall,
    floor,
    gravity,
    joint,
    limit,
    place,
    play,
    run,
)

pytestmark = pytest.mark.usefixtures("no_gravity")


def volume(kind: str, radius: float, spot: Any = (0.0, 0.0, 0.0), **values: Any) -> Any:
    """A gravity volume in a ball."""
    obj = scenes.add(f"{kind} gravity", None, location=spot)
    group = obj.omi_physics
    group.use_trigger = group.use_gravity = True
    group.trigger.shape.type = "SPHERE"
    group.trigger.shape.sphere.radius = radius
    group.gravity.type = kind
    for key, value in values.items():
        setattr(group.gravity, key, value)
    return obj


def test_an_orbit_keeps_its_radius_for_ten_turns() -> None:
    radius, strength = 4.0, 10.0
    volume("POINT", 20.0, gravity=strength).omi_physics.gravity.point.unit_distance = radius
    speed = math.sqrt(strength * radius)
    body("moon", (radius, 0.0, 0.0), "SPHERE", linear_velocity=(0.0, speed, 0.0), mass=3.0)
    bpy.data.objects["moon"].omi_physics.collider.shape.sphere.radius = 0.1
    session = play()
    turns = 10 * 2.0 * math.pi * radius / speed
    radii = []
    for _ in range(round(turns / STEP)):
        session.step()
        radii.append(np.linalg.norm(place(session, "moon")))
    assert max(radii) < 1.005 * radius
    assert min(radii) > 0.995 * radius


def test_an_orbit_that_is_not_round_keeps_its_energy() -> None:
    """From twice as far as the unit, with half of a round orbit's energy of motion there."""
    unit, strength = 4.0, 10.0
    volume("POINT", 40.0, gravity=strength).omi_physics.gravity.point.unit_distance = unit
    speed = math.sqrt(0.5 * strength * unit**2 / 8.0)
    body("moon", (8.0, 0.0, 0.0), "SPHERE", linear_velocity=(0.0, speed, 0.0))
    bpy.data.objects["moon"].omi_physics.collider.shape.sphere.radius = 0.1
    session = play(show=False)
    semi_axis = 8.0 / 1.5
    turns = 9 * 2.0 * math.pi * math.sqrt(semi_axis**3 / (strength * unit**2))
    energies, before = [], None
    for _ in range(round(turns / STEP)):
        session.step()
        now = np.array(place(session, "moon"))
        if before is not None:
            height = strength * unit**2 / np.linalg.norm((now + before) / 2.0)
            energies.append(0.5 * np.linalg.norm((now - before) / STEP) ** 2 - height)
        before = now
    assert np.array(energies) == pytest.approx(-strength * unit**2 / (2.0 * semi_axis), rel=0.005)


def fell(session: Any, name: str, start: Any) -> Any:
    """The mean acceleration of a body since the start."""
    return (
        2.0 * (place(session, name) - np.array(start)) / (session.time * (session.time + STEP / 4))
    )


SPOTS = [(3.0, 0.5, 1.0), (-2.0, 2.0, -1.5), (0.5, -3.0, 2.0), (1.0, 1.0, -3.0)]


def expected_pull(kind: str, spot: Any) -> Any:
    """Ten times the direction to what attracts, in Blender's axes."""
    x, y, _ = spot
    flat = math.hypot(x, y)
    nearest = {
        "POINT": (0.0, 0.0, 0.0),
        "TORUS": (x / flat, y / flat, 0.0),
        "DISC": (x * min(1.0, 1.0 / flat), y * min(1.0, 1.0 / flat), 0.0),
        "LINE": (min(max(x, -1.0), 1.0), 0.0, 0.0),
        "SHAPED": tuple(0.5 * c / np.linalg.norm(spot) for c in spot),
    }
    if kind == "DIRECTIONAL":
        return np.array([0.0, 0.0, -10.0])
    away = np.array(nearest[kind]) - spot
    return 10.0 * away / np.linalg.norm(away)


@pytest.mark.parametrize("kind", ["DIRECTIONAL", "POINT", "DISC", "TORUS", "LINE", "SHAPED"])
def test_every_kind_of_gravity_pulls_where_it_should(kind: str) -> None:
    group = volume(kind, 20.0, gravity=10.0).omi_physics.gravity
    if kind == "LINE":
        for x in (-1.0, 1.0):
            group.line.points.add().location = (x, 0.0, 0.0)
    if kind == "SHAPED":
        group.shaped.shape.type = "SPHERE"
        group.shaped.shape.sphere.radius = 0.5
    for i, spot in enumerate(SPOTS):
        ball = body(f"ball {i}", spot, "SPHERE", mass=2.0)
        ball.omi_physics.collider.shape.sphere.radius = 0.05
    session = play()
    run(session, 0.1)
    for i, spot in enumerate(SPOTS):
        found = fell(session, f"ball {i}", spot)
        assert np.abs(found - expected_pull(kind, spot)).max() < 0.15


@pytest.mark.parametrize(
    ("inner", "expected"),
    [({}, -30.0), ({"replace": True}, -20.0), ({"stop": True}, -30.0)],
)
def test_priorities_and_replacing(inner: dict[str, Any], expected: float) -> None:
    gravity(10.0)
    low = volume("DIRECTIONAL", 5.0, gravity=10.0, priority=0)
    high = volume("DIRECTIONAL", 5.0, gravity=10.0, priority=100)
    low.omi_physics.gravity.replace = inner.get("replace", False)
    high.omi_physics.gravity.stop = inner.get("stop", False)
    if inner.get("stop"):
        expected = -10.0
    body("ball", kind="SPHERE")
    session = play()
    run(session, 0.1)
    assert fell(session, "ball", (0, 0, 0))[2] == pytest.approx(expected, abs=0.1)


def test_gravity_ends_where_its_trigger_ends() -> None:
    volume("DIRECTIONAL", 1.0, gravity=10.0)
    ball = body("ball", (0.0, 0.0, 0.9), "SPHERE")
    ball.omi_physics.collider.shape.sphere.radius = 0.1
    session = play()
    run(session, 1.0)
    first = place(session, "ball")[2]
    run(session, 0.5)
    second = place(session, "ball")[2]
    assert first < -1.2
    assert (first - second) / 0.5 == pytest.approx(math.sqrt(2 * 10.0 * 2.0), rel=0.05)
    assert [event.entered for _, event in session.events] == [False]


def sliding(name: str = "slide", **values: Any) -> Any:
    """A box that can move along X only; the settings of its joint."""
    body("box", (0.0, 0.0, 0.0), **values)
    entry = joint(name, None, bpy.data.objects["box"], (0.0, 0.0, 0.0))
    for other in "YZ":
        limit(entry, "LINEAR", other, 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    return entry


def follow(session: Any, frames: int) -> Any:
    """Where the box is along X, frame by frame."""
    found = []
    for _ in range(frames):
        session.step()
        found.append(place(session, "box")[0])
    return np.array(found)


def test_a_spring_has_its_frequency_and_damping() -> None:
    entry = sliding(mass=2.0)
    stiffness, damping = 80.0, 2.0
    drive(entry, "LINEAR", "X", position=1.0, stiffness=stiffness, damping=damping)
    session = play()
    found = follow(session, 240) - 1.0
    ups = [i for i in range(1, 239) if found[i] > found[i - 1] and found[i] >= found[i + 1]]
    period = STEP * (ups[-1] - ups[0]) / (len(ups) - 1)
    decay = damping / 2.0 / 2.0
    assert period == pytest.approx(2 * math.pi / math.sqrt(stiffness / 2.0 - decay**2), rel=0.02)
    ratio = found[ups[1]] / found[ups[0]]
    assert ratio == pytest.approx(math.exp(-decay * STEP * (ups[1] - ups[0])), rel=0.05)


def test_a_motor_reaches_its_speed_with_no_more_than_its_force() -> None:
    entry = sliding(mass=2.0)
    drive(entry, "LINEAR", "X", velocity=3.0, damping=1e4, max_force=4.0)
    session = play()
    found = follow(session, 180)
    # 2 m/s² for 1.5 s, then 3 m/s.
    assert found[59] == pytest.approx(1.0, abs=0.03)
    assert (found[-1] - found[-31]) / (30 * STEP) == pytest.approx(3.0, rel=0.01)


def test_an_angular_motor_turns_a_hinge() -> None:
    body("box")
    entry = joint("hinge", None, bpy.data.objects["box"], (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "YZ", 0.0, 0.0)
    drive(entry, "ANGULAR", "X", velocity=2.0, damping=100.0)
    session = play()
    run(session, 1.0)
    before = axes(session, "box")
    run(session, 0.5)
    turn = before.T @ axes(session, "box")
    assert math.atan2(turn[2, 1], turn[1, 1]) == pytest.approx(1.0, abs=0.02)


def test_a_soft_limit_pushes_back_like_its_spring() -> None:
    entry = sliding(mass=2.0, linear_velocity=(2.0, 0.0, 0.0))
    row = limit(entry, "LINEAR", "X", -0.5, 0.5)
    row.use_stiffness, row.stiffness = True, 200.0
    session = play()
    found = follow(session, 120)
    # The speed of 2 m/s at 0.5 m goes into a spring of 10 rad/s.
    assert found.max() == pytest.approx(0.5 + 2.0 / math.sqrt(200.0 / 2.0), abs=0.02)
    assert found.min() < 0.0


def test_a_cone_limit_holds() -> None:
    bpy.context.scene.omi_physics.export.family = "KHR"  # For which two axes are a cone.
    box = body("box", (0.0, 0.0, 0.0), angular_velocity=(0.0, 1.0, 1.0))
    entry = joint("shoulder", None, box, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "YZ", 0.0, 0.5)
    session = play()
    angles = []
    for _ in range(120):
        session.step()
        angles.append(math.acos(np.clip(axes(session, "box")[0, 0], -1.0, 1.0)))
    assert max(angles) == pytest.approx(0.5, abs=0.05)


def part(kind: str, name: str, parent: Any, spot: Any, turn: Any = (0.0, 0.0, 0.0)) -> Any:
    """A part of a vehicle; its settings."""
    obj = scenes.add(name, None, location=spot, parent=parent)
    obj.rotation_euler = turn
    setattr(obj.omi_physics, f"use_{kind}", True)
    return getattr(obj.omi_physics, kind)


def vehicle(spot: Any, mass: float, **values: Any) -> Any:
    """A body that is a vehicle."""
    obj = body("car", spot, mass=mass)
    obj.omi_physics.use_vehicle_body = True
    for key, value in values.items():
        setattr(obj.omi_physics.vehicle_body, key, value)
    return obj


def test_a_thruster_accelerates_by_its_force() -> None:
    ship = body("ship", mass=4.0)
    jet = part("thruster", "jet", ship, (0.0, 0.0, 0.0))
    jet.max_force, jet.target_force_ratio = 20.0, 0.5
    session = play()
    run(session, 1.0)
    expected = (0.0, -fall(1.0, 20.0 * 0.5 / 4.0), 0.0)
    assert place(session, "ship") == pytest.approx(expected, abs=2e-2)


# The wheel's centre hangs below its node by what its spring is not pressed.
RIDE = 0.3 + 0.2 + 0.3 - 1000.0 * G / 4.0 / 25000.0


def a_car(height: float, **wheels: Any) -> Any:
    """A car of 1000 kg on four wheels over a floor."""
    gravity()
    floor()
    car = vehicle((0.0, 0.0, height), 1000.0)
    car.omi_physics.collider.shape.box.size = (1.6, 3.0, 0.5)
    for i, (x, y) in enumerate(((0.8, 1.3), (-0.8, 1.3), (0.8, -1.3), (-0.8, -1.3))):
        wheel = part("wheel", f"wheel {i}", car, (x, y, -0.2))
        wheel.radius, wheel.suspension_travel = 0.3, 0.3
        wheel.suspension_stiffness = 25000.0
        for name, value in wheels.items():
            setattr(wheel, name, value)
    return car


def test_a_car_settles_on_its_suspension() -> None:
    a_car(1.0)
    session = play()
    run(session, 3.0)
    assert place(session, "car")[2] == pytest.approx(RIDE, abs=5e-3)
    assert np.abs(axes(session, "car") - np.eye(3)).max() < 0.01


def test_a_car_brakes_by_the_force_of_its_brakes() -> None:
    a_car(RIDE, braking_force=1000.0).omi_physics.motion.linear_velocity = (0.0, -8.0, 0.0)
    session = play()
    run(session, 3.0)
    assert -place(session, "car")[1] == pytest.approx(8.0**2 / 2.0 / (4000.0 / 1000.0), rel=0.02)


def steered_car(angle: float, speed: float) -> None:
    """`a_car` whose front wheels steer by an angle, rad, and that keeps a speed, m/s."""
    car = a_car(RIDE, steering_change_rate=-1.0, max_propulsion_force=1000.0)
    for name in ("wheel 2", "wheel 3"):  # In front, at -Y.
        bpy.data.objects[name].omi_physics.wheel.max_steering_angle = angle
    car.omi_physics.motion.linear_velocity = (0.0, -speed, 0.0)
    body = car.omi_physics.vehicle_body
    body.linear_dampeners, body.linear_activation = False, (0.0, -0.03, 0.0)
    body.angular_activation = (0.0, 0.0, 1.0)


def radius_driven(session: Any) -> float:
    """The radius of the arc that a car drives after two seconds, m."""
    run(session, 2.0)
    way, before = [place(session, "car")], axes(session, "car")
    for _ in range(20):
        run(session, 0.05)
        way.append(place(session, "car"))
    turn = before.T @ axes(session, "car")
    length = np.linalg.norm(np.diff(way, axis=0), axis=1).sum()
    return float(length / math.acos(np.clip((np.trace(turn) - 1.0) / 2.0, -1.0, 1.0)))


def circle(angle: float) -> float:
    """The radius of the circle of `a_car`, whose front wheels both steer by an angle, rad.

    A tire makes 20 times its load for each radian of slip, up to its load. The curvature and the
    speed aside with which the four of them neither push nor turn the car are come to step by step.
    """
    turn, aside = math.tan(angle) / 2.6, math.tan(angle) / 2.0
    for _ in range(10000):
        force = moment = 0.0
        for x, y, steered in ((x, y, angle * (y > 0)) for x in (0.8, -0.8) for y in (1.3, -1.3)):
            across, along = aside + turn * y, 1.0 - turn * x
            slip = math.atan2(across, along) - steered
            push = -min(max(20.0 * math.tan(slip), -1.0), 1.0) / 4.0
            force += push * math.cos(steered)
            moment += push * (y * math.cos(steered) + x * math.sin(steered))
        turn, aside = turn + 2e-3 * moment, aside + 2e-3 * force
    return math.hypot(1.0, aside) / turn


@pytest.mark.parametrize("angle", [0.2, 0.3, 0.5])
def test_circles_are_as_wide_as_tires_make_them(angle: float) -> None:
    steered_car(angle, 2.0)
    session = play()
    assert radius_driven(session) == pytest.approx(circle(angle), rel=0.01)


def test_a_vehicle_stays_below_its_top_speed() -> None:
    ship = vehicle((0.0, 0.0, 0.0), 10.0, max_speed=5.0, linear_activation=(0.0, -1.0, 0.0))
    part("thruster", "jet", ship, (0.0, 0.0, 0.0)).max_force = 100.0
    session = play()
    run(session, 2.0)
    start = place(session, "car")[1]
    run(session, 1.0)
    assert start - place(session, "car")[1] == pytest.approx(5.0, rel=0.03)
    assert at(session, "car") == 0


def motor(on: Any, to: Any, speed: float) -> None:
    """A hinge about Y with a motor, in the middle of the connected object."""
    spot = to.matrix_world.translation
    settings = joint("motor", on, to, spot)
    limit(settings, "LINEAR", "XYZ", 0.0, 0.0)
    limit(settings, "ANGULAR", "XZ", 0.0, 0.0)
    drive(settings, "ANGULAR", "Y", velocity=speed, damping=50.0)


def turning(session: Any, name: str) -> float:
    """How far a body turns about Y in half a second."""
    before = axes(session, name)
    run(session, 0.5)
    turn = before.T @ axes(session, name)
    return math.atan2(turn[0, 2], turn[2, 2])


def test_a_body_passes_through_the_level_that_it_is_connected_to() -> None:
    """Level geometry has no body of its own, but a joint on its collider knows whom it holds."""
    wall = scenes.add("wall", scenes.cube_mesh())
    scenes.add_collider(wall)
    rotor = body("rotor", (0.0, -0.4, 0.0))
    motor(wall, rotor, 2.0)
    session = play()
    run(session, 1.0)
    assert turning(session, "rotor") == pytest.approx(1.0, abs=0.02)


def test_a_body_passes_through_all_parts_of_what_it_is_connected_to() -> None:
    wall = body("wall", kind="")
    wall.omi_physics.motion.type = "STATIC"
    for name, height in (("far", 5.0), ("near", 0.0)):
        part = scenes.add(name, scenes.cube_mesh(), location=(0.0, 0.0, height), parent=wall)
        scenes.add_collider(part)
    rotor = body("rotor", (0.0, -0.4, 0.0))
    motor(wall, rotor, 2.0)
    session = play()
    run(session, 1.0)
    assert turning(session, "rotor") == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("axis", ["X", "Y"])
def test_what_a_turning_hub_lifts_falls_off_the_end_of_its_range(axis: str) -> None:
    """An arm hangs on a hub with 45° of play: lifted over the top, it falls to the other end."""
    gravity()
    turn, length = 1.57, 0.3
    way = np.array([axis == "X", axis == "Y", False], dtype=float)
    hub = body("hub", kind="", angular_velocity=tuple(turn * way))
    hub.omi_physics.motion.type = "KINEMATIC"
    arm = body("arm", (0.0, 0.0, -length), kind="")
    arm.omi_physics.motion.inertia_mode = "VALUE"
    arm.omi_physics.motion.inertia_diagonal = (0.01, 0.01, 0.01)
    settings = joint("play", arm, hub, (0.0, 0.0, 0.0))
    limit(settings, "LINEAR", "XYZ", 0.0, 0.0)
    limit(settings, "ANGULAR", "XYZ".replace(axis, ""), 0.0, 0.0)
    limit(settings, "ANGULAR", axis, -math.pi / 4.0, math.pi / 4.0)
    session = play()
    run(session, 2.4)
    assert place(session, "arm")[2] == pytest.approx(length, abs=0.02)
    run(session, 1.1)
    hub_at = 3.5 * turn
    expected = -length * math.cos(hub_at + math.pi / 4.0)
    assert place(session, "arm")[2] == pytest.approx(expected, abs=0.05)
