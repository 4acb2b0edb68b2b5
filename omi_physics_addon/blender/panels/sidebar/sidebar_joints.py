"""The section Joints of the tab glTF Physics in the sidebar of 3D Viewports."""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from ..joints import draw_motion, draw_problem
from ..tabs import Section, hint


class OMIPHYSICS_PT_sidebar_joints(Section, bpy.types.Panel):
    """Joins objects, and changes the joints that are selected."""

    bl_idname = "OMIPHYSICS_PT_sidebar_joints"
    bl_label = "Joints"
    bl_order = 20

    def draw(self, context: bpy.types.Context) -> None:
        """What makes joints, then what can be done with the active one."""
        layout: Any = self.layout
        obj: Any = context.object
        others = [each for each in context.selected_objects if each != obj]
        if not others and (obj is None or obj.type != "CURVE"):
            hint(layout, "Select what to join, and last", "what it is joined to")
        column = layout.column(align=True)
        column.operator_context = "INVOKE_DEFAULT"
        pairs = column.column(align=True)
        pairs.enabled = bool(others)
        row = pairs.row(align=True)
        row.operator("object.omi_physics_connect_selected")
        row.menu("OMIPHYSICS_MT_connect", text="", icon="DOWNARROW_HLT")
        pairs.operator("object.omi_physics_connect_row")
        column.operator("object.omi_physics_rope_from_curve")
        if obj is not None and groups.of_object(obj).use_joint:
            _draw_joint(layout, context, obj)


def _draw_joint(layout: Any, context: bpy.types.Context, obj: Any) -> None:
    from ...authoring import joint_making, joint_problems

    entry = joint_making.settings_of(obj, context.scene)
    box = layout.column()
    box.separator()
    box.label(text=obj.name, icon="OBJECT_DATA", translate=False)
    if entry is not None:
        draw_motion(context, box, obj, entry)
    draw_problem(context, box, joint_problems.of_ends(obj))
    column = layout.column(align=True)
    row = column.row(align=True)
    row.menu("OMIPHYSICS_MT_joint_kinds")
    row.menu("OMIPHYSICS_MT_joint_presets", text="", icon="PRESET")
    column.operator("object.omi_physics_swap_joint_ends", text="Swap Ends")
    column.operator("object.omi_physics_copy_joint_settings", text="Copy Settings to Selected")


CLASSES = (OMIPHYSICS_PT_sidebar_joints,)
