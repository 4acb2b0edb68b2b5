"""The table of all handles: which part of an object has which, and which setting shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from ...base import groups
from . import joint_handles, part_handles, shape_handles
from .handle import Handle


class Row(NamedTuple):
    """The handles of one part of an object.

    Attributes:
        flag: of the object; the part is there where it is set.
        setting: of the overlay; it shows the part.
        handles: from the object, its group, and the size of symbols, m.
        placing: they move and turn what has a place already, which is shown where it is wanted.
    """

    flag: str
    setting: str
    handles: Callable[[Any, Any, float], Iterator[Handle]]
    placing: bool = False


def _trigger_shapes(group: Any) -> list[Any]:
    return [group.trigger.shape] if group.trigger.mode == "SHAPE" else []


def _gravity_shapes(group: Any) -> list[Any]:
    shaped = group.gravity.shaped
    is_shaped = group.gravity.type == "SHAPED" and shaped.use_shape
    return [shaped.shape] if is_shaped else []


# A flag of the object → the setting, the form and the shapes of what has shapes.
_SHAPES: Final[dict[str, tuple[str, str, Callable[[Any], list[Any]]]]] = {
    "use_collider": ("colliders", "COLLIDER", lambda group: [group.collider.shape]),
    "use_trigger": ("triggers", "TRIGGER", _trigger_shapes),
    "use_gravity": ("gravity", "GRAVITY", _gravity_shapes),
}


def _shape_rows(flag: str, placing: bool) -> Row:
    setting, form, shapes = _SHAPES[flag]
    make = shape_handles.place_handles if placing else shape_handles.size_handles

    def handles(obj: Any, group: Any, _size: float) -> Iterator[Handle]:
        for shape in shapes(group):
            if shape.type != "NONE":
                yield from make(shape, obj.matrix_world, form)

    return Row(flag, setting, handles, placing)


ROWS: Final = (
    *(_shape_rows(flag, placing) for flag in _SHAPES for placing in (False, True)),
    Row("use_joint", "joints", joint_handles.joint_handles),
    Row("use_motion", "mass", part_handles.mass_handles),
    Row("use_wheel", "vehicles", part_handles.wheel_handles),
    Row("use_thruster", "vehicles", part_handles.thruster_handles),
    Row("use_hover_thruster", "vehicles", part_handles.hover_thruster_handles),
    Row("use_seat", "seats", part_handles.seat_handles),
    Row("use_gravity", "gravity", part_handles.gravity_handles),
)


def drawn(obj: Any, settings: Any) -> dict[str, Handle]:
    """The handles of an object that there is something to pull at."""
    return {key: each for key, each in shown(obj, settings).items() if not each.locked}


def shown(obj: Any, settings: Any) -> dict[str, Handle]:
    """The handles of an object by their keys, those that are locked among them.

    Args:
        settings: of the overlay.
    """
    group = groups.of_object(obj)
    size = settings.symbol_size * (obj.empty_display_size if obj.type == "EMPTY" else 1.0)
    return {
        handle.key: handle
        for row in ROWS
        if getattr(group, row.flag)
        and getattr(settings, row.setting)
        and (settings.placing or not row.placing)
        for handle in row.handles(obj, group, size)
    }
