"""Counts the changes that Blender tells of, so that caches know whether they are still right."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any, Final, TypeVar

import bpy

from . import groups

R = TypeVar("R")

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
    """Undo brings objects back, and other files have others."""
    global _count
    _count += 1
    groups.forget_file()
    _before_update()
    for listener in _listeners:
        listener(None)


def kept(make: Callable[..., R]) -> Callable[..., R]:
    """Keep what a function returned last until data changes, or it is asked of something else.

    Its arguments are data-blocks, or values that can be compared.
    """
    known: list[tuple[Any, R]] = []

    @functools.wraps(make)
    def keeping(*of: Any) -> R:
        key = (_count, *(getattr(each, "session_uid", each) for each in of))
        if not known or known[0][0] != key:
            known[:] = [(key, make(*of))]
        return known[0][1]

    return keeping


Handlers = tuple[tuple[Any, Callable[..., None]], ...]  # Lists of Blender, and what stands there.


def after_edits(
    after_update: Callable[..., None],
    after_undo: Callable[..., None],
    after_load: Callable[..., None],
) -> Handlers:
    """The lists of Blender in which something stands that watches edits, and what stands there."""
    lists: Any = bpy.app.handlers
    return (
        (lists.depsgraph_update_post, after_update),
        (lists.undo_post, after_undo),
        (lists.redo_post, after_undo),
        (lists.load_post, after_load),
    )


def watching(
    *handlers: Handlers, timer: Any = None, forget: Callable[[], None] | None = None
) -> tuple[Callable[[], None], Callable[[], None]]:
    """What lets Blender call handlers, and what ends that.

    Args:
        timer: what of them may be waiting; it is ended, too.
        forget: called at the end.
    """

    def register() -> None:
        for listed, function in itertools.chain(*handlers):
            listed.append(function)

    def unregister() -> None:
        for listed, function in itertools.chain(*handlers):
            listed.remove(function)
        if timer is not None and bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
        if forget is not None:
            forget()

    return register, unregister


register, unregister = watching(
    after_edits(_after_update, _start_again, _start_again),
    (
        (bpy.app.handlers.frame_change_post, _after_update),
        (bpy.app.handlers.depsgraph_update_pre, _before_update),
    ),
    forget=_start_again,
)
