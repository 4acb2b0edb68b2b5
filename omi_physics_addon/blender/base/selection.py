"""Selects, hides and shows objects of a view layer."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

import bpy

from . import groups

_OBJECT_MODE: Final = "OBJECT"
_MANY: Final = 50  # Objects from which one operator is quicker than a call for each.


def can_select(view_layer: Any) -> bool:
    """Whether another object may become the active one: not while one is being edited."""
    active = view_layer.objects.active
    return active is None or active.mode == _OBJECT_MODE


def select(
    view_layer: Any, objects: Collection[Any], *, extend: bool = False, activate: bool = True
) -> int:
    """Select objects and make the first of them active; returns how many could be selected.

    Hidden ones and those that cannot be selected stay as they are.
    """
    if not can_select(view_layer):
        return 0
    wanted = set(objects)
    if not extend:
        for obj in view_layer.objects:
            if obj not in wanted and obj.select_get(view_layer=view_layer):
                obj.select_set(False, view_layer=view_layer)
    shown = (obj for obj in objects if obj.visible_get(view_layer=view_layer))
    possible = [obj for obj in shown if not obj.hide_select]
    for obj in possible:
        obj.select_set(True, view_layer=view_layer)
    if activate and objects and (possible or len(objects) == 1):
        view_layer.objects.active = next(iter(possible or objects))
    return len(possible)


def hide(view_layer: Any, objects: Iterable[Any]) -> int:
    """Hide objects in a view layer, and note on each that it was this; returns how many.

    The note makes it possible to show exactly these again, also after the file was saved. It goes
    where somebody has shown the object in between.
    """
    shown = [obj for obj in objects if not obj.hide_get(view_layer=view_layer)]
    _set_hidden(view_layer, shown, is_hidden=True)
    for obj in shown:
        groups.of_object(obj).hidden_in = view_layer.name
    return len(shown)


def show(view_layer: Any, objects: Iterable[Any]) -> int:
    """Show objects in a view layer, whoever has hidden them; returns how many."""
    objects = list(objects)
    hidden = [obj for obj in objects if obj.hide_get(view_layer=view_layer)]
    _set_hidden(view_layer, hidden, is_hidden=False)
    for obj in objects:
        _forget(obj, view_layer)
    return len(hidden)


def _set_hidden(view_layer: Any, objects: Collection[Any], *, is_hidden: bool) -> None:
    """Hide or show objects; `hide_set` goes through all of the view layer for each of them."""
    touched = {*objects}
    hidden = touched if is_hidden else set[Any]()
    if len(touched) >= _MANY and can_select(view_layer):
        before = {obj for obj in view_layer.objects if obj.hide_get(view_layer=view_layer)}
        hidden = before - touched | hidden
        touched = touched | before
        _hide_by_operator(view_layer, hidden)
    for obj in touched:  # Also those that the operator leaves alone.
        if obj.hide_get(view_layer=view_layer) != (obj in hidden):
            obj.hide_set(obj in hidden, view_layer=view_layer)


def _hide_by_operator(view_layer: Any, objects: Collection[Any]) -> None:
    """Show all objects but these, where a 3D Viewport shows the view layer."""
    manager: Any = bpy.context.window_manager
    views = (
        {"window": window, "area": area, "region": area.regions[-1]}
        for window in manager.windows
        if window.view_layer == view_layer
        for area in window.screen.areas
        if area.type == "VIEW_3D"
    )
    view = next(views, None)
    if view is None:
        return
    selected = [obj for obj in view_layer.objects if obj.select_get(view_layer=view_layer)]
    operators: Any = bpy.ops.object
    with bpy.context.temp_override(**view):
        operators.hide_view_clear(select=False)
        for obj in view_layer.objects:
            obj.select_set(obj in objects, view_layer=view_layer)
        operators.hide_view_set()
    for obj in selected:
        obj.select_set(not obj.hide_get(view_layer=view_layer), view_layer=view_layer)


def show_again(view_layer: Any) -> int:
    """Show all that `hide` has hidden in a view layer, and nothing else; returns how many."""
    return show(view_layer, [obj for obj in view_layer.objects if was_hidden(obj, view_layer)])


def forget_shown(view_layer: Any) -> None:
    """Drop the notes of objects that somebody has shown since they were hidden."""
    for obj in view_layer.objects:
        if was_hidden(obj, view_layer) and not obj.hide_get(view_layer=view_layer):
            _forget(obj, view_layer)


def was_hidden(obj: Any, view_layer: Any) -> bool:
    """Whether `hide` has hidden an object in a view layer."""
    return groups.read(obj).hidden_in == view_layer.name


def _forget(obj: Any, view_layer: Any) -> None:
    if was_hidden(obj, view_layer):
        groups.of_object(obj).property_unset("hidden_in")
