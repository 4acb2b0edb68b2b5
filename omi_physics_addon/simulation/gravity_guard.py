"""Keeps the energy of what passes the middle of a field of gravity.

Gravity stays the same during a step, while a pull that grows with 1/d² changes many times over near
its middle. There it is capped by what a step can follow (`gravity_field.core_of`), and after each
step the work that it did is compared with what its potential gave. The difference, made or lost, is
taken from the speed of the body in the next step, or given to it. Source: the passivity controller
of Hannaford and Ryu 2002, "Time-domain passivity control of haptic interfaces".

Energies are those where drift and kick of a step are symmetrical, half a substep before its start:
there a pull that is the same everywhere does exactly the work that its potential gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..geometry import gravity_field
from ..geometry.arrays import Array, Flags, Indices
from ..geometry.gravity_field import Influence
from ..geometry.nearest import Nearest
from ..model.gravity import DirectionalGravity, GravityVolume
from .state import Masses, State
from .world import Volume

_NEAR: Final = 8.0  # Cores away from the middle within which energies are followed.
_FAST: Final = 0.02  # Share of its distance from the middle that a body goes in a step.
_MOST: Final = 0.75  # Of the energy of motion, taken away in one step.
_FREE: Final = 0.01  # Share of a way by which what nothing hits misses that of its mean speed.


def gravity_of(volume: Volume) -> GravityVolume:
    """The gravity of a volume that has some."""
    assert volume.gravity is not None
    return volume.gravity


def scale_of(volume: Volume) -> float:
    """By how much the node of a volume scales its distances."""
    return float(np.cbrt(np.abs(volume.scale).prod()))


def placed_in(
    volume: Volume, points: Array, state: State, masses: Masses, ahead: float = 0.0
) -> tuple[Array, Array]:
    """Points (k, 3) in the axes of a volume without its scale, m, and these axes (3, 3).

    Args:
        ahead: s, for how long the volume goes on before.
    """
    frame = volume.frame
    body = np.array([frame.body])
    place = state.points(body, frame.place[None], masses)
    place = place + ahead * state.point_velocities(body, place)
    axes: Array = state.frames(body, frame.axes[None])[0]
    return (points - place) @ axes, axes


@dataclass(frozen=True, eq=False)
class Passing:
    """What one volume does to k of m bodies, for one step.

    Attributes:
        bodies: (m,), all bodies that are in any volume.
        influence: on all of them.
        rows: (k,), which of them are near the middle.
        pull: (k, 3), m/s², in the axes of the volume.
        core: m, without its scale.
    """

    volume: Volume
    surface: Nearest | None
    bodies: Indices
    influence: Influence
    rows: Indices
    pull: Array
    core: float

    @classmethod
    def of(
        cls,
        volume: Volume,
        surface: Nearest | None,
        bodies: Indices,
        influence: Influence,
        pull: Array,
        way: Array,
        step: Array,
        core: float,
    ) -> Passing:
        """What a volume does to those that are inside.

        Args:
            pull, way: (i, 3), of each of these, in the axes of the volume; `way` without its scale.
            step: (i,), how far each goes in a step, without the scale. What is slow or rests
                needs no guard, and must not be pushed by the rounding of one.
        """
        distance = np.sum(way * way, axis=1)
        near = (distance < (_NEAR * core) ** 2) & (step * step > _FAST * _FAST * distance)
        if isinstance(gravity_of(volume).field, DirectionalGravity) or not core:
            near[:] = False
        rows = np.flatnonzero(influence.inside)[near]
        return cls(volume, surface, bodies, influence, rows, pull[near], core)


@dataclass(frozen=True, eq=False)
class _Before:
    """How a step began: places in the middle of it, and what was given back in it."""

    place: Array
    velocity: Array
    given: Array
    passing: list[tuple[Passing, Array]]  # With places (k, 3) in the axes of the volume.


class GravityGuard:
    """Follows the energy of bodies near the middle of fields."""

    def __init__(self, substeps: int) -> None:
        """Take how many substeps the integrator takes while forces stay the same."""
        self._back = 0.5 / substeps
        self._before: _Before | None = None
        self._made = np.zeros(0)  # J/kg, by each body.

    def given_back(
        self, state: State, masses: Masses, pull: Array, passing: Sequence[Passing], dt: float
    ) -> Array:
        """The acceleration (n, 3) that takes back what was made, or gives what was lost.

        Args:
            pull: (n, 3), the gravity of this step, m/s².
            passing: what volumes do in this step, by `pull`.
        """
        place = state.position - self._back * dt * state.velocity
        if len(self._made) != len(state):
            self._made = np.zeros(len(state))
        if self._before is not None:
            gained, free = self._gained(self._before, place, state, masses, dt)
            # What hits something in a step, rests or is put elsewhere has nothing to give back.
            self._made = np.where(free, self._made + gained, 0.0)
        result = np.zeros_like(place)
        moved = np.flatnonzero(self._made)
        falling = (masses.gravity_factor[moved] * dt / 2.0)[:, None] * pull[moved]
        result[moved] = self._slowing(state.velocity[moved] + falling, moved, dt)
        self._before = None
        if len(moved) or any(len(each.rows) for each in passing):
            held = [(each, self._local(each, place, state, masses, dt)) for each in passing]
            self._before = _Before(place, state.velocity.copy(), result, held)
        return result

    def _slowing(self, velocity: Array, bodies: Indices, dt: float) -> Array:
        """The acceleration (k, 3) along mean velocities (k, 3) that gives back what was made."""
        speed = np.linalg.norm(velocity, axis=1)
        least = -0.5 * _MOST * speed * speed
        wanted = np.clip(-self._made[bodies], least, -least)
        faster = np.sqrt(speed * speed + 2.0 * wanted) - speed
        return velocity * (faster / (np.maximum(speed, 1e-12) * dt))[:, None]

    def _local(self, one: Passing, place: Array, state: State, masses: Masses, dt: float) -> Array:
        points = place[one.bodies[one.rows]]
        return placed_in(one.volume, points, state, masses, -self._back * dt)[0]

    def _gained(
        self, before: _Before, place: Array, state: State, masses: Masses, dt: float
    ) -> tuple[Array, Flags]:
        """What pulls gave to each body in the last step beside their potential, (n,), J/kg.

        Also which of them moved in it as nothing but pulls would have them move.
        """
        way = place - before.place
        result: Array = np.einsum("ni,ni->n", before.given, way)
        influences: list[Influence] = []
        for one, start in before.passing:
            end = self._local(one, place, state, masses, dt)
            work = np.einsum("ki,ki->k", one.pull, end - start)
            extra = np.zeros_like(one.influence.acceleration)
            extra[one.rows, 0] = work + self._potential(one, end) - self._potential(one, start)
            influences.append(replace(one.influence, acceleration=extra))
        if influences:
            bodies = before.passing[0][0].bodies
            extra = gravity_field.combine(influences, np.zeros(3), len(bodies))[:, 0]
            result[bodies] += masses.gravity_factor[bodies] * extra
        missed = way - 0.5 * dt * (before.velocity + state.velocity)
        free = np.linalg.norm(missed, axis=1) < _FREE * np.linalg.norm(way, axis=1)
        return result, free

    def _potential(self, one: Passing, local: Array) -> Array:
        gravity, scale = gravity_of(one.volume), scale_of(one.volume)
        way = gravity_field.displacements(gravity.field, local / scale, one.surface)
        distance = np.linalg.norm(way, axis=1)
        return scale * gravity_field.potential(gravity.field, gravity.gravity, distance, one.core)
