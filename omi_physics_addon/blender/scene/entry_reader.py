"""Reads the materials, filters and joint settings that objects name in the lists of scenes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import bpy

from ...axes import Axes
from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import CollisionFilter, PhysicsMaterial
from ...model.document import Interned, InternedLists
from ...model.fields import FilterIndex, JointIndex, MaterialIndex
from ..base import groups
from ..properties import names
from . import joint_settings, property_records

_PLAIN: Final = Axes()  # For what has no direction.


class EntryReader:
    """The entries of the lists of scenes, each read once on first use.

    A name that the scene's own list lacks is looked for in those of the other scenes of the
    .blend file: an object that is linked into two scenes, or moved to another one, still has the
    material that it shows. Scenes that have the object come before all others. It is told which
    scene an entry is from, and that a name is lost where no scene has it, or where several have
    it for different things.

    Attributes:
        scene: the one that is read.
    """

    def __init__(self, lists: InternedLists, issues: Issues) -> None:
        self.scene: bpy.types.Scene | None = None
        self._lists, self._issues = lists, issues
        self._found: dict[tuple[Any, ...], int | None] = {}
        self._entries: dict[tuple[Any, str], dict[str, Any]] = {}
        self._held: dict[tuple[str, str], dict[Any, Any]] = {}

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

    def used(self, scene: bpy.types.Scene) -> dict[str, set[str]]:
        """The names of the entries of a scene that were read, by list."""
        found: dict[str, set[str]] = {}
        for (of, list_name, name, _axes), index in self._found.items():
            if of == scene and index is not None:
                found.setdefault(list_name, set()).add(name)
        return found

    def _index(
        self, list_name: str, name: str, obj: bpy.types.Object, axes: Axes = _PLAIN
    ) -> int | None:
        key = (self.scene, list_name, name, axes)
        if key not in self._found:
            entry = self._entry(self.scene, list_name, name)
            self._found[key] = None if entry is None else self._add(entry, list_name, axes)
        index = self._found[key]
        return self._elsewhere(list_name, name, obj, axes) if index is None else index

    def _add(self, entry: Any, list_name: str, axes: Axes) -> int:
        interned: Interned = getattr(self._lists, list_name)
        return interned.index(_READ[list_name](entry, axes))

    def _elsewhere(
        self, list_name: str, name: str, obj: bpy.types.Object, axes: Axes
    ) -> int | None:
        """The document's index of an entry that only other scenes have; tells where it is from."""
        what = list_name.replace("_", " ")
        why = f"{name!r} is not among the {what} of the scene"
        holders = self._holders(list_name, name)
        if len(holders) > 1:
            own: Any = cast(Any, obj).users_scene
            holders = {s: entry for s, entry in holders.items() if s in own} or holders
        found: dict[Any, Any] = {}  # Record → the first scene that has it, and its entry.
        for scene, entry in holders.items():
            found.setdefault(_READ[list_name](entry, axes), (scene.name, entry))
        if len(found) == 1:
            ((scene_name, entry),) = found.values()
            self._issues.add(
                Code.NAME_IN_OTHER_SCENE, obj.name, f"{why}; that of {scene_name} is taken"
            )
            return self._add(entry, list_name, axes)
        if found:
            one, other, *_ = found.values()
            why += f", and those of {one[0]} and {other[0]} differ"
        lost = "the joint is not written" if list_name == "joint_settings" else "written without it"
        self._issues.add(Code.NAME_NOT_IN_LIST, obj.name, f"{why}; {lost}")
        return None

    def _holders(self, list_name: str, name: str) -> dict[Any, Any]:
        """The scenes whose list has an entry of that name, with the entry."""
        key = (list_name, name)
        if key not in self._held:
            entries = {scene: self._entry(scene, list_name, name) for scene in bpy.data.scenes}
            self._held[key] = {s: entry for s, entry in entries.items() if entry is not None}
        return self._held[key]

    def _entry(self, scene: Any, list_name: str, name: str) -> Any:
        """The entry of a scene's list, None for none; Blender itself would search the list."""
        key = (scene, list_name)
        if key not in self._entries:
            entries = getattr(groups.of_scene(scene), list_name)
            self._entries[key] = {}
            for entry in entries:
                self._entries[key].setdefault(entry.name, entry)
        return self._entries[key].get(name)


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
