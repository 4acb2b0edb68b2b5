"""What an artist can do: one module per task, each reads the context, calls a function, reports."""

from __future__ import annotations

from . import (
    bake_scale,
    copying,
    fit,
    gravity,
    joint_connect,
    joint_items,
    joint_presets,
    joint_swap,
    joints,
    lists,
    new_objects,
    parts,
    ropes,
    systems,
    triggers,
    vehicle_parts,
    vehicles,
)

CLASSES = (
    *parts.CLASSES,
    *vehicle_parts.CLASSES,
    *vehicles.CLASSES,
    *gravity.CLASSES,
    *new_objects.CLASSES,
    *fit.CLASSES,
    *bake_scale.CLASSES,
    *copying.CLASSES,
    *lists.CLASSES,
    *systems.CLASSES,
    *triggers.CLASSES,
    *joints.CLASSES,
    *joint_items.CLASSES,
    *joint_connect.CLASSES,
    *ropes.CLASSES,
    *joint_swap.CLASSES,
    *joint_presets.CLASSES,
)
