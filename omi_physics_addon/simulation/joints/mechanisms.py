"""The compliance of bodies that several joints hold together, taken as a whole.

A motor at the shoulder of an arm moves all of the arm, through the joints that hold it. What a
solver holds does no work, so with the rows J that are driven and the rows C that are held, the
matrix of response is

    W = J·M⁻¹·Jᵀ - J·M⁻¹·Cᵀ · (C·M⁻¹·Cᵀ)⁻¹ · C·M⁻¹·Jᵀ,

which for an arm is the inverse of its inertia in the space of its joints. Source: Featherstone
2008, "Rigid Body Dynamics Algorithms", chapter 8, for constraints as a Schur complement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices, connected
from ...geometry.rotations import crossed
from ...geometry.small_systems import solved
from ..state import Masses, State, Wrench
from .effective_mass import Bounds, inverted
from .joint_rows import Linkage, Pose, Rows, is_held

# Bodies of one mechanism; of a longer chain those nearest to what is driven.
MAX_BODIES: Final = 96
# Of the response of held rows, so that two that hold the same are solvable.
_RELATIVE_REGULARIZATION: Final = 1e-9
_MIN_RESPONSE_SHARE: Final = 1e-6  # Share of what a row moves by itself that it moves at least.
_MAX_ITERATIONS: Final = 6  # In search of which rows are at their bounds.
_MAX_SWEEPS: Final = 40  # Where that goes round in circles.
_MAX_SHARE: Final = 1.0 - 1e-9  # Share of what a row wants that it gets at most.
_REGULARIZATION: Final = 1e-12


@dataclass(frozen=True, eq=False)
class Answer:
    """How mechanisms answer to the forces of their rows.

    Attributes:
        response: (g, r, r), how the rates of rows change in a second by forces of rows.
        load: (g, r), how they change by all that acts already.
        acts: (g, r, b, 6), force and torque about its centre of mass that each body gets by a
            row's force of 1, reactions along the held rows included.
    """

    response: Array
    load: Array
    acts: Array


@dataclass(frozen=True, eq=False)
class Mechanisms:
    """All mechanisms of one size: g of b bodies each, held by c rows and driven by r.

    Attributes:
        bodies: (g, b).
        held: (g, c, 2), joints and their axes, linear X, Y, Z and angular X, Y, Z.
        rows: (g, r), numbers of rows.
        held_ends, row_ends: (g, c, 2) and (g, r, 2), which of the b bodies are at their first and
            second ends; -1 for others.
    """

    bodies: Indices
    held: Indices
    rows: Indices
    held_ends: Indices
    row_ends: Indices

    def respond(
        self, rows: Rows, pose: Pose, state: State, masses: Masses, wrench: Wrench, falling: Array
    ) -> Answer:
        """How the mechanisms answer to their rows, in a pose and under what acts on them.

        Args:
            rows: all rows, of which `rows` has the numbers.
            wrench: what acts on all bodies.
            falling: (n, 3), accelerations that act beside it, such as gravity.
        """
        driven = np.concatenate([rows.force, rows.torque], axis=1)[self.rows]
        point = rows.point[self.rows]
        held, spot = self._held(pose)
        ours = self._jacobian(driven, point, self.row_ends, state)
        theirs = self._jacobian(held, spot, self.held_ends, state)
        inertia = state.inverse_inertia(masses)[self.bodies]
        moved, carried = (self._moved(each, inertia, masses) for each in (ours, theirs))
        pushed = np.concatenate([wrench.force, wrench.torque], axis=1)[self.bodies][:, None]
        free = self._moved(pushed, inertia, masses)[:, 0]
        free[..., :3] += falling[self.bodies]
        free[..., 3:] -= self._tumbling(state, masses, inertia)
        own, meets, among = (
            _flat(one) @ _flat(other).transpose(0, 2, 1)
            for one, other in ((ours, moved), (ours, carried), (theirs, carried))
        )
        size = np.einsum("gii->gi", among)
        np.einsum("gii->gi", among)[:] += _RELATIVE_REGULARIZATION * size + _REGULARIZATION
        flat = free.reshape(len(free), -1, 1)
        drift = self._drift(held, spot, self.held_ends, state)[:, :, None]
        right = np.concatenate([meets.transpose(0, 2, 1), _flat(theirs) @ flat + drift], axis=2)
        answer = solved(among, right)
        response = own - meets @ answer[:, :, :-1]
        least = _MIN_RESPONSE_SHARE * np.einsum("gii->gi", own)
        diagonal = np.einsum("gii->gi", response)
        diagonal[:] = np.maximum(diagonal, least)
        load = (_flat(ours) @ flat)[:, :, 0] - (meets @ answer[:, :, -1:])[:, :, 0]
        load += self._drift(driven, point, self.row_ends, state)
        acts = ours - np.einsum("gcr,gcbi->grbi", answer[:, :, :-1], theirs)
        return Answer(response, load, acts)

    def _held(self, pose: Pose) -> tuple[Array, Array]:
        joint, axis = self.held[:, :, 0], self.held[:, :, 1]
        along = np.take_along_axis(pose.axes[joint], (axis % 3)[:, :, None, None], axis=3)[..., 0]
        is_linear = (axis < 3)[:, :, None]
        force, torque = np.where(is_linear, along, 0.0), np.where(is_linear, 0.0, along)
        return np.concatenate([force, torque], axis=2), pose.point[joint]

    def _jacobian(self, acts: Array, point: Array, ends: Indices, state: State) -> Array:
        """What rows (g, k) do: forces and torques about the centres of mass, (g, k, b, 6)."""
        groups, count, _ = acts.shape
        result = np.zeros((groups, count, self.bodies.shape[1], 6))
        for end, sign in ((0, -1.0), (1, 1.0)):
            slot = ends[:, :, end]
            group, row = np.nonzero(slot >= 0)
            at = slot[group, row]
            act = acts[group, row] * sign
            arm = point[group, row] - state.position[self.bodies[group, at]]
            result[group, row, at, :3] += act[:, :3]
            result[group, row, at, 3:] += act[:, 3:] + crossed(arm, act[:, :3])
        return result

    def _tumbling(self, state: State, masses: Masses, inertia: Array) -> Array:
        """What the spins of free bodies lose in a second as these turn, (g, b, 3)."""
        spin = state.spin[self.bodies]
        momentum: Array = np.einsum("gbij,gbj->gbi", state.inertia(masses)[self.bodies], spin)
        torque: Array = crossed(spin, momentum)
        return np.einsum("gbij,gbj->gbi", inertia, torque)

    def _drift(self, acts: Array, point: Array, ends: Indices, state: State) -> Array:
        """How the rates of rows (g, k) change in a second by the motion alone.

        The points of bodies that turn are drawn to their middle, and what slides along a body
        that turns is drawn aside.
        """
        body = np.take_along_axis(self.bodies[:, :, None], np.maximum(ends, 0), axis=1)
        moves = (ends >= 0)[..., None]
        spin = np.where(moves, state.spin[body], 0.0)
        turning = crossed(spin, point[:, :, None] - state.position[body])
        speed = np.where(moves, state.velocity[body], 0.0) + turning
        inward = crossed(spin, turning)
        first, second = spin[:, :, 0], spin[:, :, 1]
        sliding = speed[:, :, 1] - speed[:, :, 0]
        linear = inward[:, :, 1] - inward[:, :, 0] - 2.0 * crossed(first, sliding)
        both = np.concatenate([linear, crossed(second, first)], axis=2)
        return np.einsum("gki,gki->gk", acts, both)

    def _moved(self, acts: Array, inertia: Array, masses: Masses) -> Array:
        """The velocities and spins that these give in a second, of the same shape.

        Args:
            inertia: (g, b, 3, 3), inverse, in the world.
        """
        speed = acts[..., :3] * masses.inverse_mass[self.bodies][:, None, :, None]
        return np.concatenate([speed, np.einsum("gbij,gkbj->gkbi", inertia, acts[..., 3:])], axis=3)

    def settled(
        self, response: Array, wanted: Array, share: Array, load: Array, bounds: Bounds
    ) -> Array:
        """The forces (g, r) of rows that know of each other; see `Response.settled`.

        Args:
            response: (g, r, r).
            wanted, share, load, bounds: (g, r).
        """
        diagonal = np.einsum("gii->gi", response)
        # Two that want the same of the same axis, as stiffly as can be, have no only answer.
        gain = np.minimum(share, _MAX_SHARE) * inverted(diagonal)
        target = wanted - gain * load
        matrix = gain[:, :, None] * response
        own = np.einsum("gii->gi", matrix)
        own[:] = 1.0
        low, high = bounds
        force = np.clip(target, low, high)
        fixed = np.zeros(force.shape, dtype=np.bool_)
        for _ in range(2):
            for _ in range(_MAX_ITERATIONS):
                force, now = _balanced(matrix, target, force, fixed, bounds)
                if np.array_equal(now, fixed):
                    return np.clip(force, low, high)
                fixed = now
            force = _swept(matrix, target, np.clip(force, low, high), bounds)
            fixed = (force <= low) | (force >= high)
        return force


def _balanced(
    matrix: Array, target: Array, force: Array, fixed: Flags, bounds: Bounds
) -> tuple[Array, Flags]:
    """Forces where some are fixed and the others in balance, and which are to be fixed then."""
    low, high = bounds
    left = np.where(fixed[:, :, None], np.eye(force.shape[1]), matrix)
    right = np.where(fixed, force, target)
    found = solved(left, right[:, :, None])[:, :, 0]
    rest = target - np.einsum("gij,gj->gi", matrix, found)
    # Held at a bound while it would go beyond it.
    stays = fixed & (((found >= high) & (rest > 0.0)) | ((found <= low) & (rest < 0.0)))
    beyond = ~fixed & ((found > high) | (found < low))
    return np.where(beyond, np.clip(found, low, high), found), stays | beyond


def _swept(matrix: Array, target: Array, force: Array, bounds: Bounds) -> Array:
    """Forces after some rounds of Gauss and Seidel's method, which always come nearer."""
    low, high = bounds
    for _ in range(_MAX_SWEEPS):
        for row in range(force.shape[1]):
            felt = np.einsum("gj,gj->g", matrix[:, row], force) - force[:, row]
            force[:, row] = np.clip(target[:, row] - felt, low[:, row], high[:, row])
    return force


