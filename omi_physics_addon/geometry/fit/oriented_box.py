"""The smallest box around points in any orientation."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ...model.shapes import Box
from ..arrays import Array, Indices, face_normals
from ..hull import convex_hull
from ..rotations import crossed, rotations_of_vectors
from . import aligned_fits
from .extremes import extreme_points
from .minimum_search import minimize
from .placed_shape import Placed

_MAX_ROUNDS: Final = 6  # In which points that stand out of the box are added.
_REFINED_BOXES: Final = 5  # Of the best boxes with a face on the hull.
_SEARCH_ANGLE_RAD: Final = 0.25  # How far boxes are turned to find better ones, rad.
_VOLUME_TOLERANCE: Final = 1e-6  # Relative difference of volumes that counts as none.
_SAME_AXES_COSINE: Final = 0.995  # Cosine between axes of boxes that are the same to begin with.
_MAX_FACES: Final = 250  # Faces of a hull that a box is laid on, the largest first.
_MAX_FACES_QUICK: Final = 30  # The same where any small box will do.
# Product of heights of normals, up to which an edge is on the outline.
_OUTLINE_TOLERANCE: Final = 1e-9
_OUTLINE_WEIGHT: Final = 1e-9  # How much a shorter outline counts among flat boxes of equal area.


def fit_oriented_box(points: ArrayLike) -> Placed:
    """A box around points that no small turn makes smaller.

    The box is never larger than the one along the axes, nor than any with a face on the hull of
    the points that stand out most; and it is the smallest of all that can be had by turning it
    around one of its own axes. As a rule it is the smallest of all boxes. Where the one along the
    axes is as good, it is taken.

    Args:
        points: (n, 3), metres.

    Raises:
        ValueError: there are no points, or one is not finite.

    Source: the box has an edge of the hull on each of two neighbouring faces (O'Rourke 1985,
    "Finding minimal enclosing boxes"); search among the turns as in Chang, Gorissen and Melchior
    2011, "Fast oriented bounding box optimization on the rotation group SO(3)".
    """
    cloud = aligned_fits.checked(points)
    middle, half = aligned_fits.bounds(cloud)
    scale = float(half.max())
    if scale == 0.0:
        return Placed(Box(size=(0.0, 0.0, 0.0)), middle, np.eye(3))
    scaled = (cloud - middle) / scale
    axes = _frame(scaled)
    low, high = _limits(scaled, axes)
    x, y, z = (scale * (high - low)).tolist()
    return Placed(Box(size=(x, y, z)), middle + scale * axes.T @ (low + high) / 2.0, axes.T)


def box_axes(core: Array) -> Array:
    """The axes (3, 3), as rows, of a small box around a few points that fill -1 to 1."""
    return _upright(_smallest(core, [np.eye(3)], faces=_MAX_FACES_QUICK))


def rough_box_volume(corners: Array, triangles: Indices) -> float:
    """The volume of the smallest box with a side on a large face of a hull."""
    hull = _Hull.of_faces(corners, triangles)
    return min(hull.turned(normal)[0] for normal in _unlike(hull.normals)[:_MAX_FACES_QUICK])


def _frame(points: Array) -> Array:
    """The axes (3, 3), as rows, of the box around points that fill -1 to 1.

    What is smallest around some of the points, and holds the others too, is smallest around all.
    """
    core = extreme_points(points)
    best, least = np.eye(3), _size(points, np.eye(3))
    starts = [best]
    for _ in range(_MAX_ROUNDS):
        axes = _smallest(core, starts, faces=_MAX_FACES if len(starts) == 1 else 0)
        found = _size(points, axes)
        if found < least * (1.0 - 10.0 * _VOLUME_TOLERANCE):
            best, least = axes, found
        if found <= _size(core, axes) * (1.0 + _VOLUME_TOLERANCE):
            break
        starts = [best, axes]
        heights = points @ axes.T
        outer = np.concatenate([heights.argmin(axis=0), heights.argmax(axis=0)])
        core = np.concatenate([core, points[outer]])
    return _upright(best)


def _smallest(core: Array, starts: list[Array], faces: int) -> Array:
    """The best axes for a few points, found from those given and some faces of the hull."""
    hull = _Hull.of(core)
    if hull is None:
        return _flat_axes(core)
    found = [(_size(hull.corners, axes), axes) for axes in starts]
    found += [hull.turned(normal) for normal in _unlike(hull.normals)[:faces]]
    found.sort(key=lambda entry: entry[0])
    chosen: list[Array] = []
    for _, axes in found:
        nearest = [np.abs(axes @ other.T).max(axis=1) for other in chosen]
        if not any((cosines > _SAME_AXES_COSINE).all() for cosines in nearest):
            chosen.append(axes)
    chosen = chosen[: _REFINED_BOXES if faces else 2]
    refined = [hull.polished(_searched(hull.corners, axes)) for axes in chosen]
    refined.append(hull.polished(found[0][1]))
    return min(refined, key=lambda axes: _size(hull.corners, axes))


@dataclass(frozen=True, eq=False)
class _Hull:
    """A hull, and what boxes around it may lie on.

    Attributes:
        corners: (n, 3).
        normals: (m, 3) of the faces, as long as twice their areas.
        edges: (k, 3), their directions.
        sides: (k, 2), the faces beside each edge.
    """

    corners: Array
    normals: Array
    edges: Array
    sides: Indices

    @classmethod
    def of(cls, points: Array) -> _Hull | None:
        """The hull of points; None where they are flat."""
        hull = convex_hull(points)
        return None if hull is None else cls.of_faces(*hull)

    @classmethod
    def of_faces(cls, corners: Array, triangles: Indices) -> _Hull:
        """A hull that is known."""
        start, end = triangles.T.ravel(), triangles[:, [1, 2, 0]].T.ravel()
        key = np.minimum(start, end) * len(corners) + np.maximum(start, end)
        # Each edge comes twice, once for each of its faces.
        pairs = np.argsort(key, kind="stable").reshape(-1, 2)
        edges = corners[end[pairs[:, 0]]] - corners[start[pairs[:, 0]]]
        return cls(corners, face_normals(corners, triangles), edges, pairs % len(triangles))

    def turned(self, normal: Array) -> tuple[float, Array]:
        """The smallest box that stands on a unit normal: its size and axes.

        Seen along the normal it has an edge of the hull's outline on a side.

        Source: Freeman and Shapira 1975, "Determining the minimum-area encasing rectangle for an
        arbitrary closed curve".
        """
        facing = (self.normals @ normal)[self.sides]
        edges = self.edges[facing[:, 0] * facing[:, 1] <= _OUTLINE_TOLERANCE]
        along = edges - (edges @ normal)[:, None] * normal
        lengths = np.sqrt(np.sum(along * along, axis=1))
        keep = lengths > 1e-9
        if not keep.any():
            return np.inf, np.eye(3)
        along = along[keep] / lengths[keep, None]
        beside = crossed(normal, along)
        wide = np.ptp(along @ self.corners.T, axis=1)
        deep = np.ptp(beside @ self.corners.T, axis=1)
        areas = wide * deep
        best = int(areas.argmin())
        size = float(areas[best] * np.ptp(self.corners @ normal))
        return size, np.stack([normal, along[best], beside[best]])

    def polished(self, axes: Array) -> Array:
        """Axes turned around themselves, one after the other, until that gains nothing."""
        size = _size(self.corners, axes)
        for _ in range(20):
            before = size
            for row in range(3):
                found, turned = self.turned(axes[row])
                if found < size:
                    size, axes = found, turned
            if size >= before * (1.0 - 1e-12):
                break
        return axes


def _unlike(normals: Array) -> Array:
    """Unit normals (k, 3), each once, those of large faces first."""
    lengths = np.linalg.norm(normals, axis=1)
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0.0]
    units = normals[order] / lengths[order, None]
    rounded: Array = np.asarray(np.where(units[:, :1] < 0.0, -units, units).round(6))
    first = np.asarray(np.unique(rounded, axis=0, return_index=True)[1], dtype=np.int64)
    return units[np.sort(first)]


def _searched(points: Array, axes: Array) -> Array:
    """Turned freely into the nearest valley."""
    columns = points @ axes.T

    def sizes(turns: Array) -> Array:
        heights = np.einsum("kij,nj->kin", rotations_of_vectors(turns), columns)
        return (heights.max(axis=2) - heights.min(axis=2)).prod(axis=1)

    turn, _ = minimize(sizes, np.zeros(3), _SEARCH_ANGLE_RAD, rounds=40, precision=1e-6)
    return rotations_of_vectors(turn[None])[0] @ axes


def _flat_axes(core: Array) -> Array:
    """The axes of the smallest box around points in one plane, line or place."""
    rows: Array = np.asarray(np.linalg.svd(core - core.mean(axis=0))[2], dtype=np.float64)
    few = extreme_points(core, 24)[:300]
    pairs = (few[:, None] - few[None]).reshape(-1, 3)
    flat: Array = pairs - (pairs @ rows[2])[:, None] * rows[2]
    lengths: Array = np.linalg.norm(flat, axis=1)
    keep = lengths > 1e-6
    along: Array = np.concatenate([rows[:1], flat[keep] / lengths[keep, None]])
    beside = crossed(rows[2], along)
    sizes = np.full(len(along), np.inf)
    for start in range(0, len(along), 4096):
        part = slice(start, start + 4096)
        wide, deep = np.ptp(along[part] @ core.T, axis=1), np.ptp(beside[part] @ core.T, axis=1)
        sizes[part] = wide * deep + _OUTLINE_WEIGHT * (wide + deep)
    best = int(sizes.argmin())
    return np.stack([rows[2], along[best], beside[best]])


def _upright(axes: Array) -> Array:
    """The same box with its axes named and signed so that it is turned least."""
    best, most = axes, -np.inf
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            rows = axes[list(order)] * np.array(signs)[:, None]
            trace = float(np.trace(rows))
            if trace > most + 1e-9 and np.linalg.det(rows) > 0.0:
                best, most = rows, trace
    return best


def _limits(points: Array, axes: Array) -> tuple[Array, Array]:
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for start in range(0, len(points), 65536):
        heights = axes @ points[start : start + 65536].T
        low, high = np.minimum(low, heights.min(axis=1)), np.maximum(high, heights.max(axis=1))
    return low, high


def _size(points: Array, axes: Array) -> float:
    """The volume of a box; of flat ones, the area of those that are as good as flat."""
    low, high = _limits(points, axes)
    x, y, z = np.sort(high - low).tolist()
    return x * y * z + 1e-12 * (y * z + _OUTLINE_WEIGHT * z)
