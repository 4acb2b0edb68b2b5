"""What Godot's OMI add-on makes of joint settings, and where that is not what they say.

Seen with Godot 4.6 with Jolt and commit e421986 of the add-on, which chooses one of Godot's joints
by what is fixed: a pin, a hinge about Z, a slider along X, or one with six axes for all else.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Final, Literal

from ...issue_codes import IssueCode
from ...model.joints import JointDrive, JointLimit, JointSettings
from .codes import GodotCode

Kind = Literal["PIN", "HINGE", "SLIDER", "GENERIC"]
Finding = tuple[IssueCode, str]  # And the message.
# Of joints that turn about several axes, which `joint_ranges.mixes` finds.
MIXED: Final = (
    "Godot measures angles about several axes in another order, so limits differ; limit one axis "
    "only"
)
_ZERO: Final = 1e-5  # What Godot takes for zero.
_X, _Y, _Z = 0, 1, 2


class _Axes:
    """The last limit and drive of each axis, which are those that the add-on takes."""

    def __init__(self, settings: JointSettings) -> None:
        self.linear: list[JointLimit | None] = [None, None, None]
        self.angular: list[JointLimit | None] = [None, None, None]
        for limit in settings.limits:
            for axis in limit.linear_axes:
                self.linear[axis] = limit
            for axis in limit.angular_axes:
                self.angular[axis] = limit
        self.drives: dict[tuple[str, int], JointDrive] = {
            (drive.type, drive.axis): drive for drive in settings.drives
        }


def kind_of(settings: JointSettings) -> Kind:
    """Which of Godot's joints the add-on makes."""
    axes = _Axes(settings)
    if all(map(_is_fixed, axes.linear)) and axes.drives.keys() <= {("angular", _Z)}:
        if not any(axes.angular) and not axes.drives:
            return "PIN"
        if _are_fixed_alike(*axes.angular[:_Z]) and not _is_fixed(axes.angular[_Z]):
            return "HINGE"
    if (
        not axes.drives
        and _are_fixed_alike(*axes.linear[_Y:])
        and _are_fixed_alike(*axes.angular[_Y:])
        and not (_is_fixed(axes.linear[_X]) and _is_fixed(axes.angular[_X]))
    ):
        return "SLIDER"
    return "GENERIC"


def _is_fixed(limit: JointLimit | None) -> bool:
    ends = (None, None) if limit is None else (limit.min, limit.max)
    return all(end is not None and abs(end) < _ZERO for end in ends)


def _are_fixed_alike(one: JointLimit | None, other: JointLimit | None) -> bool:
    if one is None or other is None or not (_is_fixed(one) and _is_fixed(other)):
        return False
    return _same(one.stiffness, other.stiffness) and _same(one.damping, other.damping)


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=_ZERO, abs_tol=_ZERO)


def without_idle_motors(settings: JointSettings) -> JointSettings:
    """Settings whose springs have no motor that holds still, which would lock them in Godot.

    In OMI, damping slows a drive without a velocity target just like one with a target of zero.
    A hinge of Godot keeps the target, because it breaks without one.
    """
    if not any(map(_is_idle, settings.drives)) or kind_of(settings) == "HINGE":
        return settings
    drives = tuple(
        dataclasses.replace(drive, velocity_target=None) if _is_idle(drive) else drive
        for drive in settings.drives
    )
    return dataclasses.replace(settings, drives=drives)


def _is_idle(drive: JointDrive) -> bool:
    return drive.position_target is not None and drive.velocity_target == 0.0


