"""Checks the scene, selects what is wrong, and says what there is to know about it."""

from __future__ import annotations

import textwrap
from collections.abc import Collection
from typing import Any, Final

import bmesh
import bpy

from ...issue_codes import CATALOGUE
from ...issues import Issue
from ..base import ignored, report_window, reports, selection
from ..properties import choices
from .chosen_objects import InScene, can_change, changed, finished, refuse, report
from .showing import OnView, Selects

_WIDTH: Final = 60  # Letters of a line in a list of issues.
_UNITS: Final = 18  # Width of that list, in Blender's units of buttons.


class OMIPHYSICS_OT_check(choices.ShownCheck, InScene, bpy.types.Operator):
    """Checks the scene."""

    bl_idname = "scene.omi_physics_check"
    bl_label = "Check Scene"
    bl_description = "Check the physics of the scene for issues, without exporting"
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Keep the report for the panel; the scene stays as it is."""
        from ..authoring.following import refitting
        from ..preview.stage import unseen
        from ..scene import scene_check  # All rules, which only those need who check.

        unseen.place(context.scene)
        found = scene_check.check(context.scene, refitting.note_outdated)
        report_window.choose(context.scene, "CHECK")
        if self.show and found.is_alarming():
            report_window.bring_forward(found)
        return finished(self, found.headline())


def objects_of(context: bpy.types.Context, chosen: Any, codes: Collection[str]) -> list[Any]:
    """The objects of a view layer that the chosen issues are about."""
    found = reports.of_scene(chosen.source, context.scene)
    if found is None:
        return []
    identities = {
        uid
        for issue in (*found.issues, *found.ignored)
        if issue.code in codes and chosen.object_name in ("", issue.pointer)
        for uid in found.identities(issue)
    }
    view_layer: Any = context.view_layer
    return [obj for obj in view_layer.objects if obj.session_uid in identities]


class OMIPHYSICS_OT_select_issue(choices.IssueChoice, Selects, bpy.types.Operator):
    """Selects the objects that have an issue."""

    bl_idname = "object.omi_physics_select_issue"
    bl_label = "Select by Issue"
    bl_description = "Select and frame the objects with this issue; Shift extends the selection"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects that were deleted since are not found; renamed ones are."""
        from ..authoring.fixes import codes_of

        chosen: Any = self
        found = objects_of(context, chosen, codes_of(chosen.code))
        if not found:
            return refuse(self, "The object no longer exists")
        count = selection.select(context.view_layer, found, extend=chosen.extend)
        if not count:
            return refuse(self, "All these objects are hidden or not selectable")
        show_physics(context)
        return report(self, "Selected {count} object", "Selected {count} objects", count)


def show_physics(context: bpy.types.Context) -> None:
    """Frame what is selected in the 3D Viewports, and open the Physics tab beside them."""
    screen: Any = context.screen
    for area in screen.areas if screen is not None and not bpy.app.background else ():
        if area.type == "PROPERTIES" and context.object is not None:
            try:
                area.spaces.active.context = "PHYSICS"
            except TypeError:  # The editor is pinned to something without this tab.
                continue
        elif area.type == "VIEW_3D":
            region = next(region for region in area.regions if region.type == "WINDOW")
            with context.temp_override(area=area, region=region):
                frame: Any = bpy.ops.view3d.view_selected
                if frame.poll():
                    frame()


