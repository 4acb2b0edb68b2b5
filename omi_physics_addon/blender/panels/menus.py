"""The submenu OMI Physics of the Object menu, through which menu search finds everything."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...engines import PLAYER
from ..base import groups
from ..operators.presets import part_presets
from ..properties import choices, rigid_choices
from . import create_menus
from .menu_rows import Button, draw_rows, menu, preset_menu
from .texts import pgettext_iface

_BODY: Final = "object.omi_physics_add_motion"
_FIT: Final = "object.omi_physics_fit_shape"
_KNOWN: Final = "object.omi_physics_known_material"
_BY_NAMES: Final = "object.omi_physics_physics_by_names"
_FROM: Final = "object.omi_physics_from_rigid_bodies"
_TO: Final = "object.omi_physics_to_rigid_bodies"
_SELECTED: Final = {"scope": "SELECTED"}
_ALL: Final = {"scope": "SCENE"}


def _fits(part: str) -> list[Button]:
    """A button for each kind of shape that a part can have."""
    shapes = choices.FITTED_SHAPES
    return [Button(_FIT, s[1], s[3], {"type": s[0], "part": part}) for s in shapes]


class OMIPHYSICS_MT_preview(bpy.types.Menu):
    """What plays the scene, here and elsewhere, and what is made of it."""

    bl_label = "Preview"

    def draw(self, context: bpy.types.Context) -> None:
        """Play, look before, keep."""
        layout: Any = self.layout
        layout.operator("scene.omi_physics_preview_start")
        layout.operator("scene.omi_physics_play_in_browser")
        layout.operator("scene.omi_physics_play_in_engine")
        text = pgettext_iface(PLAYER.install) + "..."
        layout.operator("scene.omi_physics_install_importer", text=text, translate=False)
        layout.separator()
        layout.operator("scene.omi_physics_preview_check", text="Check Preview")
        layout.operator("scene.omi_physics_inspect_export")
        layout.separator()
        layout.operator("object.omi_physics_settle")
        # Dots say that something is asked first.
        layout.operator("scene.omi_physics_record", text="Record Physics to File...")
        layout.operator("object.omi_physics_bake", text="Bake Physics to Keyframes...")
        layout.operator("object.omi_physics_remove_bake")


class OMIPHYSICS_MT_find(bpy.types.Menu):
    """What finds, shows and checks physics."""

    # Menu search finds buttons of the sidebar by this.
    bl_label = "Find and Check"

    def draw(self, context: bpy.types.Context) -> None:
        """Select, hide, systems, check, JSON."""
        sidebar = groups.of_scene(context.scene).sidebar
        system, family = {"system": sidebar.system}, {"family": sidebar.json_family}
        rows = (
            *("OMIPHYSICS_MT_select_role", "OMIPHYSICS_MT_select_same", "OMIPHYSICS_MT_hide_role"),
            None,
            "scene.omi_physics_new_system",
            "scene.omi_physics_merge_filters",
            Button("object.omi_physics_assign_system", options=system),
            Button("object.omi_physics_select_system", options=system),
            None,
            "scene.omi_physics_check",
            Button("object.omi_physics_copy_json", options=family),
            "object.omi_physics_paste_json",
            Button("object.omi_physics_open_json", options=family),
        )
        draw_rows(self.layout, rows)


MADE = (
    menu(
        "OMIPHYSICS_MT_add_motion",
        "Add Body",
        Button(_BODY, "Static", options={"type": "STATIC"}),
        Button(_BODY, "Kinematic", options={"type": "KINEMATIC"}),
        Button(_BODY, "Dynamic", options={"type": "DYNAMIC"}),
    ),
    menu("OMIPHYSICS_MT_fit_collider", "Fit Collider", *_fits("COLLIDER")),
    menu("OMIPHYSICS_MT_fit_trigger", "Fit Trigger", *_fits("TRIGGER")),
    menu("OMIPHYSICS_MT_fit_gravity", "Fit Gravity Shape", *_fits("GRAVITY")),
    *(
        preset_menu(f"OMIPHYSICS_MT_{kind.lower()}_presets", row.folder, "preset", kind=kind)
        for kind, row in part_presets.KINDS.items()
    ),
    menu(
        "OMIPHYSICS_MT_rigid_bodies",
        "Rigid Bodies",
        Button(_FROM, "From Rigid Bodies", options=_SELECTED),
        Button(_FROM, "From All Rigid Bodies", options=_ALL),
        Button(_TO, "To Rigid Bodies", options=_SELECTED),
        Button(_TO, "All to Rigid Bodies", options=_ALL),
    ),
    menu(
        "OMIPHYSICS_MT_by_names",
        "Physics by Names",
        Button(_BY_NAMES, "Of Selected Objects", options=_SELECTED),
        Button(_BY_NAMES, "Of All Objects", options=_ALL),
    ),
    menu(
        "OMIPHYSICS_MT_known_material",
        "Known Material",
        *(Button(_KNOWN, m[1], options={"material": m[0]}) for m in rigid_choices.MATERIALS),
    ),
    menu(
        "OMIPHYSICS_MT_shapes",
        "Shapes",
        "OMIPHYSICS_MT_fit_collider",
        "OMIPHYSICS_MT_fit_trigger",
        "OMIPHYSICS_MT_fit_gravity",
        None,
        "object.omi_physics_fit_simplest",
        "object.omi_physics_refit",
        "object.omi_physics_decompose",
        "object.omi_physics_bake_scale",
    ),
    menu(  # Few enough rows for a small window.
        "OMIPHYSICS_MT_object",
        "OMI Physics",
        "OMIPHYSICS_MT_add_motion",
        "object.omi_physics_add_collider",
        "object.omi_physics_add_trigger",
        "object.omi_physics_make_rest_solid",
        "OMIPHYSICS_MT_parts",
        "OMIPHYSICS_MT_vehicle",
        "OMIPHYSICS_MT_gravity",
        None,
        "OMIPHYSICS_MT_shapes",
        "object.omi_physics_take_computed",
        "OMIPHYSICS_MT_joints",
        "object.omi_physics_make_ragdoll",
        None,
        "object.omi_physics_mirror",
        "OMIPHYSICS_MT_rigid_bodies",
        "OMIPHYSICS_MT_by_names",
        None,
        "object.omi_physics_copy_to_selected",
        "object.omi_physics_assign_physics_material",
        "OMIPHYSICS_MT_known_material",
        "object.omi_physics_assign_collision_filter",
        "object.omi_physics_trigger_add_selected",
        None,
        "OMIPHYSICS_MT_remove_parts",
        "OMIPHYSICS_MT_find",
        "OMIPHYSICS_MT_preview",
    ),
)


def draw_object_menu(self: Any, _context: bpy.types.Context) -> None:
    """Append our submenu to the Object menu."""
    self.layout.separator()
    self.layout.menu("OMIPHYSICS_MT_object")


def draw_import_menu(self: Any, _context: bpy.types.Context) -> None:
    """Append to the menu of File > Import."""
    self.layout.operator("scene.omi_physics_import_robot", text="Robot (.urdf)")
    self.layout.operator("scene.omi_physics_inspect", text="Inspect glTF Physics")


def draw_file_menu(self: Any, _context: bpy.types.Context) -> None:
    """Append to the menu of File."""
    self.layout.separator()
    self.layout.operator("scene.omi_physics_play_in_browser", text="Play in Browser")
    self.layout.operator("scene.omi_physics_play_in_engine")


_appended: list[tuple[Any, Any]] = []


def _drawn() -> tuple[tuple[Any, Any], ...]:
    """Menus of Blender, and what we append to them."""
    types: Any = bpy.types  # The stubs lack the menu of assets.
    return (
        (types.TOPBAR_MT_file, draw_file_menu),
        (types.VIEW3D_MT_object, draw_object_menu),
        (types.TOPBAR_MT_file_import, draw_import_menu),
        (types.VIEW3D_MT_add, create_menus.draw_add_menu),
        (types.TOPBAR_MT_file_new, create_menus.draw_new_menu),
        (types.ASSETBROWSER_MT_asset, create_menus.draw_asset_menu),
    )


def register() -> None:
    """Append to Blender's menus."""
    _appended[:] = _drawn()
    for each, draw in _appended:
        each.append(draw)


def unregister() -> None:
    """Undo `register`; a Blender that ends has taken menus of its own from `bpy.types` by then."""
    for each, draw in _appended:
        each.remove(draw)
    _appended.clear()
