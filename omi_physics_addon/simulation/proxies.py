"""The shapes of Bullet that stand for bodies, so that they collide and turn as they should.

Bullet's dynamic bodies turn about their origin, along the axes of which their inertia is that of
the box around the shape before it is scaled (`calculateLocalInertia`, btCompoundShape.cpp and the
others; only balls are measured as such). So a proxy begins at the centre of mass, along the
principal axes, with the size of the box that has the inertia wanted, and gets the size of the
solid by its scale.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from ..model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from .state import Array, Indices
from .world import Body, Form, Mesh, Solid

Kind = Literal["BOX", "SPHERE", "CAPSULE", "CYLINDER", "CONE", "CONVEX_HULL", "MESH", "COMPOUND"]

# From the axes in which round shapes run along Z to those of glTF, where they run along Y.
UPRIGHT: Final = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
FAR: Final = 1000.0  # m, the length of the sides of an infinite plane.
_THICK: Final = 1.0  # m, how thick a plane is, so that fast bodies do not pass it.
_STRAIGHT: Final = 1e-4  # Sine or relative difference that does not count.
_THINNEST: Final = 1e-3  # Side of the thinnest box of inertia, relative to the longest.
_STIFF: Final = 1e6  # m², the moment per mass that stands for an infinite one.
_AROUND: Final = 32  # Corners of a circle.
HEAVIEST: Final = 1e6  # kg, stands for an infinite mass.
_DIGITS: Final = 9  # Decimals in which bodies that are alike agree.
_CUBE: Final = np.array(np.meshgrid((-0.5, 0.5), (-0.5, 0.5), (-0.5, 0.5))).reshape(3, -1).T


@dataclass(frozen=True, eq=False)
class Part:
    """A shape of Bullet in its own axes; round ones run along Z.

    Attributes:
        vertices: (k, 3), whose bounding box is the size of a primitive, before it is scaled.
        triangles: (m, 3), for meshes.
        rotation, place: (3, 3) and (3,), in the proxy, before that is scaled.
    """

    kind: Kind
    vertices: Array
    triangles: Indices | None
    rotation: Array
    place: Array


@dataclass(frozen=True, eq=False)
class Proxy:
    """What stands for a body, or for one solid of a body that forces do not move.

    Attributes:
        parts: one, or several for a compound; none for what does not collide.
        scale: (3,), along the axes of the proxy.
        axes: (3, 3), the axes of the proxy as columns, in the body's space.
        place: (3,), its origin in the body's space.
        solids: what it stands for.
        is_exact: whether the inertia is what was asked for.
    """

    parts: tuple[Part, ...]
    scale: Array
    axes: Array
    place: Array
    solids: tuple[Solid, ...]
    is_exact: bool = True


def proxies_of(bodies: Iterable[Body]) -> list[tuple[Proxy, ...]]:
    """What stands for each of some bodies; those that are alike share it."""
    known: dict[tuple[object, ...], tuple[Proxy, ...]] = {}
    found: list[tuple[Proxy, ...]] = []
    for body in bodies:
        key = _likeness(body)
        if key not in known:
            known[key] = proxies(body)
        found.append(known[key])
    return found


def _likeness(body: Body) -> tuple[object, ...]:
    """All that decides what stands for a body."""
    numbers = [body.center, body.principal_axes.ravel(), body.moments]
    for solid in body.solids:
        numbers += [solid.rotation.ravel(), solid.place]
    solids = tuple((solid.form, solid.material, solid.filter) for solid in body.solids)
    at = (np.concatenate(numbers).round(_DIGITS) + 0.0).tobytes()
    return body.type, body.is_animated, body.mass, at, solids


def proxies(body: Body) -> tuple[Proxy, ...]:
    """What stands for a body: one proxy where forces move it, else one for each solid."""
    if body.type == "dynamic" and not body.is_animated:
        return (_dynamic(body),)
    found = tuple(_still(solid) for solid in body.solids)
    return found or (Proxy((), np.ones(3), np.eye(3), np.zeros(3), ()),)


def _still(solid: Solid) -> Proxy:
    form = solid.form
    place = solid.place
    if isinstance(form, Plane):
        size = (form.size_x or FAR, _THICK, form.size_z or FAR)
        place = place - solid.rotation @ np.array((0.0, _THICK / 2.0, 0.0))
        form = Box(size=size)
    part = _primitive(form)
    if part is None:
        points = surface_points(form)
        kind: Kind = "CONVEX_HULL"
        triangles = None
        if isinstance(form, Mesh) and not form.is_convex:
            kind, triangles = "MESH", form.triangles
        part = Part(kind, points @ UPRIGHT, triangles, np.eye(3), np.zeros(3))
    return Proxy((part,), np.ones(3), solid.rotation @ UPRIGHT, place, (solid,))


def _dynamic(body: Body) -> Proxy:
    moments = body.moments / min(body.mass, HEAVIEST)
    moments = np.minimum(np.where(np.isfinite(body.moments), moments, _STIFF), _STIFF)
    solids = body.solids
    if len(solids) == 1 and np.abs(solids[0].place - body.center).max() < _STRAIGHT:
        found = _centered(solids[0], body, moments)
        if found is not None:
            return found
    size, is_exact = box_of(moments)
    if not solids:
        part = Part("BOX", _corners(size), None, np.eye(3), np.zeros(3))
        scale = np.full(3, 1e-3)
        return Proxy((part,), scale, body.principal_axes, body.center, (), is_exact)
    return _hulls(body, size, is_exact)


def _centered(solid: Solid, body: Body, moments: Array) -> Proxy | None:
    """A primitive around the centre of mass; None where it cannot have the inertia."""
    axes = solid.rotation @ UPRIGHT
    turn = axes.T @ body.principal_axes
    tensor = (turn * moments) @ turn.T
    size, is_exact = box_of(np.diag(tensor))
    straight = np.abs(tensor - np.diag(np.diag(tensor))).max() < _STRAIGHT * moments.max()
    if not straight:
        return None
    form = solid.form
    if isinstance(form, Sphere):
        if np.ptp(moments) > _STRAIGHT * moments.max():
            return None
        radius = float(np.sqrt(moments[0] / 0.4))
        base, scale = np.full(3, 2.0 * radius), np.full(3, form.radius / radius)
    else:
        part = _primitive(form)
        if part is None or part.kind == "CONE":
            return None
        target = np.ptp(part.vertices, axis=0)
        if part.kind != "BOX" and abs(size[0] - size[1]) > _STRAIGHT * size.max():
            return None
        base, scale = size, target / size
        if isinstance(form, Capsule):  # Its radius and its height are scaled, not its length.
            if size[2] - size[0] < _THINNEST * size[2]:
                return None
            scale[2] = form.height / (size[2] - size[0])
    kind = "SPHERE" if isinstance(form, Sphere) else _kind(form)
    return Proxy(
        (Part(kind, _corners(base), None, np.eye(3), np.zeros(3)),),
        scale,
        axes,
        solid.place,
        (solid,),
        is_exact,
    )


def _hulls(body: Body, size: Array, is_exact: bool) -> Proxy:
    """Hulls in the axes of the inertia."""
    into = body.principal_axes.T
    clouds = [
        (surface_points(solid.form) @ solid.rotation.T + solid.place - body.center) @ into.T
        for solid in body.solids
    ]
    extent = np.ptp(np.concatenate(clouds), axis=0)
    scale = np.maximum(extent, _THINNEST * extent.max()) / size
    parts = tuple(
        Part("CONVEX_HULL", cloud / scale, None, np.eye(3), np.zeros(3)) for cloud in clouds
    )
    return Proxy(parts, scale, body.principal_axes, body.center, body.solids, is_exact)


def _kind(form: Form) -> Kind:
    if isinstance(form, Box):
        return "BOX"
    return "CAPSULE" if isinstance(form, Capsule) else "CYLINDER"


def _primitive(form: Form) -> Part | None:
    """The primitive of Bullet that is just like a solid; None where there is none."""
    kind: Kind
    turn = np.eye(3)
    if isinstance(form, Box):
        x, y, z = form.size
        kind, size = "BOX", (x, z, y)
    elif isinstance(form, Sphere):
        kind, size = "SPHERE", (2.0 * form.radius,) * 3
    elif isinstance(form, (Capsule, Cylinder)) and form.radius_bottom == form.radius_top:
        across = 2.0 * form.radius_bottom
        caps = across if isinstance(form, Capsule) else 0.0
        kind, size = _kind(form), (across, across, form.height + caps)
    elif isinstance(form, Cylinder) and form.radius_top == 0.0:
        kind, size = "CONE", (2.0 * form.radius_bottom, 2.0 * form.radius_bottom, form.height)
    else:
        return None
    return Part(kind, _corners(np.array(size)), None, turn, np.zeros(3))


def _corners(size: Array) -> Array:
    """Two points (2, 3) whose bounding box has a size (3,)."""
    return np.array([-size / 2.0, size / 2.0])


def box_of(moments: Array) -> tuple[Array, bool]:
    """The sides (3,) of the box that has moments (3,) per mass, and whether there is one.

    Of three moments none can be larger than the sum of the others; where one is, the box is thin.
    """
    squares = 6.0 * (moments.sum() - 2.0 * moments)
    least = float(squares.max()) * _THINNEST**2
    sides: Array = np.sqrt(np.maximum(squares, least))
    return sides, bool((squares > -_STRAIGHT * squares.max()).all())


def surface_points(form: Form) -> Array:
    """Points (k, 3) whose hull is a solid, in its own axes, round ones along Y."""
    if isinstance(form, Mesh):
        return form.corners[np.unique(form.triangles)]
    if isinstance(form, Box):
        return _CUBE * form.size
    if isinstance(form, Plane):
        x, z = form.size_x or FAR, form.size_z or FAR
        return surface_points(Box(size=(x, _THICK, z))) - (0.0, _THICK / 2.0, 0.0)
    if isinstance(form, Sphere):
        return _ball(form.radius)
    high, low = form.height / 2.0, -form.height / 2.0
    if isinstance(form, Capsule):
        bottom = _ball(form.radius_bottom) + (0.0, low, 0.0)
        return np.concatenate([bottom, _ball(form.radius_top) + (0.0, high, 0.0)])
    turns = np.linspace(0.0, 2.0 * np.pi, _AROUND, endpoint=False)
    ring = np.stack([np.cos(turns), np.zeros(_AROUND), np.sin(turns)], axis=1)
    ends = [ring * form.radius_bottom + (0.0, low, 0.0), ring * form.radius_top + (0.0, high, 0.0)]
    return np.unique(np.concatenate(ends).round(9), axis=0)


def _ball(radius: float) -> Array:
    """Points (k, 3) spread evenly over a sphere, along a spiral around Y, and its poles."""
    count = 150
    heights = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    turns = np.pi * (1.0 + np.sqrt(5.0)) * np.arange(count)
    rings = np.sqrt(1.0 - heights**2)
    spiral = np.stack([rings * np.cos(turns), heights, rings * np.sin(turns)], axis=1)
    ends = np.concatenate([np.eye(3), -np.eye(3)])
    return radius * np.concatenate([spiral, ends])
