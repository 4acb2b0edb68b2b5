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
MODULES = (
    *(menus, create_menus, joint_menus),
    *(objects, scenes, joints, gravity, vehicles, vehicle_wheels, overlay),
    *(sidebar_physics, sidebar_create, sidebar_shapes, sidebar_joints, sidebar_outliner),
    *(sidebar_show, sidebar_matrix, sidebar_check, sidebar_json, sidebar_preview),
    report_dialog,
)
