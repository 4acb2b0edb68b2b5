"""Which objects a table of physics shows, and in which order; worked out after changes only."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import Any, Final

from . import changes, groups

SHOWN: Final = 1 << 30  # What Blender calls `UIList.bitflag_filter_item`.
_known: Final[dict[tuple[Any, ...], tuple[list[int], list[int]]]] = {}


def has_row(group: Any) -> bool:
    """Whether an object is a body, a collider or a trigger."""
    return bool(group.use_motion or group.use_collider or group.use_trigger)


def shape_of(group: Any) -> Any:
    """The shape that a row shows; None for none."""
    if group.use_collider:
        return group.collider.shape
    return group.trigger.shape if group.use_trigger else None


def arrangement(
    scene: Any, objects: Sequence[Any], name: str, sort: str, selected: frozenset[int] | None
) -> tuple[list[int], list[int]]:
    """For each object of a scene whether it is shown, and at which place.

    Args:
        name: part of the names of what is shown, or a pattern; empty for all.
        sort: NAME, TYPE, MASS, SHAPE, MATERIAL or FILTER.
        selected: uids of what is shown; None for all.
    """
    key = (changes.count(), scene.session_uid, len(objects), name, sort, selected)
    if key not in _known:
        _known.clear()
        _known[key] = _arranged(objects, name, sort, selected)
    return _known[key]


def _arranged(
    objects: Sequence[Any], name: str, sort: str, selected: frozenset[int] | None
) -> tuple[list[int], list[int]]:
    pattern = f"*{name.lower()}*"
    flags: list[int] = []
    keys: list[tuple[Any, str, int]] = []
    for i, obj in enumerate(objects):
        group, called = groups.of_object(obj), obj.name
        is_shown = has_row(group) and (selected is None or obj.session_uid in selected)
        if is_shown and name:
            is_shown = fnmatch.fnmatchcase(called.lower(), pattern)
        flags.append(SHOWN if is_shown else 0)
        keys.append((_value(group, sort) if is_shown else ("", 0.0), called, i))
    order = [0] * len(keys)
    for place, (_value_of, _called, i) in enumerate(sorted(keys)):
        order[i] = place
    return flags, order


def _value(group: Any, sort: str) -> tuple[str, float]:
    """What rows are sorted by: words, then numbers."""
    motion = group.motion
    if sort == "TYPE":
        return (motion.type if group.use_motion else "", 0.0)
    if sort == "MASS":
        return ("", motion.mass if group.use_motion and motion.mass_mode == "VALUE" else -1.0)
    if sort == "SHAPE":
        shape = shape_of(group)
        return ("" if shape is None else shape.type, 0.0)
    if sort == "MATERIAL":
        return (group.collider.physics_material if group.use_collider else "", 0.0)
    if sort == "FILTER":
        return (group.collider.collision_filter if group.use_collider else "", 0.0)
    return ("", 0.0)
