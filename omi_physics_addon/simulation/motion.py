"""How bodies move, from where they were in the last frames."""

from __future__ import annotations

import numpy as np

from .state import Array, State


def rotation_vectors(turns: Array) -> Array:
    """The rotation vectors (n, 3), rad, of rotations (n, 3, 3)."""
    skew = np.stack(
        [
            turns[:, 2, 1] - turns[:, 1, 2],
            turns[:, 0, 2] - turns[:, 2, 0],
            turns[:, 1, 0] - turns[:, 0, 1],
        ],
        axis=1,
    )
    sine = np.linalg.norm(skew, axis=1) / 2.0
    cosine = (np.trace(turns, axis1=1, axis2=2) - 1.0) / 2.0
    angle = np.arctan2(sine, cosine)
    factor = np.where(sine > 1e-9, angle / np.maximum(2.0 * sine, 1e-30), 0.5)
    vectors: Array = skew * factor[:, None]
    return vectors


def rotations(vectors: Array) -> Array:
    """The rotations (n, 3, 3) of rotation vectors (n, 3), rad."""
    angle = np.linalg.norm(vectors, axis=1)
    axis = vectors / np.maximum(angle, 1e-30)[:, None]
    cross = np.zeros((len(vectors), 3, 3))
    cross[:, 2, 1], cross[:, 0, 2], cross[:, 1, 0] = axis.T
    cross -= cross.transpose(0, 2, 1)
    sine, rest = np.sin(angle)[:, None, None], (1.0 - np.cos(angle))[:, None, None]
    result: Array = np.eye(3) + sine * cross + rest * (cross @ cross)
    return result


def drifted(state: State, time: float) -> State:
    """Where bodies are after a time, if nothing pushes them and each turns about its spin."""
    return State(
        state.position + state.velocity * time,
        rotations(state.spin * time) @ state.rotation,
        state.velocity.copy(),
        state.spin.copy(),
    )


class Tracker:
    """Follows bodies frame by frame.

    Within a frame an engine takes several steps, in each of which it first changes the speed and
    then moves by it; so at the end of a frame a body is faster than on average by half of what
    it gained, less half a step.
    """

    def __init__(self, start: State, dt: float, substeps: int) -> None:
        self.state = start
        self._dt = dt
        self._share = (substeps - 1.0) / (2.0 * substeps)
        self._mean = start.velocity.copy()
        self._mean_spin = start.spin.copy()
        self._is_new = True

    def follow(self, position: Array, rotation: Array) -> State:
        """The state one frame later, where bodies are at (n, 3) with axes (n, 3, 3)."""
        before = self.state
        mean = (position - before.position) / self._dt
        turn = rotation @ before.rotation.transpose(0, 2, 1)
        mean_spin = rotation_vectors(turn) / self._dt
        share = 0.0 if self._is_new else self._share
        self._is_new = False
        velocity = mean + (mean - self._mean) * share
        spin = mean_spin + (mean_spin - self._mean_spin) * share
        self._mean, self._mean_spin = mean, mean_spin
        self.state = State(position, rotation, velocity, spin)
        return self.state
