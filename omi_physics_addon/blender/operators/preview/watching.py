"""What operators share that start a preview and wait while it runs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final, Protocol

import bpy

from ...preview import player
from ...translations import pgettext_rpt
from ..chosen_objects import refuse, unavailable

_SLICE: Final = 0.01  # s between two parts of the work, in which Blender draws.
_NAMED: Final = 5  # Objects in a warning.


def can_play(operator: Any, context: bpy.types.Context) -> bool:
    """Whether a preview can be started now; says why not."""
    if player.running() is not None:
        return unavailable(operator, "Stop the preview first")
    if context.mode != "OBJECT":
        return unavailable(operator, "Physics plays in Object Mode only")
    if is_rendering():
        return unavailable(operator, "Wait until the render has ended")
    return True


class WithoutPreview:
    """An operator that needs nothing but that no preview runs."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether no preview runs."""
        return player.running() is None or unavailable(cls, "Stop the preview first")


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


class Work(Protocol):
    """What plays a preview frame by frame, and then changes the artist's objects."""

    @property
    def count(self) -> int:
        """How many frames there are at most."""
        ...

    @property
    def done(self) -> int:
        """How many frames have been played."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether no more frame is needed."""
        ...

    def step(self) -> None:
        """Play one more; raises RuntimeError where the preview fails."""

    def cancel(self) -> None:
        """Stop; everything is as it was."""


class FrameByFrame:
    """An operator that works at once, or piece by piece where somebody watches and may press Esc.

    Attributes:
        seconds_at_once: s that each piece takes; 0 for one frame.
        cancelled: the sentence for Esc.
        progress: the text of the status bar, with `{done}` and `{count}` in it.
    """

    seconds_at_once: float = 0.0
    cancelled: str
    progress: str
    _work: Work
    _watch: Watch | None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether no preview runs and there is a scene in object mode."""
        return can_play(cls, context)

    def begin(self, context: bpy.types.Context, work: Work, *, is_watched: bool) -> set[Any]:
        """Do the work, or the first of it."""
        manager: Any = context.window_manager
        self._work = work
        manager.progress_begin(0, work.count)
        player.at_stop(manager.progress_end)
        self._watch = None
        if is_watched:
            self._watch = Watch(context, _SLICE)
            manager.modal_handler_add(self)
            return {"RUNNING_MODAL"}
        while not work.is_over:
            if not self._step(context):
                return {"CANCELLED"}
        return self.finish()

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Go on, until the end or Esc."""
        if self._watch is None or self._watch.is_over:
            refuse(self, self.cancelled)
            return {"CANCELLED", "PASS_THROUGH"}
        if event.type == "ESC":
            self._work.cancel()
            return refuse(self, self.cancelled)
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        end = time.monotonic() + self.seconds_at_once
        while not self._work.is_over:
            if not self._step(context):
                return {"CANCELLED"}
            if not self._work.is_over and time.monotonic() >= end:
                return {"RUNNING_MODAL"}
        return self.finish()

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop, as the window goes in which this listens."""
        if self._watch is not None:
            self._watch.leave()

    def finish(self) -> set[Any]:
        """Keep what was played, and tell of it."""
        raise NotImplementedError

    def warn(self, text: str, names: Sequence[str]) -> None:
        """Tell of some objects, if any, in a sentence with `{names}` in it."""
        if names:
            shown = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
            me: Any = self
            told: Any = pgettext_rpt(text)
            me.report({"WARNING"}, told.format(names=shown))

    def _step(self, context: bpy.types.Context) -> bool:
        """Play one frame; tells and cleans up where that fails."""
        work = self._work
        try:
            work.step()
        except RuntimeError as error:
            work.cancel()
            me: Any = self
            me.report({"ERROR"}, str(error))
            return False
        except BaseException:
            work.cancel()
            raise
        manager: Any = context.window_manager
        manager.progress_update(work.done)
        if self._watch is not None:
            text: Any = pgettext_rpt(self.progress)
            self._watch.say(context, text.format(done=work.done, count=work.count))
        return True
