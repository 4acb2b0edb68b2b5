"""Properties > Scene: the lists that objects refer to by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import bpy

from ..base import compat, groups, object_table
from ..operators.chosen_objects import split
from ..properties import entries as shared
from .lists import draw_chosen, draw_filter, draw_listed, draw_material
from .shapes import draw_kept
from .tabs import Closed, Rows, SceneTab, WithPresets, hint, is_preview
from .texts import letters

# What to do while a list is empty.
_EMPTY: Final = {
    "physics_materials": "Press + for friction and bounce",
    "collision_filters": "Press + to set what collides",
    "joint_settings": "Press + for limits and drives",
}
# Columns of the table by how it is sorted, and how many letters a line has before each fits, too.
_NAMES: Final = 14
_COLUMNS: Final = {
    "TYPE": ("Body", 12),
    "MASS": ("Mass", 8),
    "SHAPE": ("Shape", 12),
    "MATERIAL": ("Material", 12),
    "FILTER": ("Filter", 12),
}


class OMIPHYSICS_PT_scene(Closed, SceneTab, bpy.types.Panel):
    """Holds the panels of the lists."""

    bl_label = "OMI Physics"

    def draw(self, context: bpy.types.Context) -> None:
        """Say what is kept from imported files; the rest is in the panels below."""
        draw_kept(self.layout, groups.of_scene(context.scene), "kept")


class _Entries(Rows):
    """Entries of a list of the scene, by their names."""

    entry_icon: str

    def draw_row(self, context: bpy.types.Context, layout: Any, item: Any) -> None:
        """The name, which can be changed in place."""
        draw_listed(layout, item, self.entry_icon)


class OMIPHYSICS_UL_physics_materials(_Entries, bpy.types.UIList):
    """The physics materials of a scene."""

    entry_icon = "MATERIAL"


class OMIPHYSICS_UL_collision_filters(_Entries, bpy.types.UIList):
    """The collision filters of a scene."""

    entry_icon = "FILTER"


class OMIPHYSICS_PT_physics_materials(WithPresets, SceneTab, bpy.types.Panel):
    """The physics materials, and the active one."""

    bl_parent_id = "OMIPHYSICS_PT_scene"
    bl_label = "Physics Materials"
    presets = "OMIPHYSICS_MT_material_presets"

    def draw(self, context: bpy.types.Context) -> None:
        """The list, then the active entry."""
        material = draw_list(self.layout, context, "physics_material", "physics_materials")
        layout: Any = self.layout
        layout.menu("OMIPHYSICS_MT_known_material", icon="PRESET")
        if material is not None:
            draw_material(split(self.layout), material)


class OMIPHYSICS_PT_material_surface(Closed, bpy.types.Panel):
    """The physics material of the faces that have a Blender material."""

    bl_label = "OMI Physics"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "material"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a material that can have one."""
        return getattr(context, "material", None) is not None and not is_preview(context)

    def draw(self, context: bpy.types.Context) -> None:
        """Which entry of the scene's list."""
        surface = getattr(cast(Any, context).material, compat.ATTRIBUTE)
        layout = split(self.layout)
        lists = groups.of_scene(context.scene)
        row = layout.row()
        value = surface.physics_material
        row.alert = bool(value) and lists.physics_materials.get(value) is None
        draw_chosen(row, surface, "physics_material")
        if not lists.physics_materials:
            hint(layout, "The Scene tab lists physics materials")


class OMIPHYSICS_UL_table(Rows, bpy.types.UIList):
    """Bodies, colliders and triggers of a scene, each in a row that can be edited."""

    def filter_items(self, context: bpy.types.Context, data: Any, property: Any) -> Any:
        """Which objects are shown, and where; ready made unless something has changed."""
        scene: Any = context.scene
        chosen, mine = groups.of_scene(scene).sidebar, cast(Any, self)
        selected = None
        if chosen.table_selected:
            selected = frozenset(obj.session_uid for obj in context.selected_objects)
        return object_table.arrangement(
            scene, data.objects, mine.filter_name, chosen.table_sort, selected
        )

    def draw_filter(self, context: bpy.types.Context, layout: Any) -> None:
        """What to search for."""
        layout.prop(self, "filter_name", text="", icon="VIEWZOOM")

    def draw_row(self, context: bpy.types.Context, layout: Any, item: Any) -> None:
        """Name, body, mass, shape, material, filter, or those of them that fit."""
        group = groups.of_object(item)
        columns = _columns(context)
        name, row = _table_row(layout, columns)
        name.enabled = row.enabled = groups.can_change(item)
        name.prop(item, "name", text="", emboss=False)
        shape = object_table.shape_of(group)
        has_mass = group.use_motion and group.motion.mass_mode == "VALUE"
        cells = {
            "TYPE": (group.motion, "type", group.use_motion),
            "MASS": (group.motion, "mass", has_mass),
            "SHAPE": (shape, "type", shape is not None),
            "MATERIAL": (group.collider, "physics_material", group.use_collider),
            "FILTER": (group.collider, "collision_filter", group.use_collider),
        }
        for column in columns:
            _cell(row, *cells[column])


