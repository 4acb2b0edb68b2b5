"""Which joints of a preview are told as doubtful."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.model.joints import JointDrive, JointLimit
from omi_physics_addon.simulation.joints.joint_doubts import flipping
from omi_physics_addon.simulation.state import WORLD
from omi_physics_addon.simulation.world import Frame, JointFrames

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
