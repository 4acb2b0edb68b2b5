"""The handles of joints: the ends of their limits, the targets of their drives, their pivots."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from mathutils import Matrix, Vector

from ...base import groups
from ...base.hierarchy import connected_moves
from ...properties import entries
from ..marks import rigid
from .handle import Field, Handle, Space, unit

_LIMIT: Final = 0.8  # Radius of the arcs that joint_lines.py draws, as parts of the symbol size.
_DRIVE: Final = 0.6
_NEAR: Final = 1e-4  # Of frames that are moved together, m.


def joint_handles(obj: Any, group: Any, size: float) -> Iterator[Handle]:
    """The handles of the joint of an object.

    Args:
        size: of its symbol, m.
    """
    joint = group.joint
    yield from _pivot_handles(obj, joint)
    entry = entries.named("joint_settings", joint.settings) if joint.settings else None
    if entry is None or not entries.is_editable(entry):
        return
    frame, sign = _frame(obj, joint)
    for index, limit in enumerate(entry.limits):
        yield from _limit_handles(f"limit {index}", limit, Space(frame), sign, size)
    for index, drive in enumerate(entry.drives):
        if drive.use_position_target and drive.type in ("LINEAR", "ANGULAR"):
            yield _target_handle(f"drive {index}", drive, Space(frame), sign, size)


def _frame(obj: Any, joint: Any) -> tuple[Matrix, float]:
    """The frame in which limits are drawn, and whether numbers count the other way: see marks."""
    connected = joint.connected_object
    if connected is None or joint.pivot_at_joint:
        return rigid(obj.matrix_world), -1.0 if connected and connected_moves(obj) else 1.0
    if connected_moves(obj):
        return rigid(obj.matrix_world), -1.0
    return rigid(connected.matrix_world), 1.0


def _limit_handles(
    key: str, limit: Any, space: Space, sign: float, size: float
) -> Iterator[Handle]:
    """One at each end of a range."""
    axes = [axis for axis in range(3) if limit.axes[axis]]
    what = "distance" if limit.kind == "LINEAR" else "angle"
    low, high = (Field(limit, f"{end}_{what}") for end in ("min", "max"))
    ranges = limit.use_min and limit.use_max
    locked = ranges and low.read() >= high.read()
    if not axes:
        return
    if len(axes) > 1:
        sign = 1.0
    floor = 0.0 if len(axes) > 1 else -math.inf
    ceiling = math.pi if len(axes) > 1 and what == "angle" else math.inf
    for end, field, is_used, least, most in (
        ("Min", low, limit.use_min, floor, high.read() if ranges else ceiling),
        ("Max", high, limit.use_max, low.read() if ranges else floor, ceiling),
    ):
        if is_used:
            # The least of a distance or a cone is mostly zero, where the middle is.
            in_middle = end == "Min" and len(axes) > 1 and field.read() <= 0.0
            more: dict[str, Any] = {"least": least, "most": most, "locked": locked or in_middle}
            label = f"{end} {what.title()}"
            yield _end_handle(f"{key} {end}", label, field, axes, space, sign, size, more)


def _end_handle(
    key: str,
    label: str,
    field: Field,
    axes: list[int],
    space: Space,
    sign: float,
    size: float,
    more: dict[str, Any],
) -> Handle:
    """Where `joint_lines` draws the end of a range: a stop, a ring, a ball, an arc or a cone."""
    value = field.read()
    if "distance" in field.name:
        way = unit(axes[0], sign)
        return space.along(key, label, [field], way * value, way, **more)
    if len(axes) == 2:  # It leans from the third axis to the one that follows it.
        (along,) = {0, 1, 2} - set(axes)
        axis, zero = along + 2, unit(along)
    else:
        axis, zero = axes[0], unit(axes[0] + 1)
    return _at_angle(key, label, field, axis, zero * (_LIMIT * size), space, sign, more)


def _at_angle(
    key: str,
    label: str,
    field: Field,
    axis: int,
    zero: Vector,
    space: Space,
    sign: float,
    more: dict[str, Any],
) -> Handle:
    way = unit(axis, sign)
    place = Matrix.Rotation(field.read(), 3, way) @ zero
    return space.about(key, label, [field], place, way, **more)


def _target_handle(key: str, drive: Any, space: Space, sign: float, size: float) -> Handle:
    axis = "XYZ".index(drive.axis)
    if drive.type == "LINEAR":
        field, way = Field(drive, "position_distance"), unit(axis, sign)
        return space.along(key, "Position Target", [field], way * field.read(), way)
    field, zero = Field(drive, "position_angle"), unit(axis + 1, _DRIVE * size)
    return _at_angle(key, "Position Target", field, axis, zero, space, sign, {})


def _pivot_handles(obj: Any, joint: Any) -> Iterator[Handle]:
    """Arrows that move an empty with a joint, and the other frame where it is in the same place."""
    if obj.type != "EMPTY" or obj.children or groups.read(obj).use_motion:
        return
    moved = [obj]
    other = joint.connected_object
    if (
        other is not None
        and not joint.pivot_at_joint
        and other.type == "EMPTY"
        and not other.children
        and groups.can_change(other)
        and not groups.read(other).use_motion
        and (other.matrix_world.translation - obj.matrix_world.translation).length < _NEAR
    ):
        moved.append(other)
    # From the space that locations are in to the world.
    spaces = [each.matrix_world @ each.matrix_basis.inverted_safe() for each in moved]
    for axis, letter in enumerate("XYZ"):
        if not obj.lock_location[axis]:
            way = spaces[0].to_3x3() @ unit(axis)
            fields = [Field(obj, "location", axis)]
            for each, space in zip(moved[1:], spaces[1:], strict=True):
                shift = space.to_3x3().inverted_safe() @ way
                fields += [Field(each, "location", i, shift[i]) for i in range(3) if shift[i]]
            yield Handle(
                key=f"pivot {axis}",
                form="ARROW",
                label=f"Pivot {letter}",
                value=obj.location[axis],
                fields=tuple(fields),
                place=obj.matrix_world.translation.copy(),
                way=way,
                axis=axis,
            )
