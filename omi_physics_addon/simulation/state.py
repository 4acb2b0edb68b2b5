"""Where bodies are, how they move, what they weigh, and what pushes them.

Everything is in the world's space, with glTF's axes (Y up) and SI units, unless a name ends with
`_local`: then it is in the axes of the body's node, without scale. Bodies are numbered from 0;
`WORLD` stands for what never moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..geometry.arrays import Array, Flags, Indices
from ..geometry.rotations import crossed, turned

# The index of the world where one of a body is expected. As an index of an array it is the last
# body's, so that values of bodies can be taken first and replaced for the world after that.
WORLD: Final = -1


@dataclass(frozen=True, eq=False)
class Masses:
    """What n bodies weigh; the same during a whole preview.

    Bodies that are not dynamic have the inverse mass and inverse inertia 0, and so have dynamic
    ones for what is infinite.

    Attributes:
        mass: (n,), kg; inf for what cannot be pushed.
        inverse_mass: (n,), 1/kg.
        inertia_local: (n, 3, 3), kg m², about the centre of mass; huge but finite numbers stand
            for infinite moments.
        inverse_inertia_local: (n, 3, 3), 1/(kg m²), exactly 0 about infinite axes.
        center_local: (n, 3), m, the centre of mass from the origin of the node.
        is_dynamic: (n,), whether forces move it.
        gravity_factor: (n,), by which gravity is multiplied.
    """

    mass: Array
    inverse_mass: Array
    inertia_local: Array
    inverse_inertia_local: Array
    center_local: Array
    is_dynamic: Flags
    gravity_factor: Array

    def __len__(self) -> int:
        return len(self.mass)


@dataclass(eq=False)
class State:
    """Where n bodies are and how they move.

    Attributes:
        position: (n, 3), m, the centre of mass.
        rotation: (n, 3, 3), from the axes of the node to those of the world; no scale.
        velocity: (n, 3), m/s, of the centre of mass.
        spin: (n, 3), rad/s.
    """

    position: Array
    rotation: Array
    velocity: Array
    spin: Array

    def __len__(self) -> int:
        return len(self.position)

    def origin(self, masses: Masses) -> Array:
        """Where the origins of the nodes are, (n, 3)."""
        return self.position - turned(self.rotation, masses.center_local)

    def points(self, bodies: Indices, points_local: Array, masses: Masses) -> Array:
        """Where points (k, 3) of bodies (k,) are; those of the world stay as they are."""
        placed = self.position[bodies] + turned(
            self.rotation[bodies], points_local - masses.center_local[bodies]
        )
        return np.where((bodies != WORLD)[:, None], placed, points_local)

    def directions(self, bodies: Indices, directions_local: Array) -> Array:
        """Directions (k, 3) of bodies (k,), in the world; those of the world stay."""
        placed = turned(self.rotation[bodies], directions_local)
        return np.where((bodies != WORLD)[:, None], placed, directions_local)

    def frames(self, bodies: Indices, axes_local: Array) -> Array:
        """Axes (k, 3, 3) of bodies (k,) as columns, in the world; those of the world stay."""
        placed = self.rotation[bodies] @ axes_local
        return np.where((bodies != WORLD)[:, None, None], placed, axes_local)

    def point_velocities(self, bodies: Indices, points: Array) -> Array:
        """How fast places (k, 3), that move with bodies (k,), do so; those of the world do not."""
        arms = points - self.position[bodies]
        moving = self.velocity[bodies] + crossed(self.spin[bodies], arms)
        return np.where((bodies != WORLD)[:, None], moving, 0.0)

    def spins(self, bodies: Indices) -> Array:
        """How bodies (k,) turn, (k, 3), rad/s; the world does not."""
        return np.where((bodies != WORLD)[:, None], self.spin[bodies], 0.0)

    def inertia(self, masses: Masses) -> Array:
        """The inertia (n, 3, 3) in the axes of the world, kg m²."""
        return self.rotation @ masses.inertia_local @ self.rotation.transpose(0, 2, 1)

    def inverse_inertia(self, masses: Masses) -> Array:
        """The inverse inertia (n, 3, 3) in the axes of the world, 1/(kg m²)."""
        return self.rotation @ masses.inverse_inertia_local @ self.rotation.transpose(0, 2, 1)


@dataclass(eq=False)
class Wrench:
    """What pushes and turns n bodies during one step.

    Attributes:
        force: (n, 3), N.
        torque: (n, 3), N m, about the centre of mass.
    """

    force: Array
    torque: Array

    @classmethod
    def zero(cls, count: int) -> Wrench:
        """Nothing for `count` bodies."""
        return cls(np.zeros((count, 3)), np.zeros((count, 3)))

    def push(self, state: State, bodies: Indices, points: Array, forces: Array) -> None:
        """Add forces (k, 3) at places (k, 3) of bodies (k,); bodies may repeat.

        Those on the world are left out.
        """
        on_body = bodies != WORLD
        bodies, points, forces = bodies[on_body], points[on_body], forces[on_body]
        np.add.at(self.force, bodies, forces)
        np.add.at(self.torque, bodies, crossed(points - state.position[bodies], forces))

    def turn(self, bodies: Indices, torques: Array) -> None:
        """Add torques (k, 3) to bodies (k,); bodies may repeat. Those on the world are left out."""
        on_body = bodies != WORLD
        np.add.at(self.torque, bodies[on_body], torques[on_body])
