"""How bodies come to rest: they land softly, and it is known when they rest.

Bullet finds a hit up to a step too late and may throw a fast box aside by centimeters. What is only
to come to rest need not hit at full speed.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Final

import numpy as np

from ..geometry.arrays import Array, Flags
from .bullet.meetings import Meetings
from .neighbors import Neighbors
from .state import Masses, State
from .world import World

_TIME: Final = 0.5  # s, for which a body that rests has not moved.
_FAR: Final = 1e-3  # m, that it may move in this time.
_TURN: Final = 2e-3  # rad, that it may turn in this time.
_LOOKS: Final = 6  # In this time.
_LANDING: Final = 0.08  # s, in which a speed falls to 1/e.
_SLOW: Final = 0.2  # m/s, with which nothing is thrown aside.
_AHEAD: Final = 1.25 * _LANDING  # s; slowed so, a body goes less far than its speed does in that.
LANDING_DAMPING: Final = 1.0 - math.exp(-1.0 / _LANDING)  # Share of a speed lost in a second.


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
        return np.ptp(np.array(self._poses), axis=0).max(axis=1, initial=0.0) <= _FAR


class SoftLanding:
    """Knows which bodies of a world are about to land on something that no forces move.

    What lands on other bodies is left alone, so that a heap falls over as it should.
    """

    def __init__(self, world: World, meetings: Meetings) -> None:
        """Take a world."""
        solids, bodies = [body.solids for body in world.bodies], np.arange(len(world.bodies))
        self._neighbors = Neighbors(solids, bodies, world.forced, meetings.of_bodies(bodies))
        self._moving = world.forced

    def about_to_land(self, state: State, masses: Masses) -> Flags:
        """Which bodies (n,) come near such a thing in the next moments, and touch none yet."""
        lands: Flags = self._moving & (np.linalg.norm(state.velocity, axis=1) > _SLOW)
        if lands.any():
            lands &= self._near(state, masses, _AHEAD, lands)
        if lands.any():
            lands &= ~self._near(state, masses, 0.0, lands)
        return lands

    def _near(self, state: State, masses: Masses, seconds: float, asked: Flags) -> Flags:
        """Which bodies (n,) that are asked about come near such a thing in some seconds."""
        ways = state.velocity * seconds
        one, other = self._neighbors.pairs(state, masses, ways, is_close=False, asked=asked)
        lands = self._moving[one] != self._moving[other]
        found = np.zeros(len(asked), dtype=np.bool_)
        found[one[lands]] = found[other[lands]] = True
        return found
