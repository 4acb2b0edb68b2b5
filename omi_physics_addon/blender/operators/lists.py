"""Edits the lists of a scene, which objects refer to by name: materials, filters, joints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

from ..base import compat, groups
from ..properties import choices, names
from .chosen_objects import (
    OnScene,
    active_entry,
    can_change,
    can_edit_scene,
    changed,
    counted,
    done,
    lists_changed,
    message,
    refuse,
    report,
    targets,
)

Texts = tuple[str, str]


class _OnEntry:
    """An operator that needs an active entry of a list."""

    bl_options: Any = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.
    list_name: str

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is one."""
        if context.scene is not None and active_entry(context, cls.list_name) is not None:
            return True
        message(cls, "The list has no active entry")
        return False


class _ChangesEntry(_OnEntry):
    """An operator that changes the list."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the scene can be changed."""
        return can_edit_scene(cls, context) and super().poll(context)


class _Materials:
    list_name = "physics_materials"


class _Filters:
    list_name = "collision_filters"


class _JointSettings:
    list_name = "joint_settings"


class _Add(choices.NewEntry, OnScene):
    list_name: str
    new_name: str

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Make the new entry the active one."""
        settings = groups.of_scene(context.scene)
        entry = getattr(settings, self.list_name).add(self.new_name)
        setattr(settings, f"{self.list_name}_index", len(getattr(settings, self.list_name)) - 1)
        if self.assign:
            for obj in targets(context):
                _assign(obj, self.list_name, entry.name)
        lists_changed(context)
        return done(self, "Added {name}", name=entry.name)


class OMIPHYSICS_OT_add_physics_material(_Materials, _Add, bpy.types.Operator):
    """Adds a physics material to the scene."""

    bl_idname = "scene.omi_physics_add_physics_material"
    bl_label = "Add Physics Material"
    bl_description = "Add a physics material to the scene"
    new_name = "Physics Material"


class OMIPHYSICS_OT_add_collision_filter(_Filters, _Add, bpy.types.Operator):
    """Adds a collision filter to the scene."""

    bl_idname = "scene.omi_physics_add_collision_filter"
    bl_label = "Add Collision Filter"
    bl_description = "Add a collision filter to the scene"
    new_name = "Collision Filter"


class OMIPHYSICS_OT_add_joint_settings(_JointSettings, _Add, bpy.types.Operator):
    """Adds joint settings to the scene."""

    bl_idname = "scene.omi_physics_add_joint_settings"
    bl_label = "Add Joint Settings"
    bl_description = "Add joint settings to the scene"
    new_name = "Joint Settings"


class _Remove(_ChangesEntry):
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


class OMIPHYSICS_OT_remove_physics_material(_Materials, _Remove, bpy.types.Operator):
    """Removes the active physics material."""

    bl_idname = "scene.omi_physics_remove_physics_material"
    bl_label = "Remove Physics Material"
    bl_description = "Remove the active physics material from the scene and from all objects"


class OMIPHYSICS_OT_remove_collision_filter(_Filters, _Remove, bpy.types.Operator):
    """Removes the active collision filter."""

    bl_idname = "scene.omi_physics_remove_collision_filter"
    bl_label = "Remove Collision Filter"
    bl_description = "Remove the active collision filter from the scene and from all objects"


class OMIPHYSICS_OT_remove_joint_settings(_JointSettings, _Remove, bpy.types.Operator):
    """Removes the active joint settings."""

    bl_idname = "scene.omi_physics_remove_joint_settings"
    bl_label = "Remove Joint Settings"
    bl_description = "Remove the active joint settings from the scene and from all joints"


class _Move(choices.Direction, _ChangesEntry):
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


class OMIPHYSICS_OT_move_physics_material(_Materials, _Move, bpy.types.Operator):
    """Moves the active physics material in the list."""

    bl_idname = "scene.omi_physics_move_physics_material"
    bl_label = "Move Physics Material"
    bl_description = "Move the active physics material in the list"


class OMIPHYSICS_OT_move_collision_filter(_Filters, _Move, bpy.types.Operator):
    """Moves the active collision filter in the list."""

    bl_idname = "scene.omi_physics_move_collision_filter"
    bl_label = "Move Collision Filter"
    bl_description = "Move the active collision filter in the list"


class OMIPHYSICS_OT_move_joint_settings(_JointSettings, _Move, bpy.types.Operator):
    """Moves the active joint settings in the list."""

    bl_idname = "scene.omi_physics_move_joint_settings"
    bl_label = "Move Joint Settings"
    bl_description = "Move the active joint settings in the list"


class _Assign(_OnEntry):
    texts: Texts
    nothing: str

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects without a part that can use the entry are skipped."""
        name = active_entry(context, self.list_name).name
        count = sum(_assign(obj, self.list_name, name) for obj in targets(context))
        if not count:
            return refuse(self, self.nothing)
        return report(self, *self.texts, count, name=name)


