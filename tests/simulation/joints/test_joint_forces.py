"""Drives and limits of joints against closed formulas, in steps of 1/60 s unless said otherwise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from omi_physics_addon.model.fields import AxisIndex
from omi_physics_addon.model.joints import JointDrive, JointLimit
from omi_physics_addon.simulation.joints.drives import drives_of
from omi_physics_addon.simulation.joints.effective_mass import Mobility
from omi_physics_addon.simulation.joints.joint_forces import JointForces
from omi_physics_addon.simulation.joints.joint_rows import (
    Linkage,
    Measure,
    RowKinds,
    locked_axes,
    measured,
    quaternions,
)
from omi_physics_addon.simulation.joints.oscillator import drift, modes
from omi_physics_addon.simulation.joints.soft_limits import limits_of
from omi_physics_addon.simulation.state import WORLD, State, Wrench
from omi_physics_addon.simulation.world import JointFrames
from tests.support import pace
from tests.support.rigid_bodies import STEP, about, frame, joint, resting, run, solids, step

X, Y, Z = AxisIndex(0), AxisIndex(1), AxisIndex(2)
FREE = (False,) * 6


def forces(
    joints: Sequence[JointFrames],
    drives: Sequence[tuple[int, JointDrive]] = (),
    limits: Sequence[tuple[int, JointLimit]] = (),
    *,
    per_axis: bool = True,
    locked: Sequence[Sequence[bool]] | None = None,
    substeps: int = 2,
) -> JointForces:
    linkage = Linkage(joints, [FREE] * len(joints) if locked is None else locked)
    return JointForces(
        linkage, drives_of(drives), limits_of(limits, per_axis=per_axis), substeps=substeps
    )


def each_to_world(count: int) -> list[JointFrames]:
    """A joint of the world's origin with each body, so that one run tries many."""
    return [joint(frame(WORLD), frame(at)) for at in range(count)]


def to_world(place: Sequence[float] = (0, 0, 0)) -> list[JointFrames]:
    """A joint of the world's origin with the first body."""
    return [joint(frame(WORLD), frame(0, place))]


def linear(axis: int = 0, at: int = 0, **numbers: Any) -> tuple[int, JointDrive]:
    return (at, JointDrive(type="linear", axis=AxisIndex(axis), **numbers))


def angular(axis: int = 0, **numbers: Any) -> tuple[int, JointDrive]:
    return (0, JointDrive(type="angular", axis=AxisIndex(axis), **numbers))


def frequency(path: np.ndarray, dt: float = STEP) -> float:
    """rad/s, from the times at which a path crosses zero."""
    at = np.flatnonzero(np.diff(np.sign(path)) != 0)
    times = (at + path[at] / (path[at] - path[at + 1])) * dt
    return math.pi * (len(times) - 1) / (times[-1] - times[0])


@pytest.mark.parametrize("substeps", [1, 2, 10])
def test_springs_have_their_frequency_and_keep_their_amplitude(substeps):
    stiffness = [4.0, 80.0, 2000.0]
    state, masses = resting(*[(1, 0, 0)] * 3), solids([2.0] * 3)
    drives = [linear(at=at, stiffness=k, position_target=0.0) for at, k in enumerate(stiffness)]
    made = forces(each_to_world(3), drives, substeps=substeps)
    paths = run(state, masses, [made.apply], 12.0, substeps=substeps)[:, :, 0]
    # Exact but for the ends of the parts between two steps, which are taken as straight.
    found = [frequency(path) for path in paths.T]
    assert found == pytest.approx(np.sqrt(stiffness) / math.sqrt(2.0), rel=1e-3)
    assert np.abs(paths[-200:]).max(axis=0) == pytest.approx(np.ones(3), rel=0.04)


def test_damped_springs_follow_their_formula():
    mass, stiffness, dampings = 2.0, 50.0, [0.5, 4.0, 40.0, 400.0]
    state, masses = resting(*[(1, 0, 0)] * 4), solids([mass] * 4)
    drives = [
        linear(at=at, stiffness=stiffness, damping=damping, position_target=0.0)
        for at, damping in enumerate(dampings)
    ]
    paths = run(state, masses, [forces(each_to_world(4), drives).apply], 3.0)[:, :, 0]
    times = STEP * np.arange(1, len(paths) + 1)
    for path, damping in zip(paths.T, dampings, strict=True):
        one, two = np.roots([mass, damping, stiffness]).astype(complex)
        exact = ((one * np.exp(two * times) - two * np.exp(one * times)) / (one - two)).real
        # A start that a real spring does not have at the middle of the first step: half a step
        # late.
        assert path == pytest.approx(exact, abs=0.03), damping


