"""Rules about joints and the settings they share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from ...issue_codes import Code, Severity
from ...model.joints import JointDrive, JointLimit, JointSettings
from .subject import Subject

_FULL_TURN: Final = 2.0 * math.pi
_APART: Final = 1e-3  # Metres, or length of a difference of axes, that counts as another place.
_UNEQUAL: Final = 10.0  # Ratio of the masses of two joined bodies, which few solvers hold well.
_VERY_UNEQUAL: Final = 100.0
_AXES: Final = "XYZ"

Axis = tuple[str, int]  # Linear or angular, and which.
Range = tuple[float, float, bool]  # Lower and upper end of an axis, and whether it is fixed.
_FREE: Final[Range] = (-math.inf, math.inf, False)


def check(subject: Subject) -> None:
    """Look at every joint, then at the settings."""
    pairs: dict[frozenset[int], int] = {}
    settings = subject.document.joint_settings
    rigid = {k for k, entry in enumerate(settings) if _holds_everything(entry)}
    for i, physics in subject.having("joint"):
        joint = physics.joint
        if joint is None:
            continue
        laden = physics.motion or physics.collider or physics.trigger or i in subject.laden
        if laden and "OMI" in subject.families:
            subject.add(
                Code.JOINT_SHARES_NODE, i, "in OMI a joint needs a node with nothing else on it"
            )
        _check_scale(subject, i, joint.connected_node)
        if joint.connected_node is not None:
            _check_ends(subject, i, joint.connected_node)
            pair = frozenset((i, joint.connected_node))
            if pairs.setdefault(pair, i) != i:
                subject.add(
                    Code.JOINTS_OF_SAME_NODES,
                    i,
                    f"{subject.place(pairs[pair])} connects the same two",
                )
            if joint.joint in rigid and joint.connected_node != i:
                _check_fit(subject, i, joint.connected_node)
    for k, entry in enumerate(settings):
        _check_settings(subject, subject.entry("joint_settings", k), entry)


def _check_scale(subject: Subject, i: int, connected: int | None) -> None:
    sheared = ["its axes"] if subject.is_sheared(i) else []
    if connected is not None and connected != i and subject.is_sheared(connected):
        sheared.append(f"those of {subject.place(connected)}")
    if sheared:
        why = f"{' and '.join(sheared)} are sheared by an uneven scale above; apply that scale"
        subject.add(Code.JOINT_SCALED, i, why)
    elif subject.scale(i) is not None:
        subject.add(Code.JOINT_SCALED, i, "the frame of the joint is scaled; apply the scale")


def _check_ends(subject: Subject, i: int, connected: int) -> None:
    if connected == i:
        subject.add(Code.JOINT_CONNECTED_TO_ITSELF, i, "it is connected to itself")
        return
    if not {i, connected}.isdisjoint(subject.animated):
        subject.add(Code.JOINT_ANIMATED, i, "the ends of a joint need not follow an animation")
    own, other = subject.body_of(i), subject.body_of(connected)
    kinds = [motion.type for body in (own, other) if (motion := subject.motion(body))]
    if own is not None and own == other:
        subject.add(Code.JOINT_WITHIN_ONE_BODY, i, "both ends belong to the same body")
        return
    if "dynamic" not in kinds:
        subject.add(Code.JOINT_OF_IMMOVABLES, i, "neither end belongs to a dynamic body")
        return
    if own is not None and other is not None:
        _check_masses(subject, i, own, other)
    if "KHR" in subject.families and None in (own, other):
        why = "one of its ends is no body, so it is held to the world"
        subject.add(Code.JOINT_TO_WORLD, i, why)
    if "OMI" in subject.families:
        motion = subject.motion(own)
        if motion is None or motion.type != "dynamic":
            why = "the dynamic body is on its other end, where some readers do not look; swap them"
            subject.add(Code.JOINT_NOT_BELOW_DYNAMIC_BODY, i, why)
        if other is None:
            subject.add(
                Code.JOINT_CONNECTED_TO_NO_BODY, i, f"{subject.place(connected)} is below no body"
            )


def _check_masses(subject: Subject, i: int, own: int, other: int) -> None:
    """Whether two dynamic bodies whose masses are known are too unequal for a joint."""
    motions = {at: subject.motion(at) for at in (own, other)}
    masses = {at: m.mass for at, m in motions.items() if m and m.type == "dynamic" and m.mass}
    if len(masses) < 2:
        return
    light, heavy = sorted(masses, key=masses.__getitem__)
    ratio = masses[heavy] / masses[light]
    if ratio > _UNEQUAL:
        code = Code.JOINED_MASSES_DIFFER if ratio > _VERY_UNEQUAL else Code.JOINED_MASSES_UNEQUAL
        why = (
            f"it joins {subject.place(light)}, {masses[light]:.3g} kg, to {subject.place(heavy)}, "
            f"{ratio:.3g} times as heavy, so engines may stretch it; make the lighter one heavier"
        )
        subject.add(code, i, why)


def _holds_everything(settings: JointSettings) -> bool:
    return len({axis for limit in settings.limits if _fixes(limit) for axis in _axes(limit)}) == 6


def _check_fit(subject: Subject, i: int, connected: int) -> None:
    """Whether the ends of a joint that allows nothing are in one place."""
    here, there = subject.tree.world(i), subject.tree.world(connected)
    if any(math.dist(here[k : k + 3], there[k : k + 3]) > _APART for k in (0, 4, 8, 12)):
        subject.add(
            Code.FIXED_JOINT_ENDS_APART,
            i,
            "it holds everything, but its two ends are in different places",
        )


def _fixes(limit: JointLimit) -> bool:
    return limit.min == limit.max == 0.0 and limit.stiffness is None


def _axes(limit: JointLimit) -> list[Axis]:
    linear = [("linear", int(axis)) for axis in limit.linear_axes]
    return linear + [("angular", int(axis)) for axis in limit.angular_axes]


def _check_settings(subject: Subject, at: str, settings: JointSettings) -> None:
    taken: set[Axis] = set()
    ranges: dict[Axis, Range] = {}
    for limit in settings.limits:
        twice = taken.intersection(_axes(limit))
        if twice:
            subject.issues.add(Code.LIMITS_SHARE_AXIS, at, f"two limits hold for {_named(twice)}")
        taken.update(_axes(limit))
        for axis in _axes(limit):
            ranges[axis] = _narrowed(ranges.get(axis, _FREE), limit)
        _check_limit(subject, at, limit)
    driven: set[Axis] = set()
    for drive in settings.drives:
        axis = (drive.type, int(drive.axis))
        if axis in driven:
            subject.issues.add(
                Code.DRIVES_SHARE_AXIS, at, f"two drives act on {_named([axis])} and add up"
            )
        driven.add(axis)
        _check_drive(subject, at, drive)
        _check_drive_in_limits(subject, at, drive, ranges.get(axis, _FREE))


def _named(axes: Iterable[Axis]) -> str:
    return ", ".join(f"{kind} {_AXES[axis]}" for kind, axis in sorted(axes))


def _check_limit(subject: Subject, at: str, limit: JointLimit) -> None:
    axes = max(len(limit.linear_axes), len(limit.angular_axes))
    if axes > 1 and limit.max is not None and limit.max < 0.0:
        subject.issues.add(
            Code.LIMIT_DISTANCES_NEGATIVE,
            at,
            "a distance is never negative, so nothing satisfies it",
        )
    elif axes > 1 and limit.min is not None and limit.min < 0.0:
        subject.issues.add(
            Code.LIMIT_MIN_DISTANCE_NEGATIVE,
            at,
            "a distance is never negative; some readers limit each axis",
        )
    elif axes > 1 and not limit.min == limit.max == 0.0:
        why = "over several axes it is a distance or a cone; some readers limit each axis"
        subject.issues.add(Code.LIMIT_OF_DISTANCE, at, why)
    ends = [abs(end) for end in (limit.min, limit.max) if end is not None]
    if limit.angular_axes and any(end > _FULL_TURN for end in ends):
        subject.issues.add(
            Code.LIMIT_ANGLE_BEYOND_TURN,
            at,
            f"{max(ends):g} rad is more than a turn; is it in degrees?",
        )
    if limit.damping and limit.stiffness is None:
        subject.issues.add(
            Code.LIMIT_DAMPING_WITHOUT_SPRING,
            at,
            "damping acts beyond a soft limit only; give it a stiffness",
        )


def _check_drive(subject: Subject, at: str, drive: JointDrive) -> None:
    where = f"the drive of {_named([(drive.type, int(drive.axis))])}"
    if drive.max_force == 0.0:
        subject.issues.add(Code.DRIVE_WITHOUT_FORCE, at, f"{where} has a largest force of 0")
    if drive.position_target is not None and drive.stiffness <= 0.0 and drive.position_target:
        subject.issues.add(
            Code.DRIVE_POSITION_WITHOUT_STIFFNESS,
            at,
            f"{where} needs a stiffness to reach its position",
        )
    if drive.position_target is None and drive.stiffness > 0.0:
        subject.issues.add(
            Code.DRIVE_STIFFNESS_WITHOUT_POSITION,
            at,
            f"{where} has a stiffness and no position to spring to",
        )
    if drive.velocity_target and drive.damping <= 0.0:
        subject.issues.add(
            Code.DRIVE_VELOCITY_WITHOUT_DAMPING,
            at,
            f"{where} needs a damping to reach its velocity",
        )
    if drive.damping > 0.0 and drive.velocity_target is None:
        why = f"{where} has a damping and no velocity, so it brakes"
        severity = Severity.WARNING if "KHR" in subject.families else None
        subject.issues.add(Code.DRIVE_DAMPING_WITHOUT_VELOCITY, at, why, severity)
    if drive.mode == "acceleration":
        why = f"{where} is scaled by the mass it moves, which not all engines do"
        subject.issues.add(Code.DRIVE_OF_ACCELERATION, at, why)


def _narrowed(old: Range, limit: JointLimit) -> Range:
    """What is left of a range under one more limit."""
    low, high, fixed = old
    if _fixes(limit):
        return low, high, True
    low = low if limit.min is None else max(low, limit.min)
    return low, high if limit.max is None else min(high, limit.max), fixed


def _check_drive_in_limits(subject: Subject, at: str, drive: JointDrive, allowed: Range) -> None:
    low, high, fixed = allowed
    target = drive.position_target
    if fixed:
        why = f"a limit holds {_named([(drive.type, int(drive.axis))])}, so the drive is idle"
        subject.issues.add(Code.DRIVE_ON_FIXED_AXIS, at, why)
    if target is not None and drive.stiffness and not low <= target <= high:
        subject.issues.add(
            Code.DRIVE_TARGET_OUTSIDE_LIMITS,
            at,
            f"the target {target:g} is beyond the limits of its axis",
        )
