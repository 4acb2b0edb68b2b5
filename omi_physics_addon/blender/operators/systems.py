"""Edits the lists of systems of the active collision filter."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties import choices, names
from ..properties.entries import is_editable
from .chosen_objects import (
    OnScene,
    active_entry,
    done,
    lists_changed,
    refuse,
    unavailable,
)


class _OnFilter(OnScene):
    """An operator on the active collision filter."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active filter."""
        if not super().poll(context):
            return False
        entry = _active_filter(context)
        if entry is None:
            return unavailable(cls, "The scene has no active collision filter")
        if not is_editable(entry):
            return unavailable(cls, "The active collision filter is linked from another file")
        return True


class OMIPHYSICS_OT_add_system(choices.SystemList, _OnFilter, bpy.types.Operator):
    """Adds a system to a list of the active collision filter."""

    bl_idname = "scene.omi_physics_add_system"
    bl_label = "Add System"
    bl_description = "Add a collision system to this list; systems are identified by name"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Give it a name that the list does not have yet."""
        chosen: Any = self
        systems = getattr(_active_filter(context), chosen.systems)
        name = names.unique("System", [system.name for system in systems])
        systems.add().name = name
        lists_changed(context)
        return done(self, "Added {name}", name=name)


class OMIPHYSICS_OT_remove_system(choices.SystemList, choices.Index, _OnFilter, bpy.types.Operator):
    """Removes a system from a list of the active collision filter."""

    bl_idname = "scene.omi_physics_remove_system"
    bl_label = "Remove System"
    bl_description = "Remove this collision system from the list"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Give up where the list is shorter."""
        chosen: Any = self
        systems = getattr(_active_filter(context), chosen.systems)
        if self.index >= len(systems):
            return refuse(self, "The list has no such entry")
        name = systems[self.index].name
        systems.remove(self.index)
        lists_changed(context)
        return done(self, "Removed {name}", name=name)


def _active_filter(context: bpy.types.Context) -> Any:
    return active_entry(context, "collision_filters")
