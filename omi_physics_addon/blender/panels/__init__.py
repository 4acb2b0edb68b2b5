"""Panels and menus: draw only."""

from __future__ import annotations

from . import joint_menus, joints, menus, objects, overlay, scenes, sidebar_joints

CLASSES = (
    *menus.CLASSES,
    *objects.CLASSES,
    *scenes.CLASSES,
    *overlay.CLASSES,
    *joint_menus.CLASSES,
    *joints.CLASSES,
    *sidebar_joints.CLASSES,
)