def test_stiff_springs_settle_and_carry_their_load():
    """From k/m = 50 to 5e8 1/s²; the load is the weight of 2 kg in 10 m/s²."""
    cases = list(itertools.product((1e2, 1e4, 1e6, 1e9), (0.0, 0.1, 1.0, 3.0)))
    state, masses = resting(*[(0, 0, 0)] * len(cases)), solids([2.0] * len(cases))
    drives = [
        linear(1, at, stiffness=k, damping=share * 2.0 * math.sqrt(2.0 * k), position_target=0.0)
        for at, (k, share) in enumerate(cases)
    ]
    paths = fallen((state, masses), forces(each_to_world(len(cases)), drives), 8.0)[:, :, 1]
    assert np.abs(paths).max() < 1.0
    for path, (stiffness, share) in zip(paths.T, cases, strict=True):
        # Without damping the softest one swings about there for good: six times.
        rest = path[-320:].mean()
        assert rest == pytest.approx(-20.0 / stiffness, rel=0.02), (stiffness, share)


@settings(max_examples=200, deadline=None)
@example(stiffness=math.inf, damping=1e-312, mass=1.0, step_=0.0625, substeps=1, excess=1.0)
@given(
    stiffness=st.floats(0.0, 1e12) | st.just(math.inf),
    damping=st.floats(0.0, 1e12),
    mass=st.floats(1e-3, 1e6),
    step_=st.floats(1e-4, 0.1),
    substeps=st.integers(1, 20),
    excess=st.floats(0.75, 100.0),
)
def test_no_spring_explodes(stiffness, damping, mass, step_, substeps, excess):
    """Even where what is moved has three quarters of the mass, or much more, nothing grows."""
    share = drift(substeps)
    mode = modes(np.array([stiffness]), np.array([damping]), np.array([1.0 / mass]), step_)
    offset, speed = mode.gains(share)
    a, b = offset[0] / excess, speed[0] / excess
    matrix = np.array(
        [
            [1.0 - share * step_**2 * a, step_ - share * step_**2 * b],
            [-step_ * a, 1.0 - step_ * b],
        ]
    )
    # Measured in steps, so that the numbers are of one size. An undamped spring with another mass
    # than told may grow by rounding or by this much, which contacts and limits take away.
    matrix *= np.array([[1.0, 1.0 / step_], [step_, 1.0]])
    assert np.abs(np.linalg.eigvals(matrix)).max() <= (1.0 + 1e-6 if excess >= 1.0 else 1.1)


def test_a_motor_needs_the_time_of_its_largest_force():
    """t = m·v / F, within two steps; then it holds its speed."""
    state, masses = resting((0, 0, 0)), solids([4.0])
    made = forces(to_world(), [linear(velocity_target=3.0, damping=1e5, max_force=6.0)])
    speeds = []
    for _ in range(180):
        wrench = step(state, masses, [made.apply])
        assert abs(wrench.force[0, 0]) <= 6.0
        speeds.append(state.velocity[0, 0])
    reached = STEP * (1 + int(np.argmax(np.array(speeds) > 2.99)))
    assert reached == pytest.approx(4.0 * 3.0 / 6.0, abs=2.0 * STEP)
    assert speeds[-1] == pytest.approx(3.0, abs=1e-6)


def test_a_motor_of_an_axle_turns_both_bodies_and_keeps_the_angular_momentum():
    state, masses = resting((0, 0, 0), (0, 0, 0)), solids([1, 1], [[1, 2, 3], [4, 5, 6]])
    made = forces(
        [joint(frame(0), frame(1))], [angular(2, velocity_target=5.0, damping=50.0, max_force=9.0)]
    )
    run(state, masses, [made.apply], 5.0)
    assert state.spin[1, 2] - state.spin[0, 2] == pytest.approx(5.0, abs=1e-6)
    assert 3.0 * state.spin[0, 2] + 6.0 * state.spin[1, 2] == pytest.approx(0.0, abs=1e-9)


