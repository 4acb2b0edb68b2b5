"""Lets editors show what operators changed; Blender draws nothing anew for what Python sets."""

from __future__ import annotations

from typing import Any, Final

import bpy

from . import changes, groups

_EDITORS: Final = frozenset({"VIEW_3D", "PROPERTIES"})  # Those that show physics.


def is_due(depsgraph: Any) -> bool:
    """Whether an object or a scene was tagged as changed, as our operators do.

    While something is moved only its place changes, and while it is modelled only its form.
    """
    return any(
        update.is_updated_geometry
        and update.is_updated_transform
        and isinstance(update.id, (bpy.types.Object, bpy.types.Scene))
        for update in changes.updates(depsgraph)
    )


@bpy.app.handlers.persistent
def _after_change(_scene: Any, depsgraph: Any) -> None:
    if not groups.file_has_physics() or not is_due(depsgraph):
        return
    manager: Any = bpy.context.window_manager
    for window in manager.windows:
        for area in window.screen.areas:
            if area.type in _EDITORS:
                area.tag_redraw()


def register() -> None:
    """Start following changes."""
    handlers: Any = bpy.app.handlers.depsgraph_update_post
    handlers.append(_after_change)


def unregister() -> None:
    """Undo `register`."""
    handlers: Any = bpy.app.handlers.depsgraph_update_post
    handlers.remove(_after_change)
