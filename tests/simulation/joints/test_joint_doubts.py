"""Which joints of a preview are told as doubtful."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.model.joints import JointDrive, JointLimit
from omi_physics_addon.simulation.joints.joint_doubts import flipping, on_long_levers, too_stiff
from omi_physics_addon.simulation.joints.soft_limits import limits_of
from omi_physics_addon.simulation.state import WORLD
from omi_physics_addon.simulation.world import Frame, JointFrames
from tests.support.rigid_bodies import frame, resting, solids

SPRING = JointDrive(type="angular", mode="force", axis=0, stiffness=5.0, position_target=0.0)
DAMPER = JointDrive(type="angular", mode="force", axis=0, damping=5.0)
SOFT = JointLimit(angular_axes=(0,), min=-0.1, max=0.1, stiffness=5.0)


def angles(axes: tuple[int, ...], low: float | None, high: float | None) -> JointLimit:
    return JointLimit(angular_axes=axes, min=low, max=high)


@pytest.mark.parametrize(
    ("limits", "per_axis", "is_told"),
    [
        ((), True, True),
        ((angles((1, 2), 0.0, 0.0),), True, False),
        ((angles((1,), 0.0, 0.0),), True, True),
        ((angles((1,), 0.0, 0.0), angles((2,), -1.0, 2.0)), True, False),
        ((angles((1, 2), -1.0, 3.0),), True, True),
        ((angles((1, 2), None, 1.0),), True, True),
        ((angles((1, 2), None, 1.0),), False, False),
        ((angles((0, 1, 2), None, 1.0),), False, False),
        ((angles((1,), None, 1.0), angles((2,), -1.0, 1.0)), False, True),
    ],
)
def test_springs_about_axes_that_swing_to_the_other_side_are_told(
    limits: tuple[JointLimit, ...], per_axis: bool, is_told: bool
) -> None:
    frame = Frame(WORLD, np.zeros(3), np.eye(3))
    for more, drives, may in (
        ((), (SPRING,), is_told),
        ((SOFT,), (), is_told),
        ((), (DAMPER,), False),
        ((), (), False),
    ):
        joint = JointFrames(0, frame, frame, (*limits, *more), drives, enable_collision=False)
        assert bool(flipping([joint], per_axis=per_axis)) == may


def sliding(limit: JointLimit) -> JointFrames:
    """A joint between two bodies in one place."""
    return JointFrames(0, frame(0), frame(1), (limit,), (), False)


@pytest.mark.parametrize(
    ("stiffness", "mass", "needed"),
    [
        (100.0, 2.0, 0.1),
        (10000.0, 2.0, 0.007),  # 0.7 rad of a swing of 100 rad/s.
        (None, 2.0, 0.1),
        (None, 1e-6, 0.1),  # Hard limits are as stiff as steps allow, however light bodies are.
    ],
)
def test_springs_that_swing_faster_than_steps_are_told_with_the_step_they_need(
    stiffness: float | None, mass: float, needed: float
) -> None:
    limit = JointLimit(linear_axes=(0,), min=0.0, max=1.0, stiffness=stiffness)
    joints, state = [sliding(limit)], resting((0, 0, 0), (0, 0, 0))
    limits = limits_of([(0, limit)], per_axis=True)
    step = 0.1 if stiffness != 100.0 else 0.05
    found, wanted = too_stiff(joints, limits, state, solids([mass, mass]), step)
    assert wanted == pytest.approx(min(needed, step))
    assert found == ([0] if needed < step else [])


@pytest.mark.parametrize(
    ("end", "moment", "is_told"),
    [(5.0, 1.0, True), (3.0, 1.0, False), (0.5, 0.05, False), (0.9, 0.05, True)],
)
def test_ends_of_a_range_far_from_the_body_that_it_turns_with_are_told(
    end: float, moment: float, is_told: bool
) -> None:
    """The lever squared by the moment of inertia against 15 1/kg, for bodies of 1 kg."""
    limit = JointLimit(linear_axes=(0,), min=-end, max=0.1)
    masses = solids([1.0, 1.0], [[moment] * 3] * 2)
    limits = limits_of([(0, limit)], per_axis=True)
    found = on_long_levers([sliding(limit)], limits, resting((0, 0, 0), (0, 0, 0)), masses)
    assert found == ([0] if is_told else [])
