"""Tells which bodies have come to rest."""

from __future__ import annotations

from collections import deque
from typing import Final

import numpy as np

from ..geometry.arrays import Array, Flags

_TIME: Final = 0.5  # s, for which a body that rests has not moved.
_FAR: Final = 1e-3  # m, that it may move in this time.
_TURN: Final = 2e-3  # rad, that it may turn in this time.
_LOOKS: Final = 6  # In this time.


class Rest:
    """Watches bodies that move."""

    def __init__(self, step: float) -> None:
        """Begin; `step` is the seconds from one pose to the next."""
        self._every = max(1, round(_TIME / step / _LOOKS))
        self._poses: deque[Array] = deque(maxlen=_LOOKS + 1)
        self._count = 0

    def follow(self, position: Array, rotation: Array) -> None:
        """Take the next places (n, 3) and rotations (n, 3, 3)."""
        if self._count % self._every == 0:
            flat = rotation.reshape(len(rotation), 9) * (_FAR / _TURN)
            self._poses.append(np.concatenate([position, flat], axis=1))
        self._count += 1

    @property
    def reached(self) -> Flags | None:
        """(n,), which bodies rest; None where that cannot be known yet."""
        if len(self._poses) <= _LOOKS:
            return None
        found: Flags = np.ptp(np.array(self._poses), axis=0).max(axis=1, initial=0.0) <= _FAR
        return found
