"""Makes entries of the lists in which older versions kept them in scenes, found by name."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import bpy

from ..base import compat, groups
from ..properties import entries, names

# List → name → the data-block that holds the entry now.
ByName = dict[str, dict[str, Any]]
# Names of the objects of a scene, and list and name → record of its entries.
_Records = tuple[set[str], dict[tuple[str, str], Any]]

_PATH: Final = re.compile(
    r"^omi_physics\.(physics_materials|collision_filters|joint_settings)"
    r"\[(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\d+))\]\.(.*)$"
)
_FILES: Final = 64  # Of an older version that are linked; what they say is kept.
_of_files: Final[dict[tuple[str, int, Any], list[_Records]]] = {}
_NAMES: Final = ("name", "made_up_name", "name_in_file")
_TARGET: Final = re.compile(r"drives\[\d+\]\.(position|velocity)_(angle|distance)$")


def lift_file() -> None:
    """Lift the scenes of the open file, and let their objects point to the entries."""
    every: list[Any] = list(bpy.data.scenes)
    scenes = [scene for scene in every if scene.library is None and has_lists(scene)]
    lifted = {scene: _lift_scene(scene) for scene in scenes}
    for scene, found in lifted.items():
        stored = groups.of_scene(scene)
        for list_name, trees in found.in_order.items():
            for tree in trees:
                getattr(stored, list_name).append(tree)
            if list_name in stored:
                del stored[list_name]
    for scene, found in lifted.items():
        others = [each.by_name for each in lifted.values() if each is not found]
        _point(scene.objects, [found.by_name, *others])
    if lifted:
        _point(bpy.data.objects, [each.by_name for each in lifted.values()])


def lift_appended(objects: Iterable[Any], paths: Iterable[str]) -> None:
    """Let objects that came from files of an older version point to entries like those of there.

    Args:
        objects: what came from the files.
        paths: the files.
    """
    waiting = [obj for obj in objects if _library(obj) is None and any(_names_only(obj))]
    for path in paths:
        if not waiting:
            return
        with opened(path) as (scenes, _aside):
            found = [({obj.name for obj in scene.objects}, _lift_scene(scene)) for scene in scenes]
        by_name = [each.by_name for _, each in found]
        for obj in waiting:
            base = entries.without_number(obj.name)
            first = [each.by_name for inside, each in found if {obj.name, base} & inside]
            _point([obj], [*first, *by_name])
        made = [tree for _, each in found for trees in each.in_order.values() for tree in trees]
        compat.remove_data([tree for tree in made if not tree.users])
        waiting = [obj for obj in waiting if any(_names_only(obj))]


def _names_only(obj: Any) -> Iterator[tuple[str, Any, str, str]]:
    """List, part, attribute and name of what an object only has the name of."""
    if not groups.is_stored(obj):
        return
    group = groups.of_object(obj)
    for list_name, referrers in names.REFERRERS.items():
        for part, attribute in referrers:
            holder = getattr(group, part)
            name = holder.get(attribute)
            if name and getattr(holder, entries.POINTER.format(attribute)) is None:
                yield list_name, holder, attribute, name


def _point(objects: Iterable[Any], lists: Iterable[ByName]) -> None:
    """Let objects that only have names point to entries; the first list with a name gives it."""
    lists = list(lists)
    for obj in objects:
        if obj.library is not None:
            continue
        for list_name, holder, attribute, name in list(_names_only(obj)):
            tree = next((t[list_name][name] for t in lists if name in t[list_name]), None)
            if tree is not None:
                setattr(holder, entries.POINTER.format(attribute), tree)
                del holder[attribute]


def has_lists(scene: Any) -> bool:
    """Whether a scene has lists of an older version."""
    stored = groups.of_scene(scene)
    return any(name in stored for name in entries.TREES)


_is_looking = False


def is_looking() -> bool:
    """Whether another file is open aside."""
    return _is_looking


@contextlib.contextmanager
def opened(path: str) -> Generator[tuple[list[Any], Any]]:
    """The scenes of another file that have lists of an older version, and the data of that file.

    Nothing of it stays.
    """
    import ctypes  # Few files are older; others need not wait for it.

    global _is_looking
    _is_looking = True
    try:
        # Blender loads nothing from the file that it takes as the open one.
        data: Any = bpy.data  # The stubs do not know that it can be entered.
        with data.temp_data(filepath=f"{path}~") as aside:
            # Blender holds this once more than it counts, and would free it while it is in use.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(aside))
            with aside.libraries.load(path) as (source, target):
                target.scenes = source.scenes
            yield [scene for scene in aside.scenes if has_lists(scene)], aside
    finally:
        _is_looking = False


def of_linked(
    obj: Any, list_name: str, name: str, axes: Any, read: Callable[[str, Any, Any], Any]
) -> Any:
    """What an entry says by the name that a linked object has for it; None where none has.

    One that was made local since may come from any of the files that something was linked from.
    A file is opened when it is asked for the first time, and again when it has changed.

    Args:
        axes: those that `read` reads along.
        read: makes the record of an entry of a list, along axes.

    Raises:
        OSError: the linked file cannot be read.
    """
    library = _library(obj)
    for path in paths_of(bpy.data.libraries if library is None else [library]):
        key = (path, os.stat(path).st_mtime_ns, axes)
        if key not in _of_files:
            if len(_of_files) >= _FILES:
                _of_files.clear()
            _of_files[key] = _read_file(path, axes, read)
        found = _of_files[key]
        first = [lists for inside, lists in found if obj.name in inside]
        for lists in (*first, *(lists for _, lists in found)):
            if (list_name, name) in lists:
                return lists[list_name, name]
    return None


def paths_of(libraries: Iterable[Any]) -> list[str]:
    """The files of libraries, without those that are missing."""
    paths = (os.path.abspath(bpy.path.abspath(library.filepath)) for library in libraries)
    return list(filter(os.path.isfile, paths))


def _read_file(path: str, axes: Any, read: Callable[[str, Any, Any], Any]) -> list[_Records]:
    found: list[_Records] = []
    with opened(path) as (scenes, aside):
        for scene in scenes:
            by_name = _lift_scene(scene, aside).by_name
            records = {
                (list_name, name): read(list_name, tree.data, axes)
                for list_name, trees in by_name.items()
                for name, tree in trees.items()
            }
            found.append(({obj.name for obj in scene.objects}, records))
    return found


def _library(obj: Any) -> Any:
    """The file that an object is linked from, or what it overrides, unless that was removed."""
    override = obj.override_library
    if obj.library is None and override is not None and override.reference is not None:
        return override.reference.library
    return obj.library


@dataclass(frozen=True)
class _Lifted:
    """Entries that were made of the lists of a scene."""

    by_name: ByName
    in_order: dict[str, list[Any]]


def _lift_scene(scene: Any, aside: Any = None) -> _Lifted:
    """Make entries of the lists of a scene, with their keyframes; without those in data aside."""
    stored = groups.of_scene(scene)
    by_name: ByName = {list_name: {} for list_name in entries.TREES}
    in_order: dict[str, list[Any]] = {}
    was_older: set[Any] = set()
    for list_name, found in by_name.items():
        in_order[list_name] = []
        for old in stored.get(list_name, ()):
            name = old.get("name", "")
            tree = entries.new(list_name, name, aside)
            if lift_entry(old, tree.data):
                was_older.add(tree)
            found.setdefault(name, tree)
            in_order[list_name].append(tree)
    if aside is None and scene.animation_data is not None:
        for curve in compat.curves(scene.animation_data):
            _move_curve(curve, by_name, in_order, was_older)
    return _Lifted(by_name, in_order)


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
    curve: Any, lifted: ByName, in_order: Mapping[str, list[Any]], was_older: set[Any]
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
