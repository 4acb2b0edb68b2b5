"""Panels and menus: draw only."""

from __future__ import annotations

from . import (
    create_menus,
    exchange_menus,
    gravity,
    joint_menus,
    joints,
    menu_find,
    menus,
    objects,
    overlay,
    report_dialog,
    scenes,
    vehicle_wheels,
    vehicles,
)
from .sidebar import (
    sidebar_check,
    sidebar_create,
    sidebar_joints,
    sidebar_json,
    sidebar_matrix,
    sidebar_outliner,
    sidebar_physics,
    sidebar_preview,
    sidebar_shapes,
    sidebar_show,
)

# Panels without a place of their own come in this order.
CLASSES = (
    *menus.CLASSES,
    *create_menus.CLASSES,
    *exchange_menus.CLASSES,
    *joint_menus.CLASSES,
    *menu_find.CLASSES,
    *objects.CLASSES,
    *scenes.CLASSES,
    *joints.CLASSES,
    *gravity.CLASSES,
    *vehicles.CLASSES,
    *vehicle_wheels.CLASSES,
    *overlay.CLASSES,
    *sidebar_physics.CLASSES,
    *sidebar_create.CLASSES,
    *sidebar_shapes.CLASSES,
    *sidebar_joints.CLASSES,
    *sidebar_outliner.CLASSES,
    *sidebar_show.CLASSES,
    *sidebar_matrix.CLASSES,
    *sidebar_check.CLASSES,
    *sidebar_json.CLASSES,
    *sidebar_preview.CLASSES,
    *report_dialog.CLASSES,
)
