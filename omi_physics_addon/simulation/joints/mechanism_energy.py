"""Takes back the energy that mechanisms have made from nothing, whoever made it.

What hangs together by joints gets no more energy than gravity and other forces put in: springs and
dampers have none of their own, and what the solver holds does no work. Yet forces stay the same
during a step, levers turn meanwhile, and the solver only comes near. So the energy of each whole
mechanism is followed, less the work that was truly done on it, and what it has made is taken from
the motion of all of its bodies at once, each by the same share. That is a motion that all of its
joints allow, so that it leaves no reactions behind; what moves freely keeps its momentum and
angular momentum. Source: the passivity controller of Hannaford and Ryu 2002, "Time-domain passivity
control of haptic interfaces", for the motion of a multibody system as one port.

Energy that swings between motion and springs is never known at one time in both. So the largest sum
of the last half second counts, and the stiffer its springs, the more a mechanism may seem to gain.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices, connected
from ...geometry.rotations import crossed, dotted, turned
from ...geometry.small_systems import solved
from ..state import WORLD, Masses, State, Wrench
from .joint_rows import Linkage, is_held

_WINDOW: Final = 0.5  # s, of which the largest energy counts.
_TOLERANCE: Final = 0.005  # Of that energy, that may seem to come from nowhere.
_UNKNOWN: Final = 0.4  # The same for a spring that goes on by 1 rad in a step, squared.
_LEAST_LEFT: Final = 0.8  # Of a speed after a step, below which it is nothing.
_STILL: Final = 1e-6  # m/s or rad/s, below which what forces do not move stands.
_HIT_STEPS: Final = 4  # In which a hit gives what it gives.
_NEAR: Final = 1.1  # Times the reaches of two bodies, within which they may hit each other.


class MechanismEnergy:
    """Follows the energy of n bodies that j joints make to m mechanisms."""

    def __init__(
        self,
        linkage: Linkage,
        masses: Masses,
        watched: Flags,
        driven: Flags,
        reach: Array,
        *,
        substeps: int = 1,
    ) -> None:
        """Take bodies and joints.

        Args:
            watched: (j,), the joints whose mechanisms are followed.
            driven: (j,), joints with motors that may do work: nobody follows theirs.
            reach: (n,), m, by how far bodies reach from their centres of mass.
            substeps: how many the integrator takes in a step.
        """
        self._masses, self._reach = masses, reach
        # It changes a speed and then moves by it: places are this share of a step ahead of speeds.
        self._ahead = 0.5 / substeps
        self.group, count, self._driven = _grouped(linkage, masses, watched, driven)
        self.bodies: Indices = np.flatnonzero(self.group >= 0)
        self._of = self.group[self.bodies]
        # The mechanism of each joint, behind the last one for none.
        ends = np.stack([linkage.first, linkage.second])
        free = ~is_held(ends, masses)
        found = np.where(free, self.group[ends], -1).max(axis=0, initial=-1)
        self._at = np.where(found >= 0, found, count)
        self._count = count
        self._hung = np.zeros(count + 1, dtype=np.bool_)
        self._hung[self._at[~free.all(axis=0)]] = True
        self._outer = np.where(free, WORLD, ends)
        self._work = np.zeros(self._count)
        self._least = np.full(self._count, np.inf)
        self._last: list[tuple[Array, Array]] = []
        self._moving: list[Array] = []
        self._made = np.zeros(self._count)
        self._before: tuple[State, Array, Array] | None = None

    def damp(
        self,
        state: State,
        wrench: Wrench,
        outer: tuple[Array, Array, Array],
        springs: tuple[Array, Array],
        disturbed: Indices,
        dt: float,
    ) -> Array:
        """The share (n,) of its speed that each body may keep in the next step.

        Args:
            wrench: what acts in the next step; what moves freely gets back its share of it.
            outer: (n, 3) each, the forces and torques in it that are not of joints, and the
                accelerations that act beside it.
            springs: (j,) and (j,), what springs hold, J, and how far they go on in a step,
                squared, rad².
            disturbed: bodies that somebody else moved since the last step.
        """
        bodies, masses = self.bodies, self._masses
        keep = np.ones(len(masses))
        self._note_work(state, outer, dt)
        inertia = state.inertia(masses)[bodies]
        velocity, spin = self._motion(state, inertia)
        turning = turned(inertia, spin)
        weight = masses.mass[bodies]
        moving = self._sum(0.5 * (weight * dotted(velocity, velocity) + dotted(spin, turning)))
        held = np.bincount(self._at, springs[0], self._count + 1)[:-1]
        phase = np.zeros(self._count + 1)
        np.maximum.at(phase, self._at, springs[1])
        all_of_it = self._sum(0.5 * self._twice_moving(state, inertia)) + held
        own = all_of_it - self._work
        true = all_of_it - np.where(
            np.isfinite(self._least), np.maximum(own - self._least, 0.0), 0.0
        )
        self._last = [*self._last, (own, true)][-max(round(_WINDOW / dt), 1) :]
        self._least = np.minimum(self._least, np.max([one for one, _ in self._last], axis=0))
        scale = np.max([one for _, one in self._last], axis=0)
        allowed = (_TOLERANCE + _UNKNOWN * np.minimum(phase[:-1], 1.0)) * scale
        made = own - self._least - 0.5 * allowed
        which = np.flatnonzero((made > 0.5 * allowed) & (moving > 0.0))
        self._note_others(state, outer, own, disturbed, dt)
        for i in which.tolist():
            granted = min(self._granted(state, i, dt), made[i])
            self._least[i] += granted
            made[i] -= granted
        which = which[made[which] > 0.5 * allowed[which]]
        # What grew in this step will do so in the next one.
        made, self._made = made + np.maximum(made - self._made, 0.0), made
        if not len(which):
            return keep
        left = np.ones(self._count)
        left[which] = _shown(np.sqrt(1.0 - np.minimum(made[which] / moving[which], 1.0)))
        keep[bodies] = left[self._of]
        # What moves freely as a whole goes on to do so.
        drag = np.where(left > 0.0, -np.log(np.where(left > 0.0, left, 1.0)), 0.0) / dt
        drag = drag[self._of][:, None]
        wrench.force[bodies] += drag * weight[:, None] * (state.velocity[bodies] - velocity)
        whole = turned(inertia, state.spin[bodies] - spin)
        wrench.torque[bodies] += drag * whole
        return keep

    def _note_work(self, state: State, outer: tuple[Array, Array, Array], dt: float) -> None:
        """Add what others than joints did in the last step."""
        bodies, mass = self.bodies, self._masses.mass[self.bodies]
        if self._before is not None:
            before, force, torque = self._before
            faster = state.velocity[bodies] - before.velocity[bodies]
            way = state.position[bodies] - before.position[bodies] - self._ahead * dt * faster
            turn = (state.spin[bodies] + before.spin[bodies]) * (dt / 2.0)
            self._work += self._sum(dotted(force, way) + dotted(torque, turn))
        force = outer[0][bodies] + mass[:, None] * outer[2][bodies]
        self._before = state, force, outer[1][bodies]

    def _sum(self, values: Array) -> Array:
        return np.bincount(self._of, values, self._count).astype(np.float64)

    def _sums(self, values: Array) -> Array:
        """Sums (m, ...) of values (b, ...) of the bodies."""
        result = np.zeros((self._count, *values.shape[1:]))
        np.add.at(result, self._of, values)
        return result

    def _twice_moving(self, state: State, inertia: Array) -> Array:
        velocity, spin = state.velocity[self.bodies], state.spin[self.bodies]
        turning = np.einsum("ni,nij,nj->n", spin, inertia, spin)
        return self._masses.mass[self.bodies] * dotted(velocity, velocity) + turning

    def _motion(self, state: State, inertia: Array) -> tuple[Array, Array]:
        """Velocities and spins of the bodies, less those of what moves freely as a whole."""
        velocity, spin = state.velocity[self.bodies], state.spin[self.bodies]
        if self._hung[: self._count].all():
            return velocity, spin
        weight = self._masses.mass[self.bodies][:, None]
        total = self._sums(weight)
        place = state.position[self.bodies]
        middle = (self._sums(weight * place) / total)[self._of]
        common = (self._sums(weight * velocity) / total)[self._of]
        arm = place - middle
        momentum = weight * crossed(arm, velocity - common)
        momentum = momentum + turned(inertia, spin)
        square = dotted(arm, arm)[:, None, None] * np.eye(3) - arm[:, :, None] * arm[:, None, :]
        whole = self._sums(inertia + weight[:, :, None] * square)
        size = np.einsum("mii->m", whole)[:, None, None]
        whole = whole + 1e-12 * size * np.eye(3)
        turn = solved(whole, self._sums(momentum)[:, :, None])[self._of, :, 0]
        free = ~self._hung[self._of][:, None]
        velocity = velocity - np.where(free, common + crossed(turn, arm), 0.0)
        return velocity, spin - np.where(free, turn, 0.0)

    def _note_others(
        self,
        state: State,
        outer: tuple[Array, Array, Array],
        own: Array,
        disturbed: Indices,
        dt: float,
    ) -> None:
        """Find what each body may have given to others in the last steps, (n,), J."""
        masses = self._masses
        turning = np.einsum("ni,nij,nj->n", state.spin, state.inertia(masses), state.spin)
        weight = np.where(masses.inverse_mass > 0.0, masses.mass, 0.0)
        moving = 0.5 * (weight * dotted(state.velocity, state.velocity) + turning)
        fallen = weight * np.abs(dotted(outer[2], state.velocity)) * dt
        self._moving = [*self._moving, moving][-_HIT_STEPS:]
        self._given = np.max(self._moving, axis=0) - moving + fallen
        # Of a mechanism all that it has counts, whichever of its bodies hits.
        mine = np.max([one for one, _ in self._last[-_HIT_STEPS:]], axis=0) - own
        self._given[self.bodies] = mine[self._of]
        # What somebody else drives has no end.
        self._given[~masses.is_dynamic & (_speeds(state) > _STILL)] = np.inf
        pushed = (outer[0] != 0.0).any(axis=1) | (outer[1] != 0.0).any(axis=1)
        self._given[pushed & (self.group < 0)] = np.inf
        self._given[self._driven] = np.inf
        self._given[disturbed] = np.inf

    def _granted(self, state: State, at: int, dt: float) -> float:
        """What others may have given to a mechanism in the last steps, J."""
        mine = self.group == at
        ends = self._outer[:, self._at == at]
        given = float(self._given[ends[ends != WORLD]].max(initial=0.0))
        if given == np.inf or self._given[mine].max() == np.inf:
            return np.inf
        others = np.flatnonzero(~mine & (_speeds(state) > _STILL))
        hitting, total, known = np.flatnonzero(mine), 0.0, set[int]()
        while len(hitting) and len(others):
            away = state.position[hitting][:, None] - state.position[others]
            way = state.velocity[hitting][:, None] - state.velocity[others]
            size = self._reach[hitting][:, None] + self._reach[others]
            near = _NEAR * size + 2.0 * dt * np.linalg.norm(way, axis=2)
            meets = (np.linalg.norm(away, axis=2) < near).any(axis=0)
            hitting, others = others[meets], others[~meets]
            for body in hitting.tolist():
                group = int(self.group[body])
                if group < 0 or group not in known:
                    total += float(self._given[body])
                known.add(group)
        return total


def _speeds(state: State) -> Array:
    return np.linalg.norm(state.velocity, axis=1) + np.linalg.norm(state.spin, axis=1)


def _grouped(
    linkage: Linkage, masses: Masses, watched: Flags, driven: Flags
) -> tuple[Indices, int, Flags]:
    """The mechanism of each body (n,), -1 for none; how many there are; which bodies are driven."""
    ends = np.stack([linkage.first, linkage.second], axis=1)
    moves = ~is_held(ends, masses)
    pairs = ends[moves.all(axis=1)]
    label = connected(pairs[:, 0], pairs[:, 1], len(masses))
    light = masses.inverse_inertia_local.any(axis=2).all(axis=1) & (masses.inverse_mass > 0.0)
    heavy = label[masses.is_dynamic & ~light]
    motors = label[ends[driven][moves[driven]]]
    labels = np.setdiff1d(label[ends[watched][moves[watched]]], [*heavy, *motors])
    found = np.where(np.isin(label, labels), np.searchsorted(labels, label), -1)
    return found, len(labels), np.isin(label, motors)


def _shown(left: Array) -> Array:
    """Shares of speeds that Bullet can leave, whose damping is a single-precision number."""
    most = np.where(left < 0.5 * _LEAST_LEFT, 0.0, _LEAST_LEFT)
    return np.where(left < _LEAST_LEFT, most, left)
