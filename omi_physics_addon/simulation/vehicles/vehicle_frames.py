"""Where the parts of vehicles are, and what changes at a rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...geometry.arrays import Array, Indices
from ..state import Masses, State
from ..world import Frame


@dataclass(frozen=True, eq=False)
class Hits:
    """What k rays met first.

    Attributes:
        distance: (k,), m; inf for nothing.
        normal: (k, 3), of the surface, toward the start of the ray.
        body: (k,), index of the body, `WORLD` for what is none.
    """

    distance: Array
    normal: Array
    body: Indices


class Cast(Protocol):
    """Sends rays into the world."""

    def __call__(self, origins: Array, directions: Array, lengths: Array, ignored: Indices) -> Hits:
        """What rays (k, 3) with directions of length 1 meet within lengths (k,).

        Args:
            ignored: (k,), a body for each ray that does not stop it.
        """
        ...


@dataclass(frozen=True, eq=False)
class Places:
    """Where k parts are on their bodies.

    Attributes:
        body: (k,).
        vehicle: (k,), index of the vehicle that tells it what to do, -1 for none.
        place: (k, 3), in the body, m.
        axes: (k, 3, 3), the part's axes as columns, in the body.
    """

    body: Indices
    vehicle: Indices
    place: Array
    axes: Array

    def __len__(self) -> int:
        return len(self.body)

    @classmethod
    def of(cls, frames: Sequence[Frame], vehicles: Indices) -> Places:
        """Parts in frames, with vehicles that are the bodies of the given indices."""
        count = len(frames)
        body = np.array([frame.body for frame in frames], dtype=np.int64).reshape(count)
        owner = {int(vehicle): at for at, vehicle in enumerate(vehicles)}
        return cls(
            body,
            np.array([owner.get(int(at), -1) for at in body], dtype=np.int64).reshape(count),
            np.array([frame.place for frame in frames], dtype=float).reshape(count, 3),
            np.array([frame.axes for frame in frames], dtype=float).reshape(count, 3, 3),
        )

    def points(self, state: State, masses: Masses) -> Array:
        """Where they are in the world, (k, 3)."""
        return state.points(self.body, self.place, masses)

    def local(self, vectors: Array) -> Array:
        """Vectors (k, 3) of the bodies' axes along those of the parts."""
        return np.einsum("nji,nj->ni", self.axes, vectors)

    def told(self, values: Array, otherwise: Array) -> Array:
        """For each part its vehicle's row of values (m, ...), or the one it has otherwise."""
        if not len(values):
            return otherwise
        mine = self.vehicle >= 0
        rows = values[np.where(mine, self.vehicle, 0)]
        return np.where(mine.reshape(-1, *[1] * (rows.ndim - 1)), rows, otherwise)


def approach(current: Array, target: Array, rates: Array, dt: float) -> Array:
    """Numbers or vectors (k,) or (k, d) one step nearer to their targets.

    Args:
        rates: (k,), the most they change in a second; negative for at once.
    """
    away = target - current
    length = np.abs(away) if away.ndim == 1 else np.linalg.norm(away, axis=1)
    far = length > 1e-12
    share = np.minimum(rates * dt / np.where(far, length, 1.0), 1.0)
    share = np.where((rates < 0.0) | ~far, 1.0, share)
    share = share if away.ndim == 1 else share[:, None]
    # Exactly the target where it is reached.
    return np.where(share >= 1.0, target, current + share * away)
