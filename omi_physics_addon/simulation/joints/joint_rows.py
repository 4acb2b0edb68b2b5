"""What joints measure between their two frames, and what a force along that moves.

A row is one number that a drive or a limit looks at: an offset along an axis, a distance, a twist,
the angle of a cone or a whole angle. Forces act along its gradient, on the second body at the
second frame's place, and the opposite on the first body at the same place. So the rate of the
number is exact, momentum and angular momentum stay, and no power comes from nowhere.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...geometry.rotations import crossed, dotted, quaternions, turned, turned_back
from ...model.joints import JointLimit
from ..state import WORLD, Masses, State, Wrench
from ..world import JointFrames

_MIN_LENGTH: Final = 1e-12


class Measure(enum.IntEnum):
    """What a row measures; the axes are those of the joint's own frame.

    Source: KHR_physics_rigid_bodies, appendix on joint metrics; OMI_physics_joint has the first
    and the third.
    """

    OFFSET = 0  # Along one axis, signed.
    DISTANCE = 1  # From a line or a point, of two or three axes.
    TWIST = 2  # About one axis, signed, -π to π.
    CONE = 3  # Between the remaining axes of both frames.
    ANGLE = 4  # Of the whole rotation.


@dataclass(frozen=True, eq=False)
class RowKinds:
    """What k rows measure.

    Attributes:
        joint: (k,), index of the joint.
        measure: (k,), of `Measure`.
        axes: (k, 3), 1 for the axes that count, else 0; for a cone those about which it opens.
    """

    joint: Indices
    measure: Indices
    axes: Array

    def __len__(self) -> int:
        return len(self.joint)

    @cached_property
    def by_measure(self) -> list[tuple[Measure, Indices]]:
        """Which rows measure what."""
        rows = ((measure, np.flatnonzero(self.measure == measure)) for measure in Measure)
        return [(measure, found) for measure, found in rows if len(found)]

    @classmethod
    def of(cls, rows: Sequence[tuple[int, Measure, tuple[int, ...]]]) -> RowKinds:
        """Rows from their joint, measure and axes."""
        axes = np.zeros((len(rows), 3))
        for at, (_, _, counted) in enumerate(rows):
            axes[at, list(counted)] = 1.0
        return cls(
            np.array([joint for joint, _, _ in rows], dtype=np.int64),
            np.array([measure for _, measure, _ in rows], dtype=np.int64),
            axes,
        )


def locked_axes(limits: Sequence[JointLimit]) -> tuple[bool, ...]:
    """Which of the six freedoms, linear X, Y, Z and angular X, Y, Z, hard limits take away."""
    locked = [False] * 6
    for limit in limits:
        if limit.stiffness is None and limit.min is not None and limit.min == limit.max:
            for axis in limit.linear_axes:
                locked[axis] = True
            for axis in limit.angular_axes:
                locked[3 + axis] = True
    return tuple(locked)


class Linkage:
    """The frames of j joints on their bodies, as arrays."""

    def __init__(
        self, joints: Sequence[JointFrames], locked: Sequence[Sequence[bool]] | None = None
    ) -> None:
        """Take joints, and which of the six freedoms of each the solver holds, or else hard limits.

        What a force along a free axis moves depends on the held ones: a door about its hinge has
        more inertia than about its centre.
        """
        count = len(joints)
        locked = [locked_axes(one.limits) for one in joints] if locked is None else locked
        first, second = [one.first for one in joints], [one.second for one in joints]
        self.first = np.array([frame.body for frame in first], dtype=np.int64)
        self.second = np.array([frame.body for frame in second], dtype=np.int64)
        self._first_place = np.array([frame.place for frame in first]).reshape(count, 3)
        self._second_place = np.array([frame.place for frame in second]).reshape(count, 3)
        self._first_axes = np.array([frame.axes for frame in first]).reshape(count, 3, 3)
        self._second_axes = np.array([frame.axes for frame in second]).reshape(count, 3, 3)
        self.locked: Flags = np.array(locked, dtype=np.bool_).reshape(count, 6)

    def pose(self, state: State, masses: Masses) -> Pose:
        """Where the frames are now."""
        start = state.points(self.first, self._first_place, masses)
        point = state.points(self.second, self._second_place, masses)
        axes = state.frames(self.first, self._first_axes)
        other = state.frames(self.second, self._second_axes)
        offset = turned_back(axes, point - start)
        return Pose(point, axes, other, offset, quaternions(axes.transpose(0, 2, 1) @ other))


@dataclass(frozen=True, eq=False)
class Pose:
    """Where the frames of j joints are.

    Attributes:
        point: (j, 3), the second frame's place, where forces act.
        axes, other: (j, 3, 3), the first's and the second's axes as columns.
        offset: (j, 3), of the second from the first, along the first's axes.
        turn: (j, 4), x, y, z, w of the second's rotation against the first, w not negative.
    """

    point: Array
    axes: Array
    other: Array
    offset: Array
    turn: Array


@dataclass(frozen=True, eq=False)
class Rows:
    """What k rows measure now, and along what their forces act.

    Attributes:
        joint: (k,).
        value: (k,), m or rad.
        force: (k, 3), the force on the second body for a row's force of 1.
        torque: (k, 3), the same of the torque, beside that of the force at its place.
        point: (k, 3), where the force acts.
        first, second: (k,), the bodies.
    """

    joint: Indices
    value: Array
    force: Array
    torque: Array
    point: Array
    first: Indices
    second: Indices

    def __len__(self) -> int:
        return len(self.joint)

    def where(self, chosen: Flags) -> Rows:
        """Some of the rows."""
        return Rows(**{name: each[chosen] for name, each in vars(self).items()})

    def rates(self, state: State) -> Array:
        """How fast the values change, (k,)."""
        bodies, count = np.concatenate([self.second, self.first]), len(self)
        moving = state.point_velocities(bodies, np.concatenate([self.point, self.point]))
        spins = state.spins(bodies)
        linear, angular = moving[:count] - moving[count:], spins[:count] - spins[count:]
        return dotted(self.force, linear) + dotted(self.torque, angular)

    def act(self, state: State, sizes: Array, wrench: Wrench) -> None:
        """Push both bodies by the rows' forces (k,)."""
        forces, torques = self.force * sizes[:, None], self.torque * sizes[:, None]
        bodies = np.concatenate([self.second, self.first])
        points = np.concatenate([self.point, self.point])
        wrench.push(state, bodies, points, np.concatenate([forces, -forces]))
        wrench.turn(bodies, np.concatenate([torques, -torques]))


