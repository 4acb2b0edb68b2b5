"""Properties > Physics: body, collider and trigger of an object."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import bpy

from ..base import groups
from ..base.mesh_arrays import MESHLIKE
from ..base.roles import ROLES
from ..scene.migrations import has_physics
from .lists import draw_name, draw_shared_material
from .marked import draw_count
from .part_buttons import draw_parts, draw_states
from .shapes import draw_kept, draw_place, draw_shape
from .sidebar.sidebar_physics import draw_play
from .tabs import (
    Closed,
    Detail,
    Part,
    PhysicsTab,
    Rows,
    draw_choice,
    draw_number,
    group_of,
    hint,
    is_preview,
)
from .texts import pgettext_iface

_COLUMNS: Final = 2  # So that no word is cut at the width that a new window has.


class OMIPHYSICS_PT_object(PhysicsTab, bpy.types.Panel):
    """Which parts of physics an object has, and buttons that add and remove them."""

    bl_label = "OMI Physics"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an object, be it one of a preview, which can be stopped here."""
        return context.object is not None

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How many issues the object has."""
        if not is_preview(context):
            draw_count(self.layout, context)

    def draw(self, context: bpy.types.Context) -> None:
        """One button per part, as Blender's own physics has them, then those of the preview."""
        group = group_of(context)
        layout: Any = self.layout
        if is_preview(context):
            draw_play(layout)
            return
        draw_states(layout, context, lambda role: ROLES[role].has(group), columns=_COLUMNS)
        draw_parts(layout, group, context, of_vehicles=True, columns=_COLUMNS)
        if not has_physics(context.object):
            hint(layout, "Choose what the object is in glTF")
        if (group.use_collider or group.use_trigger) and _has_mesh(context):
            layout.prop(group, "is_collision_only")
        draw_kept(layout, group, "kept")
        if has_physics(context.object):
            draw_play(layout)


def _has_mesh(context: bpy.types.Context) -> bool:
    obj: Any = context.object
    return obj.type in MESHLIKE


class OMIPHYSICS_PT_body(Part, bpy.types.Panel):
    """How the object moves."""

    bl_label = "Body"
    part = "motion"
    presets = "OMIPHYSICS_MT_body_presets"

    def draw_fields(self, context: bpy.types.Context, layout: Any, motion: Any) -> None:
        """Only what counts for the type of body."""
        draw_choice(layout, motion, "type")
        _draw_missing(layout, context)
        if motion.type == "STATIC":
            hint(layout, "Colliders on and below it", "stay where they are")
        else:
            _draw_mass(layout, motion)
        if motion.type == "DYNAMIC":
            layout.prop(motion, "gravity_factor")
        draw_kept(layout, motion, "kept")


def _draw_missing(layout: Any, context: bpy.types.Context) -> None:
    """Say that nothing can bump into the body, and offer what helps."""
    from ..authoring.missing_colliders import lacks_collider

    if not lacks_collider(context.object, context.scene):
        return
    row = layout.row()
    row.use_property_split = False
    row.label(text="No collider", icon="ERROR")
    if _has_mesh(context):
        row.operator("object.omi_physics_add_collider", text="Fit Simplest", icon="SHADERFX")


def _draw_mass(layout: Any, motion: Any) -> None:
    column = layout.column()
    column.prop(motion, "mass_mode")
    if motion.mass_mode == "VALUE":
        column.prop(motion, "mass")
    elif motion.mass_mode == "DENSITY":
        draw_number(column, motion, "density", "kg/m³")