def findings(settings: JointSettings, *, counted_back: bool = False) -> Iterator[Finding]:
    """Codes and messages for what Godot does otherwise with settings as they are written.

    Args:
        counted_back: angles are written the way round in which Godot counts them.
    """
    kind = kind_of(settings)
    yield from _breaks(settings, kind)
    if kind == "SLIDER" and not _is_fixed(_Axes(settings).angular[_X]):
        why = (
            "Godot imports the joint as a slider, which locks rotation about X; use a "
            "separate hinge for that"
        )
        yield GodotCode.LOCKS_JOINT_TURN, why
    if any(limit.stiffness is not None for limit in settings.limits):
        why = "Godot ignores the stiffness of the limit, so it stops hard instead of springing back"
        yield GodotCode.HARDENS_SOFT_LIMIT, why
    for limit in settings.limits:
        axes = limit.linear_axes or limit.angular_axes
        if len(axes) > 1 and not _is_fixed(limit) and (limit.min, limit.max) != (None, None):
            where = "along" if limit.linear_axes else "about"
            why = (
                f"Godot limits each axis separately, but the limit is one range {where} several "
                "axes; use one limit for each axis"
            )
            yield GodotCode.SPLITS_RANGE, why
            break
    for drive in settings.drives:
        yield from _drive(drive, kind)
    if not counted_back and (
        any(map(_has_side, settings.limits)) or any(map(_has_direction, settings.drives))
    ):
        why = (
            "Godot measures angles in the opposite direction, so limits and drives are "
            "reversed; set Target to Godot 4"
        )
        yield GodotCode.FLIPS_JOINT, why
    if counted_back and any(limit.linear_axes and _has_side(limit) for limit in settings.limits):
        why = (
            "Godot measures the angles in the opposite direction; use separate limits for "
            "distances and angles"
        )
        yield GodotCode.FLIPS_JOINT, why


def _has_side(limit: JointLimit) -> bool:
    ends = (limit.min, limit.max)
    if not limit.angular_axes or ends == (None, None):
        return False
    return None in ends or not _same(-(limit.min or 0.0), limit.max)


def _has_direction(drive: JointDrive) -> bool:
    return drive.type == "angular" and bool(drive.position_target or drive.velocity_target)


def _breaks(settings: JointSettings, kind: Kind) -> Iterator[Finding]:
    axes = _Axes(settings)
    why = "Godot removes the body from the simulation, because"
    if kind == "HINGE":
        drive = axes.drives.get(("angular", _Z))
        if drive is not None and drive.velocity_target is None:
            told = f"{why} the drive of the hinge about Z has no velocity target; set one"
            yield GodotCode.BREAKS_ON_JOINT, told
        if _is_half(axes.angular[_Z]):
            told = f"{why} the limit of the hinge about Z has only a minimum or maximum; set both"
            yield GodotCode.BREAKS_ON_JOINT, told
    if kind == "SLIDER" and _is_half(axes.linear[_X]):
        told = f"{why} the limit of the slider along X has only a minimum or maximum; set both"
        yield GodotCode.BREAKS_ON_JOINT, told


def _is_half(limit: JointLimit | None) -> bool:
    return limit is not None and (limit.min is None or limit.max is None)


def _drive(drive: JointDrive, kind: Kind) -> Iterator[Finding]:
    at = f"the {drive.type} drive of axis {'XYZ'[drive.axis]}"
    motor, spring = drive.velocity_target, drive.position_target
    if motor is not None and spring is not None:
        why = (
            f"{at} has position and velocity targets, and Godot uses the velocity alone; keep "
            "one target"
        )
        yield GodotCode.CHANGES_DRIVE, why
    elif motor and drive.max_force is None:
        why = (
            f"Godot ignores the damping of {at}, so the motor keeps its speed under any load; "
            "set a maximum force"
        )
        yield GodotCode.CHANGES_DRIVE, why
    elif motor == 0.0 and drive.max_force is None:
        why = f"Godot ignores the damping of {at} and locks the axis; set a maximum force"
        yield GodotCode.CHANGES_DRIVE, why
    elif motor is None and spring is None and drive.damping and kind != "HINGE":
        why = (
            f"Godot ignores the damping of {at}, because the drive has no target; set a "
            "velocity target of 0"
        )
        yield GodotCode.CHANGES_DRIVE, why
    if drive.mode == "acceleration" and spring is not None:
        why = (
            f"Godot ignores acceleration mode for {at}, so the spring's stiffness is not "
            "scaled by mass; use force mode"
        )
        yield GodotCode.TAKES_ACCELERATION_AS_FORCE, why
