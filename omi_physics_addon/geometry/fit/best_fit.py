"""Any kind of shape around points, and the simplest that is near enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...model.shapes import Box, Sphere
from ..arrays import Array
from ..hull import convex_hull
from .aligned_fits import bounds, checked, smallest_ball
from .extremes import extreme_points
from .oriented_box import fit_oriented_box, rough_box_volume
from .placed_shape import Placed
from .round_fits import AxisChoice, Hull, fit_round, rough_round_volume


@dataclass(frozen=True)
class Wish:
    """What kind of shape is wanted.

    Attributes:
        axis: "free" for any direction; a box that is not free lies along the axes.
        taper: whether the radii of a capsule or cylinder may differ.
    """

    kind: Literal["box", "sphere", "capsule", "cylinder"]
    axis: AxisChoice = "auto"
    taper: bool = False


# The fewer numbers and the less work for an engine, the earlier.
SIMPLEST_FIRST: Final = (
    Wish("sphere"),
    Wish("box"),
    Wish("capsule"),
    Wish("cylinder"),
    Wish("box", "free"),
    Wish("capsule", "free"),
    Wish("cylinder", "free"),
    Wish("capsule", "free", taper=True),
    Wish("cylinder", "free", taper=True),
)


_UPRIGHT: Final = SIMPLEST_FIRST[:4]
_FREE: Final = SIMPLEST_FIRST[4:]
_ROUGH: Final = 1.25  # How much larger than the best shape a rough guess of it may be.
_NOISE: Final = 1e-9  # Of volumes, relative to them.


def fit_wish(points: ArrayLike, wish: Wish) -> Placed:
    """The smallest shape of a kind around points (n, 3).

    Raises:
        ValueError: there are no points, or one is not finite.
    """
    if wish.kind == "box":
        if wish.axis == "free":
            return fit_oriented_box(points)
        center, half = bounds(checked(points))
        x, y, z = (2.0 * half).tolist()
        return Placed(Box(size=(x, y, z)), center, np.eye(3))
    if wish.kind == "sphere":
        center, radius = smallest_ball(checked(points))
        return Placed(Sphere(radius=radius), center, np.eye(3))
    return fit_round(points, wish.kind, wish.axis, wish.taper)


def volume_error(volume: float, of_mesh: float) -> float | None:
    """By what part of the mesh a shape is larger than it; None where the mesh is flat."""
    return volume / of_mesh - 1.0 if of_mesh > 0.0 else None


def simplest(
    points: ArrayLike, of_mesh: float, threshold: float, of_hull: Callable[[], float] | None = None
) -> Placed | None:
    """The simplest shape whose volume error is at most a threshold; None for the hull.

    Where not even the hull is near enough, what has the least error. Where the hull can be taken,
    shapes on free axes are looked for only if a rough guess says that one of them may be near
    enough: that search takes seconds.

    Args:
        points: (n, 3), metres.
        of_mesh: volume that shapes are compared with, m³; of a flat mesh 0, which gets a box.
        threshold: the largest error, 0.1 for a tenth of the volume of the mesh.
        of_hull: tells the volume of the hull that would be taken, m³, 0 where there is none; asked
            only where it matters.

    Raises:
        ValueError: there are no points, or one is not finite.
    """
    if of_mesh <= 0.0:
        return fit_wish(points, Wish("box", "free"))
    most = of_mesh * (1.0 + threshold)
    found: list[Placed] = []
    for wish in _UPRIGHT:
        shape = fit_wish(points, wish)
        if shape.volume <= most:
            return shape
        found.append(shape)
    hull = of_hull() if of_hull is not None else 0.0
    if hull <= most:  # No shape around all points is smaller than their hull.
        wishes = _hopeful(points, most) if hull else _FREE
        for wish in wishes:
            shape = fit_wish(points, wish)
            if shape.volume <= most:
                return shape
            found.append(shape)
    best = min(found, key=lambda shape: shape.volume)
    return best if not hull or best.volume <= hull * (1.0 + _NOISE) else None


def _hopeful(points: ArrayLike, most: float) -> list[Wish]:
    """The wishes on free axes of which a shape may have no more than a volume, m³."""
    core = extreme_points(checked(points))
    hull = convex_hull(core)
    return [wish for wish in _FREE if _rough_volume(core, hull, wish) <= _ROUGH * most]


def _rough_volume(core: Array, hull: Hull, wish: Wish) -> float:
    if wish.kind == "box":
        return 0.0 if hull is None else rough_box_volume(*hull)
    if wish.kind == "sphere":
        raise ValueError("a sphere has no axis")
    return rough_round_volume(core, hull, wish.kind, wish.taper)
