"""Copies physics from one object to others."""

from __future__ import annotations

from typing import Any

import bpy

from ..base import groups
from ..base.groups import copy_group
from ..base.roles import PARTS
from ..properties import choices
from .chosen_objects import OnSelection, can_change, changed, refuse, report, split, unavailable


class OMIPHYSICS_OT_copy_to_selected(choices.CopiedParts, OnSelection, bpy.types.Operator):
    """Copies the parts of the active object to the other selected ones."""

    bl_idname = "object.omi_physics_copy_to_selected"
    bl_label = "Copy Physics to Selected"
    bl_description = "Copy the physics of the active object to the other selected ones"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object has something to copy, and others are selected."""
        active = context.object
        if active is None or not any(_uses(active, part) for part in PARTS):
            return unavailable(cls, "The active object has no physics to copy")
        if _others(context):
            return True
        return unavailable(cls, "Select the objects to copy to, then the object to copy from")

    def draw(self, context: bpy.types.Context) -> None:
        """One toggle for each part that the active object has."""
        layout: Any = self.layout
        column = split(layout.column(heading="Copy"))
        for part in PARTS:
            if context.object is not None and _uses(context.object, part):
                column.prop(self, f"use_{part}")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Parts that the active object does not have stay as they are on the others."""
        source: Any = context.object
        parts = [p for p in PARTS if getattr(self, f"use_{p}") and _uses(source, p)]
        if not parts:
            return refuse(self, "The active object has no such physics to copy")
        others = _others(context)
        for obj in others:
            for part in parts:
                setattr(groups.of_object(obj), f"use_{part}", True)
                copy_group(
                    getattr(groups.of_object(source), part), getattr(groups.of_object(obj), part)
                )
            changed(obj)
        one, many = "Copied physics to {count} object", "Copied physics to {count} objects"
        return report(self, one, many, len(others))


def _others(context: bpy.types.Context) -> list[Any]:
    selected = context.selected_editable_objects
    return [obj for obj in selected if obj != context.object and can_change(obj)]


def _uses(obj: Any, part: str) -> bool:
    return bool(getattr(groups.of_object(obj), f"use_{part}"))
