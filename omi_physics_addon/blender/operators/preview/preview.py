"""Starts, pauses and stops the preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import bpy

from ...base import groups
from ...preview import player
from ...preview.stage.options import PreviewOptions
from ...preview.stage.windows import lasting_windows
from ...translations import pgettext_rpt
from ..chosen_objects import done, refuse, unavailable
from .preview_input import handled, may_call, pauses
from .watching import End, Watch, WithoutPreview, can_play

if TYPE_CHECKING:
    from ...preview.session import Session

_STATUS: Final = "Physics Preview    Esc: Stop    P: Pause    Drag: Pull"
_STARTER: Final = "SCENE_OT_omi_physics_preview_start"
_LISTENER: Final = "SCENE_OT_omi_physics_preview_listen"
_OFTEN: Final = 0.2  # s between two looks at what runs.


class OMIPHYSICS_OT_preview_start(bpy.types.Operator):
    """Plays the physics of the scene until it is stopped."""

    bl_idname = "scene.omi_physics_preview_start"
    bl_label = "Play Physics"
    bl_description = (
        "Simulate the physics of the scene from the current positions; Esc stops and "
        "restores the scene"
    )
    bl_options: Any = set[str]()  # noqa: RUF012 - Repeated by Shift R, it would not listen to keys.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether no preview runs and there is a scene in object mode."""
        return can_play(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Start, without a window to play in."""
        return {"FINISHED"} if self._start(context) else {"CANCELLED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Start, play, and wait for Esc."""
        if not self._start(context):
            return {"CANCELLED"}
        self._watch = Watch(context, _OFTEN)
        manager: Any = context.window_manager
        manager.modal_handler_add(self)
        listen_elsewhere(context)
        player.play()
        self._say(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Watch for keys, and for an end that came from elsewhere."""
        session = player.running()
        if session is not None and not session.is_whole:
            player.stop(player.GONE)
        if session is None or self._watch.is_over:
            if player.message:
                refuse(self, player.message.replace("{", "{{").replace("}", "}}"))
            return {"FINISHED", "PASS_THROUGH"}  # The event is not for this any more.
        if event.type == "TIMER":
            listen_elsewhere(context)
            self._say(context)
            redraw_sidebars(context)
            return {"PASS_THROUGH"}  # Timers come while a menu is open, too.
        return answered(context, event, session)

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop, as the window goes in which this listens."""
        self._watch.leave()

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
            state = "Time Is Over" if session.is_over else "" if player.is_playing() else "Paused"
            texts = (pgettext_rpt(_STATUS), f"{session.time:.1f} s", state and pgettext_rpt(state))
            self._watch.say(context, "    ".join(text for text in texts if text))


class OMIPHYSICS_OT_preview_listen(bpy.types.Operator):
    """Listens to keys and the mouse in one more window while a preview runs."""

    bl_idname = "scene.omi_physics_preview_listen"
    bl_label = "Listen to Keys of the Preview"
    bl_description = "Also control the preview with keys and mouse in this window"
    bl_options: Any = {"INTERNAL"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a preview runs."""
        return player.running() is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Wait for keys until the preview ends, whoever ends it."""
        self._end = End()
        manager: Any = context.window_manager
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Watch for keys."""
        session = player.running()
        if session is None or not session.is_whole:
            return {"FINISHED", "PASS_THROUGH"}
        if self._end.is_over:  # Another one has begun, before any event came to this window.
            if _STARTER in waiting_in(context.window):
                return {"FINISHED", "PASS_THROUGH"}
            self._end = End()
        return answered(context, event, session)


def waiting_in(window: Any) -> list[str]:
    """The names of the operators that wait for the events of a window."""
    return [each.bl_idname for each in window.modal_operators if each]


def listen_elsewhere(context: Any) -> None:
    """Have every window listen to keys but that of the context, in which somebody does already."""
    operators: Any = bpy.ops
    for window in lasting_windows():
        if window != context.window and _LISTENER not in waiting_in(window):
            with context.temp_override(window=window, screen=window.screen):
                operators.scene.omi_physics_preview_listen("INVOKE_DEFAULT")


def answered(context: Any, event: Any, session: Session) -> set[Any]:
    """Do what a key or the mouse asks for in any window; what an operator then gives back.

    What others may do by it begins with the scene as it is without the preview. While a menu is
    open or another operator runs, no event comes here.
    """
    if session.display is not None and not event.type.startswith("TIMER"):
        session.display.go_on()
    if event.type == "ESC" and event.value == "PRESS":
        player.stop()
        return {"FINISHED"}
    if handled(context, event, session):
        return {"RUNNING_MODAL"}
    if pauses(context, event):
        player.toggle()
        return {"RUNNING_MODAL"}
    if session.display is not None and may_call(context, event):
        session.display.wait()
    return {"PASS_THROUGH"}


class _WhileRunning:
    """An operator on the preview that runs."""

    bl_options: Any = set[str]()  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a preview runs."""
        if player.running() is None:
            return unavailable(cls, "No preview is running")
        return True


class OMIPHYSICS_OT_preview_pause(_WhileRunning, bpy.types.Operator):
    """Pauses the preview, or lets it go on."""

    bl_idname = "scene.omi_physics_preview_pause"
    bl_label = "Pause"
    bl_description = "Pause or resume the preview"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Toggle."""
        session = player.running()
        if session is not None and session.is_over and not player.is_playing():
            return refuse(self, "The preview has reached its maximum time")
        player.toggle()
        return {"FINISHED"}


class OMIPHYSICS_OT_preview_restart(_WhileRunning, bpy.types.Operator):
    """Begins the preview again."""

    bl_idname = "scene.omi_physics_preview_restart"
    bl_label = "Restart"
    bl_description = "Restart the preview from the current scene"

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
    bl_description = "Stop the preview and restore the scene"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Stop."""
        player.stop()
        return {"FINISHED"}


class OMIPHYSICS_OT_preview_check(WithoutPreview, bpy.types.Operator):
    """Finds what the preview does not do exactly."""

    bl_idname = "scene.omi_physics_preview_check"
    bl_label = "Check"
    bl_description = "List where the preview of this scene differs from the exported physics"
    bl_options: Any = set[str]()  # noqa: RUF012 - Blender reads it from the class.

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Look, and keep the list for the panel."""
        from ...preview import limitations  # Which read the whole scene.

        scene: Any = context.scene
        found = limitations.of_scene(scene, options_of(scene))
        player.keep_limitations(scene.name, found)
        if found:
            return {"FINISHED"}
        return done(self, "The preview does not differ from the exported physics")


def redraw_sidebars(context: Any) -> None:
    """Let what is told about a preview follow it."""
    for area in context.window.screen.areas:
        if area.type == "VIEW_3D":
            for region in area.regions:
                if region.type == "UI":
                    region.tag_redraw()


def options_of(scene: Any) -> PreviewOptions:
    """What the artist has chosen."""
    group = groups.of_scene(scene).preview
    return PreviewOptions(
        rate=group.rate,
        substeps=group.substeps,
        speed=group.speed,
        seconds=group.seconds,
        place=group.place,
    )
