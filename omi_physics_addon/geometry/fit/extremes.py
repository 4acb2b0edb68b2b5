"""The extreme points of a cloud, which are enough to fit shapes around all of it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..arrays import Array

_FEW_POINTS: Final = 256  # Points that need not be fewer.
_DIRECTIONS: Final = 120
_POINTS_AT_ONCE: Final = 65536  # Points looked at in one go, for the sake of memory.


def extreme_points(points: Array, directions: int = _DIRECTIONS) -> Array:
    """The points (k, 3) that lie farthest along some directions and against them.

    Args:
        points: (n, 3); a few are all kept.
        directions: how many, spread evenly over half a ball, besides the axes.
    """
    if len(points) <= _FEW_POINTS:
        return points
    rows = half_ball(directions)
    middle = points.mean(axis=0)
    highest, lowest = np.full(len(rows), -np.inf), np.full(len(rows), np.inf)
    top, bottom = np.zeros(len(rows), dtype=np.intp), np.zeros(len(rows), dtype=np.intp)
    every = np.arange(len(rows))
    for start in range(0, len(points), _POINTS_AT_ONCE):
        # Half the digits tell well enough which point is farthest, in half the time.
        part = (points[start : start + _POINTS_AT_ONCE] - middle).astype(np.float32).T
        heights = rows @ part
        for found, extreme, index, is_better in (
            (heights.argmax(axis=1), highest, top, np.greater),
            (heights.argmin(axis=1), lowest, bottom, np.less),
        ):
            values = heights[every, found]
            better = is_better(values, extreme)
            extreme[better] = values[better]
            index[better] = found[better] + start
    return points[np.unique(np.concatenate([top, bottom]))]


@lru_cache(maxsize=4)
def half_ball(count: int) -> NDArray[np.float32]:
    """Unit vectors (count + 3, 3) spread over half a ball, and the axes."""
    steps = np.arange(count) + 0.5
    height = 1.0 - steps / count
    turn = math.pi * (1.0 + math.sqrt(5.0)) * steps
    across = np.sqrt(1.0 - height * height)
    spiral = np.stack([np.cos(turn) * across, height, np.sin(turn) * across], axis=1)
    rows = np.concatenate([np.eye(3), spiral]).astype(np.float32)
    rows.flags.writeable = False
    return rows
