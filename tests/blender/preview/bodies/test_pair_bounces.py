"""How bodies that forces move bounce off each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.blender.support import scenes
from tests.blender.support.preview_scenes import STEP, at, body, material, place, play, run

pytestmark = pytest.mark.usefixtures("no_gravity")


def thing(name: str, spot: Any, velocity: Any, mass: float = 1.0, kind: str = "SPHERE") -> Any:
    """A body without turning, 1 m across."""
    obj = body(name, spot, kind, linear_velocity=velocity)
    obj.omi_physics.motion.mass_mode = "VALUE"
    obj.omi_physics.motion.mass = mass
    if kind == "SPHERE":
        obj.omi_physics.collider.shape.sphere.radius = 0.5
    if kind == "CAPSULE":  # End on.
        sizes = obj.omi_physics.collider.shape.capsule
        sizes.radius_bottom = sizes.radius_top = 0.25
        sizes.height = 0.5
        obj.rotation_euler = (0.0, 0.5 * math.pi, 0.0)
        obj.omi_physics.motion.linear_velocity = (0.0, 0.0, velocity[0])
    return obj


def velocities(session: Any, names: Any, seconds: float = 0.2) -> Any:
    """The mean velocities of things, in Blender's axes."""
    before = np.array([place(session, name) for name in names])
    run(session, seconds)
    return (np.array([place(session, name) for name in names]) - before) / seconds


@pytest.mark.parametrize(("restitution", "speed"), [(0.3, 6.0), (0.6, 1.0), (1.0, 6.0)])
@pytest.mark.parametrize("mass", [1.0, 10.0])
@pytest.mark.parametrize("kind", ["SPHERE", "BOX", "CAPSULE"])
def test_head_on_pairs_part_as_fast_as_the_restitution_says(
    kind: str, mass: float, restitution: float, speed: float
) -> None:
    """Within 1 %; what they have together stays."""
    first = thing("a", (-1.1, 0.0, 0.0), (0.8 * speed, 0.0, 0.0), kind=kind)
    second = thing("b", (1.13, 0.0, 0.0), (-0.2 * speed, 0.0, 0.0), mass, kind)
    material("both", first, second, restitution=restitution)
    session = play(show=False)
    run(session, 1.23 / speed + 0.2)
    found = velocities(session, "ab")[:, 0]
    assert found[1] - found[0] == pytest.approx(restitution * speed, rel=0.01)
    whole = (0.8 - 0.2 * mass) * speed
    assert found[0] + mass * found[1] == pytest.approx(whole, abs=1e-3)


@pytest.mark.parametrize("substeps", [1, 2, 10])
def test_pairs_bounce_the_same_at_any_substeps(substeps: int) -> None:
    first = thing("a", (-1.1, 0.0, 0.0), (5.0, 0.0, 0.0))
    second = thing("b", (1.13, 0.0, 0.0), (-1.0, 0.0, 0.0), 3.0)
    material("both", first, second, restitution=1.0)
    session = play(show=False, substeps=substeps)
    run(session, 0.5)
    assert velocities(session, "ab")[:, 0] == pytest.approx([-4.0, 2.0], rel=0.01)


@pytest.mark.parametrize("aside", [0.2, 0.5, 0.8])
def test_oblique_hits_without_friction_keep_their_energy(aside: float) -> None:
    """And their momentum; within 1 %."""
    first = thing("a", (-1.5, aside, 0.0), (4.0, 0.0, 0.0))
    second = thing("b", (0.4, 0.0, 0.0), (-1.0, 0.0, 0.0), 2.0)
    values = {"dynamic_friction": 0.0, "static_friction": 0.0}
    material("both", first, second, restitution=1.0, **values)
    session = play(show=False)
    run(session, 0.6)
    one, two = velocities(session, "ab")
    assert one + 2.0 * two == pytest.approx([2.0, 0.0, 0.0], abs=2e-3)
    assert one @ one + 2.0 * (two @ two) == pytest.approx(18.0, rel=0.01)
    assert abs(one[1]) > 0.3


@pytest.mark.parametrize(
    ("mode", "expected"), [("AVERAGE", 0.6), ("MINIMUM", 0.4), ("MAXIMUM", 0.8), ("MULTIPLY", 0.32)]
)
@pytest.mark.parametrize("kind", ["SPHERE", "BOX", "CAPSULE"])
def test_restitutions_are_combined(kind: str, mode: str, expected: float) -> None:
    first = thing("a", (-1.0, 0.0, 0.0), (3.0, 0.0, 0.0), kind=kind)
    second = thing("b", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), kind=kind)
    material("one", first, restitution=0.4, restitution_combine=mode)
    material("other", second, restitution=0.8, restitution_combine=mode)
    session = play(show=False)
    run(session, 0.6)
    found = velocities(session, "ab")[:, 0]
    assert found[1] - found[0] == pytest.approx(3.0 * expected, rel=0.01)
    assert found[0] + found[1] == pytest.approx(3.0, abs=0.01)


