"""Which volumes of gravity have a middle that bodies can fall into, as no collider covers it."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from ..geometry import gravity_field
from ..geometry.arrays import Array
from ..model.gravity import DiscGravity, GravityField, LineGravity, PointGravity, TorusGravity
from .gravity_guard import gravity_of, placed_in, scale_of
from .overlap import contains, hull_of
from .world import World

_AROUND: Final = np.concatenate([np.eye(3), -np.eye(3)])
_TURNS: Final = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
_ROUND: Final = np.stack([np.cos(_TURNS), np.zeros(8), np.sin(_TURNS)], axis=1)


def open_middles(world: World, dt: float) -> dict[int, float]:
    """How near to their middle the pull of volumes is weaker than it says, m, by node.

    Only those whose pull grows without end, up to what steps can follow, where no collider
    keeps bodies away. What stands on the shape of shaped gravity is kept away by its own size.

    Args:
        dt: s, of a frame.
    """
    found: dict[int, float] = {}
    if not any(body.type == "dynamic" for body in world.bodies):
        return found
    state, masses = world.state(), world.masses()
    for volume in world.volumes:
        if volume.gravity is None or not (scale := scale_of(volume)):
            continue
        gravity = gravity_of(volume)
        middle = _middle(gravity.field)
        if not len(middle) or gravity_field.unit_distance(gravity.field) <= 0.0:
            continue
        core = scale * gravity_field.core_of(gravity.field, gravity.gravity, scale, dt)
        places = (middle[:, None] * scale + core * _AROUND).reshape(-1, 3)
        origin, axes = placed_in(volume, np.zeros((1, 3)), state, masses)
        if core and not _is_covered(world, (places - origin) @ axes.T):
            found[volume.node] = core
    return found


def _middle(field: GravityField) -> Array:
    """Some places (k, 3) of what attracts, without the scale of the node."""
    if isinstance(field, PointGravity):
        return np.zeros((1, 3))
    if isinstance(field, DiscGravity):
        return np.concatenate([np.zeros((1, 3)), _ROUND * field.radius])
    if isinstance(field, TorusGravity):
        return _ROUND * field.radius
    if isinstance(field, LineGravity):
        ends = [np.array(point) for point in field.points]
        halves = [(one + other) / 2.0 for one, other in pairwise(ends)]
        return np.array([*ends, *halves]).reshape(-1, 3)
    return np.zeros((0, 3))


def _is_covered(world: World, points: Array) -> bool:
    """Whether each of the points (k, 3) is in a collider, a mesh being its hull."""
    left = points
    for body in world.bodies:
        for solid in body.solids:
            rotation = body.rotation @ solid.rotation
            local = (left - (body.rotation @ solid.place + body.place)) @ rotation
            hull = hull_of(solid.form)
            reach = np.linalg.norm(hull.points, axis=1) + hull.ball + hull.disc
            near = np.linalg.norm(local, axis=1) <= reach.max(initial=0.0)
            if near.any():
                left = left[~contains(solid.form, hull, local)]
    return not len(left)
