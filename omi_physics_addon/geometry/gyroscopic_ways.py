"""Where rigid bodies get with their gyroscopic torque, and where without it.

A body of n turns about a pivot, or about its center of mass, by Euler's equations. Everything is
along its own axes at the start, in SI units. Without the torque w x (I w) about the center of mass,
what its pivot does to it is still there, as in engines that leave it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from .arrays import Array, Flags
from .rotations import crossed, rotations_of_vectors, skew

_STEP: Final = 1.0 / 30.0  # s.
_TURN: Final = 0.2  # rad, by which a body may turn in a step.
_MOST_STEPS: Final = 6000


@dataclass(frozen=True, eq=False)
class Turning:
    """What turns.

    Attributes:
        mass: (n,).
        tensor: (n, 3, 3), about the centers of mass.
        arm: (n, 3), from pivots to centers of mass; 0 for what turns freely.
        spin: (n, 3), at the start.
        weight: (n, 3), the acceleration by gravity at the start.
        room: (n,), rad, by which a body can turn from where it starts; inf for any angle.
    """

    mass: Array
    tensor: Array
    arm: Array
    spin: Array
    weight: Array
    room: Array


def strayed(turning: Turning, points: Array, seconds: float, near: float, share: float) -> Array:
    """How far points stray without the torque, (n,), m; 0 where it is no more than allowed.

    Args:
        points: (n, k, 3), from the pivots.
        near, share: m, and of the way that a point went, which are allowed together.
    """
    count, fastest = len(points), float(np.linalg.norm(turning.spin, axis=1).max(initial=0.0))
    steps = min(int(np.ceil(seconds / min(_STEP, _TURN / max(fastest, 1e-9)))), _MOST_STEPS)
    both = Turning(*(np.concatenate((of, of)) for of in vars(turning).values()))
    motion = PivotMotion(both, np.repeat((1.0, 0.0), count))
    before, way, result = points, np.zeros(points.shape[:2]), np.zeros(count)
    going: Flags = np.ones(count, dtype=np.bool_)
    for _ in range(steps):
        motion.step(seconds / steps)
        with_it, without = np.split(motion.axes, 2)
        now, other = (points @ axes.transpose(0, 2, 1) for axes in (with_it, without))
        way = way + np.linalg.norm(now - before, axis=2)
        before = now
        cosine = (np.trace(with_it, axis1=1, axis2=2) - 1.0) / 2.0
        going &= np.arccos(np.clip(cosine, -1.0, 1.0)) < turning.room
        apart = np.linalg.norm(other - now, axis=2)
        over = np.where(apart > near + share * way, apart, 0.0).max(axis=1)
        result = np.where(going, np.maximum(result, over), result)
    return result


class PivotMotion:
    """The motion of n bodies about pivots that stand, by Runge and Kutta.

    Attributes:
        axes: (n, 3, 3), from the axes at the start to those now.
        spin: (n, 3), rad/s, along the axes now.
    """

    def __init__(self, turning: Turning, gyroscopic: Array | float = 1.0) -> None:
        """Begin; of the torque w x (I w) the share `gyroscopic` counts, (n,) or one for all."""
        pivoted = -turning.mass[:, None, None] * (skew(turning.arm) @ skew(turning.arm))
        self._counted = np.asarray(gyroscopic)[..., None, None] * turning.tensor + pivoted
        self._inverse = np.linalg.inv(turning.tensor + pivoted)
        self._moment, self._weight = turning.mass[:, None] * turning.arm, turning.weight
        self.axes, self.spin = np.tile(np.eye(3), (len(turning.mass), 1, 1)), turning.spin

    def _change(self, axes: Array, spin: Array) -> Array:
        weight = np.einsum("nji,nj->ni", axes, self._weight)
        angular = np.einsum("nij,nj->ni", self._counted, spin)
        torque = crossed(self._moment, weight) - crossed(spin, angular)
        return np.einsum("nij,nj->ni", self._inverse, torque)

    def step(self, h: float) -> None:
        """Go on by h seconds, by the classic method of Runge and Kutta."""
        axes, spin = self.axes, self.spin
        a = self._change(axes, spin)
        second = spin + h / 2.0 * a
        b = self._change(axes @ rotations_of_vectors(spin * (h / 2.0)), second)
        third = spin + h / 2.0 * b
        c = self._change(axes @ rotations_of_vectors(second * (h / 2.0)), third)
        fourth = spin + h * c
        d = self._change(axes @ rotations_of_vectors(third * h), fourth)
        mean = (spin + 2.0 * second + 2.0 * third + fourth) / 6.0
        self.axes = axes @ rotations_of_vectors(h * mean)
        self.spin = spin + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
