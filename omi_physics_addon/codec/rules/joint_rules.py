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
    rigid = {index for index, entry in enumerate(settings) if _fixes_all(entry)}
    for i, physics in subject.having("joint"):
        joint = physics.joint
        if joint is None:
            continue
        laden = physics.motion or physics.collider or physics.trigger or i in subject.laden
        if laden and "OMI" in subject.families:
            why = (
                "the joint shares its node with other physics, but OMI requires a "
                "separate one; move it to its own node"
            )
            subject.add(Code.JOINT_SHARES_NODE, i, why)
        _check_scale(subject, i, joint.connected_node)
        if joint.connected_node is not None:
            _check_ends(subject, i, joint.connected_node)
            pair = frozenset((i, joint.connected_node))
            if pairs.setdefault(pair, i) != i:
                why = (
                    f"{subject.place(pairs[pair])} already connects the same two nodes, so "
                    "both joints act on them; merge their settings"
                )
                subject.add(Code.JOINTS_OF_SAME_NODES, i, why)
            if joint.joint in rigid and joint.connected_node != i:
                _check_fit(subject, i, joint.connected_node)
    for k, entry in enumerate(settings):
        _check_settings(subject, subject.entry("joint_settings", k), entry)


def _check_scale(subject: Subject, i: int, connected: int | None) -> None:
    sheared = ["the joint's axes"] if subject.is_sheared(i) else []
    if connected is not None and connected != i and subject.is_sheared(connected):
        sheared.append(f"the axes of {subject.place(connected)}")
    if sheared:
        why = (
            f"{' and '.join(sheared)} are sheared by a parent's uneven scale, so limits act "
            "along wrong axes; apply that scale"
        )
        subject.add(Code.JOINT_SCALED, i, why)
    elif subject.scale(i) is not None:
        why = "the joint's node is scaled, so distances of limits may differ; apply the scale"
        subject.add(Code.JOINT_SCALED, i, why)


def _check_ends(subject: Subject, i: int, connected: int) -> None:
    if connected == i:
        why = (
            "the joint is connected to its own node, so it holds nothing; connect it to "
            "another object"
        )
        subject.add(Code.JOINT_CONNECTED_TO_ITSELF, i, why)
        return
    if not {i, connected}.isdisjoint(subject.animated):
        why = (
            "an end of the joint is animated, and engines may not follow the animation; "
            "animate a kinematic body"
        )
        subject.add(Code.JOINT_ANIMATED, i, why)
    own, other = subject.body_of(i), subject.body_of(connected)
    kinds = [motion.type for body in (own, other) if (motion := subject.motion(body))]
    if own is not None and own == other:
        why = (
            "both ends of the joint are on the same body, so it does nothing; connect it to "
            "another body"
        )
        subject.add(Code.JOINT_WITHIN_ONE_BODY, i, why)
        return
    if "dynamic" not in kinds:
        why = (
            "neither end of the joint is on a dynamic body, so nothing moves; make one of "
            "the bodies dynamic"
        )
        subject.add(Code.JOINT_OF_IMMOVABLES, i, why)
        return
    if own is not None and other is not None:
        _check_masses(subject, i, own, other)
    if "KHR" in subject.families and None in (own, other):
        why = "the joint has a body on one side only, so that body is attached to the world"
        subject.add(Code.JOINT_TO_WORLD, i, why)
    if "OMI" in subject.families:
        motion = subject.motion(own)
        if motion is None or motion.type != "dynamic":
            why = (
                "the joint is not below the dynamic body it moves, so some importers ignore "
                "it; swap the joint's ends"
            )
            subject.add(Code.JOINT_NOT_BELOW_DYNAMIC_BODY, i, why)
        if other is None:
            why = (
                f"{subject.place(connected)} is not on or below a body, so OMI has "
                "nothing to connect the joint to; make it a static body"
            )
            subject.add(Code.JOINT_CONNECTED_TO_NO_BODY, i, why)


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
            f"the joint connects {subject.place(light)}, {masses[light]:.3g} kg, to "
            f"{subject.place(heavy)}, {ratio:.3g} times as heavy, so it may stretch; make the "
            "lighter body heavier"
        )
        subject.add(code, i, why)


def _check_fit(subject: Subject, i: int, connected: int) -> None:
    """Whether the ends of a joint that allows nothing are in one place."""
    here, there = subject.tree.world(i), subject.tree.world(connected)
    if any(math.dist(here[k : k + 3], there[k : k + 3]) > _APART for k in (0, 4, 8, 12)):
        why = (
            "the fixed joint's ends are in different places, so it snaps the bodies "
            "together; align the two ends"
        )
        subject.add(Code.FIXED_JOINT_ENDS_APART, i, why)


def _fixes(limit: JointLimit) -> bool:
    return limit.min == limit.max == 0.0 and limit.stiffness is None


def _fixes_all(settings: JointSettings) -> bool:
    """Whether limits hold all six axes."""
    return len({axis for limit in settings.limits if _fixes(limit) for axis in _axes(limit)}) == 6


def _axes(limit: JointLimit) -> list[Axis]:
    linear = [("linear", int(axis)) for axis in limit.linear_axes]
    return linear + [("angular", int(axis)) for axis in limit.angular_axes]


