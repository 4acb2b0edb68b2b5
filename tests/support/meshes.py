"""Meshes as points and triangles; one is a box of 1, 2 and 3 m as files have it."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float64]
Triangles = NDArray[np.int64]

POINTS = np.array(list(itertools.product((0.0, 1.0), repeat=3)), dtype="<f4") * (1, 2, 3)
FACES = np.array(
    [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
     (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
)  # fmt: skip


def box(size: Sequence[float]) -> tuple[Vectors, Triangles]:
    """A box around the origin: its corners and triangles."""
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * size
    return corners, FACES.astype(np.int64)


def ring(radius: float, tube: float, around: int, across: int) -> tuple[Vectors, Triangles]:
    """A torus about Z: its corners and triangles.

    Args:
        radius: of the circle inside of the tube.
        tube: radius of the tube.
        around, across: corners along the circle and along the tube.
    """
    turn, roll = (np.arange(count) * (2.0 * np.pi / count) for count in (around, across))
    turns, rolls = np.meshgrid(turn, roll, indexing="ij")
    reach = radius + tube * np.cos(rolls)
    places = (reach * np.cos(turns), reach * np.sin(turns), tube * np.sin(rolls))
    numbers = np.arange(around * across).reshape(around, across)
    right, above = np.roll(numbers, -1, axis=0), np.roll(numbers, -1, axis=1)
    both = np.roll(right, -1, axis=1)
    halves = [(numbers, right, both), (numbers, both, above)]
    triangles = np.concatenate([np.stack(each, axis=-1).reshape(-1, 3) for each in halves])
    return np.stack(places, axis=-1).reshape(-1, 3), triangles.astype(np.int64)
