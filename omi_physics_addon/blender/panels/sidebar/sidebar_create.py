"""3D Viewport > sidebar > OMI Physics > Create."""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from ..part_buttons import draw_buttons
from ..tabs import Section
from ..texts import pgettext_iface


class OMIPHYSICS_PT_sidebar_create(Section, bpy.types.Panel):
    """Gives physics to what is selected, and adds new objects."""

    bl_idname = "OMIPHYSICS_PT_sidebar_create"
    bl_label = "Create"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """A menu of new objects, then the parts of the active one, in places that do not change."""
        layout: Any = self.layout
        layout.menu("OMIPHYSICS_MT_new", text="Add New Object", icon="ADD")
        active: Any = context.object
        selected: list[Any] = context.selected_objects
        count = len(selected)
        shown = None
        if active is not None and (count or active.mode != "OBJECT"):
            # Operators change what is selected, whatever is active.
            shown = active if active in selected or not count else selected[0]
        if shown is None:
            layout.label(text="Nothing is selected", icon="INFO")
        elif count > 1:
            text = pgettext_iface("For {count} objects:").format(count=count)
            layout.label(text=text, icon="RESTRICT_SELECT_OFF", translate=False)
        else:
            layout.label(text=shown.name, icon="OBJECT_DATA", translate=False)
        draw_buttons(layout, None if shown is None else groups.of_object(shown), context)
        column = layout.column(align=True)
        row = column.row(align=True)
        row.enabled = bool(
            shown and active and active.mode == "OBJECT" and groups.can_change(active)
        )
        row.menu("OMIPHYSICS_MT_rig_vehicle", icon="AUTO")
        is_vehicle = shown is not None and groups.of_object(active).use_vehicle_body
        text = "Make Wheels" if is_vehicle else "Make Wheeled Vehicle"
        column.operator("object.omi_physics_make_wheels", text=text, icon="AUTO")
        column.operator("object.omi_physics_copy_to_selected", icon="PASTEDOWN")


CLASSES = (OMIPHYSICS_PT_sidebar_create,)
