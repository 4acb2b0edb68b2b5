"""A viewport without a window, for tests of what the overlay shows."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.overlay.line_cache import LineCache, Style, View
from omi_physics_addon.blender.overlay.marks import Role
from omi_physics_addon.blender.overlay.shape_marks import LineReader


class Viewport:
    """A cache with its handlers in place, and what a viewport asks of it."""

    def __init__(self) -> None:
        self.cache = LineCache()
        bpy.app.handlers.depsgraph_update_post.append(self.note)
        bpy.app.handlers.frame_change_post.append(self.note)

    def close(self) -> None:
        bpy.app.handlers.depsgraph_update_post.remove(self.note)
        bpy.app.handlers.frame_change_post.remove(self.note)

    def note(self, _scene: Any, depsgraph: Any) -> None:
        self.cache.note(depsgraph)

    def redraw(self, number: int = 0) -> View:
        context = bpy.context
        context.view_layer.update()
        return self.cache.refresh(
            number,
            context.visible_objects,
            context.selected_objects,
            context.view_layer.depsgraph,
        )

    def lines(self, role: Role, selected: bool = False, number: int = 0) -> Any:
        """All lines of a style, (2k, 3)."""
        view = self.redraw(number)
        style = Style(role, selected)
        return np.concatenate(
            [np.zeros((0, 3)), *(c.arrays[style] for c in view.chunks if style in c.arrays)]
        )

    def count_reads(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The names of the objects that are read from now on."""
        found: list[str] = []
        read = LineReader.read

        def counted(self: LineReader, obj: Any, scope: Any) -> Any:
            found.append(obj.name)
            return read(self, obj, scope)

        monkeypatch.setattr(LineReader, "read", counted)
        return found


def touch(obj: Any) -> None:
    """What Blender does when an artist edits a property, and operators do for Python."""
    obj.update_tag(refresh={"OBJECT", "DATA"})


def bounds(lines: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(lines.min(axis=0).tolist()), tuple(lines.max(axis=0).tolist())


def about(low: Any, high: Any) -> Any:
    return (pytest.approx(low, abs=1e-5), pytest.approx(high, abs=1e-5))
