"""Values of animated properties that the artist changed and has not keyed yet.

Blender forgets them whenever it evaluates a scene anew, as it does when a window shows another
scene and comes back; a preview must not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import bpy

from .. import compat

_KINDS: Final = (
    "objects",
    "shape_keys",
    "materials",
    "lights",
    "cameras",
    "worlds",
    "scenes",
    "armatures",
    "curves",
    "meshes",
    "node_groups",
    "metaballs",
    "lattices",
)
_TREES: Final = frozenset({"materials", "lights", "worlds"})

Key = tuple[str, str, bool, str, int]


@dataclass
class Unkeyed:
    """What animated properties had when it was made."""

    _values: dict[Key, Any] = field(default_factory=dict[Key, Any])

    @classmethod
    def take(cls) -> Unkeyed:
        """Note the values of all animated properties of the file."""
        return cls(dict(_all()))

    def restore(self) -> None:
        """Write back what is another value now."""
        for key, value in list(_all()):
            wanted = self._values.get(key, value)
            if wanted != value:
                kind, name, in_tree, path, index = key
                owner = getattr(bpy.data, kind)[name]
                _set(owner.node_tree if in_tree else owner, path, index, wanted)


def _all() -> Iterator[tuple[Key, Any]]:
    for kind in _KINDS:
        for block in getattr(bpy.data, kind):
            if block.library is None:
                yield from _of(block, (kind, block.name, False))
                if kind in _TREES and block.node_tree is not None:
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