class OMIPHYSICS_OT_assign_physics_material(_Materials, _Assign, bpy.types.Operator):
    """Gives the active physics material to the selected colliders."""

    bl_idname = "object.omi_physics_assign_physics_material"
    bl_label = "Assign Physics Material"
    bl_description = "Assign the active physics material to the colliders of the selected objects"
    texts = ("Assigned {name} to {count} object", "Assigned {name} to {count} objects")
    nothing = "The selected objects have no colliders"


class OMIPHYSICS_OT_assign_collision_filter(_Filters, _Assign, bpy.types.Operator):
    """Gives the active collision filter to the selected colliders and triggers."""

    bl_idname = "object.omi_physics_assign_collision_filter"
    bl_label = "Assign Collision Filter"
    bl_description = (
        "Assign the active collision filter to the colliders and triggers of the selected objects"
    )
    texts = ("Assigned {name} to {count} object", "Assigned {name} to {count} objects")
    nothing = "The selected objects have no colliders or triggers"


class OMIPHYSICS_OT_assign_joint_settings(_JointSettings, _Assign, bpy.types.Operator):
    """Gives the active joint settings to the selected joints."""

    bl_idname = "object.omi_physics_assign_joint_settings"
    bl_label = "Assign Joint Settings"
    bl_description = "Assign the active joint settings to the selected joints"
    texts = ("Assigned {name} to {count} object", "Assigned {name} to {count} objects")
    nothing = "The selected objects have no joint"


class _Select(choices.Extend, _OnEntry):
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


class OMIPHYSICS_OT_select_physics_material(_Materials, _Select, bpy.types.Operator):
    """Selects the objects that use the active physics material."""

    bl_idname = "object.omi_physics_select_physics_material"
    bl_label = "Select Material Users"
    bl_description = "Select the objects that use the active physics material"


class OMIPHYSICS_OT_select_collision_filter(_Filters, _Select, bpy.types.Operator):
    """Selects the objects that use the active collision filter."""

    bl_idname = "object.omi_physics_select_collision_filter"
    bl_label = "Select Filter Users"
    bl_description = "Select the objects that use the active collision filter"


class OMIPHYSICS_OT_select_joint_settings(_JointSettings, _Select, bpy.types.Operator):
    """Selects the joints that use the active joint settings."""

    bl_idname = "object.omi_physics_select_joint_settings"
    bl_label = "Select Settings Users"
    bl_description = "Select the joints that use the active joint settings"


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


CLASSES = (
    OMIPHYSICS_OT_add_physics_material,
    OMIPHYSICS_OT_remove_physics_material,
    OMIPHYSICS_OT_move_physics_material,
    OMIPHYSICS_OT_assign_physics_material,
    OMIPHYSICS_OT_select_physics_material,
    OMIPHYSICS_OT_add_collision_filter,
    OMIPHYSICS_OT_remove_collision_filter,
    OMIPHYSICS_OT_move_collision_filter,
    OMIPHYSICS_OT_assign_collision_filter,
    OMIPHYSICS_OT_select_collision_filter,
    OMIPHYSICS_OT_add_joint_settings,
    OMIPHYSICS_OT_remove_joint_settings,
    OMIPHYSICS_OT_move_joint_settings,
    OMIPHYSICS_OT_assign_joint_settings,
    OMIPHYSICS_OT_select_joint_settings,
)
