"""Panels and menus: draw only."""

from __future__ import annotations

from . import menus, objects, overlay, scenes

CLASSES = (*menus.CLASSES, *objects.CLASSES, *scenes.CLASSES, *overlay.CLASSES)
