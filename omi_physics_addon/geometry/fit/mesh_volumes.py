"""The volumes of meshes and of their hulls, to compare fitted shapes with."""

from __future__ import annotations

from typing import Final

import numpy as np

from .. import inertia
from ..arrays import Array, Indices
from ..hull import convex_hull
from .extremes import extreme_points

# Points whose hull takes too long; those that stand out are enough.
_MAX_HULL_POINTS: Final = 20000
_DIRECTIONS: Final = 800  # In which they stand out.
# Triangles of a mesh with seams that are still looked at in detail.
_MAX_INSPECTED_TRIANGLES: Final = 100_000


def mesh_volume(points: Array, triangles: Indices) -> float:
    """The volume of a closed mesh, of another that of its hull, m³; 0 where that is flat.

    Args:
        points: (n, 3), metres.
        triangles: (m, 3), indices of points.
    """
    volume = closed_volume(points, triangles)
    return hull_volume(points) if volume is None else volume


def closed_volume(points: Array, triangles: Indices) -> float | None:
    """The volume inside of a mesh, m³; None where it has holes or faces turned around.

    Points at one place count as one, except in very large meshes.
    """
    if not len(triangles):
        return None
    if len(triangles) <= _MAX_INSPECTED_TRIANGLES:
        try:
            return inertia.measure_mesh(points, triangles).mass or None
        except ValueError:
            return None
    start, end = triangles.ravel(), triangles[:, [1, 2, 0]].ravel()
    # Every edge runs there and back; sums of hashes tell that without sorting millions of edges.
    if _hashed(start, end, len(points)) != _hashed(end, start, len(points)):
        return None
    corners = points[triangles] - points.mean(axis=0)
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    sixfold = float(np.einsum("ij,ij->", a, np.cross(b, c)))
    return abs(sixfold) / 6.0 or None


def _hashed(start: Indices, end: Indices, count: int) -> int:
    """A sum that differs, but for a chance of 1 in 2 to the 64, for other sets of edges.

    Source: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators", for the
    constants that mix the bits.
    """
    value = (start * np.int64(count) + end).astype(np.uint64)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value ^= value >> np.uint64(31)
    return int(value.sum(dtype=np.uint64))


def hull_volume(points: Array) -> float:
    """The volume of the convex hull of points, m³; 0 where it is flat.

    Of very many points, a little less: of those that stand out.
    """
    if not len(points):
        return 0.0
    few = points if len(points) <= _MAX_HULL_POINTS else extreme_points(points, _DIRECTIONS)
    hull = convex_hull(few)
    return 0.0 if hull is None else inertia.measure_mesh(*hull).mass
