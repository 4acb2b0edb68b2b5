"""Selects, hides and shows objects by what they are in physics, or what they share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import bpy

from ..base import groups, roles, selection
from ..properties import choices, names
from .chosen_objects import Undoable, refuse, report, unavailable

_SHARED: Final = {
    "MATERIAL": names.REFERRERS["physics_materials"],
    "FILTER": names.REFERRERS["collision_filters"],
    "JOINT": names.REFERRERS["joint_settings"],
}


class OnView(Undoable):
    """An operator on what is shown and selected."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether objects can be selected and hidden."""
        view_layer: Any = context.view_layer
        if view_layer is not None and selection.can_select(view_layer):
            return True
        return unavailable(cls, "Switch to Object Mode first")


class Selects(choices.Extend, OnView):
    """An operator that selects; with Shift beside what is selected."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Take the keys that are held."""
        self.extend = self.extend or event.shift
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Select."""
        raise NotImplementedError


class OMIPHYSICS_OT_select_role(choices.RoleChoice, Selects, bpy.types.Operator):
    """Selects objects by what they are."""

    bl_idname = "object.omi_physics_select_role"
    bl_label = "Select by Role"
    bl_description = "Select the objects with this physics role; Shift extends the selection"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Select those with the role; say so where there are none, or all are hidden."""
        chosen: Any = self
        view_layer: Any = context.view_layer
        found = roles.having(view_layer.objects, chosen.role)
        if not found:
            return refuse(self, "The scene has no such objects")
        return _select(self, view_layer, found, chosen.extend)


class OMIPHYSICS_OT_select_same(choices.Shared, Selects, bpy.types.Operator):
    """Selects objects that share something with the active one."""

    bl_idname = "object.omi_physics_select_same"
    bl_label = "Select Same"
    bl_description = "Select the objects that share this with the active object"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active object."""
        if context.object is None:
            return unavailable(cls, "There is no active object")
        return super().poll(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """The active one stays selected and active."""
        chosen: Any = self
        view_layer: Any = context.view_layer
        active: Any = context.object
        wanted = set(_values(active, chosen.what))
        if not wanted:
            return refuse(self, "{name} has nothing of this kind to share", name=active.name)
        found = [o for o in view_layer.objects if not wanted.isdisjoint(_values(o, chosen.what))]
        found.sort(key=lambda obj: obj != active)
        return _select(self, view_layer, found, chosen.extend)


def is_shared(obj: Any, what: str) -> bool:
    """Whether an object has something of a kind that others can have as well."""
    return any(True for _ in _values(obj, what))


def _values(obj: Any, what: str) -> Iterator[str]:
    """What an object has of a kind that can be shared; nothing for what is not there."""
    group = groups.of_object(obj)
    if what == "SHAPE":
        if group.use_collider:
            yield group.collider.shape.type
        if group.use_trigger and group.trigger.mode == "SHAPE":
            yield group.trigger.shape.type
        return
    for part, attribute in _SHARED[what]:
        value = getattr(getattr(group, part), attribute)
        if getattr(group, f"use_{part}") and value:
            yield value


def _select(operator: Any, view_layer: Any, found: list[Any], extend: bool) -> set[Any]:
    active = view_layer.objects.active
    keep = extend and active is not None and active.select_get()
    count = selection.select(view_layer, found, extend=extend, activate=not keep)
    if not count:
        return refuse(operator, "All these objects are hidden or not selectable")
    return report(operator, "Selected {count} object", "Selected {count} objects", count)


class OMIPHYSICS_OT_hide_role(choices.RoleChoice, OnView, bpy.types.Operator):
    """Hides objects by what they are."""

    bl_idname = "object.omi_physics_hide_role"
    bl_label = "Hide by Role"
    bl_description = "Hide the objects with this physics role; Show All unhides them"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that are hidden already are not noted, so that they stay hidden."""
        chosen: Any = self
        view_layer: Any = context.view_layer
        selection.forget_shown(view_layer)
        count = selection.hide(view_layer, roles.having(view_layer.objects, chosen.role))
        if not count:
            return refuse(self, "There is nothing to hide")
        return report(self, "Hid {count} object", "Hid {count} objects", count)


class OMIPHYSICS_OT_show_role(choices.RoleChoice, OnView, bpy.types.Operator):
    """Shows objects by what they are."""

    bl_idname = "object.omi_physics_show_role"
    bl_label = "Show by Role"
    bl_description = "Show all objects with this physics role"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those of collections that are hidden stay hidden."""
        chosen: Any = self
        view_layer: Any = context.view_layer
        selection.forget_shown(view_layer)
        count = selection.show(view_layer, roles.having(view_layer.objects, chosen.role))
        if not count:
            return refuse(self, "None of these objects is hidden")
        return report(self, "Showed {count} object", "Showed {count} objects", count)


class OMIPHYSICS_OT_show_all(OnView, bpy.types.Operator):
    """Shows what was hidden by its role."""

    bl_idname = "object.omi_physics_show_all"
    bl_label = "Show All"
    bl_description = "Show all objects hidden by Hide by Role"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """What somebody has shown and hidden by hand since counts as hidden by hand."""
        view_layer: Any = context.view_layer
        selection.forget_shown(view_layer)
        count = selection.show_again(view_layer)
        if not count:
            return refuse(self, "No object was hidden by Hide by Role")
        return report(self, "Showed {count} object", "Showed {count} objects", count)