def _columns(context: bpy.types.Context) -> list[str]:
    """The columns beside the name that the editor is wide enough for, and that of the order."""
    order = groups.of_scene(context.scene).sidebar.table_sort
    left, shown = letters(context) - _NAMES, set[str]()
    for name in sorted(_COLUMNS, key=lambda name: name != order):
        left -= _COLUMNS[name][1]
        if shown and left < 0:
            break
        shown.add(name)
    return [name for name in _COLUMNS if name in shown]


def _table_row(layout: Any, columns: Sequence[str]) -> tuple[Any, Any]:
    """The place of the name in a row of the table, and that of the columns."""
    share = _NAMES / (_NAMES + sum(_COLUMNS[name][1] for name in columns))
    row = layout.split(factor=share, align=True)
    return row.row(align=True), row.row(align=True)


def _cell(row: Any, group: Any, name: str, is_there: bool) -> None:
    if is_there:
        row.prop(group, name, text="")
    else:
        row.label(text="")


class OMIPHYSICS_PT_table(Closed, SceneTab, bpy.types.Panel):
    """Many objects, one in a row."""

    bl_parent_id = "OMIPHYSICS_PT_scene"
    bl_label = "Table of Objects"

    def draw(self, context: bpy.types.Context) -> None:
        """How it is sorted, and the rows; only those that are seen are drawn.

        A narrow editor leaves out columns, but not the one that rows are sorted by.
        """
        layout: Any = self.layout
        scene: Any = context.scene
        chosen = groups.of_scene(scene).sidebar
        layout.prop(chosen, "table_sort", text="")
        layout.prop(chosen, "table_selected")
        columns = _columns(context)
        name, titles = _table_row(layout, columns)
        name.label(text="Name")
        for column in columns:
            titles.label(text=_COLUMNS[column][0])
        layout.template_list(
            "OMIPHYSICS_UL_table", "", scene, "objects", chosen, "table_row", rows=10
        )


class OMIPHYSICS_PT_collision_filters(SceneTab, bpy.types.Panel):
    """The collision filters, and the active one."""

    bl_parent_id = "OMIPHYSICS_PT_scene"
    bl_label = "Collision Filters"

    def draw(self, context: bpy.types.Context) -> None:
        """The list, then the active entry."""
        collision_filter = draw_list(self.layout, context, "collision_filter", "collision_filters")
        if collision_filter is not None:
            draw_filter(split(self.layout), collision_filter)


def draw_list(layout: Any, context: bpy.types.Context, what: str, list_name: str) -> Any:
    """A list of the scene with its buttons; returns the active entry, None for none.

    Args:
        what: the end of the names of its operators.
    """
    settings = groups.of_scene(context.scene)
    active = f"{list_name}_index"
    entries, index = getattr(settings, list_name), getattr(settings, active)
    row = layout.row()
    name = f"OMIPHYSICS_UL_{list_name}"
    row.template_list(name, "", settings, shared.SLOTS.format(list_name), settings, active, rows=3)
    column = row.column(align=True)
    column.operator(f"scene.omi_physics_add_{what}", text="", icon="ADD")
    column.operator(f"scene.omi_physics_remove_{what}", text="", icon="REMOVE")
    column.separator()
    move = f"scene.omi_physics_move_{what}"
    column.operator(move, text="", icon="TRIA_UP").direction = "UP"
    column.operator(move, text="", icon="TRIA_DOWN").direction = "DOWN"
    if not len(entries):
        hint(layout, _EMPTY[list_name])
    if not 0 <= index < len(entries):
        return None
    row = layout.row(align=True)
    row.operator(f"object.omi_physics_assign_{what}", text="Assign")
    row.operator(f"object.omi_physics_select_{what}", text="Select")
    return entries[index]
