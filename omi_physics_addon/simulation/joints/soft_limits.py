"""Limits of joints that springs hold, and hard ones that stand for what a solver lacks.

Source: OMI_physics_joint, KHR_physics_rigid_bodies, limits. Beyond its range a limit pushes with

    force = -stiffness * beyond - damping * velocity

A limit over several axes is one on each of them where engines take OMI's so (`per_axis`), else
one of a distance, a cone or the whole angle, as KHR's appendix says. Both are the same at zero,
and there one limit on each axis also dampens what goes around.

A missing or negative stiffness is infinite: such a limit pushes like a spring with critical
damping that is as stiff as steps allow, and never pulls back into what it limits. It does so from
two steps before its end on, which takes all of the speed.

A brake is such a limit that the solver holds as well. Bullet sees an end only when it has been
passed, and throws back what has come too far, with up to a fifth of its speed. A brake takes the
speed away before: it never pushes more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...geometry.arrays import Array, Flags
from ...model.joints import JointLimit
from .joint_rows import Measure, RowKinds

_WHOLE = 3  # Axes that make a distance in space, or a whole angle.


@dataclass(frozen=True, eq=False)
class Limits:
    """The numbers of k limits.

    Attributes:
        kinds: what they look at.
        low, high: (k,), m or rad, -inf and inf where there is no end.
        stiffness: (k,), inf for hard ones.
        damping: (k,).
        brakes: (k,), those that only take speed away.
    """

    kinds: RowKinds
    low: Array
    high: Array
    stiffness: Array
    damping: Array
    brakes: Flags

    def errors(self, values: Array) -> Array:
        """How far values (k,) lie beyond the range: above zero above it, below zero below it."""
        return values - np.clip(values, self.low, self.high)

    def ahead(self, values: Array, rates: Array) -> Array:
        """How far values (k,) are beyond the end that they move to: below it, they are before."""
        return values - np.where(rates > 0.0, self.high, self.low)


def limits_of(
    limits: Sequence[tuple[int, JointLimit]],
    brakes: Sequence[tuple[int, JointLimit]] = (),
    *,
    per_axis: bool,
) -> Limits:
    """The limits of joints given by their index.

    Args:
        brakes: hard ones that the solver holds.
        per_axis: whether a range over several axes holds on each of them.
    """
    rows: list[tuple[int, Measure, tuple[int, ...]]] = []
    records: list[JointLimit] = []
    count = 0
    for at, (joint, limit) in enumerate((*limits, *brakes)):
        for measure, axes in _measures(limit, per_axis):
            rows.append((joint, measure, axes))
            records.append(limit)
            count += at < len(limits)
    low, high = np.array([one.ends for one in records]).reshape(-1, 2).T
    stiffness = [np.inf if one.is_hard else one.stiffness or 0.0 for one in records]
    return Limits(
        RowKinds.of(rows),
        low=low,
        high=high,
        stiffness=np.array(stiffness),
        damping=np.array([one.damping for one in records]),
        brakes=np.arange(len(records)) >= count,
    )


def _measures(limit: JointLimit, per_axis: bool) -> list[tuple[Measure, tuple[int, ...]]]:
    """What a limit looks at; a limit may have linear and angular axes at once."""
    alone = per_axis or (limit.min == 0.0 and limit.max == 0.0)
    found: list[tuple[Measure, tuple[int, ...]]] = []
    for axes, is_linear in ((limit.linear_axes, True), (limit.angular_axes, False)):
        if alone or len(axes) == 1:
            single = Measure.OFFSET if is_linear else Measure.TWIST
            found += [(single, (axis,)) for axis in axes]
        elif axes and is_linear:
            found.append((Measure.DISTANCE, tuple(axes)))
        elif axes:
            whole = len(axes) == _WHOLE
            found.append((Measure.ANGLE if whole else Measure.CONE, tuple(axes)))
    return found
