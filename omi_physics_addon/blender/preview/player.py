"""The one preview that may run, and what ends it: saving, loading, undo, errors, the artist."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

import bpy

from .stage import removal, stage, unseen
from .stage.options import PreviewOptions
from .stage.unkeyed import UnkeyedValues
from .stage.windows import HiddenLines, ShownScenes, lasting_windows, windows

if TYPE_CHECKING:
    from .limitations import Limitation
    from .session import Session

# Where Blender keeps fewer undo steps than this, it is not asked to add one.
_FEWEST_UNDO_STEPS: Final = 8
_WAITING: Final = 0.05  # s between two looks at whether a render or an operator has ended.
GONE: Final = "An object of the preview was removed"
# Where something but Bullet moves a body, or its friction, damping or mass changes.
LOOKED_BACK: Final = "Earlier frames of this preview are not kept; play it again"
_LOOKS_BACK: Final = {"ANIM_OT_change_frame", "RENDER_OT_opengl"}  # They go on with the scene.
_running: Session | None = None
_unkeyed: UnkeyedValues | None = None
_lines: HiddenLines | None = None
_endings: list[Callable[[], None]] = []
_limitations: dict[str, list[Limitation]] = {}
_moved: set[int] = set()
_before: ShownScenes | None = None  # What windows showed before an undo that is on its way.
message = ""  # Why the last preview ended, if nobody asked it to.


def running() -> Session | None:
    """The preview that runs; None for none."""
    return _running


def start(scene: bpy.types.Scene, options: PreviewOptions | None = None) -> Session:
    """Start the preview of a scene, in place of one that runs.

    Raises:
        ValueError: the scene is a preview's own.
    """
    from .session import Session  # Which only those need who play.

    global _running, _unkeyed, _lines, message
    if scene.get(stage.TAG):
        raise ValueError("this scene is a preview itself")
    stop()
    message = ""
    _unkeyed = UnkeyedValues.take()
    unseen.place(scene)
    _watch()
    try:
        session = Session(scene, options or PreviewOptions())
    except BaseException:
        stop()
        raise
    _unkeyed.restore()
    _running = session
    _lines = HiddenLines()
    return session


def stop(why: str = "") -> None:
    """Stop the preview and remove all of it; does nothing where none runs."""
    global _running, _unkeyed, _lines, message
    session, _running = _running, None
    lines, _lines = _lines, None
    unkeyed, _unkeyed = _unkeyed, None
    if session is not None and session.display is not None:
        session.display.stop()
        _moved.update(session.display.moved)
        # The artist may have changed values since the start, in the scene that was shown.
        unkeyed = UnkeyedValues.take()
    _unwatch()
    message = why or message
    with contextlib.ExitStack() as last:
        for ending in _endings:
            last.callback(ending)
        _endings.clear()
        if lines is not None:
            last.callback(lines.bring_back)
        if unkeyed is not None:
            last.callback(_show_again, unkeyed)
        if session is not None or stage.is_left():
            last.callback(stage.remove, None if session is None else session.shown)
        if session is None or session.display is None:
            _end_playback()


def stop_for(why: str) -> None:
    """Stop for what needs the artist's scene as it is; does nothing where no preview runs."""
    if _running is not None:
        stop(why)


def stop_soon() -> None:
    """Stop when Blender is done with what it does now."""
    _soon(stop)


def at_stop(ending: Callable[[], None]) -> None:
    """Have something called once when the preview that runs stops, whoever stops it."""
    _endings.append(ending)


def restart() -> Session:
    """Begin again from the artist's scene.

    Raises:
        ValueError: no preview runs, or its scene is gone.
    """
    if _running is None:
        raise ValueError("no preview runs")
    session, endings = _running, list(_endings)
    _endings.clear()
    with contextlib.ExitStack() as failed:
        for ending in endings:
            failed.callback(ending)
        stop()
        scene = session.artist_scene
        if scene is None:
            raise ValueError("the scene no longer exists")
        found = start(scene, session.options)
        failed.pop_all()
    _endings.extend(endings)
    return found


