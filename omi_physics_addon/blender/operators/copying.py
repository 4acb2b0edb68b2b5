"""Copies physics from one object to others."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ..properties import choices
from .targets import OnSelection, changed, message, physics, refuse, report

_PARTS: Final = (
    "motion",
    "collider",
    "trigger",
    "joint",
    "gravity",
    "vehicle_body",
    "wheel",
    "thruster",
    "hover_thruster",
    "seat",
)


class OMIPHYSICS_OT_copy_to_selected(choices.CopiedParts, OnSelection, bpy.types.Operator):
    """Copies the parts of the active object to the other selected ones."""

    bl_idname = "object.omi_physics_copy_to_selected"
    bl_label = "Copy Physics to Selected"
    bl_description = "Copy the physics of the active object to the other selected ones"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object has something to copy, and others are selected."""
        active = context.object
        if active is None or not any(_uses(active, part) for part in _PARTS):
            message(cls, "The active object has no physics to copy")
            return False
        if any(obj != active for obj in context.selected_editable_objects):
            return True
        message(cls, "Select the objects to copy to, and last the one to copy from")
        return False

    def draw(self, context: bpy.types.Context) -> None:
        """One toggle for each part that the active object has."""
        layout: Any = self.layout
        column = layout.column(heading="Copy")
        column.use_property_split = True
        for part in _PARTS:
            if context.object is not None and _uses(context.object, part):
                column.prop(self, f"use_{part}")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Parts that the active object does not have stay as they are on the others."""
        source: Any = context.object
        parts = [p for p in _PARTS if getattr(self, f"use_{p}") and _uses(source, p)]
        if not parts:
            return refuse(self, "The active object has none of the parts to copy")
        others = [obj for obj in context.selected_editable_objects if obj != source]
        for obj in others:
            for part in parts:
                setattr(physics(obj), f"use_{part}", True)
                copy_group(getattr(physics(source), part), getattr(physics(obj), part))
            changed(obj)
        one, many = "Copied physics to {count} object", "Copied physics to {count} objects"
        return report(self, one, many, len(others))


def copy_group(source: Any, target: Any) -> None:
    """Make a property group the same as another of its class, with all that is in it."""
    for prop in source.bl_rna.properties:
        name = prop.identifier
        if name == "rna_type":
            continue
        if prop.type == "COLLECTION":
            _copy_collection(getattr(source, name), getattr(target, name))
        elif prop.type == "POINTER" and issubclass(
            type(getattr(source, name)), bpy.types.PropertyGroup
        ):
            copy_group(getattr(source, name), getattr(target, name))
        elif source.is_property_set(name):
            setattr(target, name, getattr(source, name))
        else:
            target.property_unset(name)


def _copy_collection(source: Any, target: Any) -> None:
    target.clear()
    for item in source:
        copy_group(item, target.add())


def _uses(obj: Any, part: str) -> bool:
    return bool(getattr(physics(obj), f"use_{part}"))


CLASSES = (OMIPHYSICS_OT_copy_to_selected,)