def energies(session: Any, names: Any, seconds: float) -> Any:
    """Of bodies of 1 kg, frame by frame, without what is in their spin, J."""
    rows, last, found = [at(session, name) for name in names], None, list[float]()
    for _ in range(round(seconds / STEP)):
        session.step()
        now = session.poses().position[rows]
        if last is not None:
            found.append(0.5 * float(((now - last) ** 2).sum()) / STEP**2)
        last = now
    assert session.error == ""
    return np.array(found)


def lasting(found: Any, frames: int = 10) -> Any:
    """The energy that is there for some frames, as hits take frames."""
    least: list[float] = [found[i : i + frames].min() for i in range(len(found) - frames)]
    return np.array(least)


@pytest.mark.parametrize("restitution", [0.9, 1.0])
def test_a_break_gains_no_energy(restitution: float) -> None:
    """A ball into a triangle of ten that touch: many hits at once; 2 % at most."""
    balls = [thing("cue", (-3.0, 0.05, 0.0), (6.0, 0.0, 0.0))]
    for row in range(4):
        for i in range(row + 1):
            spot = (row * 0.867, i - row / 2.0, 0.0)
            balls.append(thing(f"ball {row}{i}", spot, (0.0, 0.0, 0.0)))
    material("both", *balls, restitution=restitution)
    session = play(show=False)
    found = energies(session, [ball.name for ball in balls], 1.5)
    assert lasting(found[3:]).max() <= 1.02 * 18.0
    assert found[-1] >= (restitution**2 - 0.05) * 18.0


@pytest.mark.parametrize("gap", [0.0, 0.001, 0.05])
def test_a_row_of_balls_gains_no_energy(gap: float) -> None:
    """Five as in a cradle keep energy and momentum within 1 %, but swap speeds only with gaps."""
    balls = [thing("a", (-2.0, 0.0, 0.0), (1.0, 0.0, 0.0))]
    balls += [thing(f"b{i}", (i * (1.0 + gap), 0.0, 0.0), (0.0, 0.0, 0.0)) for i in range(4)]
    values = {"dynamic_friction": 0.0, "static_friction": 0.0}
    material("both", *balls, restitution=1.0, **values)
    session = play(show=False)
    run(session, 1.8)
    found = velocities(session, [ball.name for ball in balls])[:, 0]
    assert found.sum() == pytest.approx(1.0, abs=0.01)
    assert found @ found == pytest.approx(1.0, abs=0.01)
    if gap > 0.01:
        assert found[-1] == pytest.approx(1.0, abs=0.01)


def walls() -> list[Any]:
    """Those of a closed box, 4 m across."""
    found: list[Any] = []
    for axis in range(3):
        for side in (1.0, -1.0):
            spot, size = [0.0] * 3, [6.0] * 3
            spot[axis], size[axis] = side * 2.5, 1.0
            name, place = f"wall {axis} {side}", (spot[0], spot[1], spot[2])
            wall = scenes.add(name, scenes.cube_mesh(), location=place)
            scenes.add_collider(wall).box.size = size
            found.append(wall)
    return found


def test_a_ball_that_hits_two_walls_in_two_frames_keeps_its_speed() -> None:
    """Within 1 %, whenever the second one comes."""
    sides = walls()
    names = [f"ball {i}" for i in range(8)]
    for i, name in enumerate(names):
        ball = thing(name, (0.4, 0.4 + 0.015 * i, 0.45 * i - 1.6), (2.0, 2.0, 0.0))
        ball.omi_physics.collider.shape.sphere.radius = 0.2
        sides.append(ball)
    values = {"dynamic_friction": 0.0, "static_friction": 0.0}
    material("both", *sides, restitution=1.0, **values)
    session = play(show=False)
    run(session, 1.2)
    found = velocities(session, names, 0.1)
    assert np.linalg.norm(found, axis=1) == pytest.approx(math.sqrt(8.0), rel=0.01)
    assert found[:, :2].max() < 0.0


@pytest.mark.parametrize(
    ("start", "speed", "restitution", "low"), [(3, 2.0, 1.0, 0.96), (4, 1.0, 0.9, 0.0)]
)
def test_balls_in_a_box_keep_their_energy(
    start: int, speed: float, restitution: float, low: float
) -> None:
    """24 balls for 10 s, with hits in corners and of several at once."""
    random, things = np.random.default_rng(start), walls()
    names = [f"ball {i}" for i in range(24)]
    for i, name in enumerate(names):
        spot = tuple(1.2 * np.array([i % 3 - 1, i // 3 % 3 - 1, i // 9 - 1]))
        ball = thing(name, spot, tuple(speed * random.normal(size=3)))
        ball.omi_physics.collider.shape.sphere.radius = 0.3
        things.append(ball)
    values = {"dynamic_friction": 0.0, "static_friction": 0.0}
    material("both", *things, restitution=restitution, **values)
    session = play(show=False)
    found = energies(session, names, 10.0 if low else 4.0)[2:]
    assert lasting(found, 6).max() <= 1.02 * found[0]
    assert found[-20:].max() >= low * found[0]


def test_a_tower_of_balls_that_bounce_stays_calm() -> None:
    """What hits slower than its weight does in a few steps comes to rest."""
    first = thing("a", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    second = thing("b", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    material("both", first, second, restitution=1.0)
    session = play(show=False)
    run(session, 1.0)
    assert np.abs(velocities(session, "ab")).max() < 1e-3
