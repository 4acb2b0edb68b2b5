"""Whether a part is round about an axle, and how large it is there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Array
from .extremes import extreme_points
from .minimum_search import minimize

_ANGLES: Final = 48  # Directions in which an outline is measured.
# Distance of an outline from a circle, of its radius; seven corners have 0.05.
_OVAL: Final = 0.055
_HOPELESS: Final = 0.15  # The same of an axle that turning it a little does not help.
_BETTER: Final = 0.005  # The same by which another axle must be better than one that is given.
_LONGEST: Final = 2.5  # Width of a wheel, of its radius.
_SEARCH_ROUNDS: Final = 25


@dataclass(frozen=True, eq=False)
class RoundPart:
    """A part that is round about an axle, and no ball.

    Attributes:
        center: (3,), the middle of the part.
        axle: (3,), of length one; its sign tells nothing.
        radius, width: m, across and along the axle.
    """

    center: Array
    axle: Array
    radius: float
    width: float


def round_part(points: ArrayLike, directions: ArrayLike = ()) -> RoundPart | None:
    """The round part that points show; None where they are not round, too long, or a ball.

    An outline of seven corners and more counts as round.

    Args:
        points: (n, 3).
        directions: (k, 3) of length one, along which an axle is likely to lie. One of them is
            taken rather than one that is hardly better.
    """
    cloud = np.asarray(points, dtype=np.float64)
    if len(cloud) < 2 * 7 or not np.isfinite(cloud).all():
        return None
    middle = cloud.mean(axis=0)
    scale = float(np.abs(cloud - middle).max())
    if not scale > 0.0:
        return None
    core = extreme_points((cloud - middle) / scale)
    axle = _axle(core, np.asarray(directions, dtype=np.float64).reshape(-1, 3))
    # What is round across its axle as well is a ball.
    if axle is None or _outline(core, _basis(axle[None])[0])[1][0] < _OVAL:
        return None
    found = _measured((cloud - middle) / scale, core, axle)
    if found.width > _LONGEST * found.radius:
        return None
    return RoundPart(found.center * scale + middle, axle, found.radius * scale, found.width * scale)


def _axle(core: Array, given: Array) -> Array | None:
    """The direction that points are round about; None for none."""
    _, natural = np.linalg.eigh(np.cov(core.T))
    starts = np.concatenate([given, natural.T])
    _, errors = _outline(core, starts)
    errors[: len(given)] -= _BETTER
    best = int(errors.argmin())
    axle = starts[best]
    if best >= len(given) and errors[best] < _HOPELESS:
        axle = _turned(core, axle)
    return axle if _outline(core, axle[None])[1][0] < _OVAL else None


def _turned(core: Array, axle: Array) -> Array:
    """An axle near another one, along which points are narrower.

    That tells it much better than how round they are: a tilted ring is wider at once.
    """
    first, second = _basis(axle[None])

    def axles(tilts: Array) -> Array:
        found = axle + tilts[:, :1] * first + tilts[:, 1:] * second
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def width(tilts: Array) -> Array:
        return np.ptp(core @ axles(tilts).T, axis=0)

    tilt, _ = minimize(width, (0.0, 0.0), 0.05, _SEARCH_ROUNDS, 1e-4)
    return axles(tilt[None])[0]


def _basis(axles: Array) -> tuple[Array, Array]:
    """Two directions (m, 3) each across axles (m, 3), at right angles."""
    helper = np.where(np.abs(axles[:, :1]) < 0.7, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    first: Array = np.cross(axles, helper)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second: Array = np.cross(axles, first)
    return first, second


def _outline(core: Array, axles: Array) -> tuple[Array, Array]:
    """How points look along axles (m, 3).

    Returns:
        The middles (m, 3) of the circles that fit the outlines best, without what lies along the
        axles, and how far the outlines are off these circles (m,), of their radii.
    """
    first, second = _basis(axles)
    turns = np.arange(_ANGLES) * (2.0 * math.pi / _ANGLES)
    cosines, sines = np.cos(turns), np.sin(turns)
    x, y = core @ first.T, core @ second.T  # (n, m)
    heights = (x[:, :, None] * cosines + y[:, :, None] * sines).max(axis=0)
    radii = heights.mean(axis=1)
    along, aside = 2.0 * (heights * cosines).mean(axis=1), 2.0 * (heights * sines).mean(axis=1)
    rest: Array = heights - radii[:, None] - along[:, None] * cosines - aside[:, None] * sines
    errors: Array = np.abs(rest).max(axis=1) / np.maximum(radii, 1e-12)
    middles: Array = along[:, None] * first + aside[:, None] * second
    return middles, errors


def _measured(cloud: Array, core: Array, axle: Array) -> RoundPart:
    middle = _outline(core, axle[None])[0][0]
    heights = cloud @ axle
    low, high = float(heights.min()), float(heights.max())
    across = cloud - middle - heights[:, None] * axle
    radius = float(np.sqrt(np.einsum("ni,ni->n", across, across).max()))
    return RoundPart(middle + (low + high) / 2.0 * axle, axle, radius, high - low)
