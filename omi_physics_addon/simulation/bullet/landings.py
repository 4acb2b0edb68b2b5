"""Which bodies land on an edge or a corner, where Bullet's friction falls short.

What lands there begins to turn and to slip in the same moment. Bullet brakes a contact along one
direction only: along that in which it slipped before, or along an axis of the world where it did
not (`btSequentialImpulseConstraintSolver`, without SOLVER_USE_2_FRICTION_DIRECTIONS, which Blender
does not set). The blow across that direction goes unbraked. A cube of 1 m with a friction of 0.5
that falls by 1 m on a corner comes to rest 0.4 to 0.5 m away from where the equations of a rigid
body have it, with which other engines agree; without friction Bullet does, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from ...geometry.arrays import Array
from ...model.shapes import Sphere
from ..world import Body, Mesh
from .bullet_shapes import points_of, rounded
from .filled_meshes import filled

_CORNERS: Final = np.array(np.meshgrid((0, 1), (0, 1), (0, 1))).reshape(3, -1).T
_FLAT: Final = 5e-3  # Share of the size of a body by which it may be tilted and land flat.


def on_edges(bodies: Sequence[Body], chosen: Iterable[int], pull: Array) -> list[int]:
    """Those of the chosen bodies that tip over when they land as they stand at the start.

    Args:
        chosen: that move freely.
        pull: (n, 3), what accelerates each body at the start, m/s².
    """
    return [
        i
        for i in chosen
        if _brakes(bodies[i]) and _tips(bodies[i], pull[i]) and not _is_ball(bodies[i])
    ]


def lopsided(bodies: Sequence[Body], chosen: Iterable[int], pull: Array) -> list[int]:
    """Those of the chosen bodies that are balls and do not balance as they stand at the start.

    They have no edge, and begin to roll and to slip where they land.

    Args:
        chosen: that move freely.
        pull: (n, 3), what accelerates each body at the start, m/s².
    """
    return [i for i in chosen if _is_ball(b := bodies[i]) and _brakes(b) and _tips(b, pull[i])]


def _is_ball(body: Body) -> bool:
    return len(body.solids) == 1 and isinstance(body.solids[0].form, Sphere)


def on_triangles(bodies: Sequence[Body], chosen: Iterable[int], pull: Array) -> list[int]:
    """Those of the chosen bodies that come down flat on a mesh of triangles that stands still.

    Bullet finds one place where each triangle is touched, and a blow there turns what lies flat.

    Args:
        chosen: that move freely.
        pull: (n, 3), what accelerates each body at the start, m/s².
    """
    ground = [
        solid.form.corners @ (body.rotation @ solid.rotation).T
        + (body.rotation @ solid.place + body.place)
        for body in filled(bodies)
        if body.type == "static"
        for solid in body.solids
        if isinstance(solid.form, Mesh) and not solid.form.is_convex and len(solid.form.corners)
    ]
    if not ground:
        return []
    ends = np.array([(points.min(axis=0), points.max(axis=0)) for points in ground])
    corners = ends[:, _CORNERS, range(3)]
    return [i for i in chosen if _lies(bodies[i], pull[i]) and _below(bodies[i], pull[i], corners)]


def _lies(body: Body, pull: Array) -> bool:
    """Whether at least three corners of a body would touch level ground at once."""
    strength = float(np.linalg.norm(pull))
    if strength == 0.0 or body.spin.any() or _tips(body, pull):
        return False
    down = body.rotation.T @ pull / strength
    points, radii = rounded(body.solids)
    depth = points @ down + radii
    size = float(depth.max() - (points @ down).min())
    under = points[(depth > depth.max() - _FLAT * size) & (radii == 0.0)]
    return len(under) > 2 and np.linalg.matrix_rank(under - under[0], tol=_FLAT * size) > 1


def _below(body: Body, pull: Array, corners: Array) -> bool:
    """Whether any of some boxes with corners (m, 8, 3) is below a body."""
    down = pull / np.linalg.norm(pull)
    frame = np.linalg.svd(down[None])[2]  # The first axis is along it.
    frame[0] = down
    own = points_of(body) @ frame.T
    others = corners @ frame.T
    meets = (others.max(axis=1) > own.min(axis=0)) & (others.min(axis=1) < own.max(axis=0))
    return bool((meets[:, 1:].all(axis=1) & (others.max(axis=1)[:, 0] > own[:, 0].min())).any())


def _brakes(body: Body) -> bool:
    """Whether a body has any friction."""
    return any(one.material is None or one.material.dynamic_friction > 0.0 for one in body.solids)


def _tips(body: Body, pull: Array) -> bool:
    """Whether the centre of mass is beside all that touches level ground first."""
    strength = float(np.linalg.norm(pull))
    if strength == 0.0 or body.spin.any() or body.velocity.any():
        return False
    down = body.rotation.T @ pull / strength
    points, radii = rounded(body.solids)
    points = points - body.center
    depth = points @ down + radii
    size = float(depth.max() - (points @ down).min())
    beside = points - np.outer(points @ down, down)
    beside = beside[depth > depth.max() - _FLAT * size]
    away = np.linalg.norm(beside, axis=1)
    if away.min() <= _FLAT * size:
        return False
    first: Array = beside[0] / away[0]
    second: Array = np.cross(down, first)
    angles: Array = np.sort(np.arctan2(beside @ second, beside @ first))
    around = np.concatenate([angles, angles[:1] + 2.0 * np.pi])
    return bool((np.diff(around) > np.pi + _FLAT).any())