class OMIPHYSICS_PT_inertia(Closed, Detail, bpy.types.Panel):
    """Where a body balances, and how hard it is to turn."""

    bl_parent_id = "OMIPHYSICS_PT_body"
    bl_label = "Balance and Inertia"
    part = "motion"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only dynamic bodies have use for it."""
        return super().poll(context) and group_of(context).motion.type == "DYNAMIC"

    def draw_fields(self, context: bpy.types.Context, layout: Any, motion: Any) -> None:
        """Values only where they are given."""
        column = layout.column()
        column.prop(motion, "center_of_mass_mode", text="Center of Mass")
        if motion.center_of_mass_mode == "VALUE":
            column.prop(motion, "center_of_mass", text="Center")
        column = layout.column()
        column.prop(motion, "inertia_mode", text="Inertia")
        if motion.inertia_mode == "VALUE":
            column.prop(motion, "inertia_diagonal", text="Moments (kg m²)")
            column.prop(motion, "inertia_orientation", text="Orientation")
        _draw_computed(self.layout, context)


def _draw_computed(layout: Any, context: bpy.types.Context) -> None:
    """What the shapes of the body say, each with a button that takes it."""
    from ..authoring.following.body_masses import shown

    motion = group_of(context).motion
    found = shown(context.scene, context.object)
    column = layout.column(align=True)
    column.use_property_split = False
    if found is None:
        column.label(text="No shapes to weigh quickly", icon="INFO")
        return
    column.label(text="From the Shapes")
    given = motion.mass if motion.mass_mode == "VALUE" else None
    text = f"{found.mass:.4g} kg"
    if given is not None:
        text += pgettext_iface(", given {value} kg").format(value=f"{given:.4g}")
    _draw_value(column, "MASS", text)
    center = tuple(motion.center_of_mass) if motion.center_of_mass_mode == "VALUE" else None
    text = _numbers(found.center) + " m"
    if center is not None:
        away = f"{math.dist(center, found.center):.3g}"
        text += pgettext_iface(", given {value} m away").format(value=away)
    _draw_value(column, "CENTER", text)
    _draw_value(column, "INERTIA", _numbers(found.diagonal(motion)) + " kg m²")


def _draw_value(column: Any, what: str, text: str) -> None:
    row = column.row(align=True)
    row.label(text=text, translate=False)
    row.operator("object.omi_physics_take_computed", text="", icon="IMPORT").what = what


def _numbers(values: Sequence[float]) -> str:
    return "  ".join(f"{0.0 if abs(value) < 1e-6 else value:.3g}" for value in values)


class OMIPHYSICS_PT_velocity(Closed, Detail, bpy.types.Panel):
    """How a body moves at the start."""

    bl_parent_id = "OMIPHYSICS_PT_body"
    bl_label = "Initial Velocity"
    part = "motion"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Static bodies have none."""
        return super().poll(context) and group_of(context).motion.type != "STATIC"

    def draw_fields(self, context: bpy.types.Context, layout: Any, motion: Any) -> None:
        """Both velocities."""
        _draw_axes(layout, motion, "linear_velocity", "Linear X")
        _draw_axes(layout, motion, "angular_velocity", "Angular X", "/s")


def _draw_axes(layout: Any, group: Any, name: str, first: str, unit: str = "") -> None:
    """A vector with its axes, which Blender leaves out where the unit is one of speed."""
    column = layout.column(align=True)
    for i, text in enumerate((first, "Y", "Z")):
        if unit:
            draw_number(column, group, name, unit, index=i, text=text)
        else:
            column.prop(group, name, index=i, text=text)


class OMIPHYSICS_PT_collider(Part, bpy.types.Panel):
    """What bumps into the object."""

    bl_label = "Collider"
    part = "collider"

    def draw_fields(self, context: bpy.types.Context, layout: Any, collider: Any) -> None:
        """Shape, material, filter."""
        lists = groups.of_scene(context.scene)
        draw_shape(layout, collider.shape, "COLLIDER")
        column = layout.column()
        draw_name(column, collider, "physics_material", lists, "physics_materials", "Material")
        draw_name(column, collider, "collision_filter", lists, "collision_filters", "Filter")
        draw_kept(layout, collider, "kept")
        draw_place(layout, collider.shape, "COLLIDER")
        draw_shared_material(layout, collider, "OMI_PHYSICS_material", "Physics Material")


class OMIPHYSICS_PT_trigger(Part, bpy.types.Panel):
    """What the object notices."""

    bl_label = "Trigger"
    part = "trigger"

    def draw_fields(self, context: bpy.types.Context, layout: Any, trigger: Any) -> None:
        """A shape of its own, or the triggers below."""
        lists = groups.of_scene(context.scene)
        draw_choice(layout, trigger, "mode")
        if trigger.mode == "SHAPE":
            draw_shape(layout, trigger.shape, "TRIGGER")
        elif trigger.mode == "LIST":
            _draw_listed(layout, trigger)
        else:
            layout.prop(trigger, "unlisted")
        draw_name(layout, trigger, "collision_filter", lists, "collision_filters", "Filter")
        draw_kept(layout, trigger, "kept")
        if trigger.mode == "SHAPE":
            draw_place(layout, trigger.shape, "TRIGGER")


class OMIPHYSICS_UL_trigger_nodes(Rows, bpy.types.UIList):
    """The triggers that make up a compound trigger."""

    def draw_row(self, context: bpy.types.Context, layout: Any, item: Any) -> None:
        """The object, which can be changed in place."""
        layout.prop(item, "object", text="", emboss=False)


def _draw_listed(layout: Any, trigger: Any) -> None:
    if not trigger.nodes:
        hint(layout, "Select triggers among the children,", "then this object, and press +")
    row = layout.row()
    row.template_list(
        "OMIPHYSICS_UL_trigger_nodes", "", trigger, "nodes", trigger, "nodes_index", rows=3
    )
    column = row.column(align=True)
    column.operator("object.omi_physics_trigger_add_selected", text="", icon="ADD")
    column.operator("object.omi_physics_trigger_remove", text="", icon="REMOVE")
    column.separator()
    column.operator("object.omi_physics_trigger_clear", text="", icon="X")
