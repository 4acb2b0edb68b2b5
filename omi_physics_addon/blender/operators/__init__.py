"""What an artist can do: one module per task, each reads the context, calls a function, reports."""

from __future__ import annotations

from . import bake_scale, copying, fit, lists, parts, systems, triggers

CLASSES = (
    *parts.CLASSES,
    *fit.CLASSES,
    *bake_scale.CLASSES,
    *copying.CLASSES,
    *lists.CLASSES,
    *systems.CLASSES,
    *triggers.CLASSES,
)
