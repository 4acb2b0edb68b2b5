"""Arms and other bodies that hang together, against closed formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.model.fields import AxisIndex
from omi_physics_addon.model.joints import JointDrive
from omi_physics_addon.simulation.joints.drives import drives_of
from omi_physics_addon.simulation.joints.joint_forces import JointForces
from omi_physics_addon.simulation.joints.joint_rows import Linkage, Measure, RowKinds, measured
from omi_physics_addon.simulation.joints.mechanisms import MAX_BODIES, Mechanisms, mechanisms
from omi_physics_addon.simulation.joints.soft_limits import limits_of
from omi_physics_addon.simulation.state import WORLD, State, Wrench
from omi_physics_addon.simulation.world import JointFrames
from tests.support import pace
from tests.support.rigid_bodies import STEP, about, frame, joint, resting, solids

HINGE = (True, True, True, True, True, False)  # Turns about Z.
G = 9.81
MASS, INERTIA, FAR, LONG = (3.0, 2.0), (0.4, 0.2), (0.5, 0.4), 1.1  # Of two links; see `pendulum`.


def angle(number: int) -> tuple[int, Measure, tuple[int, ...]]:
    return (number, Measure.TWIST, (2,))


def chain(count: int, first: int = WORLD, start: int = 0) -> list[JointFrames]:
    """Hinges from one body of length 1 to the next, along X."""
    joints = [joint(frame(first), frame(start, (-0.5, 0, 0)))]
    joints += [
        joint(frame(start + at, (0.5, 0, 0)), frame(start + at + 1, (-0.5, 0, 0)))
        for at in range(count - 1)
    ]
    return joints


def straight(count: int) -> State:
    return resting(*[(at + 0.5, 0.0, 0.0) for at in range(count)])


def pendulum(one: float, two: float) -> tuple[State, Linkage, Any]:
    """Two links at angles, with the centres of mass FAR from their hinges LONG apart."""
    first, second = about((0, 0, 1), one), about((0, 0, 1), one + two)
    knee = first @ (LONG, 0.0, 0.0)
    state = resting(first @ (FAR[0], 0, 0), knee + second @ (FAR[1], 0, 0))
    state.rotation[:] = first, second
    joints = [
        joint(frame(WORLD), frame(0, (-FAR[0], 0, 0))),
        joint(frame(0, (LONG - FAR[0], 0, 0)), frame(1, (-FAR[1], 0, 0))),
    ]
    masses = solids(MASS, [[9.0, 9.0, each] for each in INERTIA])
    return state, Linkage(joints, [HINGE] * 2), masses


def inertia_of(two: float) -> np.ndarray:
    """The matrix of inertia of both joints. Source: any textbook on double pendulums."""
    (m, n), (i, j), (a, b) = MASS, INERTIA, FAR
    both = j + n * (b * b + LONG * b * math.cos(two))
    whole = i + m * a * a + j + n * (LONG**2 + b * b + 2.0 * LONG * b * math.cos(two))
    return np.array([[whole, both], [both, j + n * b * b]])


@pytest.mark.parametrize(("one", "two"), [(0.0, 0.0), (0.3, -1.2), (-2.0, 2.9)])
def test_an_arm_gives_way_by_its_inertia(one, two):
    state, linkage, masses = pendulum(one, two)
    kinds = RowKinds.of([angle(0), angle(1)])
    (found,) = mechanisms(linkage, kinds.joint, masses)
    rows = measured(kinds, linkage, linkage.pose(state, masses))
    falling = np.tile((0.0, -G, 0.0), (2, 1))
    pose = linkage.pose(state, masses)
    answer = found.respond(rows, pose, state, masses, Wrench.zero(2), falling)
    matrix, load = answer.response, answer.load
    inertia = inertia_of(two)
    assert matrix[0] == pytest.approx(np.linalg.inv(inertia), rel=1e-6)
    (m, n), (a, b) = MASS, FAR
    far = b * math.cos(one + two)
    weight = -G * np.array([(m * a + n * LONG) * math.cos(one) + n * far, n * far])
    assert load[0] == pytest.approx(np.linalg.solve(inertia, weight), rel=1e-6)


def test_what_acts_already_is_a_load():
    state, linkage, masses = pendulum(0.4, 0.7)
    kinds = RowKinds.of([angle(0), angle(1)])
    (found,) = mechanisms(linkage, kinds.joint, masses)
    pose = linkage.pose(state, masses)
    rows = measured(kinds, linkage, pose)
    wrench = Wrench.zero(2)
    rows.act(state, np.array([5.0, -2.0]), wrench)
    wrench.force += 100.0 * np.array([[0, 0, 1.0], [0, 0, -1.0]])  # What hinges hold.
    load = found.respond(rows, pose, state, masses, wrench, np.zeros((2, 3))).load
    assert load[0] == pytest.approx(np.linalg.solve(inertia_of(0.7), [5.0, -2.0]), rel=1e-6)


@pytest.mark.parametrize("rates", [(1.5, 0.0), (0.0, -2.0), (1.5, -2.5)])
def test_an_arm_that_moves_pulls_at_itself(rates):
    state, linkage, masses = pendulum(0.4, 0.9)
    state.spin[:, 2] = np.cumsum(rates)
    arms = state.position - (0.0, 0.0, 0.0)
    knee = LONG * about((0, 0, 1), 0.4)[:, 0]
    state.velocity[0] = np.cross(state.spin[0], arms[0])
    state.velocity[1] = np.cross(state.spin[0], knee) + np.cross(state.spin[1], arms[1] - knee)
    kinds = RowKinds.of([angle(0), angle(1)])
    (found,) = mechanisms(linkage, kinds.joint, masses)
    pose = linkage.pose(state, masses)
    rows = measured(kinds, linkage, pose)
    load = found.respond(rows, pose, state, masses, Wrench.zero(2), np.zeros((2, 3))).load
    (p, q), pull = rates, MASS[1] * LONG * FAR[1] * math.sin(0.9)
    torques = [pull * q * (2.0 * p + q), -pull * p * p]
    assert load[0] == pytest.approx(np.linalg.solve(inertia_of(0.9), torques), rel=1e-6)


def test_what_slides_out_on_what_turns_falls_behind():
    """A bead on a rod that nothing drives: its spin changes by -2·ω·v/r, as Coriolis found."""
    rod = (True, True, True, True, True, False)
    slot = (False, True, True, True, True, True)
    joints = [joint(frame(WORLD), frame(0)), joint(frame(0), frame(1))]
    linkage = Linkage(joints, [rod, slot])
    state, masses = resting((0, 0, 0), (2, 0, 0)), solids([1.0, 3.0], [[1e-6] * 3] * 2)
    state.spin[:, 2] = 5.0
    state.velocity[1] = (0.7, 2.0 * 5.0, 0.0)
    kinds = RowKinds.of([angle(0)])
    (found,) = mechanisms(linkage, kinds.joint, masses)
    pose = linkage.pose(state, masses)
    rows = measured(kinds, linkage, pose)
    load = found.respond(rows, pose, state, masses, Wrench.zero(2), np.zeros((2, 3))).load
    assert load[0, 0] == pytest.approx(-2.0 * 5.0 * 0.7 / 2.0, rel=1e-4)


def test_stiff_motors_carry_an_arm_at_once():
    """Each of the forces that servos of any strength need to hold against gravity."""
    state, linkage, masses = pendulum(0.2, 0.5)
    drives = [
        (at, JointDrive(type="angular", axis=AxisIndex(2), stiffness=1e9, damping=1e9,
                        position_target=target))
        for at, target in enumerate((0.2, 0.5))
    ]  # fmt: skip
    made = JointForces(linkage, drives_of(drives), limits_of([], per_axis=True))
    wrench = Wrench.zero(2)
    made.apply(state, masses, STEP, wrench, np.tile((0.0, -G, 0.0), (2, 1)))
    (m, n), (a, b) = MASS, FAR
    far = n * b * math.cos(0.7)
    needed = G * np.array([(m * a + n * LONG) * math.cos(0.2) + far, far])
    # Reactions at a hinge have no moment about it.
    knee = about((0, 0, 1), 0.2) @ (LONG, 0.0, 0.0)
    outer = wrench.torque[1] + np.cross(state.position[1] - knee, wrench.force[1])
    whole = wrench.torque.sum(axis=0) + np.cross(state.position, wrench.force).sum(axis=0)
    assert [whole[2], outer[2]] == pytest.approx(needed, rel=1e-4)


def shapes(found: Sequence[Mechanisms]) -> list[tuple[int, ...]]:
    return sorted((*each.bodies.shape, each.held.shape[1], each.rows.shape[1]) for each in found)


def test_mechanisms_of_one_size_are_together():
    joints = chain(3) + chain(3, start=3) + chain(2, start=6) + chain(1, start=8)
    linkage = Linkage(joints, [HINGE] * len(joints))
    masses = solids([1.0] * 9)
    every = np.arange(len(joints))
    found = mechanisms(linkage, every, masses)
    assert shapes(found) == [(1, 2, 10, 2), (2, 3, 15, 3)], "a single hinge needs nobody"
    assert shapes(mechanisms(linkage, np.array([0, 0, 3]), masses)) == [
        (1, 3, 15, 1),
        (1, 3, 15, 2),
    ]
    assert mechanisms(linkage, np.zeros(0, dtype=np.int64), masses) == []


def test_what_does_not_move_parts_mechanisms():
    joints = [*chain(2), joint(frame(1, (0.5, 0, 0)), frame(2, (-0.5, 0, 0))), *chain(2, 2, 3)]
    linkage = Linkage(joints, [HINGE] * 5)
    masses = solids([1.0] * 5, dynamic=[True, True, False, True, True])
    found = mechanisms(linkage, np.arange(5), masses)
    assert shapes(found) == [(1, 2, 10, 2), (1, 2, 15, 3)]


def test_a_row_between_two_mechanisms_joins_them():
    """A drive alone holds nothing, but moves both."""
    joints = [*chain(2), *chain(2, start=2), joint(frame(1), frame(3))]
    linkage = Linkage(joints, [*[HINGE] * 4, (False,) * 6])
    assert shapes(mechanisms(linkage, np.array([4]), solids([1.0] * 4))) == [(1, 4, 20, 1)]


def test_of_long_chains_the_near_bodies_count():
    joints = chain(MAX_BODIES + 50)
    linkage = Linkage(joints, [HINGE] * len(joints))
    masses = solids([1.0] * len(joints))
    (found,) = mechanisms(linkage, np.array([0]), masses)
    assert found.bodies[0].tolist() == list(range(MAX_BODIES))
    assert found.held.shape == (1, 5 * MAX_BODIES, 2)
    assert mechanisms(linkage, np.arange(len(joints)), masses) == [], "too many are driven"


def test_bodies_that_are_held_twice():
    """Two pins of a hinge, and a loop of bars that nothing can move."""
    pin = (True, True, True, False, False, False)
    joints = [
        joint(frame(WORLD, (0, 0, z)), frame(0, (-0.5, 0, z))) for z in (-0.5, 0.5) for _ in (0, 1)
    ]
    joints.append(joint(frame(WORLD), frame(0, (-0.5, 0, 0))))
    linkage = Linkage(joints, [*[pin] * 4, HINGE])
    state, masses = straight(1), solids([2.0])
    kinds = RowKinds.of([angle(4)])
    (found,) = mechanisms(linkage, kinds.joint, masses)
    pose = linkage.pose(state, masses)
    rows = measured(kinds, linkage, pose)
    matrix = found.respond(rows, pose, state, masses, Wrench.zero(1), np.zeros((1, 3))).response
    assert matrix[0, 0, 0] == pytest.approx(1.0 / (1.0 + 2.0 * 0.25), rel=1e-5)
    linkage = Linkage([*joints, joint(frame(WORLD), frame(0))], [*[pin] * 4, HINGE, pin])
    (found,) = mechanisms(linkage, kinds.joint, masses)
    pose = linkage.pose(state, masses)
    matrix = found.respond(rows, pose, state, masses, Wrench.zero(1), np.zeros((1, 3))).response
    assert 0.0 < matrix[0, 0, 0] < 1e-5


@pytest.mark.parametrize("seed", range(60))
def test_forces_within_bounds_are_those_of_rows_that_give_way(seed):
    """Where a force is at its bound, it would be beyond it; elsewhere all is in balance."""
    random = np.random.default_rng(seed)
    count = 5
    parts = random.normal(size=(3, count, count))
    response = parts @ parts.transpose(0, 2, 1) + 0.1 * np.eye(count)
    share = random.uniform(0.0, 0.999, (3, count))
    wanted, load = random.normal(size=(2, 3, count)) * 4.0
    most = random.uniform(0.2, 3.0, (3, count))
    some = Mechanisms(*[np.zeros((3, 0), dtype=np.int64)] * 5)
    force = some.settled(response, wanted, share, load, (-most, most))
    assert (np.abs(force) <= most + 1e-12).all()
    diagonal = np.einsum("gii->gi", response)
    others = np.einsum("gij,gj->gi", response, force) - diagonal * force
    rest = wanted - force - share / diagonal * (load + others)
    free = np.abs(force) < most - 1e-9
    assert rest[free] == pytest.approx(np.zeros(int(free.sum())), abs=1e-9)
    assert (rest[~free] * np.sign(force[~free]) > -1e-9).all()


def test_a_hundred_arms_take_less_than_20_ms():
    count, arms = 6, 100
    joints = [each for arm in range(arms) for each in chain(count, start=arm * count)]
    linkage = Linkage(joints, [HINGE] * len(joints))
    state = straight(count * arms)
    masses = solids([1.0] * count * arms)
    drives = [
        (at, JointDrive(type="angular", axis=AxisIndex(2), stiffness=500.0, damping=50.0,
                        position_target=0.1))
        for at in range(len(joints))
    ]  # fmt: skip
    made = JointForces(linkage, drives_of(drives), limits_of([], per_axis=True))
    down = np.tile((0.0, -G, 0.0), (len(state), 1))
    wrench = Wrench.zero(len(state))
    pace.check_takes(lambda: made.apply(state, masses, STEP, wrench, down), 0.02)