def test_the_sign_is_that_of_the_connected_body_seen_from_the_joint():
    """A joint turned by a quarter about Y: its X points along the world's -Z."""
    turned = about((0, 1, 0), math.pi / 2)
    state, masses = resting((0, 0, 0), (0, 0, -2)), solids([1, 1])
    joints = [joint(frame(0, axes=turned), frame(1, axes=turned))]
    row = measured(
        RowKinds.of([(0, Measure.OFFSET, (0,))]),
        linkage := Linkage(joints, [FREE]),
        linkage.pose(state, masses),
    )
    assert row.value[0] == pytest.approx(2.0)
    wrench = Wrench.zero(2)
    made = forces(joints, [linear(0, position_target=5.0, stiffness=1.0)])
    made.apply(state, masses, 1e-4, wrench)
    assert wrench.force[1] == pytest.approx([0.0, 0.0, -3.0], abs=1e-3)
    assert wrench.force[0] == pytest.approx([0.0, 0.0, 3.0], abs=1e-3)


def test_unlimited_negative_and_absent_parts_of_drives():
    state, masses = resting((1, 0, 0)), solids([1.0])
    state.velocity[0, 0] = 2.0

    def force(**numbers: Any) -> float:
        wrench = Wrench.zero(1)
        forces(to_world(), [linear(**numbers)]).apply(state, masses, 1e-6, wrench)
        return float(wrench.force[0, 0])

    assert force(stiffness=10.0) == 0.0  # A spring without a target is none.
    assert force(stiffness=10.0, position_target=0.0) == pytest.approx(-10.0, rel=1e-4)
    assert force(damping=3.0) == pytest.approx(-6.0, rel=1e-4)  # Its target speed is zero.
    assert force(damping=3.0, velocity_target=5.0) == pytest.approx(9.0, rel=1e-4)
    both = {"stiffness": 10.0, "position_target": 4.0, "damping": 3.0, "velocity_target": 5.0}
    assert force(**both) == pytest.approx(30.0 + 9.0, rel=1e-4)
    assert force(**both, max_force=7.0) == 7.0
    assert force(**both, max_force=0.0) == 0.0
    assert force(**both, max_force=-1.0) == pytest.approx(39.0, rel=1e-4)


def test_drives_of_other_types_and_modes_do_nothing():
    strange = [JointDrive(type="magnetic"), JointDrive(mode="impulse")]
    assert len(drives_of([(0, one) for one in strange]).kinds) == 0


def test_gains_of_mode_acceleration_are_per_mass():
    state, masses = resting((1, 0, 0), (1, 0, 0)), solids([0.5, 20.0])
    numbers: dict[str, Any] = {"mode": "acceleration", "stiffness": 30.0, "position_target": 0.0}
    made = forces(each_to_world(2), [linear(at=at, **numbers) for at in range(2)])
    paths = run(state, masses, [made.apply], 10.0)[:, :, 0]
    found = [frequency(path) for path in paths.T]
    assert found == pytest.approx([math.sqrt(30.0)] * 2, rel=1e-3)


def test_mode_acceleration_of_a_door_takes_its_moment_about_the_hinge():
    """The solver holds the hinge; 2 m from it the door's centre of mass has I + m·r² = 1 + 12."""
    state, masses = resting((2, 0, 0)), solids([3.0])
    locked = [(True, True, True, True, False, True)]
    made = forces(
        to_world((-2, 0, 0)),
        [angular(1, mode="acceleration", stiffness=1.0, position_target=0.5)],
        locked=locked,
    )
    wrench = Wrench.zero(1)
    made.apply(state, masses, 1e-4, wrench)
    # About the hinge, with the force that keeps the door there.
    torque = wrench.torque[0] + np.cross([2.0, 0.0, 0.0], wrench.force[0])
    assert torque == pytest.approx([0.0, 0.5 * 13.0, 0.0], rel=1e-4, abs=1e-9)
    assert wrench.force[0] == pytest.approx([0.0, 0.0, -3.0 * 2.0 * 0.5], rel=1e-4, abs=1e-9)


