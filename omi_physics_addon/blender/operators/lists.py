"""Edits the lists of a scene, which objects refer to by name: materials, filters, joints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import bpy

from ..base import compat, groups
from ..properties import choices, names
from .chosen_objects import (
    OnScene,
    Undoable,
    active_entry,
    can_change,
    can_edit_scene,
    changed,
    counted,
    done,
    lists_changed,
    made,
    refuse,
    report,
    targets,
    unavailable,
)


class _OnEntry(Undoable):
    """An operator that needs an active entry of a list."""

    list_name: str

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is one."""
        if context.scene is not None and active_entry(context, cls.list_name) is not None:
            return True
        return unavailable(cls, "The list has no active entry")


class _ChangesEntry(_OnEntry):
    """An operator that changes the list."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the scene can be changed."""
        return can_edit_scene(cls, context) and super().poll(context)


class _List(NamedTuple):
    """A list of the scene, for the sentences of its operators.

    Attributes:
        noun, one: what an entry is called, and with its article.
        short: the same in labels of those who use it.
        users: what uses entries.
        parts: what of the selected objects can use them.
        lacking: what objects have none of that can use them.
    """

    name: str
    noun: str
    one: str
    short: str
    users: str
    parts: str
    lacking: str


_MATERIALS: Final = _List(
    "physics_materials",
    "physics material",
    "a physics material",
    "Material",
    "objects",
    "colliders of the selected objects",
    "colliders",
)
_FILTERS: Final = _List(
    "collision_filters",
    "collision filter",
    "a collision filter",
    "Filter",
    "objects",
    "colliders and triggers of the selected objects",
    "colliders or triggers",
)
_JOINTS: Final = _List(
    "joint_settings",
    "joint settings",
    "joint settings",
    "Settings",
    "joints",
    "selected joints",
    "joint",
)


class _Add(choices.NewEntry, OnScene):
    list_name: str
    of: _List
    text = "Add {one} to the scene"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Make the new entry the active one."""
        settings = groups.of_scene(context.scene)
        entry = getattr(settings, self.list_name).add(self.of.noun.title())
        setattr(settings, f"{self.list_name}_index", len(getattr(settings, self.list_name)) - 1)
        if self.assign:
            for obj in targets(context):
                _assign(obj, self.list_name, entry.name)
        lists_changed(context)
        return done(self, "Added {name}", name=entry.name)


class _Remove(_ChangesEntry):
    text = "Remove the active {noun} from the scene and from all {users}"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects that use the entry use none afterwards."""
        settings = groups.of_scene(context.scene)
        entries = getattr(settings, self.list_name)
        index = getattr(settings, f"{self.list_name}_index")
        name: str = entries[index].name
        users = list(_users(context.scene, self.list_name, name))
        for obj in filter(can_change, users):
            _replace(obj, self.list_name, name, "")
        painted = [material for material in bpy.data.materials if _surface_of(material) == name]
        entries.remove(index)
        painted = [material for material in painted if _surface_of(material) != name]
        setattr(settings, f"{self.list_name}_index", max(min(index, len(entries) - 1), 0))
        lists_changed(context)
        used = [
            counted(one, many, count)
            for one, many, count in (
                ("{count} object", "{count} objects", len(users)),
                ("{count} Blender material", "{count} Blender materials", len(painted)),
            )
            if count
        ]
        if not used:
            return done(self, "Removed {name}", name=name)
        return done(self, "Removed {name}; used by {users}", name=name, users=", ".join(used))


class _Move(choices.Direction, _ChangesEntry):
    text = "Move the active {noun} in the list"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Stop at the ends of the list."""
        settings = groups.of_scene(context.scene)
        entries = getattr(settings, self.list_name)
        old = getattr(settings, f"{self.list_name}_index")
        new = old + (-1 if self.direction == "UP" else 1)
        if not 0 <= new < len(entries):
            return refuse(self, "The entry is at the end of the list")
        entries.move(old, new)
        setattr(settings, f"{self.list_name}_index", new)
        lists_changed(context)
        return {"FINISHED"}


class _Assign(_OnEntry):
    of: _List
    text = "Assign the active {noun} to the {parts}"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects without a part that can use the entry are skipped."""
        name = active_entry(context, self.list_name).name
        count = sum(_assign(obj, self.list_name, name) for obj in targets(context))
        if not count:
            return refuse(self, f"The selected objects have no {self.of.lacking}")
        one, many = "Assigned {name} to {count} object", "Assigned {name} to {count} objects"
        return report(self, one, many, count, name=name)


