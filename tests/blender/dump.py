"""Everything that a file holds, as plain values, to compare before and after."""

from __future__ import annotations

import warnings
from typing import Any

import bpy

_DEPTH = 8
# What Blender itself makes anew, or what is not data of the file.
_SKIPPED = {"rna_type", "original", "bl_rna", "view_center", "depsgraph", "is_dirty", "uv_sculpt"}
_LISTS = ("window_managers", "screens", "workspaces", "brushes", "palettes", "libraries")


def dump() -> dict[str, Any]:
    """By kind and name, all properties of all datablocks, and what each window shows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Reading what is deprecated warns.
        _dump()  # Some properties of other add-ons begin when they are read first.
        return _dump()


def _dump() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for row in bpy.data.bl_rna.properties:
        if row.type != "COLLECTION" or row.identifier in _LISTS:
            continue
        for block in getattr(bpy.data, row.identifier):
            found[f"{row.identifier}/{block.name_full}"] = _struct(block, 0, block)
    for manager in bpy.data.window_managers:
        for i, window in enumerate(manager.windows):
            found[f"window {i}"] = (window.scene.name, window.view_layer.name)
    return found


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Where two dumps differ."""
    found: list[str] = []
    _compare(before, after, "", found)
    return found


def _compare(a: Any, b: Any, path: str, found: list[str]) -> None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in {**a, **b}:
            if key not in a or key not in b:
                found.append(f"{path}/{key}: only {'before' if key in a else 'after'}")
            else:
                _compare(a[key], b[key], f"{path}/{key}", found)
    elif a != b and not (a != a and b != b):
        found.append(f"{path}: {a!r} -> {b!r}")


def _struct(item: Any, depth: int, owner: Any) -> dict[str, Any]:
    values: dict[str, Any] = {"": type(item).__name__}
    if isinstance(item, bpy.types.ID):
        values["[]"] = {key: repr(item[key]) for key in list(item.keys())}
    for row in item.bl_rna.properties:
        name = row.identifier
        if name in _SKIPPED:
            continue
        try:
            value = getattr(item, name)
        except (AttributeError, RuntimeError, TypeError):
            continue
        values[name] = _value(value, row, depth, owner)
    return values


def _value(value: Any, row: Any, depth: int, owner: Any) -> Any:
    if row.type == "POINTER":
        if value is None:
            return None
        if isinstance(value, bpy.types.ID) and not value.is_embedded_data:
            return value.name_full
        return _struct(value, depth + 1, owner) if depth < _DEPTH else None
    if row.type == "COLLECTION":
        items = list(value)
        if items and isinstance(items[0], bpy.types.ID):
            return [item.name_full for item in items]
        if depth >= _DEPTH:
            return len(items)
        return {str(i): _struct(item, depth + 1, owner) for i, item in enumerate(items)}
    if getattr(row, "is_array", False):
        return [list(v) if hasattr(v, "__len__") else v for v in value]
    return sorted(value) if isinstance(value, set) else value
