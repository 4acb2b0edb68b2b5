"""Counts the changes that Blender tells of, so that caches know whether they are still right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import bpy

from . import groups

_count = 0
# Called with the depsgraph after its update, and with None when anything may have changed.
_listeners: Final[list[Callable[[Any], None]]] = []
_walked: tuple[Any, list[Any]] | None = None  # A depsgraph, and what its update is about.


def count() -> int:
    """A number that is another one after every change of data that Blender tells of."""
    return _count


def listen(listener: Callable[[Any], None]) -> None:
    """Have a function called after each update of a depsgraph; with None after undo and load."""
    if listener not in _listeners:
        _listeners.append(listener)


def updates(depsgraph: Any) -> list[Any]:
    """What an update is about; Blender goes through all there is for that, so once for all."""
    global _walked
    if _walked is None or _walked[0] is not depsgraph:
        _walked = depsgraph, list(depsgraph.updates)
    return _walked[1]


@bpy.app.handlers.persistent
def _before_update(*_args: Any) -> None:
    global _walked
    _walked = None


@bpy.app.handlers.persistent
def _after_update(_scene: Any, depsgraph: Any) -> None:
    global _count
    _count += 1
    for listener in _listeners:
        listener(depsgraph)


@bpy.app.handlers.persistent
def _start_again(*_args: Any) -> None:
    global _count
    _count += 1
    _before_update()
    for listener in _listeners:
        listener(None)


@bpy.app.handlers.persistent
def _after_load(*_args: Any) -> None:
    groups.forget_file()
    _start_again()


def handlers(
    after_update: Callable[..., None],
    after_undo: Callable[..., None],
    after_load: Callable[..., None],
) -> list[tuple[Any, Any]]:
    """The lists of Blender in which something stands that watches edits, and what stands there."""
    lists: Any = bpy.app.handlers
    return [
        (lists.depsgraph_update_post, after_update),
        (lists.undo_post, after_undo),
        (lists.redo_post, after_undo),
        (lists.load_post, after_load),
    ]


def _handlers() -> list[tuple[Any, Any]]:
    played: Any = bpy.app.handlers.frame_change_post
    watching = handlers(_after_update, _start_again, _after_load)
    lists: Any = bpy.app.handlers
    return [*watching, (played, _after_update), (lists.depsgraph_update_pre, _before_update)]


def register() -> None:
    """Start counting."""
    for listed, function in _handlers():
        listed.append(function)


def unregister() -> None:
    """Undo `register`, and let go of the caches."""
    for listed, function in _handlers():
        listed.remove(function)
    _after_load()


def start(*functions: Any) -> None:
    """Let what watches edits be called; see `handlers`."""
    for listed, function in handlers(*functions):
        listed.append(function)


def stop(*functions: Any, timer: Any) -> None:
    """Undo `start`, and end the timer of what watches."""
    for listed, function in handlers(*functions):
        listed.remove(function)
    if bpy.app.timers.is_registered(timer):
        bpy.app.timers.unregister(timer)
