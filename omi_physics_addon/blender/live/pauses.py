"""Does something as soon as the artist pauses, and never while Blender plays or renders."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import bpy

from ..preview import player

_BUSY: Final = 1.0  # Seconds until the next try where Blender plays or renders.


class Pause:
    """What waits for a pause.

    Attributes:
        timer: by which Blender calls it.
    """

    def __init__(self, seconds: float, work: Callable[[], bool]) -> None:
        """Wait for nothing yet.

        Args:
            seconds: without an edit.
            work: what is to be done; whether something of it is left for the next pause.
        """
        self._seconds, self._work = seconds, work
        self._edited_at = 0.0
        self.timer = self._later  # The same object each time, by which Blender knows it.

    def wait(self) -> None:
        """Begin to wait, or again; in a Blender with a window."""
        self._edited_at = time.monotonic()
        if not bpy.app.background and not bpy.app.timers.is_registered(self.timer):
            bpy.app.timers.register(self.timer, first_interval=self._seconds)

    def _later(self) -> float | None:
        """Called by Blender's timer until nothing waits."""
        if player.running() is not None or _is_busy():
            return _BUSY
        left = self._seconds - (time.monotonic() - self._edited_at)
        if left > 0.0:
            return left
        return self._seconds if self._work() else None


def _is_busy() -> bool:
    """Whether frames are played or rendered."""
    context: Any = bpy.context
    playing = any(window.screen.is_animation_playing for window in context.window_manager.windows)
    rendering: Any = bpy.app.is_job_running("RENDER")
    return playing or bool(rendering)
