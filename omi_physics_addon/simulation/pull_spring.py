"""The spring that pulls a body by one of its points."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..geometry.arrays import Array
from ..geometry.rotations import skew
from ..geometry.small_systems import solved
from .state import Masses, State

_FREQUENCY: Final = 9.0  # rad/s; how fast it follows.
_DAMPING: Final = 1.0  # Of critical.
_MAX_ACCELERATION: Final = 400.0  # m/s², the most that the point is accelerated.


def pull(state: State, masses: Masses, body: int, point: Array, rate: Array, to: Array) -> Array:
    """The force (3,) at a point of a body that brings the point to a place, N.

    Args:
        point, rate: (3,), where the point is and how fast it moves.
        to: (3,), the place.
    """
    wanted = _FREQUENCY**2 * (to - point) - 2.0 * _DAMPING * _FREQUENCY * rate
    size = float(np.linalg.norm(wanted))
    wanted *= min(1.0, _MAX_ACCELERATION / size) if size > 0.0 else 1.0
    arm = point - state.position[body]
    cross = skew(arm)
    turn = state.rotation[body]
    inverse = turn @ masses.inverse_inertia_local[body] @ turn.T
    # How a force at the point accelerates the point.
    mobility: Array = masses.inverse_mass[body] * np.eye(3) - cross @ inverse @ cross
    return solved(mobility[None], wanted[None, :, None])[0, :, 0]
