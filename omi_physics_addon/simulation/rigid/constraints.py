"""Blender's rigid-body constraints as joint settings, and back.

Settings are here as artists see them: in Blender's axes, and how the joint's own part moves against
the connected one, which is how object 1 moves against object 2. Blender measures some of its limits
the other way round; which of them was measured with bodies that run against their ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...model import joint_kinds, joint_words
from ...model.fields import AxisIndex
from ...model.joint_kinds import JointKind
from ...model.joints import JointDrive, JointLimit, JointSettings
from ..joints.native_limits import FREE, HELD, Range, both, kind_of
from .values import CONSTRAINT, Values

_LETTERS: Final = "xyz"
_ALL: Final = (AxisIndex(0), AxisIndex(1), AxisIndex(2))
# What stands for no end where Blender wants both: a way that no scene is as large as, and half a
# turn, beyond which Bullet counts from the other side.
_FAR: Final = {"lin": 1e6, "ang": 3.1415925}
_QUARTER: Final = math.pi / 2.0  # Beyond it Bullet's angles about Y are not exact.
# Motors in Blender have no damping: they push with all they have until the speed is right.
_SLOW: Final = 0.01  # Of the speed wanted by a motor: within it ours pushes less.
_STRONG: Final = 1e6  # Of a motor that has no largest force, N or N m.
_STIFF: Final = 1e6  # Of a damper that Blender's older springs stop all by, N s/m.
_KINDS: Final = (("lin", "linear"), ("ang", "angular"))
_HINGE: Final = 2  # The axis of hinges in Blender; others that have one slide along X.
GENERAL: Final = ("GENERIC", "GENERIC_SPRING")


def settings_of(values: Values, step: float, iterations: int) -> JointSettings:
    """The settings of a joint that does what a constraint does.

    Args:
        step: how long Blender's solver steps are, s.
        iterations: of the solver in each step.
    """
    kind: str = values["type"]
    settings = _settings(kind, values, step, iterations)
    known = joint_kinds.recognize(settings)
    name = joint_words.NAMES[known.kind] if known else kind.replace("_", " ").title()
    return replace(settings, name=name)


def _settings(kind: str, values: Values, step: float, iterations: int) -> JointSettings:
    if kind == "FIXED":
        return joint_kinds.make(JointKind(kind="fixed"))
    if kind == "POINT":
        return joint_kinds.make(JointKind(kind="ball"))
    if kind == "HINGE":
        low, high = map(_end, _shown(values, "HINGE", "ang", 2))
        return joint_kinds.make(JointKind(kind="hinge", axis=2, turn_min=low, turn_max=high))
    if kind in ("SLIDER", "PISTON"):
        low, high = map(_end, _shown(values, kind, "lin", 0))
        if kind == "SLIDER":
            return joint_kinds.make(JointKind(kind="slider", min=low, max=high))
        turn_low, turn_high = map(_end, _shown(values, kind, "ang", 0))
        return joint_kinds.make(
            JointKind(kind="piston", min=low, max=high, turn_min=turn_low, turn_max=turn_high)
        )
    if kind == "MOTOR":
        return JointSettings(drives=tuple(_motors(values)))
    linear = [_shown(values, kind, "lin", axis) for axis in _ALL]
    angular = [_shown(values, kind, "ang", axis) for axis in _ALL]
    limits = (*_limits("linear_axes", linear), *_limits("angular_axes", angular))
    if kind == "GENERIC":
        return JointSettings(limits=limits)
    slack = step * iterations
    drives = [
        drive
        for (short, long), ranges in zip(_KINDS, (linear, angular), strict=True)
        for axis in _ALL
        if ranges[axis] != HELD
        for drive in _spring(values, short, long, axis, slack)
    ]
    return JointSettings(limits=limits, drives=tuple(drives))


def _limits(name: str, ranges: Sequence[Range]) -> list[JointLimit]:
    held = tuple(axis for axis in _ALL if ranges[axis] == HELD)
    found = [_limit(name, held, HELD)] if held else []
    found += [
        _limit(name, (axis,), ranges[axis]) for axis in _ALL if ranges[axis] not in (HELD, FREE)
    ]
    return found


def _limit(name: str, axes: tuple[AxisIndex, ...], ends: Range) -> JointLimit:
    low, high = map(_end, ends)
    if name == "linear_axes":
        return JointLimit(linear_axes=axes, min=low, max=high)
    return JointLimit(angular_axes=axes, min=low, max=high)


def _end(value: float) -> float | None:
    """An end as records have it."""
    return value if math.isfinite(value) else None


def _shown(values: Values, kind: str, short: str, axis: int) -> Range:
    """The range of a degree of freedom as artists see it; free where its ends cross."""
    at = f"{short}_{_LETTERS[axis]}"
    low, high = values[f"limit_{at}_lower"], values[f"limit_{at}_upper"]
    if not values[f"use_limit_{at}"] or low > high:
        return FREE
    ends = (low, high) if _is_direct(kind, short) else turned_round((low, high))
    far = _FAR[short]
    return (
        -math.inf if math.isclose(ends[0], -far, rel_tol=1e-6) else ends[0],
        math.inf if math.isclose(ends[1], far, rel_tol=1e-6) else ends[1],
    )


def _is_direct(kind: str, short: str) -> bool:
    """Whether Blender measures object 1 against object 2, as artists see it."""
    return short == "ang" and kind != "PISTON"


def _spring(
    values: Values, short: str, long: str, axis: AxisIndex, slack: float
) -> Iterable[JointDrive]:
    at = _LETTERS[axis] if short == "lin" else f"ang_{_LETTERS[axis]}"
    if not values[f"use_spring_{at}"]:
        return
    damping = values[f"spring_damping_{at}"]
    if values["spring_type"] == "SPRING1":
        # Older springs push with all they have up to a speed that grows with what they are out:
        # this is the damper that lets them creep with that speed.
        # Source: btGeneric6DofSpringConstraint::internalUpdateSprings().
        damping = min(slack / (1.0 - damping), _STIFF) if damping < 1.0 else _STIFF
    yield JointDrive(
        type=long,
        axis=axis,
        position_target=0.0,
        stiffness=values[f"spring_stiffness_{at}"],
        damping=_rounded(damping),
    )


def _motors(values: Values) -> Iterable[JointDrive]:
    for short, long in _KINDS:
        if not values[f"use_motor_{short}"]:
            continue
        speed = values[f"motor_{short}_target_velocity"]
        force = values[f"motor_{short}_max_impulse"]
        yield JointDrive(
            type=long,
            velocity_target=speed,
            max_force=force,
            damping=_rounded(force / (_SLOW * max(abs(speed), 1.0))),
        )


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


@dataclass(frozen=True)
class Plan:
    """One constraint of those that do what a joint does.

    Attributes:
        values: of the constraint, all that the settings decide.
        shift: its axis i is the joint's axis (i + shift) % 3.
    """

    values: Values
    shift: int = 0


@dataclass
class _Wanted:
    """What the settings of a joint ask for, degree by degree.

    Attributes:
        ranges: by kind, of each axis.
        springs: by kind and axis, stiffness and damping.
        motors: by axis and kind, speed and force.
        losses: what no constraint of Blender's does.
    """

    ranges: dict[str, list[Range]]
    springs: dict[tuple[str, int], tuple[float, float]]
    motors: dict[int, dict[str, tuple[float, float]]]
    losses: dict[str, None]


def plans_of(settings: JointSettings, wish: str = "") -> tuple[list[Plan], list[str]]:
    """The constraints that do what a joint does, the first of which also keeps its bodies apart.

    Args:
        wish: the type that the first one is to have if that can do it.

    Returns:
        The constraints, and in words what of the settings they do not do.
    """
    wanted = _wanted(settings)
    plans: list[Plan] = []
    is_held = any(r != FREE for kind in wanted.ranges.values() for r in kind)
    if is_held or wanted.springs or not wanted.motors or wish in GENERAL:
        plans.append(_held(wanted, wish))
    for axis, motors in wanted.motors.items():
        values: Values = {"type": "MOTOR"}
        for short, (speed, force) in motors.items():
            values[f"use_motor_{short}"] = True
            values[f"motor_{short}_target_velocity"] = speed
            values[f"motor_{short}_max_impulse"] = force
        plans.append(Plan(values, axis))
    return [Plan({**CONSTRAINT, **p.values}, p.shift) for p in plans], list(wanted.losses)


def _wanted(settings: JointSettings) -> _Wanted:
    found = _Wanted({"lin": [FREE] * 3, "ang": [FREE] * 3}, {}, {}, {})
    for limit in settings.limits:
        for short, axes in (("lin", limit.linear_axes), ("ang", limit.angular_axes)):
            _add_limit(found, limit, short, axes)
    for drive in settings.drives:
        _add_drive(found, drive)
    return found


def _add_limit(found: _Wanted, limit: JointLimit, short: str, axes: tuple[AxisIndex, ...]) -> None:
    ends = limit.ends
    if ends == FREE or not axes:
        return
    if limit.stiffness is not None and ends == HELD:
        for axis in axes:
            found.springs[short, axis] = (limit.stiffness, limit.damping)
        return
    if limit.stiffness is not None:
        found.losses["the softness of a limit"] = None
    if len(axes) > 1 and ends != HELD:
        found.losses["a distance or cone over several axes, each of which is held for itself"] = (
            None
        )
        if ends[0] == -math.inf or ends[0] >= 0.0:
            ends = (0.0 - ends[1], ends[1])
    for axis in axes:
        found.ranges[short][axis] = both(found.ranges[short][axis], ends)


def _add_drive(found: _Wanted, drive: JointDrive) -> None:
    short = "lin" if drive.type == "linear" else "ang" if drive.type == "angular" else ""
    if not short:
        found.losses[f"a drive of type {drive.type}"] = None
        return
    if drive.mode != "force":
        found.losses["the mode of a drive, which is taken for a force"] = None
    if drive.position_target is not None:
        found.springs[short, drive.axis] = (drive.stiffness, drive.damping)
        if drive.position_target:
            found.losses["the target of a drive, which is taken for the place at the start"] = None
        if drive.max_force is not None:
            found.losses["the maximum force of a spring"] = None
        if drive.velocity_target:
            found.losses["the speed of a drive that is a spring as well"] = None
    elif drive.velocity_target is not None:
        force = _STRONG if drive.max_force is None else drive.max_force
        found.motors.setdefault(drive.axis, {})[short] = (drive.velocity_target, force)
    elif drive.damping:
        found.springs[short, drive.axis] = (0.0, drive.damping)


def _held(wanted: _Wanted, wish: str) -> Plan:
    """The constraint for all but motors."""
    kind, shift = _kind_of(wanted, wish)
    values: Values = {"type": kind, **limit_values(kind, wanted.ranges, shift)}
    for short in ("lin", "ang"):
        for i, letter in enumerate(_LETTERS):
            axis = (i + shift) % 3
            if (short, axis) in wanted.springs:
                at = letter if short == "lin" else f"ang_{letter}"
                values[f"use_spring_{at}"] = True
                stiffness, damping = wanted.springs[short, axis]
                values[f"spring_stiffness_{at}"] = stiffness
                values[f"spring_damping_{at}"] = damping
    return Plan(values, shift)


def limit_values(kind: str, ranges: Mapping[str, Sequence[Range]], shift: int) -> Values:
    """The ends that a type of constraint has.

    Args:
        ranges: linear and angular ones, by `lin` and `ang`, of how object 1 moves against object 2.
        shift: axis i of the constraint is axis (i + shift) % 3 of the ranges.
    """
    values: Values = {}
    for short, every in ranges.items():
        for i, letter in enumerate(_LETTERS):
            ends, at = every[(i + shift) % 3], f"{short}_{letter}"
            if ends != FREE and _has_limit(kind, short, i):
                far = _FAR[short]
                values[f"use_limit_{at}"] = True
                ends = max(ends[0], -far), min(ends[1], far)
                low, high = ends if _is_direct(kind, short) else turned_round(ends)
                values[f"limit_{at}_lower"], values[f"limit_{at}_upper"] = low, high
    return values


def turned_round(ends: Range) -> Range:
    """The range of the same motion, seen from the other side."""
    return 0.0 - ends[1], 0.0 - ends[0]


def _has_limit(kind: str, short: str, axis: int) -> bool:
    """Whether a type of constraint has ends of its own along or about one of its axes."""
    if kind in GENERAL:
        return True
    if kind == "PISTON":
        return axis == 0
    return (kind, short, axis) in (("SLIDER", "lin", 0), ("HINGE", "ang", _HINGE))


def _kind_of(wanted: _Wanted, wish: str) -> tuple[str, int]:
    """The simplest type of constraint that does it, and how its axes are shifted."""
    if wanted.springs:
        return "GENERIC_SPRING", 0 if wish in GENERAL else _tame(wanted.ranges["ang"])
    if wish in GENERAL:
        return wish, 0
    kind, axis = kind_of(wanted.ranges["lin"], wanted.ranges["ang"])
    if kind == "GENERIC":
        return kind, _tame(wanted.ranges["ang"])
    return kind, (axis - _HINGE) % 3 if kind == "HINGE" else axis


def _tame(angular: Sequence[Range]) -> int:
    """The shift for which Bullet's Y turns no farther than it can, and least of all."""
    reaches = [max(map(abs, ends)) for ends in angular]
    least = min(reaches)
    return 0 if reaches[1] <= max(_QUARTER, least) else (reaches.index(least) - 1) % 3
