"""Which limits of a joint Bullet's own constraint carries, and which forces must.

Bullet measures a joint from where its two bodies are when it is made, in one frame for both; what
is between the frames then is taken off the ranges.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...geometry.arrays import Array
from ...model.joints import JointLimit
from ..world import JointFrames

FREE: Final = (-np.inf, np.inf)
HELD: Final = (0.0, 0.0)
_FRAME_TOLERANCE: Final = 1e-5  # rad or m between frames that does not count.
_ROUNDING: Final = 1e-6  # Of how far from the origin something is, that its place may be off.
_MIN_RANGES: Final = 2

Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Native:
    """The part of a joint that a constraint with six ranges carries.

    Attributes:
        linear, angular: three ranges each, m and rad, along the axes of the joint's own frame.
        left: limits that forces must make.
        braked: hard ranges before whose ends forces must brake.
        shifted: whether the frames are turned against each other at the start in a way that
            ranges of angles cannot say.
        gains: whether what swings on it gains energy, as Bullet takes wrong levers.
    """

    linear: tuple[Range, Range, Range]
    angular: tuple[Range, Range, Range]
    left: tuple[JointLimit, ...]
    braked: tuple[JointLimit, ...]
    shifted: bool
    gains: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing is limited."""
        return all(each == FREE for each in (*self.linear, *self.angular))

    @property
    def slides_along(self) -> int | None:
        """The axis along which it slides, and about which it may turn, without any other room."""
        kind, axis = kind_of(self.linear, self.angular)
        return axis if kind in ("SLIDER", "PISTON") else None


def kind_of(linear: Sequence[Range], angular: Sequence[Range]) -> tuple[str, int]:
    """The simplest of Bullet's constraints that has some ranges, and the axis that it is along."""
    slides = [axis for axis in range(3) if linear[axis] != HELD]
    turns = [axis for axis in range(3) if angular[axis] != HELD]
    if not slides:
        if not turns:
            return "FIXED", 0
        if all(each == FREE for each in angular):
            return "POINT", 0
        if len(turns) == 1:
            return "HINGE", turns[0]
    elif len(slides) == 1 and turns in ([], slides):
        return ("PISTON" if turns else "SLIDER"), slides[0]
    return "GENERIC", 0


def split(
    joint: JointFrames, offset: Array, turn: Array, *, per_axis: bool, far: float = 0.0
) -> Native:
    """Share the limits of a joint between a constraint and forces.

    Frames that are apart by rounding alone are together: Bullet has simpler constraints for those,
    and its general one takes wrong levers where something slides.

    Args:
        offset: (3,), the place of the second frame in the first at the start, m.
        turn: (3, 3), the axes of the second frame in the first at the start.
        per_axis: whether a range over several axes holds on each of them.
        far: how far from the origin the frames are, m.
    """
    linear: list[Range] = [FREE] * 3
    angular: list[Range] = [FREE] * 3
    left: list[JointLimit] = []
    for limit in joint.limits:
        if not _is_native(limit, per_axis):
            left.append(limit)
            continue
        for ranges, axes in ((linear, limit.linear_axes), (angular, limit.angular_axes)):
            for axis in axes:
                ranges[axis] = both(ranges[axis], limit.ends)
    slack = _slack(joint.limits, linear, per_axis)
    gains = _gains(linear, angular)
    left += slack
    if slack:
        linear = [each if each[0] == each[1] else FREE for each in linear]
    braked = [limit for limit in joint.limits if _is_native(limit, per_axis)]
    braked = [limit for limit in braked if limit.min != limit.max and limit not in slack]
    angles = _apart(_angles(turn), _FRAME_TOLERANCE)
    offset = _apart(offset, _FRAME_TOLERANCE + _ROUNDING * far)
    shifted = int((angles != 0.0).sum()) > 1
    return Native(
        _shifted(linear, offset),
        _shifted(angular, angles),
        tuple(left),
        tuple(braked),
        shifted,
        gains,
    )


def _gains(linear: Sequence[Range], angular: Sequence[Range]) -> bool:
    """Whether there is room along one axis, none along another, and turns about the third."""
    room = [low < high and (low, high) != FREE for low, high in linear]
    held = [low == high for low, high in linear]
    turns = [low < high for low, high in angular]
    return any(
        room[i] and held[j] and turns[3 - i - j] for i, j in itertools.permutations(range(3), 2)
    )


def _is_native(limit: JointLimit, per_axis: bool) -> bool:
    """Whether a limit is a hard range on each of its axes."""
    if not limit.is_hard:
        return False
    locked = limit.min == 0.0 and limit.max == 0.0
    return locked or per_axis or len(limit.linear_axes) + len(limit.angular_axes) == 1


def _slack(limits: Sequence[JointLimit], ranges: list[Range], per_axis: bool) -> list[JointLimit]:
    """The limits that leave room along several axes at once, which forces hold as well.

    Bullet pushes at the place of the first frame, wherever in that room the second one is; a body
    that swings there would gain energy.
    """
    if sum(low < high and (low, high) != FREE for low, high in ranges) < _MIN_RANGES:
        return []
    return [
        replace(limit, angular_axes=())
        for limit in limits
        if limit.linear_axes and limit.min != limit.max and _is_native(limit, per_axis)
    ]


def both(first: Range, second: Range) -> Range:
    """What two ranges leave together; their first end where they leave nothing."""
    low, high = max(first[0], second[0]), min(first[1], second[1])
    return (low, high) if low <= high else (low, low)


def _shifted(ranges: list[Range], by: Array) -> tuple[Range, Range, Range]:
    x, y, z = ((low - d, high - d) for (low, high), d in zip(ranges, by.tolist(), strict=True))
    return x, y, z


def _apart(values: Array, tolerance: float) -> Array:
    """Values, without those that are rounding."""
    return np.where(np.abs(values) > tolerance, values, 0.0)


def _angles(turn: Array) -> Array:
    """The rotation vector (3,) of a rotation (3, 3)."""
    cosine = np.clip((np.trace(turn) - 1.0) / 2.0, -1.0, 1.0)
    angle = float(np.arccos(cosine))
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    length = float(np.linalg.norm(axis))
    if length < 1e-12:
        if cosine > 0.0:
            return np.zeros(3)
        which = int(np.argmax(np.diag(turn)))
        return np.eye(3)[which] * np.pi
    return axis / length * angle


def order(native: Native) -> int:
    """How often the axes X, Y, Z are to be turned in a circle for Bullet.

    What slides does so along Bullet's X, else Bullet's Y is tame.

    Returns:
        The shift: Bullet's axis i is the joint's axis (i + shift) % 3.
    """
    if native.slides_along is not None:
        return native.slides_along
    widths = [high - low for low, high in native.angular]
    tamest = int(np.argmin(widths))
    return (tamest - 1) % 3
