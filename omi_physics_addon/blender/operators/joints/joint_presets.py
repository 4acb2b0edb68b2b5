"""Presets of joint settings, kept as files by Blender's preset system."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import bpy
from bl_operators import presets

from ....model.joints import JointSettings
from ...base import groups
from ...properties import joint_choices
from ...properties.entries import is_editable
from ..chosen_objects import (
    OnScene,
    active_entry,
    changed,
    done,
    lists_changed,
    refuse,
)
from ..presets.part_presets import is_preset
from .chosen_joints import joint_targets

_Base: Any = presets.AddPresetBase
SUBDIR: Final = "omi_physics/joints"
_FAULTS: Final = (SyntaxError, NameError, AttributeError, LookupError, TypeError, ValueError)
_UNSAID: Final = -1  # Presets of older versions say no version.
_ACTIVE: Final = "bpy.context.scene.omi_physics"


def shown_entry(context: bpy.types.Context) -> Any:
    """The settings of the active joint, or else the active ones of the scene; None for none."""
    from ...authoring.joint_making import settings_of

    obj: Any = context.object
    if obj is not None and groups.read(obj).use_joint:
        return settings_of(obj, context.scene)
    return active_entry(context, "joint_settings")


def activate(context: bpy.types.Context, entry: Any) -> None:
    """Make an entry the active one of the scene, which is what presets are read from."""
    settings = groups.of_scene(context.scene)
    listed = settings.joint_settings
    if entry.name not in listed:
        listed.append(entry.id_data)
    settings.joint_settings_index = listed.find(entry.name)


class OMIPHYSICS_OT_add_joint_preset(OnScene, _Base, bpy.types.Operator):
    """Saves joint settings as a preset, or removes one."""

    bl_idname = "scene.omi_physics_add_joint_preset"
    bl_label = "Add Joint Preset"
    bl_description = "Save the shown joint settings as a preset, or remove a preset"
    preset_menu = "OMIPHYSICS_MT_joint_presets"
    preset_subdir = SUBDIR
    preset_defines = [  # noqa: RUF012 - Blender reads it from the class.
        f"settings = {_ACTIVE}.joint_settings[{_ACTIVE}.joint_settings_index]"
    ]
    preset_values = ["settings.limits", "settings.drives", "settings.version"]  # noqa: RUF012 - as above.

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Let the preset be written from what is shown."""
        if not (self.remove_name or self.remove_active):
            entry = shown_entry(context)
            if entry is None:
                return refuse(self, "There are no joint settings to save")
            activate(context, entry)
        base: Any = super()
        return base.execute(context)


class OMIPHYSICS_OT_load_joint_preset(joint_choices.PresetFile, OnScene, bpy.types.Operator):
    """Fills joint settings from a preset."""

    bl_idname = "scene.omi_physics_load_joint_preset"
    bl_label = "Load Joint Preset"
    bl_description = "Load a preset into the shown joint settings"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Joints without settings get new ones, named after the preset."""
        from ....model import joint_words
        from ...authoring.joint_making import new_entry, settings_of
        from ...scene import joint_settings

        chosen: Any = self
        path = Path(chosen.filepath)
        if not is_preset(path, SUBDIR):
            return refuse(self, "The preset is missing from the folder of presets")
        shown = shown_entry(context)
        if shown is not None and not is_editable(shown):
            return refuse(self, "{name} is linked from another file", name=shown.name)
        name = bpy.path.display_name(path.name, title_case=False)
        entry = shown
        if entry is None:
            entry = new_entry(context.scene, JointSettings(), name or joint_words.FREE)
            for obj in joint_targets(context):
                if settings_of(obj, context.scene) is None:
                    groups.of_object(obj).joint.settings = entry.name
                    changed(obj)
        activate(context, entry)
        entry.version = _UNSAID
        try:
            bpy.utils.execfile(str(path))
        except _FAULTS as error:
            return refuse(self, "The preset cannot be read: {why}", why=error)
        if entry.version == _UNSAID:
            joint_settings.lift(entry)
        lists_changed(context)
        return done(self, "{name}: {what}", name=entry.name, what=name)