def _check_settings(subject: Subject, at: str, settings: JointSettings) -> None:
    taken: set[Axis] = set()
    ranges: dict[Axis, Range] = {}
    for limit in settings.limits:
        twice = taken.intersection(_axes(limit))
        if twice:
            why = (
                f"two limits act on {_named(twice)}, so only what both allow is possible; "
                "merge the limits"
            )
            subject.issues.add(Code.LIMITS_SHARE_AXIS, at, why)
        taken.update(_axes(limit))
        for axis in _axes(limit):
            ranges[axis] = _narrowed(ranges.get(axis, _FREE), limit)
        _check_limit(subject, at, limit)
    driven: set[Axis] = set()
    for drive in settings.drives:
        axis = (drive.type, int(drive.axis))
        if axis in driven:
            why = f"two drives act on {_named([axis])}, so their forces add up; merge the drives"
            subject.issues.add(Code.DRIVES_SHARE_AXIS, at, why)
        driven.add(axis)
        _check_drive(subject, at, drive)
        _check_drive_in_limits(subject, at, drive, ranges.get(axis, _FREE))


def _named(axes: Iterable[Axis]) -> str:
    return ", ".join(f"{kind} {_AXES[axis]}" for kind, axis in sorted(axes))


def _check_limit(subject: Subject, at: str, limit: JointLimit) -> None:
    axes = max(len(limit.linear_axes), len(limit.angular_axes))
    if axes > 1 and limit.max is not None and limit.max < 0.0:
        why = (
            "the limit's maximum distance is negative, which no pose can satisfy; set it to "
            "0 or more"
        )
        subject.issues.add(Code.LIMIT_DISTANCES_NEGATIVE, at, why)
    elif axes > 1 and limit.min is not None and limit.min < 0.0:
        why = (
            "the limit's minimum distance is negative and has no effect; some importers "
            "limit each axis instead"
        )
        subject.issues.add(Code.LIMIT_MIN_DISTANCE_NEGATIVE, at, why)
    elif axes > 1 and not limit.min == limit.max == 0.0:
        why = (
            "the limit over several axes is a distance or a cone; some importers limit each "
            "axis separately instead"
        )
        subject.issues.add(Code.LIMIT_OF_DISTANCE, at, why)
    ends = [abs(end) for end in (limit.min, limit.max) if end is not None]
    if limit.angular_axes and any(end > _FULL_TURN for end in ends):
        why = (
            f"the limit's angle of {max(ends):g} rad is more than a full turn, so it may be "
            "in degrees; use radians"
        )
        subject.issues.add(Code.LIMIT_ANGLE_BEYOND_TURN, at, why)
    if limit.damping and limit.stiffness is None:
        why = (
            "the limit has damping but no stiffness, so the damping does nothing; set a "
            "stiffness for a soft limit"
        )
        subject.issues.add(Code.LIMIT_DAMPING_WITHOUT_SPRING, at, why)


def _check_drive(subject: Subject, at: str, drive: JointDrive) -> None:
    where = f"the drive of {_named([(drive.type, int(drive.axis))])}"
    if drive.max_force == 0.0:
        subject.issues.add(
            Code.DRIVE_WITHOUT_FORCE,
            at,
            f"{where} has a maximum force of 0, so it does nothing; raise the force",
        )
    if drive.position_target is not None and drive.stiffness <= 0.0 and drive.position_target:
        subject.issues.add(
            Code.DRIVE_POSITION_WITHOUT_STIFFNESS,
            at,
            f"{where} has a position target but no stiffness, so it never moves there; set a "
            "stiffness",
        )
    if drive.position_target is None and drive.stiffness > 0.0:
        subject.issues.add(
            Code.DRIVE_STIFFNESS_WITHOUT_POSITION,
            at,
            f"{where} has stiffness but no position target, so the spring does nothing; set a "
            "position target",
        )
    if drive.velocity_target and drive.damping <= 0.0:
        subject.issues.add(
            Code.DRIVE_VELOCITY_WITHOUT_DAMPING,
            at,
            f"{where} has a velocity target but no damping, so the motor does nothing; set a "
            "damping",
        )
    if drive.damping > 0.0 and drive.velocity_target is None:
        why = (
            f"{where} has damping and no velocity target, so it acts as a brake; set a "
            "velocity, or 0 for a brake"
        )
        severity = Severity.WARNING if "KHR" in subject.families else None
        subject.issues.add(Code.DRIVE_DAMPING_WITHOUT_VELOCITY, at, why, severity)
    if drive.mode == "acceleration":
        why = (
            f"{where} is in acceleration mode (scaled by mass), which some engines ignore; "
            "use force mode if you can"
        )
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
        why = (
            f"a limit locks {_named([(drive.type, int(drive.axis))])}, so the drive cannot "
            "move it; remove the limit or the drive"
        )
        subject.issues.add(Code.DRIVE_ON_FIXED_AXIS, at, why)
    if target is not None and drive.stiffness and not low <= target <= high:
        why = (
            f"the drive's target {target:g} is outside the limits of its axis, so it is never "
            "reached; move the target"
        )
        subject.issues.add(Code.DRIVE_TARGET_OUTSIDE_LIMITS, at, why)
