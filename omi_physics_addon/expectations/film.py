"""What was played: where everything was at every moment, and what can be measured of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from ..axes import points_to_blender, points_to_gltf
from ..geometry.arrays import Array
from ..geometry.rotations import quaternions, skew
from ..issues import Issue
from ..simulation.joints.joint_rows import locked_axes
from ..simulation.recording import Passage, PassedBy, Recording
from ..simulation.state import WORLD, Masses
from ..simulation.world import Frame, JointFrames
from .reading import near
from .records import Range


class UnmeasurableError(ValueError):
    """Something cannot be measured, or is not there; the message says what helps."""


@dataclass(frozen=True, eq=False)
class Film:
    """What a preview did, in glTF's axes.

    Attributes:
        joints: by their names.
        triggers: the names of those that there are.
        gravity: (3,), m/s², of the scene.
        has_volumes: whether something else than that pulls bodies.
        issues: what the checks say about the file.
    """

    recording: Recording
    masses: Masses
    joints: Sequence[tuple[str, JointFrames]]
    triggers: tuple[str, ...]
    passages: Sequence[Passage]
    passed: Sequence[PassedBy]
    gravity: Array
    has_volumes: bool
    issues: Sequence[Issue]

    @property
    def times(self) -> Array:
        """(k,), s."""
        return np.array(self.recording.times)

    def bodies(self, names: Sequence[str]) -> list[str]:
        """The bodies that names and patterns mean; patterns leave out what stands still.

        Raises:
            UnmeasurableError: there are none.
        """
        known = self.recording.names
        moving = [n for n, t in zip(known, self.recording.types, strict=True) if t != "static"]
        return _meant(names, known, moving, "body")

    def joint_names(self, names: Sequence[str]) -> list[str]:
        """The joints that names and patterns mean.

        Raises:
            UnmeasurableError: there are none.
        """
        known = [name for name, _ in self.joints]
        return _meant(names, known, known, "joint")

    def trigger_names(self, names: Sequence[str]) -> list[str]:
        """The triggers that names and patterns mean.

        Raises:
            UnmeasurableError: there are none.
        """
        return _meant(names, self.triggers, self.triggers, "trigger")

    def joint(self, name: str) -> JointFrames:
        """The joint of a name."""
        return next(joint for known, joint in self.joints if known == name)

    # --- what can be measured: (k,) or (k, 3) ---

    def of_body(self, name: str, want: Range, *, is_blender: bool) -> Array:
        """A measure of a body at all times."""
        record, at = self.recording, self.recording.names.index(name)
        places = _of(record.places, at)
        if want.measure == "place_m":
            return points_to_blender(places) if is_blender else places
        if want.measure == "distance_m":
            there = record.names.index(self.bodies([want.other])[0])
            return _lengths(places - _of(record.places, there))
        if want.measure == "moved_m":
            return _lengths(places - places[0])
        if want.measure == "turned_deg":
            turns = _of(record.rotations, at)
            share = np.minimum(np.abs(turns @ turns[0]), 1.0)
            return np.degrees(2.0 * np.arccos(share))
        if want.measure == "spin_deg_per_s":
            return np.degrees(_lengths(_of(record.spins, at)))
        velocities = _of(record.velocities, at)
        if want.measure == "speed_m_per_s":
            return _lengths(velocities)
        return points_to_blender(velocities) if is_blender else velocities

    def of_joint(self, name: str, want: Range, *, is_blender: bool) -> Array:
        """A measure of a joint at all times: how its own part is to the connected one."""
        joint = self.joint(name)
        (one, one_axes), (other, other_axes) = map(self._frame, (joint.first, joint.second))
        if want.measure == "gap_m":
            there = np.einsum("kij,ki->kj", one_axes, other - one)
            return _excess(joint, there)
        is_turn = want.measure == "angle_deg"
        along = axis_vector(joint, name, want.axis, is_turn=is_turn, is_blender=is_blender)
        if not is_turn:
            return np.einsum("kij,ki->kj", other_axes, one - other) @ along
        turns = quaternions(other_axes.transpose(0, 2, 1) @ one_axes)
        half = np.arctan2(turns[:, :3] @ along, turns[:, 3])
        turned: Array = np.unwrap(2.0 * half)
        angles: Array = np.degrees(turned)
        first = float(angles[0])
        return angles - 360.0 * round(first / 360.0)

    def length(self, names: Sequence[str]) -> Array:
        """How long the line through the origins of bodies is, (k,), m."""
        at = [self.recording.names.index(name) for name in names]
        places = _of(self.recording.places, at)
        return np.linalg.norm(np.diff(places, axis=1), axis=2).sum(axis=1)

    def energy_gain(self) -> Array:
        """What all that moves has more of energy than at the start, (k,), J.

        Raises:
            UnmeasurableError: the gravity of volumes has no height that is known.
        """
        if self.has_volumes:
            raise UnmeasurableError("energy cannot be measured where volumes have gravity")
        masses, record = self.masses, self.recording
        moved = masses.is_dynamic & (masses.inverse_mass > 0.0)
        weight = np.where(moved, masses.mass, 0.0)
        # What no torque turns keeps its spin, and the numbers that stand for infinity are rounded.
        spun = moved & masses.inverse_inertia_local.any(axis=(1, 2))
        total: list[float] = []
        rows = (record.places, record.rotations, record.velocities, record.spins)
        for places, turns, velocities, spins in zip(*rows, strict=True):
            axes = rotation_matrices(turns)
            centers = places + np.einsum("nij,nj->ni", axes, masses.center_local)
            inertia = axes @ masses.inertia_local @ axes.transpose(0, 2, 1)
            turning = np.einsum("ni,nij,nj->n", spins, inertia, spins)
            high = -(centers @ self.gravity) * weight * masses.gravity_factor
            speed = np.einsum("ni,ni->n", velocities, velocities)
            each = 0.5 * weight * speed + 0.5 * np.where(spun, turning, 0.0) + high
            total.append(float(each.sum()))
        return np.array(total) - total[0]

    def _frame(self, frame: Frame) -> tuple[Array, Array]:
        """Where the frame of a joint is at all times, (k, 3) and (k, 3, 3)."""
        count = len(self.recording)
        if frame.body == WORLD:
            return np.tile(frame.place, (count, 1)), np.tile(frame.axes, (count, 1, 1))
        axes = rotation_matrices(_of(self.recording.rotations, frame.body))
        places = _of(self.recording.places, frame.body)
        return places + axes @ frame.place, axes @ frame.axes


def rotation_matrices(turns: Array) -> Array:
    """The rotations (n, 3, 3) of unit quaternions (n, 4), x, y, z, w."""
    vector, w = turns[:, :3], turns[:, 3, None, None]
    cross = skew(vector)
    return np.eye(3) + 2.0 * (w * cross + cross @ cross)


def axis_vector(
    joint: JointFrames, name: str, axis: int | None, *, is_turn: bool, is_blender: bool
) -> Array:
    """The axis that is measured, (3,), in glTF's axes of the joint.

    Raises:
        UnmeasurableError: none was named, and the joint is free in several ways or in none.
    """
    if axis is None:
        locked = locked_axes(joint.limits)[3:] if is_turn else locked_axes(joint.limits)[:3]
        free = [index for index in range(3) if not locked[index]]
        if len(free) != 1:
            word = "turns about" if is_turn else "slides along"
            raise UnmeasurableError(f"the joint {name} {word} {len(free)} axes; say axis")
        unit = np.eye(3)[free[0]]
        return unit * float(points_to_blender(unit).sum()) if is_blender else unit
    unit = np.eye(3)[axis]
    return points_to_gltf(unit) if is_blender else unit


def _excess(joint: JointFrames, offsets: Array) -> Array:
    """How far offsets (k, 3) of the connected part are beyond the linear limits, (k,), m."""
    worst = np.zeros(len(offsets))
    for limit in joint.limits:
        axes = list(limit.linear_axes or ())
        if not axes:
            continue
        far = offsets[:, axes[0]] if len(axes) == 1 else _lengths(offsets[:, axes])
        low = -np.inf if limit.min is None else limit.min
        high = np.inf if limit.max is None else limit.max
        worst = np.maximum(worst, np.maximum(low - far, far - high))
    return worst


def _of(rows: Sequence[Array], at: Any) -> Array:
    """What a body, or some of them, had at all times."""
    return np.array([row[at] for row in rows])


def _lengths(vectors: Array) -> Array:
    return np.linalg.norm(vectors, axis=-1)


def _meant(
    names: Sequence[str], known: Sequence[str], by_pattern: Sequence[str], what: str
) -> list[str]:
    found: list[str] = []
    for name in names:
        if name in known:
            found.append(name)
            continue
        if not any(sign in name for sign in "*?["):
            hint = near(name, known) or (f"; there are {', '.join(known[:5])}" if known else "")
            raise UnmeasurableError(f"there is no {what} {name}{hint}")
        matches = sorted((each for each in by_pattern if fnmatchcase(each, name)), key=_natural)
        if not matches:
            raise UnmeasurableError(f"no {what} is called {name}")
        found += matches
    return list(dict.fromkeys(found))


def _natural(name: str) -> list[tuple[int, str]]:
    """For sorting names with numbers in them: Link 2 before Link 10."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
