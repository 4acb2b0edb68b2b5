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
_PHASE: Final = 0.5  # rad, by which a body near the middle may go on in a step.


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
    return along(field, gravity, displacements(field, places, surface))


def displacements(field: GravityField, points: Array, surface: Nearest | None = None) -> Array:
    """Vectors (n, 3) from points (n, 3) to what attracts them; zero where no place does."""
    target = _target(field, surface)
    return np.zeros_like(points) if target is None else target(points) - points


def along(field: GravityField, gravity: float, away: Array, core: float = 0.0) -> Array:
    """The acceleration (n, 3) of what has ways (n, 3) to what attracts it, as `ways` gives them.

    Args:
        core: m, the distance below which it falls to nothing in the middle, in proportion, as
            inside an even ball.
    """
    if isinstance(field, DirectionalGravity):
        return np.tile(gravity * _unit(field.direction), (len(away), 1))
    distance = np.sqrt(np.sum(away * away, axis=1))
    result = np.zeros_like(away)
    far = distance > 0.0
    held = np.maximum(distance[far], core)
    strength = _strength(gravity, unit_distance(field), held)
    result[far] = away[far] * (strength / held)[:, None]
    return result


def potential(field: GravityField, gravity: float, distance: Array, core: float) -> Array:
    """The energy (n,) that weight has at distances (n,) from what attracts it, J/kg.

    Args:
        core: m, above zero; as in `acceleration`.
    """
    unit = unit_distance(field)
    held = np.maximum(distance, core)
    outside = gravity * held if unit <= 0.0 else -gravity * unit * unit / held
    slope = _strength(gravity, unit, np.full(1, core))[0] / core
    return outside + 0.5 * slope * (np.minimum(distance, core) ** 2 - core * core)


def core_of(field: GravityField, gravity: float, scale: float, dt: float) -> float:
    """How near to what attracts it a step can follow a body, m before the scale of the node.

    There a body would swing with the angular frequency of the core, of which a step is to be half
    a radian: what falls to there moves by about that distance in a step.

    Args:
        scale: of the node.
        dt: s, of the step.
    """
    unit = unit_distance(field)
    reach = abs(gravity) * (dt / _PHASE) ** 2 / scale
    return float(reach if unit <= 0.0 else np.cbrt(reach * unit * unit))


def unit_distance(field: GravityField) -> float:
    """Where a field has its strength, m; zero for the same strength everywhere."""
    if isinstance(field, DirectionalGravity | OtherGravity):
        return 0.0
    return field.unit_distance


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
