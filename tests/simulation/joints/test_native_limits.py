"""What Bullet's own constraints carry of a joint."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.rotations import rotations_of_vectors
from omi_physics_addon.model.joints import JointLimit
from omi_physics_addon.simulation.joints.native_limits import split
from omi_physics_addon.simulation.state import WORLD
from omi_physics_addon.simulation.world import Frame, JointFrames

SLIDER = (
    JointLimit(linear_axes=(1, 2), angular_axes=(), min=0.0, max=0.0),
    JointLimit(linear_axes=(), angular_axes=(0, 1, 2), min=0.0, max=0.0),
)


@pytest.mark.parametrize(
    ("apart", "far", "slides"),
    [(0.0, 0.0, 0), (4e-9, 0.0, 0), (5e-5, 0.0, None), (5e-5, 500.0, 0), (0.01, 500.0, None)],
)
def test_rounding_leaves_a_slider_a_slider(apart: float, far: float, slides: int | None) -> None:
    """Places that are 500 m away are known to 0.03 mm."""
    frame = Frame(WORLD, np.zeros(3), np.eye(3))
    joint = JointFrames(0, frame, frame, SLIDER, (), enable_collision=False)
    turn = rotations_of_vectors(np.array([[4e-7, -3e-7, 0.0]]))[0]
    plan = split(joint, np.array([0.3, apart, -apart]), turn, per_axis=True, far=far)
    assert plan.slides_along == slides
    assert not plan.shifted
    if slides is None:
        assert plan.linear[1] == (-apart, -apart)
