"""Sets right what a click can: one issue, or all of a report at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

import bpy

from ...issue_codes import Severity
from ..base import mesh_arrays, reports
from ..properties import choices
from .check import objects_of
from .chosen_objects import (
    can_change,
    changed,
    counted,
    leave_edit_mode_data,
    pgettext_rpt,
    refuse,
    report,
)
from .showing import OnView

if TYPE_CHECKING:
    from ..authoring.issue_groups import Group

_WIDTH: Final = 420  # Pixels of the dialog, at a scale of 1.


def set_right(context: bpy.types.Context, code: str, able: Sequence[Any]) -> list[Any]:
    """Fix a code on objects that can be changed, or on entries by name; those that it fixed."""
    from ..authoring.fixes import FIXES
    from ..authoring.fixes.document_fixes import fix_entries

    if code in reports.OF_ENTRIES:
        return list[Any](fix_entries(code, context.scene, able))
    leave_edit_mode_data(able)
    children = mesh_arrays.children_of_all()
    fix, graph = FIXES[code], context.evaluated_depsgraph_get()
    changes = fix.run(code, able, graph, children) if able else []
    for obj in changes:
        changed(obj)
    return [obj for obj in able if obj in changes]


def update_report(
    context: bpy.types.Context, kind: Any, fixed: Sequence[tuple[Collection[str], Sequence[Any]]]
) -> None:
    """Check again, or take what was fixed out of the report of an export or an import.

    Args:
        kind: of the report: "CHECK", "EXPORT" or "IMPORT".
        fixed: codes, and the objects or names of entries on which they were fixed.
    """
    view_layer: Any = context.view_layer
    view_layer.update()  # Reports are outdated by this, but not the check that follows.
    if kind == "CHECK":
        from ..authoring.following import refitting
        from ..scene import scene_check

        scene_check.check(context.scene, refitting.note_outdated)
        return
    report_of_run = reports.of_scene(kind, context.scene)
    if report_of_run is not None:
        for codes, objects in fixed:
            report_of_run.forget(codes, list(objects))


class OMIPHYSICS_OT_fix_issue(choices.IssueChoice, OnView, bpy.types.Operator):
    """Sets right what an issue is about."""

    bl_idname = "object.omi_physics_fix_issue"
    bl_label = "Fix"
    bl_description = "Fix this issue on the objects"

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Say what will be done."""
        from ..authoring.fixes import FIXES

        text = FIXES[properties.code].label if properties.code in FIXES else cls.bl_label
        return f"{text}: {properties.object_name or 'all that have this issue'}"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Take what is right from the report, and check again if it was a check."""
        from ..authoring.fixes import FIXES, codes_of

        chosen: Any = self
        if chosen.code not in FIXES:
            return refuse(self, "No automatic fix is available for this issue")
        codes = codes_of(chosen.code)
        if chosen.code in reports.OF_ENTRIES:
            found = entries_of(context, chosen)
            fixed = set_right(context, chosen.code, found)
        else:
            found = objects_of(context, chosen, codes)
            fixed = set_right(context, chosen.code, [obj for obj in found if can_change(obj)])
        if not fixed:
            return refuse(self, "No issues are left to fix, or the objects cannot be edited")
        update_report(context, chosen.source, [(codes, fixed)])
        if len(fixed) < len(found):
            one = "Fixed {count} object; {rest} cannot be edited"
            many = "Fixed {count} objects; {rest} cannot be edited"
            return report(self, one, many, len(fixed), rest=len(found) - len(fixed))
        return report(self, "Fixed {count} object", "Fixed {count} objects", len(fixed))


class OMIPHYSICS_OT_fix_all(choices.RunChoice, OnView, bpy.types.Operator):
    """Sets right all errors and warnings that a click can, after it said what it will do."""

    bl_idname = "object.omi_physics_fix_all"
    bl_label = "Fix All"
    bl_description = "Show the fixes of all errors and warnings, and apply them"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Say first what will be done."""
        self._lines = [
            (group.text, group.fix.label, len(objects))
            for group, objects in plan(context, self.source)
            if group.fix is not None
        ]
        if not self._lines:
            return refuse(self, "No issues are left to fix, or the objects cannot be edited")
        manager: Any = context.window_manager
        return manager.invoke_props_dialog(self, width=_WIDTH, confirm_text=self.bl_label)

    def draw(self, context: bpy.types.Context) -> None:
        """What is wrong, and below it what will be done on how many objects."""
        layout: Any = self.layout
        for text, label, count in getattr(self, "_lines", []):
            column = layout.column(align=True)
            column.label(text=text, translate=False)
            told = counted("{count} object", "{count} objects", count)
            done = f"{pgettext_rpt(label)}: {told}"
            column.label(text=done, translate=False, icon="CHECKMARK")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Set all of it right in one step; what a fix before it has mended is passed over."""
        fixed: list[tuple[Collection[str], Sequence[Any]]] = []
        for group, objects in plan(context, self.source):
            if group.fix is not None:
                fixed.append((group.codes, set_right(context, group.codes[0], objects)))
        names = {getattr(obj, "name_full", obj) for _, objects in fixed for obj in objects}
        if not names:
            return refuse(self, "No issues are left to fix, or the objects cannot be edited")
        update_report(context, self.source, fixed)
        return report(self, "Fixed {count} object", "Fixed {count} objects", len(names))


def entries_of(context: bpy.types.Context, chosen: Any) -> list[str]:
    """The names of the entries that the chosen issues are about."""
    found = reports.of_scene(chosen.source, context.scene)
    issues = () if found is None else (*found.issues, *found.ignored)
    named = (issue.pointer for issue in issues if issue.code == chosen.code)
    return [name for name in dict.fromkeys(named) if chosen.object_name in ("", name)]


def plan(context: bpy.types.Context, kind: Any) -> list[tuple[Group, list[Any]]]:
    """The errors and warnings with a fix, worst first, with the objects it will change."""
    from ..authoring import issue_groups

    found = reports.of_scene(kind, context.scene)
    if found is None:
        return []
    view_layer: Any = context.view_layer
    by_identity = {obj.session_uid: obj for obj in view_layer.objects if can_change(obj)}
    planned: list[tuple[Group, list[Any]]] = []
    for group in issue_groups.groups_of(found):
        if group.fix is None or group.severity is Severity.INFO:
            continue
        if group.codes[0] in reports.OF_ENTRIES:
            planned.append((group, group.places))
            continue
        identities = {uid for issue in group.issues for uid in found.identities(issue)}
        objects = [obj for uid, obj in by_identity.items() if uid in identities]
        if objects:
            planned.append((group, objects))
    return planned
