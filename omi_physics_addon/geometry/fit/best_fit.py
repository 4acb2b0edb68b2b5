"""Any kind of shape around points, and the simplest that is near enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...model.shapes import Box, Sphere
from . import aligned_fits
from .oriented_box import fit_oriented_box
from .placed_shape import Placed
from .round_fits import AxisChoice, fit_round


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


def fit_wish(points: ArrayLike, wish: Wish) -> Placed:
    """The smallest shape of a kind around points (n, 3).

    Raises:
        ValueError: there are no points, or one is not finite.
    """
    if wish.kind == "box":
        if wish.axis == "free":
            return fit_oriented_box(points)
        box = aligned_fits.fit_box(points)
        return Placed(Box(size=box.size), np.array(box.center), np.eye(3))
    if wish.kind == "sphere":
        ball = aligned_fits.fit_sphere(points)
        return Placed(Sphere(radius=ball.radius), np.array(ball.center), np.eye(3))
    return fit_round(points, wish.kind, wish.axis, wish.taper)


def volume_error(volume: float, of_mesh: float) -> float | None:
    """By what part of the mesh a shape is larger than it; None where the mesh is flat."""
    return volume / of_mesh - 1.0 if of_mesh > 0.0 else None


def simplest(
    points: ArrayLike, of_mesh: float, threshold: float, of_hull: float | None = None
) -> Placed | None:
    """The simplest shape whose volume error is at most a threshold; None for the hull.

    Where not even the hull is near enough, what has the least error.

    Args:
        points: (n, 3), metres.
        of_mesh: volume that shapes are compared with, m³; of a flat mesh 0, which gets a box.
        threshold: the largest error, 0.1 for a tenth of the volume of the mesh.
        of_hull: volume of the hull that would be taken, m³; None where there is no hull.

    Raises:
        ValueError: there are no points, or one is not finite.
    """
    if of_mesh <= 0.0:
        return fit_wish(points, Wish("box", "free"))
    found: list[Placed] = []
    for wish in SIMPLEST_FIRST:
        shape = fit_wish(points, wish)
        if shape.volume <= of_mesh * (1.0 + threshold):
            return shape
        found.append(shape)
    best = min(found, key=lambda shape: shape.volume)
    return best if of_hull is None or best.volume <= of_hull else None
