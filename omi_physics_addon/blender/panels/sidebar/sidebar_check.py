"""Sidebar: what is wrong with the scene, by rule, worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import bpy

from ....issue_codes import Severity
from ...base import groups
from ...base.reports import Report
from ..tabs import Section
from ..texts import draw_text

if TYPE_CHECKING:
    from ...scene.issue_groups import Group

_ENTRIES: Final = 12  # Objects shown of one rule.


class OMIPHYSICS_PT_sidebar_check(Section, bpy.types.Panel):
    """The issues."""

    bl_idname = "OMIPHYSICS_PT_sidebar_check"
    bl_label = "Check"
    bl_order = 50
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 - Blender reads it from the class.

    def draw(self, context: bpy.types.Context) -> None:
        """A button, whose issues, and the list."""
        from ...scene import issue_groups
        from ...scene.issue_groups import FLAGS

        scene: Any = context.scene
        sidebar = groups.of_scene(scene).sidebar
        layout: Any = self.layout
        layout.operator("scene.omi_physics_check", icon="CHECKMARK")
        layout.row().prop(sidebar, "issues_of", expand=True)
        report = issue_groups.report_of(scene, sidebar.issues_of)
        if report is None:
            draw_text(context, layout, _NOTHING[sidebar.issues_of], icon="INFO")
            return
        if report.failed:
            draw_text(context, layout, report.failure, icon="CANCEL")
        _draw_counts(layout, sidebar, report)
        if not len(report.issues):
            layout.label(text="Nothing is wrong", icon="CHECKMARK")
        for group in issue_groups.groups_of(report):
            if getattr(sidebar, FLAGS[group.severity]):
                _draw_group(context, layout, group, sidebar.issues_of)


_NOTHING: Final = {
    "CHECK": "The scene was not checked yet",
    "EXPORT": "Nothing was exported yet in this session",
    "IMPORT": "Nothing was imported yet in this session",
}


def _draw_counts(layout: Any, sidebar: Any, report: Report) -> None:
    from ...scene import issue_groups
    from ...scene.issue_groups import FLAGS, ICONS

    row = layout.row(align=True)
    counts = issue_groups.counts_of(report)
    for severity in Severity:
        count = str(counts[severity])
        row.prop(sidebar, FLAGS[severity], text=count, icon=ICONS[severity], toggle=True)


def _draw_group(context: Any, layout: Any, group: Group, source: str) -> None:
    from ...authoring.fixes import FIXES
    from ...scene import issue_groups
    from ...scene.issue_groups import ICONS

    box = layout.box()
    header, body = box.panel(f"OMI_PHYSICS_issue_{group.code}", default_closed=True)
    header.label(text=f"{group.code} ({len(group.issues)})", icon=ICONS[group.severity])
    known = issue_groups.objects_of(group.places[:_ENTRIES])
    if known:
        _issue_button(header, "object.omi_physics_select_issue", source, group.code, "", "Select")
    upper = body or box  # What is wrong comes before where.
    draw_text(context, upper, group.text)
    if known and group.code in FIXES:
        text = FIXES[group.code][0]
        _issue_button(upper, "object.omi_physics_fix_issue", source, group.code, "", text)
    if not body:
        return
    for issue in group.issues[:_ENTRIES]:
        column = body.column(align=True)
        if issue.pointer in known:
            name = issue.pointer
            operator = "object.omi_physics_select_issue"
            _issue_button(column, operator, source, group.code, name, name)
        else:
            draw_text(context, column, issue.pointer)
        draw_text(context, column, issue.message)
    if len(group.issues) > _ENTRIES:
        body.label(text=f"… and {len(group.issues) - _ENTRIES} more", translate=False)


def _issue_button(layout: Any, operator: str, source: str, code: str, name: str, text: str) -> None:
    button = layout.operator(operator, text=text, translate=False)
    button.source, button.code, button.object_name = source, code, name


CLASSES = (OMIPHYSICS_PT_sidebar_check,)
