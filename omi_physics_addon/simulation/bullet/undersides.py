"""The parts of bodies that touch the ground below them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...geometry.arrays import Array
from ..state import State
from ..world import Body
from .bullet_shapes import rounded

# Of its size: parts of a body so near to the ground touch it, too.
_GROUND_DISTANCE_SHARE: Final = 0.02


class Undersides:
    """Finds what of bodies is lowest."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        """Take the bodies of a world."""
        self._bodies = bodies
        self._under: dict[int, tuple[Array, Array]] = {}

    def size(self, body: int) -> float:
        """How far the body reaches from its centre of mass, m."""
        points, radii = self._points(body)
        away: Array = np.linalg.norm(points - self._bodies[body].center, axis=1) + radii
        return float(away.max())

    def arm(self, body: int, state: State, normal: Array) -> Array:
        """From the centre of mass to the middle of what is lowest, (3,)."""
        points, radii = self._points(body)
        arms = (points - self._bodies[body].center) @ state.rotation[body].T
        arms = arms - radii[:, None] * normal
        heights = arms @ normal
        low = heights - heights.min() <= _GROUND_DISTANCE_SHARE * self.size(body)
        return arms[low].mean(axis=0)

    def _points(self, body: int) -> tuple[Array, Array]:
        """The middles (p, 3), in the body, and radii (p,) of balls whose hull it is."""
        found = self._under.get(body)
        if found is None:
            found = self._under[body] = rounded(self._bodies[body].solids)
        return found
