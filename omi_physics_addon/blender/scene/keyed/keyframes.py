"""Keyframes of physics, noted on the records that they move.

A record is read again with what curves say at each of their keys. So a number of a file has the
sign, the unit and the axis that the reading of its property gives it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import bpy

from ....codec.gltf import animated
from ....codec.values import carried
from ....codec.values.json_members import as_list, as_object, member
from ....codec.values.records import with_carried
from ....issue_codes import Code
from ....issues import Issues
from ....model.fields import FieldInfo
from ...base import compat, groups
from ...base.animated import frame_rate, paths
from .changed_groups import At, moved

R = TypeVar("R")

_KINDS: Final = {0: "SCALAR", 3: "VEC3", 4: "VEC4"}
NAMED: Final = "omi_physics_animation"  # On an action: the name that its animation has in files.


class Keyframes:
    """The keyframes of the objects and shared entries of one scene."""

    def __init__(self, issues: Issues, *, are_noted: bool = True) -> None:
        """Without any.

        Args:
            are_noted: whether records get notes, which are for those who write animations.
        """
        self._issues, self._are_noted = issues, are_noted
        self._curves: dict[Any, dict[str, list[Any]]] = {}
        self._said: set[tuple[Any, str]] = set()
        self._known: dict[Any, set[str]] = defaultdict(set)

    def noted(self, record: R, group: Any, read: Callable[[Any], R]) -> R:
        """A record with notes on what moves it.

        Args:
            read: from a property group to its record.
        """
        owner = group.id_data
        if owner.animation_data is None or owner.animation_data.action is None:
            return record
        prefix = f"{group.path_from_id()}."
        notes: list[dict[str, Any]] = []
        for path, curves in self._of(owner).items():
            name = path.removeprefix(prefix)
            if name == path or not name.isidentifier():
                continue
            for row in moved(record, group, name, read):
                self._known[owner].add(path)
                if self._are_noted:
                    title = _action_name(owner)
                    notes.append(_note(record, row, group, name, read, curves, title))
        return _with_notes(record, notes) if notes else record

    def tell_others(self, owner: Any, name: str) -> None:
        """Tell of what moves physics of an object or entry and is not written."""
        if owner.animation_data is None:
            return
        for path in dict.fromkeys(paths(owner.animation_data)):
            is_said = path in self._known[owner] or (owner, path) in self._said
            if is_said or not path.startswith(_start(owner)):
                continue
            self._said.add((owner, path))
            what = path.rsplit(".", 1)[-1]
            why = f"keyframes of {what!r} are not written, because no number of glTF follows it"
            if path not in self._of(owner):
                why = (
                    f"a driver or NLA strip on {what!r} is not written; bake it into the active "
                    "action"
                )
            self._issues.add(Code.PHYSICS_ANIMATION_LOST, name, why)

    def _of(self, owner: Any) -> Mapping[str, list[Any]]:
        """The curves on physics of an object or entry, by their paths."""
        if owner not in self._curves:
            found: dict[str, list[Any]] = defaultdict(list)
            start = _start(owner)
            for curve in compat.curves(owner.animation_data):
                if curve.data_path.startswith(start) and len(curve.keyframe_points):
                    found[curve.data_path].append(curve)
            self._curves[owner] = found
        return self._curves[owner]


def _start(owner: Any) -> str:
    """How paths of physics of an object or entry begin."""
    return "data." if isinstance(owner, bpy.types.NodeTree) else f"{compat.ATTRIBUTE}."


def _note(
    record: R,
    row: FieldInfo,
    group: Any,
    name: str,
    read: Callable[[Any], R],
    curves: list[Any],
    action: str,
) -> dict[str, Any]:
    """What moves a number, as a note on its record."""
    how, frames = _frames(curves)
    value = getattr(group, name)
    rate = frames_per_second()
    first = min(frames[0], 0.0)  # Files have no times before their start.
    numbers: list[float] = []
    for frame in frames:
        there = list(value) if row.length else [value]
        for curve in curves:
            there[curve.array_index] = curve.evaluate(frame)
        now = read(At(group, name, tuple(there) if row.length else there[0]))
        number = getattr(now, row.name)
        numbers += number if row.length else (number,)
    times = [(frame - first) / rate for frame in frames]
    return {
        animated.PROPERTY: row.key,
        **animated.sampled(action, how, _KINDS[row.length], times, numbers),
    }


def _frames(curves: list[Any]) -> tuple[str, list[float]]:
    """The interpolation of a file, and the frames to write; each frame where no key tells."""
    points = [point for curve in curves for point in curve.keyframe_points]
    frames = {float(point.co[0]) for point in points}
    ways = {point.interpolation for point in points}
    same = all({float(p.co[0]) for p in c.keyframe_points} == frames for c in curves)
    if ways == {"CONSTANT"}:
        return "STEP", sorted(frames)
    if not (same and ways == {"LINEAR"}) or any(len(curve.modifiers) for curve in curves):
        first, last = min(frames), max(frames)
        frames |= {float(frame) for frame in range(round(first), round(last) + 1)}
        frames = {frame for frame in frames if first <= frame <= last}
    return "LINEAR", sorted(frames)


def frames_per_second() -> float:
    """The rate of the scene that is exported or imported into."""
    return frame_rate(groups.current_scene())


def _action_name(owner: Any) -> str:
    """The name of an animation, which several actions of an import may be parts of."""
    action = owner.animation_data.action
    name = action.get(NAMED)
    return name if isinstance(name, str) and action.name.startswith(name) else str(action.name)


def _with_notes(record: R, notes: list[dict[str, Any]]) -> R:
    """A record with notes, in place of those that an import brought for the same numbers."""
    members = carried.unpack(getattr(record, "carried", ""))
    extensions = as_object(members.get("extensions"))
    keyed = {note[animated.PROPERTY] for note in notes}
    noted = as_list(extensions.get(animated.KEY))
    others = [note for note in noted if member(note, animated.PROPERTY) not in keyed]
    return with_carried(record, {"extensions": {**extensions, animated.KEY: [*others, *notes]}})
