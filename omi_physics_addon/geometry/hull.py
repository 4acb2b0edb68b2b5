"""The convex hull of points, as a closed mesh of triangles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, Indices

# Thickness of points, relative to their extent, that makes no solid.
_FLATNESS_TOLERANCE: Final = 1e-5
# Cells of the grid along each axis; triple products of such numbers fit into 63 bits.
_GRID_CELLS: Final = 2**20
# Corners of the hulls that are kept in mind: checks ask for the same ones again and again.
_MOST_KEPT: Final = 500_000

_Key: TypeAlias = tuple[bytes, int | None]  # What tells points from others, and `most`.
_Grown: TypeAlias = tuple[Indices, Indices]  # Which points are corners, and triangles of these.


class _Memory:
    """The latest hulls that were made, as many as `_MOST_KEPT` allows."""

    def __init__(self) -> None:
        self._hulls: dict[_Key, _Grown] = {}
        self._corners = 0

    def get(self, key: _Key) -> _Grown | None:
        """A hull that was made before; None where it is forgotten."""
        return self._hulls.get(key)

    def add(self, key: _Key, grown: _Grown) -> None:
        """Keep a hull, and forget the oldest ones where there are too many."""
        self._hulls[key] = grown
        self._corners += len(grown[0])
        while self._corners > _MOST_KEPT:
            corners, _ = self._hulls.pop(next(iter(self._hulls)))
            self._corners -= len(corners)


_memory: Final = _Memory()


def convex_hull(points: ArrayLike, most: int | None = None) -> tuple[Array, Indices] | None:
    """The convex hull of points (n, 3); None where it is flat.

    With `most`, at least 4, it has that many corners at most: those that stand out most, one
    after the other, measured in a space where the points are as wide along each axis. Some points
    lie outside then.

    Which points are corners is found on a grid of a millionth of their extent along each axis,
    where nothing is rounded, so the hull is closed however many points lie in one plane.

    Returns:
        Its corners (k, 3), and its triangles (m, 3), counter-clockwise seen from outside.

    Raises:
        ValueError: a number is not finite, or the points have another form.

    Source: Barber, Dobkin and Huhdanpaa 1996, "The quickhull algorithm for convex hulls".
    """
    cloud = np.asarray(points, dtype=np.float64)
    if cloud.ndim != 2 or cloud.shape[1] != 3 or not np.isfinite(cloud).all():
        raise ValueError("points must be finite and have the shape (n, 3)")
    if len(cloud) < 4:
        return None
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    extent = high - low
    if not (np.isfinite(extent).all() and extent.all()):
        return None
    scaled = (cloud - low) / extent  # A hull stays one when the axes are scaled.
    first = _tetrahedron(scaled)
    if first is None:
        return None
    key = blake2b(cloud.tobytes(), digest_size=20).digest(), most
    grown = _memory.get(key)
    if grown is None:
        grid = np.rint((scaled - 0.5) * (_GRID_CELLS - 1)).astype(np.int64)
        corners, faces = np.unique(_Quickhull(grid, first).grow(most), return_inverse=True)
        grown = corners, faces.reshape(-1, 3).astype(np.int64)
        _memory.add(key, grown)
    return cloud[grown[0]], grown[1].copy()


def is_flat(points: ArrayLike) -> bool:
    """Whether points (n, 3) lie in one plane, turned as it may be, so that no hull has a volume."""
    cloud = np.asarray(points, dtype=np.float64)
    if len(cloud) < 4:
        return True
    away = cloud - cloud.mean(axis=0)
    extent = float(np.abs(away).max())
    if not 0.0 < extent < np.inf:
        return True
    spread = np.linalg.eigvalsh((away / extent).T @ (away / extent) / len(away))
    return bool(spread[0] <= _FLATNESS_TOLERANCE**2 * spread[2])


def _tetrahedron(points: Array) -> Indices | None:
    """Four points (4,) that span a volume, the first three clockwise seen from the last."""
    a = int(points[:, 0].argmin())
    b = int(np.linalg.norm(points - points[a], axis=1).argmax())
    along = points[b] - points[a]
    away = np.linalg.norm(np.cross(points - points[a], along), axis=1)
    c = int(away.argmax())
    if away[c] <= _FLATNESS_TOLERANCE:
        return None
    normal = np.cross(along, points[c] - points[a])
    heights = (points - points[a]) @ (normal / np.linalg.norm(normal))
    d = int(np.abs(heights).argmax())
    if abs(heights[d]) <= _FLATNESS_TOLERANCE:
        return None
    return np.array([a, c, b, d] if heights[d] > 0.0 else [a, b, c, d], dtype=np.int64)


@dataclass(eq=False)
class _Face:
    """A triangle of a hull, counter-clockwise seen from outside, and points that it can see.

    All numbers are whole, so that sides are never in doubt.
    """

    corners: tuple[int, int, int]
    normal: tuple[int, int, int]
    offset: int
    outside: Indices
    apex: int = -1  # The farthest of the points outside, once it was looked for.
    reach: float = 0.0  # How far away that is.

    def edges(self) -> tuple[tuple[int, int], ...]:
        a, b, c = self.corners
        return ((a, b), (b, c), (c, a))


class _Quickhull:
    """A hull on the grid that grows until no point is outside of it."""

    def __init__(self, points: Indices, first: Indices) -> None:
        a, b, c, d = first.tolist()
        self._points = points
        self._by_edge: dict[tuple[int, int], _Face] = {}
        self._waiting: list[_Face] = []  # Faces that may have points outside.
        self._put([(a, b, c), (a, d, b), (b, d, c), (c, d, a)], np.arange(len(points)))

    def grow(self, most: int | None) -> Indices:
        """The triangles (m, 3) of the whole hull, or of one with that many corners at most."""
        count = 4
        while self._waiting and (most is None or count < most):
            face = self._waiting.pop() if most is None else self._pop_farthest()
            if face is not None and self._is_there(face):
                self._look(face)
                self._add(face.apex, face)
                count += 1
        faces = {face.corners for face in self._by_edge.values()}
        return np.array(sorted(faces), dtype=np.int64)

    def _is_there(self, face: _Face) -> bool:
        """Whether a face has not been replaced by now."""
        return self._by_edge.get(face.edges()[0]) is face

    def _look(self, face: _Face) -> None:
        """Find the farthest of the points outside a face."""
        if face.apex < 0:
            heights = self._points[face.outside] @ np.array(face.normal)
            farthest = int(heights.argmax())
            face.apex = int(face.outside[farthest])
            length = math.sqrt(sum(n * n for n in face.normal))
            face.reach = (int(heights[farthest]) - face.offset) / length

    def _pop_farthest(self) -> _Face | None:
        """The face with the point farthest from it of all, which has not been replaced."""
        self._waiting = [face for face in self._waiting if self._is_there(face)]
        if not self._waiting:
            return None
        for face in self._waiting:
            self._look(face)
        farthest = max(self._waiting, key=lambda face: face.reach)
        self._waiting.remove(farthest)
        return farthest

    def _put(self, triangles: list[tuple[int, int, int]], candidates: Indices) -> None:
        """Add faces, and give each of some points to one that sees it, if any does."""
        for corners in triangles:
            (ax, ay, az), (bx, by, bz), (cx, cy, cz) = self._points[list(corners)].tolist()
            bx, by, bz, cx, cy, cz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
            x, y, z = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
            offset = x * ax + y * ay + z * az
            sees = candidates[:0]
            if len(candidates):
                is_outside = self._points[candidates] @ np.array((x, y, z)) > offset
                sees, candidates = candidates[is_outside], candidates[~is_outside]
            face = _Face(corners, (x, y, z), offset, sees)
            for edge in face.edges():
                self._by_edge[edge] = face
            if len(sees):
                self._waiting.append(face)

    def _add(self, apex: int, start: _Face) -> None:
        """Replace the faces that a point sees by those between their border and the point."""
        px, py, pz = self._points[apex].tolist()
        seen, waiting = {start: True}, [start]  # In order, so that hulls come out alike.
        border: list[tuple[int, int]] = []
        while waiting:
            for a, b in waiting.pop().edges():
                other = self._by_edge[b, a]
                x, y, z = other.normal
                if other in seen:
                    continue
                if x * px + y * py + z * pz > other.offset:
                    seen[other] = True
                    waiting.append(other)
                else:
                    border.append((a, b))
        for face in seen:
            for edge in face.edges():
                del self._by_edge[edge]
        outside = [face.outside for face in seen if len(face.outside)]
        self._put([(a, b, apex) for a, b in border], np.concatenate(outside))
