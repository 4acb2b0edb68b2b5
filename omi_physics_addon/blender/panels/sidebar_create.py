"""3D Viewport > sidebar > glTF Physics > Create."""

from __future__ import annotations

from typing import Any

import bpy

from .part_buttons import draw_buttons
from .tabs import hint


class OMIPHYSICS_PT_sidebar_create(bpy.types.Panel):
    """Gives physics to what is selected, and adds new objects."""

    bl_idname = "OMIPHYSICS_PT_sidebar_create"
    bl_label = "Create"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "glTF Physics"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """A menu of new objects, then the parts of the active one."""
        layout: Any = self.layout
        layout.menu("OMIPHYSICS_MT_new", text="Add New Object", icon="ADD")
        active: Any = context.object
        count = len(context.selected_objects)
        if active is None or not (count or active.mode != "OBJECT"):
            hint(layout, "Or select objects", "to give them physics")
            return
        if count > 1:
            layout.label(text=f"For {count} objects:", icon="RESTRICT_SELECT_OFF")
        else:
            layout.label(text=active.name, icon="OBJECT_DATA", translate=False)
        draw_buttons(layout, active.omi_physics)
        if count > 1:
            column = layout.column(align=True)
            is_vehicle = active.omi_physics.use_vehicle_body
            text = "Make Wheels" if is_vehicle else "Make Vehicle with Wheels"
            column.operator("object.omi_physics_make_wheels", text=text, icon="AUTO")
            column.operator("object.omi_physics_copy_to_selected", icon="PASTEDOWN")


CLASSES = (OMIPHYSICS_PT_sidebar_create,)
