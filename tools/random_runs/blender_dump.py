"""Everything that Blender holds, as plain values, to compare before and after.

That is all data of the file, with what each window, screen and editor shows, what is selected
and hidden, and which handlers and running operators there are. Blender does not let Python see the
frames of caches; whoever wants to compare these must go to them.
"""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Iterator
from typing import Any, Final, cast

import bpy as stubbed_bpy  # noqa: TID251

bpy: Any = stubbed_bpy

# Without windows, 4.2 and 4.5 crash when these are read.
_CRASHING: Final = ("uv_sculpt", "cursor_location", "tab_search_results", "search_filter")

_SKIPPED: Final = frozenset(
    {
        "rna_type",
        "bl_rna",
        "original",
        "depsgraph",  # Blender makes it when it is asked for it.
        "is_animation_playing",  # The windows tell.
        # Those of Blender's own keep data-blocks of the file that was open before, which are gone.
        "keying_sets_all",
        "tag",  # A mark for tools of Blender's, which leave it as it is; undefined by its manual.
        *(_CRASHING if bpy.app.background else ()),
    }
)
# Blender finds out which sockets apply when it evaluates their nodes.
_SOCKETS: Final = frozenset({"enabled", "is_icon_visible", "is_inactive", "is_unavailable"})
# Blender loads brushes for the modes they are for, when it likes.
_LISTS: Final = frozenset({"all_ids", "window_managers", "brushes", "palettes"})
# Parts of meshes that hold little but numbers.
_MANY: Final = frozenset(
    {
        "BoolAttributeValue",
        "IntAttributeValue",
        "Int2AttributeValue",
        "FloatVectorAttributeValue",
        "MeshNormalValue",
        "MeshVertex",
        "MeshLoop",
        "MeshEdge",
        "MeshPolygon",
        "MeshLoopTriangle",
        "ReadOnlyInteger",
    }
)
_NUMBERS: Final = {"FLOAT": "f", "INT": "i", "BOOLEAN": "b"}  # As arrays have them.
# What Blender computes from places, turns and sizes, which are compared as they are.
_COMPUTED: Final = frozenset({"bound_box", "dimensions", "matrix_local", "matrix_world"})
_COMPUTED_OF_POSES: Final = frozenset({"head", "matrix", "matrix_channel", "tail"})
_DIGITS: Final = 2e-6  # Relative; some steps of 32-bit numbers.
_PREFERENCES: Final = ("edit", "inputs", "keymap", "view", "filepaths")

Dump = dict[str, Any]
# Of each kind, by the address of what Blender says of it: names and forms of its properties.
Rows = dict[int, list[tuple[str, str]]]


