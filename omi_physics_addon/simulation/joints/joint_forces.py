"""The forces of all drives and soft limits of joints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...geometry.rotations import crossed
from ..motion import drifted
from ..pushes import Push
from ..state import WORLD, Masses, State, Wrench
from .drives import Drives
from .effective_mass import Bounds, Ends, Mobility, Response, inverted, is_movable
from .joint_modes import Modes, modes_of
from .joint_rows import Linkage, Measure, Pose, RowKinds, Rows, measured
from .mechanism_energy import MechanismEnergy
from .mechanisms import Answer, Mechanisms, mechanisms
from .oscillator import drift
from .oscillator import modes as oscillations
from .soft_limits import Limits

# Before the end of a range, from which on brakes work: what stops within a step would stop hard.
_BRAKING_STEPS: Final = 2.1
_PRESSED_STEPS: Final = 5.0  # In which the load of what rests gives it its speed.
_MOST_TURN_RAD: Final = 0.5  # By which one row may turn a body further in a step.
_RESTING: Final = 1e-4  # m or rad in a step, below which nothing is left to brake.


@dataclass(frozen=True, eq=False)
class _Springs:
    """The springs of k rows, drives and limits alike.

    Attributes:
        error: (k,), how far the row is from where its spring rests.
        rate: (k,), the speed against that at which its damper rests.
        near: (k,), which of them are hard and slow down what comes near their end.
        stiffness, damping: (k,).
        time: (k,), s, of the step during which they act; 0 for those that do not.
    """

    error: Array
    rate: Array
    near: Flags
    stiffness: Array
    damping: Array
    time: Array

    def combined(self, modes: Modes) -> _Springs:
        """These springs with combinations of rows in the rows' places."""
        return _Springs(
            error=modes.combined(self.error),
            rate=modes.combined(self.rate),
            near=self.near,
            stiffness=modes.ones(self.stiffness),
            damping=modes.damped(self.damping),
            time=self.time,
        )


@dataclass(frozen=True, eq=False)
class _Share:
    """What rows do to bodies that move, with the reactions of what the solver holds.

    These reactions are what the solver would find by itself; but it comes near them slowly where
    a light body has a long lever.

    Attributes:
        row, body: (p,).
        wrench: (p, 6), force and torque about the centre of mass.
    """

    row: Indices
    body: Indices
    wrench: Array

    @classmethod
    def of_ends(cls, ends: Ends, rows: Indices, forces: Array) -> _Share:
        """Of rows that are alone."""
        moved = np.flatnonzero((ends.body != WORLD) & (forces[ends.row] != 0.0))
        row = ends.row[moved]
        return cls(rows[row], ends.body[moved], ends.act[moved] * forces[row, None])

    @classmethod
    def of_rows(cls, rows: Rows, state: State, forces: Array) -> _Share:
        """Of rows as they are, without reactions."""
        some = np.flatnonzero(forces)
        row = np.concatenate([some, some])
        body = np.concatenate([rows.second[some], rows.first[some]])
        sign = np.repeat([1.0, -1.0], len(some))[:, None] * forces[row, None]
        force, torque = rows.force[row] * sign, rows.torque[row] * sign
        torque = torque + crossed(rows.point[row] - state.position[body], force)
        real = body != WORLD
        return cls(row[real], body[real], np.concatenate([force, torque], axis=1)[real])

    @classmethod
    def of_mechanisms(cls, mechanism: Mechanisms, answer: Answer, forces: Array) -> _Share:
        """Of rows of mechanisms, by forces (g, r)."""
        group, row = np.nonzero(forces)
        wrench = answer.acts[group, row] * forces[group, row, None, None]
        bodies = mechanism.bodies[group]
        rows = np.repeat(mechanism.rows[group, row], bodies.shape[1])
        return cls(rows, bodies.ravel(), wrench.reshape(-1, 6))


