"""What operators share that start a preview and wait while it runs."""

from __future__ import annotations

from typing import Any

import bpy

from ...preview import player
from ..chosen_objects import message


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


class End:
    """Notes the end of the preview that runs; outlives the operator, which goes with its window.

    Attributes:
        is_over: whether it has ended; a preview that runs then is another one.
    """

    def __init__(self) -> None:
        self.is_over = False
        player.at_stop(self._note)

    def _note(self) -> None:
        self.is_over = True


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
        self._text = ""
        self.is_over = False

        def draw(header: Any, _context: Any) -> None:
            header.layout.label(text=self._text, translate=False)

        # Not as a text of the workspace, which would stay where the artist goes to another one.
        self._draw = draw
        bar: Any = bpy.types.STATUSBAR_HT_header
        bar.prepend(draw)
        player.at_stop(self._end)

    def say(self, context: Any, text: str) -> None:
        """Show a text in the status bar."""
        self._text = text
        context.workspace.status_text_set_internal(None)  # Draws the bar anew.

    def leave(self) -> None:
        """Stop the preview, as the window goes; not at once, as then it is half gone."""
        if not self.is_over:
            self._drop_timer()
            player.stop_soon()

    def _drop_timer(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None:
            for manager in bpy.data.window_managers:
                manager.event_timer_remove(timer)

    def _end(self) -> None:
        self.is_over = True
        self._drop_timer()
        bar: Any = bpy.types.STATUSBAR_HT_header
        bar.remove(self._draw)
