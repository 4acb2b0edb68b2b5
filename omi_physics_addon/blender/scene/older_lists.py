"""Makes entries of the lists in which older versions kept them in scenes, found by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import bpy

from ..base import compat, groups
from ..properties import entries, names

# List → name → the data-block that holds the entry now.
Lifted = dict[str, dict[str, Any]]

_PATH: Final = re.compile(
    r"^omi_physics\.(physics_materials|collision_filters|joint_settings)"
    r"\[(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\d+))\]\.(.*)$"
)
_NAMES: Final = ("name", "made_up_name", "name_in_file")
_TARGET: Final = re.compile(r"drives\[\d+\]\.(position|velocity)_(angle|distance)$")


def lift_file() -> None:
    """Lift the scenes of the open file, and let their objects point to the entries."""
    every: list[Any] = list(bpy.data.scenes)
    scenes = [scene for scene in every if scene.library is None and _has_lists(scene)]
    lifted = {scene: _lift_scene(scene) for scene in scenes}
    for scene, found in lifted.items():
        others = [each for each in lifted.values() if each is not found]
        point(scene.objects, [found, *others])
    if lifted:
        point(bpy.data.objects, list(lifted.values()))


def point(objects: Iterable[Any], lists: Iterable[Lifted]) -> None:
    """Let objects that only have names point to entries; the first list with a name gives it."""
    lists = list(lists)
    for obj in objects:
        if obj.library is not None:
            continue
        group = groups.of_object(obj)
        for list_name, referrers in names.REFERRERS.items():
            for part, attribute in referrers:
                holder = getattr(group, part)
                name = holder.get(attribute)
                if not name or getattr(holder, entries.POINTER.format(attribute)) is not None:
                    continue
                tree = next((t[list_name][name] for t in lists if name in t[list_name]), None)
                if tree is not None:
                    setattr(holder, entries.POINTER.format(attribute), tree)
                    del holder[attribute]


def _has_lists(scene: Any) -> bool:
    stored = groups.of_scene(scene)
    return any(name in stored for name in entries.TREES)


def _lift_scene(scene: Any) -> Lifted:
    """Make entries of the lists of a scene, in their order."""
    stored = groups.of_scene(scene)
    lifted: Lifted = {list_name: {} for list_name in entries.TREES}
    in_order: dict[str, list[Any]] = {}
    was_older: set[Any] = set()
    for list_name, found in lifted.items():
        listed = getattr(stored, list_name)
        in_order[list_name] = []
        for old in stored.get(list_name, ()):
            name = old.get("name", "")
            entry = names.add(listed, name or "Unnamed")
            if lift_entry(old, entry):
                was_older.add(entry.id_data)
            found.setdefault(name, entry.id_data)
            in_order[list_name].append(entry.id_data)
    if scene.animation_data is not None:
        for curve in compat.curves(scene.animation_data):
            _move_curve(curve, lifted, in_order, was_older)
    for list_name in lifted:
        if list_name in stored:
            del stored[list_name]
    return lifted


def lift_entry(old: Any, entry: Any) -> bool:
    """Give an entry the values that an older version stored; whether they measured otherwise."""
    made_up, in_file = old.get("made_up_name", ""), old.get("name_in_file", "")
    if made_up and made_up == old.get("name", ""):
        entry.made_up_name, entry.name_in_file = entry.name, in_file
    _copy(old, entry)
    from . import joint_settings

    if not hasattr(entry, "limits"):
        return False
    older: bool = entry.version < joint_settings.VERSION
    joint_settings.lift(entry)
    return older


def _copy(old: Any, group: Any) -> None:
    """Copy stored values into a property group of the same fields."""
    for prop in group.bl_rna.properties:
        key = prop.identifier
        if key not in old or (key in _NAMES and _is_entry(group)):
            continue
        value = old[key]
        if prop.type == "COLLECTION":
            for item in value:
                _copy(item, getattr(group, key).add())
        elif prop.type == "ENUM":
            setattr(group, key, next(i.identifier for i in prop.enum_items if i.value == value))
        elif getattr(prop, "is_array", False):
            kind = bool if prop.type == "BOOLEAN" else float
            setattr(group, key, [kind(each) for each in value])
        elif prop.type == "BOOLEAN":
            setattr(group, key, bool(value))
        else:
            setattr(group, key, value)


def _is_entry(group: Any) -> bool:
    return bool(group == group.id_data.data)


def _move_curve(
    curve: Any, lifted: Lifted, in_order: Mapping[str, list[Any]], was_older: set[Any]
) -> None:
    """Let the keyframes of a value of a list animate the entry."""
    match = _PATH.match(curve.data_path)
    if match is None:
        return
    list_name, name, index, rest = match.groups()
    if name is not None:
        tree = lifted[list_name].get(bpy.utils.unescape_identifier(name))
    else:
        at = int(index)
        tree = in_order[list_name][at] if at < len(in_order[list_name]) else None
    if tree is None:
        return
    sign = -1.0 if tree in was_older and _TARGET.search(rest) else 1.0
    path = f"data.{rest}"
    for key in curve.keyframe_points:
        tree.keyframe_insert(path, frame=key.co.x)  # No number of an entry is an array.
    moved = next(c for c in compat.curves(tree.animation_data) if c.data_path == path)
    for key, new in zip(curve.keyframe_points, moved.keyframe_points, strict=True):
        new.interpolation = key.interpolation
        new.handle_left_type, new.handle_right_type = key.handle_left_type, key.handle_right_type
        for attribute in ("co", "handle_left", "handle_right"):
            x, y = getattr(key, attribute)
            setattr(new, attribute, (x, sign * y))
    moved.update()
