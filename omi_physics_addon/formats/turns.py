"""Joints and angles as robots' formats say them: axes of any direction, roll, pitch and yaw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..geometry.arrays import Array
from ..geometry.rotations import least_rotation, rotation_vectors
from ..model.fields import AxisIndex
from ..model.joints import JointDrive, JointLimit, JointSettings

# By axis, the ends of a range; None for an open one.
Ranges = dict[int, tuple[float | None, float | None]]
AXES: Final = (AxisIndex(0), AxisIndex(1), AxisIndex(2))
DEGREES: Final = math.degrees(1.0)  # In a radian.
_X: Final = np.array([1.0, 0.0, 0.0])
_STRAIGHT: Final = 1e-9  # Cosine of a pitch at which roll and yaw turn about the same axis.
_NOISE: Final = 1e-12  # Below this, a number beside 1 is what rounding left of 0.


def of_angles(roll: float, pitch: float, yaw: float) -> Array:
    """The rotation (3, 3) of URDF's angles about fixed X, then Y, then Z, rad."""
    (a, b, c), (d, e, f) = np.cos([roll, pitch, yaw]), np.sin([roll, pitch, yaw])
    result = np.array(
        [
            [c * b, c * e * d - f * a, c * e * a + f * d],
            [f * b, f * e * d + c * a, f * e * a - c * d],
            [-e, b * d, b * a],
        ]
    )
    return np.where(np.abs(result) < _NOISE, 0.0, result)


def angles_of(rotation: Array) -> tuple[float, float, float]:
    """Roll, pitch and yaw, rad, of a rotation (3, 3); see `of_angles`."""
    across = math.hypot(rotation[0, 0], rotation[1, 0])
    pitch = math.atan2(-rotation[2, 0], across)
    if across < _STRAIGHT:
        return math.atan2(-rotation[1, 2], rotation[1, 1]), pitch, 0.0
    roll = math.atan2(rotation[2, 1], rotation[2, 2])
    return roll, pitch, math.atan2(rotation[1, 0], rotation[0, 0])


def towards(axis: Sequence[float] | Array) -> Array:
    """The least rotation (3, 3) that turns X to a direction of any length above zero."""
    target = np.asarray(axis, dtype=np.float64)
    target = target / np.abs(target).max()  # Else the squares of a short one are zero.
    target = target / np.linalg.norm(target)
    if target[0] < -1.0 + 1e-9:  # Opposite: half a turn about Z.
        return np.diag([-1.0, -1.0, 1.0])
    return least_rotation(_X, target)


def settings(slides: Ranges, turns: Ranges, drives: tuple[JointDrive, ...] = ()) -> JointSettings:
    """What a joint does that moves along and about some axes only.

    Args:
        slides, turns: by axis, the ends of the range; None for an open one.
    """
    limits: list[JointLimit] = []
    for name, ranges in (("linear_axes", slides), ("angular_axes", turns)):
        held = tuple(axis for axis in AXES if axis not in ranges)
        fixed: dict[str, Any] = {name: held}
        if held:
            limits.append(JointLimit(**fixed, min=0.0, max=0.0))
        for axis, (low, high) in ranges.items():
            own: dict[str, Any] = {name: (AxisIndex(axis),)}
            if (low, high) != (None, None):
                limits.append(JointLimit(**own, min=low, max=high))
    return JointSettings(limits=tuple(limits), drives=drives)


@dataclass
class Freedom:
    """What a joint leaves free.

    Attributes:
        slides, turns: by axis, the ends of the range; None for an open one.
        whole_turn: how far all turns together may go, rad; None for no such limit.
    """

    slides: Ranges
    turns: Ranges
    whole_turn: float | None = None


def open_ranges() -> Ranges:
    """Ranges without ends, of all axes."""
    return {int(axis): (None, None) for axis in AXES}


def freedom(settings: JointSettings) -> Freedom | None:
    """What a joint leaves free; None where a limit is soft, a distance or a cone."""
    found = Freedom(open_ranges(), open_ranges())
    for limit in settings.limits:
        if not limit.is_hard and (limit.min, limit.max) != (None, None):
            return None
        is_held = limit.min == 0.0 == limit.max
        axes, ranges = limit.linear_axes, found.slides
        if not axes:
            axes, ranges = limit.angular_axes, found.turns
        # All turns together, whichever way.
        is_whole = len(axes) == 3 and ranges is found.turns
        if is_whole and limit.max and limit.min in (None, 0.0, -limit.max):
            found.whole_turn = limit.max
        elif is_held:
            for axis in axes:
                ranges.pop(axis, None)
        elif len(axes) != 1:
            return None
        elif axes[0] in ranges:
            ranges[axes[0]] = (limit.min, limit.max)
    return found


def start_of(frame: Array, place: Array) -> Array:
    """Where a joint is at the start (6,): along and about the axes of its first frame."""
    return np.concatenate([place, rotation_vectors(frame[None])[0]])
