"""Takes over Blender's own rigid bodies and constraints, and gives them back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ...base import report_window, reports
from ...base.reports import Kind
from ...properties import rigid_choices
from ...scene import report_age
from ..chosen_objects import (
    OnScene,
    changed,
    finished,
    leave_edit_mode_data,
    pgettext_rpt,
    refuse,
    targets,
)

if TYPE_CHECKING:
    from ....issues import Issues


class OnWorld(rigid_choices.RigidScope, OnScene):
    """An operator on the selection or on the whole scene."""

    def chosen(self, context: bpy.types.Context) -> list[Any] | None:
        """The selection, with what is being edited in its meshes; None for all of the scene."""
        found = targets(context)
        view_layer: Any = context.view_layer
        leave_edit_mode_data([obj for obj in view_layer.objects if obj.mode == "EDIT"])
        view_layer.update()
        return found if self.scope == "SELECTED" else None


class OMIPHYSICS_OT_from_rigid_bodies(rigid_choices.LeaveWorld, OnWorld, bpy.types.Operator):
    """Takes over Blender's rigid bodies and constraints."""

    bl_idname = "object.omi_physics_from_rigid_bodies"
    bl_label = "From Rigid Bodies"
    bl_description = (
        "Convert Blender's rigid bodies and constraints to bodies, colliders and joints"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """What our physics cannot say is told, and kept for the way back."""
        from ...authoring.rigid import blender_values, taking_over

        scene: Any = context.scene
        bodies, joints = taking_over.chosen_of(scene, self.chosen(context))
        if not bodies and not joints:
            return refuse(self, "Blender's rigid bodies and constraints are not used here")
        taken = taking_over.take_over(scene, bodies, joints)
        if self.leave_world:
            blender_values.leave_world(scene, bodies, joints)
        for obj in taken.objects:
            changed(obj)
        view_layer: Any = context.view_layer
        view_layer.update()
        report = keep_report(context, "IMPORT", pgettext_rpt("Rigid Bodies"), taken.issues)
        report.counts = reports.count(taken.document)
        return finished(self, report.headline(), warns=report.is_alarming())


class OMIPHYSICS_OT_to_rigid_bodies(OnWorld, bpy.types.Operator):
    """Gives Blender rigid bodies and constraints."""

    bl_idname = "object.omi_physics_to_rigid_bodies"
    bl_label = "To Rigid Bodies"
    bl_description = (
        "Convert bodies, colliders and joints to Blender's rigid bodies and constraints, so "
        "the timeline simulates them"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """What Blender's rigid bodies cannot do is told."""
        from ...authoring.rigid import giving_back

        given = giving_back.give_back(context.scene, self.chosen(context))
        if not given.bodies and not given.constraints and not given.issues.found:
            return refuse(self, "There are no bodies, colliders or joints")
        report = keep_report(context, "EXPORT", pgettext_rpt("Rigid Bodies"), given.issues)
        report.counts["rigid body"] = len(given.bodies)
        report.counts["rigid-body constraint"] = len(given.constraints)
        report.counts["object that stands in"] = len(given.made)
        report.counts += type(report.counts)()  # Leaves out what there is none of.
        return finished(self, report.headline(), warns=report.is_alarming())


def keep_report(
    context: bpy.types.Context, kind: Kind, source: str, issues: Issues
) -> reports.Report:
    """Keep issues for the panel, under the name of where physics was brought over from."""
    scene: Any = context.scene
    report = report_age.start(kind, scene, source)
    report.issues = issues
    report.point()
    report_window.choose(scene, kind)
    return report
