"""Lets bodies come to rest where the physics leads them."""

from __future__ import annotations

from typing import Any

import bpy

from ...properties import preview_choices
from ..chosen_objects import Undoable, refuse, report
from .watching import FrameByFrame


class OMIPHYSICS_OT_settle(
    FrameByFrame, preview_choices.SettledBodies, Undoable, bpy.types.Operator
):
    """Plays until everything rests, and keeps the poses."""

    bl_idname = "object.omi_physics_settle"
    bl_label = "Settle"
    bl_description = (
        "Simulate until everything rests, without start velocities, and use the resting "
        "positions as the new start"
    )

    seconds_at_once = 0.1
    cancelled = "Settling was cancelled"
    progress = "Settling    {done} of at most {count}    Esc: Cancel"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Settle at once; piece by piece where somebody watches and may press Esc."""
        from ...preview import settle  # Which only those need who settle.

        me: Any = self
        chosen = context.selected_objects if me.only_selected else None
        is_watched = bool(self.options.is_invoke) and not bpy.app.background
        try:
            work = settle.Settle(context.scene, me.seconds, chosen, show=is_watched)
        except ValueError as error:
            return refuse(self, str(error).capitalize())
        return self.begin(context, work, is_watched=is_watched)

    def finish(self) -> set[Any]:
        """Put the objects where their bodies are."""
        work: Any = self._work
        result = work.finish()
        self.warn(
            "Skipped because they are instances, bones or not editable: {names}", result.skipped
        )
        self.warn("Still moving at the end of the time: {names}", result.moving)
        return report(self, "Settled 1 object", "Settled {count} objects", len(result.objects))
