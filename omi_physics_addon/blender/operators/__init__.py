"""What an artist can do: one module per task, each reads the context, calls a function, reports."""

from __future__ import annotations

from . import (
    bake_scale,
    bodies,
    check,
    copying,
    fit,
    gravity,
    json_text,
    lists,
    matrix,
    new_objects,
    outliner,
    showing,
    systems,
    triggers,
    vehicle_parts,
    vehicles,
)
from .joints import (
    joint_connect,
    joint_items,
    joint_presets,
    joint_set_kind,
    joint_share_settings,
    joint_swap,
    ropes,
)
from .preview import bake, needed_substeps, preview, preview_input, record

CLASSES = (
    *bodies.CLASSES,
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
    *joint_set_kind.CLASSES,
    *joint_share_settings.CLASSES,
    *joint_items.CLASSES,
    *joint_connect.CLASSES,
    *ropes.CLASSES,
    *joint_swap.CLASSES,
    *joint_presets.CLASSES,
    *outliner.CLASSES,
    *showing.CLASSES,
    *matrix.CLASSES,
    *json_text.CLASSES,
    *check.CLASSES,
    *preview.CLASSES,
    *needed_substeps.CLASSES,
    *preview_input.CLASSES,
    *record.CLASSES,
    *bake.CLASSES,
)
