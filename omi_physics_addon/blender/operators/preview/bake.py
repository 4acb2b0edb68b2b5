"""Bakes the preview to keyframes."""

from __future__ import annotations

from typing import Any, Final

import bpy
from bpy.app.translations import pgettext_rpt

from ...base import baked
from ...preview import player
from ...properties import choices
from ..chosen_objects import OnSelection, can_change, chosen, done, message, refuse, report, targets
from .watching import Watch, can_play

_NOT_BAKED: Final = "No selected object has baked physics"
_SLICE: Final = 0.01  # s between two parts of the work, in which Blender draws.


class OMIPHYSICS_OT_bake(choices.BakedFrames, bpy.types.Operator):
    """Plays the physics of the scene and turns it into keyframes."""

    bl_idname = "object.omi_physics_bake"
    bl_label = "Bake Physics"
    bl_description = (
        "Play the physics of the scene and write keyframes of locations and rotations; "
        "glTF exports them as animation"
    )
    bl_options: Any = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether no preview runs and there is a scene in object mode."""
        return can_play(cls, context)

    _watch: Watch | None

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

        scene: Any = context.scene
        chosen = context.selected_objects if self.only_selected else None
        me: Any = self
        span = bake.Span(start=me.start, end=me.end, step=me.step)
        try:
            self._bake = bake.Bake(scene, span, chosen)
        except ValueError as error:
            return refuse(self, str(error).capitalize())
        manager: Any = context.window_manager
        manager.progress_begin(0, self._bake.count)
        player.at_stop(manager.progress_end)
        self._watch = None
        if self.options.is_invoke and not bpy.app.background:
            self._watch = Watch(context, _SLICE)
            manager.modal_handler_add(self)
            return {"RUNNING_MODAL"}
        while self._bake.done < self._bake.count:
            if not self._step(context):
                return {"CANCELLED"}
        return self._finish()

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Go on, until the end or Esc."""
        if self._watch is None or self._watch.is_over:
            refuse(self, "Baking was cancelled")
            return {"CANCELLED", "PASS_THROUGH"}
        if event.type == "ESC":
            self._bake.cancel()
            return refuse(self, "Baking was cancelled")
        if event.type == "TIMER":
            if not self._step(context):
                return {"CANCELLED"}
            if self._bake.done >= self._bake.count:
                return self._finish()
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop, as the window goes in which this listens."""
        if self._watch is not None:
            self._watch.leave()

    def _step(self, context: bpy.types.Context) -> bool:
        """Record one frame; tells and cleans up where that fails."""
        try:
            self._bake.step()
        except RuntimeError as error:
            self._bake.cancel()
            self.report({"ERROR"}, str(error))
            return False
        except BaseException:
            self._bake.cancel()
            raise
        manager: Any = context.window_manager
        manager.progress_update(self._bake.done)
        if self._watch is not None:
            text: Any = pgettext_rpt("Baking physics    {done} of {count}    Esc: Cancel")
            self._watch.say(context, text.format(done=self._bake.done, count=self._bake.count))
        return True

    def _finish(self) -> set[Any]:
        result = self._bake.finish()
        for names, text in (
            (result.skipped, "Left out, as they are instanced, bones, or not editable: {names}"),
            (result.sheared, "Not exact below parents with uneven scale: {names}"),
        ):
            if names:
                shown = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
                told: Any = pgettext_rpt(text)
                self.report({"WARNING"}, told.format(names=shown))
        return done(self, "Baked {count} objects", count=len(result.objects))


class OMIPHYSICS_OT_remove_bake(OnSelection, bpy.types.Operator):
    """Removes what was baked."""

    bl_idname = "object.omi_physics_remove_bake"
    bl_label = "Remove Baked Physics"
    bl_description = (
        "Remove the keyframes that were baked from physics; objects go back to where they began"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a selected object has baked physics."""
        if not super().poll(context):
            return False
        if baked.is_any_baked() and any(map(baked.is_baked, chosen(context))):
            return True
        message(cls, _NOT_BAKED)
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Remove from every selected object."""
        from ...preview import bake

        count = sum(bake.remove(obj) for obj in targets(context) if can_change(obj))
        if not count:
            return refuse(self, _NOT_BAKED)
        one, many = "Removed baked physics from 1 object", "Removed it from {count} objects"
        return report(self, one, many, count)


CLASSES = (OMIPHYSICS_OT_bake, OMIPHYSICS_OT_remove_bake)
