"""Fits the shapes of colliders and triggers to what their objects show."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ..fitting import MESHES, fit_shape, use_own_mesh
from ..mesh_arrays import MESHLIKE, evaluated_points
from ..properties import choices
from .targets import (
    NOTHING_SELECTED,
    OnSelection,
    changed,
    has_targets,
    leave_edit_mode_data,
    message,
    pgettext_rpt,
    physics,
    refuse,
    report,
    targets,
)

_FITTED: Final = {
    "BOX": ("Fitted {count} box", "Fitted {count} boxes"),
    "SPHERE": ("Fitted {count} sphere", "Fitted {count} spheres"),
    "CAPSULE": ("Fitted {count} capsule", "Fitted {count} capsules"),
    "CYLINDER": ("Fitted {count} cylinder", "Fitted {count} cylinders"),
    "CONVEX": ("Made {count} convex shape", "Made {count} convex shapes"),
    "TRIMESH": ("Made {count} trimesh shape", "Made {count} trimesh shapes"),
}
_NOTHING: Final = "Nothing fitted: select objects with vertices that have the part to fit"


class OMIPHYSICS_OT_fit_shape(choices.FittedShape, OnSelection, bpy.types.Operator):
    """Fits shapes to the vertices of the selected objects."""

    bl_idname = "object.omi_physics_fit_shape"
    bl_label = "Fit Shape"
    bl_description = (
        "Make the shapes of the selected objects as small as their vertices allow, "
        "modifiers included"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the object whose button it is could have vertices; others are skipped."""
        if not has_targets(context):
            message(cls, NOTHING_SELECTED)
            return False
        shown = context.object
        if len(context.selected_editable_objects) > 1 or shown is None or shown.type in MESHLIKE:
            return True
        message(cls, "The object has no vertices to fit a shape to")
        return False

    def draw(self, context: bpy.types.Context) -> None:
        """Show the axis only where it says something."""
        layout: Any = self.layout
        layout.use_property_split = True
        layout.prop(self, "type")
        layout.prop(self, "part")
        if self.type in ("CAPSULE", "CYLINDER"):
            layout.prop(self, "along")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects without vertices or without the part are skipped and counted."""
        objects = targets(context)
        leave_edit_mode_data(objects)
        depsgraph = context.evaluated_depsgraph_get()
        fitted = sum(self._fit(obj, depsgraph) for obj in objects)
        if not fitted:
            return refuse(self, _NOTHING)
        skipped = len(objects) - fitted
        if skipped:
            one, many = _FITTED[self.type]
            text = pgettext_rpt(one if fitted == 1 else many).format(count=fitted)
            rest = pgettext_rpt("{count} skipped, without vertices or without the part")
            self.report({"INFO"}, f"{text}; {rest.format(count=skipped)}")
            return {"FINISHED"}
        return report(self, *_FITTED[self.type], fitted)

    def _fit(self, obj: Any, depsgraph: bpy.types.Depsgraph) -> bool:
        """Whether the shape of one object was fitted."""
        chosen: Any = self
        group = physics(obj)
        trigger = chosen.part == "TRIGGER"
        if not (group.use_trigger if trigger else group.use_collider):
            return False
        points = evaluated_points(obj, depsgraph)
        if not len(points):
            return False
        shape = group.trigger.shape if trigger else group.collider.shape
        if chosen.type in MESHES:
            use_own_mesh(shape, chosen.type)
        else:
            fit_shape(shape, chosen.type, points, chosen.along)
        if trigger:
            group.trigger.mode = "SHAPE"
        changed(obj)
        return True


CLASSES = (OMIPHYSICS_OT_fit_shape,)
