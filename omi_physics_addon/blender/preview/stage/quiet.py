"""Operators of Blender for its rigid bodies, that leave no line in the Info editor.

Blender has no other way to make a rigid-body world. It logs what scripts call, but not the steps of
a macro that is not logged itself.
"""

from __future__ import annotations

from typing import Any, Final, cast

import bpy


class OMIPHYSICS_OT_add_rigid_world(bpy.types.Macro):
    """Adds a rigid-body world to the scene."""

    bl_idname = "scene.omi_physics_add_rigid_world"
    bl_label = "Add Rigid Body World"
    bl_description = "Add a rigid-body world to the scene, without a line in the Info editor"
    bl_options: Any = {"INTERNAL"}  # noqa: RUF012 - Blender reads it from the class.


class OMIPHYSICS_OT_leave_rigid_world(bpy.types.Macro):
    """Takes the selected objects out of the rigid-body world."""

    bl_idname = "scene.omi_physics_leave_rigid_world"
    bl_label = "Leave Rigid Body World"
    bl_description = (
        "Take the selected objects out of the rigid-body world, without a line in the Info editor"
    )
    bl_options: Any = {"INTERNAL"}  # noqa: RUF012 - Blender reads it from the class.


CLASSES: Final = (OMIPHYSICS_OT_add_rigid_world, OMIPHYSICS_OT_leave_rigid_world)
_STEPS: Final = ("RIGIDBODY_OT_world_add", "RIGIDBODY_OT_objects_remove")


def register() -> None:
    """Say what the macros do, which Blender takes once they are registered."""
    for cls, step in zip(CLASSES, _STEPS, strict=True):
        cast(Any, cls).define(step)
