"""Which points are inside a shape.

Every function takes points (n, 3) and gives (n,) flags; the surface counts as inside. Shapes are
centred on the origin and in their own glTF axes, sizes in metres.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ..model.shapes import Box, Capsule, Cylinder, Geometry, Plane, Sphere
from .arrays import Array, Flags

Inside = Callable[[Array], Flags]

_ROUNDING: Final = 1e-9  # By which points may be outside of a hull, as a part of its extent.


def in_box(points: Array, size: ArrayLike) -> Flags:
    """In a box of full size (3,)."""
    return (np.abs(points) <= np.asarray(size, dtype=np.float64) / 2.0).all(axis=1)


def in_sphere(points: Array, radius: float) -> Flags:
    """In a ball."""
    return np.sum(points * points, axis=1) <= radius * radius


def in_cylinder(points: Array, height: float, radius_bottom: float, radius_top: float) -> Flags:
    """In a cylinder, frustum or cone along Y."""
    part = points[:, 1] / height + 0.5
    radius = radius_bottom + part * (radius_top - radius_bottom)
    return (part >= 0.0) & (part <= 1.0) & (np.hypot(points[:, 0], points[:, 2]) <= radius)


def in_capsule(points: Array, height: float, radius_bottom: float, radius_top: float) -> Flags:
    """In the hull of two balls along Y, whose centres are at y = ±height / 2."""
    distance, y = np.hypot(points[:, 0], points[:, 2]), points[:, 1]
    low = np.hypot(distance, y + height / 2.0) <= radius_bottom
    high = np.hypot(distance, y - height / 2.0) <= radius_top
    if abs(radius_bottom - radius_top) >= height:
        return low | high
    # Between the circles where a cone touches both balls, seen along its normal.
    sine = (radius_bottom - radius_top) / height
    cosine = math.sqrt((1.0 - sine) * (1.0 + sine))
    up = y + height / 2.0
    along = up * cosine - distance * sine
    between = (along >= 0.0) & (along <= height * cosine)
    return low | high | (between & (distance * cosine + up * sine <= radius_bottom))


def in_hull(points: Array, corners: ArrayLike, triangles: ArrayLike) -> Flags:
    """In a convex mesh: corners (k, 3), triangles (m, 3), counter-clockwise seen from outside."""
    places = np.asarray(corners, dtype=np.float64)
    faces = places[np.asarray(triangles, dtype=np.intp)]
    normals: Array = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    real = lengths > 0.0
    normals = normals[real] / lengths[real, None]
    slack = _ROUNDING * float(np.ptp(places, axis=0).max(initial=0.0))
    offsets = np.sum(normals * faces[real, 0], axis=1) + slack
    return (points @ normals.T <= offsets).all(axis=1)


def inside_of(geometry: Geometry) -> Inside | None:
    """What tells the points inside a shape; None for meshes and unknown ones.

    Below a plane is inside; a plane with two sides has no inside.
    """
    shape = geometry
    if isinstance(shape, Box):
        return lambda points: in_box(points, shape.size)
    if isinstance(shape, Sphere):
        return lambda points: in_sphere(points, shape.radius)
    if isinstance(shape, Capsule | Cylinder):
        function = in_capsule if isinstance(shape, Capsule) else in_cylinder
        sizes = (shape.height, shape.radius_bottom, shape.radius_top)
        return lambda points: function(points, *sizes)
    if isinstance(shape, Plane) and not shape.double_sided:
        return lambda points: points[:, 1] <= 0.0
    return None
