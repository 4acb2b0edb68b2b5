"""Where two bodies that forces move touch, and impulses between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices, connected
from ...geometry.rotations import turned
from ...model.shapes import Sphere
from ..state import WORLD, Masses, State
from ..world import Body

_ROUNDS: Final = 200  # In which impulses of contacts that share bodies agree.
_AGREED: Final = 1e-6  # Of the largest speed wanted.


@dataclass(eq=False)
class Contacts:
    """Contacts (c,) of pairs; an impulse above 0 parts the two.

    Attributes:
        first, second: (c,), rows of the two bodies.
        normal: (c, 3), towards the first.
        first_turn, second_turn: (c, 3), m, how an impulse turns each.
        bounce: (c,), the restitution.
        wanted: (c,), m/s, how fast they are to part.
        impulse: (c,), N s, what does that after they have been stopped.
        most: (c,), J, the energy that its cluster leaves with, as seen from its common centre.
        cluster: (c,), a number that contacts which share bodies have in common.
        age: (c,), frames since they touched.
        anchor: (c,), below 0, what their pushes lean on; each its own.
    """

    first: Indices
    second: Indices
    normal: Array
    first_turn: Array
    second_turn: Array
    bounce: Array
    wanted: Array
    impulse: Array
    most: Array
    cluster: Indices
    age: Indices
    anchor: Indices

    def __len__(self) -> int:
        return len(self.first)

    def only(self, chosen: Flags) -> Contacts:
        """Some of them."""
        return Contacts(**{name: each[chosen] for name, each in vars(self).items()})

    def also(self, others: Contacts) -> Contacts:
        """These and others."""
        mine, theirs = vars(self), vars(others)
        return Contacts(**{name: np.concatenate([mine[name], theirs[name]]) for name in mine})

    @classmethod
    def of(
        cls, pairs: tuple[Indices, Indices], normal: Array, turns: tuple[Array, Array]
    ) -> Contacts:
        """Contacts of which only the places are known."""
        count = len(normal)
        wanted, impulse, most, bounce = np.zeros((4, count))
        alone, age = np.arange(count), np.zeros(count, dtype=np.int64)
        anchor = np.full(count, WORLD)
        return cls(*pairs, normal, *turns, bounce, wanted, impulse, most, alone, age, anchor)

    @classmethod
    def none(cls) -> Contacts:
        """No contacts."""
        nobody = np.zeros(0, dtype=np.int64)
        return cls.of((nobody, nobody), np.zeros((0, 3)), (np.zeros((0, 3)), np.zeros((0, 3))))

    def separating_speed(self, velocity: Array, spin: Array) -> Array:
        """How fast (c,), m/s, bodies with velocities and spins (k, 3) part, along the normals."""
        along = (self.normal * (velocity[self.first] - velocity[self.second])).sum(axis=1)
        about = (self.first_turn * spin[self.first]).sum(axis=1)
        return along + about + (self.second_turn * spin[self.second]).sum(axis=1)

    def touched(self, count: int) -> Indices:
        """In how many of them each of `count` bodies is."""
        return np.bincount(np.concatenate([self.first, self.second]), minlength=count)

    def number(self, count: int) -> None:
        """Number the clusters, among `count` bodies."""
        self.cluster = connected(self.first, self.second, count)[self.first]


@dataclass(frozen=True, eq=False)
class Weights:
    """How easily bodies (k,) are moved.

    Attributes:
        mass, inverse_mass: (k,).
        inertia, inverse_inertia: (k, 3, 3), in the axes of the world.
    """

    mass: Array
    inverse_mass: Array
    inertia: Array
    inverse_inertia: Array

    @classmethod
    def of(cls, state: State, masses: Masses, at: Indices) -> Weights:
        """Those of some bodies (k,) in a state."""
        rotation = state.rotation[at]
        back = rotation.transpose(0, 2, 1)
        return cls(
            masses.mass[at],
            masses.inverse_mass[at],
            rotation @ masses.inertia_local[at] @ back,
            rotation @ masses.inverse_inertia_local[at] @ back,
        )

    def impulses(self, contacts: Contacts, sizes: Array) -> tuple[Array, Array]:
        """What impulses (c,) are for bodies: straight and turning ones, (k, 3) each."""
        straight, turning = np.zeros((len(self.mass), 3)), np.zeros((len(self.mass), 3))
        pushed = contacts.normal * sizes[:, None]
        np.add.at(straight, contacts.first, pushed)
        np.add.at(straight, contacts.second, -pushed)
        np.add.at(turning, contacts.first, contacts.first_turn * sizes[:, None])
        np.add.at(turning, contacts.second, contacts.second_turn * sizes[:, None])
        return straight, turning

    def changes(self, contacts: Contacts, sizes: Array) -> tuple[Array, Array]:
        """What impulses (c,) do to velocities and spins, (k, 3) each."""
        straight, turning = self.impulses(contacts, sizes)
        return straight * self.inverse_mass[:, None], turned(self.inverse_inertia, turning)

    def eases(self, contacts: Contacts) -> tuple[Array, Array]:
        """How fast an impulse of 1 makes the first and the second body of contacts, (c,) each."""
        found: list[Array] = []
        for body, turn in (
            (contacts.first, contacts.first_turn),
            (contacts.second, contacts.second_turn),
        ):
            about = turned(self.inverse_inertia[body], turn)
            found.append(self.inverse_mass[body] + (turn * about).sum(axis=1))
        return found[0], found[1]

    def settled(
        self, contacts: Contacts, motion: tuple[Array, Array], wanted: Array, *, only_part: bool
    ) -> Array:
        """Impulses (c,) after which bodies part as fast as wanted (c,).

        Contacts of a body share its mass, so that all may be changed at once.

        Args:
            motion: velocities and spins, (k, 3) each.
            only_part: whether contacts can only push.
        """
        counts = contacts.touched(len(self.mass))
        first, second = self.eases(contacts)
        ease = first * counts[contacts.first] + second * counts[contacts.second]
        sizes = np.zeros(len(contacts))
        enough = _AGREED * float(
            np.abs(wanted - contacts.separating_speed(*motion)).max(initial=0.0)
        )
        for _ in range(_ROUNDS):
            velocity, spin = self.changes(contacts, sizes)
            missing = wanted - contacts.separating_speed(motion[0] + velocity, motion[1] + spin)
            more = missing / ease
            if only_part:
                more = np.maximum(more, -sizes)
            sizes = sizes + more
            if float(np.abs(more * ease).max(initial=0.0)) <= enough:
                break
        return sizes

    def energy(self, motion: tuple[Array, Array]) -> Array:
        """The energy (k,) of motion of bodies with velocities and spins (k, 3), J."""
        velocity, spin = motion
        twice = self.mass * (velocity * velocity).sum(axis=1)
        return (twice + (spin * turned(self.inertia, spin)).sum(axis=1)) / 2.0

    def energies(self, contacts: Contacts, motion: tuple[Array, Array]) -> Array:
        """The energy (c,) of the bodies of each contact's cluster, from their common centre, J."""
        (velocity, spin), count = motion, len(self.mass)
        body = np.unique(np.concatenate([contacts.first, contacts.second]))
        label = np.full(count, -1)
        label[contacts.first] = label[contacts.second] = contacts.cluster
        at = label[body]
        mass = self.mass[body]
        whole = np.bincount(at, mass, minlength=count)
        moving = velocity[body]
        shared = np.zeros((count, 3))
        np.add.at(shared, at, mass[:, None] * moving)
        moving = moving - shared[at] / whole[at, None]
        about = spin[body]
        twice = mass * (moving * moving).sum(axis=1)
        twice += (about * turned(self.inertia[body], about)).sum(axis=1)
        return np.bincount(at, twice, minlength=count)[contacts.cluster] / 2.0


def ball_radius(body: Body) -> float:
    """The radius of a body that is a ball about its centre of mass; 0 for others."""
    if len(body.solids) != 1 or not isinstance(body.solids[0].form, Sphere):
        return 0.0
    solid, radius = body.solids[0], body.solids[0].form.radius
    return radius if np.linalg.norm(solid.place - body.center) < 1e-6 * radius else 0.0
