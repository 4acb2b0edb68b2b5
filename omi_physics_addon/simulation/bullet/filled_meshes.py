"""Static meshes of triangles that are flat, or the skin of a box, as solids.

Bullet finds one place where a shape touches each triangle, so that what comes down flat on a mesh
is thrown aside, a box of 1 m by up to 0.7 m; on boxes it lands flat. In front of a flat mesh and
around a box there is little difference besides; where something that moves begins behind or inside,
the mesh stays one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ...geometry.arrays import Array, face_normals
from ...model.shapes import Box
from ..world import Body, Mesh, Solid
from .bullet_shapes import THICK, box_with, points_of, surface_points

_FLAT: Final = 1e-5  # Of its size, how far from flat a mesh may be.
_WHOLE: Final = 1e-3  # By which share its triangles may cover more or less.
_THICKNESS: Final = 0.05  # m, of what is flat; but at most a tenth of its shorter side.
_THINNEST: Final = 0.1
_BEHIND: Final = 1e-3  # m, how deep something may begin in it.

_Box = tuple[list[float], Array, Array]  # As `box_with` gives it.


def filled(bodies: Sequence[Body]) -> list[Body]:
    """The bodies, with solids in place of the meshes of those that stand still."""
    candidates = [i for i, b in enumerate(bodies) if b.stands and any(map(_is_skin, b.solids))]
    found = list(bodies)
    if not candidates:
        return found
    movers = _Movers([body for body in bodies if not body.stands])
    known: dict[object, _Box | None] = {}
    for i in candidates:
        body = bodies[i]
        solids = tuple(_filled(body, solid, movers, known) for solid in body.solids)
        found[i] = replace(body, solids=solids)
    return found


class _Movers:
    """Where all that moves begins: balls around bodies, and points of them where these are near."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        places, radii = list[Array](), list[float]()
        every = [body for body in bodies if body.solids]
        for body in every:
            points = points_of(body)
            middle = (points.max(axis=0) + points.min(axis=0)) / 2.0
            places.append(middle)
            radii.append(float(np.linalg.norm(points - middle, axis=1).max(initial=0.0)))
        order = np.argsort([place[0] for place in places])
        self._bodies = [every[i] for i in map(int, order)]
        self._places = np.array(places).reshape(-1, 3)[order]
        self._radii = np.array(radii)[order]
        self._largest = float(self._radii.max(initial=0.0))

    def any_in(self, low: Array, high: Array, rotation: Array, place: Array) -> bool:
        """Whether a point of any is between two corners (3,) of a box in a frame."""
        # Of those that are sorted along X, only a few are near.
        middle = place[0] + float(rotation[0] @ (low + high)) / 2.0
        reach = float(np.abs(rotation[0]) @ (high - low)) / 2.0 + self._largest
        first, last = np.searchsorted(self._places[:, 0], (middle - reach, middle + reach))
        into = (self._places[first:last] - place) @ rotation
        radii = self._radii[first:last, None]
        near = ((into + radii > low) & (into - radii < high)).all(axis=1)
        for i in map(int, np.flatnonzero(near) + first):
            points = (points_of(self._bodies[i]) - place) @ rotation
            if ((points > low) & (points < high)).all(axis=1).any():
                return True
            # What has no corner inside may still reach through.
            least, most = points.min(axis=0), points.max(axis=0)
            meets = ((least < high) & (most > low)).all()
            if meets and ((least < low) & (most > high)).any():
                return True
        return False


def _is_skin(solid: Solid) -> bool:
    return isinstance(solid.form, Mesh) and not solid.form.is_convex


def _filled(body: Body, solid: Solid, movers: _Movers, known: dict[object, _Box | None]) -> Solid:
    form = solid.form
    if not isinstance(form, Mesh) or form.is_convex:
        return solid
    if id(form) not in known:
        known[id(form)] = (_slab(form) or _box(form)) if len(form.triangles) else None
    made = known[id(form)]
    if made is None:
        return solid
    (x, y, z), turn, middle = made
    rotation, place = solid.rotation @ turn, solid.rotation @ middle + solid.place
    half = np.array((x, y, z)) / 2.0 - _BEHIND
    if movers.any_in(-half, half, body.rotation @ rotation, body.rotation @ place + body.place):
        return solid
    return replace(solid, form=Box(size=(x, y, z)), rotation=rotation, place=place)


def _areas(form: Mesh) -> tuple[Array, Array]:
    """Normals (m, 3) of triangles, and their areas (m,)."""
    across = face_normals(form.corners, form.triangles)
    double = np.linalg.norm(across, axis=1)
    return across / np.where(double > 0.0, double, 1.0)[:, None], double / 2.0


def _slab(form: Mesh) -> _Box | None:
    """A box behind a flat mesh that is a rectangle, which it covers once; None for others."""
    normals, areas = _areas(form)
    normal = (normals * areas[:, None]).sum(axis=0)
    area = float(areas.sum())
    if not area or np.linalg.norm(normal) < (1.0 - _WHOLE) * area:
        return None
    normal /= np.linalg.norm(normal)
    points = surface_points(form)
    size = float(np.ptp(points, axis=0).max())
    height = points @ normal
    if np.ptp(height) > _FLAT * size:
        return None
    away = _farthest(points - height.mean() * normal)
    box = box_with(np.concatenate([away, away - THICK * normal]))
    if box is None:
        return None
    lengths, turn, middle = box
    up = int(np.abs(normal @ turn).argmax())
    sides = [length for axis, length in enumerate(lengths) if axis != up]
    if abs(sides[0] * sides[1] - area) > _WHOLE * area:
        return None
    thin = min(_THICKNESS, _THINNEST * min(sides))
    lengths[up] = thin
    return lengths, turn, middle + normal * (height.mean() + (THICK - thin) / 2.0)


def _box(form: Mesh) -> _Box | None:
    """The box whose whole surface a mesh is, seen from outside; None for others."""
    box = box_with(_farthest(surface_points(form)))
    if box is None:
        return None
    (x, y, z), _, middle = box
    normals, areas = _areas(form)
    whole = 2.0 * (x * y + y * z + z * x)
    outward = form.corners[form.triangles[:, 0]] - middle
    is_outward = bool(((normals * outward).sum(axis=1) >= 0.0).all())
    return box if is_outward and abs(float(areas.sum()) - whole) < _WHOLE * whole else None


def _farthest(points: Array) -> Array:
    """The points (k, 3) that are the farthest from their middle: corners, of boxes."""
    middle = (points.max(axis=0) + points.min(axis=0)) / 2.0
    away = np.linalg.norm(points - middle, axis=1)
    return points[away > (1.0 - _FLAT) * away.max()]
