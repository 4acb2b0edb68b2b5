"""Panels and menus: draw only."""

from __future__ import annotations

from . import (
    menu_find,
    menus,
    objects,
    overlay,
    scenes,
    sidebar_check,
    sidebar_json,
    sidebar_matrix,
    sidebar_outliner,
    sidebar_show,
)

CLASSES = (
    *menus.CLASSES,
    *objects.CLASSES,
    *scenes.CLASSES,
    *overlay.CLASSES,
    *sidebar_outliner.CLASSES,
    *sidebar_show.CLASSES,
    *sidebar_matrix.CLASSES,
    *sidebar_check.CLASSES,
    *sidebar_json.CLASSES,
    *menu_find.CLASSES,
)
