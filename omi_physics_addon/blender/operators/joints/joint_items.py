"""Edits the limits and drives of joint settings."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...base import groups
from ...base.groups import copy_group
from ...properties import choices, joint_choices
from ...properties.entries import is_editable
from ..chosen_objects import OnScene, done, lists_changed, refuse, unavailable
from .chosen_joints import entry_named

_ADDED: Final = {"limits": "Added a limit", "drives": "Added a drive"}
_REMOVED: Final = {"limits": "Removed a limit", "drives": "Removed a drive"}
_COPIED: Final = {"limits": "Copied a limit", "drives": "Copied a drive"}


class _OnItems(joint_choices.SettingsName, joint_choices.JointItems, OnScene):
    """An operator on one list of joint settings."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the scene has joint settings that can be edited."""
        if not super().poll(context):
            return False
        if groups.of_scene(context.scene).joint_settings:
            return True
        return unavailable(cls, "The scene has no joint settings")

    def found(self, context: bpy.types.Context) -> tuple[Any, Any, int]:
        """The joint settings, None for none; their list; its active place, -1 for none."""
        chosen: Any = self
        entry = entry_named(context, chosen.settings)
        if entry is None or not is_editable(entry):
            return None, (), -1
        items = getattr(entry, chosen.part)
        index = getattr(entry, f"{chosen.part}_index")
        return entry, items, index if 0 <= index < len(items) else -1

    def activate(self, context: bpy.types.Context, entry: Any, index: int) -> None:
        """Make a row the active one, once the list has changed."""
        setattr(entry, f"{self.part}_index", index)
        lists_changed(context)


class OMIPHYSICS_OT_add_joint_item(_OnItems, bpy.types.Operator):
    """Adds a limit or a drive."""

    bl_idname = "scene.omi_physics_add_joint_item"
    bl_label = "Add Limit or Drive"
    bl_description = "Add a limit or a drive to the joint settings"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """A new limit holds all axes where they are, a new drive is a motor about Z."""
        entry, items, _ = self.found(context)
        if entry is None:
            return refuse(self, "This file does not have these joint settings")
        item = items.add()
        if self.part == "limits":
            item.axes, item.use_min, item.use_max = (True,) * 3, True, True
        else:
            item.type, item.axis = "ANGULAR", "Z"
            item.use_velocity_target, item.damping = True, 1.0
        self.activate(context, entry, len(items) - 1)
        return done(self, _ADDED[self.part])


class OMIPHYSICS_OT_remove_joint_item(_OnItems, bpy.types.Operator):
    """Removes the active limit or drive."""

    bl_idname = "scene.omi_physics_remove_joint_item"
    bl_label = "Remove Limit or Drive"
    bl_description = "Remove the active limit or drive of the joint settings"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """The row that takes its place becomes the active one."""
        entry, items, index = self.found(context)
        if index < 0:
            return refuse(self, "The list is empty")
        items.remove(index)
        self.activate(context, entry, max(min(index, len(items) - 1), 0))
        return done(self, _REMOVED[self.part])


class OMIPHYSICS_OT_duplicate_joint_item(_OnItems, bpy.types.Operator):
    """Copies the active limit or drive."""

    bl_idname = "scene.omi_physics_duplicate_joint_item"
    bl_label = "Duplicate Limit or Drive"
    bl_description = "Copy the active limit or drive of the joint settings"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """The copy stands below the original and becomes the active one."""
        entry, items, index = self.found(context)
        if index < 0:
            return refuse(self, "The list is empty")
        copy = items.add()
        copy_group(items[index], copy)
        if self.part == "limits":
            copy.split_from = 0
        items.move(len(items) - 1, index + 1)
        self.activate(context, entry, index + 1)
        return done(self, _COPIED[self.part])


class OMIPHYSICS_OT_move_joint_item(choices.Direction, _OnItems, bpy.types.Operator):
    """Moves the active limit or drive in its list."""

    bl_idname = "scene.omi_physics_move_joint_item"
    bl_label = "Move Limit or Drive"
    bl_description = "Move the active limit or drive in its list"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Stop at the ends of the list."""
        entry, items, index = self.found(context)
        new = index + (-1 if self.direction == "UP" else 1)
        if index < 0 or not 0 <= new < len(items):
            return refuse(self, "The entry is at the end of the list")
        items.move(index, new)
        self.activate(context, entry, new)
        return {"FINISHED"}
