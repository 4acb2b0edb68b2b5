"""Lets bodies come to rest where the physics leads them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import bpy
from bpy.app.translations import pgettext_rpt

from ...preview import player
from ...properties import preview_choices
from ..chosen_objects import refuse, report
from .watching import Watch, can_play

_SLICE: Final = 0.01  # s between two parts of the work, in which Blender draws.
_WORK: Final = 0.1  # s that each part takes.
_NAMED: Final = 5


class OMIPHYSICS_OT_settle(preview_choices.SettledBodies, bpy.types.Operator):
    """Plays until everything rests, and keeps the poses."""

    bl_idname = "object.omi_physics_settle"
    bl_label = "Settle"
    bl_description = (
        "Play the physics until everything rests, without start velocities, and take where the "
        "bodies are then as their new start"
    )
    bl_options: Any = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.

    _watch: Watch | None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether no preview runs and there is a scene in object mode."""
        return can_play(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Settle at once; piece by piece where somebody watches and may press Esc."""
        from ...preview import settle  # Which only those need who settle.

        me: Any = self
        chosen = context.selected_objects if me.only_selected else None
        is_watched = bool(self.options.is_invoke) and not bpy.app.background
        try:
            self._settle = settle.Settle(context.scene, me.seconds, chosen, show=is_watched)
        except ValueError as error:
            return refuse(self, str(error).capitalize())
        manager: Any = context.window_manager
        manager.progress_begin(0, self._settle.count)
        player.at_stop(manager.progress_end)
        self._watch = None
        if is_watched:
            self._watch = Watch(context, _SLICE)
            manager.modal_handler_add(self)
            return {"RUNNING_MODAL"}
        while not self._settle.is_over:
            if not self._step(context):
                return {"CANCELLED"}
        return self._finish()

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Go on, until the end or Esc."""
        if self._watch is None or self._watch.is_over:
            refuse(self, "Settling was cancelled")
            return {"CANCELLED", "PASS_THROUGH"}
        if event.type == "ESC":
            self._settle.cancel()
            return refuse(self, "Settling was cancelled")
        if event.type == "TIMER":
            end = time.monotonic() + _WORK
            while not self._settle.is_over:
                if not self._step(context):
                    return {"CANCELLED"}
                if time.monotonic() > end:
                    return {"RUNNING_MODAL"}
            return self._finish()
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop, as the window goes in which this listens."""
        if self._watch is not None:
            self._watch.leave()

    def _step(self, context: bpy.types.Context) -> bool:
        """Play one frame; tells and cleans up where that fails."""
        try:
            self._settle.step()
        except RuntimeError as error:
            self._settle.cancel()
            self.report({"ERROR"}, str(error))
            return False
        except BaseException:
            self._settle.cancel()
            raise
        manager: Any = context.window_manager
        manager.progress_update(self._settle.done)
        if self._watch is not None:
            text: Any = pgettext_rpt("Settling    {done} of at most {count}    Esc: Cancel")
            self._watch.say(context, text.format(done=self._settle.done, count=self._settle.count))
        return True

    def _finish(self) -> set[Any]:
        result = self._settle.finish()
        self._warn(
            "Left out, as they are instanced, bones, or not editable: {names}", result.skipped
        )
        self._warn("Still moving when the time was over: {names}", result.moving)
        return report(self, "Settled 1 object", "Settled {count} objects", len(result.objects))

    def _warn(self, text: str, names: Sequence[str]) -> None:
        if names:
            shown = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
            told: Any = pgettext_rpt(text)
            self.report({"WARNING"}, told.format(names=shown))


CLASSES = (OMIPHYSICS_OT_settle,)
