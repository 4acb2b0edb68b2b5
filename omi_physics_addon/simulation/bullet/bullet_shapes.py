"""The shapes of Bullet that single solids become, and points on their surfaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Final, Literal

import numpy as np

from ...axes import TO_GLTF, Axes
from ...geometry.arrays import Array, Indices
from ...model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from ..world import Body, Form, Mesh, Solid

Kind = Literal["BOX", "SPHERE", "CAPSULE", "CYLINDER", "CONE", "CONVEX_HULL", "MESH", "COMPOUND"]

# From the axes in which round shapes run along Z to those of glTF, where they run along Y.
UPRIGHT: Final = TO_GLTF
FAR: Final = 1000.0  # m, the length of the sides of an infinite plane.
THICK: Final = 1.0  # m, how thick a plane is, so that fast bodies do not pass it.
_BOX_TOLERANCE: Final = 1e-5  # Relative error of a corner of a mesh that is taken for a box.
_CIRCLE_CORNERS: Final = 32  # Corners of a circle.
_CUBE: Final = np.array(np.meshgrid((-0.5, 0.5), (-0.5, 0.5), (-0.5, 0.5))).reshape(3, -1).T


@dataclass(frozen=True, eq=False)
class BulletShape:
    """One collision shape of Bullet in its own axes; round ones run along Z.

    Attributes:
        vertices: (k, 3), whose bounding box is the size of a primitive, before it is scaled.
        triangles: (m, 3), for meshes.
        rotation, place: (3, 3) and (3,), in the proxy, before that is scaled.
    """

    kind: Kind
    vertices: Array
    triangles: Indices | None = None
    rotation: Array = field(default_factory=lambda: np.eye(3))
    place: Array = field(default_factory=lambda: np.zeros(3))


def primitive(form: Form) -> BulletShape | None:
    """The primitive of Bullet that is just like a solid; None where there is none."""
    kind: Kind
    if isinstance(form, Box):
        kind, size = "BOX", Axes().size_to_blender(form.size)
    elif isinstance(form, Sphere):
        kind, size = "SPHERE", (2.0 * form.radius,) * 3
    elif isinstance(form, (Capsule, Cylinder)) and form.radius_bottom == form.radius_top:
        across = 2.0 * form.radius_bottom
        kind, caps = ("CAPSULE", across) if isinstance(form, Capsule) else ("CYLINDER", 0.0)
        size = (across, across, form.height + caps)
    elif isinstance(form, Cylinder) and form.radius_top == 0.0:
        kind, size = "CONE", (2.0 * form.radius_bottom, 2.0 * form.radius_bottom, form.height)
    else:
        return None
    return BulletShape(kind, corners(np.array(size)))


def corners(size: Array) -> Array:
    """Two points (2, 3) whose bounding box has a size (3,)."""
    return np.array([-size / 2.0, size / 2.0])


def stopping(solid: Solid) -> Solid:
    """The same solid with the box below, which stops bodies, in place of a plane."""
    form = solid.form
    if not isinstance(form, Plane):
        return solid
    box = Box(size=(form.size_x or FAR, THICK, form.size_z or FAR))
    below = solid.rotation @ np.array((0.0, THICK / 2.0, 0.0))
    return replace(solid, form=box, place=solid.place - below)


def as_box(solid: Solid) -> Solid:
    """The same solid as a box where it is a hull that is one; boxes lie flat, hulls rock."""
    form = solid.form
    if not isinstance(form, Mesh) or not form.is_convex:
        return solid
    found = box_with(surface_points(form))
    if found is None:
        return solid
    (x, y, z), turn, middle = found
    place = solid.place + solid.rotation @ middle
    return replace(solid, form=Box(size=(x, y, z)), rotation=solid.rotation @ turn, place=place)


def box_with(corners: Array) -> tuple[list[float], Array, Array] | None:
    """The box that has some corners (k, 3); None where they are those of no box.

    Returns:
        Its three sizes, its axes (3, 3) as columns, and its middle (3,).
    """
    points = _distinct(corners)
    if len(points) != len(_CUBE):
        return None
    middle = points.mean(axis=0)
    edges = _edges(points)
    if edges is None:
        return None
    sizes = np.linalg.norm(edges, axis=0)
    ends = (points - middle) @ edges / (sizes**2 / 2.0)
    sides: set[tuple[bool, ...]] = {tuple(row) for row in (ends > 0.0).tolist()}
    if np.abs(np.abs(ends) - 1.0).max() > _BOX_TOLERANCE or len(sides) < len(points):
        return None
    turn, half = straightened(edges / sizes, sizes / 2.0)
    return (2.0 * half).tolist(), turn, middle


def _distinct(points: Array) -> Array:
    """Points (k, 3) without those in the place of another; files have one for each face there."""
    size = float(np.ptp(points, axis=0).max(initial=0.0)) * _BOX_TOLERANCE
    if not size:
        return points[:1]
    _, first = np.unique((points / size).round(), axis=0, return_index=True)
    return points[np.sort(first)]


def _edges(points: Array) -> Array | None:
    """Three edges (3, 3), as columns, that begin at the first of some corners at right angles."""
    away = points[1:] - points[0]
    away = away[np.argsort(np.linalg.norm(away, axis=1))]
    found: list[Array] = []
    for edge in away:
        length = float(np.linalg.norm(edge))
        limits = [_BOX_TOLERANCE * length * float(np.linalg.norm(other)) for other in found]
        if length and all(abs(edge @ o) <= most for o, most in zip(found, limits, strict=True)):
            found.append(edge)
    return np.array(found).T if len(found) == len(points[0]) else None


def straightened(turn: Array, half: Array) -> tuple[Array, Array]:
    """The same box with its axes named so that they are nearest to those around it.

    Args:
        turn: (3, 3), its axes as columns.
        half: (3,), half of its size along these.
    """
    order = max(permutations(range(3)), key=lambda chosen: np.abs(turn)[range(3), chosen].sum())
    named = turn[:, order] * np.where(turn[range(3), order] < 0.0, -1.0, 1.0)
    if np.linalg.det(named) < 0.0:
        named = named * (1.0, 1.0, -1.0)
    return named, half[list(order)]


def surface_points(form: Form) -> Array:
    """Points (k, 3) whose hull is a solid, in its own axes, round ones along Y."""
    if isinstance(form, Mesh):
        return form.corners[np.unique(form.triangles)]
    if isinstance(form, Box):
        return _CUBE * form.size
    if isinstance(form, Plane):
        x, z = form.size_x or FAR, form.size_z or FAR
        return surface_points(Box(size=(x, THICK, z))) - (0.0, THICK / 2.0, 0.0)
    if isinstance(form, Sphere):
        return _ball(form.radius)
    high, low = form.height / 2.0, -form.height / 2.0
    if isinstance(form, Capsule):
        bottom = _ball(form.radius_bottom) + (0.0, low, 0.0)
        return np.concatenate([bottom, _ball(form.radius_top) + (0.0, high, 0.0)])
    turns = np.linspace(0.0, 2.0 * np.pi, _CIRCLE_CORNERS, endpoint=False)
    ring = np.stack([np.cos(turns), np.zeros(_CIRCLE_CORNERS), np.sin(turns)], axis=1)
    ends = [ring * form.radius_bottom + (0.0, low, 0.0), ring * form.radius_top + (0.0, high, 0.0)]
    return np.unique(np.concatenate(ends).round(9), axis=0)


def points_of(body: Body) -> Array:
    """Points (k, 3) at the start, in the world, whose hull is a body with solids."""
    points = [surface_points(s.form) @ s.rotation.T + s.place for s in body.solids]
    return np.concatenate(points) @ body.rotation.T + body.place


def reach(body: Body) -> float:
    """The radius of the ball around the centre of mass that a body fills, m."""
    points, radii = rounded(body.solids)
    away: Array = np.linalg.norm(points - body.center, axis=1) + radii
    return float(away.max(initial=0.0))


def rounded(solids: Iterable[Solid]) -> tuple[Array, Array]:
    """Points (k, 3) in the body and radii (k,) of balls around them, whose hull is some solids."""
    points, radii = [np.zeros((0, 3))], [np.zeros(0)]
    for solid in solids:
        form = solid.form
        if isinstance(form, Sphere):
            own, around = np.zeros((1, 3)), np.array([form.radius])
        elif isinstance(form, Capsule):
            high = form.height / 2.0
            own = np.array([[0.0, -high, 0.0], [0.0, high, 0.0]])
            around = np.array([form.radius_bottom, form.radius_top])
        else:
            own = surface_points(form)
            around = np.zeros(len(own))
        points.append(own @ solid.rotation.T + solid.place)
        radii.append(around)
    return np.concatenate(points), np.concatenate(radii)


def _ball(radius: float) -> Array:
    """Points (k, 3) spread evenly over a sphere, along a spiral around Y, and its poles."""
    count = 150
    heights = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    turns = np.pi * (1.0 + np.sqrt(5.0)) * np.arange(count)
    rings = np.sqrt(1.0 - heights**2)
    spiral = np.stack([rings * np.cos(turns), heights, rings * np.sin(turns)], axis=1)
    ends = np.concatenate([np.eye(3), -np.eye(3)])
    return radius * np.concatenate([spiral, ends])
