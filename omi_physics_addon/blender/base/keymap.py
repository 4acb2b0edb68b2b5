"""Keys, which artists can change in Blender's preferences."""

from __future__ import annotations

from typing import Any, Final, cast

import bpy

PLACE: Final = "Object Mode"
_ROWS: Final = (("scene.omi_physics_preview_start", "P"),)  # With Ctrl and Alt.
OPERATORS: Final = frozenset(operator for operator, _ in _ROWS)


def _keys() -> Any:
    return cast(Any, bpy.context).window_manager.keyconfigs.addon


def register() -> None:
    """Add the keys; there are none without a window."""
    keys = _keys()
    if keys is None:
        return
    keymap: Any = keys.keymaps.new(name=PLACE, space_type="EMPTY")
    for operator, key in _ROWS:
        keymap.keymap_items.new(operator, key, "PRESS", ctrl=True, alt=True)


def unregister() -> None:
    """Remove the keys."""
    keys = _keys()
    keymap: Any = None if keys is None else keys.keymaps.get(PLACE)
    if keymap is None:
        return
    for item in [item for item in keymap.keymap_items if item.idname in OPERATORS]:
        keymap.keymap_items.remove(item)
