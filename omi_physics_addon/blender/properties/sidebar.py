# pyright: reportInvalidTypeForm=false
"""What the sections of the sidebar show and how: `Scene.omi_physics.sidebar`."""

from typing import Any

import bpy

from ..base import groups, scene_outline, selection
from .choices import FAMILIES, REPORTS


def _active_index(group: Any) -> int:
    view_layer: Any = groups.current_view_layer()
    if view_layer is None:
        return -1
    return scene_outline.index_of(group.id_data, view_layer, view_layer.objects.active)


def _select_index(_group: Any, index: int) -> None:
    view_layer: Any = groups.current_view_layer()
    if view_layer is not None and 0 <= index < len(view_layer.objects):
        selection.select(view_layer, [view_layer.objects[index]])


class OMIPHYSICS_PG_sidebar(bpy.types.PropertyGroup):
    """How the sections of the sidebar show a scene; nothing of it is exported."""

    outliner_index: bpy.props.IntProperty(
        name="Active Object",
        description="Active row; clicking a row selects its object",
        get=_active_index,
        set=_select_index,
        options={"HIDDEN", "SKIP_SAVE"},
    )
    outliner_sort: bpy.props.EnumProperty(
        name="Sort",
        description="Order of the rows below each parent",
        items=(
            ("NAME", "Name", "By name, 2 before 10", "SORTALPHA", 0),
            ("ROLE", "Role", "Vehicles and bodies first", "RIGID_BODY", 1),
            ("SCENE", "Scene", "As the scene has them", "SCENE_DATA", 2),
        ),
        default="NAME",
    )
    system: bpy.props.StringProperty(
        name="Collision System", description="Active collision system for the buttons below"
    )
    json_family: bpy.props.EnumProperty(
        name="Family",
        description="In which family of extensions the object is shown",
        items=FAMILIES,
        default="OMI",
    )
    issues_of: bpy.props.EnumProperty(
        name="Issues Of", description="Source of the listed issues", items=REPORTS, default="CHECK"
    )
    table_sort: bpy.props.EnumProperty(
        name="Sort By",
        description="Column to sort the table by",
        items=(
            ("NAME", "Name", "By the names of the objects"),
            ("TYPE", "Body", "By the types of the bodies"),
            ("MASS", "Mass", "By mass"),
            ("SHAPE", "Shape", "By the types of the shapes"),
            ("MATERIAL", "Material", "By the physics materials"),
            ("FILTER", "Filter", "By the collision filters"),
        ),
        default="NAME",
    )
    table_selected: bpy.props.BoolProperty(
        name="Only Selected", description="Show the rows of selected objects only"
    )
    table_row: bpy.props.IntProperty(name="Active Row", options={"HIDDEN"})
    check_edits: bpy.props.BoolProperty(
        name="Check Edits",
        description="Automatically check edited objects and what they touch",
        default=True,
    )
    show_errors: bpy.props.BoolProperty(
        name="Errors",
        description="List errors: physics that breaks a rule or cannot work",
        default=True,
    )
    show_warnings: bpy.props.BoolProperty(
        name="Warnings",
        description="List warnings: physics that importers may interpret differently",
        default=True,
    )
    show_remarks: bpy.props.BoolProperty(
        name="Remarks", description="List notes about the physics", default=True
    )
