"""The shapes of Bullet that stand for bodies, so that they collide and turn as they should.

Bullet's dynamic bodies turn about their origin, along the axes of which their inertia is that of
the box around the shape before it is scaled (`calculateLocalInertia`, btCompoundShape.cpp and the
others; only balls and cylinders are measured as such). So a proxy begins at the centre of mass,
along the principal axes, with the size of the box or the cylinder that has the inertia wanted, and
gets the size of the solid by its scale.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from ...geometry.arrays import Array
from ...model.shapes import Capsule, Cylinder, Sphere
from ..world import Body, Mesh, Solid
from . import bullet_compounds
from .bullet_shapes import (
    UPRIGHT,
    BulletShape,
    Kind,
    as_box,
    corners,
    primitive,
    stopping,
    straightened,
    surface_points,
)
from .filled_meshes import filled

_ALIGNMENT_TOLERANCE: Final = 1e-4  # Sine or relative difference that does not count.
_THINNEST_SHARE: Final = 1e-3  # Side of the thinnest box of inertia, relative to the longest.
_LARGEST_MOMENT_PER_MASS: Final = 1e6  # m², the moment per mass that stands for an infinite one.
# A quarter turn, as cylinders can only be stretched less along X than along Y.
_QUARTER_TURN: Final = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
# From the sides of a box to those of the cylinder of the same inertia.
_AS_CYLINDER: Final = np.array([np.sqrt(4.0 / 3.0), np.sqrt(4.0 / 3.0), 1.0])
HEAVIEST: Final = 1e6  # kg, stands for an infinite mass.
LIGHTEST: Final = 1e-3  # The least mass that Blender takes, kg.
_POSE_DECIMALS: Final = 6  # Decimals of places and rotations in which bodies that are alike agree.
# As many binary digits their moments agree in, in proportion to their mass.
_MOMENT_STEPS: Final = 2.0**40
_EDGE_RADIUS_M: Final = 0.01  # Radius of the edges of shapes, m; less than engines have by default.
_EDGE_RADIUS_SHARE: Final = 0.05  # Of the thinnest side, where that is less.


@dataclass(frozen=True, eq=False)
class Proxy:
    """What stands for a body, or for one solid of a body that forces do not move.

    Attributes:
        parts: one, or several for a compound; none for what does not collide.
        scale: (3,), along the axes of the proxy.
        axes: (3, 3), the axes of the proxy as columns, in the body's space.
        place: (3,), its origin in the body's space.
        solids: what it stands for.
        is_compound: whether the parts are shapes of their own, at places of their own.
        share: of the mass of the body, whose other proxies are welded to it.
    """

    parts: tuple[BulletShape, ...]
    scale: Array
    axes: Array
    place: Array
    solids: tuple[Solid, ...]
    is_compound: bool = False
    share: float = 1.0

    @cached_property
    def margin(self) -> float:
        """How deep others may get into it while Bullet surely finds the way out, m.

        Boxes and cylinders keep their size with it, only their edges are round; without it they
        sink into meshes at times, and are thrown out. Hulls and cones would grow by it.
        """
        if self.is_compound or not self.parts or self.parts[0].kind not in ("BOX", "CYLINDER"):
            return 0.0
        sizes = np.ptp(self.parts[0].vertices, axis=0) * self.scale
        return float(edges(sizes.min()))


def edges(thickness: Array) -> Array:
    """The radius of the edges of boxes and cylinders of some thickness, m."""
    return np.minimum(_EDGE_RADIUS_M, _EDGE_RADIUS_SHARE * thickness)


def proxies_of(bodies: Iterable[Body]) -> list[tuple[Proxy, ...]]:
    """What stands for each of some bodies; those that are alike share it."""
    known: dict[tuple[object, ...], tuple[Proxy, ...]] = {}
    found: list[tuple[Proxy, ...]] = []
    for body in filled([*bodies]):
        key = _likeness(body)
        if key not in known:
            known[key] = proxies(body)
        found.append(known[key])
    return found


def _likeness(body: Body) -> tuple[object, ...]:
    """All that decides what stands for a body."""
    numbers = [body.center, body.principal_axes.ravel()]
    for solid in body.solids:
        numbers += [solid.rotation.ravel(), solid.place]
    solids = tuple((solid.form, solid.material, solid.filter) for solid in body.solids)
    at = (np.concatenate(numbers).round(_POSE_DECIMALS) + 0.0).tobytes()
    digits, powers = np.frexp(body.moments / min(body.mass, HEAVIEST))
    moments = np.ldexp(np.round(digits * _MOMENT_STEPS) / _MOMENT_STEPS, powers).tobytes()
    return body.type, body.is_animated, moments, at, solids


def proxies(body: Body) -> tuple[Proxy, ...]:
    """What stands for a body; see `parts_of`."""
    groups = [tuple(as_box(solid) for solid in part) for part in parts_of(body)]
    if body.is_forced:
        made = (_dynamic(body, group) for group in groups)
        return tuple(replace(proxy, share=1.0 / len(groups)) for proxy in made)
    nothing = Proxy((), np.ones(3), np.eye(3), np.zeros(3), ())
    return tuple(_still(*group) if group else nothing for group in groups)


def parts_of(body: Body) -> list[tuple[Solid, ...]]:
    """The solids of each proxy of a body; at least one proxy, which may have none.

    One proxy for each solid where no forces move it, else one for each material and filter of
    its solids, as Bullet's bodies have one of each.
    """
    parts: dict[object, list[Solid]] = {}
    for at, solid in enumerate(body.solids):
        key = (solid.material, solid.filter) if body.is_forced else at
        parts.setdefault(key, []).append(solid)
    return [tuple(part) for part in parts.values()] or [()]


def _still(solid: Solid) -> Proxy:
    shown = stopping(solid)
    form = shown.form
    part = primitive(form)
    if part is None:
        points = surface_points(form) @ UPRIGHT
        part = BulletShape("CONVEX_HULL", points)
        if isinstance(form, Mesh) and not form.is_convex:
            part = BulletShape("MESH", points, form.triangles)
    return Proxy((part,), np.ones(3), solid.rotation @ UPRIGHT, shown.place, (solid,))


def _dynamic(body: Body, solids: tuple[Solid, ...]) -> Proxy:
    moments = body.moments / min(body.mass, HEAVIEST)
    moments = np.minimum(
        np.where(np.isfinite(body.moments), moments, _LARGEST_MOMENT_PER_MASS),
        _LARGEST_MOMENT_PER_MASS,
    )
    if len(solids) == 1 and np.abs(solids[0].place - body.center).max() < _ALIGNMENT_TOLERANCE:
        found = _centered(solids[0], body, moments)
        if found is not None:
            return found
    size, _ = box_of(moments)
    if not solids:
        nothing = BulletShape("BOX", corners(size))
        scale = np.full(3, 1e-3)
        return Proxy((nothing,), scale, body.principal_axes, body.center, ())
    tries = [_compound(body, solids, frame) for frame in _frames(body, solids, size)]
    hulls = [[part.kind for part in parts].count("CONVEX_HULL") for parts, *_ in tries]
    parts, scale, axes = tries[hulls.index(min(hulls))]
    is_compound = [part.kind for part in parts] != ["CONVEX_HULL"]
    return Proxy(parts, scale, axes, body.center, solids, is_compound)


def _frames(body: Body, solids: tuple[Solid, ...], size: Array) -> list[tuple[Array, Array]]:
    """Axes of the inertia, along the first solid's as far as can be, and the sizes along them."""
    first = solids[0].rotation @ UPRIGHT
    turn, half = straightened(first.T @ body.principal_axes, size / 2.0)
    frames = [(first @ turn, 2.0 * half)]
    if any(isinstance(solid.form, Cylinder) for solid in solids):
        frames.append((first @ turn @ _QUARTER_TURN, 2.0 * half[[1, 0, 2]]))
    return frames


