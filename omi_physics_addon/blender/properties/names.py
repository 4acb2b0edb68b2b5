"""Names of the entries of a scene's lists: unique, and known to those that refer to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

import bpy

from . import entries

# A scene's list → the attributes of objects that hold a name of one of its entries.
REFERRERS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "physics_materials": (("collider", "physics_material"), ("wheel", "physics_material")),
    "joint_settings": (("joint", "settings"),),
    "collision_filters": (("collider", "collision_filter"), ("trigger", "collision_filter")),
}


def unique(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, with a number after it where that name is taken."""
    if wanted not in taken:
        return wanted
    base = _base(wanted)
    return f"{base}.{_free_number(base, taken):03d}"


def _base(name: str) -> str:
    """A name without the number that makes it unique."""
    stem, dot, tail = name.rpartition(".")
    return stem if dot and tail.isdigit() else name


def _free_number(base: str, taken: Collection[str], first: int = 1) -> int:
    number = first
    while f"{base}.{number:03d}" in taken:
        number += 1
    return number


def written(entry: Any) -> str:
    """The name that a file gets for an entry, empty for none."""
    own = entry.id_data.name
    return entry.name_in_file if own == entry.made_up_name else own


def objects_of(scene: Any) -> set[Any]:
    """The objects of a scene, and those of collections that are instanced in it."""
    found: set[Any] = set()
    waiting = list(scene.objects)
    while waiting:
        obj = waiting.pop()
        if obj in found:
            continue
        found.add(obj)
        if obj.instance_collection is not None:
            waiting.extend(obj.instance_collection.all_objects)
    return found


def add(listed: Any, wanted: str) -> Any:
    """A new entry of a scene's list with a name of its own."""
    return _add(listed, unique(wanted, {entry.name for entry in listed}))


def _add(listed: Any, name: str) -> Any:
    entry = listed.add()
    entry.name = name
    made_up: str = entry.id_data.name
    if made_up != name:  # Another scene of the file has the name, or it is too long for Blender.
        entry.made_up_name, entry.name_in_file = made_up, name
    return entry


class Importer:
    """Adds the entries of a file to a scene's list, however many in time for each alike.

    Args:
        in_file: the names that entries of the file have; names made up avoid them.
    """

    def __init__(self, listed: Any, in_file: Iterable[str]) -> None:
        self._entries = listed
        self._taken = {entry.name for entry in listed}
        self._avoided = self._taken.union(in_file)
        self._numbers: dict[str, int] = {}

    def add(self, name: str, otherwise: str) -> Any:
        """A new entry; files get `name` for it until an artist renames it.

        In Blender every entry needs a name of its own. Where `name` is empty or taken, one is
        made up, of `otherwise` or of `name` with a number.
        """
        if name and name not in self._taken:
            entry = _add(self._entries, name)
        else:
            made_up = self._make_up(name or otherwise)
            entry = _add(self._entries, made_up)
            entry.made_up_name, entry.name_in_file = entry.name, name
        self._taken.add(entry.name)
        self._avoided.add(entry.name)
        return entry

    def _make_up(self, wanted: str) -> str:
        if wanted not in self._avoided:
            return wanted
        base = _base(wanted)
        number = _free_number(base, self._avoided, self._numbers.get(base, 1))
        self._numbers[base] = number
        return f"{base}.{number:03d}"

    def remove_last(self, entry: Any) -> None:
        """Take away again what was added last."""
        self._taken.discard(entry.name)
        if entry.made_up_name:
            self._avoided.discard(entry.name)
        self._entries.remove(len(self._entries) - 1)


def known_systems(_system: Any, _context: bpy.types.Context, _typed: str) -> list[str]:
    """The collision systems that the filters of the file name, for the field of another one.

    This looks at every filter, but only while an artist types.
    """
    found: set[str] = set()
    for tree in entries.all_of("collision_filters"):
        entry = tree.data
        for name in ("collision_systems", "collide_with_systems", "not_collide_with_systems"):
            found.update(each.name for each in getattr(entry, name))
    return sorted(found - {""})
