"""Arcs, rings and arrows along any axes, from which larger marks are made.

As in `wireframe`, every function gives vertices (2k, 3) as 32-bit floats, pairs of ends. An axis
is a number, 0 to 2; angles about it count from the next axis to the one after that, right-handed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Array
from .wireframe import SEGMENTS, Lines

TURN: Final = 2.0 * math.pi
_NONE: Final = np.zeros((0, 3), dtype=np.float32)


def joined(parts: Sequence[ArrayLike]) -> Lines:
    """Some lines as one array."""
    arrays = [np.asarray(part, dtype=np.float32).reshape(-1, 3) for part in parts]
    return np.concatenate(arrays) if arrays else _NONE.copy()


def line(*corners: ArrayLike, closed: bool = False) -> Lines:
    """The lines of a path through corners (3,)."""
    path = np.array([*corners, corners[0]] if closed else corners, dtype=np.float32)
    return np.stack([path[:-1], path[1:]], axis=1).reshape(-1, 3)


def unit(axis: int, length: float = 1.0) -> Array:
    """A vector (3,) along an axis."""
    vector = np.zeros(3)
    vector[axis] = length
    return vector


def on_circle(axis: int, angles: ArrayLike, radius: float) -> Array:
    """The points (n, 3) of a circle about an axis, at angles (n,) in rad."""
    turns = np.asarray(angles, dtype=np.float64)
    points = np.zeros((len(turns), 3))
    points[:, (axis + 1) % 3] = radius * np.cos(turns)
    points[:, (axis + 2) % 3] = radius * np.sin(turns)
    return points


def arc(axis: int, start: float, end: float, radius: float) -> Lines:
    """A part of a circle about an axis, from one angle to the other, at most once around."""
    sweep = min(max(end - start, -TURN), TURN)
    if not math.isfinite(start + sweep):
        return _NONE.copy()
    count = max(1, math.ceil(abs(sweep) / TURN * SEGMENTS))
    return line(*on_circle(axis, np.linspace(start, start + sweep, count + 1), radius))


def ring(axis: int, radius: float) -> Lines:
    """A circle about an axis."""
    return arc(axis, 0.0, TURN, radius)


def ball(radius: float) -> Lines:
    """Three great circles."""
    return joined([ring(axis, radius) for axis in range(3)])


def square(axis: int, size: float) -> Lines:
    """A square across an axis, its corners on the other two."""
    angles = np.arange(4) * (TURN / 4.0)
    return line(*on_circle(axis, angles, size), closed=True)


def octahedron(size: float) -> Lines:
    """The edges of an octahedron whose corners are this far out."""
    return joined([square(axis, size) for axis in range(3)])


def curved_arrow(axis: int, start: float, end: float, radius: float, head: float) -> Lines:
    """An arc with a head of a length at its end; no lines where the angles are the same."""
    if end == start or not math.isfinite(end - start):
        return _NONE.copy()
    sign = math.copysign(1.0, end - start)
    stop = start + sign * min(abs(end - start), TURN)
    # The barbs start where the arc is one head before its tip, a little in and out of it.
    before = stop - sign * min(head / radius, abs(end - start))
    tip = on_circle(axis, [stop], radius)[0]
    inner, outer = (on_circle(axis, [before], radius + way)[0] for way in (-head / 2, head / 2))
    return joined([arc(axis, start, stop, radius), line(inner, tip, outer)])


def arrows(starts: ArrayLike, vectors: ArrayLike, head: float) -> Lines:
    """Many arrows, each a shaft and four barbs.

    Args:
        starts: (n, 3).
        vectors: (n, 3), from start to tip; where it is zero or not finite there is no arrow.
        head: length of the heads as a part of the arrows.
    """
    tails = np.asarray(starts, dtype=np.float64).reshape(-1, 3)
    shafts = np.asarray(vectors, dtype=np.float64).reshape(-1, 3)
    lengths = np.sqrt(np.sum(shafts * shafts, axis=1))
    real = (lengths > 0.0) & np.isfinite(lengths)
    tails, shafts, lengths = tails[real], shafts[real], lengths[real, None]
    # Across the shaft: the cross product with the axis it follows least.
    least = np.eye(3)[np.argmin(np.abs(shafts), axis=1)]
    one: Array = np.cross(shafts, least)
    one *= lengths / np.sqrt(np.sum(one * one, axis=1, keepdims=True))
    two: Array = np.cross(shafts, one) / lengths
    tips = tails + shafts
    back, wide = tips - head * shafts, 0.4 * head
    ends = [tails, tips]
    for side in (one, -one, two, -two):
        ends += [tips, back + wide * side]
    return np.stack(ends, axis=1).reshape(-1, 3).astype(np.float32)


def readable(amount: float) -> float:
    """A length for an amount that may be small or very large; keeps the sign and the order.

    Half of a small amount, and beyond 1 it grows like the logarithm.
    """
    return math.asinh(amount) / 2.0
