"""What an artist can do: one module per task, each reads the context, calls a function, reports."""

from __future__ import annotations

from . import (
    check,
    copying,
    fit,
    json_text,
    lists,
    matrix,
    outliner,
    parts,
    showing,
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
    *outliner.CLASSES,
    *showing.CLASSES,
    *matrix.CLASSES,
    *json_text.CLASSES,
    *check.CLASSES,
)
