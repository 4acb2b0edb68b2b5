"""Which scene and view layer each window shows."""

from __future__ import annotations

import contextlib
from collections.abc import Container, Generator
from typing import Any

import bpy


def windows() -> list[Any]:
    """All windows; none without a window manager."""
    return [w for manager in bpy.data.window_managers for w in manager.windows]


def lasting_windows() -> list[Any]:
    """The windows in which operators may run: Blender allows it in no screen of a render."""
    return [window for window in windows() if not window.screen.is_temporary]


def layer_of(scene: Any) -> Any:
    """The view layer of a scene that a window shows; its first one where none does."""
    shown = (window.view_layer for window in windows() if window.scene == scene)
    return next(shown, scene.view_layers[0])


def layers_of(scene: Any) -> list[Any]:
    """The view layers of a scene that windows show, each once; its first one where none does."""
    shown = [window.view_layer for window in windows() if window.scene == scene]
    return list({layer.name: layer for layer in shown}.values()) or [scene.view_layers[0]]


def views_of(scene: Any) -> list[Any]:
    """The 3D Viewports of all windows that show a scene."""
    screens = [window.screen for window in windows() if window.scene == scene]
    areas = [area for screen in screens for area in screen.areas]
    return [area.spaces.active for area in areas if area.type == "VIEW_3D"]


def scene_of(uid: int) -> Any:
    """The scene of a number that undo and new names leave alone; None where it is gone."""
    return next((scene for scene in bpy.data.scenes if scene.session_uid == uid), None)


class ShownScenes:
    """The scene and view layer of every window when this is made.

    Blender's data is kept by number and name only, because undo may move it in memory.
    """

    def __init__(self) -> None:
        self._rows: dict[int, tuple[int, str]] = {
            window.as_pointer(): (window.scene.session_uid, window.view_layer.name)
            for window in windows()
        }

    @contextlib.contextmanager
    def nothing_between(self, gone: Container[Any], other: Any) -> Generator[Any]:
        """Show an empty scene while scenes are removed, then these again; gives the empty one.

        It is left to the caller, or None.

        Args:
            gone: the scenes to be removed; windows that show another one are left alone.
            other: the scene for windows that are new, or that showed one of these before.
        """
        shown = [window for window in windows() if window.scene in gone]
        if not shown:
            yield None
            return
        empty: Any = bpy.data.scenes.new("Empty")
        for window in shown:
            window.scene = empty
        try:
            yield empty
        finally:
            for window in windows():
                if window.scene == empty:
                    self._bring_back(window, other)

    def _bring_back(self, window: Any, other: Any) -> None:
        uid, layer = self._rows.get(window.as_pointer(), (0, ""))
        window.scene = scene_of(uid) or other
        if layer in window.scene.view_layers:
            window.view_layer = window.scene.view_layers[layer]


class HiddenLines:
    """Hides the lines from objects to their parents, which stay behind when objects are posed.

    Viewports are kept by number only, because they may be closed meanwhile.
    """

    def __init__(self) -> None:
        shown = [o for o in _overlays() if o.show_relationship_lines]
        self._hidden = {overlay.as_pointer() for overlay in shown}
        for overlay in shown:
            overlay.show_relationship_lines = False

    def bring_back(self) -> None:
        """Show them where they were shown."""
        for overlay in _overlays():
            if overlay.as_pointer() in self._hidden:
                overlay.show_relationship_lines = True


def _overlays() -> list[Any]:
    """The overlays of the 3D Viewports of all workspaces."""
    spaces: list[Any] = [s for screen in bpy.data.screens for a in screen.areas for s in a.spaces]
    return [space.overlay for space in spaces if space.type == "VIEW_3D"]
