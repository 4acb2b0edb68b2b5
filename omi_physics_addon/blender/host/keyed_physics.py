"""Imported animations of physics as keyframes on the properties that show it.

What an import notes stays a note where there is no one property for it, and where an object or
entry has another animation already, as Blender plays one action of each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from ...axes import Axes
from ...codec.gltf import animated
from ...codec.values import carried
from ...model.fields import FieldInfo
from ...model.vehicles import HoverThruster, Thruster, VehicleBody, Wheel
from ..base import compat, groups
from ..scene import entry_reader, joint_settings, property_records, scene_reader
from ..scene.keyed import keyframes
from ..scene.keyed.changed_groups import At, moved
from ..scene.scene_nodes import Target

_WAYS: Final = {"STEP": 0, "LINEAR": 1}  # Interpolations of files → numbers of Blender's.
# Property groups of an object → how they are read.
_VEHICLES: Final[dict[str, type[Any]]] = {
    "vehicle_body": VehicleBody,
    "wheel": Wheel,
    "thruster": Thruster,
    "hover_thruster": HoverThruster,
}


class _Shown(NamedTuple):
    """A property group with notes, and how its record is read."""

    group: Any
    read: Callable[[Any], Any]


def show(targets: Iterable[Target], entries: Iterable[Any]) -> list[dict[str, Any]]:
    """Make keyframes of the notes of objects and shared entries; the notes that they stand for.

    Args:
        targets: the objects.
        entries: property groups of physics materials and joint settings.
    """
    done: list[dict[str, Any]] = []
    for shown in (*map(_of_object, targets), *map(_of_entry, entries)):
        for each in shown:
            done += _key(each)
    return done


def _of_object(target: Target) -> Iterator[_Shown]:
    physics, axes = groups.of_object(target.object), target.axes
    if physics.use_motion:
        yield _Shown(physics.motion, partial(scene_reader.read_motion, axes=axes))
    for name, record in _VEHICLES.items():
        if getattr(physics, f"use_{name}"):
            read = partial(property_records.read, record=record, axes=axes)
            yield _Shown(getattr(physics, name), read)


def _of_entry(entry: Any) -> Iterator[_Shown]:
    if hasattr(entry, "static_friction"):
        yield _Shown(entry, entry_reader.read_material)
        return
    axes = Axes()
    for group in entry.drives:
        yield _Shown(group, partial(joint_settings.drive_to_gltf, axes=axes))
    for group in entry.limits:
        if not group.split_from:
            yield _Shown(group, partial(joint_settings.limit_to_gltf, axes=axes))


def _key(shown: _Shown) -> list[dict[str, Any]]:
    """Make keyframes of the notes of one group; those that were."""
    group = shown.group
    if animated.KEY not in group.kept:
        return []
    members = carried.unpack(group.kept)
    extensions = members["extensions"]
    record = shown.read(group)
    done: list[dict[str, Any]] = []
    for note in extensions[animated.KEY]:
        owner = group.id_data
        action = None if owner.animation_data is None else owner.animation_data.action
        if note.get(animated.LIKE) not in _WAYS:
            continue
        name = note.get(animated.NAME)
        if action is not None and name not in (action.name, action.get(keyframes.NAMED)):
            continue
        found = _property(group, record, note.get(animated.PROPERTY), shown.read)
        if found is not None and _insert(shown, note, *found):
            done.append(note)
    left = [note for note in extensions[animated.KEY] if note not in done]
    if done:
        extensions[animated.KEY] = left
        if not left:
            del extensions[animated.KEY]
        if not extensions:
            del members["extensions"]
        group.kept = carried.pack(members)
    return done


def _property(
    group: Any, record: Any, key: Any, read: Callable[[Any], Any]
) -> tuple[str, FieldInfo] | None:
    """The property that a number of a record follows, and that number; None for none."""
    for prop in group.bl_rna.properties:
        if prop.type == "FLOAT" and not prop.is_readonly:
            for row in moved(record, group, prop.identifier, read):
                if row.key == key:
                    return prop.identifier, row
    return None


def _insert(shown: _Shown, note: dict[str, Any], name: str, row: FieldInfo) -> bool:
    """Make the keyframes of a note; False where its numbers are not as many as they should be."""
    width = row.length or 1
    times, values = np.array(note[animated.TIMES]), np.array(note[animated.VALUES], float)
    if not len(times) or len(values) != width * len(times):
        return False
    back = _inverse(shown, name, row)
    if back is None:
        return False
    offset, matrix = back
    there = (values.reshape(-1, width) - offset) @ matrix.T
    frames = times * keyframes.frames_per_second()
    for index in range(width):
        _curve(shown.group, name, index if row.length else -1, frames, there[:, index], note)
    return True


def _inverse(shown: _Shown, name: str, row: FieldInfo) -> tuple[Any, Any] | None:
    """What leads from numbers of a file to a property: those of a property of zeros, and a matrix.

    All such ways are linear: axes that trade places, signs and units.
    """
    width = row.length or 1

    def numbers(values: Sequence[float]) -> Any:
        value = tuple(values) if row.length else values[0]
        found = getattr(shown.read(At(shown.group, name, value)), row.name)
        return np.array(found if row.length else [found], float)

    zero = numbers([0.0] * width)
    columns = [numbers(np.eye(width)[i].tolist()) - zero for i in range(width)]
    matrix = np.array(columns).T
    return (zero, np.linalg.inv(matrix)) if abs(np.linalg.det(matrix)) > 0.0 else None


def _curve(
    group: Any, name: str, index: int, frames: Any, values: Any, note: dict[str, Any]
) -> None:
    """An F-curve with these keys."""
    owner = group.id_data
    group.keyframe_insert(name, index=index, frame=float(frames[0]))
    action = owner.animation_data.action
    given = note.get(animated.NAME)
    if given and action.name != given and keyframes.NAMED not in action:
        action[keyframes.NAMED] = action.name = given
    path = f"{group.path_from_id()}.{name}"
    curve = next(
        curve
        for curve in compat.curves(owner.animation_data)
        if curve.data_path == path and curve.array_index == max(index, 0)
    )
    points = curve.keyframe_points
    points.add(len(frames) - len(points))
    points.foreach_set("co", np.column_stack((frames, values)).ravel().astype(np.float32))
    ways = np.full(len(frames), _WAYS[note[animated.LIKE]], np.uint8)
    points.foreach_set("interpolation", ways)
    curve.update()


def without(notes: Collection[Any], done: Sequence[dict[str, Any]]) -> list[Any]:
    """Notes of an import of which those are left out that keyframes stand for."""
    said = [{k: v for k, v in note.items() if k != animated.PROPERTY} for note in done]
    return [note for note in notes if note not in said]
