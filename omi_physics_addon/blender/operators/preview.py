"""Starts, pauses and stops the preview."""

from __future__ import annotations

from typing import Any, Final

import bpy
from bpy.app.translations import pgettext_rpt

from .. import attached
from ..preview import player
from ..preview.options import Options
from .preview_hands import handled
from .targets import done, message, refuse

_STATUS: Final = "Physics Preview    Esc: Stop    P: Pause    Drag: Pull"
_PAUSE: Final = frozenset({"P", "SPACE"})  # Space, unless that stops a vehicle.


class OMIPHYSICS_OT_preview_start(bpy.types.Operator):
    """Plays the physics of the scene until it is stopped."""

    bl_idname = "scene.omi_physics_preview_start"
    bl_label = "Play Physics"
    bl_description = (
        "Play the physics of the scene from where everything is now; Esc stops and brings "
        "everything back"
    )
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether no preview runs and there is a scene in object mode."""
        if player.running() is not None:
            message(cls, "The preview runs already")
            return False
        if context.mode != "OBJECT":
            message(cls, "The preview needs object mode")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Start, without a window to play in."""
        return {"FINISHED"} if self._start(context) else {"CANCELLED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Start, play, and wait for Esc."""
        if not self._start(context):
            return {"CANCELLED"}
        manager: Any = context.window_manager
        self._timer = manager.event_timer_add(0.2, window=context.window)
        manager.modal_handler_add(self)
        player.play()
        self._say(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Watch for keys, and for an end that came from elsewhere."""
        session = player.running()
        if session is None or session.error:
            return self._end(context)
        if event.type == "ESC" and event.value == "PRESS":
            player.stop()
            return self._end(context)
        if handled(context, event, session):
            return {"RUNNING_MODAL"}
        if event.type in _PAUSE and event.value == "PRESS" and not (event.ctrl or event.alt):
            player.toggle()
            self._say(context)
            return {"RUNNING_MODAL"}
        if event.type == "TIMER":
            if session.frame >= session.options.frames:
                player.pause()
            self._say(context)
            redraw_sidebars(context)
        return {"PASS_THROUGH"}

    def _start(self, context: bpy.types.Context) -> bool:
        scene: Any = context.scene
        try:
            player.start(scene, options_of(scene))
        except ValueError as error:
            refuse(self, str(error))
            return False
        return True

    def _say(self, context: bpy.types.Context) -> None:
        session = player.running()
        if session is not None:
            state = "" if player.is_playing() else f"    {pgettext_rpt('Paused')}"
            text = f"{pgettext_rpt(_STATUS)}    {session.time:.1f} s{state}"
            workspace: Any = context.workspace
            workspace.status_text_set(text)

    def _end(self, context: bpy.types.Context) -> set[Any]:
        manager: Any = context.window_manager
        manager.event_timer_remove(self._timer)
        workspace: Any = context.workspace
        workspace.status_text_set(None)
        session = player.running()
        if session is not None:
            player.stop(session.error)
        if player.message:
            refuse(self, player.message.replace("{", "{{").replace("}", "}}"))
        return {"FINISHED"}


class _WhileRunning:
    """An operator on the preview that runs."""

    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a preview runs."""
        if player.running() is None:
            message(cls, "No preview runs")
            return False
        return True


class OMIPHYSICS_OT_preview_pause(_WhileRunning, bpy.types.Operator):
    """Pauses the preview, or lets it go on."""

    bl_idname = "scene.omi_physics_preview_pause"
    bl_label = "Pause"
    bl_description = "Hold the preview, or let it go on"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Toggle."""
        player.toggle()
        return {"FINISHED"}


class OMIPHYSICS_OT_preview_restart(_WhileRunning, bpy.types.Operator):
    """Begins the preview again."""

    bl_idname = "scene.omi_physics_preview_restart"
    bl_label = "Restart"
    bl_description = "Begin the preview again from the scene as it is now"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Stop and start."""
        playing = player.is_playing()
        try:
            player.restart()
        except ValueError as error:
            return refuse(self, str(error))
        if playing:
            player.play()
        return {"FINISHED"}


class OMIPHYSICS_OT_preview_stop(_WhileRunning, bpy.types.Operator):
    """Stops the preview."""

    bl_idname = "scene.omi_physics_preview_stop"
    bl_label = "Stop"
    bl_description = "Stop the preview; everything is again as it was before"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Stop."""
        player.stop()
        return {"FINISHED"}


class OMIPHYSICS_OT_preview_check(bpy.types.Operator):
    """Finds what the preview does not do exactly."""

    bl_idname = "scene.omi_physics_preview_check"
    bl_label = "Check"
    bl_description = "List what the preview of this scene does not do exactly"
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether no preview runs."""
        if player.running() is not None:
            message(cls, "The preview runs already")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Look, and keep the list for the panel."""
        from ..preview import limits  # Which reads the whole scene.

        scene: Any = context.scene
        found = limits.of_scene(scene, engine_of(scene))
        player.keep_limits(scene.name, found)
        if found:
            return {"FINISHED"}
        return done(self, "The preview does all of this scene exactly")


def redraw_sidebars(context: Any) -> None:
    """Let what is told about a preview follow it."""
    for area in context.window.screen.areas:
        if area.type == "VIEW_3D":
            for region in area.regions:
                if region.type == "UI":
                    region.tag_redraw()


def options_of(scene: Any) -> Options:
    """What the artist has chosen."""
    group = attached.of_scene(scene).preview
    return Options(
        rate=group.rate, substeps=group.substeps, speed=group.speed, seconds=group.seconds
    )


def engine_of(scene: Any) -> str:
    """Whose engines decide what the specifications leave open."""
    return "KHR" if attached.of_scene(scene).export.family == "KHR" else "OMI"


CLASSES = (
    OMIPHYSICS_OT_preview_start,
    OMIPHYSICS_OT_preview_pause,
    OMIPHYSICS_OT_preview_restart,
    OMIPHYSICS_OT_preview_stop,
    OMIPHYSICS_OT_preview_check,
)
