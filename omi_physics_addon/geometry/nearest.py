"""The nearest points on the surfaces of shapes, and on lines and circles.

Every function takes points (n, 3) in metres and gives points (n, 3). Shapes are centred on the
origin and in their own glTF axes. Where several points are nearest, any of them is the answer.
Source, unless said otherwise: Ericson 2005, "Real-Time Collision Detection", chapter 5.1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, Indices

Nearest = Callable[[Array], Array]

_BLOCK_TRIANGLES: Final = 16  # Triangles that share a bounding box.
_BOXES_AT_ONCE: Final = 64  # Boxes that are looked at together for one point.
_PAIRS_AT_ONCE: Final = 1 << 20  # Pairs of points and boxes or triangles at once; they take memory.
_GRID_CELLS: Final = 1 << 10  # Cells along each axis, by which triangles are sorted.


def on_segments(points: Array, starts: ArrayLike, ends: ArrayLike) -> Array:
    """The nearest point on any of some segments.

    Args:
        starts: (m, 3), m above zero.
        ends: (m, 3); a segment may have no length.
    """
    first, last = np.asarray(starts, dtype=np.float64), np.asarray(ends, dtype=np.float64)
    best = np.full(len(points), np.inf)
    found = np.zeros_like(points)
    # Segments are few and points many, so the loop is over the segments.
    for start, end in zip(first, last, strict=True):
        along = end - start
        length = float(along @ along)
        part = np.clip((points - start) @ along / length, 0.0, 1.0) if length else 0.0
        candidate = start + np.multiply.outer(part, along) if length else start
        distance = np.sum((points - candidate) ** 2, axis=1)
        nearer = distance < best
        best[nearer] = distance[nearer]
        found[nearer] = np.broadcast_to(candidate, points.shape)[nearer]
    return found


def on_circle(points: Array, radius: float) -> Array:
    """The nearest point on the circle around Y."""
    out, _ = _radial(points)
    out *= radius
    return out


def on_disc(points: Array, radius: float) -> Array:
    """The nearest point on the filled circle around Y."""
    out, distance = _radial(points)
    out *= np.minimum(distance, radius)[:, None]
    return out


def on_box(points: Array, size: ArrayLike) -> Array:
    """The nearest point on the surface of a box of full size (3,)."""
    half = np.asarray(size, dtype=np.float64) / 2.0
    found = np.clip(points, -half, half)
    inside = np.flatnonzero((np.abs(points) < half).all(axis=1))
    axis = np.argmin(half - np.abs(points[inside]), axis=1)
    found[inside, axis] = np.copysign(half[axis], points[inside, axis])
    return found


def on_sphere(points: Array, radius: float) -> Array:
    """The nearest point on the surface of a ball."""
    length = np.linalg.norm(points, axis=1)
    direction = np.tile(np.array([0.0, 1.0, 0.0]), (len(points), 1))
    far = length > 0.0
    direction[far] = points[far] / length[far, None]
    return direction * radius


def on_capsule(points: Array, height: float, radius_bottom: float, radius_top: float) -> Array:
    """The nearest point on the surface of the hull of two balls along Y.

    Args:
        height: distance between the centres of the balls, which are at y = ±height / 2.
    """
    if abs(radius_top - radius_bottom) >= height:
        radius, y = max((radius_bottom, -height / 2.0), (radius_top, height / 2.0))
        center = np.array([0.0, y, 0.0])
        return on_sphere(points - center, radius) + center
    out, distance = _radial(points)
    flat = np.stack([distance, points[:, 1]], axis=1)
    lean = math.asin((radius_bottom - radius_top) / height)
    normal = np.array([math.cos(lean), math.sin(lean)])
    low, high = np.array([0.0, -height / 2.0]), np.array([0.0, height / 2.0])
    candidates = [_on_lines(flat, [low + radius_bottom * normal, high + radius_top * normal])]
    # A cap is nearest only to what lies beyond the circle where cone and ball touch.
    for center, radius, sign in ((low, radius_bottom, -1.0), (high, radius_top, 1.0)):
        away = flat - center
        angle = np.arctan2(away[:, 1], away[:, 0])
        angle = np.maximum(angle, lean) if sign > 0.0 else np.minimum(angle, lean)
        candidates.append(center + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    return _revolved(out, _nearest_of(flat, candidates))


def on_cylinder(points: Array, height: float, radius_bottom: float, radius_top: float) -> Array:
    """The nearest point on the surface of a cylinder, frustum or cone along Y."""
    out, distance = _radial(points)
    low, high = -height / 2.0, height / 2.0
    corners = [(0.0, low), (radius_bottom, low), (radius_top, high), (0.0, high)]
    flat = np.stack([distance, points[:, 1]], axis=1)
    return _revolved(out, _on_lines(flat, [np.array(corner) for corner in corners]))


def on_plane(points: Array, size_x: float | None, size_z: float | None) -> Array:
    """The nearest point on a rectangle across Y; a size of None has no end."""
    half_x = math.inf if size_x is None else size_x / 2.0
    half_z = math.inf if size_z is None else size_z / 2.0
    half = np.array([half_x, 0.0, half_z])
    return np.clip(points, -half, half)


class MeshSurface:
    """The triangles of a mesh, sorted into boxes, so that most need no look."""

    def __init__(self, corners: ArrayLike, triangles: ArrayLike) -> None:
        """Take corners (k, 3) and triangles (m, 3) of them, m above zero.

        Raises:
            ValueError: there is no triangle.
        """
        faces = np.asarray(corners, dtype=np.float64)[np.asarray(triangles, dtype=np.intp)]
        if not len(faces):
            raise ValueError("a surface needs a triangle")
        faces = faces[_in_order(faces.mean(axis=1))]
        starts = np.arange(0, len(faces), _BLOCK_TRIANGLES)
        self._faces = faces
        self._starts = starts
        self._counts = np.diff(np.append(starts, len(faces)))
        self._low = np.minimum.reduceat(faces.min(axis=1), starts)
        self._high = np.maximum.reduceat(faces.max(axis=1), starts)

    def __call__(self, points: Array) -> Array:
        """The nearest points on the triangles."""
        step = max(1, _PAIRS_AT_ONCE // max(len(self._starts), _BLOCK_TRIANGLES * _BOXES_AT_ONCE))
        parts = [self._nearest(points[i : i + step]) for i in range(0, len(points), step)]
        return np.concatenate(parts) if parts else np.zeros((0, 3))

    def _nearest(self, points: Array) -> Array:
        """The nearest points, from the nearest boxes on until the next are too far away."""
        gap = self._gaps(points)
        order = np.argsort(gap, axis=1)
        gap = np.take_along_axis(gap, order, axis=1)
        found, best = np.zeros_like(points), np.full(len(points), np.inf)
        active, start, count = np.arange(len(points)), 0, 1
        while len(active) and start < gap.shape[1]:
            part = slice(start, start + count)
            near = gap[active, part] < best[active, None]
            who, column = np.nonzero(near)
            again, distance = self._of_blocks(
                points, active[who], order[active[who], start + column]
            )
            better = distance < best
            found[better], best[better] = again[better], distance[better]
            active = active[near[:, -1]]
            start, count = start + count, min(4 * count, _BOXES_AT_ONCE)
        return found

    def _gaps(self, points: Array) -> Array:
        """The squared distances (n, b) of points from boxes."""
        gap = np.zeros((len(points), len(self._starts)))
        for axis in range(3):
            place = points[:, axis, None]
            outside = np.maximum(self._low[:, axis] - place, place - self._high[:, axis])
            gap += np.maximum(outside, 0.0) ** 2
        return gap

    def _of_blocks(self, points: Array, owner: Indices, block: Indices) -> tuple[Array, Array]:
        """For every point the nearest one in the boxes paired with it, and its squared distance.

        Args:
            owner: (k,), indices of points.
            block: (k,), the box that goes with each.
        """
        counts = self._counts[block]
        who = np.repeat(owner, counts)
        within = np.arange(len(who)) - np.repeat(np.cumsum(counts) - counts, counts)
        face = np.repeat(self._starts[block], counts) + within
        found = _on_triangles(points[who], self._faces[face])
        distance = np.sum((points[who] - found) ** 2, axis=1)
        order = np.lexsort((distance, who))
        first = order[np.unique(who[order], return_index=True)[1]]
        result, best = np.zeros_like(points), np.full(len(points), np.inf)
        result[who[first]], best[who[first]] = found[first], distance[first]
        return result, best


def _on_triangles(points: Array, faces: Array) -> Array:
    """The point of each triangle (n, 3, 3) that is nearest to the point beside it."""
    a, b, c = faces[:, 0], faces[:, 1], faces[:, 2]
    ab, ac, to = b - a, c - a, points - a
    normal = np.cross(ab, ac)
    area = np.sum(normal * normal, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Barycentric coordinates; not finite for a triangle without area.
        v = np.sum(np.cross(to, ac) * normal, axis=1) / area
        w = np.sum(np.cross(ab, to) * normal, axis=1) / area
        within = (v >= 0.0) & (w >= 0.0) & (v + w <= 1.0)
    edges = [_on_pairs(points, *pair) for pair in ((a, b), (b, c), (c, a))]
    found = _nearest_of(points, edges)
    inner = np.flatnonzero(within)
    found[inner] = a[inner] + v[inner, None] * ab[inner] + w[inner, None] * ac[inner]
    return found


def _on_pairs(points: Array, starts: Array, ends: Array) -> Array:
    """The point of each segment that is nearest to the point beside it."""
    along = ends - starts
    length = np.sum(along * along, axis=1)
    part = np.sum((points - starts) * along, axis=1) / np.where(length > 0.0, length, 1.0)
    return starts + np.clip(part, 0.0, 1.0)[:, None] * along


def _on_lines(points: Array, corners: list[Array]) -> Array:
    """The nearest points of a path in the plane, all (n, 2)."""
    pairs = itertools.pairwise(corners)
    shape = points.shape
    found = [
        _on_pairs(points, np.broadcast_to(a, shape), np.broadcast_to(b, shape)) for a, b in pairs
    ]
    return _nearest_of(points, found)


def _nearest_of(points: Array, candidates: list[Array]) -> Array:
    """Of some candidates (n, d) for every point the nearest one."""
    stack = np.stack(candidates)
    best = np.argmin(np.sum((stack - points) ** 2, axis=2), axis=0)
    return stack[best, np.arange(len(points))]


def _radial(points: Array) -> tuple[Array, Array]:
    """The directions (n, 3) away from Y, and the distances (n,); X where a point lies on Y."""
    distance = np.hypot(points[:, 0], points[:, 2])
    out = np.zeros_like(points)
    out[:, 0] = 1.0
    far = distance > 0.0
    out[far, 0] = points[far, 0] / distance[far]
    out[far, 2] = points[far, 2] / distance[far]
    return out, distance


def _revolved(out: Array, flat: Array) -> Array:
    """Points given by distance from Y and height, in the directions `out`."""
    found = out * flat[:, :1]
    found[:, 1] = flat[:, 1]
    return found


def _in_order(centers: Array) -> Indices:
    """An order in which neighbours in space are mostly neighbours.

    Source: Morton 1966, "A Computer Oriented Geodetic Data Base".
    """
    low = centers.min(axis=0)
    extent = centers.max(axis=0) - low
    cells = ((centers - low) / np.where(extent > 0.0, extent, 1.0) * (_GRID_CELLS - 1)).astype(
        np.int64
    )
    code = np.zeros(len(centers), dtype=np.int64)
    for bit in range(_GRID_CELLS.bit_length() - 1):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")
