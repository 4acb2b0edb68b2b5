"""The submenu OMI Physics of the Object menu, through which menu search finds everything."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...engines import PLAYER
from ..properties import choices
from .texts import pgettext_iface

_FIT: Final = "object.omi_physics_fit_shape"
_SHAPES: Final = tuple((item[0], item[1], item[3]) for item in choices.FITTED_SHAPES)


class OMIPHYSICS_MT_add_motion(bpy.types.Menu):
    """The types of bodies."""

    bl_label = "Add Body"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per type."""
        layout: Any = self.layout
        for kind, label in (
            ("STATIC", "Static"),
            ("KINEMATIC", "Kinematic"),
            ("DYNAMIC", "Dynamic"),
        ):
            layout.operator("object.omi_physics_add_motion", text=label).type = kind


class OMIPHYSICS_MT_fit_collider(bpy.types.Menu):
    """The kinds of shapes for colliders."""

    bl_label = "Fit Collider"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        _draw_fits(self.layout, "COLLIDER")


class OMIPHYSICS_MT_fit_trigger(bpy.types.Menu):
    """The kinds of shapes for triggers."""

    bl_label = "Fit Trigger"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        _draw_fits(self.layout, "TRIGGER")


class OMIPHYSICS_MT_fit_gravity(bpy.types.Menu):
    """The kinds of shapes for gravity that pulls to one."""

    bl_label = "Fit Gravity Shape"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        _draw_fits(self.layout, "GRAVITY")


def _draw_fits(layout: Any, part: str) -> None:
    for kind, label, icon in _SHAPES:
        properties = layout.operator(_FIT, text=label, icon=icon)
        properties.type, properties.part = kind, part


def _draw_presets(layout: Any, kind: str) -> None:
    """Each with a button that removes it, then one that saves what is shown."""
    from ..operators.presets.part_presets import preset_files

    files = preset_files(kind)
    for path in files:
        name = bpy.path.display_name(path.name, title_case=False)
        row = layout.row(align=True)
        row.operator_context = "EXEC_DEFAULT"
        load = row.operator("scene.omi_physics_load_preset", text=name, translate=False)
        load.kind, load.filepath = kind, str(path)
        remove = row.operator("scene.omi_physics_add_preset", text="", icon="REMOVE")
        remove.kind, remove.name, remove.remove_name = kind, name, True
    if files:
        layout.separator()
    else:
        layout.label(text="No presets yet", icon="INFO")
    layout.operator_context = "INVOKE_DEFAULT"
    layout.operator("scene.omi_physics_add_preset", text="Save Preset...", icon="ADD").kind = kind


class OMIPHYSICS_MT_material_presets(bpy.types.Menu):
    """The presets of physics materials."""

    bl_label = "Presets"

    def draw(self, context: bpy.types.Context) -> None:
        """Load, remove, save."""
        _draw_presets(self.layout, "MATERIAL")


class OMIPHYSICS_MT_body_presets(bpy.types.Menu):
    """The presets of bodies."""

    bl_label = "Presets"

    def draw(self, context: bpy.types.Context) -> None:
        """Load, remove, save."""
        _draw_presets(self.layout, "BODY")


class OMIPHYSICS_MT_wheel_presets(bpy.types.Menu):
    """The presets of wheels."""

    bl_label = "Presets"

    def draw(self, context: bpy.types.Context) -> None:
        """Load, remove, save."""
        _draw_presets(self.layout, "WHEEL")


class OMIPHYSICS_MT_vehicle_presets(bpy.types.Menu):
    """The presets of vehicles."""

    bl_label = "Presets"

    def draw(self, context: bpy.types.Context) -> None:
        """Load, remove, save."""
        _draw_presets(self.layout, "VEHICLE")


class OMIPHYSICS_MT_fit_presets(bpy.types.Menu):
    """The presets of fits."""

    bl_label = "Presets"

    def draw(self, context: bpy.types.Context) -> None:
        """Load, remove, save."""
        _draw_presets(self.layout, "FIT")


class OMIPHYSICS_MT_overlay_presets(bpy.types.Menu):
    """The presets of the overlay."""

    bl_label = "Presets"

    def draw(self, context: bpy.types.Context) -> None:
        """Load, remove, save."""
        _draw_presets(self.layout, "OVERLAY")


class OMIPHYSICS_MT_shapes(bpy.types.Menu):
    """What makes shapes of meshes."""

    bl_label = "Shapes"

    def draw(self, context: bpy.types.Context) -> None:
        """Fit, fit again, cut."""
        layout: Any = self.layout
        layout.menu("OMIPHYSICS_MT_fit_collider")
        layout.menu("OMIPHYSICS_MT_fit_trigger")
        layout.menu("OMIPHYSICS_MT_fit_gravity")
        layout.separator()
        layout.operator("object.omi_physics_fit_simplest")
        layout.operator("object.omi_physics_refit")
        layout.operator("object.omi_physics_decompose")
        layout.operator("object.omi_physics_bake_scale")


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


class OMIPHYSICS_MT_object(bpy.types.Menu):
    """What can be done with the physics of objects."""

    bl_label = "OMI Physics"

    def draw(self, context: bpy.types.Context) -> None:
        """Add, fit, share, remove, play; few enough rows for a small window."""
        layout: Any = self.layout
        layout.menu("OMIPHYSICS_MT_add_motion")
        layout.operator("object.omi_physics_add_collider")
        layout.operator("object.omi_physics_add_trigger")
        layout.operator("object.omi_physics_make_rest_solid")
        layout.menu("OMIPHYSICS_MT_parts")
        layout.menu("OMIPHYSICS_MT_vehicle")
        layout.menu("OMIPHYSICS_MT_gravity")
        layout.separator()
        layout.menu("OMIPHYSICS_MT_shapes")
        layout.operator("object.omi_physics_take_computed")
        layout.menu("OMIPHYSICS_MT_joints")
        layout.operator("object.omi_physics_make_ragdoll")
        layout.separator()
        layout.operator("object.omi_physics_mirror")
        layout.menu("OMIPHYSICS_MT_rigid_bodies")
        layout.menu("OMIPHYSICS_MT_by_names")
        layout.separator()
        layout.operator("object.omi_physics_copy_to_selected")
        layout.operator("object.omi_physics_assign_physics_material")
        layout.menu("OMIPHYSICS_MT_known_material")
        layout.operator("object.omi_physics_assign_collision_filter")
        layout.operator("object.omi_physics_trigger_add_selected")
        layout.separator()
        layout.menu("OMIPHYSICS_MT_remove_parts")
        layout.menu("OMIPHYSICS_MT_find")
        layout.menu("OMIPHYSICS_MT_preview")


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


def register() -> None:
    """Append to Blender's menus."""
    bpy.types.TOPBAR_MT_file.append(draw_file_menu)
    bpy.types.VIEW3D_MT_object.append(draw_object_menu)
    bpy.types.TOPBAR_MT_file_import.append(draw_import_menu)


def unregister() -> None:
    """Undo `register`."""
    bpy.types.TOPBAR_MT_file_import.remove(draw_import_menu)
    bpy.types.VIEW3D_MT_object.remove(draw_object_menu)
    bpy.types.TOPBAR_MT_file.remove(draw_file_menu)
