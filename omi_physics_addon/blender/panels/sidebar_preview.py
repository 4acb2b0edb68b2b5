"""Sidebar > glTF Physics > Preview: play, and what is not exact."""

from __future__ import annotations

import textwrap
from typing import Any, Final

import bpy

from .. import attached
from ..preview import player, stage

_WIDTH: Final = 34  # Letters that fit into the sidebar at its usual width.
_NAMES: Final = 3  # Objects that are named before the rest is counted.


class OMIPHYSICS_PT_sidebar_preview(bpy.types.Panel):
    """Plays the physics of the scene."""

    bl_idname = "OMIPHYSICS_PT_sidebar_preview"
    bl_label = "Preview"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "glTF Physics"
    bl_order = -10

    def draw(self, context: bpy.types.Context) -> None:
        """The buttons, and how it runs."""
        layout: Any = self.layout
        draw_buttons(layout)
        session = player.running()
        if session is not None:
            layout.label(text=f"{session.time:.1f} s", icon="TIME")
            return
        if player.message:
            for line in textwrap.wrap(player.message, _WIDTH):
                layout.label(text=line)
        scene: Any = context.scene
        group = attached.of_scene(scene).preview
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column(align=True)
        for name in ("speed", "seconds", "rate", "substeps"):
            column.prop(group, name)


class OMIPHYSICS_PT_sidebar_preview_limits(bpy.types.Panel):
    """What the preview does not do exactly."""

    bl_idname = "OMIPHYSICS_PT_sidebar_preview_limits"
    bl_parent_id = "OMIPHYSICS_PT_sidebar_preview"
    bl_label = "Not Exact"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "glTF Physics"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Not in the scene of a preview itself."""
        scene: Any = context.scene
        return scene is not None and not scene.get(stage.TAG)

    def draw(self, context: bpy.types.Context) -> None:
        """One entry for each thing, with the objects it concerns."""
        layout: Any = self.layout
        layout.operator("scene.omi_physics_preview_check", icon="VIEWZOOM")
        scene: Any = context.scene
        found = player.kept_limits(scene.name)
        if found is None:
            layout.label(text="Check to see what differs")
            return
        if not found:
            layout.label(text="Nothing", icon="CHECKMARK")
        for limit in found:
            box = layout.box().column(align=True)
            for line in textwrap.wrap(limit.text, _WIDTH):
                box.label(text=line)
            names = ", ".join(limit.objects[:_NAMES])
            more = len(limit.objects) - _NAMES
            names += f" and {more} more" if more > 0 else ""
            inner = box.column(align=True)
            inner.active = False
            for line in textwrap.wrap(names, _WIDTH):
                inner.label(text=line)


class OMIPHYSICS_PT_object_preview(bpy.types.Panel):
    """The buttons once more, beside the physics of an object."""

    bl_idname = "OMIPHYSICS_PT_object_preview"
    bl_parent_id = "OMIPHYSICS_PT_object"
    bl_label = "Preview"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"
    bl_options = {"HIDE_HEADER"}  # noqa: RUF012 - Blender reads it from the class.

    def draw(self, context: bpy.types.Context) -> None:
        """The buttons."""
        draw_buttons(self.layout)


def draw_buttons(layout: Any) -> None:
    """Play, or what can be done with what plays."""
    row = layout.row(align=True)
    if player.running() is None:
        row.operator("scene.omi_physics_preview_start", icon="PLAY")
        return
    playing = player.is_playing()
    row.operator(
        "scene.omi_physics_preview_pause",
        text="Pause" if playing else "Go On",
        icon="PAUSE" if playing else "PLAY",
    )
    row.operator("scene.omi_physics_preview_restart", text="", icon="FILE_REFRESH")
    row.operator("scene.omi_physics_preview_stop", text="", icon="SNAP_FACE")


CLASSES = (
    OMIPHYSICS_PT_sidebar_preview,
    OMIPHYSICS_PT_sidebar_preview_limits,
    OMIPHYSICS_PT_object_preview,
)
