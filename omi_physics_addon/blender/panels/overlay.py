"""Our section in the overlay popover of 3D Viewports."""

from __future__ import annotations

from typing import Any

import bpy

from ..base import groups
from .tabs import WithPresets


class OMIPHYSICS_PT_overlay(WithPresets, bpy.types.Panel):
    """What the viewport shows of physics."""

    bl_label = "OMI Physics"
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    bl_parent_id = "VIEW3D_PT_overlay"
    presets = "OMIPHYSICS_MT_overlay_presets"

    def draw(self, context: bpy.types.Context) -> None:
        """Two columns, as the sections above have."""
        scene: Any = context.scene
        space: Any = context.space_data
        settings = groups.of_scene(scene).overlay
        layout: Any = self.layout
        layout.active = space.overlay.show_overlays
        split = layout.split()
        left = split.column(align=True)
        left.prop(settings, "enabled")
        _options(left, settings, "colliders", "triggers", "joints", "gravity")
        right = split.column(align=True)
        right.prop(settings, "selected_only")
        _options(right, settings, "velocities", "mass", "vehicles", "seats")
        split = layout.split()
        handles = split.column(align=True)
        _options(handles, settings, "handles", "placing", "in_front")
        sizes = split.column(align=True)
        _options(sizes, settings, "line_width", "symbol_size")


def _options(layout: Any, settings: Any, *names: str) -> None:
    column = layout.column(align=True)
    column.active = settings.enabled
    for name in names:
        column.prop(settings, name)
