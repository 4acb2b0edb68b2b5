"""Short pushes between two bodies, which last for one step."""

from __future__ import annotations

from dataclasses import dataclass

from ..geometry.arrays import Array


@dataclass(frozen=True, eq=False)
class Push:
    """A force or torque on a body for one step, and the opposite on another one.

    Attributes:
        body: which is pushed.
        other: which takes the opposite; `WORLD` for what never moves.
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