def test_locked_axes_are_those_of_hard_limits_without_a_range():
    limits = (
        JointLimit(linear_axes=(X, Y, Z), min=0.0, max=0.0),
        JointLimit(angular_axes=(X,), min=0.0, max=0.0, stiffness=10.0),
        JointLimit(angular_axes=(Y,), min=-1.0, max=1.0),
        JointLimit(angular_axes=(Z,), min=0.5, max=0.5),
        JointLimit(angular_axes=(X,), max=0.0),
    )
    assert locked_axes(limits) == (True, True, True, False, False, True)


def test_an_angle_is_reached_the_shorter_way_round():
    state, masses = resting((0, 0, 0)), solids([1.0])
    state.rotation[0] = about((0, 1, 0), 3.0)
    made = forces(to_world(), [angular(1, position_target=-3.0, stiffness=20.0, damping=9.0)])
    run(state, masses, [made.apply], 4.0)
    assert state.rotation[0] == pytest.approx(about((0, 1, 0), -3.0), abs=1e-4)


def test_many_drives_on_a_body_do_not_explode_together():
    """Eight stiff drives along the same axis, and on a lever: each alone would fill a step."""
    state, masses = resting((0.3, 0.2, 0.1)), solids([1.0])
    joints = [joint(frame(WORLD, (0, 0.5, 0)), frame(0, (0, 0.5, 0))) for _ in range(8)]
    drives = [
        (at, JointDrive(type="linear", axis=axis, stiffness=1e9, damping=1e5, position_target=0.0))
        for at in range(8)
        for axis in (X, Y, Z)
    ]
    path = run(state, masses, [forces(joints, drives).apply], 2.0)
    assert np.abs(path).max() < 1.0
    pivot = state.position[0] + state.rotation[0] @ (0.0, 0.5, 0.0)
    assert pivot == pytest.approx([0.0, 0.5, 0.0], abs=0.01)


def test_a_chain_of_stiff_welds_of_springs_holds_together():
    count = 12
    state, masses = resting(*[(at, 0, 0) for at in range(count)]), solids([1.0] * count)
    state.velocity[-1] = (0.0, 2.0, 1.0)
    joints = [joint(frame(at, (0.5, 0, 0)), frame(at + 1, (-0.5, 0, 0))) for at in range(count - 1)]
    limits = [
        (at, limit)
        for at in range(count - 1)
        for limit in (
            JointLimit(linear_axes=(X, Y, Z), min=0.0, max=0.0, stiffness=1e7, damping=1e3),
            JointLimit(angular_axes=(X, Y, Z), min=0.0, max=0.0, stiffness=1e6, damping=1e3),
        )
    ]
    run(state, masses, [forces(joints, limits=limits).apply], 5.0)
    gaps = np.linalg.norm(np.diff(state.position, axis=0), axis=1)
    assert gaps == pytest.approx(np.ones(count - 1), abs=0.02)
    assert np.linalg.norm(state.velocity, axis=1).max() < 2.3


def test_soft_limits_give_way_as_their_springs_do():
    """Depth v·√(m/k), and it returns what it took: within 3 %."""
    stiffness = [20.0, 200.0]
    state, masses = resting((-1, 0, 0), (-1, 0, 0)), solids([2.0, 2.0])
    state.velocity[:, 0] = 3.0
    limits = [(at, JointLimit(linear_axes=(X,), max=0.0, stiffness=stiffness[at])) for at in (0, 1)]
    paths = run(state, masses, [forces(each_to_world(2), limits=limits).apply], 3.0)[:, :, 0]
    depths = [3.0 * math.sqrt(2.0 / each) for each in stiffness]
    assert paths.max(axis=0) == pytest.approx(depths, rel=0.03)
    assert state.velocity[:, 0] == pytest.approx([-3.0, -3.0], rel=0.03)


def test_a_soft_limit_acts_only_beyond_its_range():
    state, masses = resting((0.9, 0, 0)), solids([1.0])
    limit = JointLimit(linear_axes=(X,), min=-1.0, max=1.0, stiffness=50.0, damping=5.0)
    made = forces(to_world(), limits=[(0, limit)])
    for place, speed, expected in (
        (0.9, 1.0, 0.0),
        (-0.9, -1.0, 0.0),
        (1.1, 0.0, -5.0),
        (-1.1, 0.0, 5.0),
        (1.1, 2.0, -15.0),
    ):
        state.position[0, 0], state.velocity[0, 0] = place, speed
        wrench = Wrench.zero(1)
        made.apply(state, masses, 1e-6, wrench)
        assert wrench.force[0, 0] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("axes", [(X,), (X, Y), (X, Y, Z)])
