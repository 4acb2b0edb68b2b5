"""The submenu of joints, and the menus of their kinds and presets."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, cast

import bpy

from ..operators.joints.joint_presets import SUBDIR
from ..properties.joint_choices import KINDS

_LOAD: Final = "scene.omi_physics_load_joint_preset"
_PRESETS: Final = "OMIPHYSICS_MT_joint_presets"


class OMIPHYSICS_MT_joint_kinds(bpy.types.Menu):
    """The kinds of joints, for the selected ones."""

    bl_label = "Set Kind"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        _draw_kinds(self.layout, "object.omi_physics_set_joint_kind")


class OMIPHYSICS_MT_joint_settings_kinds(bpy.types.Menu):
    """The kinds of joints, for the active settings of the scene."""

    bl_label = "Set Kind"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        _draw_kinds(self.layout, "scene.omi_physics_set_joint_settings_kind")


class OMIPHYSICS_MT_connect(bpy.types.Menu):
    """The kinds of joints, between the selected objects and the active one."""

    bl_label = "Connect Selected By"

    def draw(self, context: bpy.types.Context) -> None:
        """One entry per kind."""
        _draw_kinds(self.layout, "object.omi_physics_connect_selected")


def _draw_kinds(layout: Any, operator: str) -> None:
    layout.operator_context = "INVOKE_DEFAULT"
    for kind, label, _text, icon, _number in KINDS:
        layout.operator(operator, text=label, icon=icon).kind = kind


class OMIPHYSICS_MT_joint_presets(bpy.types.Menu):
    """The presets that were saved."""

    bl_label = "Presets"
    preset_subdir = SUBDIR
    preset_operator = _LOAD

    def draw(self, context: bpy.types.Context) -> None:
        """Each with a button that removes it, then one that saves what is shown."""
        layout: Any = self.layout
        files = preset_files()
        for path in files:
            name = bpy.path.display_name(path.name, title_case=False)
            row = layout.row(align=True)
            row.operator_context = "EXEC_DEFAULT"
            properties = row.operator(_LOAD, text=name, translate=False)
            properties.filepath, properties.menu_idname = str(path), _PRESETS
            remove = row.operator("scene.omi_physics_add_joint_preset", text="", icon="REMOVE")
            remove.name, remove.remove_name = name, True
        if files:
            layout.separator()
        else:
            layout.label(text="No presets yet", icon="INFO")
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("scene.omi_physics_add_joint_preset", text="Save Preset...", icon="ADD")


def preset_files() -> list[Path]:
    """The files of the presets, by name."""
    folders = cast("list[str]", bpy.utils.preset_paths(SUBDIR))
    return sorted(path for folder in folders for path in Path(folder).glob("*.py"))


class OMIPHYSICS_MT_joints(bpy.types.Menu):
    """What can be done with joints."""

    bl_label = "Joints"

    def draw(self, context: bpy.types.Context) -> None:
        """Make, set, share, turn around."""
        layout: Any = self.layout
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("object.omi_physics_connect_selected")
        layout.menu("OMIPHYSICS_MT_connect")
        layout.operator("object.omi_physics_connect_row")
        layout.operator("object.omi_physics_find_joints", text="Find Joints...")
        layout.operator("object.omi_physics_rope_from_curve")
        layout.separator()
        layout.menu("OMIPHYSICS_MT_joint_kinds")
        layout.operator("object.omi_physics_swap_joint_ends")
        layout.operator("object.omi_physics_pose_joint", text="Pose Joint...")
        layout.operator("object.omi_physics_rest_joint")
        layout.separator()
        layout.operator("object.omi_physics_copy_joint_settings")
        layout.operator("object.omi_physics_single_user_joint_settings")
        layout.operator("object.omi_physics_assign_joint_settings")
        layout.operator("object.omi_physics_unlink_joint_settings")
        layout.operator("object.omi_physics_select_same_joint_settings")
