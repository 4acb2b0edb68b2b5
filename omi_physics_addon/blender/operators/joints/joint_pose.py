"""Poses the joint of the active object, and puts it back."""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from ...preview import player
from ...properties import preview_choices
from ..chosen_objects import Undoable, refuse, split, unavailable


class _OnJoint(Undoable):
    """An operator on the joint of the active object."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object has a joint and is in object mode."""
        obj: Any = context.object
        if obj is None or not groups.read(obj).use_joint:
            return unavailable(cls, "The active object has no joint")
        if context.mode != "OBJECT":
            return unavailable(cls, "Joints are posed in Object Mode only")
        return True


class OMIPHYSICS_OT_pose_joint(_OnJoint, preview_choices.JointPose, bpy.types.Operator):
    """Moves what a joint holds to a place that it lets it have."""

    bl_idname = "object.omi_physics_pose_joint"
    bl_label = "Pose Joint"
    bl_description = (
        "Pose the jointed object within its limits without simulating; limits are still "
        "measured from the rest pose"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Show sliders that begin where the joint is."""
        from ...authoring import joint_pose

        player.hold()
        found = joint_pose.poseable(context.object, context.scene)
        if isinstance(found, str):
            return refuse(self, found)
        for name, value in zip(joint_pose.NAMES, joint_pose.values(found), strict=True):
            setattr(self, name, value)
        manager: Any = context.window_manager
        return manager.invoke_props_popup(self, event)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Pose the axes whose values are given; others stay."""
        from ...authoring import joint_pose

        player.hold()
        found = joint_pose.poseable(context.object, context.scene)
        if isinstance(found, str):
            return refuse(self, found)
        me: Any = self
        given = me.properties.is_property_set
        wanted = {i: getattr(me, name) for i, name in enumerate(joint_pose.NAMES) if given(name)}
        joint_pose.pose(found, wanted)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """A slider for each axis that is free or limited."""
        from ...authoring import joint_pose

        layout = split(self.layout)
        found = joint_pose.poseable(context.object, context.scene)
        if isinstance(found, str):
            layout.label(text=found, icon="INFO")
            return
        column = layout.column(align=True)
        for i in found.axes:
            column.prop(self, joint_pose.NAMES[i])


class OMIPHYSICS_OT_rest_joint(_OnJoint, bpy.types.Operator):
    """Puts what a joint holds back to where its limits count from."""

    bl_idname = "object.omi_physics_rest_joint"
    bl_label = "Rest Pose"
    bl_description = "Move the jointed object back to where all angles and distances are zero"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Put it back."""
        from ...authoring import joint_pose

        player.hold()
        found = joint_pose.poseable(context.object, context.scene)
        if isinstance(found, str):
            return refuse(self, found)
        joint_pose.rest(found)
        return {"FINISHED"}
