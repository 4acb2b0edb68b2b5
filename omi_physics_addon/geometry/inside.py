"""Which points are inside a shape, and how far outside they are.

Points are (n, 3) and flags (n,); the surface counts as inside. Shapes are centred on the origin
and in their own glTF axes, sizes in metres.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ..model.shapes import Box, Cylinder, Geometry, Plane, Primitive, Sphere
from .arrays import Array, Flags, Indices, face_normals

Inside = Callable[[Array], Flags]

_ROUNDING: Final = 1e-9  # By which points may be outside of a hull, as a part of its extent.


def beyond(shape: Primitive, points: Array) -> Array:
    """How far each of the points (n, 3) lies outside of a shape, m; negative inside.

    Next to edges of boxes and cylinders it is less than the distance. Sizes may be 0.
    """
    if isinstance(shape, Box):
        return (np.abs(points) - np.array(shape.size) / 2.0).max(axis=1)
    if isinstance(shape, Sphere):
        return np.sqrt(np.einsum("ni,ni->n", points, points)) - shape.radius
    along, across = points[:, 1], np.hypot(points[:, 0], points[:, 2])
    half = shape.height / 2.0
    change = shape.radius_top - shape.radius_bottom
    if isinstance(shape, Cylinder):
        beside: Array = across - shape.radius_bottom
        if change and shape.height:
            share = np.minimum(np.maximum(along / shape.height + 0.5, 0.0), 1.0)
            cosine = shape.height / math.hypot(shape.height, change)
            beside = (beside - change * share) * cosine
        elif change:
            beside = beside - change * 0.5
        return np.maximum(np.abs(along) - half, beside)
    # A capsule is all balls between both ends: of the one whose surface is nearest.
    if abs(change) >= shape.height:  # One ball holds the other.
        middle = np.full_like(along, half if change > 0.0 else -half)
    else:
        sine = -change / shape.height
        lean = sine / math.sqrt(1.0 - sine * sine)
        middle = np.minimum(np.maximum(along - across * lean, -half), half)
    radius = (shape.radius_bottom + shape.radius_top) / 2.0
    if change and shape.height:
        radius = radius + middle * (change / shape.height)
    return np.hypot(along - middle, across) - radius


def half_spaces(corners: Array, triangles: Indices) -> tuple[Array, Array]:
    """The normals (k, 3) and offsets (k,) of n·x <= d, whose common part a convex mesh is.

    Args:
        corners: (n, 3).
        triangles: (m, 3), counter-clockwise seen from outside; those without area have none.
    """
    normals = face_normals(corners, triangles)
    lengths = np.linalg.norm(normals, axis=1)
    real = lengths > 0.0
    normals = normals[real] / lengths[real, None]
    return normals, np.sum(normals * corners[triangles[real, 0]], axis=1)


def in_hull(points: Array, corners: ArrayLike, triangles: ArrayLike) -> Flags:
    """In a convex mesh: corners (k, 3), triangles (m, 3), counter-clockwise seen from outside."""
    places = np.asarray(corners, dtype=np.float64)
    normals, offsets = half_spaces(places, np.asarray(triangles, dtype=np.intp))
    slack = _ROUNDING * float(np.ptp(places, axis=0).max(initial=0.0))
    return (points @ normals.T <= offsets + slack).all(axis=1)


def inside_of(geometry: Geometry) -> Inside | None:
    """What tells the points inside a shape; None for meshes and unknown ones.

    Below a plane is inside; a plane with two sides has no inside.
    """
    shape = geometry
    if isinstance(shape, Primitive):
        return lambda points: beyond(shape, points) <= 0.0
    if isinstance(shape, Plane) and not shape.double_sided:
        return lambda points: points[:, 1] <= 0.0
    return None
