"""One bounce off what forces do not move, from the hit until all is right; see `bounces`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array
from ..joints.oscillator import drift
from ..state import Masses, State

MAX_FRAMES: Final = 6  # Frames in which a bounce is put right.
_SPEED_TOLERANCE: Final = 1e-3  # m/s.


@dataclass(eq=False)
class WallBounce:
    """One that is on its way.

    Attributes:
        normal: (3,), of the ground.
        place: (3,), of the centre of mass where it touched; moves with the ground.
        ground: (3,), the velocity of the ground, m/s.
        speed: with which it leaves along the normal, m/s, for steps without end.
        anchor: below 0, what its pushes lean on; its own.
        most: twice the energy of all its motion by its mass where it touched, (m/s)².
        left: frames to put it right.
    """

    normal: Array
    place: Array
    ground: Array
    speed: float
    most: float
    anchor: int
    left: int = MAX_FRAMES

    def added(
        self, motion: tuple[Array, Array], spinning: float, pull: Array, dt: float, substeps: int
    ) -> float:
        """The speed along the normal that brings a body on its way up in the next frame, m/s.

        Args:
            motion: (3,) each, where the centre of mass is, and its velocity, in which that of the
                ground is taken while it lies on it.
            spinning: twice the energy of its spin by its mass, (m/s)².
            pull: (3,), what else accelerates it.
        """
        (place, velocity), normal = motion, self.normal
        if self.left == MAX_FRAMES:  # It lies on the ground.
            velocity += normal * ((self.ground - velocity) @ normal)
        else:
            self.place = self.place + self.ground * dt
        moving = velocity - self.ground
        along = float(moving @ normal)
        weight = float(pull @ normal)
        height = float((place - self.place) @ normal)
        # What has gone into its spin does not lift it.
        rest = self.most - float(moving @ moving) + along * along - spinning
        wanted = min(self.speed * self.speed, max(rest, 0.0))
        # With the speed z that is added: z²/2 + q·z + r = 0.
        speed = along + weight * dt + weight * dt / substeps / 2.0
        q = speed - weight * drift(substeps) * dt
        risen = height + along * dt + weight * drift(substeps) * dt * dt
        r = (speed * speed - wanted) / 2.0 - weight * risen
        self.left -= 1
        return -q + float(np.sqrt(max(q * q - 2.0 * r, 0.0)))

    def is_over(self, added: float) -> bool:
        """Whether a body that wants so much speed needs no more help."""
        return self.left <= 0 or (abs(added) < _SPEED_TOLERANCE and self.left < MAX_FRAMES - 1)


def turning(state: State, masses: Masses, body: int, spin: Array) -> float:
    """Twice the energy of a spin (3,) by the mass of the body, (m/s)²."""
    local = spin @ state.rotation[body]
    return float(local @ masses.inertia_local[body] @ local / masses.mass[body])
