"""What an artist can do: one module per task, each reads the context, calls a function, reports."""

from __future__ import annotations

from . import (
    copying,
    fit,
    joint_connect,
    joint_items,
    joint_presets,
    joint_swap,
    joints,
    lists,
    parts,
    ropes,
    systems,
    triggers,
)

CLASSES = (
    *parts.CLASSES,
    *fit.CLASSES,
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
