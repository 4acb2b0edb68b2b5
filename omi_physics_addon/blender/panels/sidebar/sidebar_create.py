"""3D Viewport > sidebar > OMI Physics > Create."""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from ...base.hierarchy import ancestors
from ..part_buttons import draw_parts
from ..tabs import Closed, Section
from .sidebar_physics import shown_object


class OMIPHYSICS_PT_sidebar_create(Closed, Section, bpy.types.Panel):
    """Adds new objects, and parts to what is selected."""

    bl_label = "Create"
    bl_order = 5

    def draw(self, context: bpy.types.Context) -> None:
        """A menu of new objects, then the parts of the active one, in places that do not change."""
        layout: Any = self.layout
        layout.menu("OMIPHYSICS_MT_new", text="Add New Object", icon="ADD")
        shown = shown_object(context)
        group = None if shown is None else groups.of_object(shown)
        draw_parts(layout, group, context, of_vehicles=shown is not None and _in_vehicle(shown))
        if len(context.selected_objects) > 1:
            layout.operator("object.omi_physics_copy_to_selected", icon="PASTEDOWN")


def _in_vehicle(obj: Any) -> bool:
    return any(groups.read(each).use_vehicle_body for each in (obj, *ancestors(obj)))
