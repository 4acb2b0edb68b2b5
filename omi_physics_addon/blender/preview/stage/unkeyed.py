"""Values of animated properties that the artist changed and has not keyed yet.

Blender forgets them whenever it evaluates a scene anew, as it does when a window shows another
scene and comes back; a preview must not.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import bpy

from ...base import compat

Key = tuple[str, str, bool, str, int]


@dataclass(eq=False)
class UnkeyedValues:
    """The values that all animated properties of the file had when this was taken."""

    _values: dict[Key, Any] = field(default_factory=dict[Key, Any])
    _frames: dict[int, float] = field(default_factory=dict[int, float])

    @classmethod
    def take(cls) -> UnkeyedValues:
        """Note the values of all animated properties of the file."""
        return cls(dict(_all()), {s.session_uid: s.frame_current_final for s in bpy.data.scenes})

    def forget(self, kind: str, name: str) -> None:
        """Leave a datablock out of what is restored."""
        for key in [key for key in self._values if key[:2] == (kind, name)]:
            del self._values[key]

    def restore(self) -> None:
        """Write back all values that differ now, unless somebody went to another frame since."""
        if not self._values:
            return
        for scene in bpy.data.scenes:
            if self._frames.get(scene.session_uid, scene.frame_current_final) != (
                scene.frame_current_final
            ):
                return
        for key, value in list(_all()):
            wanted = self._values.get(key, value)
            if wanted != value:
                kind, name, in_tree, path, index = key
                owner = getattr(bpy.data, kind)[name]
                _set(owner.node_tree if in_tree else owner, path, index, wanted)


@functools.cache
def _kinds() -> tuple[tuple[str, bool], ...]:
    """The collections of data that can be animated, and whether these have nodes inside."""
    rows: Any = bpy.data.bl_rna.properties
    found = ((r.identifier, r.fixed_type.bl_rna.properties) for r in rows if r.type == "COLLECTION")
    return tuple((kind, "node_tree" in has) for kind, has in found if "animation_data" in has)


def _all() -> Iterator[tuple[Key, Any]]:
    for kind, has_tree in _kinds():
        for block in getattr(bpy.data, kind):
            if block.library is None:
                yield from _of(block, (kind, block.name, False))
                if has_tree and block.node_tree is not None:
                    yield from _of(block.node_tree, (kind, block.name, True))


def _of(owner: Any, where: tuple[str, str, bool]) -> Iterator[tuple[Key, Any]]:
    data = owner.animation_data
    if data is None:
        return
    for curve in {(c.data_path, c.array_index) for c in _curves(data)}:
        value = _get(owner, *curve)
        if isinstance(value, (bool, int, float)):
            yield (*where, *curve), value


def _curves(data: Any) -> Iterator[Any]:
    yield from compat.curves(data)
    yield from data.drivers
    for track in data.nla_tracks:
        for strip in track.strips:
            if strip.action is not None:
                yield from compat.curves(strip)


def _get(owner: Any, path: str, index: int) -> Any:
    try:
        value = owner.path_resolve(path)
    except ValueError:  # The curve animates nothing that is there.
        return None
    if hasattr(value, "__len__") and not isinstance(value, str):
        return value[index] if index < len(value) else None
    return value


def _set(owner: Any, path: str, index: int, value: Any) -> None:
    holder, _, name = path.rpartition(".")
    if path.endswith("]"):  # A custom property.
        start = path.rindex("[")
        holder, name = path[:start], path[start + 2 : -2]
        target = owner.path_resolve(holder) if holder else owner
        if hasattr(target[name], "__len__"):
            target[name][index] = value
        else:
            target[name] = value
        return
    target = owner.path_resolve(holder) if holder else owner
    found = getattr(target, name)
    if hasattr(found, "__len__"):
        found[index] = value
    else:
        setattr(target, name, value)
