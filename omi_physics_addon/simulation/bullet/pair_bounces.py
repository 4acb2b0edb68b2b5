"""Bounces of bodies that forces move off each other, which Bullet gets wrong in long steps.

Where Bullet finds two bodies in each other it pushes them out, which adds to their bounce. So here
the engine stops them without any bounce, and pushes that are equal and opposite part them in the
next frame as fast as the restitution says. If P are the impulses that stop all contacts of a frame
together, then (1 + e)·P reflects the motion, which at e = 1 keeps the energy for any number of
contacts. The frames after it put right what contacts added or took.

Source: the impulse -(1 + e)·v/(n·M⁻¹·n) between two bodies; Newton's law of restitution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Indices
from ...geometry.rotations import crossed, rotation_vectors, turned
from ...model.bodies import PhysicsMaterial
from ..joints.oscillator import drift
from ..pushes import Push, with_pushes
from ..state import Masses, State, Wrench
from ..world import Body
from .hit_energy import HitEnergy
from .liveliness import lively_pairs, material_of, restitution
from .meetings import Meetings
from .pair_contacts import Contacts, Weights
from .pair_hits import Flight, PairHits

_MAX_FRAMES: Final = 5  # In which a bounce is put right.
_SURE_AGE: Final = 2  # Frames after which one that is right is left alone.
# Bodies that hit with less than their weight does in such steps come to rest.
_REST_STEPS: Final = 2.0
_LEAST_SPEED: Final = 1e-3  # m/s.
_RIGHT: Final = 0.005  # Of the speed wanted, that it may be wrong.


class PairBounces:
    """Throws bodies back from each other.

    Attributes:
        which: (k,), the bodies that may bounce.
        most: how many pushes there may be in a step.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        meetings: Meetings,
        held: Iterable[int],
        anchors: Iterator[int],
        *,
        substeps: int,
    ) -> None:
        """Take the bodies of a world.

        Args:
            meetings: of all bodies of their world.
            held: bodies on joints.
            anchors: numbers below 0 for what pushes lean on.
            substeps: how many the engine takes while forces stay the same.
        """
        self.which: Indices = np.flatnonzero(lively_pairs(bodies))
        mine: list[Body] = [bodies[i] for i in self.which.tolist()]
        self._hits = PairHits(mine, meetings.of_bodies(self.which))
        self.most = 2 * (len(mine) + self._hits.others)
        self._material: list[PhysicsMaterial] = [material_of(body) for body in mine]
        self._substeps, self._drift = substeps, drift(substeps)
        self._going = Contacts.none()
        self._after = np.zeros((len(mine), 3)), np.zeros((len(mine), 3))
        self._anchors = anchors
        self._energy = HitEnergy(np.isin(self.which, list(held)))
        self._motion = self._after
        self._busy = np.zeros(len(mine), dtype=np.bool_)
        self._before: State | None = None
        nothing = np.zeros((len(mine), 3))
        # At the start of the last frame, and what it was expected to bring.
        self._velocity, self._spin = nothing, nothing
        self._pull, self._twist = nothing, nothing
        self._weight = np.zeros(len(mine))  # By mass; without what throws it back.

    # --- what has happened ---

    def follow(self, state: State, masses: Masses, dt: float) -> Indices:
        """Find out what hit each other in the last frame; the bodies."""
        at = self.which
        if self._before is None:
            self._velocity, self._spin = state.velocity[at], state.spin[at]
            return at[:0]
        before = self._before
        self._motion = self._velocity + self._pull * dt, self._spin + self._twist * dt
        place, start = state.position[at], before.position[at]
        turns = state.rotation[at] @ before.rotation[at].transpose(0, 2, 1)
        expected = self._velocity, self._spin, self._pull, self._twist
        flight = Flight(start, place, turns, *expected, self._weight, self._drift)
        weights = Weights.of(before, masses, at)
        hits = self._hits.found(flight, weights, dt)
        rest = 1.0 - self._drift
        velocity = (place - start) / dt + self._pull * (rest * dt)
        spin = rotation_vectors(turns) / dt + self._twist * (rest * dt)
        hit = np.zeros(len(at), dtype=np.bool_)
        if len(hits):
            stopped, found = self._reflected(hits, weights, dt)
            hit[found.first] = hit[found.second] = True
            velocity[hit], spin[hit] = stopped[0][hit], stopped[1][hit]
            self._going = self._going.only(~(hit[self._going.first] | hit[self._going.second]))
            found.anchor = np.array([next(self._anchors) for _ in found.first], dtype=np.int64)
            self._going = self._going.also(found)
        self._velocity, self._spin, self._busy = velocity, spin, hit
        return at[hit]

    def _reflected(
        self, contacts: Contacts, weights: Weights, dt: float
    ) -> tuple[tuple[Array, Array], Contacts]:
        """Velocities and spins (k, 3) after the engine has stopped bodies, and what bounces."""
        # As if all pushes had been done when they hit, so that nothing is left to push after it.
        motion = self._motion
        nothing = np.zeros(len(contacts))
        sizes = weights.settled(contacts, motion, nothing, only_part=True)
        weight = np.maximum(self._weight[contacts.first], self._weight[contacts.second])
        first, second = weights.eases(contacts)
        pairs: Iterable[tuple[int, int]]
        pairs = zip(contacts.first.tolist(), contacts.second.tolist(), strict=True)
        contacts.bounce = np.array(
            [restitution(self._material[a], self._material[b]) for a, b in pairs]
        )
        hard = sizes * (first + second) > _REST_STEPS * weight * dt + _LEAST_SPEED
        contacts.wanted = sizes
        contacts = contacts.only(hard)
        sizes = contacts.wanted
        contacts.number(len(self.which))
        lost = weights.changes(contacts, sizes)
        more = weights.changes(contacts, (1.0 + contacts.bounce) * sizes)
        after = motion[0] + more[0], motion[1] + more[1]
        energy = weights.energies(contacts, motion)
        contacts.most = np.minimum(weights.energies(contacts, after), energy)
        self._energy.hit(contacts, weights, motion)
        contacts.wanted = contacts.separating_speed(*after)
        contacts.impulse = contacts.bounce * sizes
        self._after = after
        return (motion[0] + lost[0], motion[1] + lost[1]), contacts

    def velocities(self, bodies: Indices) -> Array:
        """The velocities (h, 3) of bodies now; they have been stopped where they hit others."""
        return self._velocity[np.searchsorted(self.which, bodies)]

    def leaving(self, bodies: Indices) -> Array:
        """The velocities (h, 3) with which bodies leave others that they hit in the last frame."""
        return self._after[0][np.searchsorted(self.which, bodies)]

    def redirect(self, velocities: Mapping[int, Array]) -> None:
        """Take other velocities (3,) with which bodies leave what they hit in the last frame."""
        if not velocities:
            return
        rows = np.searchsorted(self.which, list(velocities))
        self._after[0][rows] = list(velocities.values())
        going = self._going
        new = (going.age == 0) & (np.isin(going.first, rows) | np.isin(going.second, rows))
        new = np.isin(going.cluster, going.cluster[new]) & (going.age == 0)
        going.wanted[new] = going.only(new).separating_speed(*self._after)

    # --- what is to be done ---

    def pushes(
        self,
        state: State,
        masses: Masses,
        dt: float,
        pushing: tuple[Wrench, Sequence[Push]],
        falling: Array,
        grounded: Mapping[int, Array],
        carried: Iterable[int],
    ) -> list[Push]:
        """What throws bodies back; `follow` comes before.

        Args:
            pushing: what else pushes bodies in the next frame.
            falling: (n, 3), accelerations that the engine itself adds, such as gravity.
            grounded: the bodies that hit in the last frame what forces do not move, with their
                velocities (3,).
            carried: those of them that hit what moves.
        """
        at = self.which
        walls = (
            np.flatnonzero(np.isin(at, list(grounded))),
            np.flatnonzero(np.isin(at, list(carried))),
        )
        for row, body in enumerate(at.tolist()):
            if body in grounded:
                self._velocity[row] = grounded[body]
        weights = Weights.of(state, masses, at)
        pull = falling[at] + pushing[0].force[at] * weights.inverse_mass[:, None]
        base, self._weight = pull, np.linalg.norm(pull, axis=1)
        wrench = with_pushes(pushing[0], state, pushing[1])
        pull = falling[at] + wrench.force[at] * weights.inverse_mass[:, None]
        momentum = turned(weights.inertia, self._spin)
        torque = wrench.torque[at] - crossed(self._spin, momentum)
        twist = turned(weights.inverse_inertia, torque)
        found: list[Push] = []
        thrown, spin = self._velocity + (pull - base) * dt, self._spin
        if len(self._going):
            sizes = self._thrown(weights, grounded, (thrown, self._spin))
            straight, turning = weights.impulses(self._going, sizes)
            self._going.wanted = self._going.wanted + self._going.separating_speed(pull, twist) * dt
            found = self._pushes(state, sizes, dt)
            pull = pull + straight * (weights.inverse_mass / dt)[:, None]
            twist = twist + turned(weights.inverse_inertia, turning) / dt
            thrown = thrown + straight * weights.inverse_mass[:, None]
            spin = spin + turned(weights.inverse_inertia, turning)
        if len(walls[0]):
            self._energy.wall(*walls, weights, self._motion)
        if not self._energy.is_empty:
            change = self._checked(weights, (thrown, spin), walls[0])
            self._energy.go_on(weights, (thrown + change, spin), base, dt)
            found += self._brakes(state, weights, change, dt)
            pull = pull + change / dt
        self._pull, self._twist, self._before = pull, twist, state
        return found

    def _checked(self, weights: Weights, after: tuple[Array, Array], walls: Indices) -> Array:
        """How velocities (k, 3) after pushes are to change so that no energy is made."""
        busy = self._busy.copy()
        busy[walls] = True
        self._energy.see(busy)
        change = self._energy.surplus(weights, self._velocity, *after)
        braked = change.any(axis=1)
        going = self._going
        self._going = going.only(~(braked[going.first] | braked[going.second]))
        return change

    def _brakes(self, state: State, weights: Weights, change: Array, dt: float) -> list[Push]:
        """Pushes that change velocities by (k, 3)."""
        found: list[Push] = []
        for row in np.flatnonzero(change.any(axis=1)).tolist():
            size, body = float(np.linalg.norm(change[row])), int(self.which[row])
            push = size * float(weights.mass[row]) / dt
            place, axis = state.position[body], change[row] / size
            found.append(Push(body, next(self._anchors), axis, place, push))
        return found

    def _thrown(
        self, weights: Weights, grounded: Iterable[int], motion: tuple[Array, Array]
    ) -> Array:
        """Impulses (c,) of contacts."""
        going = self._going
        on_ground = np.isin(self.which, list(grounded))
        again = on_ground[going.first] | on_ground[going.second]
        going = going.only((going.age == 0) | ~again)
        wrong = np.abs(going.separating_speed(*motion) - going.wanted)
        right = wrong <= _RIGHT * np.abs(going.wanted) + _LEAST_SPEED
        going = going.only((going.age < _MAX_FRAMES) & ~(right & (going.age >= _SURE_AGE)))
        sizes = weights.settled(going, motion, going.wanted, only_part=False)
        sizes = np.where(going.age == 0, going.impulse, sizes)
        going.age = going.age + 1
        self._going = going
        return sizes

    def _pushes(self, state: State, sizes: Array, dt: float) -> list[Push]:
        """Pushes for impulses (c,), each through the centre of mass, and what turns."""
        going, found = self._going, list[Push]()
        for i in np.flatnonzero(sizes != 0.0).tolist():
            size, other = float(sizes[i]) / dt, int(going.anchor[i])
            for row, along, about in (
                (going.first[i], going.normal[i], going.first_turn[i]),
                (going.second[i], -going.normal[i], going.second_turn[i]),
            ):
                body, lever = int(self.which[row]), float(np.linalg.norm(about))
                place = state.position[body]
                found.append(Push(body, other, along, place, size))
                if lever > 0.0:
                    found.append(Push(body, other, about / lever, place, size * lever, turns=True))
        return found
