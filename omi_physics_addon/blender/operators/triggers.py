"""Edits the list of triggers that make up a compound trigger."""

from __future__ import annotations

from typing import Any

import bpy

from ..base import groups
from ..base.hierarchy import ancestors
from .chosen_objects import Undoable, can_change, changed, refuse, report, unavailable


class _OnTrigger(Undoable):
    """An operator on the trigger of the object that is active or shown."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the object has a trigger."""
        shown = context.object
        if shown is not None and can_change(shown) and groups.read(shown).use_trigger:
            return True
        return unavailable(cls, "The active object has no trigger")


class OMIPHYSICS_OT_trigger_add_selected(_OnTrigger, bpy.types.Operator):
    """Lists the selected triggers below the active one in it."""

    bl_idname = "object.omi_physics_trigger_add_selected"
    bl_label = "Add Selected to Trigger List"
    bl_description = "Add the selected triggers to the list of the active trigger above them"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects that are listed, no triggers or not below the active one are skipped."""
        owner: Any = context.object
        trigger = groups.of_object(owner).trigger
        listed = {item.object for item in trigger.nodes}
        found = [
            obj
            for obj in context.selected_objects
            if obj not in listed and groups.read(obj).use_trigger and owner in ancestors(obj)
        ]
        if not found:
            why = "Select triggers among the children of {name} that are not listed yet"
            return refuse(self, why, name=owner.name)
        trigger.mode = "LIST"
        for obj in found:
            trigger.nodes.add().object = obj
        trigger.nodes_index = len(trigger.nodes) - 1
        changed(owner)
        return report(self, "Listed {count} trigger", "Listed {count} triggers", len(found))


class OMIPHYSICS_OT_trigger_remove(_OnTrigger, bpy.types.Operator):
    """Takes the active entry from the list of a compound trigger."""

    bl_idname = "object.omi_physics_trigger_remove"
    bl_label = "Remove from Trigger List"
    bl_description = "Remove the active entry from the list of the trigger"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Make the entry after it the active one."""
        trigger = groups.of_object(context.object).trigger
        if not 0 <= trigger.nodes_index < len(trigger.nodes):
            return refuse(self, "The list has no active entry")
        trigger.nodes.remove(trigger.nodes_index)
        trigger.nodes_index = max(min(trigger.nodes_index, len(trigger.nodes) - 1), 0)
        changed(context.object)
        return {"FINISHED"}


class OMIPHYSICS_OT_trigger_clear(_OnTrigger, bpy.types.Operator):
    """Empties the list of a compound trigger."""

    bl_idname = "object.omi_physics_trigger_clear"
    bl_label = "Clear Trigger List"
    bl_description = "Remove all entries from the list of the trigger"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Tell how many there were."""
        trigger = groups.of_object(context.object).trigger
        count = len(trigger.nodes)
        if not count:
            return refuse(self, "The list is empty already")
        trigger.nodes.clear()
        trigger.nodes_index = 0
        changed(context.object)
        return report(self, "Removed {count} entry", "Removed {count} entries", count)
