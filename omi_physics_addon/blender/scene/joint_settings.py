"""Between joint settings and the property groups that show them.

The numbers of a file measure the connected node against the node of the joint, which stands below
the body that moves. Properties measure the other way round: how the joint's own part moves against
the connected one, which is what an artist sees. So ends of ranges and targets of drives are
negated here, and nowhere else.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from ...axes import Axes
from ...issue_codes import Code
from ...issues import Issues
from ...model.fields import AxisIndex
from ...model.joints import (
    DRIVE_MODES,
    DRIVE_TYPES,
    JointDrive,
    JointLimit,
    JointSettings,
    mirrored_drive,
    mirrored_limit,
)
from ..properties.names import written
from . import property_records
from .property_records import shortest

R = TypeVar("R", JointDrive, JointLimit)

VERSION: Final = 2  # Of the numbers of entries: 1 measured as files do.
# Fields that are shown by hand: their properties depend on whether it moves or turns, or hold
# a word of the file that Blender does not know. All others have a property of their own name.
IRREGULAR: Final[dict[type, tuple[str, ...]]] = {
    JointLimit: ("linear_axes", "angular_axes", "min", "max"),
    JointDrive: ("type", "mode", "axis", "position_target", "velocity_target"),
}
_AXES: Final = (AxisIndex(0), AxisIndex(1), AxisIndex(2))
_AXIS_NAMES: Final = ("X", "Y", "Z")
_PLAIN: Final = Axes(y_up=False)
_TURNED: Final = Axes()


def read_settings(entry: Any, axes: Axes) -> JointSettings:
    """The record of an entry of the scene's list, as the document has it."""
    limits: list[JointLimit] = []
    split: dict[int, int] = {}
    for group in entry.limits:
        limit = limit_to_gltf(group, axes)
        at = split.get(group.split_from) if group.split_from else None
        if at is not None and _same_but_axes(limits[at], limit):
            limits[at] = _joined(limits[at], limit)
            continue
        if group.split_from:
            split[group.split_from] = len(limits)
        limits.append(limit)
    return JointSettings(
        limits=tuple(limits),
        drives=tuple(drive_to_gltf(group, axes) for group in entry.drives),
        name=written(entry),
        carried=entry.kept,
    )


def limit_to_gltf(group: Any, axes: Axes) -> JointLimit:
    """The record of a row of the list of limits, as the document has it."""
    return axes.limit_to_gltf(mirrored_limit(read_limit(group)))


def drive_to_gltf(group: Any, axes: Axes) -> JointDrive:
    """The record of a row of the list of drives, as the document has it."""
    return axes.drive_to_gltf(mirrored_drive(read_drive(group)))


def noted(
    settings: JointSettings, entry: Any, axes: Axes, note: Callable[[Any, Any, Any], Any]
) -> JointSettings:
    """Settings as `read_settings` gives them, with notes on the keyframes that move them.

    Of limits that an import had to split nothing is noted.

    Args:
        note: see `Keyframes.noted`.
    """
    limits = settings.limits
    if len(limits) == len(entry.limits):
        pairs = zip(limits, entry.limits, strict=True)
        limits = tuple(
            note(limit, group, partial(limit_to_gltf, axes=axes)) for limit, group in pairs
        )
    pairs = zip(settings.drives, entry.drives, strict=True)
    drives = tuple(note(drive, group, partial(drive_to_gltf, axes=axes)) for drive, group in pairs)
    return dataclasses.replace(settings, limits=limits, drives=drives)


def read_in_blender(entry: Any) -> JointSettings:
    """How an entry of the scene's list says that the joint's own part moves, in Blender's axes.

    Limits that an import had to split are one again, so that joints are known by name.
    """
    if not any(group.split_from for group in entry.limits):
        return JointSettings(
            limits=tuple(read_limit(group) for group in entry.limits),
            drives=tuple(read_drive(group) for group in entry.drives),
            name=written(entry),
            carried=entry.kept,
        )
    return in_blender(read_settings(entry, _TURNED))


def in_document(shown: JointSettings) -> JointSettings:
    """Settings as a document has them, for those that `read_in_blender` gives."""
    return dataclasses.replace(
        shown,
        limits=tuple(_TURNED.limit_to_gltf(mirrored_limit(limit)) for limit in shown.limits),
        drives=tuple(_TURNED.drive_to_gltf(mirrored_drive(drive)) for drive in shown.drives),
    )


def in_blender(there: JointSettings) -> JointSettings:
    """Settings of a document as `read_in_blender` gives them."""
    limits = [
        part for limit in there.limits for part in _TURNED.limit_to_blender(limit, per_axis=False)
    ]
    return dataclasses.replace(
        there,
        limits=tuple(mirrored_limit(limit) for limit in limits),
        drives=tuple(mirrored_drive(_TURNED.drive_to_blender(drive)) for drive in there.drives),
    )


def lift(entry: Any) -> None:
    """Let an entry that an older version saved measure as properties do now."""
    if entry.version >= VERSION:
        return
    entry.version = VERSION
    limits = [read_limit(group) for group in entry.limits]
    for group, limit in zip(entry.limits, limits, strict=True):
        _show_ends(mirrored_limit(limit), group)
    for group in entry.drives:
        _show_targets(mirrored_drive(read_drive(group)), group)


def read_limit(group: Any) -> JointLimit:
    """The record of a row of the list of limits, in Blender's axes."""
    axes = tuple(axis for axis, holds in zip(_AXES, group.axes[:], strict=True) if holds)
    linear = group.kind == "LINEAR"
    unit = "distance" if linear else "angle"
    return property_records.read(
        group,
        JointLimit,
        _PLAIN,
        linear_axes=axes if linear else (),
        angular_axes=() if linear else axes,
        min=_number(group, "use_min", f"min_{unit}"),
        max=_number(group, "use_max", f"max_{unit}"),
    )


