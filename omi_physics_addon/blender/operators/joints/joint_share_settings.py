"""Shares joint settings among joints, copies and unlinks them."""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from ...base.groups import copy_group
from ...properties import joint_choices, names
from ..chosen_objects import (
    OnScene,
    Undoable,
    changed,
    done,
    refuse,
    report,
    unavailable,
)
from .chosen_joints import OnJoints, entry_named, joint_targets


class OMIPHYSICS_OT_single_user_joint_settings(OnJoints, bpy.types.Operator):
    """Gives each selected joint settings of its own."""

    bl_idname = "object.omi_physics_single_user_joint_settings"
    bl_label = "Make Joint Settings Single User"
    bl_description = "Make the settings of the selected joints single-user copies"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Joints that share with nobody stay as they are."""
        from ...authoring.joint_making import settings_of

        scene = context.scene
        counts: dict[str, int] = {}
        for obj in names.objects_of(scene):
            group = groups.of_object(obj)
            if group.use_joint:
                counts[group.joint.settings] = counts.get(group.joint.settings, 0) + 1
        count = 0
        for obj in joint_targets(context):
            entry = settings_of(obj, scene)
            if entry is not None and counts[entry.name] > 1:
                counts[entry.name] -= 1
                groups.of_object(obj).joint.settings = copied(scene, entry).name
                changed(obj)
                count += 1
        if not count:
            return refuse(self, "The selected joints already have single-user settings")
        one, many = "Gave {count} joint its own settings", "Gave {count} joints their own settings"
        return report(self, one, many, count)


class OMIPHYSICS_OT_unlink_joint_settings(OnJoints, bpy.types.Operator):
    """Lets the selected joints use no settings."""

    bl_idname = "object.omi_physics_unlink_joint_settings"
    bl_label = "Unlink Joint Settings"
    bl_description = (
        "Unlink the settings from the selected joints; the settings stay in the scene's list"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Joints without settings stay as they are."""
        found = [obj for obj in joint_targets(context) if groups.read(obj).joint.settings]
        if not found:
            return refuse(self, "The selected joints have no settings")
        for obj in found:
            groups.of_object(obj).joint.settings = ""
            changed(obj)
        one, many = "Unlinked {count} joint", "Unlinked {count} joints"
        return report(self, one, many, len(found))


class OMIPHYSICS_OT_duplicate_joint_settings(
    joint_choices.SettingsName, joint_choices.AssignCopy, OnScene, bpy.types.Operator
):
    """Copies joint settings of the scene."""

    bl_idname = "scene.omi_physics_duplicate_joint_settings"
    bl_label = "Duplicate Joint Settings"
    bl_description = "Copy joint settings of the scene under a new name"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there are joint settings."""
        if super().poll(context) and groups.of_scene(context.scene).joint_settings:
            return True
        return unavailable(cls, "The scene has no joint settings")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """The copy becomes the active entry."""
        chosen: Any = self
        entry = entry_named(context, chosen.settings)
        if entry is None:
            return refuse(self, "The list has no active entry")
        name = copied(context.scene, entry).name
        if chosen.assign:
            for obj in joint_targets(context):
                groups.of_object(obj).joint.settings = name
                changed(obj)
        return done(self, "Added {name}", name=name)


class OMIPHYSICS_OT_copy_joint_settings(joint_choices.CopySettings, OnScene, bpy.types.Operator):
    """Lets the selected joints do what the active one does."""

    bl_idname = "object.omi_physics_copy_joint_settings"
    bl_label = "Copy Joint Settings"
    bl_description = "Link or copy the settings of the active joint to the other selected joints"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object is a joint with settings, and others are selected."""
        active: Any = context.object
        if not super().poll(context):
            return False
        if (
            active is None
            or not groups.read(active).use_joint
            or not groups.read(active).joint.settings
        ):
            return unavailable(cls, "The active object must be a joint with settings")
        selected = context.selected_editable_objects
        if any(obj != active and groups.read(obj).use_joint for obj in selected):
            return True
        return unavailable(cls, "Select the joints to copy to, then the joint to copy from")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that use the settings already get copies if asked for."""
        from ...authoring.joint_making import settings_of

        active: Any = context.object
        entry = settings_of(active, context.scene)
        if entry is None:
            return refuse(self, "The settings of the active joint are missing in the scene")
        source: str = entry.name
        others = [obj for obj in joint_targets(context) if obj != active]
        for obj in others:
            name = source
            if self.make_copy:
                name = copied(context.scene, entry_named(context, source)).name
            groups.of_object(obj).joint.settings = name
            changed(obj)
        one, many = (
            "{count} joint has the settings of {name}",
            "{count} joints have the settings of {name}",
        )
        return report(self, one, many, len(others), name=active.name)


class OMIPHYSICS_OT_select_same_joint_settings(Undoable, bpy.types.Operator):
    """Selects the joints that share the settings of the active one."""

    bl_idname = "object.omi_physics_select_same_joint_settings"
    bl_label = "Select Joints with Same Settings"
    bl_description = "Select the joints that use the same settings as the active one"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object is a joint with settings."""
        active: Any = context.object
        if (
            active is not None
            and groups.read(active).use_joint
            and groups.read(active).joint.settings
        ):
            return True
        return unavailable(cls, "The active object must be a joint with settings")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Hidden ones cannot be selected."""
        from ...authoring.joint_making import users

        active: Any = context.object
        found = set(users(context.scene, groups.read(active).joint.settings))
        view_layer: Any = context.view_layer
        count = 0
        for obj in view_layer.objects:
            if obj in found and obj.visible_get() and not obj.hide_select:
                obj.select_set(True)
                count += 1
        return report(self, "Selected {count} object", "Selected {count} objects", count)


def copied(scene: Any, entry: Any) -> Any:
    """A copy of an entry of the scene's list under a name of its own; it becomes the active one."""
    name: str = entry.name
    entries = groups.of_scene(scene).joint_settings
    copy = entries.add(name)
    own: str = copy.name
    made_up, in_file = copy.made_up_name, copy.name_in_file
    copy_group(entry, copy)
    copy.name, copy.made_up_name, copy.name_in_file = own, made_up, in_file
    groups.of_scene(scene).joint_settings_index = len(entries) - 1
    return copy