def test_a_hard_distance_is_held(axes):
    """Hard ends are passed by no more than a fifth of what is moved in a step."""
    state, masses = resting((0, 0, 0)), solids([2.0])
    state.velocity[0, : len(axes)] = 4.0 / math.sqrt(len(axes))
    limit = JointLimit(linear_axes=axes, max=1.0)
    made = forces(to_world(), limits=[(0, limit)], per_axis=False)
    path = run(state, masses, [made.apply], 4.0)[:, 0]
    assert np.linalg.norm(path, axis=1).max() < 1.0 + 0.2 * 4.0 * STEP


def cone_angle(state: State) -> float:
    return math.acos(min(1.0, state.rotation[0, 1, 1]))


def test_a_hard_cone_is_held_against_a_load_for_long():
    """A pendulum about its pivot, tilted by a steady torque against a cone of 0.5 rad: 0.5°."""
    state, masses = resting((0, 0, 0)), solids([1.0], [[0.2, 0.1, 0.3]])
    limit = JointLimit(angular_axes=(X, Z), max=0.5)
    made = forces(to_world(), limits=[(0, limit)], per_axis=False)

    def load(_state: State, _masses: Any, _dt: float, wrench: Wrench) -> None:
        wrench.torque[0] += (0.3, 0.0, 0.2)

    highest = 0.0
    for at in range(600):
        step(state, masses, [load, made.apply])
        highest = max(highest, cone_angle(state))
        assert at < 120 or cone_angle(state) > 0.45
    assert highest < 0.5 + math.radians(0.5)


def test_a_cone_leaves_the_twist_free():
    state, masses = resting((0, 0, 0)), solids([1.0])
    state.spin[0, 1] = 2.0
    limit = JointLimit(angular_axes=(X, Z), max=0.5)
    run(state, masses, [forces(to_world(), limits=[(0, limit)], per_axis=False).apply], 5.0)
    assert state.spin[0] == pytest.approx([0.0, 2.0, 0.0])


def test_ranges_over_several_axes_mean_what_the_family_says():
    """At (0.9, 0.9, 0) OMI's ±1 on X and Y is kept, and KHR's distance of 1 is not."""
    limit = JointLimit(linear_axes=(X, Y), min=-1.0, max=1.0, stiffness=100.0)
    state, masses = resting((0.9, 0.9, 0)), solids([1.0])
    found = []
    for per_axis in (True, False):
        wrench = Wrench.zero(1)
        made = forces(to_world(), limits=[(0, limit)], per_axis=per_axis)
        made.apply(state, masses, 1e-5, wrench)
        found.append(wrench.force[0])
    assert found[0] == pytest.approx([0.0, 0.0, 0.0])
    beyond = 100.0 * (math.hypot(0.9, 0.9) - 1.0) / math.sqrt(2.0)
    assert found[1] == pytest.approx([-beyond, -beyond, 0.0], rel=1e-3)


def test_measures_of_a_limit():
    def measures(limit: JointLimit, per_axis: bool) -> list[tuple[int, list[float]]]:
        kinds = limits_of([(0, limit)], per_axis=per_axis).kinds
        return list(zip(kinds.measure.tolist(), kinds.axes.tolist(), strict=True))

    cone = JointLimit(angular_axes=(X, Z), max=0.5)
    assert measures(cone, False) == [(Measure.CONE, [1, 0, 1])]
    assert measures(cone, True) == [(Measure.TWIST, [1, 0, 0]), (Measure.TWIST, [0, 0, 1])]
    assert measures(JointLimit(angular_axes=(X, Y, Z), max=0.5), False)[0][0] == Measure.ANGLE
    assert measures(JointLimit(linear_axes=(Y, Z), max=0.5), False)[0][0] == Measure.DISTANCE
    both = JointLimit(linear_axes=(X,), angular_axes=(Y,), max=0.5)
    assert [one for one, _ in measures(both, False)] == [Measure.OFFSET, Measure.TWIST]
    weld = JointLimit(linear_axes=(X, Y), min=0.0, max=0.0)
    assert [one for one, _ in measures(weld, False)] == [Measure.OFFSET, Measure.OFFSET]


