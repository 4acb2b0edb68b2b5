"""Checks the scene, selects what is wrong, and sets right what a click can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import bpy
import numpy as np

from ..base import groups, selection
from ..base.mesh_arrays import Points, children_of_all, evaluated_points
from ..properties import choices
from .chosen_objects import (
    can_change,
    changed,
    leave_edit_mode_data,
    pgettext_rpt,
    refuse,
    report,
)
from .showing import OnView


class OMIPHYSICS_OT_check(bpy.types.Operator):
    """Checks the scene."""

    bl_idname = "scene.omi_physics_check"
    bl_label = "Check Scene"
    bl_description = "Look for what is wrong with the physics of the scene, without exporting it"
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a scene."""
        return context.scene is not None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Keep the report for the panel; the scene stays as it is."""
        from ..scene import scene_check  # All rules, which only those need who check.

        found = scene_check.check(context.scene)
        sidebar: Any = groups.of_scene(context.scene).sidebar
        if sidebar.issues_of != "CHECK":
            sidebar.issues_of = "CHECK"
        self.report({"INFO"}, found.headline())
        return {"FINISHED"}


def _objects(context: bpy.types.Context, chosen: Any) -> Iterator[Any]:
    """The objects of a view layer that the chosen issues are about."""
    from ..scene import issue_groups

    found = issue_groups.report_of(context.scene, chosen.source)
    if found is None:
        return
    names = {
        issue.pointer
        for issue in found.issues
        if issue.code == chosen.code and chosen.object_name in ("", issue.pointer)
    }
    view_layer: Any = context.view_layer
    yield from (obj for obj in view_layer.objects if obj.name in names)


def _forms(context: bpy.types.Context, objects: Sequence[Any]) -> Iterator[tuple[Any, Points]]:
    """The vertices that objects show in their own space, or what is below those without any."""
    from ..authoring.fit_sources import pieces

    leave_edit_mode_data(objects)
    depsgraph = context.evaluated_depsgraph_get()
    children = children_of_all()
    for obj in objects:
        points = evaluated_points(obj, depsgraph)
        if not len(points):
            below = pieces(obj, "CHILDREN", depsgraph, children)
            points = below[0].points.astype(np.float32) if below else points
        yield obj, points


class OMIPHYSICS_OT_select_issue(choices.IssueChoice, choices.Extend, OnView, bpy.types.Operator):
    """Selects the objects that have an issue."""

    bl_idname = "object.omi_physics_select_issue"
    bl_label = "Select by Issue"
    bl_description = "Select the objects that this is about; Shift keeps what is selected"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Take the keys that are held."""
        self.extend = self.extend or event.shift
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects that were renamed or deleted since are not found."""
        chosen: Any = self
        found = list(_objects(context, chosen))
        if not found:
            return refuse(self, "There is no such object any more")
        count = selection.select(context.view_layer, found, extend=chosen.extend)
        if not count:
            return refuse(self, "All of them are hidden or cannot be selected")
        return report(self, "Selected {count} object", "Selected {count} objects", count)


class OMIPHYSICS_OT_fix_issue(choices.IssueChoice, OnView, bpy.types.Operator):
    """Sets right what an issue is about."""

    bl_idname = "object.omi_physics_fix_issue"
    bl_label = "Fix"
    bl_description = "Set this right on the objects it is about"

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Say what will be done."""
        from ..authoring.fixes import FIXES

        text = FIXES[properties.code][0] if properties.code in FIXES else cls.bl_label
        return f"{text}: {properties.object_name or 'all that have this issue'}"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Check again afterwards, so that the list is right."""
        from ..authoring.fixes import BY_FORM, FIXES

        chosen: Any = self
        if chosen.code not in FIXES:
            return refuse(self, "There is no simple way to set this right")
        found = list(_objects(context, chosen))
        able = [obj for obj in found if can_change(obj)]
        fix = FIXES[chosen.code][1]
        if chosen.code in BY_FORM:
            fixed = [obj for obj, points in _forms(context, able) if fix(obj, points)]
        else:
            fixed = [obj for obj in able if fix(obj)]
        for obj in fixed:
            changed(obj)
        if not fixed:
            return refuse(self, "There is nothing left to set right, or it cannot be edited")
        if chosen.source == "CHECK":
            from ..scene import scene_check

            scene_check.check(context.scene)
        if len(fixed) < len(found):
            text = pgettext_rpt("Fixed {count} objects; {rest} cannot be edited")
            self.report({"INFO"}, text.format(count=len(fixed), rest=len(found) - len(fixed)))
            return {"FINISHED"}
        return report(self, "Fixed {count} object", "Fixed {count} objects", len(fixed))


CLASSES = (OMIPHYSICS_OT_check, OMIPHYSICS_OT_select_issue, OMIPHYSICS_OT_fix_issue)
