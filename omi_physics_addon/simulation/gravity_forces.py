"""Gravity of volumes and of the world.

Source: OMI_physics_gravity. A volume acts on the bodies that overlap its trigger, as engines do
it, with the acceleration its field has at their centres of mass. Its own body it leaves alone.
The scale of a volume's node scales its distances: the radius, the points and the unit distance.
Where a field grows without end, it does so only as far as a step can follow; see `gravity_guard`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..geometry import gravity_field
from ..geometry.arrays import Array, Flags, Indices
from ..geometry.gravity_field import Influence
from ..geometry.nearest import Nearest
from .gravity_guard import GravityGuard, Passing, gravity_of, placed_in, scale_of
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
    """Pushes bodies as the volumes say that they are in.

    Attributes:
        latest: (n, 3), m/s², the accelerations that `apply` gave last; None before.
    """

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
        self._guard = GravityGuard(substeps)
        self.latest: Array | None = None

    def accelerations(self, state: State, masses: Masses, dt: float = 0.0) -> Array:
        """The gravity (n, 3) at every body, without its factor.

        Args:
            dt: s, of the step in the middle of which it is taken; see `middle`.
        """
        return self._found(state, masses, dt, [])

    def _found(self, state: State, masses: Masses, dt: float, passing: list[Passing]) -> Array:
        """The gravity (n, 3); to `passing` goes what is near the middle of a volume."""
        inside = self._inside(state, masses)[self._rows]
        concerned = np.flatnonzero(inside.any(axis=0) & masses.is_dynamic)
        result = np.tile(self._world, (len(state), 1))
        if len(concerned):
            result[concerned] = self._combined(state, masses, dt, inside, concerned, passing)
        return result

    def _combined(
        self,
        state: State,
        masses: Masses,
        dt: float,
        inside: Flags,
        bodies: Indices,
        passing: list[Passing],
    ) -> Array:
        points = state.position[bodies] + self._ahead * dt * state.velocity[bodies]
        influences: list[Influence] = []
        for volume, surface, held in zip(self._volumes, self._surfaces, inside, strict=True):
            here = held[bodies]
            if not here.any():
                continue
            gravity, scale = gravity_of(volume), scale_of(volume)
            strength, scale = (gravity.gravity, scale) if scale else (0.0, 1.0)
            local, axes = placed_in(volume, points[here], state, masses, self._ahead * dt)
            # Where distances are scaled, a field is the same at points scaled with them.
            way = gravity_field.displacements(gravity.field, local / scale, surface)
            core = gravity_field.core_of(gravity.field, strength, scale, dt)
            found = gravity_field.along(gravity.field, strength, way, core)
            pull = np.zeros_like(points)
            pull[here] = found @ axes.T
            influences.append(
                Influence(pull, here, gravity.priority, gravity.replace, gravity.stop)
            )
            step = np.linalg.norm(state.velocity[bodies][here], axis=1) * (dt / scale)
            said = influences[-1]
            passing.append(Passing.of(volume, surface, bodies, said, found, way, step, core))
        return gravity_field.combine(influences, self._world, len(bodies))

    def apply(self, state: State, masses: Masses, dt: float, wrench: Wrench) -> None:
        """Add the weight of bodies, less what the integrator adds itself."""
        passing: list[Passing] = []
        found = self._found(state, masses, dt, passing)
        given = self._guard.given_back(state, masses, found, passing, dt)
        if self._native:
            found -= self._world
        mass = np.where(masses.is_dynamic & np.isfinite(masses.mass), masses.mass, 0.0)
        self.latest = found * masses.gravity_factor[:, None] + given
        wrench.force += self.latest * mass[:, None]
