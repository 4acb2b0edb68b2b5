"""How high bodies bounce off what stands still or moves by itself."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview.stage import stage
from omi_physics_addon.geometry.rotations import rotation_vectors
from omi_physics_addon.simulation.pushes import Push
from omi_physics_addon.simulation.state import WORLD
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    STEP,
    G,
    at,
    axes,
    body,
    floor,
    gravity,
    material,
    of,
    place,
    play,
    run,
)

# Between two frames a body may be higher than in both.
UNSEEN = 0.5 * G * (STEP / 2.0) ** 2


pytestmark = pytest.mark.usefixtures("standard_gravity")


def ground(kind: str) -> Any:
    """A floor through the origin."""
    if kind == "BOX":
        return floor()
    obj = scenes.add("Floor", scenes.cube_mesh(), location=(0.0, 0.0, -0.5 * (kind != "PLANE")))
    obj.scale = (20.0, 20.0, 1.0)
    scenes.add_collider(obj, kind)
    return obj


def heights(session: Any, seconds: float) -> Any:
    """How high the thing is above the floor, frame by frame."""
    found = []
    for _ in range(round(seconds / STEP)):
        session.step()
        found.append(place(session, "thing")[2] - 0.5)
    return np.array(found)


def tops(found: Any) -> Any:
    """The highest places between two hits."""
    inner = (found[1:-1] >= found[:-2]) & (found[1:-1] > found[2:])
    return found[1:-1][inner]


@pytest.mark.parametrize("height", [1.0, 3.0])
@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.8, 1.0])
@pytest.mark.parametrize(
    ("kind", "below"),
    [
        ("SPHERE", "BOX"),
        ("SPHERE", "PLANE"),
        ("SPHERE", "TRIMESH"),
        ("BOX", "BOX"),
        ("BOX", "PLANE"),
        ("CONVEX", "BOX"),
        ("CYLINDER", "BOX"),
    ],
)
def test_the_next_top_is_as_high_as_the_restitution_says(
    kind: str, below: str, restitution: float, height: float
) -> None:
    """At e² of the height, within 2 %, with the substeps that a preview begins with."""
    thing = body("thing", (0.3, 0.2, height + 0.5), kind)
    if kind == "CYLINDER":
        thing.omi_physics.collider.shape.cylinder.height = 1.0
    material("both", ground(below), thing, restitution=restitution)
    falls = math.sqrt(2.0 * height / G)
    found = heights(play(), falls * (1.0 + 2.0 * restitution) + 0.1)
    expected = height * restitution**2
    assert tops(found)[0] == pytest.approx(expected, rel=0.02, abs=UNSEEN)


@pytest.mark.parametrize("substeps", [1, 2, 10])
@pytest.mark.parametrize("restitution", [0.5, 0.9])
@pytest.mark.parametrize("kind", ["BOX", "SPHERE"])
def test_bounces_are_the_same_at_any_substeps(kind: str, restitution: float, substeps: int) -> None:
    thing = body("thing", (0.3, 0.2, 2.5), kind)
    material("both", floor(), thing, restitution=restitution)
    found = heights(play(substeps=substeps), 0.64 * (1.0 + 2.0 * restitution) + 0.1)
    assert tops(found)[0] == pytest.approx(2.0 * restitution**2, rel=0.02, abs=UNSEEN)


def test_a_ball_bounces_again_and_again_and_comes_to_rest() -> None:
    thing = body("thing", (0.0, 0.0, 2.5), "SPHERE")
    material("both", floor(), thing, restitution=0.8)
    session = play()
    found = heights(session, 6.5)
    first = [2.0 * 0.8 ** (2 * n) for n in range(1, 7)]
    assert tops(found)[:6] == pytest.approx(first, rel=0.03, abs=2.0 * UNSEEN)
    assert np.abs(heights(session, 0.5)).max() < 5e-3


@pytest.mark.parametrize("restitution", [0.4, 0.9])
@pytest.mark.parametrize("kind", ["BOX", "SPHERE"])
@pytest.mark.parametrize("speed", [2.0, 6.0])
def test_walls_throw_back(kind: str, speed: float, restitution: float) -> None:
    """At e times the speed, within 2 %."""
    gravity(0.0)
    wall = scenes.add("wall", scenes.cube_mesh(), location=(2.0, 0.0, 0.0))
    scenes.add_collider(wall).box.size = (1.0, 20.0, 20.0)
    thing = body("thing", (0.0, 0.0, 0.0), kind, linear_velocity=(speed, 0.0, 0.0))
    material("both", wall, thing, restitution=restitution)
    session = play()
    run(session, 1.0 / speed + 0.2)
    before = place(session, "thing")
    run(session, 0.5)
    gone = (place(session, "thing") - before) / 0.5
    assert gone == pytest.approx((-restitution * speed, 0.0, 0.0), rel=0.02, abs=0.02)


def test_a_slope_without_friction_turns_the_way() -> None:
    """The speed along it stays, the one across it is thrown back, each within 2 %."""
    slope = 0.5
    slant = floor(slope)
    thing = body("thing", (0.0, 0.0, 2.5 / math.cos(slope)), "SPHERE")
    thing.omi_physics.collider.shape.sphere.radius = 0.5
    material("both", slant, thing, restitution=0.7, dynamic_friction=0.0, static_friction=0.0)
    session = play()
    up = np.array([math.sin(slope), 0.0, math.cos(slope)])
    along = np.array([math.cos(slope), 0.0, -math.sin(slope)])
    # It touches where its middle is 0.5 m above the slope.
    falls = 2.0 / math.cos(slope)
    speed, time = math.sqrt(2.0 * G * falls), math.sqrt(2.0 * falls / G)
    run(session, time + 0.2)
    first, start = place(session, "thing"), session.time
    run(session, 0.2)
    middle = (place(session, "thing") - first) / 0.2
    now = middle + np.array([0.0, 0.0, G]) * (start + 0.1 - time)
    assert now @ along == pytest.approx(speed * math.sin(slope), rel=0.02)
    assert now @ up == pytest.approx(0.7 * speed * math.cos(slope), rel=0.04)


def test_a_rising_lift_throws_higher() -> None:
    """By the speed with which it meets the body: v' = u + e·(u + v), within 2 %."""
    gravity(0.0)
    lift = scenes.add("lift", scenes.cube_mesh(), location=(0.0, 0.0, -2.0))
    scenes.add_collider(lift).box.size = (9.0, 9.0, 1.0)
    scenes.add_body(lift, "KINEMATIC").linear_velocity = (0.0, 0.0, 1.0)
    thing = body("thing", (0.0, 0.0, 1.0), "SPHERE", linear_velocity=(0.0, 0.0, -3.0))
    material("both", lift, thing, restitution=0.5)
    session = play()
    run(session, 0.8)
    before = place(session, "thing")[2]
    run(session, 0.3)
    assert (place(session, "thing")[2] - before) / 0.3 == pytest.approx(3.0, rel=0.02)


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("kind", ["BOX", "SPHERE", "CAPSULE", "CYLINDER"])
def test_nothing_gains_energy(kind: str, friction: float) -> None:
    """But for the few frames in which a bounce is put right, even at e = 1; within 1 %."""
    random = np.random.default_rng(5)
    things = []
    for i in range(9):
        spot = (30.0 * (i % 3 - 1), 30.0 * (i // 3 - 1), 2.0 + 2.0 * random.random())
        thing = body(f"thing {i}", spot, kind, linear_velocity=tuple(random.normal(size=3)))
        thing.rotation_euler = tuple(random.normal(size=3))
        thing.omi_physics.motion.angular_velocity = tuple(3.0 * random.normal(size=3))
        things.append(thing)
    values = {"dynamic_friction": friction, "static_friction": friction}
    material("both", floor(), *things, restitution=1.0, **values)
    session = play(show=False)
    masses = session.forces.masses
    moved = np.flatnonzero(masses.is_dynamic)
    rows, last = [], None
    for _ in range(240):
        session.step()
        now = session.poses()
        if last is not None and session.time > 2.0 * STEP:
            velocity = (now.position - last.position)[moved] / STEP
            turns = now.rotation[moved] @ last.rotation[moved].transpose(0, 2, 1)
            spin = rotation_vectors(turns) / STEP
            middle = (now.position + last.position)[moved, 1] / 2.0
            turning = np.einsum("ni,nij,nj->n", spin, now.inertia(masses)[moved], spin)
            speeds = masses.mass[moved] * (velocity * velocity).sum(axis=1)
            rows.append((speeds + turning) / 2.0 + masses.mass[moved] * G * middle)
        last = now
    found = np.array(rows)
    lasting = np.array([found[i : i + 8].min(axis=0) for i in range(len(found) - 8)])
    assert (lasting <= 1.01 * found[0]).all(), float((lasting / found[0]).max())
    assert lasting.sum(axis=1).max() <= 1.01 * found[0].sum()


@pytest.mark.parametrize("turn", [0.0, 0.3, math.pi])
@pytest.mark.parametrize("turns", [False, True])
def test_a_push_that_turns_over_frames_acts_along_its_present_direction(
    turn: float, turns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes speed or spin in each frame by what its direction says, within 1 %."""
    gravity(0.0)
    thing = body("thing", (0.0, 0.0, 30.0), "SPHERE")
    material("both", floor(), thing, restitution=0.5)
    session = play(show=False)
    one, masses = at(session, "thing"), session.forces.masses
    sent: list[Any] = []

    def pushes(state: Any, *_: Any) -> list[Push]:
        angle = turn * len(sent)
        axis = np.array([math.cos(angle), 0.0, math.sin(angle)])
        sent.append(axis)
        return [Push(one, WORLD, axis, state.position[one], 6.0, turns)]

    monkeypatch.setattr(session.forces, "pushes", pushes)
    poses = [session.poses()]
    for _ in range(8):
        session.step()
        poses.append(session.poses())
    if turns:
        turned = np.array([pose.rotation[one] for pose in poses])
        speeds = rotation_vectors(turned[1:] @ turned[:-1].transpose(0, 2, 1)) / STEP
        ease = masses.inverse_inertia_local[one, 0, 0]
    else:
        speeds = np.diff([pose.position[one] for pose in poses], axis=0) / STEP
        ease = masses.inverse_mass[one]
    # Of each push, 5/8 are seen in its frame, with 4 substeps, and the rest in the next one.
    steps = np.array(sent) * (6.0 * STEP * ease)
    seen = 0.625 * steps[-5:] + 0.375 * steps[-6:-1]
    most = 0.01 * 6.0 * STEP * ease
    assert np.diff(speeds, axis=0)[-5:] == pytest.approx(seen, abs=most)


@pytest.mark.parametrize("turn", [0.0, 0.3])
def test_a_torque_on_a_body_that_spins_acts_about_its_own_axis(
    turn: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bullet takes the axis from the body, so that it turns with it; within 3 % in a frame."""
    gravity(0.0)
    thing = body("thing", (0.0, 0.0, 30.0), "SPHERE")
    material("both", floor(), thing, restitution=0.5)
    session = play(show=False)
    one = at(session, "thing")
    inertia = float(session.forces.masses.inertia_local[one, 0, 0])
    spins: list[Any] = []  # What each push adds; the first one about another axis.

    def pushes(state: Any, *_: Any) -> list[Push]:
        if len(spins) == 12:
            return []
        angle = turn * len(spins)
        axis = np.array([math.cos(angle), 0.0, math.sin(angle)] if spins else [0.0, 1.0, 0.0])
        spins.append(axis if spins else 4.0 * axis)
        size = float(np.linalg.norm(spins[-1])) * inertia / STEP
        return [Push(one, WORLD, axis, state.position[one], size, turns=True)]

    monkeypatch.setattr(session.forces, "pushes", pushes)
    run(session, 14.0 * STEP)
    before = session.poses().rotation[one]
    session.step()
    spin = rotation_vectors((session.poses().rotation[one] @ before.T)[None])[0] / STEP
    assert spin == pytest.approx(sum(spins), abs=0.3)


def test_bodies_that_bounce_can_stand_on_each_other() -> None:
    tower = [body(f"box {i}", (0.0, 0.0, 0.5 + i)) for i in range(5)]
    material("both", floor(), *tower, restitution=0.5)
    session = play()
    run(session, 3.0)
    for i in range(5):
        assert place(session, f"box {i}") == pytest.approx((0.0, 0.0, 0.5 + i), abs=0.01)
        assert np.abs(axes(session, f"box {i}") - np.eye(3)).max() < 0.01


def test_nothing_is_done_where_nothing_bounces() -> None:
    """So that towers and piles play as ever, and as fast."""
    ground_, thing = floor(), body("thing", (0.0, 0.0, 3.0))
    material("both", ground_, thing)
    session = play()
    assert not session.forces.is_watching
    assert "Throw" not in {of(obj) for obj in bpy.data.objects if obj.get(stage.TAG)}
