"""What an add-on of ours has left in Blender after it was disabled; runs in any Blender."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from typing import Any

import bpy

MODULE = "omi_physics_addon"
NAME = "omiphysics"
THRESHOLD = gc.get_threshold()  # As it is before anything of ours runs.


def find() -> list[str]:
    """Every trace of ours, in words."""
    searches = (_types, _classes, _operators, _handlers, _draws, _timers, _keys, _host, _manuals)
    return [trace for search in (*searches, _collector) for trace in search()]


class DrawHandlers:
    """Counts the viewport callbacks that are added and removed from now on.

    Blender cannot be asked for them.
    """

    def __init__(self) -> None:
        self.alive: dict[Any, str] = {}
        self._spaces = [
            cls for cls in bpy.types.Space.__subclasses__() if hasattr(cls, "draw_handler_add")
        ]

    def __enter__(self) -> DrawHandlers:
        for space in self._spaces:
            space.draw_handler_add = staticmethod(self._adding(space.draw_handler_add))
            space.draw_handler_remove = staticmethod(self._removing(space.draw_handler_remove))
        return self

    def __exit__(self, *_error: object) -> None:
        for space in self._spaces:
            del space.draw_handler_add, space.draw_handler_remove

    def _adding(self, add: Any) -> Any:
        def added(function: Any, *arguments: Any) -> Any:
            handle = add(function, *arguments)
            if _is_ours(function):
                self.alive[handle] = f"draw handler {function.__name__}"
            return handle

        return added

    def _removing(self, remove: Any) -> Any:
        def removed(handle: Any, *arguments: Any) -> None:
            self.alive.pop(handle, None)
            remove(handle, *arguments)

        return removed


def _is_ours(thing: Any) -> bool:
    return MODULE in (getattr(thing, "__module__", None) or "")


def _sounds_ours(name: str) -> bool:
    return NAME in name.replace("_", "").lower()


def _types() -> Iterator[str]:
    for name in dir(bpy.types):
        cls = getattr(bpy.types, name)
        if _sounds_ours(name):
            yield f"type {name}"
        for item in getattr(getattr(cls, "bl_rna", None), "properties", ()):
            if _sounds_ours(item.identifier):
                yield f"property {name}.{item.identifier}"


def _classes() -> Iterator[str]:
    """Property groups are not among bpy.types."""
    for cls in _below(bpy.types.bpy_struct):
        # Blender makes one for the properties of an operator, and lets it go when it likes.
        if issubclass(cls, bpy.types.OperatorProperties):
            continue
        ours = _sounds_ours(cls.__name__) or _is_ours(cls)
        if ours and "bl_rna" in vars(cls):
            yield f"registered class {cls.__name__}"


def _below(cls: type) -> Iterator[type]:
    for subclass in cls.__subclasses__():
        yield subclass
        yield from _below(subclass)


def _operators() -> Iterator[str]:
    for group in dir(bpy.ops):
        for name in dir(getattr(bpy.ops, group)):
            if _sounds_ours(name):
                yield f"operator {group}.{name}"


def _handlers() -> Iterator[str]:
    for name in dir(bpy.app.handlers):
        functions = getattr(bpy.app.handlers, name)
        if isinstance(functions, list):
            for function in functions:
                if _is_ours(function):
                    yield f"handler {function.__name__} of {name}"


def _draws() -> Iterator[str]:
    """Entries in menus, headers and panels."""
    for name in dir(bpy.types):
        draw = getattr(getattr(bpy.types, name), "draw", None)
        for function in getattr(draw, "_draw_funcs", ()):
            if _is_ours(function):
                yield f"entry {function.__name__} in {name}"


def _timers() -> Iterator[str]:
    for name, module in list(sys.modules.items()):
        if MODULE in name:
            for key, value in list(vars(module).items()):
                if callable(value) and bpy.app.timers.is_registered(value):
                    yield f"timer {name}.{key}"


def _keys() -> Iterator[str]:
    keys = bpy.context.window_manager.keyconfigs.addon
    for keymap in keys.keymaps if keys else ():
        for item in keymap.keymap_items:
            if _sounds_ours(item.idname):
                yield f"key for {item.idname} in {keymap.name}"


def _host() -> Iterator[str]:
    """Names that we ask Blender's glTF add-on to keep out of `extras`."""
    for name, module in list(sys.modules.items()):
        if name.startswith("io_scene_gltf2"):
            for entry in getattr(module, "BLACK_LIST", ()):
                if _sounds_ours(entry):
                    yield f"{entry} in {name}.BLACK_LIST"


def _manuals() -> Iterator[str]:
    """What Blender asks when F1 is pressed."""
    for function in vars(bpy.utils)["_manual_map"]:
        if _is_ours(function):
            yield f"manual map {function.__name__}"


def _collector() -> Iterator[str]:
    if gc.get_freeze_count():
        yield f"{gc.get_freeze_count()} objects hidden from the garbage collector"
    if gc.get_threshold() != THRESHOLD:
        yield f"a garbage collector that looks every {gc.get_threshold()} objects"