def random_state(seed: int, count: int, largest: float = 2.5) -> State:
    random = np.random.default_rng(seed)
    axes = [about(random.normal(size=3), random.uniform(0, largest)) for _ in range(count)]
    vectors = random.normal(size=(3, count, 3))
    return State(vectors[0], np.array(axes), vectors[1], vectors[2])


@pytest.mark.parametrize(
    ("measure", "axes"),
    [
        (Measure.OFFSET, (1,)),
        (Measure.DISTANCE, (0, 2)),
        (Measure.DISTANCE, (0, 1, 2)),
        (Measure.TWIST, (2,)),
        (Measure.CONE, (0, 1)),
        (Measure.ANGLE, (0, 1, 2)),
    ],
)
@pytest.mark.parametrize("seed", range(8))
def test_rates_are_derivatives_of_values_and_forces_do_their_work(measure, axes, seed):
    state = random_state(seed, 2, 0.9)
    masses = solids([1, 2], center=[[0.1, 0.2, 0.3], [-0.2, 0, 0.1]])
    joints = [joint(frame(0, (1, 2, 3), about((1, 2, 3), 1)), frame(1, (0, 1, 0)))]
    linkage, kinds = Linkage(joints, [FREE]), RowKinds.of([(0, measure, axes)])
    rows = measured(kinds, linkage, linkage.pose(state, masses))
    rate = rows.rates(state)[0]
    wrench = Wrench.zero(2)
    rows.act(state, np.ones(1), wrench)
    power = np.sum(wrench.force * state.velocity) + np.sum(wrench.torque * state.spin)
    assert power == pytest.approx(rate)
    assert wrench.force.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    around = wrench.torque + np.cross(state.position, wrench.force)
    assert around.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    values = []
    for side in (-1.0, 1.0):
        place = state.position + side * 1e-6 * state.velocity
        moved = State(place, state.rotation.copy(), state.velocity, state.spin)
        for at in range(2):
            spin = state.spin[at]
            turn = about(spin, side * 1e-6 * float(np.linalg.norm(spin)))
            moved.rotation[at] = turn @ state.rotation[at]
        values.append(measured(kinds, linkage, linkage.pose(moved, masses)).value[0])
    assert (values[1] - values[0]) / 2e-6 == pytest.approx(rate, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_what_rows_move_is_what_forces_do(seed):
    """Inverse mass and load against the accelerations of bodies, and a bound on all together."""
    state = random_state(seed, 4)
    masses = solids([1, 2, 3, 4], [[1, 2, 3]] * 4, dynamic=[True, True, True, False])
    pairs = [(0, 1), (1, 2), (2, 3), (0, WORLD), (0, 1)]
    joints = [joint(frame(a, (0.5, 0, 0)), frame(b, (0, 0.5, 0))) for a, b in pairs]
    linkage = Linkage(joints, [FREE] * len(joints))
    kinds = RowKinds.of(
        [(at, Measure.OFFSET, (axis,)) for at in range(5) for axis in range(3)]
        + [(at, Measure.TWIST, (axis,)) for at in range(5) for axis in range(3)]
    )
    rows = measured(kinds, linkage, linkage.pose(state, masses))
    mobility = Mobility(state, masses)
    response = mobility.response(rows)
    matrix = np.zeros((30, 30))
    inverse = state.inverse_inertia(masses)
    for at in range(30):
        wrench = Wrench.zero(4)
        rows.act(state, np.eye(30)[at], wrench)
        speed = wrench.force * masses.inverse_mass[:, None]
        spin = np.einsum("nij,nj->ni", inverse, wrench.torque)
        zero = np.zeros((4, 3))
        pushed = State(state.position, state.rotation, speed, spin)
        matrix[:, at] = rows.rates(pushed)
        load = response.accelerations(wrench.force, wrench.torque, zero)
        assert load == pytest.approx(matrix[:, at])
    assert response.inverse_mass == pytest.approx(np.diag(matrix))
    assert response.shared == pytest.approx(np.abs(matrix).sum(axis=1))
    assert np.linalg.eigvalsh(np.diag(response.shared) - matrix).min() > -1e-9
    falling = np.array([[0.0, -9.0, 0.0]] * 4)
    free = response.accelerations(np.zeros((4, 3)), np.zeros((4, 3)), falling)
    moving = State(
        state.position, state.rotation, falling * masses.is_dynamic[:, None], np.zeros((4, 3))
    )
    assert free == pytest.approx(rows.rates(moving))


def test_crowds_on_one_body_are_bounded_too():
    """Thirty springs on one plate: the estimate may be larger than the sum, never smaller."""
    state, masses = resting(*[(at, 0, 0) for at in range(31)]), solids([1.0] * 31)
    joints = [joint(frame(0, (0, at, 0)), frame(at + 1)) for at in range(30)]
    linkage = Linkage(joints, [FREE] * 30)
    kinds = RowKinds.of([(at, Measure.OFFSET, (2,)) for at in range(30)])
    rows = measured(kinds, linkage, linkage.pose(state, masses))
    response = Mobility(state, masses).response(rows)
    matrix = np.array([rows.rates(_pushed(rows, state, masses, at)) for at in range(30)])
    assert (response.shared >= np.abs(matrix).sum(axis=0) - 1e-9).all()


def _pushed(rows: Any, state: State, masses: Any, at: int) -> State:
    wrench = Wrench.zero(len(state))
    rows.act(state, np.eye(len(rows))[at], wrench)
    return State(state.position, state.rotation, wrench.force, wrench.torque)


def test_held_axes_carry_as_a_solver_does():
    """The acceleration of a hinge under its torque, from the full equations of a pendulum."""
    state, masses = random_state(3, 2), solids([2, 3], [[1, 2, 3], [3, 1, 2]])
    joints = [joint(frame(0, (1, 0, 0)), frame(1, (0, -1, 0.5)))]
    linkage = Linkage(joints, [(True, True, True, False, True, True)])
    pose = linkage.pose(state, masses)
    kinds = RowKinds.of(
        [(0, Measure.OFFSET, (axis,)) for axis in range(3)]
        + [(0, Measure.TWIST, (axis,)) for axis in range(3)]
    )
    rows = measured(kinds, linkage, pose)
    # Twists of a large swing have other gradients than the plain axes a solver holds.
    rows.torque[3:] = pose.axes[0].T
    mobility = Mobility(state, masses)
    matrix = np.array([rows.rates(_moved(rows, state, masses, at)) for at in range(6)])
    held = [0, 1, 2, 4, 5]
    part = np.linalg.solve(matrix[np.ix_(held, held)], matrix[held, 3])
    expected = matrix[3, 3] - matrix[3, held] @ part
    carried = mobility.carried(rows, linkage, pose)
    assert mobility.response(carried).inverse_mass[3] == pytest.approx(expected)
    assert mobility.response(carried).inverse_mass[held] == pytest.approx(np.zeros(5), abs=1e-9)


def _moved(rows: Any, state: State, masses: Any, at: int) -> State:
    wrench = Wrench.zero(len(state))
    rows.act(state, np.eye(len(rows))[at], wrench)
    spin = np.einsum("nij,nj->ni", state.inverse_inertia(masses), wrench.torque)
    speed = wrench.force * masses.inverse_mass[:, None]
    return State(state.position, state.rotation, speed, spin)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, 3.14, math.pi])
