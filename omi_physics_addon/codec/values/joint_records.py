"""Joint settings and joints, which both families write alike."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

from ...issue_codes import Code
from ...model.joints import DRIVE_MODES, DRIVE_TYPES, Joint, JointDrive, JointLimit, JointSettings
from . import carried
from .json_values import show
from .records import Reading, Writing, merge_carried, read_record, with_carried, write_record

# Keys of 2022 and 2023 → today's.
_OLD_KEYS: Final[dict[str, str]] = {"springConstant": "stiffness", "springDamping": "damping"}
_REQUIRED: Final = ("type", "mode", "axis")


def read_settings(json: Any, pointer: str, reading: Reading) -> JointSettings:
    """One entry of the list of joint settings."""
    members = reading.mapping(json, pointer, then="")
    if members is None:
        return JointSettings()
    settings = read_record(JointSettings, members, pointer, reading, by_hand=("limits", "drives"))
    limits = _items(members, "limits", pointer, reading)
    drives = _items(members, "drives", pointer, reading)
    settings = dataclasses.replace(
        settings,
        limits=tuple(part for at, item in limits for part in _read_limit(item, at, reading)),
        drives=tuple(_read_drive(item, at, reading) for at, item in drives),
    )
    if not settings.limits and not settings.drives:
        why = (
            "the joint settings have neither limits nor drives, so the joint holds nothing; "
            "add some"
        )
        reading.issues.add(Code.JOINT_SETTINGS_EMPTY, pointer, why)
    return settings


def _items(
    members: Mapping[str, Any], key: str, pointer: str, reading: Reading
) -> list[tuple[str, Mapping[str, Any]]]:
    items = reading.sequence(members.get(key, []), f"{pointer}/{key}", then="")
    places = {f"{pointer}/{key}/{i}": item for i, item in enumerate(items)}
    found = ((at, reading.mapping(item, at, then="")) for at, item in places.items())
    return [(at, item) for at, item in found if item is not None]


def _read_limit(json: Mapping[str, Any], pointer: str, reading: Reading) -> tuple[JointLimit, ...]:
    """One limit, or two where the file has both kinds of axes in one."""
    if _OLD_KEYS.keys() & json.keys():
        json = {_OLD_KEYS.get(key, key): value for key, value in json.items()}
    limit = read_record(JointLimit, json, pointer, reading)
    issues = reading.issues
    if not limit.linear_axes and not limit.angular_axes:
        why = "the limit has no axis, so it is left out; choose axes"
        issues.add(Code.LIMIT_WITHOUT_AXIS, pointer, why)
    elif limit.linear_axes and limit.angular_axes:
        why = (
            "the limit has linear and angular axes, which mixes meters and radians; use two limits"
        )
        issues.add(Code.LIMIT_AXES_MIXED, pointer, why)
    if limit.min is None and limit.max is None:
        why = "the limit has neither min nor max, so it has no effect; set one of them"
        issues.add(Code.LIMIT_WITHOUT_RANGE, pointer, why)
    elif limit.min is not None and limit.max is not None and limit.min > limit.max:
        why = (
            f"the limit's min of {limit.min:g} is above its max of {limit.max:g}, which "
            "nothing can satisfy; swap the two"
        )
        issues.add(Code.LIMIT_MIN_ABOVE_MAX, pointer, why)
    return _split(limit)


def _split(limit: JointLimit) -> tuple[JointLimit, ...]:
    """A limit for each kind of axes, because the schemas forbid both in one."""
    if not (limit.linear_axes and limit.angular_axes):
        return (limit,)
    members = carried.unpack(limit.carried)
    members.pop("angularAxes", None)  # The original of a list that the linear limit has no more.
    linear = dataclasses.replace(limit, angular_axes=(), carried=carried.pack(members))
    return linear, dataclasses.replace(limit, linear_axes=(), carried="")


def _read_drive(json: Mapping[str, Any], pointer: str, reading: Reading) -> JointDrive:
    drive = read_record(JointDrive, json, pointer, reading)
    absent = [key for key in _REQUIRED if key not in json]
    if absent:
        reading.issues.add(Code.DRIVE_INCOMPLETE, pointer, f"no {' and no '.join(absent)}")
        members = carried.unpack(drive.carried) | dict.fromkeys(absent)
        drive = dataclasses.replace(drive, carried=carried.pack(members))
    if drive.type not in DRIVE_TYPES or drive.mode not in DRIVE_MODES:
        why = (
            f"the drive type {show(drive.type)} or mode {show(drive.mode)} is unknown, so the "
            "drive is kept but not used"
        )
        reading.issues.add(Code.DRIVE_KIND_UNKNOWN, pointer, why)
    return drive


def write_settings(
    settings: JointSettings, place: str, writing: Writing, *, in_pairs: bool = False
) -> dict[str, Any]:
    """The JSON object of joint settings; `limits` is always there, as some readers want it.

    Args:
        in_pairs: write the stiffness of every position target and the damping of every velocity
            target, zero or not, as KHR wants them.
    """
    out: dict[str, Any] = {
        "limits": [
            write_record(part, place, writing)
            for limit in settings.limits
            for part in _split(limit)
        ]
    }
    if settings.drives:
        out["drives"] = [
            write_record(drive, place, writing, always=_always(drive, in_pairs))
            for drive in settings.drives
        ]
    if settings.name:
        out["name"] = settings.name
    merge_carried(out, settings.carried)
    return out


def with_pairs(settings: JointSettings) -> JointSettings:
    """Settings whose drives have target and gain of each pair, and do the same as before.

    Source: KHR_physics_rigid_bodies, which wants a target with each gain.
    """
    return dataclasses.replace(settings, drives=tuple(map(_paired, settings.drives)))


def _paired(drive: JointDrive) -> JointDrive:
    if drive.velocity_target is None and drive.damping:
        drive = dataclasses.replace(drive, velocity_target=0.0)  # A brake.
    if drive.position_target is None and drive.stiffness:
        drive = dataclasses.replace(drive, stiffness=0.0)
    return drive


def _always(drive: JointDrive, in_pairs: bool) -> tuple[str, ...]:
    """The fields of a drive that are written even if they have their defaults."""
    more = [
        gain
        for target, gain in (
            (drive.position_target, "stiffness"),
            (drive.velocity_target, "damping"),
        )
        if in_pairs and target is not None
    ]
    return (*_REQUIRED, *more)


def read_joint(
    json: Mapping[str, Any], pointer: str, reading: Reading, *, settings_key: str = "joint"
) -> Joint:
    """The joint of a node.

    Args:
        settings_key: `jointLimits` in files of 2023.
    """
    if settings_key != "joint" and "joint" not in json:
        json = {("joint" if key == settings_key else key): value for key, value in json.items()}
    joint = read_record(Joint, json, pointer, reading)
    if joint.joint is None and "joint" not in json:
        why = "the joint has no settings, so it holds nothing; choose settings"
        reading.issues.add(Code.JOINT_WITHOUT_SETTINGS, pointer, why)
    if joint.connected_node is None and "connectedNode" not in json:
        why = "the joint has no connected node, so it holds nothing; connect it to an object"
        reading.issues.add(Code.JOINT_WITHOUT_CONNECTION, pointer, why)
    ends = {"joint": joint.joint, "connectedNode": joint.connected_node}
    lacking = [key for key, index in ends.items() if index is None]
    if not lacking:
        return joint
    return with_carried(joint, {**dict.fromkeys(lacking), **carried.unpack(joint.carried)})