def _compound(
    body: Body, solids: tuple[Solid, ...], frame: tuple[Array, Array]
) -> tuple[tuple[BulletShape, ...], Array, Array]:
    """Parts, scale and axes of a compound in a frame of the inertia."""
    axes, size = frame
    into = axes.T
    placed = [(s.form, into @ s.rotation, into @ (s.place - body.center)) for s in solids]
    return (*bullet_compounds.assembled(placed, size, _THINNEST_SHARE), axes)


def _centered(solid: Solid, body: Body, moments: Array) -> Proxy | None:
    """A primitive around the centre of mass; None where it cannot have the inertia."""
    axes = solid.rotation @ UPRIGHT
    turn = axes.T @ body.principal_axes
    tensor = (turn * moments) @ turn.T
    size, _ = box_of(np.diag(tensor))
    straight = (
        np.abs(tensor - np.diag(np.diag(tensor))).max() < _ALIGNMENT_TOLERANCE * moments.max()
    )
    if not straight:
        return None
    form = solid.form
    kind: Kind = "SPHERE"
    if isinstance(form, Sphere):
        if np.ptp(moments) > _ALIGNMENT_TOLERANCE * moments.max():
            return None
        radius = float(np.sqrt(moments[0] / 0.4))
        base, scale = np.full(3, 2.0 * radius), np.full(3, form.radius / radius)
    else:
        part = primitive(form)
        if part is None or part.kind == "CONE":
            return None
        kind, target = part.kind, np.ptp(part.vertices, axis=0)
        if kind != "BOX" and abs(size[0] - size[1]) > _ALIGNMENT_TOLERANCE * size.max():
            return None
        base = size * _AS_CYLINDER if kind == "CYLINDER" else size
        scale = target / base
        if isinstance(form, Capsule):  # Its radius and its height are scaled, not its length.
            if size[2] - size[0] < _THINNEST_SHARE * size[2]:
                return None
            scale[2] = form.height / (size[2] - size[0])
    return Proxy((BulletShape(kind, corners(base)),), scale, axes, solid.place, (solid,))


def box_of(moments: Array) -> tuple[Array, bool]:
    """The sides (3,) of the box that has moments (3,) per mass, and whether there is one.

    Of three moments none can be larger than the sum of the others; where one is, the box is thin.
    """
    squares = 6.0 * (moments.sum() - 2.0 * moments)
    least = float(squares.max()) * _THINNEST_SHARE**2
    sides: Array = np.sqrt(np.maximum(squares, least))
    return sides, bool((squares > -_ALIGNMENT_TOLERANCE * squares.max()).all())
