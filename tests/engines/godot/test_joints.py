"""Which of Godot's joints stands for which settings."""

from __future__ import annotations

import pytest

from omi_physics_addon.engines.godot.joints import kind_of
from omi_physics_addon.model.fields import AxisIndex
from omi_physics_addon.model.joints import JointLimit, JointSettings

X, Y, Z = (AxisIndex(i) for i in range(3))
PINNED = JointLimit(linear_axes=(X, Y, Z), min=0.0, max=0.0)


def fixed(axis: AxisIndex, stiffness: float | None = None) -> JointLimit:
    return JointLimit(angular_axes=(axis,), min=0.0, max=0.0, stiffness=stiffness)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        (None, None, "HINGE"),
        (5.0, 5.0, "HINGE"),
        (5.0, 6.0, "GENERIC"),
        (None, 5.0, "GENERIC"),
        (5.0, None, "GENERIC"),
    ],
)
def test_a_hinge_is_as_stiff_about_both_axes_across(one, other, kind):
    settings = JointSettings(limits=(PINNED, fixed(X, one), fixed(Y, other)))
    assert kind_of(settings) == kind
