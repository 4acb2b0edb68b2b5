"""Joints that a preview cannot hold as exactly as others, and may give energy to.

Forces of joints stay the same during a step, and Bullet's solver comes near the reactions of joints
in a number of rounds. Both get worse the lighter a body is to turn against what pulls at it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...model.joints import JointLimit
from ..state import Masses, State
from ..world import JointFrames
from .drives import drives_of
from .effective_mass import Mobility, inverted
from .joint_rows import Linkage, Measure, RowKinds, is_held, measured
from .soft_limits import Limits

_MOST_PHASE_RAD: Final = 0.7  # By which a spring may go on in a step.
_MOST_LEVERAGE: Final = 8.0  # Mass of a body by what a rope or spring moves of it.
_MOST_BURDEN: Final = 20.0  # Moment of what hangs on a body by its own.
_PARTS: Final = 8  # Of a step, in which a drive is followed on its way to its target,
_SWINGING_S: Final = 3.0  # for so long.
_PAST: Final = 0.2  # How far it may go past that, of the way to it.
_FAR_SWING_RAD: Final = 2.6  # From which on a twist changes by several times of what is turned.


def too_stiff(
    joints: Sequence[JointFrames], limits: Limits, state: State, masses: Masses, step: float
) -> tuple[list[int], float]:
    """Joints whose springs swing faster than steps show, and the step that would, s."""
    inverse, stiffness, joint, _ = _moved(joints, limits, state, masses)
    phase = np.sqrt(np.where(np.isfinite(stiffness), stiffness, 0.0) * inverse) * step
    found = phase > _MOST_PHASE_RAD
    needed = step * _MOST_PHASE_RAD / float(phase.max(initial=_MOST_PHASE_RAD))
    return sorted(set(joint[found].tolist())), needed


def on_long_levers(
    joints: Sequence[JointFrames], limits: Limits, state: State, masses: Masses
) -> list[int]:
    """Joints whose forces act far from what they hold, or that hold what is far and heavy."""
    inverse, _, joint, is_linear = _moved(joints, limits, state, masses)
    linkage = Linkage(joints)
    ends = np.stack([linkage.first, linkage.second])
    free = ~is_held(ends, masses)
    light = np.where(free, masses.inverse_mass[ends], 0.0)
    found = joint[is_linear & (inverse > _MOST_LEVERAGE * light.sum(axis=0)[joint])].tolist()
    # The axes of a range along these turn with the first body, and so does the lever at its end.
    lever = _levers_at_ends(limits, len(joints))
    turns = np.flatnonzero(free[0] & (lever > 0.0) & ~linkage.locked[:, 3:].all(axis=1))
    least = np.linalg.eigvalsh(masses.inertia_local[linkage.first[turns]])[:, 0]
    moved = masses.inverse_mass[linkage.first[turns]] + lever[turns] / least
    found += turns[moved > _MOST_LEVERAGE * light.sum(axis=0)[turns]].tolist()
    pairs = np.flatnonzero(free.all(axis=0))
    away = state.position[linkage.second[pairs]] - state.position[linkage.first[pairs]]
    square = (away * away).sum(axis=1)
    for own, other in ((linkage.first, linkage.second), (linkage.second, linkage.first)):
        moments = np.linalg.eigvalsh(masses.inertia_local[own[pairs]])[:, 0]
        burden = masses.mass[other[pairs]] * square
        found += pairs[burden > _MOST_BURDEN * moments].tolist()
    return sorted(set(found))


def flipping(joints: Sequence[JointFrames], *, per_axis: bool) -> list[int]:
    """Joints with a spring about one axis, which may swing so far that this axis is opposite.

    There, the angle about it jumps, and with it what the spring holds.

    Args:
        per_axis: whether a range over several axes holds on each of them.
    """
    found: list[int] = []
    for at, joint in enumerate(joints):
        springs = {
            drive.axis
            for drive in joint.drives
            if drive.type == "angular"
            and drive.stiffness > 0.0
            and drive.position_target is not None
        }
        for limit in joint.limits:
            alone = per_axis or len(limit.angular_axes) == 1
            if not limit.is_hard and alone:
                springs.update(limit.angular_axes)
        bounded = _bounded_angles(joint.limits, per_axis)
        if any(not bounded >= {0, 1, 2} - {axis} for axis in springs):
            found.append(at)
    return found


def swinging(joints: Sequence[JointFrames], state: State, masses: Masses, step: float) -> list[int]:
    """Joints with a drive that goes past its target, and back, with its largest force.

    When such a force turns round is known to a step only, and what follows depends on it.
    """
    drives = drives_of([(i, one) for i, joint in enumerate(joints) for one in joint.drives])
    linkage = Linkage(joints)
    pose, mobility = linkage.pose(state, masses), Mobility(state, masses)
    rows = measured(drives.kinds, linkage, pose)
    inverse = mobility.response(mobility.carried(rows, linkage, pose)).inverse_mass
    gain = np.where(drives.per_mass, inverted(inverse), 1.0)
    stiffness, damping, most = drives.stiffness * gain, drives.damping * gain, drives.max_force
    away = drives.errors(rows.value)
    found = np.flatnonzero((inverse > 0.0) & (most > 0.0) & (stiffness * np.abs(away) > most))
    if not len(found):
        return []
    inverse, stiffness, damping, most = (
        each[found] for each in (inverse, stiffness, damping, most)
    )
    part = step / _PARTS
    offset, speed, beyond = np.abs(away[found]), np.zeros(len(found)), np.zeros(len(found))
    for _ in range(math.ceil(_SWINGING_S / part)):
        force = np.clip(-stiffness * offset - damping * speed, -most, most)
        speed = speed + part * force * inverse
        offset = offset + part * speed
        beyond = np.where(force == most, np.maximum(beyond, -offset), beyond)
    return sorted(set(drives.kinds.joint[found[beyond > _PAST * np.abs(away[found])]].tolist()))


def _bounded_angles(limits: Sequence[JointLimit], per_axis: bool) -> set[int]:
    """The axes about which a joint may turn in a range only in which no twist jumps."""
    found: set[int] = set()
    for limit in limits:
        is_low = limit.min is not None and limit.min > -_FAR_SWING_RAD
        # A cone or a whole angle has no sign.
        is_low = is_low or not (per_axis or len(limit.angular_axes) == 1)
        if is_low and limit.max is not None and limit.max < _FAR_SWING_RAD:
            found.update(limit.angular_axes)
    return found


def _levers_at_ends(limits: Limits, count: int) -> Array:
    """The square of the longest lever (j,) about the first frame, m², at the ends of ranges."""
    rows = np.flatnonzero((limits.kinds.measure == Measure.OFFSET) & ~limits.brakes)
    end = np.maximum(np.abs(limits.low[rows]), np.abs(limits.high[rows]))
    square = np.where(np.isfinite(end), end, 0.0)[:, None] ** 2 * limits.kinds.axes[rows]
    along = np.zeros((count, 3))
    np.maximum.at(along, limits.kinds.joint[rows], square)
    return along.sum(axis=1) - along.min(axis=1)


def _spread(kinds: RowKinds) -> tuple[RowKinds, Indices]:
    """Rows with one along each axis in place of a distance, whose line will point anywhere.

    Returns:
        The rows, and which of the given ones each is.
    """
    is_distance = kinds.measure == Measure.DISTANCE
    row, axis = np.nonzero(is_distance[:, None] & (kinds.axes > 0.0))
    rest = np.flatnonzero(~is_distance)
    at = np.concatenate([rest, row])
    measure = np.concatenate([kinds.measure[rest], np.full(len(row), Measure.OFFSET)])
    axes = np.concatenate([kinds.axes[rest], np.eye(3)[axis]])
    return RowKinds(kinds.joint[at], measure, axes), at


def _moved(
    joints: Sequence[JointFrames], limits: Limits, state: State, masses: Masses
) -> tuple[Array, Array, Indices, Flags]:
    """What rows of springs move, 1/kg or 1/(kg m²), their stiffness, joints, and which slide."""
    drives = drives_of([(i, one) for i, joint in enumerate(joints) for one in joint.drives])
    linkage = Linkage(joints)
    pose, mobility = linkage.pose(state, masses), Mobility(state, masses)
    inverse, stiffness = list[Array](), list[Array]()
    joint, is_linear = list[Indices](), list[Flags]()
    for kinds, stiff, chosen in (
        (drives.kinds, np.where(drives.per_mass, 0.0, drives.stiffness), drives.stiffness > 0.0),
        (limits.kinds, limits.stiffness, ~limits.brakes),
    ):
        kinds, at = _spread(kinds)
        stiff, chosen = stiff[at], chosen[at]
        rows = measured(kinds, linkage, pose).where(chosen)
        inverse.append(mobility.response(mobility.carried(rows, linkage, pose)).inverse_mass)
        stiffness.append(stiff[chosen])
        joint.append(rows.joint)
        is_linear.append(kinds.measure[chosen] == Measure.OFFSET)
    return (
        np.concatenate(inverse),
        np.concatenate(stiffness),
        np.concatenate(joint),
        np.concatenate(is_linear),
    )
