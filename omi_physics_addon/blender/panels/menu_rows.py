"""Menus as tables of rows, and the menus of presets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import bpy

from ..operators.presets.part_presets import preset_files


class Button(NamedTuple):
    """A button of a menu.

    Attributes:
        operator: the name of what it runs.
        text: what it says; None for the label of the operator.
        options: what the operator is told.
    """

    operator: str
    text: str | None = None
    icon: str = "NONE"
    options: Mapping[str, str] = MappingProxyType({})


# A button, the name of a menu, that of an operator, or None for a line between groups.
Row = Button | str | None


def draw_rows(layout: Any, rows: Iterable[Row]) -> None:
    """Draw rows of a menu."""
    for row in rows:
        if isinstance(row, Button):
            texts = {} if row.text is None else {"text": row.text}
            _tell(layout.operator(row.operator, icon=row.icon, **texts), row.options)
        elif row is None:
            layout.separator()
        elif "_MT_" in row:
            layout.menu(row)
        else:
            layout.operator(row)


def menu(idname: str, label: str, *rows: Row, asks: bool = False) -> type[bpy.types.Menu]:
    """A menu of rows.

    Args:
        asks: its operators ask first, where they have something to ask.
    """

    def draw(self: Any, _context: bpy.types.Context) -> None:
        if asks:
            self.layout.operator_context = "INVOKE_DEFAULT"
        draw_rows(self.layout, rows)

    return type(idname, (bpy.types.Menu,), {"bl_label": label, "draw": draw})


def preset_menu(idname: str, folder: str, what: str, **options: str) -> type[bpy.types.Menu]:
    """A menu of presets: each with a button that removes it, then one that saves what is shown.

    Args:
        folder: of the presets, below that of Blender's.
        what: the end of the names of the operators.
        options: what the operators are told, as far as they ask.
    """
    load, save = f"scene.omi_physics_load_{what}", f"scene.omi_physics_add_{what}"

    def draw(self: Any, _context: bpy.types.Context) -> None:
        layout, files = self.layout, preset_files(folder)
        for path in files:
            name = bpy.path.display_name(path.name, title_case=False)
            row = layout.row(align=True)
            row.operator_context = "EXEC_DEFAULT"
            loading = row.operator(load, text=name, translate=False)
            _tell(loading, {**options, "filepath": str(path), "menu_idname": idname})
            removing = row.operator(save, text="", icon="REMOVE")
            _tell(removing, {**options, "name": name, "remove_name": True})
        if files:
            layout.separator()
        else:
            layout.label(text="No presets yet", icon="INFO")
        layout.operator_context = "INVOKE_DEFAULT"
        _tell(layout.operator(save, text="Save Preset...", icon="ADD"), options)

    texts = {"bl_label": "Presets", "bl_description": "Load, save and remove presets"}
    return type(idname, (bpy.types.Menu,), {**texts, "draw": draw})


def _tell(button: Any, options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        setattr(button, name, value)
