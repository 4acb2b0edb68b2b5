"""Which bodies are so fast that an engine's steps may carry them through something thin.

Bullet looks for contacts at the ends of its steps only, unless it is told to follow bodies on
their way, which Blender has no setting for. Whoever is past the middle of a thing at the end of a
step is pushed out on its far side. So a body may pass where a step is longer than half of the
body's own thickness and half of that of the thing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags
from ..world import Body, Mesh, Solid
from .bullet_shapes import surface_points
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
    bodies: Sequence[Body], moving: Flags, gravity: Array, step: float
) -> list[tuple[int, float]]:
    """Bodies that may pass through what stands still, on their first way.

    That way is straight along the velocity of the start, or straight down; the speed is what it
    has then and gains by falling so far. What joints, forces and hits do on the way is not known.

    Args:
        moving: (n,), which of the bodies forces move.
        gravity: (3,), of the world, m/s².
        step: s, of the engine.

    Returns:
        The index of each, and the longest step, s, with which it passes nothing.
    """
    which: list[int] = [i for i in np.flatnonzero(moving).tolist() if bodies[i].solids]
    if not which:
        return []
    half = np.array([_thickness(bodies[i]) for i in which])
    position = np.array([bodies[i].position for i in which])
    velocity = np.array([bodies[i].velocity for i in which])
    pull = np.array([bodies[i].gravity_factor for i in which])[:, None] * gravity
    least = np.full(len(which), math.inf)
    still = [body for body, moves in zip(bodies, moving, strict=True) if not moves]
    blocks = [_block(body, solid) for body in still for solid in body.solids]
    fastest = _fastest(blocks, position, velocity, pull)
    for block in blocks:
        if _thin(block).min() + half.min() > fastest * step:
            continue  # Nobody can be that fast; so a scene of many thick things takes no longer.
        for way in (velocity, pull):
            # Bullet measures how deep edges are in triangles from where they are round.
            deep = half - edges(2.0 * half) if block.is_hollow else half
            found = _longest_step(block, position, velocity, pull, way, deep)
            least = np.minimum(least, found)
    return [(which[i], float(least[i])) for i in np.flatnonzero(least < step).tolist()]


def _fastest(blocks: Sequence[_Block], position: Array, velocity: Array, pull: Array) -> float:
    """A speed, m/s, that no body reaches on its way to any block."""
    places = np.concatenate([position, *(block.middle[None] for block in blocks)])
    sizes = [float(np.linalg.norm(block.half)) for block in blocks]
    span = float(np.linalg.norm(np.ptp(places, axis=0))) + max(sizes, default=0.0)
    speed = float(np.linalg.norm(velocity, axis=1).max())
    return math.sqrt(speed**2 + 2.0 * float(np.linalg.norm(pull, axis=1).max()) * span)


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


def _thickness(body: Body) -> float:
    """Half of how thick a body is, at the thickest of its solids, m."""
    return max(float(_extent(solid)[1].min()) for solid in body.solids)


def _extent(solid: Solid) -> tuple[Array, Array]:
    """The middle (3,) and half of the sides (3,) of the box around a solid, in its own axes."""
    points = surface_points(solid.form)
    if not len(points):
        return np.zeros(3), np.zeros(3)
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2.0, (high - low) / 2.0


def _block(body: Body, solid: Solid) -> _Block:
    middle, half = _extent(solid)
    axes = body.rotation @ solid.rotation
    place = body.rotation @ solid.place + body.place + axes @ middle
    is_hollow = isinstance(solid.form, Mesh) and not solid.form.is_convex
    return _Block(place, axes, half, is_hollow)
