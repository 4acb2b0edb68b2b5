"""Gravity of volumes and of the world.

Source: OMI_physics_gravity. A volume acts on the bodies that overlap its trigger, as engines do
it, with the acceleration its field has at their centres of mass. Its own body it leaves alone.
The scale of a volume's node scales its distances: the radius, the points and the unit distance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..geometry import gravity_field
from ..geometry.arrays import Array, Flags, Indices
from ..geometry.gravity_field import Influence
from ..geometry.nearest import Nearest
from ..model.gravity import GravityVolume
from .state import Masses, State, Wrench
from .world import Volume


def middle(substeps: int) -> float:
    """The share of a step after which gravity is taken, for semi-implicit Euler substeps.

    With a force that is the same during a step of n substeps, a body moves by h·v + (1 + 1/n)/2 ·
    h²·a. Taken at x + c·h·v with c = (1 - 1/n)/2, that is a drift by c·h, a kick by h, and a
    drift by (1 - c)·h: a symplectic step, so orbits keep their size. Taken at x, they grow.
    Source: Hairer, Lubich and Wanner 2006, "Geometric Numerical Integration", chapter I.1.4.
    """
    return (1.0 - 1.0 / substeps) / 2.0


class VolumeGravity:
    """Pushes bodies as the volumes say that they are in."""

    def __init__(
        self,
        volumes: Sequence[Volume],
        world: Array,
        inside: Callable[[State, Masses], Flags],
        surfaces: Sequence[Nearest | None] | None = None,
        *,
        substeps: int = 1,
        native: bool = True,
    ) -> None:
        """Take the volumes that have gravity.

        Args:
            world: (3,), the acceleration of world gravity.
            inside: which volumes (t) bodies (n) are in: (t, n), such as `Triggers.overlaps`.
            surfaces: for shaped gravity the nearest points on its surface, in the
                volume's own axes and without its scale.
            substeps: how many the integrator takes while forces stay the same.
            native: whether the integrator adds world gravity itself, with each body's factor.
        """
        self._volumes = [volume for volume in volumes if volume.gravity is not None]
        self._rows = [at for at, volume in enumerate(volumes) if volume.gravity is not None]
        self._world, self._inside = np.asarray(world, dtype=np.float64), inside
        given = [None] * len(volumes) if surfaces is None else list(surfaces)
        self._surfaces = [given[at] for at in self._rows]
        self._ahead, self._native = middle(substeps), native

    def accelerations(self, state: State, masses: Masses, dt: float = 0.0) -> Array:
        """The gravity (n, 3) at every body, without its factor.

        Args:
            dt: s, of the step in the middle of which it is taken; see `middle`.
        """
        inside = self._inside(state, masses)[self._rows]
        concerned = np.flatnonzero(inside.any(axis=0) & masses.is_dynamic)
        result = np.tile(self._world, (len(state), 1))
        if len(concerned):
            result[concerned] = self._combined(state, masses, dt, inside, concerned)
        return result

    def _combined(
        self, state: State, masses: Masses, dt: float, inside: Flags, bodies: Indices
    ) -> Array:
        points = state.position[bodies] + self._ahead * dt * state.velocity[bodies]
        influences: list[Influence] = []
        for volume, surface, held in zip(self._volumes, self._surfaces, inside, strict=True):
            here = held[bodies]
            if not here.any():
                continue
            pull = np.zeros_like(points)
            pull[here] = self._field(volume, surface, points[here], state, masses, dt)
            gravity = _gravity_of(volume)
            influences.append(
                Influence(pull, here, gravity.priority, gravity.replace, gravity.stop)
            )
        return gravity_field.combine(influences, self._world, len(bodies))

    def _field(
        self,
        volume: Volume,
        surface: Nearest | None,
        points: Array,
        state: State,
        masses: Masses,
        dt: float,
    ) -> Array:
        """The acceleration (k, 3) that a volume has at points (k, 3)."""
        frame = volume.frame
        body = np.array([frame.body])
        place = state.points(body, frame.place[None], masses)
        place = place + self._ahead * dt * state.point_velocities(body, place)
        axes = state.frames(body, frame.axes[None])[0]
        local = (points - place) @ axes
        gravity = _gravity_of(volume)
        scale = float(np.cbrt(np.abs(volume.scale).prod()))
        if not scale:
            return np.zeros_like(points)
        # Where distances are scaled, a field is the same at points scaled with them.
        pull = gravity_field.acceleration(gravity.field, gravity.gravity, local / scale, surface)
        return pull @ axes.T

    def apply(self, state: State, masses: Masses, dt: float, wrench: Wrench) -> None:
        """Add the weight of bodies, less what the integrator adds itself."""
        found = self.accelerations(state, masses, dt)
        if self._native:
            found -= self._world
        mass = np.where(masses.is_dynamic & np.isfinite(masses.mass), masses.mass, 0.0)
        wrench.force += found * (masses.gravity_factor * mass)[:, None]


def _gravity_of(volume: Volume) -> GravityVolume:
    assert volume.gravity is not None
    return volume.gravity