def play() -> None:
    """Let a window play the preview; does nothing where there is no window."""
    session = _running
    if session is not None and session.display is not None:
        if not bpy.app.background:
            session.display.play(_tick)
        return
    for window in lasting_windows():
        if session is not None and window.scene.name == session.stage:
            if not window.screen.is_animation_playing and not bpy.app.background:
                with bpy.context.temp_override(window=window, screen=window.screen):
                    bpy.ops.screen.animation_play()
            return


def pause() -> None:
    """Hold the preview where it is."""
    _end_playback()


def toggle() -> None:
    """Hold the preview, or let it go on from where it is, unless its time is over."""
    session = _running
    if is_playing():
        pause()
    elif session is not None and session.is_whole and not session.is_over:
        session.come_back()
        unkeyed = UnkeyedValues.take()
        hold()
        session.changes.resume()
        unkeyed.restore()
        session.pace.restart()
        play()


def keep_limitations(scene: str, found: list[Limitation]) -> None:
    """Keep for the panel what a preview of a scene does not do exactly."""
    _limitations.clear()
    _limitations[scene] = found


def kept_limitations(scene: str) -> list[Limitation] | None:
    """What `keep_limitations` kept last for a scene; None where nobody looked."""
    return _limitations.get(scene)


def is_playing() -> bool:
    """Whether the preview plays, or any window does while none runs in the artist's scene."""
    if _running is not None and _running.display is not None:
        return _running.display.is_playing
    return any(window.screen.is_animation_playing for window in windows())


def _end_playback() -> None:
    if _running is not None and _running.display is not None:
        _running.display.pause()
        return
    for window in lasting_windows():
        if window.screen.is_animation_playing:
            with bpy.context.temp_override(window=window, screen=window.screen):
                bpy.ops.screen.animation_cancel(restore_frame=False)


def _show_again(unkeyed: UnkeyedValues) -> None:
    """Let Blender evaluate what windows show, then write back what it forgets by that."""
    for window in windows():
        window.view_layer.update()
    unkeyed.restore()
    for window in windows():
        window.view_layer.update()


def _before_frame(scene: Any, *_args: Any) -> None:
    session = _running
    if session is None or session.error or scene.name != session.stage:
        return
    if not session.is_whole:
        _fail(session, GONE)
        return
    if session.display is None and scene.frame_current < session.frame and session.forgets:
        _fail(session, LOOKED_BACK)
        return
    try:
        session.before_frame(scene.frame_current)
    except Exception as error:
        from .bodies.bounds import OutOfBoundsError

        if not isinstance(error, OutOfBoundsError):
            import logging

            logging.getLogger(__name__).exception("the preview failed")
        _fail(session, str(error) or type(error).__name__)
    if session.is_over and scene.frame_current >= session.frame:
        _soon(pause)
    if scene.frame_current > session.frame:
        _soon(_come_back)


def _after_frame(scene: Any, *_args: Any) -> None:
    session = _running
    if session is not None and not session.error and scene.name == session.stage:
        session.after_frame()


def _tick() -> float | None:
    """Make a frame of a preview that is seen in the artist's scene; seconds until the next."""
    session = _running
    if session is None or session.display is None or session.error or session.is_over:
        return None
    if not session.is_whole:
        _fail(session, GONE)
        return None
    app: Any = bpy.app
    if session.display.is_waiting or app.is_job_running("RENDER"):
        return _WAITING
    begin = time.perf_counter()
    session.step()
    return max(0.0, 1.0 / session.options.rate - (time.perf_counter() - begin))


def hold() -> None:
    """Let an operator read the artist's scene without the preview that is seen there."""
    if _running is not None and _running.display is not None:
        _running.display.hold()


