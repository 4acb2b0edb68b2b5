"""Panels and menus: draw only."""

from __future__ import annotations

from . import (
    create_menus,
    gravity,
    joint_menus,
    joints,
    menus,
    objects,
    overlay,
    scenes,
    sidebar_create,
    sidebar_joints,
    sidebar_shapes,
    vehicles,
)

# Panels without a place of their own come in this order.
CLASSES = (
    *menus.CLASSES,
    *create_menus.CLASSES,
    *joint_menus.CLASSES,
    *objects.CLASSES,
    *scenes.CLASSES,
    *joints.CLASSES,
    *gravity.CLASSES,
    *vehicles.CLASSES,
    *overlay.CLASSES,
    *sidebar_create.CLASSES,
    *sidebar_shapes.CLASSES,
    *sidebar_joints.CLASSES,
)
