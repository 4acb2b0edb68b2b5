"""Gives objects the physics that their names ask for."""

from __future__ import annotations

from typing import Any

import bpy

from ....engines import TAGS
from ..chosen_objects import changed, finished, pgettext_rpt, refuse
from .rigid_bodies import OnWorld, keep_report


class OMIPHYSICS_OT_physics_by_names(OnWorld, bpy.types.Operator):
    """Makes colliders and bodies of objects by their names."""

    bl_idname = "object.omi_physics_physics_by_names"
    bl_label = "Physics by Names"
    bl_description = f"Add colliders and bodies by object names: {TAGS}"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Tell what was found, and what was not understood."""
        from ...authoring.names import tagging

        scene: Any = context.scene
        chosen = self.chosen(context)
        objects = list(scene.objects) if chosen is None else chosen
        found = tagging.tag(scene, objects, context.evaluated_depsgraph_get())
        if not found.objects and not found.issues.found:
            return refuse(
                self,
                "No object has a name with a physics prefix or suffix, or all have their physics",
            )
        for obj in found.objects:
            changed(obj)
        report = keep_report(context, "IMPORT", pgettext_rpt("Names"), found.issues)
        report.counts["object by its name"] = len(found.objects)
        report.counts += type(report.counts)()
        words = ", ".join(f"{count} {word}" for word, count in sorted(found.words.items()))
        text = report.headline() + (f": {words}" if words else "")
        return finished(self, text, warns=report.is_alarming())