class _Select(choices.Extend, _OnEntry):
    label = "Select {short} Users"
    text = "Select the {users} that use the active {noun}"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Hidden objects cannot be selected; they are counted in the report of none."""
        name = active_entry(context, self.list_name).name
        users = set(_users(context.scene, self.list_name, name))
        view_layer: Any = context.view_layer
        count = 0
        for obj in view_layer.objects:
            if obj in users and obj.visible_get() and not obj.hide_select:
                obj.select_set(True)
                count += 1
            elif not self.extend:
                obj.select_set(False)
        if not count:
            return refuse(self, "No visible object uses {name}", name=name)
        return report(self, "Selected {count} object", "Selected {count} objects", count)


def _holders(obj: Any, list_name: str) -> Iterator[tuple[Any, str]]:
    """The property groups of an object that can name an entry of a list, and the attribute."""
    group = groups.of_object(obj)
    for part, attribute in names.REFERRERS[list_name]:
        if getattr(group, f"use_{part}"):
            yield getattr(group, part), attribute


def _users(scene: Any, list_name: str, name: str) -> Iterator[Any]:
    """The objects of a scene, and of what it instances, that use an entry of a list."""
    for obj in names.objects_of(scene):
        if any(getattr(group, at) == name for group, at in _holders(obj, list_name)):
            yield obj


def _surface_of(material: Any) -> str:
    """The physics material that faces with a Blender material have, empty for none."""
    return getattr(material, compat.ATTRIBUTE).physics_material


def _assign(obj: Any, list_name: str, name: str) -> bool:
    """Whether the object has a part that now uses the entry."""
    holders = list(_holders(obj, list_name))
    for group, attribute in holders:
        setattr(group, attribute, name)
    if holders:
        changed(obj)
    return bool(holders)


def _replace(obj: Any, list_name: str, old: str, new: str) -> None:
    for group, attribute in _holders(obj, list_name):
        if getattr(group, attribute) == old:
            setattr(group, attribute, new)
    changed(obj)


# What each operator does, and to which list.
_ROWS: Final = {
    "scene.omi_physics_add_physics_material": (_Add, _MATERIALS),
    "scene.omi_physics_remove_physics_material": (_Remove, _MATERIALS),
    "scene.omi_physics_move_physics_material": (_Move, _MATERIALS),
    "object.omi_physics_assign_physics_material": (_Assign, _MATERIALS),
    "object.omi_physics_select_physics_material": (_Select, _MATERIALS),
    "scene.omi_physics_add_collision_filter": (_Add, _FILTERS),
    "scene.omi_physics_remove_collision_filter": (_Remove, _FILTERS),
    "scene.omi_physics_move_collision_filter": (_Move, _FILTERS),
    "object.omi_physics_assign_collision_filter": (_Assign, _FILTERS),
    "object.omi_physics_select_collision_filter": (_Select, _FILTERS),
    "scene.omi_physics_add_joint_settings": (_Add, _JOINTS),
    "scene.omi_physics_remove_joint_settings": (_Remove, _JOINTS),
    "scene.omi_physics_move_joint_settings": (_Move, _JOINTS),
    "object.omi_physics_assign_joint_settings": (_Assign, _JOINTS),
    "object.omi_physics_select_joint_settings": (_Select, _JOINTS),
}
MADE = tuple(
    made(
        idname,
        (action,),
        getattr(action, "label", "").format(**of._asdict()),
        action.text.format(**of._asdict()),
        list_name=of.name,
        of=of,
    )
    for idname, (action, of) in _ROWS.items()
)
