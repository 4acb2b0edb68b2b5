"""Sidebar: selects, hides and shows by what objects are, or what they share."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...base import roles, scene_outline
from ...operators.showing import is_shared
from ..tabs import Section

_SAME: Final = (
    ("MATERIAL", "Material", "MATERIAL"),
    ("FILTER", "Filter", "FILTER"),
    ("JOINT", "Joint Settings", "RIGID_BODY_CONSTRAINT"),
    ("SHAPE", "Shape Type", "MESH_CUBE"),
)


class OMIPHYSICS_PT_sidebar_show(Section, bpy.types.Panel):
    """Roles with buttons."""

    bl_label = "Select and Show"
    bl_order = 55
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 - Blender reads it from the class.

    def draw(self, context: bpy.types.Context) -> None:
        """Only roles that the scene has."""
        layout: Any = self.layout
        counts = scene_outline.get(context.scene, context.view_layer).roles
        if not counts:
            layout.label(text="No object has physics yet", icon="INFO")
        column = layout.column(align=True)
        for name, role in roles.ROLES.items():
            if counts[name]:
                _draw_role(column, name, role, counts[name])
        row = layout.row()
        row.enabled = bool(counts)
        row.operator("object.omi_physics_show_all", icon="HIDE_OFF")
        column = layout.column(align=True)
        column.label(text="Same as Active")
        grid = column.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
        for what, label, icon in _SAME:
            cell = grid.row(align=True)
            cell.enabled = context.object is not None and is_shared(context.object, what)
            cell.operator("object.omi_physics_select_same", text=label, icon=icon).what = what


def _draw_role(layout: Any, name: str, role: roles.Role, count: int) -> None:
    row = layout.row(align=True)
    text = f"{role.plural} ({count})"
    row.operator("object.omi_physics_select_role", text=text, icon=role.icon).role = name
    row.operator("object.omi_physics_hide_role", text="", icon="HIDE_ON").role = name
    row.operator("object.omi_physics_show_role", text="", icon="HIDE_OFF").role = name


class OMIPHYSICS_MT_select_role(bpy.types.Menu):
    """The roles to select by."""

    bl_label = "Select by Role"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per role."""
        layout: Any = self.layout
        for name, role in roles.ROLES.items():
            layout.operator(
                "object.omi_physics_select_role", text=role.plural, icon=role.icon
            ).role = name


class OMIPHYSICS_MT_hide_role(bpy.types.Menu):
    """The roles to hide and show by."""

    bl_label = "Hide and Show by Role"

    def draw(self, context: bpy.types.Context) -> None:
        """Two entries per role."""
        layout: Any = self.layout
        layout.operator("object.omi_physics_show_all")
        for verb in ("hide", "show"):
            layout.separator()
            for name, role in roles.ROLES.items():
                text = f"{verb.title()} {role.plural}"
                layout.operator(f"object.omi_physics_{verb}_role", text=text).role = name


class OMIPHYSICS_MT_select_same(bpy.types.Menu):
    """What can be the same."""

    bl_label = "Select Same"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        layout: Any = self.layout
        for what, label, icon in _SAME:
            layout.operator("object.omi_physics_select_same", text=label, icon=icon).what = what