def take_moved() -> set[int]:
    """The numbers of the artist's objects that previews have moved since the last call."""
    found = _moved.copy()
    _moved.clear()
    if _running is not None and _running.display is not None:
        found |= _running.display.moved
        _running.display.moved.clear()
    return found


def _fail(session: Session, why: str) -> None:
    global message
    session.error = message = why
    if why == GONE:
        session.hold_still()
    _soon(_stop_failed)


def _stop_failed() -> float | None:
    if _running is None or not _running.error:
        return None
    operators = [one for window in windows() for one in window.modal_operators]
    app: Any = bpy.app
    if app.is_job_running("RENDER") or any(one.bl_idname in _LOOKS_BACK for one in operators):
        return _WAITING
    stop(_running.error)
    return None


def _come_back() -> None:
    if _running is not None and _running.at > _running.frame:
        _running.come_back()


def _soon(function: Callable[[], float | None]) -> None:
    """Call when Blender is done with its frame; nothing can be removed in the midst of it.

    Without a window, whoever steps sees the error, and stops.
    """
    if not bpy.app.background and not bpy.app.timers.is_registered(function):
        bpy.app.timers.register(function, first_interval=0.0)


def _before_load(*_args: Any) -> None:
    stop()


@bpy.app.handlers.persistent
def _before_save(*_args: Any) -> None:
    """Stop, and leave nothing that could get into the file."""
    stop_for("")
    removal.remove_rest()


@bpy.app.handlers.persistent
def _before_undo(*_args: Any) -> None:
    """Stop, and let Blender undo no more than that."""
    global _before
    if _running is not None:
        stop("Undo ended the preview")
        steps: int = cast(Any, bpy.context).preferences.edit.undo_steps
        # With fewer, the one could go that Blender is about to take.
        if steps == 0 or steps >= _FEWEST_UNDO_STEPS:
            bpy.ops.ed.undo_push(message="Play Physics")
    _before = ShownScenes()


@bpy.app.handlers.persistent
def _before_redo(*_args: Any) -> None:
    global _before
    if _running is not None:
        stop("Redo ended the preview")
    _before = ShownScenes()


@bpy.app.handlers.persistent
def _after_undo(*_args: Any) -> None:
    """Remove what comes back with steps that were made while a preview ran."""
    if stage.is_left():
        stage.remove(_before)


@bpy.app.handlers.persistent
def _after_load(*_args: Any) -> None:
    """Remove what a file brings along that was saved by a crash in the midst of a preview."""
    global _running, _unkeyed, _lines, message
    _running, _unkeyed, _lines, message = None, None, None, ""
    _endings.clear()
    _limitations.clear()
    if stage.is_left():
        stage.remove()


_WHILE: Final[tuple[tuple[str, Callable[..., None]], ...]] = (
    ("frame_change_pre", _before_frame),
    ("frame_change_post", _after_frame),
    ("load_pre", _before_load),
)
_ALWAYS: Final[tuple[tuple[str, Callable[..., None]], ...]] = (
    ("save_pre", _before_save),
    ("load_post", _after_load),
    ("undo_pre", _before_undo),
    ("redo_pre", _before_redo),
    ("undo_post", _after_undo),
    ("redo_post", _after_undo),
)


def _watch() -> None:
    for name, function in _WHILE:
        handlers = getattr(bpy.app.handlers, name)
        if function not in handlers:
            handlers.append(function)


def _unwatch() -> None:
    for name, function in _WHILE:
        handlers = getattr(bpy.app.handlers, name)
        if function in handlers:
            handlers.remove(function)


def register() -> None:
    """Watch the opening of files, and undo."""
    for name, function in _ALWAYS:
        getattr(bpy.app.handlers, name).append(function)


def unregister() -> None:
    """Stop, and watch nothing any more."""
    stop()
    removal.remove_rest()
    for name, function in _ALWAYS:
        getattr(bpy.app.handlers, name).remove(function)
    for function in (pause, stop, _stop_failed, _tick):
        if bpy.app.timers.is_registered(function):
            bpy.app.timers.unregister(function)
