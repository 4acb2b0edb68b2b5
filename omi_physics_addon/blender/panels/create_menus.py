"""Menus that make things: new objects, parts of the selection, vehicles."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import bpy

from ..base.roles import PARTS
from ..properties import part_choices
from .menu_rows import Button, menu

_NEW: Final = "object.omi_physics_new"
_GRAVITY: Final = "object.omi_physics_add_gravity"
_LIBRARY: Final = "scene.omi_physics_add_sample_library"
_TEMPLATES: Final = Path(__file__).resolve().parents[2] / "templates"
# Scenes that the first steps lead to, by their labels.
TEMPLATES: Final = {
    name.title(): _TEMPLATES / f"{name}.blend" for name in ("car", "door", "planet")
}


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


def _add(part: str) -> str:
    """What adds a part to the selected objects; gravity has kinds."""
    return "OMIPHYSICS_MT_add_gravity" if part == "gravity" else f"object.omi_physics_add_{part}"


_GRAVITIES: Final = [item[:4] for item in part_choices.GRAVITIES]
MADE = (
    menu(
        "OMIPHYSICS_MT_add_gravity",
        "Add Gravity",
        *(Button(_GRAVITY, label, icon, {"type": kind}) for kind, label, _, icon in _GRAVITIES),
    ),
    menu(
        "OMIPHYSICS_MT_new_gravity",
        "Gravity Volume",
        *(
            Button(_NEW, f"{label} Gravity", icon, {"kind": f"{kind}_GRAVITY"})
            for kind, label, _, icon in _GRAVITIES
        ),
    ),
    menu("OMIPHYSICS_MT_parts", "Add Part", *map(_add, [*PARTS][3:])),
    menu(
        "OMIPHYSICS_MT_remove_parts",
        "Remove Part",
        *(f"object.omi_physics_remove_{part}" for part in PARTS),
    ),
    menu(
        "OMIPHYSICS_MT_rig_vehicle",
        "Make Vehicle",
        *(
            Button("object.omi_physics_rig_vehicle", label, options={"kind": kind})
            for kind, label, _ in part_choices.VEHICLE_KINDS
        ),
    ),
    menu(
        "OMIPHYSICS_MT_vehicle",
        "Vehicle",
        "OMIPHYSICS_MT_rig_vehicle",
        "object.omi_physics_fit_suspension",
        "object.omi_physics_parent_to_vehicle",
        "object.omi_physics_find_pilot_seat",
    ),
    menu(
        "OMIPHYSICS_MT_gravity",
        "Gravity",
        "object.omi_physics_line_from_curve",
        "scene.omi_physics_take_scene_gravity",
        "scene.omi_physics_give_scene_gravity",
    ),
)


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
