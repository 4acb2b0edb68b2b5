"""Poses joints: puts the part that moves where the joint lets it be, without playing.

Limits count from where the frames of both ends lie on each other, in the scene as in files. So a
pose changes neither limits nor targets, if the other end has a frame of its own that stays. A pivot
at the joint goes with the joint; it becomes an empty below the connected object.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mathutils import Euler, Matrix

from ...model.joints import JointLimit
from ..base import animated, groups
from ..base.hierarchy import ancestors, body_of, connected_moves, new_empty
from ..base.local_transforms import keys_of, rotation_path, rotations_of
from ..scene import joint_settings
from .joint_making import frame_of, settings_of

NAMES = ("distance_x", "distance_y", "distance_z", "angle_x", "angle_y", "angle_z")


@dataclass(frozen=True)
class Poseable:
    """A joint that can be posed.

    Attributes:
        obj: the object of the joint.
        mover: the object that moves, with all below it.
        connected_moves: whether that is the connected part.
        ranges: lowest and highest value for each of `NAMES`, in m and rad; equal where it is held.
    """

    obj: Any
    mover: Any
    connected_moves: bool
    ranges: tuple[tuple[float, float], ...]

    @property
    def axes(self) -> list[int]:
        """The numbers of the axes that are free or limited."""
        return [i for i, (low, high) in enumerate(self.ranges) if low < high]


def poseable(obj: Any, scene: Any) -> Poseable | str:
    """A joint that can be posed, or why it cannot."""
    group = groups.of_object(obj)
    connected = group.joint.connected_object
    if connected is None:
        return "Choose a connected object first"
    entry = settings_of(obj, scene)
    if entry is None:
        return "Choose settings of the joint first"
    moves = connected_moves(obj)
    start = connected if moves else obj
    mover = body_of(start) or start.parent
    if mover is None:
        return "The joint is not on a movable body"
    other = obj if moves else connected
    if mover == other or mover in ancestors(other):
        return "Both ends of the joint are on the moving body"
    if not groups.can_change(mover):
        return "The moving object is linked from another file"
    if any(not each.mute for each in mover.constraints) or any(
        not path or animated.is_place(path) for path in animated.paths(mover.animation_data)
    ):
        return "Keyframes, drivers or constraints move the object"
    found = Poseable(obj, mover, moves, _ranges(joint_settings.read_in_blender(entry).limits))
    return found if found.axes else "The joint locks all axes"


def _ranges(limits: Sequence[JointLimit]) -> tuple[tuple[float, float], ...]:
    low: list[float] = [-math.inf] * 3 + [-math.pi] * 3
    high: list[float] = [math.inf] * 3 + [math.pi] * 3
    for limit in limits:
        for i in (*limit.linear_axes, *(3 + axis for axis in limit.angular_axes)):
            low[i] = max(low[i], -math.inf if limit.min is None else limit.min)
            high[i] = min(high[i], math.inf if limit.max is None else limit.max)
    return tuple(zip(low, high, strict=True))


def values(joint: Poseable) -> list[float]:
    """Where a joint is now, for each of `NAMES`."""
    own, other = _frames(joint)
    frame = other.inverted() @ own
    return [*frame.translation, *frame.to_euler("XYZ")]


def pose(joint: Poseable, wanted: dict[int, float]) -> None:
    """Put a joint where some of its axes have values, within their limits; others stay.

    It turns about X, then about Y, then about Z of the connected frame.
    """
    _fix_pivot(joint)
    now = values(joint)
    for i in joint.axes:
        if i in wanted:
            low, high = joint.ranges[i]
            now[i] = min(max(wanted[i], low), high)
    _place(joint, now)


def rest(joint: Poseable) -> None:
    """Put a joint back to where its two frames lie on each other, along and about its free axes."""
    now = values(joint)
    for i in joint.axes:
        now[i] = 0.0
    _place(joint, now)


def _frames(joint: Poseable) -> tuple[Matrix, Matrix]:
    """The joint's own frame and the connected one, in the world."""
    group = groups.of_object(joint.obj).joint
    own = frame_of(joint.obj)
    return own, own.copy() if group.pivot_at_joint else frame_of(group.connected_object)


def _fix_pivot(joint: Poseable) -> None:
    """Give the connected end a frame that stays where the joint is now."""
    group = groups.of_object(joint.obj).joint
    if not group.pivot_at_joint:
        return
    connected: Any = group.connected_object
    pivot = new_empty(f"{joint.obj.name} Pivot", joint.obj.users_collection, size=0.2)
    pivot.parent = connected
    pivot.matrix_parent_inverse = connected.matrix_world.inverted_safe()
    pivot.matrix_basis = frame_of(joint.obj)
    # What Blender would find out at its next update, and is needed before.
    pivot.matrix_world = frame_of(joint.obj)
    group.connected_object, group.pivot_at_joint = pivot, False


def _place(joint: Poseable, values: Sequence[float]) -> None:
    """Move what moves so that the own frame is somewhere in the connected one; see `values`."""
    own, other = _frames(joint)
    wanted = other @ Matrix.LocRotScale(values[:3], Euler(values[3:], "XYZ"), None)
    change = own @ wanted.inverted() if joint.connected_moves else wanted @ own.inverted()
    mover = joint.mover
    path = np.array([np.eye(4), np.array(change, dtype=np.float64)])
    keys = keys_of(mover, path, None)
    turns = rotations_of(mover, keys.turns)
    mover.location = (keys.places[1] - np.array(mover.delta_location)).tolist()
    name, width = rotation_path(mover)
    setattr(mover, name, tuple(turns[1])[:width])
