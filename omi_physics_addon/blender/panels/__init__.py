"""Panels and menus: draw only."""

from __future__ import annotations

from . import create_menus, gravity, menus, objects, overlay, scenes, sidebar_create, vehicles

CLASSES = (
    *menus.CLASSES,
    *create_menus.CLASSES,
    *objects.CLASSES,
    *scenes.CLASSES,
    *gravity.CLASSES,
    *vehicles.CLASSES,
    *overlay.CLASSES,
    *sidebar_create.CLASSES,
)
