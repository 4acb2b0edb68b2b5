"""The convex hull of points, as a closed mesh of triangles."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_FLAT: Final = 1e-5  # Thickness of points, relative to their extent, that makes no solid.
# Cells of the grid along each axis; triple products of such numbers fit into 63 bits.
_CELLS: Final = 2**20


def convex_hull(points: ArrayLike) -> tuple[Array, Indices] | None:
    """The convex hull of points (n, 3); None where it is flat.

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
    grid = np.rint((scaled - 0.5) * (_CELLS - 1)).astype(np.int64)
    corners, faces = np.unique(_Quickhull(grid, first).grow(), return_inverse=True)
    return cloud[corners], faces.reshape(-1, 3).astype(np.int64)


def _tetrahedron(points: Array) -> Indices | None:
    """Four points (4,) that span a volume, the first three clockwise seen from the last."""
    a = int(points[:, 0].argmin())
    b = int(np.linalg.norm(points - points[a], axis=1).argmax())
    along = points[b] - points[a]
    away = np.linalg.norm(np.cross(points - points[a], along), axis=1)
    c = int(away.argmax())
    if away[c] <= _FLAT:
        return None
    normal = np.cross(along, points[c] - points[a])
    heights = (points - points[a]) @ (normal / np.linalg.norm(normal))
    d = int(np.abs(heights).argmax())
    if abs(heights[d]) <= _FLAT:
        return None
    return np.array([a, c, b, d] if heights[d] > 0.0 else [a, b, c, d], dtype=np.int64)


class _Quickhull:
    """A hull on the grid that grows until no point is outside of it."""

    def __init__(self, points: Indices, first: Indices) -> None:
        a, b, c, d = first.tolist()
        self._points = points
        self._faces = np.array([(a, b, c), (a, d, b), (b, d, c), (c, d, a)], dtype=np.int64)
        self._normals, self._offsets = self._planes(self._faces)
        # Points that are outside, and for each of them a face that it is outside of.
        self._outside, self._owners = self._assigned(np.arange(len(points)), 0)

    def grow(self) -> Indices:
        """The triangles (m, 3) of the whole hull."""
        while len(self._outside):
            face = self._owners[0]
            candidates = self._outside[self._owners == face]
            heights = self._points[candidates] @ self._normals[face]
            self._add(int(candidates[heights.argmax()]))
        return self._faces

    def _planes(self, faces: Indices) -> tuple[Indices, Indices]:
        """Normals (m, 3), and how far (m,) the faces are from the origin along them."""
        a, b, c = (self._points[faces[:, i]] for i in range(3))
        normals = np.cross(b - a, c - a)
        return normals, (normals * a).sum(axis=1)

    def _assigned(self, candidates: Indices, since: int) -> tuple[Indices, Indices]:
        """Those of some points that are beyond faces, of index `since` on, and such a face."""
        owners = np.full(len(candidates), -1, dtype=np.int64)
        for i in range(since, len(self._faces)):
            (waiting,) = np.nonzero(owners < 0)
            if not len(waiting):
                break
            heights = self._points[candidates[waiting]] @ self._normals[i] - self._offsets[i]
            owners[waiting[heights > 0]] = i
        return candidates[owners >= 0], owners[owners >= 0]

    def _add(self, apex: int) -> None:
        """Replace the faces that a point sees by those between their border and the point."""
        seen = self._normals @ self._points[apex] > self._offsets
        edges = self._faces[seen][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        count = len(self._points)
        border = edges[~np.isin(edges @ [count, 1], edges @ [1, count])]
        new = np.column_stack([border, np.full(len(border), apex)])
        normals, offsets = self._planes(new)
        free = seen[self._owners]
        kept, owners = self._outside[~free], (np.cumsum(~seen) - 1)[self._owners[~free]]
        since = len(seen) - int(seen.sum())
        candidates = self._outside[free]
        self._faces = np.concatenate([self._faces[~seen], new])
        self._normals = np.concatenate([self._normals[~seen], normals])
        self._offsets = np.concatenate([self._offsets[~seen], offsets])
        found, finders = self._assigned(candidates, since)
        self._outside = np.concatenate([kept, found])
        self._owners = np.concatenate([owners, finders])
