"""The lines that show gravity: where it pulls to, and arrows inside its volume.

Everything is in the space of the node, in glTF's axes, as in `gravity_field`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ...model.gravity import DiscGravity, GravityField, LineGravity, PointGravity, TorusGravity
from ..arrays import Array
from ..inside import Inside
from . import curves
from .curves import TURN
from .wireframe import Lines

MOST: Final = 100  # Arrows of one volume.
_FULL: Final = 0.85  # Length of the longest arrow, as a part of the distance between arrows.
_LEAST: Final = 0.2  # Length of the shortest one, as a part of the longest.
_STRONG: Final = 90  # Percentile of the strengths that is drawn at full length.
_HEAD: Final = 0.3
_SPOKES: Final = 12  # Of a disc.


def source_lines(field: GravityField, size: float) -> Lines:
    """What attracts, where it is no shape and not the same everywhere."""
    if isinstance(field, PointGravity):
        return curves.octahedron(0.3 * size)
    if isinstance(field, TorusGravity):
        return curves.ring(1, field.radius)
    if isinstance(field, DiscGravity):
        rim = curves.on_circle(1, np.arange(_SPOKES) * (TURN / _SPOKES), field.radius)
        spokes = [curves.line(np.zeros(3), corner) for corner in rim]
        return curves.joined([curves.ring(1, field.radius), *spokes])
    if isinstance(field, LineGravity) and len(field.points) > 1:
        ends = np.array([field.points[0], field.points[-1]], dtype=np.float32)
        marks = [curves.octahedron(0.1 * size) + ends[index] for index in (0, 1)]
        return curves.joined([curves.line(*field.points), *marks])
    return curves.joined([])


def sample(low: ArrayLike, high: ArrayLike, inside: Inside | None) -> tuple[Array, float]:
    """Places in an even grid, at most about `MOST`, and their distance.

    Args:
        low: (3,), the lower corner of the bounds of the volume.
        high: (3,), the upper one.
        inside: which of them are in the volume; None for all.
    """
    start, end = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    extent = end - start
    if not np.isfinite(extent).all() or not extent.any():
        return np.zeros((0, 3)), 0.0
    step = _step(extent)
    counts: list[float] = _counts(extent, step).tolist()
    parts: list[Array] = [(np.arange(count) + 0.5) / count for count in counts]
    grid = start + extent * np.stack(np.meshgrid(*parts, indexing="ij"), axis=-1).reshape(-1, 3)
    return (grid if inside is None else grid[inside(grid)]), step


def _step(extent: Array) -> float:
    """The least distance of places along all axes with which the bounds hold no more than MOST."""
    real = extent[extent > 0.0]
    step = float((real.prod() / MOST) ** (1.0 / len(real)))
    # Where it is thin there is one layer, so the others may have more.
    while _counts(extent, step).prod() > MOST:
        step *= 1.05
    return step


def _counts(extent: Array, step: float) -> Array:
    """How many places (3,) of a distance fit along each axis; one at least."""
    return np.maximum(1.0, np.floor(extent / step + 1e-9))


def arrow_field(points: Array, accelerations: Array, step: float) -> Lines:
    """An arrow in the middle of every place, longer where gravity is stronger.

    The length grows with the root of the strength, because that falls with the square of the
    distance; the strongest are all alike.
    """
    strengths: Array = np.sqrt(np.sum(accelerations * accelerations, axis=1))
    real = (strengths > 0.0) & np.isfinite(strengths)
    if not real.any():
        return curves.joined([])
    points, accelerations, strengths = points[real], accelerations[real], strengths[real]
    share = np.sqrt(strengths / np.percentile(strengths, _STRONG))
    lengths = _FULL * step * np.clip(share, _LEAST, 1.0)
    vectors = accelerations * (lengths / strengths)[:, None]
    return curves.arrows(points - vectors / 2.0, vectors, _HEAD)
