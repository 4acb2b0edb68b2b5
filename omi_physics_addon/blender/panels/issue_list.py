"""The issues of a report as a list: what to do, the buttons that do it, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import bpy

from ...issue_codes import Code, Severity
from ..base import groups
from ..base.reports import OF_ENTRIES, Report, can_be_ignored
from .texts import and_more, draw_lines, draw_text, letters, pgettext_iface, width_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..authoring.issue_groups import Group

_ENTRIES: Final = 12  # Objects shown of one group.
_SMALL: Final = 0.7  # Height of a line that only few look for.
_BORDER: Final = 3  # Letters that the border of a button takes the place of.
_OUTDATED: Final = {
    "CHECK": "Outdated: physics was edited since. Check again for current issues",
    "EXPORT": "Outdated: physics was edited since. Export again for current issues",
    "IMPORT": "Outdated: physics was edited since",
}


def draw_title(context: Any, layout: Any, report: Report) -> None:
    """Draw of what a report is, and whether it still holds."""
    from ..scene import report_age

    draw_text(context, layout, report.title())
    if report.is_partial:
        draw_text(context, layout, "Edited objects are checked. Use Check Scene for all", "INFO")
    elif report_age.is_outdated(report) and _is_followed(report):
        text = "Later edits are checked, except meshes and overlaps. Use Check Scene for these"
        draw_text(context, layout, text, "INFO")
    elif report_age.is_outdated(report):
        draw_text(context, layout, _OUTDATED[report.kind], icon="FILE_REFRESH", alert=True)
    if report.failed:
        first, *rest = report.failure.split("\n")
        column = draw_text(context, layout, first[:1].upper() + first[1:], "CANCEL", alert=True)
        if report.issues.count(Severity.ERROR):
            layout.prop(groups.of_scene(bpy.context.scene).export, "write_anyway")
        else:
            draw_lines(column, rest)


def _is_followed(report: Report) -> bool:
    is_on = groups.of_scene(bpy.context.scene).sidebar.check_edits
    return report.kind == "CHECK" and report.is_followed and is_on


def draw_issues(
    context: Any, layout: Any, report: Report, severities: Collection[Severity]
) -> None:
    """Draw the issues of some severities, by what to do about them."""
    from ..authoring import issue_groups

    if not len(report.issues) and not report.failed:
        text = "No other issues" if len(report.ignored) else "No issues"
        layout.label(text=text, icon="CHECKMARK")
    groups_found = issue_groups.groups_of(report)
    worst = [each for each in groups_found if each.severity is not Severity.INFO]
    if sum(each.fix is not None for each in worst) > 1:
        # The dots say that it asks first.
        everything = layout.operator("object.omi_physics_fix_all", text="Fix All…")
        everything.source = report.kind
    for group in groups_found:
        if group.severity in severities:
            _draw_group(context, layout, group, report)
    if len(report.ignored):
        _draw_ignored(context, layout, report)


def _draw_ignored(context: Any, layout: Any, report: Report) -> None:
    """What the objects ignore, with buttons that take it back."""
    from ..authoring import issue_groups

    header, body = layout.panel("OMI_PHYSICS_ignored", default_closed=True)
    header.active = False
    text = pgettext_iface("Ignored ({count})").format(count=len(report.ignored))
    header.label(text=text, icon="HIDE_ON", translate=False)
    if not body:
        return
    told = list(report.ignored)
    known = issue_groups.names_of(report, told)
    for issue in told[:_ENTRIES]:
        row = body.row(align=True)
        name = known.get(issue.pointer, issue.pointer)
        text = f"{name}: {issue.code}"
        select = "object.omi_physics_select_issue"
        _button(row, select, report, issue.code, issue.pointer, text)
        back = row.operator("object.omi_physics_ignore_issue", text="", icon="LOOP_BACK")
        back.source, back.code, back.object_name = report.kind, issue.code, issue.pointer
        back.is_ignored = False
        draw_text(context, body, issue.message).active = False
    if len(told) > _ENTRIES:
        body.label(text=and_more(len(told) - _ENTRIES), translate=False)


def _draw_group(context: Any, layout: Any, group: Group, report: Report) -> None:
    from ..authoring import issue_groups
    from ..authoring.issue_groups import ICONS

    box = layout.box()
    draw_text(context, box, group.text, icon=ICONS[group.severity])
    code = group.codes[0]
    known = issue_groups.names_of(report, group.issues)
    buttons = {"select_issue": pgettext_iface("Select")} if known else {}
    if group.fix is not None and (known or code in OF_ENTRIES):
        buttons["fix_issue"] = pgettext_iface(group.fix.label)
    if buttons:
        # Long words are cut in a button that shares its line.
        is_long = max(map(width_of, buttons.values())) > letters(context) // 2 - _BORDER
        row = box.column(align=True) if is_long else box.row(align=True)
        for name, text in buttons.items():
            _button(row, f"object.omi_physics_{name}", report, code, "", text)
    if known and code == Code.COLLISION_MESH_LOOKS_AWAY.value:
        text = pgettext_iface("Select Faces")
        _button(box, "object.omi_physics_select_faces", report, code, "", text)
    header, body = box.panel(f"OMI_PHYSICS_issue_{code}", default_closed=True)
    header.active = False
    header.scale_y = _SMALL
    header.label(text="Where and Why")
    codes = header.row()
    codes.alignment = "RIGHT"
    codes.label(text=group.rules, translate=False)
    if not body:
        return
    for issue in group.issues[:_ENTRIES]:
        column = body.column(align=True)
        if issue.pointer in known:
            name, operator = known[issue.pointer], "object.omi_physics_select_issue"
            row = column.row(align=True)
            _button(row, operator, report, code, issue.pointer, name)
            if can_be_ignored(issue):
                text = pgettext_iface("Ignore")
                _button(row, "object.omi_physics_ignore_issue", report, code, issue.pointer, text)
        else:
            draw_text(context, column, issue.pointer)
        draw_text(context, column, issue.message)
    if len(group.issues) > _ENTRIES:
        body.label(text=and_more(len(group.issues) - _ENTRIES), translate=False)


def _button(layout: Any, operator: str, report: Report, code: str, name: str, text: str) -> None:
    button = layout.operator(operator, text=text, translate=False)
    button.source, button.code, button.object_name = report.kind, code, name
