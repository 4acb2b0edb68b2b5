"""What bodies that hit each other may have of energy, so that no bounce makes any.

Bodies that hit each other within a few frames are a group, which keeps account of the energy that
they had before, of what restitution takes and of what other forces do. What they have more than
that when all of them are free again is taken from how they move against their common centre, which
leaves their momentum as it is. A group that something else has pushed is given up.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices, connected
from .pair_contacts import Contacts, Weights

_FRAMES: Final = 6  # After the last hit, in which a group is watched.
_TOLERANCE: Final = 1e-3  # Of the energy.
_LEAST_SHARE: Final = 0.25  # Of the energy of moving apart that is left at once.
_PUSHED: Final = 0.01  # Of the momenta of its bodies; a group that gets more is pushed by others.
_PUSHED_SPEED: Final = 1e-3  # m/s; the same, of the mass.


class HitEnergy:
    """Accounts of the groups among bodies (k,).

    A group has the lowest row of its bodies as its number.
    """

    def __init__(self, held: Flags) -> None:
        """Take which bodies (k,) joints hold, which may push any group that these are in."""
        count, self._held = len(held), held
        self._group = np.full(count, -1)
        self._energy, self._momentum = np.zeros(count), np.zeros((count, 3))  # By group.
        self._age = np.zeros(count, dtype=np.int64)
        self._has_hit_wall = np.zeros(count, dtype=np.bool_)
        self._quiet = np.ones(count, dtype=np.bool_)  # Whether all of a group are free again.

    @property
    def is_empty(self) -> bool:
        """Whether there are no groups."""
        return not (self._group >= 0).any()

    def hit(self, contacts: Contacts, weights: Weights, motion: tuple[Array, Array]) -> None:
        """Let bodies that hit each other be of one group.

        Args:
            contacts: with the energy that clusters have when they part.
            motion: velocities and spins, (k, 3) each, as if nothing had been hit.
        """
        count, old = len(self._group), np.flatnonzero(self._group >= 0)
        ends = (contacts.first, contacts.second)
        first = np.concatenate([ends[0], old])
        second = np.concatenate([ends[1], self._group[old]])
        label = connected(first, second, count)
        fresh = np.setdiff1d(np.concatenate(ends), old)
        groups = np.unique(self._group[old])
        energy = _sums(label[fresh], weights.energy(motion)[fresh], count)
        energy += _sums(label[groups], self._energy[groups], count)
        _, one = np.unique(contacts.cluster, return_index=True)
        lost = weights.energies(contacts, motion) - contacts.most
        energy -= _sums(label[contacts.first[one]], np.maximum(lost[one], 0.0), count)
        momentum = _sums(label[fresh], weights.mass[fresh, None] * motion[0][fresh], count)
        momentum += _sums(label[groups], self._momentum[groups], count)
        age, walls = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_)
        age[label[groups]] = self._age[groups]
        walls[label[groups[self._has_hit_wall[groups]]]] = True
        age[label[ends[0]]] = 0
        self._energy, self._momentum, self._age, self._has_hit_wall = energy, momentum, age, walls
        self._group[fresh] = 0
        mine = self._group >= 0
        self._group = np.where(mine, label, -1)
        self._forget(self._group[self._held])

    def wall(
        self, rows: Indices, moving: Indices, weights: Weights, motion: tuple[Array, Array]
    ) -> None:
        """Take which bodies hit what forces do not move, and for which of them that moves.

        Args:
            motion: velocities and spins, (k, 3) each, as if nothing had been hit.
        """
        alone = rows[self._group[rows] < 0]
        self._group[alone] = alone
        self._energy[alone] = weights.energy(motion)[alone]
        self._momentum[alone] = 0.0
        hit = self._group[rows]
        self._has_hit_wall[hit], self._age[hit] = True, 0
        self._forget(self._group[moving])

    def surplus(self, weights: Weights, velocity: Array, after: Array, spin: Array) -> Array:
        """How velocities (k, 3) are to change so that no group has more energy than it may.

        Args:
            velocity: (k, 3), now.
            after: (k, 3), after pushes.
            spin: (k, 3), after pushes.
        """
        change = np.zeros_like(velocity)
        quiet = self._quiet
        self._forget(np.flatnonzero(quiet & self._is_pushed(weights, velocity)))
        at = np.flatnonzero((self._group >= 0) & quiet[self._group])
        if not len(at):
            return change
        group, mass, count = self._group[at], weights.mass[at], len(velocity)
        middle = _sums(group, mass[:, None] * after[at], count)
        middle /= np.maximum(_sums(group, mass, count), 1e-30)[:, None]
        apart = after[at] - middle[group]
        loose = _sums(group, mass * (apart * apart).sum(axis=1), count) / 2.0
        have = _sums(group, weights.energy((after, spin))[at], count)
        more = have - self._energy
        more = np.where(more > _TOLERANCE * np.maximum(self._energy, 0.0), more, 0.0)
        left = np.maximum(1.0 - more / np.maximum(loose, 1e-30), _LEAST_SHARE)
        change[at] = apart * (np.sqrt(left) - 1.0)[group][:, None]
        return change

    def see(self, busy: Flags) -> None:
        """Take which bodies (k,) have hit anything in the last frame: their speed is a guess."""
        self._quiet = np.ones(len(busy), dtype=np.bool_)
        self._quiet[self._group[busy & (self._group >= 0)]] = False

    def go_on(self, weights: Weights, motion: tuple[Array, Array], pull: Array, dt: float) -> None:
        """Take how bodies move now and what accelerates them (k, 3) in the next frame."""
        mine = self._group >= 0
        at, count = np.flatnonzero(mine), len(mine)
        group, gained = self._group[at], pull[at] * dt
        work = ((motion[0][at] + gained / 2.0) * gained).sum(axis=1) * weights.mass[at]
        self._energy += _sums(group, work, count)
        self._momentum += _sums(group, weights.mass[at, None] * gained, count)
        self._age += 1
        self._forget(np.flatnonzero(self._age > _FRAMES))

    def _is_pushed(self, weights: Weights, velocity: Array) -> Flags:
        at, count = np.flatnonzero(self._group >= 0), len(velocity)
        group, mass = self._group[at], weights.mass[at]
        momenta = mass[:, None] * velocity[at]
        off = np.linalg.norm(_sums(group, momenta, count) - self._momentum, axis=1)
        slack = _PUSHED * np.linalg.norm(momenta, axis=1) + _PUSHED_SPEED * mass
        return (off > _sums(group, slack, count)) & ~self._has_hit_wall

    def _forget(self, groups: Indices) -> None:
        self._group[np.isin(self._group, groups[groups >= 0])] = -1


def _sums(groups: Indices, values: Array, count: int) -> Array:
    result = np.zeros((count, *values.shape[1:]))
    np.add.at(result, groups, values)
    return result