def test_quaternions_of_any_angle(angle):
    for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -2, 3)):
        unit = np.array(axis) / np.linalg.norm(axis)
        expected = np.append(unit * math.sin(angle / 2.0), math.cos(angle / 2.0))
        found = quaternions(about(axis, angle)[None])[0]
        assert min(np.abs(found - expected).max(), np.abs(found + expected).max()) < 1e-9


def test_joints_of_what_cannot_move_are_left_alone():
    state, masses = resting((1, 0, 0), (2, 0, 0)), solids([1, 1], dynamic=[False, False])
    joints = [joint(frame(0), frame(1)), joint(frame(WORLD), frame(0))]
    drives = [(at, JointDrive(stiffness=5.0, position_target=0.0)) for at in range(2)]
    wrench = Wrench.zero(2)
    forces(joints, drives).apply(state, masses, STEP, wrench)
    assert not wrench.force.any()
    forces([], []).apply(state, masses, STEP, wrench)


def test_a_thousand_joints_take_less_than_30_ms():
    count = 1000
    state, masses = resting(*[(at, 0, 0) for at in range(count)]), solids([1.0] * count)
    joints = [joint(frame(at, (0.5, 0, 0)), frame(at + 1, (-0.5, 0, 0))) for at in range(count - 1)]
    drives = [
        (at, JointDrive(type="angular", axis=Y, stiffness=5.0, position_target=0.1))
        for at in range(count - 1)
    ]
    locked = [(True, True, True, True, False, True)] * (count - 1)
    made = forces(joints, drives, locked=locked)
    wrench = Wrench.zero(count)
    pace.check_takes(lambda: made.apply(state, masses, STEP, wrench), 0.03)


