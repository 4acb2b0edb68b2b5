"""Lets editors show what operators changed; Blender draws nothing anew for what Python sets."""

from __future__ import annotations

from typing import Any, Final

import bpy

from . import changes, groups

EDITORS: Final = ("VIEW_3D", "PROPERTIES")  # Those that show physics.


def redraw(*editors: str) -> None:
    """Have editors of some types drawn anew, in all windows."""
    manager: Any = bpy.context.window_manager
    for window in manager.windows:
        for area in window.screen.areas:
            if area.type in editors:
                area.tag_redraw()


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
    if groups.file_has_physics() and is_due(depsgraph):
        redraw(*EDITORS)


register, unregister = changes.watching(((bpy.app.handlers.depsgraph_update_post, _after_change),))
