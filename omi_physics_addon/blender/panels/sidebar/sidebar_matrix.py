"""Sidebar: who hits whom, as a table of collision systems."""

from __future__ import annotations

import string
from typing import Any, Final

import bpy

from ....model.filters import Meeting
from ...base import groups
from ..tabs import Closed, Section, hint
from ..texts import pgettext_iface

_NAMES: Final = 0.4  # Share of the width that the names take at least.
_CELL: Final = 0.11  # That a square needs; what is left is for the names.
_LETTERS: Final = string.ascii_uppercase + string.ascii_lowercase
_MOST: Final = 32  # Systems in a table that can still be read.


class OMIPHYSICS_PT_sidebar_matrix(Closed, Section, bpy.types.Panel):
    """The table."""

    bl_label = "Collision Matrix"
    bl_order = 60

    def draw(self, context: bpy.types.Context) -> None:
        """The table, then what can be done with the chosen system."""
        from ...authoring import filter_matrix

        scene: Any = context.scene
        layout: Any = self.layout
        found, pairs = filter_matrix.table(scene)
        if found:
            _draw_table(layout, found[:_MOST], pairs, groups.of_scene(scene).sidebar.system)
            if len(found) > _MOST:
                text = pgettext_iface("{count} more systems").format(count=len(found) - _MOST)
                layout.label(text=text, translate=False)
        else:
            hint(layout, "All hits all. Add systems to", "let objects pass through each other")
        _draw_system(layout, found, pairs, groups.of_scene(scene).sidebar.system)
        if filter_matrix.can_merge(filter_matrix.read(scene)):
            layout.operator("scene.omi_physics_merge_filters", icon="AUTOMERGE_ON")


def _draw_table(
    layout: Any, found: list[str], pairs: dict[tuple[str, str], Meeting], active: str
) -> None:
    """Names with letters at the left, a square for each pair; a letter stands on each column."""
    table = layout.column(align=True)
    columns = len(found) + 1  # The last letter needs more room than a square.
    share = max(_NAMES, 1.0 - _CELL * columns)
    head = table.split(factor=share, align=True)
    corner = head.row()
    corner.alignment = "RIGHT"
    corner.label(text="Hits")
    head.label(text=_letter(0), translate=False)
    for i, one in enumerate(found):
        line = table.split(factor=share, align=True)
        name = line.row(align=True)
        name.alignment = "RIGHT"
        name.operator(
            "scene.omi_physics_pick_system",
            text=f"{_letter(i)} {one}",
            emboss=one == active,
            translate=False,
        ).system = one
        rest = line.split(factor=(i + 1) / columns, align=True)
        cells = rest.grid_flow(row_major=True, columns=i + 1, even_columns=True, align=True)
        for other in found[: i + 1]:
            _draw_pair(cells, one, other, pairs[one, other])
        rest.label(text=_letter(i + 1) if i + 1 < len(found) else "", translate=False)
    if any(pairs[one, other] == "SOME" for one in found for other in found):
        layout.label(text="Red: some hit, others do not", icon="INFO")


def _letter(index: int) -> str:
    """A, B, C, then a, b, c: one letter, because columns are narrow; for up to `_MOST`."""
    return _LETTERS[index]


def _draw_pair(layout: Any, one: str, other: str, meeting: Meeting, text: str = "") -> None:
    cell = layout.row(align=True)
    cell.alert = meeting == "SOME"
    button = cell.operator(
        "scene.omi_physics_set_pair", text=text, depress=meeting != "NONE", translate=False
    )
    button.one, button.other, button.hits = one, other, meeting == "NONE"


def _draw_system(
    layout: Any, found: list[str], pairs: dict[tuple[str, str], Meeting], active: str
) -> None:
    row = layout.row(align=True)
    row.operator("scene.omi_physics_new_system", text="New System", icon="ADD")
    if active not in found:
        return
    row.operator("scene.omi_physics_rename_system", text="", icon="GREASEPENCIL").system = active
    row.operator("scene.omi_physics_delete_system", text="", icon="REMOVE").system = active
    column = layout.column(align=True)
    column.label(text=active, icon="FILTER", translate=False)
    row = column.row(align=True)
    row.operator("object.omi_physics_assign_system", text="Assign").system = active
    row.operator("object.omi_physics_select_system", text="Select").system = active
    column.label(text=pgettext_iface("{name} hits:").format(name=active), translate=False)
    grid = column.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    for other in found:
        _draw_pair(grid, active, other, pairs[active, other], other)