def measured(kinds: RowKinds, linkage: Linkage, pose: Pose) -> Rows:
    """The rows as the frames are now."""
    at = kinds.joint
    value, force, torque = np.zeros(len(at)), np.zeros((len(at), 3)), np.zeros((len(at), 3))
    axes = pose.axes[at]
    for measure, rows in kinds.by_measure:
        found = _MEASURES[measure](pose, at[rows], axes[rows], kinds.axes[rows])
        value[rows] = found[0]
        is_linear = measure in (Measure.OFFSET, Measure.DISTANCE)
        (force if is_linear else torque)[rows] = found[1]
    first, second = linkage.first[at], linkage.second[at]
    return Rows(at, value, force, torque, pose.point[at], first, second)


def _offset(pose: Pose, joint: Indices, axes: Array, counted: Array) -> tuple[Array, Array]:
    return dotted(pose.offset[joint], counted), turned(axes, counted)


def _distance(pose: Pose, joint: Indices, axes: Array, counted: Array) -> tuple[Array, Array]:
    away = pose.offset[joint] * counted
    return _with_direction(away, _first_of(counted), axes)


def _twist(pose: Pose, joint: Indices, axes: Array, counted: Array) -> tuple[Array, Array]:
    """The twist of the swing-twist decomposition, and its gradient.

    With a and b the axis in both frames, the twist changes by ω·(a + b) / (1 + a·b). Source:
    Dobrowolski 2015, "Swing-twist decomposition in Clifford algebra", for the angle; the gradient
    is its derivative.
    """
    turn = pose.turn[joint]
    value = 2.0 * np.arctan2(dotted(turn[:, :3], counted), turn[:, 3])
    own, other = turned(axes, counted), turned(pose.other[joint], counted)
    # Opposite axes have no twist; there the gradient is kept from growing without end.
    gradient = (own + other) / np.maximum(1.0 + dotted(own, other), 0.1)[:, None]
    return (value + np.pi) % (2.0 * np.pi) - np.pi, gradient


def _cone(pose: Pose, joint: Indices, axes: Array, counted: Array) -> tuple[Array, Array]:
    own, other = turned(axes, 1.0 - counted), turned(pose.other[joint], 1.0 - counted)
    across = crossed(own, other)
    length, direction = _with_direction(across, turned(axes, _first_of(counted)), None)
    return np.arctan2(length, dotted(own, other)), direction


def _angle(pose: Pose, joint: Indices, axes: Array, counted: Array) -> tuple[Array, Array]:
    turn = pose.turn[joint]
    length, direction = _with_direction(turn[:, :3], _first_of(counted), axes)
    return 2.0 * np.arctan2(length, turn[:, 3]), direction


_MEASURES: Final = {
    Measure.OFFSET: _offset,
    Measure.DISTANCE: _distance,
    Measure.TWIST: _twist,
    Measure.CONE: _cone,
    Measure.ANGLE: _angle,
}


def _with_direction(vectors: Array, spare: Array, axes: Array | None) -> tuple[Array, Array]:
    """Lengths, and directions in the world; the spare one where there is no length."""
    length = np.linalg.norm(vectors, axis=1)
    far = length > _MIN_LENGTH
    direction = np.where(far[:, None], vectors / np.where(far, length, 1.0)[:, None], spare)
    return length, direction if axes is None else turned(axes, direction)


def _first_of(counted: Array) -> Array:
    """The first axis (k, 3) of those that count."""
    found = np.zeros_like(counted)
    found[np.arange(len(counted)), np.argmax(counted, axis=1)] = 1.0
    return found


def is_held(bodies: Indices, masses: Masses) -> Flags:
    """Which of some bodies, in an array of any shape, no force moves."""
    return (bodies == WORLD) | ~masses.is_dynamic[bodies]


def runs(values: Indices) -> tuple[Indices, Indices]:
    """Where runs of equal values begin in sorted ones (k,), and how long they are."""
    if not len(values):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    edges = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1], [True]]))
    return edges[:-1], edges[1:] - edges[:-1]
