"""Sidebar: selects, hides and shows by what objects are, or what they share."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...base import roles, scene_outline
from ...operators.showing import is_shared
from ..menu_rows import Button, menu
from ..tabs import Closed, Section

_SAME: Final = (
    ("MATERIAL", "Material", "MATERIAL"),
    ("FILTER", "Filter", "FILTER"),
    ("JOINT", "Joint Settings", "RIGID_BODY_CONSTRAINT"),
    ("SHAPE", "Shape Type", "MESH_CUBE"),
)


class OMIPHYSICS_PT_sidebar_show(Closed, Section, bpy.types.Panel):
    """Roles with buttons."""

    bl_label = "Select and Show"
    bl_order = 55

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


def _by_role(verb: str) -> list[Button]:
    """A button for each role that hides or shows what has it."""
    name = f"object.omi_physics_{verb}_role"
    texts = {role: f"{verb.title()} {known.plural}" for role, known in roles.ROLES.items()}
    return [Button(name, text, options={"role": role}) for role, text in texts.items()]


MADE = (
    menu(
        "OMIPHYSICS_MT_select_role",
        "Select by Role",
        *(
            Button("object.omi_physics_select_role", role.plural, role.icon, {"role": name})
            for name, role in roles.ROLES.items()
        ),
    ),
    menu(
        "OMIPHYSICS_MT_hide_role",
        "Hide and Show by Role",
        "object.omi_physics_show_all",
        None,
        *_by_role("hide"),
        None,
        *_by_role("show"),
    ),
    menu(
        "OMIPHYSICS_MT_select_same",
        "Select Same",
        *(
            Button("object.omi_physics_select_same", label, icon, {"what": what})
            for what, label, icon in _SAME
        ),
    ),
)
