"""The dialog with the report of an export or import."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

import bpy

from ...issue_codes import Severity
from ..base import reports
from ..operators.chosen_objects import InScene
from ..properties import choices
from .issue_list import draw_issues, draw_title
from .texts import draw_text, pgettext_iface

_WIDTH: Final = 460  # Pixels at scale 1.
_BUTTON: Final = "Close"


class OMIPHYSICS_OT_report(choices.ReportChoice, InScene, bpy.types.Operator):
    """Shows what an export or import has to tell."""

    bl_idname = "scene.omi_physics_report"
    bl_label = "Physics Report"
    bl_description = "Show the report of the last export or import of the scene"
    bl_options: Any = {"INTERNAL"}  # noqa: RUF012 - Blender reads it from the class.

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Open the dialog."""
        manager: Any = context.window_manager
        return manager.invoke_props_dialog(self, width=_WIDTH)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """There is nothing to do but to close it."""
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the report above one button that closes it; remarks are for the sidebar."""
        chosen: Any = self
        layout: Any = self.layout
        _draw_report(layout, reports.of_scene(chosen.kind, context.scene))
        # In place of Blender's own two: nothing is to be confirmed.
        layout.template_popup_confirm("", text="", cancel_text=_BUTTON, cancel_default=True)


def _draw_report(layout: Any, report: reports.Report | None) -> None:
    if report is None:
        layout.label(text="The report no longer exists")
        return
    draw_title(_INSIDE, layout, report)
    draw_issues(_INSIDE, layout, report, (Severity.ERROR, Severity.WARNING))
    count = report.issues.count(Severity.INFO)
    if count:
        one = "{count} remark is in the sidebar, OMI Physics > Check"
        many = "{count} remarks are in the sidebar, OMI Physics > Check"
        text = pgettext_iface(one if count == 1 else many).format(count=count)
        draw_text(_INSIDE, layout, text, icon="INFO")


# What texts ask for their width; the region that Blender names is the one below the dialog.
_INSIDE: Final = SimpleNamespace(
    region=SimpleNamespace(width=_WIDTH),
    preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
)
