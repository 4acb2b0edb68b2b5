"""The acceleration that gravity gives, in one volume and where several meet.

Everything is in the axes and the space of the node, in metres and m/s². Source:
OMI_physics_gravity. Where a distance is zero there is no direction, so gravity is zero there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.gravity import (
    DOWN,
    DirectionalGravity,
    DiscGravity,
    GravityField,
    LineGravity,
    OtherGravity,
    PointGravity,
    ShapedGravity,
    TorusGravity,
)
from ..model.shapes import Box, Capsule, Convex, Cylinder, Geometry, Plane, Sphere, Trimesh
from . import nearest
from .arrays import Array
from .nearest import Nearest

_MIN_LINE_POINTS: Final = 2  # Points of a line that make a segment.


def acceleration(
    field: GravityField, gravity: float, points: ArrayLike, surface: Nearest | None = None
) -> Array:
    """The acceleration (n, 3) at points (n, 3), whether they are in the volume or not.

    Args:
        gravity: strength; negative values push away.
        surface: the nearest points on the shape of shaped gravity, from `surface_of`; without
            one, shaped gravity has no effect.
    """
    places = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    if isinstance(field, DirectionalGravity):
        return np.tile(gravity * _unit(field.direction), (len(places), 1))
    target = _target(field, surface)
    if target is None or isinstance(field, OtherGravity):
        return np.zeros_like(places)
    away = target(places) - places
    distance = np.sqrt(np.sum(away * away, axis=1))
    result = np.zeros_like(places)
    far = distance > 0.0
    strength = _strength(gravity, field.unit_distance, distance[far])
    result[far] = away[far] * (strength / distance[far])[:, None]
    return result


def _strength(gravity: float, unit_distance: float, distance: Array) -> Array:
    """Falls with the square of the distance, unless the unit distance is zero."""
    if unit_distance <= 0.0:
        return np.full(len(distance), gravity)
    return gravity * (unit_distance / distance) ** 2


def _unit(direction: ArrayLike) -> Array:
    """The direction with length 1; down where it has none."""
    vector = np.asarray(direction, dtype=np.float64)
    length = float(np.linalg.norm(vector))
    return vector / length if length else np.array(DOWN)


def _target(field: GravityField, surface: Nearest | None) -> Nearest | None:
    """A function from points to the nearest attracting places; None where nothing attracts."""
    if isinstance(field, PointGravity):
        return np.zeros_like
    if isinstance(field, DiscGravity):
        return lambda points: nearest.on_disc(points, field.radius)
    if isinstance(field, TorusGravity):
        return lambda points: nearest.on_circle(points, field.radius)
    if isinstance(field, LineGravity) and len(field.points) >= _MIN_LINE_POINTS:
        corners = np.array(field.points)
        return lambda points: nearest.on_segments(points, corners[:-1], corners[1:])
    return surface if isinstance(field, ShapedGravity) else None


def surface_of(
    geometry: Geometry, mesh: Callable[[Convex | Trimesh], Nearest | None]
) -> Nearest | None:
    """A function to the nearest points on the surface of a shape; None where it has none.

    Args:
        mesh: gives it for the mesh, or hull of the mesh, of a shape; see `nearest.MeshSurface`.
    """
    shape = geometry
    if isinstance(shape, Box):
        return lambda points: nearest.on_box(points, shape.size)
    if isinstance(shape, Sphere):
        return lambda points: nearest.on_sphere(points, shape.radius)
    if isinstance(shape, Plane):
        return lambda points: nearest.on_plane(points, shape.size_x, shape.size_z)
    if isinstance(shape, Capsule | Cylinder):
        function = nearest.on_capsule if isinstance(shape, Capsule) else nearest.on_cylinder
        sizes = (shape.height, shape.radius_bottom, shape.radius_top)
        return lambda points: function(points, *sizes)
    return mesh(shape) if isinstance(shape, Convex | Trimesh) else None


def placed(surface: Nearest, rotation: ArrayLike, translation: ArrayLike) -> Nearest:
    """The same surface elsewhere.

    Args:
        rotation: (3, 3), from the axes of the surface to those of the points.
        translation: (3,), where the origin of the surface is.
    """
    turn = np.asarray(rotation, dtype=np.float64)
    place = np.asarray(translation, dtype=np.float64)
    return lambda points: surface((points - place) @ turn) @ turn.T + place


@dataclass(frozen=True, eq=False)
class Influence:
    """What one volume does at some points.

    Attributes:
        acceleration: (n, 3), from `acceleration`, in common axes.
        inside: (n,), which points are in the volume; it has no effect on the others.
    """

    acceleration: Array
    inside: NDArray[np.bool_]
    priority: int = 0
    replace: bool = False
    stop: bool = False


def combine(influences: Iterable[Influence], world: ArrayLike, count: int) -> Array:
    """The whole acceleration (n, 3) at points that are in several volumes.

    Volumes of equal priority are taken together, because the specification does not order them:
    replacing and stopping concern higher and lower priorities only.

    Args:
        world: (3,), the acceleration of world gravity, which comes last.
        count: number of points.
    """
    total = np.zeros((count, 3))
    going = np.ones(count, dtype=np.bool_)  # Where nothing has stopped it.
    ordered = sorted(influences, key=_rank)
    for _, group in groupby(ordered, key=_rank):
        together = list(group)
        for one in together:
            if one.replace:
                total[going & one.inside] = 0.0
        stopped = np.zeros(count, dtype=np.bool_)
        for one in together:
            here = going & one.inside
            total[here] += one.acceleration[here]
            if one.stop:
                stopped |= here
        going &= ~stopped
    total[going] += np.asarray(world, dtype=np.float64)
    return total


def _rank(influence: Influence) -> int:
    return -influence.priority
