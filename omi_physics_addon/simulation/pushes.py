"""Short pushes between two bodies, which last for one step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry.arrays import Array
from .state import WORLD, State, Wrench


@dataclass(frozen=True, eq=False)
class Push:
    """A force or torque on a body for one step, and the opposite on another one.

    Attributes:
        body: which is pushed.
        other: which takes the opposite; `WORLD` or any number below 0 for what never moves.
        axis: (3,), the direction, in the world.
        point: (3,), where it acts, in the world.
        size: N, or N m; below 0 for the other way.
        turns: whether it is a torque.
    """

    body: int
    other: int
    axis: Array
    point: Array
    size: float
    turns: bool = False


def with_pushes(wrench: Wrench, state: State, pushes: Sequence[Push]) -> Wrench:
    """What pushes bodies in a step, together with short pushes."""
    if not pushes:
        return wrench
    result = Wrench(wrench.force.copy(), wrench.torque.copy())
    for sign in (1.0, -1.0):
        bodies = np.array([push.body if sign > 0.0 else max(push.other, WORLD) for push in pushes])
        values = np.array([sign * push.size * push.axis for push in pushes])
        turns = np.array([push.turns for push in pushes], dtype=np.bool_)
        points = np.array([push.point for push in pushes])
        result.push(state, bodies[~turns], points[~turns], values[~turns])
        result.turn(bodies[turns], values[turns])
    return result