def read_drive(group: Any) -> JointDrive:
    """The record of a row of the list of drives, in Blender's axes."""
    unit = "angle" if group.type == "ANGULAR" else "distance"
    return property_records.read(
        group,
        JointDrive,
        _PLAIN,
        type=group.other_type if group.type == "OTHER" else group.type.lower(),
        mode=group.other_mode if group.mode == "OTHER" else group.mode.lower(),
        axis=AxisIndex(_AXIS_NAMES.index(group.axis)),
        position_target=_number(group, "use_position_target", f"position_{unit}"),
        velocity_target=_number(group, "use_velocity_target", f"velocity_{unit}"),
    )


def is_reversed(group: Any) -> bool:
    """Whether a row of the list of limits has its ends in the wrong order."""
    limit = read_limit(group)
    return limit.min is not None and limit.max is not None and limit.min > limit.max


def _number(group: Any, use: str, name: str) -> float | None:
    return shortest(getattr(group, name)) if getattr(group, use) else None


def _same_but_axes(first: JointLimit, second: JointLimit) -> bool:
    bare = [
        dataclasses.replace(limit, linear_axes=(), angular_axes=(), carried="")
        for limit in (first, second)
    ]
    return bare[0] == bare[1] and bool(first.linear_axes) == bool(second.linear_axes)


def _joined(first: JointLimit, second: JointLimit) -> JointLimit:
    return dataclasses.replace(
        first,
        linear_axes=tuple(sorted((*first.linear_axes, *second.linear_axes))),
        angular_axes=tuple(sorted((*first.angular_axes, *second.angular_axes))),
    )


def sized(settings: JointSettings, axes: Axes) -> JointSettings:
    """Settings of a file with the numbers that Blender stores of them, in the file's axes.

    Where no unit changes them they are the same.
    """
    if axes.unit == 1.0:
        return settings
    limits = tuple(axes.sized_limit(limit) for limit in settings.limits)
    drives = tuple(axes.sized_drive(drive) for drive in settings.drives)
    return stored(dataclasses.replace(settings, limits=limits, drives=drives))


def stored(settings: JointSettings) -> JointSettings:
    """Settings with the numbers that Blender has room for."""
    limits = tuple(_stored(limit) for limit in settings.limits)
    drives = tuple(_stored(drive) for drive in settings.drives)
    return dataclasses.replace(settings, limits=limits, drives=drives)


def _stored(record: R) -> R:
    numbers = {k: shortest(v) for k, v in vars(record).items() if isinstance(v, float)}
    return dataclasses.replace(record, **numbers)


def show_settings(
    settings: JointSettings, entry: Any, axes: Axes, *, per_axis: bool, issues: Issues
) -> None:
    """Fill an entry of the scene's list with settings of the document.

    Args:
        per_axis: what limits over several axes mean; see `Axes.limit_to_blender`.
    """
    for i, limit in enumerate(settings.limits):
        parts = axes.limit_to_blender(limit, per_axis=per_axis)
        if len(parts) > 1:
            issues.add(
                Code.LIMIT_SPLIT_BY_AXES,
                settings.name or entry.name,
                "a limit was split into one for each axis",
            )
        for part in parts:
            group = entry.limits.add()
            _show_limit(mirrored_limit(part), group)
            group.split_from = i + 1 if len(parts) > 1 else 0
    for drive in settings.drives:
        _show_drive(mirrored_drive(axes.drive_to_blender(drive)), entry.drives.add())
    entry.kept, entry.version = settings.carried, VERSION


def show_in_blender(settings: JointSettings, entry: Any) -> None:
    """Fill an entry of the scene's list with what `read_in_blender` reads of it."""
    entry.limits.clear()
    entry.drives.clear()
    entry.limits_index = entry.drives_index = 0
    for limit in settings.limits:
        _show_limit(limit, entry.limits.add())
    for drive in settings.drives:
        _show_drive(drive, entry.drives.add())
    entry.kept, entry.version = settings.carried, VERSION


def _show_limit(limit: JointLimit, group: Any) -> None:
    linear = not limit.angular_axes
    group.kind = "LINEAR" if linear else "ANGULAR"
    axes = limit.linear_axes or limit.angular_axes
    group.axes = [i in axes for i in range(3)]
    _show_ends(limit, group)
    property_records.write(limit, group, _PLAIN, *IRREGULAR[JointLimit])


def _show_drive(drive: JointDrive, group: Any) -> None:
    if drive.type in DRIVE_TYPES:
        group.type = drive.type.upper()
    else:
        group.type, group.other_type = "OTHER", drive.type
    if drive.mode in DRIVE_MODES:
        group.mode = drive.mode.upper()
    else:
        group.mode, group.other_mode = "OTHER", drive.mode
    group.axis = _AXIS_NAMES[drive.axis]
    _show_targets(drive, group)
    property_records.write(drive, group, _PLAIN, *IRREGULAR[JointDrive])


def _show_ends(limit: JointLimit, group: Any) -> None:
    unit = "angle" if limit.angular_axes else "distance"
    _show_number(group, "use_min", f"min_{unit}", limit.min)
    _show_number(group, "use_max", f"max_{unit}", limit.max)


def _show_targets(drive: JointDrive, group: Any) -> None:
    unit = "angle" if drive.type == "angular" else "distance"
    _show_number(group, "use_position_target", f"position_{unit}", drive.position_target)
    _show_number(group, "use_velocity_target", f"velocity_{unit}", drive.velocity_target)


def _show_number(group: Any, use: str, name: str, value: float | None) -> None:
    setattr(group, use, value is not None)
    if value is not None:
        setattr(group, name, value)
