"""The compliance (inverse effective mass) of bodies along rows of joints."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...geometry.rotations import crossed, dotted, skew, turned, turned_back
from ...geometry.small_systems import solved
from ..state import WORLD, Masses, State
from .joint_rows import Linkage, Pose, Rows, is_held, runs

_MAX_PAIRED_ROWS: Final = 24  # Rows on one body, from which on pairs of them are only estimated.
_REGULARIZATION: Final = 1e-12
_MAX_ITERATIONS: Final = 12  # Of Jacobi's method; a car's wheels then agree within a thousandth.
_COUPLING_TOLERANCE: Final = 1e-3  # Coupling below which rows need not know of each other.

Bounds = tuple[Array, Array]  # The least and the largest force of rows (k,).


@dataclass(frozen=True, eq=False)
class Response:
    """The inverse effective mass of k rows, with the reactions of the held axes of their joints.

    Attributes:
        inverse_mass: (k,), 1/kg or 1/(kg m²), of what a row moves.
        shared: (k,), not below it, so large that rows which answer at once and know nothing of
            each other together do no more than they should.
        ends: where they act.
    """

    inverse_mass: Array
    shared: Array
    ends: Ends

    def to(self, forces: Array) -> Array:
        """How the rates of all rows (k,) change by forces (k,) of all rows, per second."""
        ends, count = self.ends, len(forces)
        moved = ends.move * np.concatenate([forces, forces])[:, None]
        bodies = np.bincount(ends.slot.ravel(), moved.ravel()).reshape(-1, 6)
        felt = np.einsum("ni,ni->n", ends.act, bodies[ends.slot[:, 0] // 6])
        return felt[:count] + felt[count:]

    def accelerations(self, force: Array, torque: Array, free: Array) -> Array:
        """How the rates of the rows (k,) change by what else acts on the bodies.

        Args:
            force, torque: (n, 3), on the bodies.
            free: (n, 3), accelerations that act beside them, such as gravity.
        """
        ends, count = self.ends, len(self.inverse_mass)
        moved = dotted(ends.move, np.concatenate([force, torque], axis=1)[ends.body])
        moved += dotted(ends.act[:, :3], free[ends.body])
        return moved[:count] + moved[count:]

    def settled(self, wanted: Array, share: Array, load: Array, bounds: Bounds) -> Array:
        """The forces (k,) of rows that know of each other.

        A row alone wants a force, and gives way to a share of what else accelerates it, load and
        other rows alike: f + share·m·(load + what the others do) = wanted, within its bounds. With
        a share below 1 this belongs to a positive matrix, and Jacobi's method with sums of rows
        in place of the diagonal always comes nearer.

        Args:
            share: (k,), 0 to 1.
            load: (k,), accelerations of the rows by everything else.
        """
        mass = inverted(self.inverse_mass)
        target = wanted - share * mass * load
        slower = 1.0 + share * np.maximum(self.shared * mass - 1.0, 0.0)
        force = np.clip(target / slower, *bounds)
        if (slower < 1.0 + _COUPLING_TOLERANCE).all():
            return force
        for _ in range(_MAX_ITERATIONS):
            others = self.to(force) - self.inverse_mass * force
            rest = target - force - share * mass * others
            force = np.clip(force + rest / slower, *bounds)
        return force


def inverted(values: Array) -> Array:
    """One over values (k,), and 0 for 0: what does not give way needs no force."""
    return np.where(values > 0.0, 1.0 / np.where(values > 0.0, values, 1.0), 0.0)


@dataclass(frozen=True, eq=False)
class Ends:
    """The 2k ends of rows on bodies: those on the second bodies, then those on the first.

    Attributes:
        row: (2k,).
        body: (2k,), `WORLD` where no force moves it.
        act: (2k, 6), force and torque about the centre of mass for a row's force of 1; 0 where
            no force moves the body.
        move: (2k, 6), what these do to velocity and spin in a second.
        slot: (2k, 6), where both are in the flat array of all bodies.
    """

    row: Indices
    body: Indices
    act: Array
    move: Array
    slot: Indices


class Mobility:
    """The accelerations that forces give bodies in one state."""

    def __init__(self, state: State, masses: Masses) -> None:
        """Take the state of bodies and their masses."""
        self._state, self._masses = state, masses
        self._inverse_inertia = state.inverse_inertia(masses)

    def carried(self, rows: Rows, linkage: Linkage, pose: Pose) -> Rows:
        """The rows with the reactions of the held axes of their joints.

        A force along a free axis meets reactions along those held by the solver. Together they do
        no work on the held axes: a Schur complement of the joint's matrix of response.
        """
        locked = linkage.locked[rows.joint]
        if not locked.any():
            return rows
        axes = pose.axes[rows.joint]
        matrix = self._joint_matrices(rows, axes)
        row = np.concatenate(
            [turned_back(axes, rows.force), turned_back(axes, rows.torque)], axis=1
        )
        held_both = locked[:, :, None] & locked[:, None, :]
        size = np.einsum("nii->n", matrix)[:, None] * _REGULARIZATION + _REGULARIZATION
        held = np.where(held_both, matrix, 0.0)
        diagonal = np.einsum("nii->ni", held)
        diagonal += np.where(locked, size, 1.0)
        meets = np.where(locked, turned(matrix, row), 0.0)
        row = row - solved(held, meets[:, :, None])[:, :, 0]
        force = turned(axes, row[:, :3])
        torque = turned(axes, row[:, 3:])
        return dataclasses.replace(rows, force=force, torque=torque)

    def _joint_matrices(self, rows: Rows, axes: Array) -> Array:
        """What unit forces and torques along the axes do along them: (k, 6, 6)."""
        total = np.zeros((len(rows), 6, 6))
        for body in (rows.first, rows.second):
            free = ~is_held(body, self._masses)
            arms = skew(rows.point - self._state.position[body])
            # Columns: the torques of forces along the axes, then torques about them.
            turns = np.concatenate([arms @ axes, axes], axis=2)
            part = turns.transpose(0, 2, 1) @ self._inverse_inertia[body] @ turns
            part[:, :3, :3] += self._masses.inverse_mass[body, None, None] * np.eye(3)
            total += np.where(free[:, None, None], part, 0.0)
        return total

    def _ends(self, rows: Rows) -> Ends:
        body = np.concatenate([rows.second, rows.first])
        body = np.where(is_held(body, self._masses), WORLD, body)
        at = np.where(body == WORLD, 0, body)
        push = np.concatenate([rows.force, -rows.force])
        arms = np.concatenate([rows.point, rows.point]) - self._state.position[at]
        turn = crossed(arms, push) + np.concatenate([rows.torque, -rows.torque])
        free = (body != WORLD)[:, None]
        speed = push * self._masses.inverse_mass[at, None]
        spin = turned(self._inverse_inertia[at], turn)
        act = np.where(free, np.concatenate([push, turn], axis=1), 0.0)
        move = np.where(free, np.concatenate([speed, spin], axis=1), 0.0)
        slot = at[:, None] * 6 + np.arange(6)
        row = np.arange(len(rows))
        return Ends(np.concatenate([row, row]), body, act, move, slot)

    def response(self, rows: Rows) -> Response:
        """The inverse effective mass of the rows, and how they move each other."""
        count = len(rows)
        ends = self._ends(rows)
        own = dotted(ends.act, ends.move)
        inverse_mass = own[:count] + own[count:]
        return Response(inverse_mass, inverse_mass + _crosstalk(ends, own, count), ends)


def _crosstalk(ends: Ends, own: Array, count: int) -> Array:
    """The sum of the absolute accelerations of each row (k,) by forces of 1 of all others.

    With the row's own response this is a sum over a row of the matrix of response. Its diagonal
    matrix is not smaller than the matrix itself (Gershgorin), so that what is stable with it is
    stable in truth.
    """
    order = np.argsort(ends.body, kind="stable")
    order = order[ends.body[order] != WORLD]
    start, sizes = runs(ends.body[order])
    total = np.zeros(count)
    if (sizes <= 1).all():
        return total
    crowded = np.repeat(sizes > _MAX_PAIRED_ROWS, sizes)
    if crowded.any():
        total += _estimated(ends, own, order[crowded], count)
    left, right = _pairs(order, start[sizes <= _MAX_PAIRED_ROWS], sizes[sizes <= _MAX_PAIRED_ROWS])
    other = ends.row[left] != ends.row[right]
    left, right = left[other], right[other]
    moved = dotted(ends.act[left], ends.move[right])
    # Two rows may meet on both of their bodies; what they do to each other there is added first.
    key, which = np.unique(ends.row[left] * count + ends.row[right], return_inverse=True)
    together = np.abs(np.bincount(which.ravel(), moved, len(key)))
    total += np.bincount(key // count, together, count)
    return total


def _estimated(ends: Ends, own: Array, crowd: Indices, count: int) -> Array:
    """The same for bodies with many rows, by the inequality of Cauchy and Schwarz."""
    size = np.sqrt(own[crowd])
    all_on_body = np.bincount(ends.body[crowd], size)
    moved = size * (all_on_body[ends.body[crowd]] - size)
    return np.bincount(ends.row[crowd], moved, count).astype(np.float64)


def _pairs(order: Indices, start: Indices, sizes: Indices) -> tuple[Indices, Indices]:
    """All pairs of entries of the same group, each both ways round and with itself."""
    repeats = np.repeat(sizes, sizes)
    first = np.repeat(start, sizes)
    within = np.arange(len(first)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    left = np.repeat(first + within, repeats)
    begin = np.cumsum(repeats) - repeats
    right = np.repeat(first, repeats) + np.arange(len(left)) - np.repeat(begin, repeats)
    return order[left], order[right]


def is_movable(rows: Rows, masses: Masses) -> Flags:
    """Rows (k,) of which a force moves at least one body."""
    return ~(is_held(rows.first, masses) & is_held(rows.second, masses))
