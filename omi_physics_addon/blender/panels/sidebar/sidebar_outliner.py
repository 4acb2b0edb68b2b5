"""Sidebar: everything of the scene that is physics, as trees."""

from __future__ import annotations

from typing import Any, Final, cast

import bpy

from ...base import groups, hierarchy, roles, scene_outline
from ...base.outline import Kind, Sort
from ..joints import draw_motion, draw_problem
from ..tabs import Closed, Rows, Section, hint

_ROWS: Final = 10  # Of the list, before somebody makes it longer.
_LEVELS: Final = 6  # Up to which rows are moved in; the sidebar is narrow.
_STEP: Final = 2.0  # How far a row is moved in, in gaps between buttons.
_MORE_ICONS: Final = 2  # Of further roles in a row.


class _List(Rows):
    """The objects of the view layer that have a row, in the order of the tree."""

    kind: Kind

    def filter_items(self, context: bpy.types.Context, data: Any, property: Any) -> Any:
        """Which objects are shown, and where; ready made unless something has changed."""
        scene: Any = context.scene
        mine: Any = self
        sort = cast(Sort, groups.of_scene(scene).sidebar.outliner_sort)
        return scene_outline.arrangement(scene, data, self.kind, mine.filter_name, sort)

    def draw_filter(self, context: bpy.types.Context, layout: Any) -> None:
        """What to search for."""
        layout.prop(self, "filter_name", text="", icon="VIEWZOOM")

    def draw_row(self, context: bpy.types.Context, layout: Any, item: Any) -> None:
        """One object."""
        _draw_row(context, layout, item, self.kind)


class OMIPHYSICS_UL_outliner(_List, bpy.types.UIList):
    """Bodies with what belongs to them, triggers, joints, gravity, vehicles and seats."""

    kind = "TREE"


class OMIPHYSICS_UL_outliner_level(_List, bpy.types.UIList):
    """Colliders that belong to no body."""

    kind = "LEVEL"


def _draw_row(context: bpy.types.Context, layout: Any, obj: Any, kind: Kind) -> None:
    """Fold, role, name, further roles, eye."""
    view_layer: Any = context.view_layer
    row = scene_outline.row_of(context.scene, view_layer, obj.session_uid, kind)
    found = roles.roles_of(obj)
    line = layout.row(align=True)
    if row is not None and row.level:
        line.separator(factor=_STEP * min(row.level, _LEVELS))
    if row is not None and row.parents:
        fold = "DOWNARROW_HLT" if row.is_open else "RIGHTARROW"
        _button(line, "object.omi_physics_outliner_fold", fold, obj)
    else:
        line.label(text="", icon="BLANK1")
    icons = [roles.ROLES[name].icon for name in found] or ["QUESTION"]
    _button(line, "object.omi_physics_outliner_select", icons[0], obj)
    line.prop(obj, "name", text="", emboss=False)
    words = _joint_words(obj) if "JOINT" in found else ""
    if words:
        kind_of = line.row()
        kind_of.alignment = "RIGHT"
        kind_of.active = False
        kind_of.label(text=words, translate=False)
    for more in icons[1 : 1 + _MORE_ICONS]:
        line.label(text="", icon=more)
    eye = "HIDE_ON" if obj.hide_get(view_layer=view_layer) else "HIDE_OFF"
    _button(line, "object.omi_physics_outliner_hide", eye, obj)


def _joint_words(obj: Any) -> str:
    """What kind of joint an object is, and to which body, such as "Hinge → Door"."""
    from ...authoring import joint_texts
    from ...properties import entries

    joint = groups.read(obj).joint
    entry = entries.named("joint_settings", joint.settings)
    kind = "" if entry is None else joint_texts.short_name(entry)
    end = joint.connected_object
    return kind if end is None else f"{kind} → {(hierarchy.body_of(end) or end).name}".lstrip()


def _button(layout: Any, operator: str, icon: str, obj: Any) -> None:
    layout.operator(operator, text="", icon=icon, emboss=False).uid = obj.session_uid


class OMIPHYSICS_PT_sidebar_outliner(Closed, Section, bpy.types.Panel):
    """The outliner."""

    bl_label = "Outliner"
    bl_order = 50

    def draw(self, context: bpy.types.Context) -> None:
        """The tree, the level geometry, and what the active object is."""
        scene: Any = context.scene
        view_layer: Any = context.view_layer
        layout: Any = self.layout
        known = scene_outline.get(scene, view_layer)
        if not known.count("TREE") and not known.count("LEVEL"):
            hint(layout, "No object has physics yet.", "Select one and add a part")
            return
        if known.count("TREE"):
            column = layout.column(align=True)
            row = column.row(align=True)
            row.prop(groups.of_scene(scene).sidebar, "outliner_sort", text="")
            operator = "object.omi_physics_outliner_fold_all"
            row.operator(operator, text="", icon="FULLSCREEN_EXIT").fold = True
            row.operator(operator, text="", icon="FULLSCREEN_ENTER").fold = False
            _draw_list(column, scene, view_layer, "OMIPHYSICS_UL_outliner", _ROWS)
        if known.count("LEVEL"):
            _draw_level(layout, scene, view_layer, known.count("LEVEL"))
        active: Any = context.object
        _draw_active(layout, active)
        if active is not None and groups.read(active).use_joint:
            _draw_joint(layout, context, active)


def _draw_list(layout: Any, scene: Any, view_layer: Any, name: str, rows: int) -> None:
    sidebar = groups.of_scene(scene).sidebar
    layout.template_list(name, "", view_layer, "objects", sidebar, "outliner_index", rows=rows)


def _draw_level(layout: Any, scene: Any, view_layer: Any, count: int) -> None:
    header, body = layout.panel("OMI_PHYSICS_outliner_level", default_closed=True)
    header.label(text=f"Level Geometry ({count})", icon="MESH_GRID", translate=False)
    if body:
        _draw_list(body, scene, view_layer, "OMIPHYSICS_UL_outliner_level", 5)


def _draw_active(layout: Any, obj: Any) -> None:
    """In words what the active object is, and its parts to switch off and on."""
    parts = [] if obj is None else roles.parts_of(obj)
    if obj is None or not parts:
        return
    column = layout.column(align=True)
    column.label(text=roles.words(roles.roles_of(obj)) or "Switched off", icon="OBJECT_DATA")
    grid = column.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    for name in parts:
        label, icon = roles.PARTS[name]
        grid.prop(groups.of_object(obj), f"use_{name}", text=label, icon=icon, toggle=True)


def _draw_joint(layout: Any, context: bpy.types.Context, obj: Any) -> None:
    """Who moves how against whom, and what is the matter with the joint."""
    from ...authoring import joint_making, joint_problems

    entry = joint_making.settings_of(obj, context.scene)
    if entry is not None:
        draw_motion(context, layout, obj, entry)
    draw_problem(context, layout, joint_problems.of_ends(obj))
