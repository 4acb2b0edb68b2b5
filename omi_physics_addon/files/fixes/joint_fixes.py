"""Fixes of joints and their settings."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, Final

from ...codec.convert import joint_conversion
from ...issue_codes import Code
from ...model.document import NewNode
from ...model.fields import NodeIndex
from ...model.joints import JointDrive, JointLimit, JointSettings
from .fix import Apply, Fix, Patient, dropping, without

_FULL_TURN: Final = 2.0 * math.pi

Axis = tuple[str, int]


def _arranged(patient: Patient, node: int) -> bool:
    joint_conversion.arrange_one(patient.draft, node)
    return True


def _own_node(patient: Patient, node: int) -> bool:
    joint = patient.draft.of(node).joint
    patient.draft.change(node, joint=None)
    new = patient.new_child(node, "joint")
    patient.draft.change(new, joint=joint)
    for at in patient.users("nodes", node):
        other = patient.draft.of(at).joint
        if other is not None and other.connected_node == node:
            patient.change(at, "joint", connected_node=NodeIndex(new))
    return True


def _unscaled(patient: Patient, node: int) -> bool:
    """Put the joint on a node without scale, at the same place."""
    scale, joint = patient.scale(node), patient.draft.of(node).joint
    if scale is None or joint is None or min(scale) < 0.0:
        return False
    x, y, z = scale
    new = patient.new_child(node, "joint", scale=(1.0 / x, 1.0 / y, 1.0 / z))
    patient.draft.change(node, joint=None)
    patient.draft.change(new, joint=joint)
    return True


def _hold_as_is(patient: Patient, node: int) -> bool:
    """Let the other end begin where the joint is."""
    joint = patient.draft.of(node).joint
    if joint is None or joint.connected_node is None:
        return False
    body = patient.draft.body_of(joint.connected_node)
    above = joint.connected_node if body is None else body[0]
    new = patient.draft.add_node(NewNode(above, node, f"joint end {node}"))
    return patient.change(node, "joint", connected_node=NodeIndex(new))


def _merge(patient: Patient, node: int) -> bool:
    """Leave a joint out that holds what the one on its other node holds."""
    draft = patient.draft
    joint = draft.of(node).joint
    if joint is None or joint.joint is None or joint.connected_node is None:
        return False
    other = draft.of(joint.connected_node).joint
    if other is None or other.joint is None or other.connected_node != node:
        return False
    settings = draft.document.joint_settings
    if settings[other.joint] != settings[joint.joint]:
        return False  # Each says it in its own frame.
    draft.change(node, joint=None)
    return True


def _limits(change: Callable[[JointLimit], tuple[JointLimit, ...]]) -> Apply:
    """A fix that changes the limits of settings one by one."""

    def apply(patient: Patient, at: int) -> bool:
        old = patient.draft.document.joint_settings[at]
        limits = tuple(new for limit in old.limits for new in change(limit))
        new = dataclasses.replace(old, limits=limits)
        return new != old and patient.swap_entry("joint_settings", at, new)

    return apply


def _drives(change: Callable[[JointDrive, JointSettings], JointDrive | None]) -> Apply:
    """A fix that changes the drives of settings one by one; None leaves one out."""

    def apply(patient: Patient, at: int) -> bool:
        old = patient.draft.document.joint_settings[at]
        drives = [change(drive, old) for drive in old.drives]
        new = dataclasses.replace(old, drives=tuple(d for d in drives if d is not None))
        return new != old and patient.swap_entry("joint_settings", at, new)

    return apply


def _where(is_so: Callable[[JointDrive], bool], **values: Any) -> Apply:
    """A fix that changes fields of the drives that are so."""
    return _drives(
        lambda drive, _settings: dataclasses.replace(drive, **values) if is_so(drive) else drive
    )


def _has_axis(limit: JointLimit) -> tuple[JointLimit, ...]:
    return (limit,) if limit.linear_axes or limit.angular_axes else ()


def _has_end(limit: JointLimit) -> tuple[JointLimit, ...]:
    return () if limit.min is None and limit.max is None else (limit,)


def _ordered(limit: JointLimit) -> tuple[JointLimit, ...]:
    limit = without(limit, "min", "max")
    if limit.min is None or limit.max is None or limit.min <= limit.max:
        return (limit,)
    return (dataclasses.replace(limit, min=limit.max, max=limit.min),)


def _per_axis(limit: JointLimit) -> tuple[JointLimit, ...]:
    linear, angular = limit.linear_axes, limit.angular_axes
    if max(len(linear), len(angular)) < 2 or limit.min == limit.max == 0.0:
        return (limit,)
    slid = [dataclasses.replace(limit, linear_axes=(axis,), angular_axes=()) for axis in linear]
    turned = [dataclasses.replace(limit, linear_axes=(), angular_axes=(axis,)) for axis in angular]
    return (*slid, *turned)


def _in_radians(limit: JointLimit) -> tuple[JointLimit, ...]:
    ends = (limit.min, limit.max)
    if not limit.angular_axes or all(e is None or abs(e) <= _FULL_TURN for e in ends):
        return (limit,)
    low, high = (None if end is None else math.radians(end) for end in ends)
    return (dataclasses.replace(limit, min=low, max=high),)


def _axes(limit: JointLimit) -> set[Axis]:
    found = {("linear", int(axis)) for axis in limit.linear_axes}
    return found | {("angular", int(axis)) for axis in limit.angular_axes}


def _intersect(patient: Patient, at: int) -> bool:
    """Make one of limits of one axis, where both are hard or alike."""
    old = patient.draft.document.joint_settings[at]
    kept: list[JointLimit] = []
    for limit in old.limits:
        same = next((k for k, other in enumerate(kept) if _axes(other) & _axes(limit)), None)
        if same is None:
            kept.append(limit)
            continue
        other = kept[same]
        alike = (other.stiffness, other.damping) == (limit.stiffness, limit.damping)
        if _axes(other) != _axes(limit) or not alike:
            return False
        lows = [end for end in (limit.min, other.min) if end is not None]
        highs = [end for end in (limit.max, other.max) if end is not None]
        low, high = max(lows, default=None), min(highs, default=None)
        if low is not None and high is not None and low > high:
            return False
        kept[same] = dataclasses.replace(other, min=low, max=high)
    return patient.swap_entry("joint_settings", at, dataclasses.replace(old, limits=tuple(kept)))


def _on_axis(drive: JointDrive, settings: JointSettings) -> list[JointLimit]:
    axis = (drive.type, int(drive.axis))
    return [limit for limit in settings.limits if axis in _axes(limit)]


def _clamped(drive: JointDrive, settings: JointSettings) -> JointDrive | None:
    target = drive.position_target
    if target is None:
        return drive
    for limit in _on_axis(drive, settings):
        if limit.min is not None:
            target = max(target, limit.min)
        if limit.max is not None:
            target = min(target, limit.max)
    return dataclasses.replace(drive, position_target=target)


def _not_fixed(drive: JointDrive, settings: JointSettings) -> JointDrive | None:
    limits = _on_axis(drive, settings)
    held = any(lim.min == lim.max == 0.0 and lim.stiffness is None for lim in limits)
    return None if held else drive


def _add_up(patient: Patient, at: int) -> bool:
    """Make one of drives of one axis that want the same."""
    old = patient.draft.document.joint_settings[at]
    kept: dict[Any, JointDrive] = {}
    for drive in old.drives:
        axis = (drive.type, int(drive.axis))
        other = kept.get(axis)
        if other is None:
            kept[axis] = drive
            continue
        wants = (drive.mode, drive.position_target, drive.velocity_target)
        if wants != (other.mode, other.position_target, other.velocity_target):
            return False
        forces = (drive.max_force, other.max_force)
        kept[axis] = dataclasses.replace(
            other,
            stiffness=other.stiffness + drive.stiffness,
            damping=other.damping + drive.damping,
            max_force=None if None in forces else sum(force or 0.0 for force in forces),
        )
    new = dataclasses.replace(old, drives=tuple(kept.values()))
    return patient.swap_entry("joint_settings", at, new)


_ARRANGED: Final = Fix("write it from its dynamic side, on a node of its own, to a body", _arranged)
_HOLD: Final = Fix("move its other end to the joint", _hold_as_is)
_SPLIT: Final = Fix("limit each axis separately", _limits(_per_axis), "joint_settings")
FIXES: Final[dict[str, Fix]] = {
    Code.JOINT_NOT_BELOW_DYNAMIC_BODY: _ARRANGED,
    Code.JOINT_CONNECTED_TO_NO_BODY: _ARRANGED,
    Code.JOINT_SHARES_NODE: Fix("move it to its own node", _own_node),
    Code.JOINTS_OF_SAME_NODES: Fix("merge both joints", _merge),
    Code.LIMIT_WITHOUT_AXIS: Fix("remove it", _limits(_has_axis), "joint_settings"),
    Code.LIMIT_WITHOUT_RANGE: Fix("remove it", _limits(_has_end), "joint_settings"),
    Code.LIMIT_MIN_ABOVE_MAX: Fix("swap its ends", _limits(_ordered), "joint_settings"),
    Code.LIMIT_MIN_DISTANCE_NEGATIVE: _SPLIT,
    Code.LIMIT_OF_DISTANCE: _SPLIT,
    Code.LIMIT_ANGLE_BEYOND_TURN: Fix(
        "convert it from degrees", _limits(_in_radians), "joint_settings"
    ),
    Code.LIMITS_SHARE_AXIS: Fix("merge both limits", _intersect, "joint_settings"),
    Code.DRIVE_POSITION_WITHOUT_STIFFNESS: Fix(
        "remove the position target",
        _where(lambda drive: drive.stiffness <= 0.0, position_target=None),
        "joint_settings",
    ),
    Code.DRIVE_STIFFNESS_WITHOUT_POSITION: Fix(
        "set its position target to 0",
        _where(lambda d: d.position_target is None and d.stiffness > 0.0, position_target=0.0),
        "joint_settings",
    ),
    Code.DRIVE_VELOCITY_WITHOUT_DAMPING: Fix(
        "remove the velocity target",
        _where(lambda d: bool(d.velocity_target) and d.damping <= 0.0, velocity_target=None),
        "joint_settings",
    ),
    Code.DRIVE_DAMPING_WITHOUT_VELOCITY: Fix(
        "set its velocity target to 0",
        _where(lambda d: d.velocity_target is None and d.damping > 0.0, velocity_target=0.0),
        "joint_settings",
    ),
    Code.DRIVE_TARGET_OUTSIDE_LIMITS: Fix(
        "move the target to the nearest limit", _drives(_clamped), "joint_settings"
    ),
    Code.DRIVE_ON_FIXED_AXIS: Fix("remove the drive", _drives(_not_fixed), "joint_settings"),
    Code.DRIVES_SHARE_AXIS: Fix("merge both drives", _add_up, "joint_settings"),
    Code.FIXED_JOINT_ENDS_APART: _HOLD,
    Code.JOINT_ENDS_APART: _HOLD,
    Code.JOINT_SCALED: Fix("move it to an unscaled node", _unscaled),
    Code.JOINT_SETTINGS_UNUSED: Fix("remove them", dropping("joint_settings"), "joint_settings"),
}
