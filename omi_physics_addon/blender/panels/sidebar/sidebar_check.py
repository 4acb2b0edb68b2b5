"""Sidebar: what is wrong with the scene, by what to do, worst first."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ....issue_codes import Severity
from ...base import groups, reports
from ...base.reports import Report
from ..issue_list import draw_issues, draw_title
from ..tabs import Closed, Section
from ..texts import draw_text


class OMIPHYSICS_PT_sidebar_check(Closed, Section, bpy.types.Panel):
    """The issues."""

    bl_label = "Check"
    bl_order = 40

    def draw(self, context: bpy.types.Context) -> None:
        """A button, whose issues, and the list."""
        from ...authoring.issue_groups import FLAGS

        scene: Any = context.scene
        sidebar = groups.of_scene(scene).sidebar
        layout: Any = self.layout
        row = layout.row(align=True)
        row.operator("scene.omi_physics_check", icon="CHECKMARK")
        row.prop(sidebar, "check_edits", text="", icon="FILE_REFRESH")
        layout.row().prop(sidebar, "issues_of", expand=True)
        report = reports.of_scene(sidebar.issues_of, scene)
        if report is None:
            draw_text(context, layout, _NOTHING[sidebar.issues_of], icon="INFO")
            return
        draw_title(context, layout, report)
        _draw_counts(layout, sidebar, report)
        shown = [severity for severity in Severity if getattr(sidebar, FLAGS[severity])]
        draw_issues(context, layout, report, shown)


_NOTHING: Final = {
    "CHECK": "The scene was not checked yet",
    "EXPORT": "The scene was not exported yet in this session",
    "IMPORT": "Nothing was imported into the scene yet in this session",
}


def _draw_counts(layout: Any, sidebar: Any, report: Report) -> None:
    from ...authoring import issue_groups
    from ...authoring.issue_groups import FLAGS, ICONS

    row = layout.row(align=True)
    counts = issue_groups.counts_of(report)
    for severity in Severity:
        count = str(counts[severity])
        row.prop(sidebar, FLAGS[severity], text=count, icon=ICONS[severity], toggle=True)
