"""Sidebar > OMI Physics > Shapes: fits colliders and triggers to meshes."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...base import groups
from ...operators.chosen_objects import split
from ...operators.decompose import draw_options as draw_cuts
from ...operators.fit import SIMPLEST_OPTIONS, draw_options
from ...properties import choices, fits
from ..tabs import Closed, Section, WithPresets
from ..texts import draw_text

_KINDS: Final = {
    "BOX",
    "CAPSULE",
    "CYLINDER",
    "CONVEX",
    "VOXEL",
    "TRIMESH",
}  # What the options are for.
_SHAPE: Final = ("part", *fits.FIT_OPTIONS, "along")


class OMIPHYSICS_PT_sidebar_shapes(Section, bpy.types.Panel):
    """Buttons that fit shapes to the selected objects."""

    bl_label = "Shapes"
    bl_order = 10

    def draw(self, context: bpy.types.Context) -> None:
        """Whose shape, from what, the simplest that fits, and one button per kind."""
        layout: Any = self.layout
        settings = groups.of_scene(context.scene).fit
        layout.row().prop(settings, "part", expand=True)
        _draw_source(layout, settings, context)
        properties = layout.operator(
            "object.omi_physics_fit_simplest", text="Fit Simplest", icon="SHADERFX"
        )
        _pass_on(settings, properties, ("part", *SIMPLEST_OPTIONS, "threshold"))
        grid = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
        for kind, label, _, icon, _ in choices.FITTED_SHAPES:
            properties = grid.operator("object.omi_physics_fit_shape", text=label, icon=icon)
            properties.type = kind
            _pass_on(settings, properties, _SHAPE)


class OMIPHYSICS_PT_sidebar_fit_options(Closed, WithPresets, Section, bpy.types.Panel):
    """How freely shapes are fitted."""

    bl_parent_id = "OMIPHYSICS_PT_sidebar_shapes"
    bl_label = "Options"
    presets = "OMIPHYSICS_MT_fit_presets"

    def draw(self, context: bpy.types.Context) -> None:
        """The options of the buttons above, and what makes scales part of shapes."""
        layout = split(self.layout)
        settings = groups.of_scene(context.scene).fit
        layout.prop(settings, "threshold")
        draw_options(layout, settings, _KINDS)
        layout.operator("object.omi_physics_bake_scale", icon="CON_SIZELIKE")
        layout.prop(settings, "follow")
        row = layout.row(align=True)
        for scope, text in (("SELECTED", "Refit Selected"), ("ALL", "Refit All")):
            row.operator("object.omi_physics_refit", text=text).scope = scope


class OMIPHYSICS_PT_sidebar_decomposition(Closed, Section, bpy.types.Panel):
    """Cuts meshes into convex hulls."""

    bl_parent_id = "OMIPHYSICS_PT_sidebar_shapes"
    bl_label = "Convex Decomposition"

    def draw(self, context: bpy.types.Context) -> None:
        """How finely, and the button; what to do where the library is missing."""
        from ...authoring.decomposition import cutting

        layout = split(self.layout)
        settings = groups.of_scene(context.scene).fit
        draw_cuts(layout, settings)
        properties = layout.operator("object.omi_physics_decompose", text="Cut", icon="MOD_EXPLODE")
        for name in ("source", *fits.DECOMPOSITION):
            setattr(properties, name, getattr(settings, name))
        properties.part = "COLLIDER" if settings.part == "GRAVITY" else settings.part
        if not cutting.is_here():
            draw_text(context, layout, cutting.missing(), icon="INFO")


def _draw_source(layout: Any, settings: Any, context: bpy.types.Context) -> None:
    layout.prop(settings, "source", text="")
    if settings.source == "SELECTION" and settings.part != "GRAVITY":
        layout.prop(settings, "one_more")
    shown: Any = context.object
    if settings.source == "SELECTION" and (shown is None or shown.mode != "EDIT"):
        layout.label(text="Last selection in Edit Mode", icon="INFO")


def _pass_on(settings: Any, properties: Any, names: tuple[str, ...]) -> None:
    """Give a button the options; it makes the part where there is none."""
    for name in names:
        setattr(properties, name, getattr(settings, name))
    properties.add_missing = True
