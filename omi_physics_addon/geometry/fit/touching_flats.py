"""Where flat faces of two parts lie on each other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from ..arrays import Array
from .joint_surfaces import Flat, Surfaces

NEAR: Final = 0.02  # Of the smaller part, how far apart parts may be that touch.
_FACING: Final = math.cos(math.radians(1.0))


def contacts(part: Surfaces, other: Surfaces) -> Iterator[tuple[Array, tuple[Array, Array]]]:
    """The normals of flats of the part that lie on flats of the other, and the corners of both."""
    near = NEAR * float(part.size.max())
    for flat in part.flats:
        for against in other.flats:
            if float(flat.normal @ against.normal) > -_FACING:
                continue
            apart = float((against.points - flat.points[0]).mean(axis=0) @ flat.normal)
            if abs(apart) <= near and _cover(flat, against):
                yield flat.normal, (flat.points, against.points)


def _cover(one: Flat, other: Flat) -> bool:
    """Whether two flats face each other, as far as rectangles along the first one tell."""
    offsets = one.points - one.points.mean(axis=0)
    frame = np.linalg.eigh(offsets.T @ offsets)[1][:, 1:]  # The least one is the normal.
    low = np.maximum((one.points @ frame).min(axis=0), (other.points @ frame).min(axis=0))
    high = np.minimum((one.points @ frame).max(axis=0), (other.points @ frame).max(axis=0))
    size = np.ptp(one.points @ frame, axis=0)
    return bool((high - low > 1e-3 * size).all())
