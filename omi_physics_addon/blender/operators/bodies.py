"""Makes objects bodies, colliders and triggers, and takes that from them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import bpy

from ..base import groups
from ..base.mesh_arrays import evaluated_points
from ..properties import choices
from .chosen_objects import OnSelection, changed, leave_edit_mode_data, refuse, report, targets


class OMIPHYSICS_OT_add_motion(choices.BodyType, OnSelection, bpy.types.Operator):
    """Makes the selected objects bodies of one type."""

    bl_idname = "object.omi_physics_add_motion"
    bl_label = "Add Body"
    bl_description = "Make the selected objects bodies; what is below them moves with them"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that are bodies already change their type."""
        chosen: Any = self
        kind: str = chosen.type
        objects = targets(context)
        for obj in objects:
            group = groups.of_object(obj)
            group.use_motion = True
            group.motion.type = kind
            changed(obj)
        one, many = _BODIES[kind]
        return report(self, one, many, len(objects))


_BODIES: Final = {
    "STATIC": ("Made {count} static body", "Made {count} static bodies"),
    "KINEMATIC": ("Made {count} kinematic body", "Made {count} kinematic bodies"),
    "DYNAMIC": ("Made {count} dynamic body", "Made {count} dynamic bodies"),
}


class OMIPHYSICS_OT_add_collider(choices.StartingShape, OnSelection, bpy.types.Operator):
    """Makes the selected objects solid."""

    bl_idname = "object.omi_physics_add_collider"
    bl_label = "Add Collider"
    bl_description = "Make the selected objects solid, with a shape as large as they are"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that are solid already stay as they are."""
        new = [obj for obj in targets(context) if not groups.of_object(obj).use_collider]
        if not new:
            return refuse(self, "The selected objects have colliders already")
        chosen: Any = self
        _start_shapes(context, new, chosen.shape_type, lambda group: group.collider.shape)
        for obj in new:
            groups.of_object(obj).use_collider = True
            changed(obj)
        return report(self, "Added {count} collider", "Added {count} colliders", len(new))


class OMIPHYSICS_OT_add_trigger(choices.StartingShape, OnSelection, bpy.types.Operator):
    """Makes the selected objects notice bodies that enter them."""

    bl_idname = "object.omi_physics_add_trigger"
    bl_label = "Add Trigger"
    bl_description = "Make the selected objects notice bodies that enter their shape"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that are triggers already stay as they are."""
        new = [obj for obj in targets(context) if not groups.of_object(obj).use_trigger]
        if not new:
            return refuse(self, "The selected objects have triggers already")
        chosen: Any = self
        if chosen.shape_type == "NONE":
            for obj in new:
                groups.of_object(obj).trigger.mode = "BELOW"
        else:
            _start_shapes(context, new, chosen.shape_type, lambda group: group.trigger.shape)
        for obj in new:
            groups.of_object(obj).use_trigger = True
            changed(obj)
        return report(self, "Added {count} trigger", "Added {count} triggers", len(new))


def _start_shapes(
    context: bpy.types.Context,
    objects: Sequence[Any],
    kind: str,
    shape_of: Callable[[Any], Any],
) -> None:
    """Give each object a shape that holds it; one without vertices gets the shape's own size."""
    from ..authoring.fitting import MESHES, PRIMITIVES, fit_shape, use_own_mesh

    leave_edit_mode_data(objects)
    depsgraph = context.evaluated_depsgraph_get()
    for obj in objects:
        shape = shape_of(groups.of_object(obj))
        if kind in MESHES:
            use_own_mesh(shape, kind)
            continue
        points = evaluated_points(obj, depsgraph)
        if kind in PRIMITIVES and len(points):
            fit_shape(shape, kind, points)
        else:
            shape.type = kind


class RemovePart(OnSelection):
    """Takes one part from the selected objects, with all its values."""

    part: str
    texts: tuple[str, str]
    nothing: str

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those without the part stay as they are."""
        flag = f"use_{self.part}"
        found = [obj for obj in targets(context) if getattr(groups.of_object(obj), flag)]
        if not found:
            return refuse(self, self.nothing)
        for obj in found:
            group = groups.of_object(obj)
            group.property_unset(self.part)
            group.property_unset(flag)
            changed(obj)
        return report(self, *self.texts, len(found))


class OMIPHYSICS_OT_remove_motion(RemovePart, bpy.types.Operator):
    """Makes the selected objects no bodies."""

    bl_idname = "object.omi_physics_remove_motion"
    bl_label = "Remove Body"
    bl_description = "Make the selected objects no bodies any more"
    part = "motion"
    texts = ("Removed {count} body", "Removed {count} bodies")
    nothing = "The selected objects are no bodies"


class OMIPHYSICS_OT_remove_collider(RemovePart, bpy.types.Operator):
    """Makes the selected objects not solid."""

    bl_idname = "object.omi_physics_remove_collider"
    bl_label = "Remove Collider"
    bl_description = "Remove the colliders of the selected objects"
    part = "collider"
    texts = ("Removed {count} collider", "Removed {count} colliders")
    nothing = "The selected objects have no colliders"


class OMIPHYSICS_OT_remove_trigger(RemovePart, bpy.types.Operator):
    """Makes the selected objects notice nothing."""

    bl_idname = "object.omi_physics_remove_trigger"
    bl_label = "Remove Trigger"
    bl_description = "Remove the triggers of the selected objects"
    part = "trigger"
    texts = ("Removed {count} trigger", "Removed {count} triggers")
    nothing = "The selected objects have no triggers"


CLASSES = (
    OMIPHYSICS_OT_add_motion,
    OMIPHYSICS_OT_add_collider,
    OMIPHYSICS_OT_add_trigger,
    OMIPHYSICS_OT_remove_motion,
    OMIPHYSICS_OT_remove_collider,
    OMIPHYSICS_OT_remove_trigger,
)
