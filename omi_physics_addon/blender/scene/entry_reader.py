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
from . import joint_settings, property_records

_PLAIN: Final = Axes()  # For what has no direction.


class EntryReader:
    """The entries that objects point to, each read once on first use.

    A name is lost where no entry of the file has it: objects of older files may come without.
    """

    def __init__(self, lists: InternedLists, issues: Issues) -> None:
        self._lists, self._issues = lists, issues
        self._found: dict[tuple[str, str, Axes], int | None] = {}

    def material(self, name: str, obj: bpy.types.Object) -> MaterialIndex | None:
        """The document's index of a physics material by the name that an object has for it."""
        at = self._index("physics_materials", name, obj) if name else None
        return None if at is None else MaterialIndex(at)

    def filter(self, name: str, obj: bpy.types.Object) -> FilterIndex | None:
        """The document's index of a collision filter by the name that an object has for it."""
        at = self._index("collision_filters", name, obj) if name else None
        return None if at is None else FilterIndex(at)

    def settings(self, name: str, obj: bpy.types.Object, axes: Axes) -> JointIndex | None:
        """The document's index of joint settings by the name that an object has for them."""
        at = self._index("joint_settings", name, obj, axes) if name else None
        return None if at is None else JointIndex(at)

    def used(self) -> dict[str, set[str]]:
        """The names of the entries that were read, by list."""
        found: dict[str, set[str]] = {}
        for (list_name, name, _axes), index in self._found.items():
            if index is not None:
                found.setdefault(list_name, set()).add(name)
        return found

    def _index(
        self, list_name: str, name: str, obj: bpy.types.Object, axes: Axes = _PLAIN
    ) -> int | None:
        key = (list_name, name, axes)
        if key not in self._found:
            entry = entries.named(list_name, name)
            self._found[key] = None if entry is None else self._add(entry, list_name, axes)
        if self._found[key] is None:
            what = list_name.replace("_", " ")
            is_joint = list_name == "joint_settings"
            lost = "the joint is not written" if is_joint else "written without it"
            why = f"{name!r} is not among the {what} of the file; {lost}"
            self._issues.add(Code.NAME_NOT_IN_LIST, obj.name, why)
        return self._found[key]

    def _add(self, entry: Any, list_name: str, axes: Axes) -> int:
        interned: Interned = getattr(self._lists, list_name)
        return interned.index(_READ[list_name](entry, axes))


def read_material(entry: Any) -> PhysicsMaterial:
    """The record of an entry of the scene's list."""
    return property_records.read(entry, PhysicsMaterial, _PLAIN, name=names.written(entry))


def read_filter(entry: Any) -> CollisionFilter:
    """The record of an entry of the scene's list."""
    only = entry.mode in ("ONLY", "BOTH")
    other = entry.mode in ("NOT", "BOTH")
    return CollisionFilter(
        collision_systems=tuple(s.name for s in entry.collision_systems),
        collide_with_systems=tuple(s.name for s in entry.collide_with_systems) if only else (),
        not_collide_with_systems=(
            tuple(s.name for s in entry.not_collide_with_systems) if other else ()
        ),
        name=names.written(entry),
        carried=entry.kept,
    )


_READ: Final[dict[str, Callable[[Any, Axes], Any]]] = {
    "physics_materials": lambda entry, _axes: read_material(entry),
    "collision_filters": lambda entry, _axes: read_filter(entry),
    "joint_settings": joint_settings.read_settings,
}
