"""Lets Blender compute where objects are that it has not evaluated since a file was opened.

What is disabled in viewports, what stands in an excluded collection, and what is in a scene that
nobody has looked at, is at the origin of the world until it is shown; and what is above it may have
moved since. Blender's exporter of glTF writes it where it seems to be then.
"""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from .unkeyed import UnkeyedValues
from .worlds import TAG


def place_all() -> None:
    """Compute where objects with physics of all scenes are, as an export writes them all."""
    context: Any = bpy.context
    window, shown = context.window, context.scene
    for scene in bpy.data.scenes:
        if scene == shown:
            place(scene)
        elif window is not None and not scene.get(TAG) and _unseen(scene, scene.view_layers[0]):
            unkeyed = UnkeyedValues.take()
            before = window.scene, window.view_layer
            window.scene = scene
            try:
                with context.temp_override(window=window, scene=scene):
                    window.view_layer.update()
                    place(scene)
            finally:
                window.scene, window.view_layer = before
            unkeyed.restore()


def place(scene: Any) -> None:
    """Compute where objects with physics of the scene that is shown are, and what is below them.

    They are shown for that for a moment. Objects that Blender evaluates are left alone, and so are
    those of a scene that is not the current one.
    """
    context: Any = bpy.context
    if scene is None or scene != context.scene or scene.library is not None:
        return
    layer = context.view_layer
    if layer.depsgraph is None and groups.file_has_physics():  # Nobody has looked at it yet.
        layer.update()
    left = _unseen(scene, layer)
    if not left:
        return
    unkeyed = UnkeyedValues.take()
    disabled = [obj for obj in left if obj.hide_viewport]
    shown: Any = bpy.data.collections.new("Unseen")
    scene.collection.children.link(shown)
    try:
        for obj in left:
            shown.objects.link(obj)
        for obj in disabled:
            obj.hide_viewport = False
        layer.update()
    finally:
        for obj in disabled:
            obj.hide_viewport = True
        bpy.data.collections.remove(shown)
    layer.update()
    unkeyed.restore()


def _unseen(scene: Any, layer: Any) -> list[Any]:
    """The objects with physics that a view layer does not evaluate, and what is below these."""
    if not groups.file_has_physics():
        return []
    depsgraph = layer.depsgraph
    children: dict[Any, list[Any]] = {}
    for obj in scene.objects:
        children.setdefault(obj.parent, []).append(obj)
    waiting = [
        obj
        for obj in filter(groups.is_stored, scene.objects)
        if depsgraph is None or not obj.evaluated_get(depsgraph).is_evaluated
    ]
    found: dict[Any, None] = {}
    while waiting:
        obj = waiting.pop()
        if obj not in found:
            found[obj] = None
            waiting += children.get(obj, ())
    return [*found]
