"""The lines that show how a body starts to move, and where its mass is.

All axes are alike here, so vectors, moments and lines are in those of the caller.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Array
from ..rotations import rotation_matrix
from . import curves
from .curves import TURN
from .wireframe import Lines, arrow_lines, box_lines

_NONE: Final = np.zeros((0, 3), dtype=np.float32)
_MAX_ANGLE_RAD: Final = 0.9 * TURN  # How far around the arrow of a fast rotation goes.


def velocity_lines(velocity: ArrayLike, size: float) -> Lines:
    """An arrow along a linear velocity (3,), in m/s; longer for faster, by `curves.readable`."""
    vector = np.asarray(velocity, dtype=np.float64)
    speed = float(np.linalg.norm(vector))
    if not 0.0 < speed < math.inf:
        return _NONE
    length = 2.0 * size * curves.readable(speed)
    return arrow_lines(
        (0.0, 0.0, 0.0), vector / speed * length, head=min(0.25, 0.2 * size / length)
    )


def spin_lines(velocity: ArrayLike, size: float) -> Lines:
    """The axis of an angular velocity (3,), in rad/s, and an arrow that turns about it.

    The arrow goes as far as the body turns in half a second, but not quite around.
    """
    vector = np.asarray(velocity, dtype=np.float64)
    speed = float(np.linalg.norm(vector))
    if not 0.0 < speed < math.inf:
        return _NONE
    axis = curves.line((0.0, 0.0, -size), (0.0, 0.0, size))
    turn = curves.curved_arrow(2, 0.0, min(speed / 2.0, _MAX_ANGLE_RAD), 0.7 * size, 0.2 * size)
    lines = curves.joined([axis, turn]).astype(np.float64)
    return (lines @ _frame_along(vector / speed)).astype(np.float32)


def center_lines(size: float) -> Lines:
    """A ball of three circles with a cross through it, for a centre of mass in the origin."""
    cross = [curves.line(curves.unit(axis, -size), curves.unit(axis, size)) for axis in range(3)]
    return curves.joined([curves.ball(size / 2.0), *cross])


def inertia_size(mass: float, diagonal: ArrayLike) -> Array | None:
    """The full size (3,) of the even box that has a mass and principal moments.

    Zero along an axis where the moments belong to no body; None where there is no box at all.
    Source: a box has the moments m (y² + z²) / 12 and so on, solved for the sizes.
    """
    moments = np.asarray(diagonal, dtype=np.float64)
    if not (0.0 < mass < math.inf and np.isfinite(moments).all()):
        return None
    squares = 6.0 / mass * (moments.sum() - 2.0 * moments)
    size = np.sqrt(np.maximum(squares, 0.0))
    return size if size.any() else None


def inertia_lines(mass: float, diagonal: ArrayLike, orientation: ArrayLike) -> Lines:
    """The even box that has a mass and principal moments, and its diagonals.

    Args:
        orientation: quaternion (x, y, z, w), from the principal axes to those of the lines.
    """
    size = inertia_size(mass, diagonal)
    if size is None or not np.any(orientation):
        return _NONE
    low, high = -size / 2.0, size / 2.0
    corners = [np.where([x, y, False], high, low) for x in (False, True) for y in (False, True)]
    diagonals = [curves.line(corner, -corner) for corner in corners]
    lines = curves.joined([box_lines(size), *diagonals]).astype(np.float64)
    return (lines @ rotation_matrix(orientation).T).astype(np.float32)


def _frame_along(direction: Array) -> Array:
    """Right-handed axes (3, 3) as rows, the last of them along a unit vector."""
    least: Array = np.eye(3)[int(np.argmin(np.abs(direction)))]
    across: Array = np.cross(least, direction)
    first = across / float(np.linalg.norm(across))
    second: Array = np.cross(direction, first)
    return np.stack([first, second, direction])
