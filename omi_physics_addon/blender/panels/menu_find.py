"""The submenu Find and Check of our menu, through which menu search finds the sidebar's buttons."""

from __future__ import annotations

from typing import Any

import bpy

from ..base import groups


class OMIPHYSICS_MT_find(bpy.types.Menu):
    """What finds, shows and checks physics."""

    bl_label = "Find and Check"

    def draw(self, context: bpy.types.Context) -> None:
        """Select, hide, systems, check, JSON."""
        scene: Any = context.scene
        layout: Any = self.layout
        layout.menu("OMIPHYSICS_MT_select_role")
        layout.menu("OMIPHYSICS_MT_select_same")
        layout.menu("OMIPHYSICS_MT_hide_role")
        layout.separator()
        layout.operator("scene.omi_physics_new_system")
        layout.operator("scene.omi_physics_merge_filters")
        system = groups.of_scene(scene).sidebar.system
        layout.operator("object.omi_physics_assign_system").system = system
        layout.operator("object.omi_physics_select_system").system = system
        layout.separator()
        layout.operator("scene.omi_physics_check")
        family = groups.of_scene(scene).sidebar.json_family
        layout.operator("object.omi_physics_copy_json").family = family
        layout.operator("object.omi_physics_paste_json")
        layout.operator("object.omi_physics_open_json").family = family
