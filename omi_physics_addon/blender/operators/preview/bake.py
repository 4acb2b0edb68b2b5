"""Bakes the preview to keyframes."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...base import baked
from ...properties import choices
from ..chosen_objects import (
    OnSelection,
    Undoable,
    can_change,
    chosen,
    done,
    refuse,
    report,
    targets,
    unavailable,
)
from .watching import FrameByFrame

_NOT_BAKED: Final = "No selected object has baked physics"


class OMIPHYSICS_OT_bake(FrameByFrame, choices.BakedFrames, Undoable, bpy.types.Operator):
    """Plays the physics of the scene and turns it into keyframes."""

    bl_idname = "object.omi_physics_bake"
    bl_label = "Bake Physics"
    bl_description = (
        "Simulate the physics of the scene and keyframe locations and rotations, which glTF "
        "exports as animation"
    )

    cancelled = "Baking was cancelled"
    progress = "Baking physics    {done} of {count}    Esc: Cancel"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Ask for the frames, at first those of the scene."""
        scene: Any = context.scene
        if not self.properties.is_property_set("start"):
            self.start = scene.frame_start
        if not self.properties.is_property_set("end"):
            self.end = scene.frame_end
        manager: Any = context.window_manager
        return manager.invoke_props_dialog(self, title="Bake Physics to Keyframes")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Bake at once; piece by piece where somebody watches and may press Esc."""
        from ...preview import bake  # Which only those need who bake.

        chosen = context.selected_objects if self.only_selected else None
        me: Any = self
        span = bake.Span(start=me.start, end=me.end, step=me.step)
        try:
            work = bake.Bake(context.scene, span, chosen)
        except ValueError as error:
            return refuse(self, str(error).capitalize())
        is_watched = bool(self.options.is_invoke) and not bpy.app.background
        return self.begin(context, work, is_watched=is_watched)

    def finish(self) -> set[Any]:
        """Write the keys."""
        work: Any = self._work
        result = work.finish()
        self.warn(
            "Skipped because they are instances, bones or not editable: {names}", result.skipped
        )
        self.warn("Inexact below parents with uneven scale: {names}", result.sheared)
        return done(self, "Baked {count} objects", count=len(result.objects))


class OMIPHYSICS_OT_remove_bake(OnSelection, bpy.types.Operator):
    """Removes what was baked."""

    bl_idname = "object.omi_physics_remove_bake"
    bl_label = "Remove Baked Physics"
    bl_description = "Remove keyframes baked from physics, and move objects back to their start"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a selected object has baked physics."""
        if not super().poll(context):
            return False
        if baked.is_any_baked() and any(map(baked.is_baked, chosen(context))):
            return True
        return unavailable(cls, _NOT_BAKED)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Remove from every selected object."""
        from ...preview import bake

        count = sum(bake.remove(obj) for obj in targets(context) if can_change(obj))
        if not count:
            return refuse(self, _NOT_BAKED)
        one, many = (
            "Removed baked physics from 1 object",
            "Removed baked physics from {count} objects",
        )
        return report(self, one, many, count)