def dump() -> Dump:
    """By kind and name, all properties of all that there is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Reading what is deprecated warns.
        _dump()  # Some properties of other add-ons begin when they are read first.
        return _dump()


def differences(before: Dump, after: Dump) -> list[str]:
    """Where two dumps differ, each with its place and both values."""
    found: list[str] = []
    _compare(before, after, "", found)
    return found


def is_computed(difference: str) -> bool:
    """Whether a difference is one of what Blender computes from what is compared besides."""
    place, _, name = difference.partition(":")[0].rpartition("/")
    return name in _COMPUTED or ("/pose/bones/" in place and name in _COMPUTED_OF_POSES)


def _dump() -> Dump:
    found: Dump = {}
    rows: Rows = {}
    for row in bpy.data.bl_rna.properties:
        if row.type != "COLLECTION" or row.identifier in _LISTS:
            continue
        for block in getattr(bpy.data, row.identifier):
            found[f"{row.identifier}/{block.name_full}"] = _Reader(rows).struct(block)
    for scene in bpy.data.scenes:
        for layer in scene.view_layers:
            found[f"view of {scene.name_full}/{layer.name}"] = _seen(layer)
    for manager in bpy.data.window_managers:
        for i, window in enumerate(manager.windows):
            found[f"window {i}"] = _window(window)
    found["handlers"] = {name: _handlers(name) for name in dir(bpy.app.handlers)}
    found["driver namespace"] = sorted(bpy.app.driver_namespace)
    preferences = bpy.context.preferences
    found["preferences"] = {
        name: _Reader(rows).struct(getattr(preferences, name)) for name in _PREFERENCES
    }
    return found


def _window(window: Any) -> Dump:
    return {
        "scene": window.scene.name_full,
        "view layer": window.view_layer.name,
        "workspace": window.workspace.name,
        "screen": window.screen.name,
        "plays": window.screen.is_animation_playing,
        # None for those whose add-on was disabled, until the next event.
        "operators": [operator.bl_idname for operator in window.modal_operators if operator],
        # Blender's own one is among them once there has been another one.
        "status bar": max(1, len(getattr(bpy.types.STATUSBAR_HT_header.draw, "_draw_funcs", ()))),
    }


def _seen(layer: Any) -> Dump:
    """What is selected and hidden in a view layer."""
    found = {
        obj.name_full: (
            obj.select_get(view_layer=layer),
            obj.hide_get(view_layer=layer),
            obj.visible_get(view_layer=layer),
        )
        for obj in layer.objects
    }
    active = layer.objects.active
    return {"objects": found, "active": active and active.name_full}


def _handlers(name: str) -> Any:
    functions = getattr(bpy.app.handlers, name)
    if not isinstance(functions, list):
        return None
    return [getattr(each, "__qualname__", "") for each in cast(Any, functions)]


def _compare(a: Any, b: Any, path: str, found: list[str]) -> None:
    if hasattr(a, "keys") and hasattr(b, "keys"):
        first: Dump = a
        second: Dump = b
        for key in {**first, **second}:
            if key not in first or key not in second:
                found.append(f"{path}/{key}: only {'before' if key in first else 'after'}")
            else:
                _compare(first[key], second[key], f"{path}/{key}", found)
    elif a != b and not (a != a and b != b) and not _is_noise(path.rpartition("/")[2], a, b):
        found.append(f"{path}: {a!r} -> {b!r}")


def _is_noise(key: str, a: Any, b: Any) -> bool:
    """Whether what is computed differs by some of the last digits of its largest number."""
    if key not in _COMPUTED:
        return False
    one, other = list(_numbers(a)), list(_numbers(b))
    noise = _DIGITS * max(map(abs, [*one, *other]), default=0.0)
    return len(one) == len(other) and all(
        abs(x - y) <= noise for x, y in zip(one, other, strict=True)
    )


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    else:
        for each in value:
            yield from _numbers(each)


def _custom(value: Any) -> Any:
    """A custom property; those of add-ons are groups of more."""
    if isinstance(value, bpy.types.ID):
        return value.name_full
    if hasattr(value, "keys"):
        return {key: _custom(value[key]) for key in list(value.keys())}
    if hasattr(value, "to_list"):
        return value.to_list()
    if isinstance(value, list):
        return [_custom(each) for each in cast(Any, value)]
    return value


def _rows_of(item: Any, rna: Any) -> list[tuple[str, str]]:
    """The properties of a kind, each with its form: a plain value has none."""
    skipped = _SKIPPED | _SOCKETS if isinstance(item, bpy.types.NodeSocket) else _SKIPPED
    found: list[tuple[str, str]] = []
    for row in rna.properties:
        form = row.type if row.type in ("POINTER", "COLLECTION") else ""
        if not form and getattr(row, "is_array", False):
            form = "ARRAY"
        if row.identifier not in skipped:
            found.append((row.identifier, form))
    return found


class _Reader:
    """Reads one datablock, each part of it once, as parts point at each other."""

    def __init__(self, rows: Rows) -> None:
        """Take what is known of kinds by now; the reader adds those that it meets."""
        self._rows = rows
        self._known: set[tuple[int, str]] = set()

    def struct(self, item: Any) -> Dump:
        kind = type(item).__name__
        values: Dump = {"": kind}
        key = (item.as_pointer(), kind)
        if key in self._known:
            return values
        self._known.add(key)
        if isinstance(item, bpy.types.ID):
            values["[]"] = {key: _custom(item[key]) for key in list(item.keys())}
        return values | self._fields(item)

    def _fields(self, item: Any) -> Dump:
        values: Dump = {}
        if isinstance(item, bpy.types.Region) and item.type == "HUD":
            return values  # Of the last operator; Blender moves and hides it when another one runs.
        rna = item.bl_rna
        kind = rna.as_pointer()
        if kind not in self._rows:
            self._rows[kind] = _rows_of(item, rna)
        for name, form in self._rows[kind]:
            try:
                value = getattr(item, name)
            except (AttributeError, RuntimeError, TypeError):
                continue  # Blender says that it does not apply to this one.
            values[name] = self._value(value, name, form) if form else value
        return values

    def _value(self, value: Any, name: str, form: str) -> Any:
        if form == "POINTER":
            if value is None:
                return None
            if name == "local_view":
                return True  # Blender 5.2 crashes when it is read after a file was opened.
            if isinstance(value, bpy.types.ID) and not value.is_embedded_data:
                return value.name_full
            return self.struct(value)
        if form == "COLLECTION":
            return self._items(value)
        return [list(v) if hasattr(v, "__len__") else v for v in value]

    def _items(self, value: Any) -> Dump:
        found: Dump = {}
        if getattr(value, "bl_rna", None) is not None:  # Such as which of them is the active one.
            found["itself"] = self._fields(value)
        if len(value) and type(value[0]).__name__ in _MANY:
            return found | self._columns(value)
        items = list(value)
        if items and isinstance(items[0], bpy.types.ID):
            found["items"] = [item and item.name_full for item in items]
        else:
            found["items"] = {str(i): item and self.struct(item) for i, item in enumerate(items)}
        return found

    def _columns(self, items: Any) -> Dump:
        """Each number of all parts of a mesh at once, as there are many parts."""
        found: Dump = {"": type(items[0]).__name__, "count": len(items)}
        for row in items[0].bl_rna.properties:
            if row.identifier in _SKIPPED:
                continue
            if row.type == "COLLECTION":  # Of vertices, the groups that they are in.
                parts = [getattr(item, row.identifier) for item in items]
                found[row.identifier] = {
                    str(i): self._items(part) for i, part in enumerate(parts) if len(part)
                }
                continue
            if row.identifier == "vertices" and found[""] == "MeshPolygon":
                continue  # The loops tell, and there are as many as a face has.
            kind = _NUMBERS[row.type]
            values = array(kind, bytes(array(kind).itemsize * len(items) * (row.array_length or 1)))
            items.foreach_get(row.identifier, values)
            found[row.identifier] = values.tolist()
        return found
