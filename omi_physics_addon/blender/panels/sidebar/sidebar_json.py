"""Sidebar: what the active object will be in glTF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import bpy

from ...base import groups
from ..tabs import Closed, Section
from ..texts import draw_text, pgettext_iface

if TYPE_CHECKING:
    from ...authoring.json_view import View

_LINES: Final = 120  # That are shown; the rest is for the Text Editor.
_LINE_HEIGHT: Final = 0.65


class OMIPHYSICS_PT_sidebar_json(Closed, Section, bpy.types.Panel):
    """The JSON of the active object."""

    bl_label = "JSON"
    bl_order = 70

    def draw(self, context: bpy.types.Context) -> None:
        """Show what is known; what is not is made after drawing."""
        from ...authoring import json_view

        scene: Any = context.scene
        obj: Any = context.object
        layout: Any = self.layout
        if obj is None:
            layout.label(text="Select an object to see it in glTF", icon="INFO")
            return
        family = groups.of_scene(scene).sidebar.json_family
        layout.row().prop(groups.of_scene(scene).sidebar, "json_family", expand=True)
        row = layout.row(align=True)
        row.operator("object.omi_physics_copy_json", icon="COPYDOWN").family = family
        row.operator("object.omi_physics_paste_json", icon="PASTEDOWN")
        row.operator("object.omi_physics_open_json", text="", icon="TEXT").family = family
        view = json_view.of(obj, family)
        if view is None or not (view.is_current or view.is_slow):
            json_view.request(scene, obj, family)
        elif not view.is_current:
            operator = "object.omi_physics_update_json"
            layout.operator(operator, icon="FILE_REFRESH").family = family
        if view is not None:
            _draw_view(context, layout, view)


def _draw_view(context: bpy.types.Context, layout: Any, view: View) -> None:
    if view.failure:
        draw_text(context, layout, view.failure, icon="ERROR")
    elif not view.sections:
        text = pgettext_iface("Nothing in {family}").format(family=view.family)
        layout.label(text=text, icon="INFO", translate=False)
    for issue in view.issues:
        draw_text(context, layout, f"{issue.code}: {issue.message}", icon="ERROR")
    left = _LINES
    for section in view.sections:
        if left <= 0:
            break
        box = layout.box().column(align=True)
        box.label(text=section.title, translate=False)
        column = box.column(align=True)
        column.scale_y = _LINE_HEIGHT
        for line in section.lines[:left]:
            column.label(text=_indented(line), translate=False)
        left -= len(section.lines)
    if left < 0:
        text = pgettext_iface("{count} more lines in the text").format(count=-left)
        layout.label(text=text, icon="INFO", translate=False)


def _indented(line: str) -> str:
    """A line whose indentation is as wide as in other fonts: here a space is narrow."""
    bare = line.lstrip(" ")
    return "\N{EN SPACE}" * (len(line) - len(bare)) + bare
