"""3D Viewport > sidebar > glTF Physics > Create."""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from ..part_buttons import draw_buttons
from ..tabs import Section, hint
from ..texts import pgettext_iface


class OMIPHYSICS_PT_sidebar_create(Section, bpy.types.Panel):
    """Gives physics to what is selected, and adds new objects."""

    bl_idname = "OMIPHYSICS_PT_sidebar_create"
    bl_label = "Create"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """A menu of new objects, then the parts of the active one."""
        layout: Any = self.layout
        layout.menu("OMIPHYSICS_MT_new", text="Add New Object", icon="ADD")
        active: Any = context.object
        selected: list[Any] = context.selected_objects
        count = len(selected)
        if active is None or not (count or active.mode != "OBJECT"):
            hint(layout, "Or select objects", "to give them physics")
            return
        # Operators change what is selected, whatever is active.
        shown = active if active in selected or not count else selected[0]
        if count > 1:
            text = pgettext_iface("For {count} objects:").format(count=count)
            layout.label(text=text, icon="RESTRICT_SELECT_OFF", translate=False)
        else:
            layout.label(text=shown.name, icon="OBJECT_DATA", translate=False)
        draw_buttons(layout, groups.of_object(shown))
        if count > 1:
            column = layout.column(align=True)
            is_vehicle = groups.of_object(active).use_vehicle_body
            text = "Make Wheels" if is_vehicle else "Make Wheeled Vehicle"
            column.operator("object.omi_physics_make_wheels", text=text, icon="AUTO")
            column.operator("object.omi_physics_copy_to_selected", icon="PASTEDOWN")


CLASSES = (OMIPHYSICS_PT_sidebar_create,)
