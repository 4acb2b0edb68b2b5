"""What an artist can do: one module per task, each reads the context, calls a function, reports."""

from __future__ import annotations

from . import bake, copying, fit, lists, parts, preview, record, systems, triggers

CLASSES = (
    *parts.CLASSES,
    *fit.CLASSES,
    *copying.CLASSES,
    *lists.CLASSES,
    *systems.CLASSES,
    *triggers.CLASSES,
    *preview.CLASSES,
    *record.CLASSES,
    *bake.CLASSES,
)
