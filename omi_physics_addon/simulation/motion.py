"""Velocities and spins of bodies, from their poses in the last frames."""

from __future__ import annotations

from ..geometry.arrays import Array
from ..geometry.rotations import rotation_vectors, rotations_of_vectors
from .state import State


def drifted(state: State, time: float) -> State:
    """Where bodies are after a time, if nothing pushes them and each turns about its spin."""
    return State(
        state.position + state.velocity * time,
        rotations_of_vectors(state.spin * time) @ state.rotation,
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
        self._pull: Array | None = None
        self._risen: Array | float = 0.0

    def pulled(self, pull: Array) -> None:
        """Take what accelerates bodies in the next frame, (n, 3), as far as it is known, m/s²."""
        self._risen = 0.0 if self._pull is None else pull - self._pull
        self._pull = pull

    def follow(self, position: Array, rotation: Array) -> State:
        """The state one frame later, where bodies are at (n, 3) with axes (n, 3, 3)."""
        before = self.state
        mean = (position - before.position) / self._dt
        turn = rotation @ before.rotation.transpose(0, 2, 1)
        mean_spin = rotation_vectors(turn) / self._dt
        share = 0.0 if self._is_new else self._share
        self._is_new = False
        velocity = mean + (mean - self._mean + self._risen * (share * self._dt)) * share
        spin = mean_spin + (mean_spin - self._mean_spin) * share
        self._mean, self._mean_spin = mean, mean_spin
        self.state = State(position, rotation, velocity, spin)
        return self.state
