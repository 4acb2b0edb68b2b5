"""Edits the collision filters of a scene as a table of systems."""

from __future__ import annotations

from typing import Any

import bpy

from ..base import groups, selection
from ..properties import choices, names
from .chosen_objects import (
    OnScene,
    OnSelection,
    can_edit_scene,
    changed,
    done,
    lists_changed,
    refuse,
    report,
    split,
    targets,
)


def _is_known(context: bpy.types.Context, *systems: str) -> bool:
    from ..authoring import filter_matrix

    return all(system in filter_matrix.systems(context.scene) for system in systems)


class OMIPHYSICS_OT_set_pair(choices.Pair, OnScene, bpy.types.Operator):
    """Lets two systems hit each other, or not."""

    bl_idname = "scene.omi_physics_set_pair"
    bl_label = "Set Who Hits Whom"
    bl_description = "Toggle whether objects of these two systems collide"

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Name the two systems."""
        verb = "hit" if properties.hits else "pass through"
        return f"Let {properties.one} and {properties.other} {verb} each other"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Both systems say it, because both sides must agree."""
        from ..authoring import filter_matrix

        chosen: Any = self
        one, other = chosen.one, chosen.other
        if not _is_known(context, one, other):
            return refuse(self, "The collision system does not exist in the scene")
        filter_matrix.set_meeting(context.scene, one, other, chosen.hits)
        lists_changed(context)
        text = "{one} and {other} hit each other" if chosen.hits else "{one} and {other} do not hit"
        return done(self, text, one=one, other=other)


class OMIPHYSICS_OT_new_system(OnScene, bpy.types.Operator):
    """Adds a collision system."""

    bl_idname = "scene.omi_physics_new_system"
    bl_label = "New Collision System"
    bl_description = (
        "Add a collision system that collides with all others, and a filter for its members"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """A system is there as long as a filter names it."""
        from ..authoring import filter_matrix

        name = names.unique("System", filter_matrix.systems(context.scene))
        filter_matrix.filter_for(context.scene, name)
        groups.of_scene(context.scene).sidebar.system = name
        lists_changed(context)
        return done(self, "Added {name}", name=name)


class OMIPHYSICS_OT_rename_system(choices.RenamedSystem, OnScene, bpy.types.Operator):
    """Renames a collision system."""

    bl_idname = "scene.omi_physics_rename_system"
    bl_label = "Rename Collision System"
    bl_description = "Rename the system in all filters"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Ask for the name, starting with that of today."""
        self.new_name = self.system
        manager: Any = context.window_manager
        return manager.invoke_props_dialog(self)

    def draw(self, context: bpy.types.Context) -> None:
        """The name alone."""
        layout = split(self.layout)
        layout.prop(self, "new_name")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """A name that another system has makes the two one, which the artist must want."""
        from ..authoring import filter_matrix

        chosen: Any = self
        old, new = chosen.system, chosen.new_name.strip()
        if not _is_known(context, old):
            return refuse(self, "The collision system does not exist in the scene")
        if not new or new == old:
            return refuse(self, "Enter another name")
        if _is_known(context, new):
            return refuse(self, "Another system has the name {name}", name=new)
        filter_matrix.rename(context.scene, old, new)
        if groups.of_scene(context.scene).sidebar.system == old:
            groups.of_scene(context.scene).sidebar.system = new
        lists_changed(context)
        return done(self, "Renamed {old} to {new}", old=old, new=new)


class OMIPHYSICS_OT_delete_system(choices.System, OnScene, bpy.types.Operator):
    """Removes a collision system."""

    bl_idname = "scene.omi_physics_delete_system"
    bl_label = "Remove Collision System"
    bl_description = "Remove the system from all filters, and remove filters that become empty"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """What other systems do to each other stays."""
        from ..authoring import filter_matrix

        chosen: Any = self
        if not _is_known(context, chosen.system):
            return refuse(self, "The collision system does not exist in the scene")
        filter_matrix.remove(context.scene, chosen.system)
        lists_changed(context)
        return done(self, "Removed {name}", name=chosen.system)


class OMIPHYSICS_OT_pick_system(choices.System, OnScene, bpy.types.Operator):
    """Makes a collision system the active one."""

    bl_idname = "scene.omi_physics_pick_system"
    bl_label = "Choose Collision System"
    bl_description = "Use this system for the buttons below"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Only what exists can be chosen."""
        chosen: Any = self
        if not _is_known(context, chosen.system):
            return refuse(self, "The collision system does not exist in the scene")
        groups.of_scene(context.scene).sidebar.system = chosen.system
        lists_changed(context)
        return {"FINISHED"}


class OMIPHYSICS_OT_merge_filters(OnScene, bpy.types.Operator):
    """Merges filters that mean the same."""

    bl_idname = "scene.omi_physics_merge_filters"
    bl_label = "Merge Equal Filters"
    bl_description = "Merge collision filters with the same meaning, and reassign their objects"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """The first of a group stays."""
        from ..authoring import filter_matrix

        count = filter_matrix.merge(context.scene)
        if not count:
            return refuse(self, "No two filters have the same meaning")
        lists_changed(context)
        return report(self, "Removed {count} filter", "Removed {count} filters", count)


class OMIPHYSICS_OT_assign_system(choices.System, OnSelection, bpy.types.Operator):
    """Puts the selected objects into a collision system."""

    bl_idname = "object.omi_physics_assign_system"
    bl_label = "Assign Collision System"
    bl_description = "Move the colliders and triggers of the selected objects into this system only"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a filter can be made, and something selected use it."""
        return can_edit_scene(cls, context) and super().poll(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Its filter is made where there is none."""
        from ..authoring import filter_matrix

        chosen: Any = self
        system = chosen.system or groups.of_scene(context.scene).sidebar.system
        if not _is_known(context, system):
            return refuse(self, "Choose a system first")
        found = [obj for obj in targets(context) if filter_matrix.can_assign(obj)]
        if not found:
            return refuse(self, "The selected objects have no colliders or triggers")
        entry = filter_matrix.filter_for(context.scene, system)
        for obj in found:
            filter_matrix.assign(obj, entry.name)
            changed(obj)
        one, many = "Put {count} object into {name}", "Put {count} objects into {name}"
        return report(self, one, many, len(found), name=system)


class OMIPHYSICS_OT_select_system(choices.System, choices.Extend, OnScene, bpy.types.Operator):
    """Selects what is in a collision system."""

    bl_idname = "object.omi_physics_select_system"
    bl_label = "Select System Members"
    bl_description = "Select the objects in the system"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Say where there is nothing."""
        from ..authoring import filter_matrix

        chosen: Any = self
        view_layer: Any = context.view_layer
        system = chosen.system or groups.of_scene(context.scene).sidebar.system
        found = filter_matrix.users(context.scene, system, view_layer.objects)
        count = selection.select(view_layer, found, extend=chosen.extend) if found else 0
        if not count:
            return refuse(self, "No visible object is in {name}", name=system)
        return report(self, "Selected {count} object", "Selected {count} objects", count)
