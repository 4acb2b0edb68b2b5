"""Takes back the energy that forces of joints have made from nothing.

A force that stays the same during a step does other work than it should where levers turn far in
that step: a light body at the end of a long lever, pulled hard, spins faster with every step. So
after each step the work is added up that the forces of a joint did, by how the bodies truly moved,
and what its springs hold is taken off. What is left over can only come from nowhere; in the next
steps the joint dampens the motion of its two bodies against each other until it is gone. Source:
the passivity observer and controller of Hannaford and Ryu 2002, "Time-domain passivity control of
haptic interfaces", for each joint.

Joints whose motors have a speed to reach are left alone, as these may do work, and so are those of
mode acceleration, whose springs are as stiff as the mass that they find, and springs so stiff that
they come to rest within a step or two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...geometry.small_systems import solved
from ..state import WORLD, Masses, State
from .effective_mass import inverted
from .joint_rows import Linkage, is_held

_TOLERANCE: Final = 0.004  # Of the energy between the bodies of a joint, that may come or go.
_UNKNOWN: Final = 1.5  # The same for a spring that goes on by 1 rad in a step.
_MOST_PHASE: Final = 0.5  # Squared, rad²; springs that go on by more in a step are left alone.
_MOST: Final = 0.75  # Of that energy, taken away in one step.


@dataclass(frozen=True, eq=False)
class Done:
    """What forces of joints did in a step: p of them.

    Attributes:
        joint, body: (p,).
        wrench: (p, 6), force and torque about the centre of mass.
    """

    joint: Indices
    body: Indices
    wrench: Array


class EnergyGuard:
    """Follows the energy that the forces of joints make."""

    def __init__(self, linkage: Linkage, driven: Flags) -> None:
        """Take joints.

        Args:
            driven: (j,), which of them have motors that may do work.
        """
        self._linkage, self._driven = linkage, driven
        self._made = np.zeros(len(driven))
        self._before: tuple[Array, Array] | None = None
        self._done: Done | None = None

    def damp(
        self,
        state: State,
        masses: Masses,
        springs: tuple[Array, Array],
        phase: Array,
        dt: float,
    ) -> Done | None:
        """What takes energy away in the next step, as forces and torques; None for nothing.

        Args:
            springs: (j,) and (j,), what springs hold, and how much more that is than a step ago, J.
            phase: (j,), how far springs went on in the last step, squared, rad². Of a spring that
                goes on far, kinetic energy and what it holds are never known at the same time.
        """
        held, gained = springs
        self._observe(state, gained, dt)
        unknown = self._driven | (phase > _MOST_PHASE)
        self._made = np.where(unknown, 0.0, np.maximum(self._made, 0.0))
        at = np.flatnonzero(self._made)
        if not len(at):
            return None
        ends = self._linkage.first[at], self._linkage.second[at]
        moves = [~is_held(bodies, masses) for bodies in ends]
        lightness, mass = np.zeros((len(at), 3, 3)), np.zeros(len(at))
        for bodies, free in zip(ends, moves, strict=True):
            lightness[free] += state.inverse_inertia(masses)[bodies[free]]
            mass[free] += masses.inverse_mass[bodies[free]]
        spin = state.spins(ends[1]) - state.spins(ends[0])
        place = state.position[ends[1]]
        speed = state.point_velocities(ends[1], place) - state.point_velocities(ends[0], place)
        size = np.maximum(np.einsum("jii->j", lightness), 1e-30)[:, None, None]
        inertia = solved(lightness + 1e-9 * size * np.eye(3), np.tile(np.eye(3), (len(at), 1, 1)))
        mass = inverted(mass)
        energy = 0.5 * np.einsum("ji,jik,jk->j", spin, inertia, spin)
        energy = energy + 0.5 * mass * (speed * speed).sum(axis=1)
        allowed = (_TOLERANCE + _UNKNOWN * np.sqrt(phase[at])) * (energy + held[at])
        some = (self._made[at] > allowed) & (energy > 0.0)
        if not some.any():
            return None
        at, energy, mass, inertia = at[some], energy[some], mass[some], inertia[some]
        spin, speed = spin[some], speed[some]
        ends, moves = (ends[0][some], ends[1][some]), [free[some] for free in moves]
        slower = 1.0 - np.sqrt(1.0 - np.minimum(self._made[at] / energy, _MOST))
        # Several joints may slow the same body; together they must not throw it back.
        there = np.concatenate(ends)
        crowd = np.bincount(there[there != WORLD], minlength=len(masses))[there].reshape(2, -1)
        slower /= np.maximum(crowd.max(axis=0), 1)
        wrench = np.zeros((2, len(at), 6))
        wrench[0, :, :3] = mass[:, None] * speed
        wrench[0, :, 3:] = np.einsum("jik,jk->ji", inertia, spin)
        wrench[0] *= -(slower / dt)[:, None]
        wrench[1] = -wrench[0]
        body = np.concatenate([ends[1], ends[0]])
        free = np.concatenate([moves[1], moves[0]])
        return Done(np.concatenate([at, at])[free], body[free], wrench.reshape(-1, 6)[free])

    def note(self, state: State, done: list[Done]) -> None:
        """Take what will act in the next step, from a state."""
        self._before = state.velocity.copy(), state.spin.copy()
        self._done = Done(
            np.concatenate([each.joint for each in done]),
            np.concatenate([each.body for each in done]),
            np.concatenate([each.wrench for each in done]),
        )

    def _observe(self, state: State, gained: Array, dt: float) -> None:
        before, done = self._before, self._done
        if before is None or done is None or not len(done.joint):
            return
        # Not by places: an engine first changes a speed and then moves by it, which is more work.
        moving = state.velocity, state.spin
        way, turn = ((now + then) * (dt / 2.0) for now, then in zip(moving, before, strict=True))
        work = (done.wrench[:, :3] * way[done.body]).sum(axis=1)
        work += (done.wrench[:, 3:] * turn[done.body]).sum(axis=1)
        self._made += np.bincount(done.joint, work, len(self._made)) + gained