class JointForces:
    """Pushes bodies as drives and limits of joints say.

    Put it behind the other makers: it takes what they do into account, so that a spring under a
    load gives way by load / stiffness, however stiff it is.

    Attributes:
        brakes: what `apply` leaves to be done beside the forces, by those that rarely act.
        disturbed: bodies that others move, noted since the last step.
        keep: (n,), the share of its speed that each body may keep in the next step, as its
            mechanism has made energy from nothing; None for all.
    """

    def __init__(
        self,
        linkage: Linkage,
        drives: Drives,
        limits: Limits,
        *,
        substeps: int = 1,
        reach: Array | None = None,
    ) -> None:
        """Take drives and limits of joints.

        Args:
            substeps: how many the integrator takes while forces stay the same.
            reach: (n,), m, by how far bodies reach from their centres of mass, and may hit others.
        """
        self._linkage, self._drives, self._limits = linkage, drives, limits
        self._substeps, self._share = substeps, drift(substeps)
        # Where in the step a force that keeps its direction acts, in the middle of its substeps.
        self._middle = 0.5 * (1.0 - 1.0 / substeps)
        self._kinds = _joined(drives.kinds, limits.kinds)
        self.brakes: list[Push] = []
        self._mechanisms: list[Mechanisms] | None = None  # Until the masses are known.
        driven = np.zeros(len(linkage.first), dtype=np.bool_)
        driven[drives.kinds.joint[(drives.speed != 0.0) | drives.per_mass]] = True
        self._driven, self._reach = driven, reach
        self._whole: MechanismEnergy | None = None  # Until the masses are known.
        self.disturbed: set[int] = set()
        self.keep: Array | None = None
        # By how much brakes, and hard ends alone, slowed the rows down in the last two steps.
        self._slowed = np.zeros(len(self._kinds)), np.zeros(len(self._kinds))
        self._phase = np.zeros(len(driven))
        self._arrange()

    def _arrange(self) -> None:
        drives, limits = self._drives, self._limits
        hold = np.full(len(limits.kinds), np.inf)
        self._max_force = np.concatenate([drives.max_force, hold])
        # A hard limit with a range only pushes.
        one_sided = np.isinf(limits.stiffness) & (limits.low < limits.high)
        none = np.zeros(len(drives.kinds), dtype=np.bool_)
        self._one_sided = np.concatenate([none, one_sided])
        self._brakes = np.concatenate([none, limits.brakes])

    def pushed(self, masses: Masses) -> Indices:
        """Which bodies its forces push, brakes aside, those that joints hold to these included."""
        rows = ~self._brakes
        joints = np.unique(self._kinds.joint[rows])
        found = [self._linkage.first[joints], self._linkage.second[joints]]
        for each in self._all_mechanisms(masses):
            found.append(each.bodies[rows[each.rows].any(axis=1)].ravel())
        bodies = np.unique(np.concatenate(found))
        return bodies[bodies != WORLD]

    def _all_mechanisms(self, masses: Masses) -> list[Mechanisms]:
        if self._mechanisms is None:
            self._mechanisms = mechanisms(self._linkage, self._kinds.joint, masses)
        return self._mechanisms

    def _watching(self, masses: Masses) -> MechanismEnergy:
        """What follows the energy of all mechanisms without motors that may do work."""
        if self._whole is None:
            watched = np.zeros(len(self._driven), dtype=np.bool_)
            watched[self._kinds.joint[~self._brakes]] = True
            reach = np.zeros(len(masses)) if self._reach is None else self._reach
            self._whole = MechanismEnergy(
                self._linkage, masses, watched, self._driven, reach, substeps=self._substeps
            )
        return self._whole

    def retarget(self, drives: Drives) -> bool:
        """Take other numbers for the drives; whether they look at the same."""
        if not _same(drives.kinds, self._drives.kinds):
            return False
        self._drives, self._whole = drives, None
        self._arrange()
        return True

    def relimit(self, limits: Limits) -> bool:
        """Take other numbers for the limits; whether they look at the same."""
        if not _same(limits.kinds, self._limits.kinds):
            return False
        self._limits, self._whole = limits, None
        self._arrange()
        return True

    def apply(
        self,
        state: State,
        masses: Masses,
        dt: float,
        wrench: Wrench,
        falling: Array | None = None,
    ) -> None:
        """Add what drives and limits do.

        Args:
            falling: (n, 3), accelerations that the integrator itself adds, such as gravity.
        """
        pose = self._linkage.pose(state, masses)
        rows = measured(self._kinds, self._linkage, pose)
        falling = np.zeros_like(state.position) if falling is None else falling
        outer = wrench.force.copy(), wrench.torque.copy(), falling
        self._phase[:] = 0.0
        forces, shares = self._forces(rows, pose, state, masses, dt, wrench, falling)
        swinging = forces * (self._kinds.measure == Measure.DISTANCE)
        if self._middle > 0.0 and swinging.any():
            # The line to what swings turns: as it is at the start of a step it would add energy.
            ahead = drifted(state, self._middle * dt)
            later = measured(self._kinds, self._linkage, self._linkage.pose(ahead, masses))
            shares += [
                _Share.of_rows(rows, state, -swinging),
                _Share.of_rows(later, ahead, swinging),
            ]
        shares = [self._tamed(share, state, masses, dt) for share in shares]
        self.brakes = []
        for share in shares:
            self._act(share, state, wrench)
        watching = self._watching(masses)
        if len(watching.bodies):
            disturbed = np.array(sorted(self.disturbed), dtype=np.int64)
            springs = self._held(rows), self._phase
            self.keep = watching.damp(state, wrench, outer, springs, disturbed, dt)
        self.disturbed.clear()

    def _tamed(self, share: _Share, state: State, masses: Masses, dt: float) -> _Share:
        """What rows do, if none turns a body so far in a step that its lever is another one then.

        Where the solver holds some axes of a joint, it answers to what others do there.
        """
        inverse = state.inverse_inertia(masses)[share.body]
        turn = np.linalg.norm(np.einsum("pik,pk->pi", inverse, share.wrench[:, 3:]), axis=1) * dt**2
        most = np.zeros(len(self._kinds))
        np.maximum.at(most, share.row, turn)
        most[self._linkage.locked[self._kinds.joint].any(axis=1)] = 0.0
        part = np.minimum(1.0, _MOST_TURN_RAD / np.maximum(most, _MOST_TURN_RAD))
        return replace(share, wrench=share.wrench * part[share.row, None])

    def _held(self, rows: Rows) -> Array:
        """What the springs of each joint hold, (j,), J."""
        drives, limits, count = self._drives, self._limits, len(self._drives.kinds)
        soft = np.isfinite(limits.stiffness)
        away = np.abs(drives.errors(rows.value[:count]))
        # Beyond where its largest force is all that it has, a spring holds that over the way.
        end = np.minimum(
            away, drives.max_force / np.where(drives.stiffness > 0.0, drives.stiffness, 1.0)
        )
        driven = drives.stiffness * end * (away - 0.5 * end)
        soft_limits = 0.5 * np.where(soft, limits.stiffness, 0.0)
        energy = np.concatenate([driven, soft_limits * limits.errors(rows.value[count:]) ** 2])
        return np.bincount(rows.joint, energy, len(self._linkage.first)).astype(np.float64)

    def _act(self, share: _Share, state: State, wrench: Wrench) -> None:
        """Add what rows do to bodies, but for brakes."""
        brakes = self._brakes[share.row]
        np.add.at(wrench.force, share.body[~brakes], share.wrench[~brakes, :3])
        np.add.at(wrench.torque, share.body[~brakes], share.wrench[~brakes, 3:])
        for at in np.flatnonzero(brakes).tolist():
            body = int(share.body[at])
            for axis, turns in ((share.wrench[at, :3], False), (share.wrench[at, 3:], True)):
                size = float(np.linalg.norm(axis))
                if size > 0.0:
                    place = state.position[body]
                    self.brakes.append(Push(body, WORLD, axis / size, place, size, turns))

    def _forces(
        self,
        rows: Rows,
        pose: Pose,
        state: State,
        masses: Masses,
        dt: float,
        wrench: Wrench,
        falling: Array,
    ) -> tuple[Array, list[_Share]]:
        """The rows' forces (k,), and what they do to bodies."""
        forces, shares = np.zeros(len(rows)), list[_Share]()
        rates = rows.rates(state)
        # Velocities are told as if accelerations lasted; those of hard ends do not.
        before, last = self._slowed
        rates = rates - self._middle**2 * (before - last)
        self._slowed = last, np.zeros(len(rows))
        active = is_movable(rows, masses) & self._active(rows.value, rates, dt)
        if not active.any():
            return forces, shares
        every = self._all_mechanisms(masses)
        alone = active.copy()
        for each in every:
            alone[each.rows.ravel()] = False
        if alone.any():
            forces[alone], share = self._alone(
                rows, rates, pose, Mobility(state, masses), alone, dt, wrench, falling
            )
            shares.append(share)
        for each in every:
            if active[each.rows].any():
                answer = each.respond(rows, pose, state, masses, wrench, falling)
                found = self._together(each, answer, rows.value, rates, active, dt)
                forces[each.rows] = found
                shares.append(_Share.of_mechanisms(each, answer, found))
        return forces, shares

    def _alone(
        self,
        rows: Rows,
        rates: Array,
        pose: Pose,
        mobility: Mobility,
        active: Flags,
        dt: float,
        wrench: Wrench,
        falling: Array,
    ) -> tuple[Array, _Share]:
        """The forces of active rows that need to know of their own joints only."""
        carried = mobility.carried(rows.where(active), self._linkage, pose)
        response = mobility.response(carried)
        inverse = response.inverse_mass
        springs = self._springs(rows.value, rates, active, inverse, dt)
        own = springs
        modes = self._modes(carried, response, springs, active, dt)
        if modes is not None:
            carried, springs = modes.rows(carried), springs.combined(modes)
            response = mobility.response(carried)
        load = response.accelerations(wrench.force, wrench.torque, falling)
        wanted, share = self._sized(springs, response.inverse_mass, dt)
        bounds = self._bounds(active, own, inverse, load, dt)
        self._note_phase(carried.joint, own, inverse, dt)
        found = response.settled(wanted, share, load, bounds)
        share_of = _Share.of_ends(response.ends, np.flatnonzero(active), found)
        self._slowed[1][active] = np.where(own.near, found * inverse * dt, 0.0)
        return found if modes is None else modes.apart(found), share_of

    def _together(
        self,
        mechanism: Mechanisms,
        answer: Answer,
        value: Array,
        rate: Array,
        active: Flags,
        dt: float,
    ) -> Array:
        """The forces (g, r) of the rows of mechanisms."""
        matrix, load = answer.response, answer.load
        at, every = mechanism.rows, np.ones(len(value), dtype=np.bool_)
        inverse = np.zeros(len(value))
        inverse[at] = np.einsum("gii->gi", matrix)
        springs = self._springs(value, rate, every, inverse, dt)
        wanted, share = self._sized(springs, inverse, dt)
        self._note_phase(self._kinds.joint, springs, inverse, dt)
        pulled = np.zeros(len(value))
        pulled[at] = load
        bounds = self._bounds(every, springs, inverse, pulled, dt)
        low, high = (np.where(active, end, 0.0)[at] for end in bounds)
        found = mechanism.settled(matrix, wanted[at], share[at], load, (low, high))
        self._slowed[1][at] = np.where(self._brakes[at], found * inverse[at] * dt, 0.0)
        return found

    def _note_phase(self, joint: Indices, springs: _Springs, inverse: Array, dt: float) -> None:
        """Remember how far the springs of joints go on in a step, squared, rad²."""
        soft = np.isfinite(springs.stiffness)
        pull = np.where(soft, springs.stiffness * dt, 0.0) + np.where(soft, springs.damping, 0.0)
        np.maximum.at(self._phase, joint, pull * inverse * dt)

    def _modes(
        self, rows: Rows, response: Response, springs: _Springs, active: Flags, dt: float
    ) -> Modes | None:
        """The combinations of soft limits that pull at each other; drives have a largest force."""
        count = int(active[: len(self._drives.kinds)].sum())
        pulls = np.arange(len(rows)) >= count
        pulls &= np.isfinite(springs.stiffness) & (springs.stiffness > 0.0)
        pulls &= (springs.time == dt) & (springs.error != 0.0)
        return modes_of(rows, response.ends, springs.stiffness, springs.damping, pulls)

    def _bounds(
        self, active: Flags, springs: _Springs, inverse: Array, load: Array, dt: float
    ) -> Bounds:
        """Largest forces; hard limits with a range only push back, and brakes only stop.

        Args:
            inverse, load: (k,), of active rows, what moves them and accelerates them.
        """
        most = self._max_force[active]
        brakes = self._brakes[active]
        # What its load presses against an end anyhow is left to the solver.
        speed = np.abs(springs.rate)
        speed = np.where(speed > _PRESSED_STEPS * np.abs(load) * dt, speed, 0.0)
        most = np.where(brakes, inverted(inverse) * speed / dt, most)
        below = np.signbit(np.where(springs.near, springs.rate, springs.error))
        only = self._one_sided[active]
        return np.where(only & below, 0.0, -most), np.where(only & ~below, 0.0, most)

    def _active(self, value: Array, rate: Array, dt: float) -> Flags:
        """Drives always; limits beyond their range, or that will be within the step."""
        count = len(self._drives.kinds)
        value, rate, limits = value[count:], rate[count:], self._limits
        steps = np.where(self._one_sided[count:], _BRAKING_STEPS * dt, dt)
        beyond = limits.errors(value + steps * rate) != 0.0
        resting = np.abs(rate) * dt < _RESTING
        beyond = np.where(limits.brakes, beyond & ~resting, beyond | (limits.errors(value) != 0.0))
        return np.concatenate([np.ones(count, dtype=np.bool_), beyond])

    def _springs(
        self, value: Array, rate: Array, active: Flags, moved: Array, dt: float
    ) -> _Springs:
        """The springs of active rows, which move by `moved`, 1/kg or 1/(kg m²)."""
        drives, limits = self._drives, self._limits
        count = len(drives.kinds)
        gain = np.ones(len(active))
        inverse = np.zeros(len(active))
        inverse[active] = moved
        gain[:count][drives.per_mass] = inverted(inverse[:count][drives.per_mass])
        beyond = limits.errors(value[count:])
        ahead = limits.errors(value[count:] + dt * rate[count:])
        # What comes near a hard end is slowed down before, or it would be thrown back.
        near = limits.brakes | ((beyond == 0.0) & self._one_sided[count:])
        entering = (beyond == 0.0) & (ahead != 0.0) & ~near
        time = np.where(entering, ahead / np.where(entering, rate[count:], 1.0), dt)
        # A limit that is being reached has an error of no size yet, but a side.
        beyond = np.where(entering, np.copysign(0.0, ahead), beyond)
        if near.any():
            left = limits.ahead(value[count:], rate[count:])
            beyond = np.where(near, np.where(np.isfinite(left), left, 0.0), beyond)
        stiffness, damping = drives.stiffness * gain[:count], drives.damping * gain[:count]
        # A spring with a moving damper rests where both are in balance.
        is_spring = stiffness > 0.0
        lead = np.where(is_spring, drives.speed * damping / np.where(is_spring, stiffness, 1.0), 0)
        slip = np.where(is_spring, 0.0, drives.speed)
        return _Springs(
            error=np.concatenate([drives.errors(value[:count]) - lead, beyond])[active],
            rate=np.concatenate([rate[:count] - slip, rate[count:]])[active],
            near=np.concatenate([np.zeros(count, dtype=np.bool_), near])[active],
            stiffness=np.concatenate([stiffness, limits.stiffness])[active],
            damping=np.concatenate([damping, limits.damping])[active],
            time=np.concatenate([np.full(count, dt), time])[active],
        )

    def _sized(self, springs: _Springs, inverse: Array, dt: float) -> tuple[Array, Array]:
        """The forces (k,) that the springs want, and the share of a load they give way to."""
        mode = oscillations(springs.stiffness, springs.damping, inverse, dt)
        offset, speed = mode.gains(self._share)
        mass = inverted(inverse)
        is_spring = springs.stiffness > 0.0
        wanted = -mass * (offset * springs.error + speed * springs.rate)
        given = mass * np.where(is_spring, offset, speed)
        ideal = np.where(is_spring, springs.stiffness, springs.damping)
        share = np.where(ideal > 0.0, 1.0 - given / np.where(ideal > 0.0, ideal, 1.0), 0.0)
        # A limit that is reached within the step acts during the rest of it.
        left = mode.speeds(springs.rate, springs.time)
        begun = mass * (left - springs.rate) / dt
        wanted = np.where(springs.time < dt, begun, wanted)
        return wanted, np.clip(share, 0.0, 1.0)


def _same(one: RowKinds, other: RowKinds) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("joint", "measure", "axes")
    )


def _joined(one: RowKinds, other: RowKinds) -> RowKinds:
    return RowKinds(
        np.concatenate([one.joint, other.joint]),
        np.concatenate([one.measure, other.measure]),
        np.concatenate([one.axes, other.axes]),
    )
