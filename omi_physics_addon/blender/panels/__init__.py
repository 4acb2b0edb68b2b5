"""Panels and menus: draw only."""

from __future__ import annotations

from . import menus, objects, overlay, scenes, sidebar_preview

CLASSES = (
    *menus.CLASSES,
    *objects.CLASSES,
    *scenes.CLASSES,
    *overlay.CLASSES,
    *sidebar_preview.CLASSES,
)