def fallen(bodies: tuple[State, Any], made: JointForces, seconds: float = 24.0) -> np.ndarray:
    """The paths of the centres of bodies that fall as far as joints let them."""
    state, masses = bodies
    falling = np.tile([0.0, -10.0, 0.0], (len(state), 1))

    def make(*args: Any) -> None:
        made.apply(*args, falling=falling)

    return run(state, masses, [make], seconds, falling=falling)


def test_springs_side_by_side_carry_a_load_together():
    """Four at the corners of a plate press in by load / (4·k), within a fifth of a millimetre."""
    stiffness = [1e3, 1e5, 1e8]
    plates = resting(*[(0, 0, 0)] * 3), solids([2.0] * 3, [[0.5, 0.9, 0.6]] * 3)
    corners = [(plate, (x, 0, z)) for plate in range(3) for x in (-1, 1) for z in (-1, 1)]
    joints = [joint(frame(WORLD, place), frame(plate, place)) for plate, place in corners]
    drives = [
        linear(1, at, stiffness=k, damping=0.5 * math.sqrt(k), position_target=0.0)
        for at, k in enumerate(np.repeat(stiffness, 4).tolist())
    ]
    paths = fallen(plates, forces(joints, drives), 6.0)[:, :, 1]
    for path, each in zip(paths.T, stiffness, strict=True):
        expected = np.full(60, -20.0 / (4.0 * each))
        assert path[-60:] == pytest.approx(expected, rel=0.02, abs=2e-4), each


def test_soft_pins_carry_light_bodies_that_they_are_far_from():
    """They give way by load / stiffness, however far that is."""
    stiffness = [0.3, 2.0]
    rods = resting((0.3, 0, 0), (0.3, 0, 0)), solids([1.0, 1.0], [[0.02, 0.0005, 0.02]] * 2)
    limits: list[tuple[int, JointLimit]] = []
    for at, each in enumerate(stiffness):
        numbers: dict[str, Any] = {"stiffness": each, "damping": 2.0 * math.sqrt(each)}
        limits.append((at, JointLimit(linear_axes=(X, Y, Z), min=0.0, max=0.0, **numbers)))
    joints = [joint(frame(at, (-0.3, 0, 0)), frame(WORLD)) for at in range(2)]
    ends = fallen(rods, forces(joints, limits=limits))[-1]
    expected = [10.0 / each + 0.3 for each in stiffness]
    assert np.linalg.norm(ends, axis=1) == pytest.approx(expected, rel=0.02)


def test_axes_of_a_soft_slider_share_what_it_carries():
    """A range and the axes across it hold together, wherever the body turns; see `joint_modes`."""
    ball = resting((0, 0, 0)), solids([1.0], [[0.025] * 3])
    ball[0].velocity[0, 0] = 1.0
    limits = [
        JointLimit(linear_axes=(X,), min=-1.75, max=0.25, stiffness=1.0, damping=0.5),
        JointLimit(linear_axes=(Y, Z), min=0.0, max=0.0, stiffness=1.0, damping=1.0),
        JointLimit(angular_axes=(X, Y, Z), min=0.0, max=0.0, stiffness=1.0, damping=1.0),
    ]
    made = forces([joint(frame(0), frame(WORLD))], limits=[(0, limit) for limit in limits])
    path = fallen(ball, made)[:, 0]
    # Between the rest of a pin and that of one whose range is free.
    assert -11.8 < path[-1, 1] < -9.8
    assert path[:, 1].min() > -25.0
