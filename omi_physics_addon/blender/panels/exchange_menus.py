"""Menus of what brings physics over from somewhere else, and gives it back."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties import rigid_choices


class OMIPHYSICS_MT_rigid_bodies(bpy.types.Menu):
    """Between Blender's own rigid bodies and ours."""

    bl_label = "Rigid Bodies"

    def draw(self, context: bpy.types.Context) -> None:
        """Both ways, for the selection and for all."""
        layout: Any = self.layout
        for operator, one, every in (
            ("object.omi_physics_from_rigid_bodies", "From Rigid Bodies", "From All Rigid Bodies"),
            ("object.omi_physics_to_rigid_bodies", "To Rigid Bodies", "All to Rigid Bodies"),
        ):
            layout.operator(operator, text=one).scope = "SELECTED"
            layout.operator(operator, text=every).scope = "SCENE"


class OMIPHYSICS_MT_by_names(bpy.types.Menu):
    """Physics that names ask for."""

    bl_label = "Physics by Names"

    def draw(self, context: bpy.types.Context) -> None:
        """For the selection and for all."""
        layout: Any = self.layout
        for scope, text in (("SELECTED", "Of Selected Objects"), ("SCENE", "Of All Objects")):
            layout.operator("object.omi_physics_physics_by_names", text=text).scope = scope


class OMIPHYSICS_MT_known_material(bpy.types.Menu):
    """Materials with measured values."""

    bl_label = "Known Material"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per material."""
        layout: Any = self.layout
        for kind, label, _ in rigid_choices.MATERIALS:
            operator = layout.operator("object.omi_physics_known_material", text=label)
            operator.material = kind
