"""The section Joints of the tab OMI Physics in the sidebar of 3D Viewports."""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from ..tabs import Closed, Section


class OMIPHYSICS_PT_sidebar_joints(Section, bpy.types.Panel):
    """Joins objects, and changes the joints that are selected."""

    bl_label = "Joints"
    bl_order = 20

    def draw(self, context: bpy.types.Context) -> None:
        """What makes joints."""
        layout: Any = self.layout
        obj: Any = context.object
        selected: list[Any] = context.selected_objects
        others = any(each != obj and groups.can_change(each) for each in selected)
        column = layout.column(align=True)
        column.operator_context = "INVOKE_DEFAULT"
        pairs = column.column(align=True)
        pairs.enabled = others
        row = pairs.row(align=True)
        row.operator("object.omi_physics_connect_selected")
        row.menu("OMIPHYSICS_MT_connect", text="", icon="DOWNARROW_HLT")
        pairs.operator("object.omi_physics_connect_row")
        pairs.operator("object.omi_physics_find_joints", text="Find Joints...", icon="VIEWZOOM")
        column.operator("object.omi_physics_rope_from_curve")
        column.operator("object.omi_physics_make_ragdoll")


class OMIPHYSICS_PT_sidebar_change_joints(Closed, Section, bpy.types.Panel):
    """Changes the joints that are selected."""

    bl_parent_id = "OMIPHYSICS_PT_sidebar_joints"
    bl_label = "Change Joints"

    def draw(self, context: bpy.types.Context) -> None:
        """Kinds, presets, ends, and what is given to others."""
        layout: Any = self.layout
        obj: Any = context.object
        column = layout.column(align=True)
        row = column.row(align=True)
        row.enabled = obj is not None and groups.read(obj).use_joint
        row.menu("OMIPHYSICS_MT_joint_kinds")
        row.menu("OMIPHYSICS_MT_joint_presets", text="", icon="PRESET")
        column.operator("object.omi_physics_swap_joint_ends", text="Swap Ends")
        column.operator("object.omi_physics_copy_joint_settings", text="Copy Settings to Selected")