def _flat(acts: Array) -> Array:
    return acts.reshape(*acts.shape[:2], -1)


def mechanisms(linkage: Linkage, driven: Indices, masses: Masses) -> list[Mechanisms]:
    """All mechanisms of more than one joint that have rows, those of one size together.

    Args:
        driven: (k,), the joints of all rows.
    """
    ends = np.stack([linkage.first, linkage.second], axis=1)
    moves = ~is_held(ends, masses)
    rows_of: dict[int, list[int]] = {}
    for row, joint in enumerate(driven.tolist()):
        rows_of.setdefault(joint, []).append(row)
    matters = np.flatnonzero(linkage.locked.any(axis=1) | np.isin(np.arange(len(ends)), driven))
    found: dict[tuple[int, int, int], list[Mechanisms]] = {}
    for joints in _groups(ends, moves, matters.tolist(), len(masses)):
        one = _assembled(linkage, ends, moves, joints, rows_of)
        if one is not None:
            size = one.bodies.shape[1], one.held.shape[1], one.rows.shape[1]
            found.setdefault(size, []).append(one)
    return [_together(alike) for alike in found.values()]


def _together(alike: list[Mechanisms]) -> Mechanisms:
    """Mechanisms of one size as one record."""
    parts = [vars(one) for one in alike]
    return Mechanisms(**{name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


def _groups(ends: Indices, moves: Flags, joints: list[int], count: int) -> Iterable[list[int]]:
    """Groups of joints that are connected through dynamic bodies, of `count` bodies."""
    pairs = ends[joints][moves[joints].all(axis=1)]
    label = connected(pairs[:, 0], pairs[:, 1], count)
    groups: dict[int, list[int]] = {}
    for joint in joints:
        for body in ends[joint][moves[joint]][:1].tolist():
            groups.setdefault(int(label[body]), []).append(joint)
    return groups.values()


def _assembled(
    linkage: Linkage, ends: Indices, moves: Flags, joints: list[int], rows_of: dict[int, list[int]]
) -> Mechanisms | None:
    """The mechanism of some joints; None where a row needs to know of its own joint only."""
    driven = [joint for joint in joints if joint in rows_of]
    if not driven or linkage.locked[joints].any(axis=1).sum() < 2:
        return None
    mine = {joint: ends[joint][moves[joint]].tolist() for joint in joints}
    bodies = _near([body for joint in driven for body in mine[joint]], mine)
    if bodies is None:
        return None
    slot = {body: at for at, body in enumerate(bodies)}
    inside = [joint for joint in joints if all(body in slot for body in mine[joint])]
    at_ends = {
        joint: [slot[body] if body in mine[joint] else -1 for body in ends[joint].tolist()]
        for joint in inside
    }
    held = [
        (joint, axis) for joint in inside for axis in np.flatnonzero(linkage.locked[joint]).tolist()
    ]
    rows = [(row, joint) for joint in driven for row in rows_of[joint]]

    def one(values: Sequence[object], *shape: int) -> Indices:
        return np.array(values, dtype=np.int64).reshape(1, -1, *shape)

    return Mechanisms(
        one(bodies),
        one(held, 2),
        one([row for row, _ in rows]),
        one([at_ends[joint] for joint, _ in held], 2),
        one([at_ends[joint] for _, joint in rows], 2),
    )


def _near(first: list[int], mine: dict[int, list[int]]) -> list[int] | None:
    """Bodies in the order of how far they are from the first ones; None for too many of these."""
    beside: dict[int, list[int]] = {}
    for pair in mine.values():
        if len(pair) == 2:
            beside.setdefault(pair[0], []).append(pair[1])
            beside.setdefault(pair[1], []).append(pair[0])
    found = list(dict.fromkeys(first))
    if len(found) > MAX_BODIES:
        return None
    known = set(found)
    for body in found:  # It grows meanwhile.
        for other in beside.get(body, ()):
            if other not in known and len(found) < MAX_BODIES:
                known.add(other)
                found.append(other)
    return found
