"""Panels and menus: draw only."""

from __future__ import annotations

from . import (
    create_menus,
    gravity,
    menus,
    objects,
    overlay,
    scenes,
    sidebar_create,
    sidebar_shapes,
    vehicles,
)

CLASSES = (
    *menus.CLASSES,
    *create_menus.CLASSES,
    *objects.CLASSES,
    *gravity.CLASSES,
    *vehicles.CLASSES,
    *scenes.CLASSES,
    *overlay.CLASSES,
    *sidebar_create.CLASSES,
    *sidebar_shapes.CLASSES,
)
