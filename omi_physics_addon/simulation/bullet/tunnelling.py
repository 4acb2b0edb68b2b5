"""Which bodies are so fast that an engine's steps may carry them through something thin.

Bullet looks for contacts at the ends of its steps only, unless it is told to follow bodies on
their way, which Blender has no setting for. Whoever is past the middle of a thing at the end of a
step is pushed out on its far side. So a body may pass where a step is longer than half of the
body's own thickness and half of that of the thing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags
from ..world import Body, Form, Mesh, Solid
from .bullet_shapes import surface_points
from .passing import thickness
from .proxies import edges

_MIN_DISTANCE: Final = 1e-12


@dataclass(frozen=True, eq=False)
class _Block:
    """The box around a solid.

    Attributes:
        middle: (3,), in the world, m.
        axes: (3, 3), as columns, in the world.
        half: (3,), half of its sides, m.
        is_hollow: whether only its surface stops anything.
    """

    middle: Array
    axes: Array
    half: Array
    is_hollow: bool


def too_fast(
    bodies: Sequence[Body],
    moving: Flags,
    pull: Array,
    step: float,
    may_touch: Callable[[int, int], bool],
) -> list[tuple[int, float]]:
    """Bodies that may pass through others, on their first way as these see it.

    That way is straight along the velocity of the start, or along what pulls; the speed is what it
    has then and gains so far. What joints and hits do on the way is not known.

    Args:
        moving: (n,), which of the bodies forces move.
        pull: (n, 3), what accelerates each of them at the start, m/s².
        step: s, of the engine.
        may_touch: whether two bodies meet at all.

    Returns:
        The index of each, and the longest step, s, with which it passes nothing.
    """
    which: list[int] = [i for i in np.flatnonzero(moving).tolist() if bodies[i].solids]
    if not which:
        return []
    half = np.array([thickness(bodies[i]) for i in which])
    position = np.array([bodies[i].position for i in which])
    velocity = np.array([bodies[i].velocity for i in which])
    pulls = pull[which]
    least = np.full(len(which), math.inf)
    for other, block in _passable(bodies, moving, pull, half, (velocity, pulls), step):
        # As the block sees it.
        speed = velocity - bodies[other].velocity
        pulled = pulls - np.where(moving[other], pull[other], 0.0)
        # Bullet measures how deep edges are in triangles from where they are round.
        deep = half - edges(2.0 * half) if block.is_hollow else half
        found = np.full(len(which), math.inf)
        for way in (speed, pulled):
            found = np.minimum(found, _longest_step(block, position, speed, pulled, way, deep))
        rows: list[int] = np.flatnonzero(found < np.minimum(least, step)).tolist()
        for row in rows:
            if may_touch(which[row], other):
                least[row] = found[row]
    return [(which[i], float(least[i])) for i in np.flatnonzero(least < step).tolist()]


def _passable(
    bodies: Sequence[Body],
    moving: Flags,
    pull: Array,
    half: Array,
    motion: tuple[Array, Array],
    step: float,
) -> Iterator[tuple[int, _Block]]:
    """The bodies, and the boxes around their solids, that some are fast enough to pass.

    So a scene of many thick things, or of bodies that fall side by side, takes no longer.

    Args:
        motion: velocities and pulls (k, 3) of those that may pass them.
    """
    velocity, pulls = motion
    places = [body.position for body in bodies]
    extents: dict[Form, tuple[Array, Array]] = {}
    for solid in (solid for body in bodies for solid in body.solids):
        if solid.form not in extents:
            extents[solid.form] = _extent(solid.form)
    sizes = [float(np.linalg.norm(half)) for _, half in extents.values()]
    span = float(np.linalg.norm(np.ptp(np.array(places), axis=0))) + 2.0 * max(sizes, default=0.0)

    def fastest(own: Array, pulled: Array) -> float:
        speed = np.linalg.norm(velocity - own, axis=1).max()
        return float(np.sqrt(speed**2 + 2.0 * np.linalg.norm(pulls - pulled, axis=1).max() * span))

    still = fastest(np.zeros(3), np.zeros(3))
    # Twice as far from the mean as anybody is, no two differ by more.
    middle = velocity.mean(axis=0), pulls.mean(axis=0)
    together = 2.0 * fastest(*middle)
    for at, body in enumerate(bodies):
        own = float(np.linalg.norm(body.velocity))
        bound = together if moving[at] else still + own
        for solid in body.solids:
            block = _block(body, solid, extents[solid.form])
            if _thin(block).min() + half.min() > bound * step:
                continue
            if moving[at] and _thin(block).min() + half.min() > step * fastest(
                body.velocity, pull[at]
            ):
                continue
            yield at, block


def _longest_step(
    block: _Block, position: Array, velocity: Array, pull: Array, way: Array, half: Array
) -> Array:
    """The steps (n,), s, with which bodies on their ways (n, 3) do not pass; inf if they miss."""
    length = np.linalg.norm(way, axis=1)
    direction = way / np.maximum(length, _MIN_DISTANCE)[:, None]
    local = direction @ block.axes
    local = np.where(np.abs(local) < _MIN_DISTANCE, _MIN_DISTANCE, local)
    away = (block.middle - position) @ block.axes
    sides = block.half + half[:, None]
    ends = np.stack([(away - sides) / local, (away + sides) / local])
    first, last = ends.min(axis=0).max(axis=1), ends.max(axis=0).min(axis=1)
    gain = 2.0 * np.einsum("ni,ni->n", pull, direction) * np.maximum(first, 0.0)
    speed = np.sqrt(np.maximum((velocity * velocity).sum(axis=1) + gain, 0.0))
    through = (_thin(block) + half[:, None]) / np.abs(local)
    meets = (length > 0.0) & (last >= np.maximum(first, 0.0))
    return np.where(meets, through.min(axis=1) / np.maximum(speed, _MIN_DISTANCE), math.inf)


def _thin(block: _Block) -> Array:
    """Half of the thickness (3,) along each axis of a block, m."""
    flat = block.half < 1e-3 * block.half.max(initial=0.0)
    return np.where(flat | (not flat.any()), 0.0, block.half) if block.is_hollow else block.half


def _extent(form: Form) -> tuple[Array, Array]:
    """The middle (3,) and half of the sides (3,) of the box around a form, in its own axes."""
    points = surface_points(form)
    if not len(points):
        return np.zeros(3), np.zeros(3)
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2.0, (high - low) / 2.0


def _block(body: Body, solid: Solid, extent: tuple[Array, Array]) -> _Block:
    middle, half = extent
    axes = body.rotation @ solid.rotation
    place = body.rotation @ solid.place + body.place + axes @ middle
    is_hollow = isinstance(solid.form, Mesh) and not solid.form.is_convex
    return _Block(place, axes, half, is_hollow)
