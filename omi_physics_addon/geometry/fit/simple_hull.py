"""Convex hulls with few corners that still contain all points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from .. import inertia
from ..arrays import Array, Indices, face_normals
from ..hull import convex_hull
from .extremes import extreme_points

_MAX_ROUNDS: Final = 12  # In which corners are moved outwards.
_DIRECTIONS: Final = 800  # In which points stand out.
_INSIDE_TOLERANCE: Final = 1e-6  # Of the size: the exactness of 32-bit numbers.
_SPIKE: Final = 4.0  # How far corners go for a margin, at most, in margins.
_SLIVER: Final = 1e-8  # Smaller triangles, as a part of the squared size, have no sure direction.
_PUSHES: Final = 50  # Rounds in which corners find their way.


@dataclass(frozen=True, eq=False)
class SimpleHull:
    """A convex mesh.

    Attributes:
        corners: (k, 3), m.
        triangles: (m, 3), counter-clockwise seen from outside.
        beyond: how far the farthest of the points lies outside, m; up to a millionth of the size
            where the hull holds them all.
    """

    corners: Array
    triangles: Indices
    beyond: float

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return inertia.measure_mesh(self.corners, self.triangles).mass


def simple_hull(
    points: ArrayLike, budget: int | None = None, hold_all: bool = True, margin: float = 0.0
) -> SimpleHull | None:
    """A hull of points with few corners; None where the points are flat.

    Args:
        points: (n, 3), metres.
        budget: the most corners, at least 4; None for all that the hull has.
        hold_all: moves corners outwards until no point is outside. Otherwise all corners are
            points, and some points are outside.
        margin: how far the surface is moved outwards, m; each side of the box around the hull,
            if it is negative.

    Raises:
        ValueError: a number is not finite, or the points have another form.
    """
    cloud = np.asarray(points, dtype=np.float64)
    hull = convex_hull(cloud, budget)
    if hull is None:
        return None
    corners, triangles = hull
    if budget is not None and hold_all:
        # Points that do not stand out change little, so that the last look at all is enough.
        corners, triangles = _holding(extreme_points(cloud, _DIRECTIONS), corners, triangles)
        corners, triangles = _scaled(cloud, corners, triangles)
    if margin > 0.0:
        corners, triangles = _moved_out(corners, triangles, margin)
    elif margin:
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2.0
        half = np.maximum(np.ptp(corners, axis=0) / 2.0, 1e-300)
        corners = middle + (corners - middle) * np.maximum(half + margin, 1e-3 * half) / half
    return SimpleHull(corners, triangles, float(_heights(cloud, corners, triangles)[0].max()))


def _holding(points: Array, corners: Array, triangles: Indices) -> tuple[Array, Indices]:
    """A hull with as many corners that holds all points.

    Corners of faces with points outside are moved out along those faces, as far as the points;
    what is left is gained by scaling the whole, which always ends it.
    """
    size = float(np.ptp(points, axis=0).max())
    best = _scaled(points, corners, triangles)
    for _ in range(_MAX_ROUNDS):
        heights, units = _heights(points, corners, triangles)
        if heights.max() <= _INSIDE_TOLERANCE * size:
            break
        pushes = np.zeros_like(corners)
        # The mean of what a corner's faces ask for, which is not more than each of them gets.
        for corner in range(3):
            np.add.at(pushes, triangles[:, corner], units * np.maximum(heights, 0.0)[:, None])
        counts = np.zeros(len(corners))
        np.add.at(counts, triangles.ravel(), np.repeat(heights > _INSIDE_TOLERANCE * size, 3))
        moved = convex_hull(corners + pushes / np.maximum(counts, 1.0)[:, None], len(corners))
        if moved is None:
            break
        corners, triangles = moved
        found = _scaled(points, corners, triangles)
        if _volume(found) < _volume(best):
            best = found
    return best


def _scaled(points: Array, corners: Array, triangles: Indices) -> tuple[Array, Indices]:
    """The hull, made larger around its center until it holds all points."""
    center = inertia.measure_mesh(corners, triangles).center
    heights, units = _heights(points, corners, triangles)
    inner = np.sum(units * (corners[triangles[:, 0]] - center), axis=1)
    factor = max(1.0, float(np.max(1.0 + heights / inner)))
    return center + (corners - center) * factor, triangles


def _moved_out(corners: Array, triangles: Indices, margin: float) -> tuple[Array, Indices]:
    """The hull with its faces moved outwards, each at least as far as the margin.

    A corner goes the shortest way that brings all of its faces so far, but no farther than
    `_SPIKE` margins, where it is sharp: there its faces are moved less.
    """
    units = face_normals(corners, triangles)
    areas = np.linalg.norm(units, axis=1)
    faces = np.flatnonzero(areas > _SLIVER * float(np.ptp(corners, axis=0).max()) ** 2)
    units = units[faces] / areas[faces, None]
    owners = triangles[faces].ravel()
    order = np.argsort(owners, kind="stable")
    counts = np.bincount(owners, minlength=len(corners))
    column = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    around = np.zeros((counts.max(), len(corners), 3))
    around[column, owners[order]] = units[np.repeat(np.arange(len(faces)), 3)[order]]
    ways, shares = np.zeros_like(corners), np.zeros(around.shape[:2])
    there = np.arange(len(around))[:, None] < counts
    for _ in range(_PUSHES):  # Hildreth's method, for all corners at once.
        for number, normals in enumerate(around):
            lack = np.where(there[number], 1.0 - np.sum(normals * ways, axis=1), 0.0)
            step = np.maximum(lack, -shares[number])
            shares[number] += step
            ways += step[:, None] * normals
    reach = np.where(there, np.sum(around * ways, axis=2), np.inf).min(axis=0)
    straight = corners - inertia.measure_mesh(corners, triangles).center
    ways = np.where(reach[:, None] > 0.0, ways, straight * (_SPIKE / margin))
    ways *= np.minimum(1.0, _SPIKE / np.maximum(np.linalg.norm(ways, axis=1), 1e-9))[:, None]
    moved = corners + margin * ways
    return convex_hull(moved) or (moved, triangles)


def _volume(hull: tuple[Array, Indices]) -> float:
    return inertia.measure_mesh(*hull).mass


def _heights(points: Array, corners: Array, triangles: Indices) -> tuple[Array, Array]:
    """How far the farthest of the points lies above each face (m,), and normals (m, 3)."""
    units = face_normals(corners, triangles)
    units /= np.linalg.norm(units, axis=1)[:, None]
    highest = np.full(len(units), -np.inf)
    for start in range(0, len(points), 16384):
        highest = np.maximum(highest, (units @ points[start : start + 16384].T).max(axis=1))
    return highest - np.sum(units * corners[triangles[:, 0]], axis=1), units
