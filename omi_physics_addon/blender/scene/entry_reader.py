"""Reads the materials, filters and joint settings that objects point to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import bpy

from ...axes import Axes
from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import CollisionFilter, PhysicsMaterial
from ...model.document import Interned, InternedLists
from ...model.fields import FilterIndex, JointIndex, MaterialIndex
from ..properties import entries, names
from . import joint_settings, older_lists, property_records
from .keyed.keyframes import Keyframes

_PLAIN: Final = Axes()  # For what has no direction.


class EntryReader:
    """The entries that objects point to, each read once on first use.

    An object that only has a name comes from a file of an older version: one that is linked gets
    what the lists of its file say. Otherwise the name is told as lost.
    """

    def __init__(self, lists: InternedLists, issues: Issues, keyframes: Keyframes) -> None:
        self._lists, self._issues, self._keyframes = lists, issues, keyframes
        self._found: dict[tuple[Any, Axes], int | None] = {}

    def material(self, group: Any, obj: bpy.types.Object) -> MaterialIndex | None:
        """The document's index of the physics material that a part of an object uses."""
        return self._index("physics_materials", "physics_material", group, obj)

    def material_of(self, tree: Any, obj: bpy.types.Object) -> MaterialIndex | None:
        """The document's index of the physics material in a data-block that an object shows."""
        return self._index_of("physics_materials", tree, obj, _PLAIN)

    def filter(self, group: Any, obj: bpy.types.Object) -> FilterIndex | None:
        """The document's index of the collision filter that a part of an object uses."""
        return self._index("collision_filters", "collision_filter", group, obj)

    def settings(self, group: Any, obj: bpy.types.Object, axes: Axes) -> JointIndex | None:
        """The document's index of the settings that the joint of an object uses."""
        return self._index("joint_settings", "settings", group, obj, axes)

    def used(self) -> set[Any]:
        """The data-blocks of the entries that were read."""
        return {tree for (tree, _axes), index in self._found.items() if index is not None}

    def _index(
        self, list_name: str, attribute: str, group: Any, obj: Any, axes: Axes = _PLAIN
    ) -> Any:
        """The document's index of an entry; None for none."""
        tree = entries.used_by(group, list_name, attribute)
        if tree is None:
            name: str = group.get(attribute, "")  # What is left to show without an entry.
            return self._of_older(list_name, name, obj, axes) if name else None
        return self._index_of(list_name, tree, obj, axes)

    def _index_of(self, list_name: str, tree: Any, obj: bpy.types.Object, axes: Axes) -> Any:
        key = (tree, axes)
        if key not in self._found:
            is_there = entries.is_entry(tree)
            self._found[key] = self._add(list_name, tree.data, axes) if is_there else None
        if self._found[key] is None:
            library = obj.library or tree.library
            self._lose(list_name, obj, f"{tree.name!r} is in {library.filepath}, which is missing")
        return self._found[key]

    def _of_older(self, list_name: str, name: str, obj: bpy.types.Object, axes: Axes) -> int | None:
        record = older_lists.of_linked(obj, list_name, name, axes, read_entry)
        if record is not None:
            interned: Interned = getattr(self._lists, list_name)
            return interned.index(record)
        words = list_name.replace("_", " ")
        self._lose(list_name, obj, f"{name!r} is not among the {words} of the file")
        return None

    def _lose(self, list_name: str, obj: bpy.types.Object, why: str) -> None:
        is_joint = list_name == "joint_settings"
        lost = "the joint is not written" if is_joint else "written without it"
        self._issues.add(Code.NAME_NOT_IN_LIST, obj.name, f"{why}; {lost}")

    def _add(self, list_name: str, entry: Any, axes: Axes) -> int:
        interned: Interned = getattr(self._lists, list_name)
        record = read_entry(list_name, entry, axes)
        if entries.is_animated(entry.id_data):
            record = self._noted(list_name, record, entry, axes)
            self._keyframes.tell_others(entry.id_data, entry.id_data.name)
        return interned.index(record)

    def _noted(self, list_name: str, record: Any, entry: Any, axes: Axes) -> Any:
        """The record of an entry with notes on the keyframes that move it."""
        if list_name == "physics_materials":
            return self._keyframes.noted(record, entry, read_material)
        if list_name == "joint_settings":
            return joint_settings.noted(record, entry, axes, self._keyframes.noted)
        return record


def read_entry(list_name: str, entry: Any, axes: Axes = _PLAIN) -> Any:
    """The record of an entry."""
    return _READ[list_name](entry, axes)


def read_material(entry: Any) -> PhysicsMaterial:
    """The record of an entry of the scene's list."""
    return property_records.read(entry, PhysicsMaterial, _PLAIN, name=names.written(entry))


def read_filter(entry: Any) -> CollisionFilter:
    """The record of an entry of the scene's list."""
    only = entry.collide_with_systems if entry.mode in ("ONLY", "BOTH") else ()
    other = entry.not_collide_with_systems if entry.mode in ("NOT", "BOTH") else ()
    return CollisionFilter(
        collision_systems=tuple(system.name for system in entry.collision_systems),
        collide_with_systems=tuple(system.name for system in only),
        not_collide_with_systems=tuple(system.name for system in other),
        name=names.written(entry),
        carried=entry.kept,
    )


_READ: Final[dict[str, Callable[[Any, Axes], Any]]] = {
    "physics_materials": lambda entry, _axes: read_material(entry),
    "collision_filters": lambda entry, _axes: read_filter(entry),
    "joint_settings": joint_settings.read_settings,
}
