"""What operators share that start a preview and wait while it runs."""

from __future__ import annotations

from typing import Any

import bpy

from ..preview import player
from .targets import message


def can_play(operator: Any, context: bpy.types.Context) -> bool:
    """Whether a preview can be started now; says why not."""
    if player.running() is not None:
        message(operator, "Stop the preview first")
    elif context.mode != "OBJECT":
        message(operator, "Physics plays in Object Mode only")
    elif is_rendering():
        message(operator, "Wait until the render has ended")
    else:
        return True
    return False


def is_rendering() -> bool:
    """Whether a picture is rendered in the background, from data that nobody may move then."""
    app: Any = bpy.app
    return bool(app.is_job_running("RENDER"))


class Watch:
    """A timer and a text in the status bar, which go when the preview ends, whoever ends it.

    Attributes:
        is_over: whether that has happened; a preview that runs then is another one.
    """

    def __init__(self, context: Any, seconds: float) -> None:
        """Begin, once the preview runs.

        Args:
            seconds: between two events of the timer.
        """
        self._timer = context.window_manager.event_timer_add(seconds, window=context.window)
        self._workspaces: set[int] = set()
        self.is_over = False
        player.at_stop(self._end)

    def say(self, context: Any, text: str) -> None:
        """Show a text in the status bar."""
        self._workspaces.add(context.workspace.session_uid)
        context.workspace.status_text_set(text)

    def _end(self) -> None:
        self.is_over = True
        for manager in bpy.data.window_managers:
            manager.event_timer_remove(self._timer)
        spaces: Any = bpy.data.workspaces
        for workspace in spaces:
            if workspace.session_uid in self._workspaces:
                workspace.status_text_set(None)
