"""The box along the axes, ball, and capsule or cylinder along an axis around a set of points."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Array

Vector3 = tuple[float, float, float]
Kind = Literal["capsule", "cylinder"]
Axis = Literal[0, 1, 2]
AxisChoice = Literal[0, 1, 2, "auto"]


# How far, relative to the size of the cloud, a point may lie outside a ball that counts as final.
_TOLERANCE = 1e-13

# Less than any distance between two different supporting points in a cloud from -1 to 1.
_SHORTEST = 1e-30

# Two axes whose volumes differ by less than this, relative to the cloud, are equally good.
_TIE_DECIMALS = 10

# Rounds in which a ball may fail to grow before it counts as final.
_PATIENCE = 20


@dataclass(frozen=True)
class Straight:
    """A capsule or cylinder along one axis.

    Attributes:
        center: m, in the axes of the points.
        axis: 0, 1 or 2 for X, Y or Z of the points; turning the shape from Y is up to the caller.
        height: of a cylinder; of a capsule, the distance between the centres of its caps, m.
        radius: m.
    """

    kind: Kind
    center: Vector3
    axis: Axis
    height: float
    radius: float

    @property
    def volume(self) -> float:
        """The volume in m³."""
        caps = 4.0 / 3.0 * self.radius if self.kind == "capsule" else 0.0
        return math.pi * self.radius**2 * (self.height + caps)


def fit_straight(points: ArrayLike, kind: Kind, axis: AxisChoice = 1) -> Straight:
    """The smallest cylinder along an axis, or the shortest capsule as wide as that, around points.

    The radius is that of the smallest circle around the points seen along the axis; nothing along
    this axis is thinner, and nothing of this radius is shorter.

    Args:
        points: (n, 3), metres.
        axis: 0, 1 or 2 for X, Y or Z; "auto" takes the axis that gives the smallest volume and
            prefers the thinner shape, then Y, X, Z, among equals.

    Returns:
        A shape whose height is 0 where the points need none: one ball of its radius is enough.

    Raises:
        ValueError: there are no points, one is not finite, or there is no such axis.
    """
    cloud = checked(points)
    along = _capsule_along if kind == "capsule" else _cylinder_along
    if axis == "auto":
        scale = float(bounds(cloud)[1].max()) or 1.0
        order: tuple[Axis, ...] = (1, 0, 2)
        return min((along(cloud, each) for each in order), key=lambda found: _rank(found, scale))
    if axis not in (0, 1, 2):
        raise ValueError(f"axis must be 0, 1, 2 or 'auto', not {axis!r}")
    return along(cloud, axis)


def _rank(found: Straight, scale: float) -> tuple[float, float]:
    """Volume, then radius, without the noise of rounding; smaller is better."""
    # Divided before multiplied: the cube of a tiny or huge scale has no place in a float.
    radius, height = found.radius / scale, found.height / scale
    volume = replace(found, height=height, radius=radius).volume
    return round(volume, _TIE_DECIMALS), round(radius, _TIE_DECIMALS)


def _capsule_along(points: Array, axis: Axis) -> Straight:
    along = points[:, axis]
    across = np.delete(points, axis, axis=1)
    circle, radius = smallest_ball(across)
    distance = np.hypot(across[:, 0] - circle[0], across[:, 1] - circle[1])
    # How far a point may stand beyond the centre of a cap and still be inside it.
    slack = np.sqrt(np.maximum(radius - distance, 0.0)) * np.sqrt(radius + distance)
    top = float(np.max(along - slack))
    bottom = float(np.min(along + slack))
    center = np.insert(circle, axis, bottom / 2.0 + top / 2.0)
    return Straight("capsule", _vector(center), axis, max(top - bottom, 0.0), radius)


def _cylinder_along(points: Array, axis: Axis) -> Straight:
    middle, half = bounds(points)
    circle, radius = smallest_ball(np.delete(points, axis, axis=1))
    center = np.insert(circle, axis, middle[axis])
    return Straight("cylinder", _vector(center), axis, 2.0 * float(half[axis]), radius)


def checked(points: ArrayLike) -> Array:
    """Points (n, 3), at least one.

    Raises:
        ValueError: there are none, one is not finite, or they have another form.
    """
    array = np.asarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"points must have the shape (n, 3), not {array.shape}")
    if len(array) == 0:
        raise ValueError("there are no points to fit a shape around")
    if not np.isfinite(array).all():
        raise ValueError("the points contain numbers that are not finite")
    return array


def _vector(array: Array) -> Vector3:
    x, y, z = array.tolist()
    return x, y, z


def bounds(points: Array) -> tuple[Array, Array]:
    """Centre and half size of the box around (n, d) points."""
    low, high = points.min(axis=0), points.max(axis=0)
    # Halved before added, so that the largest numbers do not overflow.
    return low / 2.0 + high / 2.0, high / 2.0 - low / 2.0


def smallest_ball(points: Array) -> tuple[Array, float]:
    """Centre (d,) and radius of the smallest ball around (n, d) points, d being 2 or 3."""
    middle, half = bounds(points)
    scale = float(half.max())
    if scale == 0.0:
        return middle, 0.0
    center = middle + scale * _smallest_center((points - middle) / scale)
    # Measured from the rounded centre, so that no point is left outside.
    offsets = (points - center) / scale
    farthest = np.sqrt(_squared_distances(offsets, np.zeros_like(center)).max())
    return center, float(farthest) * scale


def _smallest_center(points: Array) -> Array:
    """Centre (d,) of the smallest ball around (n, d) points that fill -1 to 1.

    Keeps the smallest ball around a few supporting points, adds the point farthest outside, and
    drops the points no longer needed. The ball grows with each round, so no support comes twice;
    where it grows by less than rounding shows, it gets a few more rounds to settle.

    Source: basis exchange for LP-type problems (Sharir and Welzl 1992) with the farthest point as
    pivot (Gärtner 1999, "Fast and robust smallest enclosing balls").
    """
    center = np.zeros_like(points[0])
    support = points[[int(np.argmax(_squared_distances(points, center)))]]
    center = support[0]
    radius = 0.0
    best, best_reach = center, math.inf
    patience = _PATIENCE
    while patience:
        squared = _squared_distances(points, center)
        farthest = int(np.argmax(squared))
        reach = math.sqrt(float(squared[farthest]))
        if reach < best_reach:
            best, best_reach = center, reach
        if reach <= radius + _TOLERANCE:
            break
        support, center, grown = _grow(np.vstack([support, points[farthest]]))
        if grown <= radius:
            patience -= 1
        radius = max(radius, grown)
    return best


def _grow(points: Array) -> tuple[Array, Array, float]:
    """Support, centre and radius of the smallest ball around at most d + 2 points.

    The last point must be on its surface. Tries every choice of supporting points and keeps the
    centre from which the farthest point is nearest: a degenerate choice only loses.
    """
    best: tuple[Array, Array, float] = (points, points[0], math.inf)
    for choices in _supports(*points.shape):
        chosen = points[choices]
        centers = _circumcenters(chosen)
        delta = points[None, :, :] - centers[:, None, :]
        reach = np.sqrt(np.sum(delta * delta, axis=2).max(axis=1))
        least = int(np.argmin(reach))
        if reach[least] < best[2]:
            best = (chosen[least], centers[least], float(reach[least]))
    return best


@lru_cache(maxsize=16)
def _supports(count: int, dimension: int) -> tuple[NDArray[np.intp], ...]:
    """Index arrays (choices, size) of all supports that contain the last of `count` points."""
    last = count - 1
    sizes = range(1, min(last, dimension) + 1)
    return tuple(
        np.array([(last, *others) for others in combinations(range(last), size)], dtype=np.intp)
        for size in sizes
    )


def _circumcenters(simplices: Array) -> Array:
    """Centres (m, d) of the smallest spheres through the corners of m simplices (m, k, d)."""
    origin = simplices[:, 0]
    edges = simplices[:, 1:] - origin[:, None]
    lengths = np.sqrt(np.sum(edges * edges, axis=2, keepdims=True))
    # A unit direction for each edge keeps the digits where some corners are close together, and
    # the pseudo-inverse keeps the centre in the plane of the corners and bears flat simplices.
    directions: Array = edges / np.maximum(lengths, _SHORTEST)
    inverse = np.linalg.pinv(directions, rcond=1e-14)
    return origin + np.matmul(inverse, lengths / 2.0)[:, :, 0]


def _squared_distances(points: Array, center: Array) -> Array:
    delta = points - center
    # The product with ones is a sum over the last axis, five times as fast as `sum`.
    return (delta * delta) @ np.ones(len(center))