class OMIPHYSICS_OT_select_faces(choices.IssueChoice, OnView, bpy.types.Operator):
    """Selects the faces that look away, in Edit Mode."""

    bl_idname = "object.omi_physics_select_faces"
    bl_label = "Select Faces"
    bl_description = "Edit the triangle meshes with this issue, with the inverted faces selected"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Several meshes are edited at once; hidden objects and linked meshes are passed over."""
        chosen: Any = self
        view_layer: Any = context.view_layer
        objects = objects_of(context, chosen, (chosen.code,))
        found = {obj: faces for obj in objects if (faces := _faces_away(obj))}
        if not found or not selection.select(view_layer, list(found)):
            return refuse(self, "None of these meshes can be edited here")
        settings: Any = context.tool_settings
        settings.mesh_select_mode = (False, False, True)
        bpy.ops.object.mode_set(mode="EDIT")
        for obj, faces in found.items():
            work: Any = bmesh.from_edit_mesh(obj.data)
            for part in (*work.verts, *work.edges, *work.faces):
                part.select = False
            work.faces.ensure_lookup_table()
            for k in faces:
                work.faces[k].select_set(True)
            bmesh.update_edit_mesh(obj.data)
        show_physics(context)
        return report(self, "Selected {count} object", "Selected {count} objects", len(found))


def _faces_away(obj: Any) -> list[int]:
    """The faces that look away in the mesh of an object, if they can be edited there."""
    from ..scene import mesh_sources

    mesh: Any = mesh_sources.trimesh_data(obj)
    if mesh is None or mesh != obj.data or not can_change(mesh) or not obj.visible_get():
        return []
    return mesh_sources.faces_away(obj, mesh)


class OMIPHYSICS_OT_ignore_issue(choices.IgnoreChoice, OnView, bpy.types.Operator):
    """Takes an issue out of what counts, on the objects that it is about."""

    bl_idname = "object.omi_physics_ignore_issue"
    bl_label = "Ignore Here"
    bl_description = "Ignore this issue on the objects"

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Say of which objects."""
        whose = properties.object_name or "all objects that have this issue"
        if properties.is_ignored:
            return f"{cls.bl_description}: {whose}"
        return f"Report this again: {whose}"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Errors cannot be ignored, and neither can what is about entries of lists."""
        from ..authoring.fixes import codes_of

        chosen: Any = self
        found = reports.of_scene(chosen.source, context.scene)
        codes: dict[int, set[str]] = {}
        if found is None:
            return refuse(self, "The report no longer exists")
        for issue in (*found.issues, *found.ignored):
            if issue.code in codes_of(chosen.code) and chosen.object_name in ("", issue.pointer):
                for uid in found.identities(issue) if reports.can_be_ignored(issue) else ():
                    codes.setdefault(uid, set()).add(issue.code)
        if not codes:
            return refuse(self, "Only warnings and remarks about objects can be ignored")
        done = [
            obj
            for obj in bpy.data.objects
            if obj.session_uid in codes
            and can_change(obj)
            and ignored.ignore(obj, codes[obj.session_uid], is_ignored=chosen.is_ignored)
        ]
        if not done:
            return refuse(self, "The object no longer exists or cannot be edited")
        _show_ignored(context, done)
        if chosen.is_ignored:
            return report(
                self, "Ignored on {count} object", "Ignored on {count} objects", len(done)
            )
        return report(
            self, "Reported again on {count} object", "Reported again on {count} objects", len(done)
        )


class OMIPHYSICS_OT_about_issue(choices.AboutChoice, InScene, bpy.types.Operator):
    """Says what the issues of an object are, with what can be done about them."""

    bl_idname = "object.omi_physics_about_issue"
    bl_label = "Issue"
    bl_description = "Show the issue and how to fix it"
    bl_options: Any = {"INTERNAL"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """What is wrong."""
        told = cls._told(context, properties)
        return "\n".join(f"{each.code}: {each.message}" for each in told) or cls.bl_description

    @staticmethod
    def _told(context: bpy.types.Context, chosen: Any) -> list[Issue]:
        from ..authoring import issue_fields

        found = reports.of_scene(chosen.source, context.scene)
        if chosen.code:
            place = (chosen.code, chosen.object_name)
            issues = () if found is None else found.issues
            return [issue for issue in issues if (issue.code, issue.pointer) == place][:1]
        scene: Any = context.scene
        obj = scene.objects.get(chosen.object_name)
        return [] if obj is None else issue_fields.of_object(obj, scene, chosen.part)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Open a list beside the icon, where a second click hits none of its buttons."""
        chosen: Any = self
        told = sorted(self._told(context, chosen), key=reports.weight)
        if not told:
            return refuse(self, "This issue is already fixed")
        source = chosen.source

        def draw(popover: Any, _context: bpy.types.Context) -> None:
            for issue in told:
                _draw_issue(popover.layout, issue, source)

        manager: Any = context.window_manager
        manager.popover(draw, ui_units_x=_UNITS, from_active_button=True)
        return {"FINISHED"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Say it in the status bar."""
        told = self._told(context, self)
        if not told:
            return refuse(self, "This issue is already fixed")
        return finished(self, "; ".join(each.message for each in told))


def _draw_issue(layout: Any, issue: Issue, source: str) -> None:
    """What is wrong, and below it the buttons that set it right or ignore it."""
    from ..authoring.fixes import FIXES
    from ..authoring.issue_groups import ICONS

    column = layout.column(align=True)
    column.label(text=CATALOGUE[issue.code].text, icon=ICONS[issue.severity], translate=False)
    for line in textwrap.wrap(issue.message, _WIDTH):
        column.label(text=line, icon="BLANK1", translate=False)
    row = column.row(align=True)

    def button(name: str, text: str, icon: str) -> None:
        shown = row.operator(f"object.omi_physics_{name}", text=text, icon=icon)
        shown.source, shown.code, shown.object_name = source, issue.code, issue.pointer

    if issue.code in FIXES:
        button("fix_issue", FIXES[issue.code].label, "CHECKMARK")
    if reports.can_be_ignored(issue):
        button("ignore_issue", "Ignore", "HIDE_ON")


def _show_ignored(context: bpy.types.Context, objects: Collection[Any]) -> None:
    """Sort the issues of all reports anew, which do not get outdated by it."""
    outdated = [(report_of_run, report_of_run.is_outdated) for report_of_run in reports.of_scenes()]
    for obj in objects:
        changed(obj)
    view_layer: Any = context.view_layer
    view_layer.update()
    for report_of_run, was_outdated in outdated:
        report_of_run.is_outdated = was_outdated
        report_of_run.set_aside()
