"""Menus that make things: new objects, parts of the selection, vehicles."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import bpy

from ..base.roles import PARTS
from ..properties import part_choices

_NEW: Final = "object.omi_physics_new"
_LIBRARY: Final = "scene.omi_physics_add_sample_library"
_TEMPLATES: Final = Path(__file__).resolve().parents[2] / "templates"
# Scenes that the first steps lead to, by their labels.
TEMPLATES: Final = {
    name.title(): _TEMPLATES / f"{name}.blend" for name in ("car", "door", "planet")
}


class OMIPHYSICS_MT_add_gravity(bpy.types.Menu):
    """The kinds of gravity that a volume can have."""

    bl_label = "Add Gravity"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        layout: Any = self.layout
        for kind, label, _, icon, _ in part_choices.GRAVITIES:
            layout.operator("object.omi_physics_add_gravity", text=label, icon=icon).type = kind


class OMIPHYSICS_MT_new_gravity(bpy.types.Menu):
    """New volumes, by kind of gravity."""

    bl_label = "Gravity Volume"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        layout: Any = self.layout
        for kind, label, _, icon, _ in part_choices.GRAVITIES:
            layout.operator(_NEW, text=f"{label} Gravity", icon=icon).kind = f"{kind}_GRAVITY"


class OMIPHYSICS_MT_new(bpy.types.Menu):
    """New objects with physics."""

    bl_label = "OMI Physics"

    def draw(self, context: bpy.types.Context) -> None:
        """Bodies, then forces, then vehicles and their parts."""
        layout: Any = self.layout
        layout.operator_context = "INVOKE_REGION_WIN"
        for kind, label, _, icon in part_choices.NEW_OBJECTS:
            if kind == "VEHICLE":
                layout.menu("OMIPHYSICS_MT_new_gravity", icon="FORCE_FORCE")
            if kind in ("JOINT", "VEHICLE", "SEAT"):
                layout.separator()
            layout.operator(_NEW, text=label, icon=icon).kind = kind
        layout.separator()
        layout.operator(_LIBRARY, icon="ASSET_MANAGER")


class OMIPHYSICS_MT_parts(bpy.types.Menu):
    """Parts for the selected objects, beside bodies, colliders and triggers."""

    bl_label = "Add Part"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per part; gravity has kinds."""
        layout: Any = self.layout
        for part in [*PARTS][3:]:
            if part == "gravity":
                layout.menu("OMIPHYSICS_MT_add_gravity")
            else:
                layout.operator(f"object.omi_physics_add_{part}")


class OMIPHYSICS_MT_remove_parts(bpy.types.Menu):
    """Takes parts from the selected objects."""

    bl_label = "Remove Part"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per part."""
        layout: Any = self.layout
        for part in PARTS:
            layout.operator(f"object.omi_physics_remove_{part}")


class OMIPHYSICS_MT_rig_vehicle(bpy.types.Menu):
    """The kinds of vehicles that a chassis can become."""

    bl_label = "Make Vehicle"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        layout: Any = self.layout
        for kind, label, _ in part_choices.VEHICLE_KINDS:
            layout.operator("object.omi_physics_rig_vehicle", text=label).kind = kind


class OMIPHYSICS_MT_vehicle(bpy.types.Menu):
    """What puts vehicles together."""

    bl_label = "Vehicle"

    def draw(self, context: bpy.types.Context) -> None:
        """From the chassis to the pilot."""
        layout: Any = self.layout
        layout.menu("OMIPHYSICS_MT_rig_vehicle")
        layout.operator("object.omi_physics_fit_suspension")
        layout.operator("object.omi_physics_parent_to_vehicle")
        layout.operator("object.omi_physics_find_pilot_seat")


class OMIPHYSICS_MT_gravity(bpy.types.Menu):
    """What trades gravity with curves and with the scene."""

    bl_label = "Gravity"

    def draw(self, context: bpy.types.Context) -> None:
        """Lines, then the world."""
        layout: Any = self.layout
        layout.operator("object.omi_physics_line_from_curve")
        layout.operator("scene.omi_physics_take_scene_gravity")
        layout.operator("scene.omi_physics_give_scene_gravity")


class OMIPHYSICS_MT_new_file(bpy.types.Menu):
    """New files with a scene that has physics."""

    bl_label = "Physics"

    def draw(self, context: bpy.types.Context) -> None:
        """They have no name yet, and the windows stay."""
        layout: Any = self.layout
        layout.operator_context = "INVOKE_DEFAULT"  # It asks before changes are lost.
        for label, path in TEMPLATES.items():
            new = layout.operator("wm.read_homefile", text=label, icon="FILE_NEW")
            new.filepath, new.load_ui = str(path), False


def draw_new_menu(self: Any, _context: bpy.types.Context) -> None:
    """Append our submenu to File > New."""
    self.layout.separator()
    self.layout.menu("OMIPHYSICS_MT_new_file", icon="PHYSICS")


def draw_asset_menu(self: Any, _context: bpy.types.Context) -> None:
    """Append our library to the Asset menu of the Asset Browser."""
    self.layout.separator()
    self.layout.operator(_LIBRARY, icon="ASSET_MANAGER")
    self.layout.operator("scene.omi_physics_remove_sample_library")


def draw_add_menu(self: Any, _context: bpy.types.Context) -> None:
    """Append our submenu to the Add menu."""
    self.layout.menu("OMIPHYSICS_MT_new", icon="PHYSICS")


_appended: list[tuple[Any, Any]] = []


def _drawn() -> tuple[tuple[Any, Any], ...]:
    """Menus of Blender, and what we append to them."""
    types: Any = bpy.types  # The stubs lack the menu of assets.
    return (
        (types.VIEW3D_MT_add, draw_add_menu),
        (types.TOPBAR_MT_file_new, draw_new_menu),
        (types.ASSETBROWSER_MT_asset, draw_asset_menu),
    )


def register() -> None:
    """Append to Blender's menus."""
    _appended[:] = _drawn()
    for menu, draw in _appended:
        menu.append(draw)


def unregister() -> None:
    """Undo `register`; a Blender that ends has taken menus of its own from `bpy.types` by then."""
    for menu, draw in _appended:
        menu.remove(draw)
    _appended.clear()
