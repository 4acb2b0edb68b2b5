"""The one preview that may run, and what ends it: saving, loading, undo, errors, the artist."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import bpy

from . import stage
from .options import Options
from .unkeyed import Unkeyed
from .windows import windows

if TYPE_CHECKING:
    from .limits import Limit
    from .session import Session

_LOG: Final = logging.getLogger(__name__)
_running: Session | None = None
_unkeyed: Unkeyed | None = None
_limits: dict[str, list[Limit]] = {}
message = ""  # Why the last preview ended, if nobody asked it to.


def running() -> Session | None:
    """The preview that runs; None for none."""
    return _running


def start(scene: bpy.types.Scene, options: Options | None = None) -> Session:
    """Start the preview of a scene, in place of one that runs.

    Raises:
        ValueError: the scene is a preview's own, or has nothing that moves.
    """
    from .session import Session  # Which only those need who play.

    global _running, _unkeyed, message
    stop()
    if scene.get(stage.TAG):
        raise ValueError("this scene is a preview itself")
    message = ""
    _unkeyed = Unkeyed.take()
    _watch()
    try:
        session = Session(scene, options or Options())
    except BaseException:
        stop()
        raise
    _running = session
    return session


def stop(why: str = "") -> None:
    """Stop the preview and remove all of it; does nothing where none runs."""
    global _running, _unkeyed, message
    session, _running = _running, None
    unkeyed, _unkeyed = _unkeyed, None
    _unwatch()
    if why:
        message = why
    _end_playback()
    if session is not None or stage.is_left():
        stage.remove(None if session is None else session.shown)
    if unkeyed is not None:
        _show_again(unkeyed)


def restart() -> Session:
    """Begin again from the artist's scene.

    Raises:
        ValueError: no preview runs, or its scene is gone.
    """
    if _running is None:
        raise ValueError("no preview runs")
    session = _running
    stop()
    scene = session.artist_scene
    if scene is None:
        raise ValueError("the scene is gone")
    return start(scene, session.options)


def play() -> None:
    """Let a window play the preview; does nothing where there is no window."""
    session = _running
    for window in windows():
        if session is not None and window.scene.name == session.stage:
            if not window.screen.is_animation_playing and not bpy.app.background:
                with bpy.context.temp_override(window=window, screen=window.screen):
                    bpy.ops.screen.animation_play()
            return


def pause() -> None:
    """Hold the preview where it is."""
    _end_playback()


def toggle() -> None:
    """Hold the preview, or let it go on from where it is."""
    if is_playing():
        pause()
    elif _running is not None:
        if _running.scene.frame_current != _running.frame:  # Somebody looked back.
            _running.scene.frame_set(_running.frame)
        _running.hands.live.resume()
        play()


def keep_limits(scene: str, found: list[Limit]) -> None:
    """Keep for the panel what a preview of a scene does not do exactly."""
    _limits.clear()
    _limits[scene] = found


def kept_limits(scene: str) -> list[Limit] | None:
    """What was found last; None where nobody looked."""
    return _limits.get(scene)


def is_playing() -> bool:
    """Whether any window plays."""
    return any(window.screen.is_animation_playing for window in windows())


def _end_playback() -> None:
    for window in windows():
        if window.screen.is_animation_playing:
            with bpy.context.temp_override(window=window, screen=window.screen):
                bpy.ops.screen.animation_cancel(restore_frame=False)


def _show_again(unkeyed: Unkeyed) -> None:
    """Let Blender evaluate what windows show, then write back what it forgets by that."""
    for window in windows():
        window.view_layer.update()
    unkeyed.restore()
    for window in windows():
        window.view_layer.update()


def _before_frame(scene: Any, *_args: Any) -> None:
    session = _running
    if session is None or scene.name != session.stage:
        return
    try:
        session.before_frame(scene.frame_current)
    except Exception as error:  # noqa: BLE001 - Blender would only print it, at every frame.
        _LOG.exception("the preview failed")
        session.error = str(error) or type(error).__name__
        _soon(session.error)


def _soon(why: str) -> None:
    """Stop when Blender is done with its frame; nothing can be removed in the midst of it."""
    global _running, message
    message = why
    _end_playback()
    if bpy.app.background:
        return  # Whoever steps sees the error, and stops.
    bpy.app.timers.register(lambda: stop(why), first_interval=0.0)


def _before_file(*_args: Any) -> None:
    stop()


def _after_undo(*_args: Any) -> None:
    global _unkeyed
    _unkeyed = None  # Undo brings its own values.
    if _running is not None or stage.is_left():
        stop("Undo ended the preview")


def _after_load(*_args: Any) -> None:
    global _running
    _running = None
    _limits.clear()
    if stage.is_left():
        stage.remove()


@bpy.app.handlers.persistent
def _after_load_always(*args: Any) -> None:
    """Remove what a file brings along that was saved by a crash in the midst of a preview."""
    _after_load(*args)


_WHILE: Final[tuple[tuple[str, Callable[..., None]], ...]] = (
    ("frame_change_pre", _before_frame),
    ("save_pre", _before_file),
    ("load_pre", _before_file),
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
    """Watch the opening of files."""
    bpy.app.handlers.load_post.append(_after_load_always)


def unregister() -> None:
    """Stop, and watch nothing any more."""
    stop()
    bpy.app.handlers.load_post.remove(_after_load_always)
