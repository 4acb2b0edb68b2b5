"""Makes the scale of objects part of their shapes and meshes."""

from __future__ import annotations

from typing import Any

import bpy

from ..base import groups, mesh_arrays
from .chosen_objects import (
    OnSelection,
    changed,
    chosen,
    counted,
    finished,
    pgettext_rpt,
    refuse,
    targets,
    unavailable,
)


class OMIPHYSICS_OT_bake_scale(OnSelection, bpy.types.Operator):
    """Makes the scale of the selected objects part of their shapes and meshes."""

    bl_idname = "object.omi_physics_bake_scale"
    bl_label = "Bake Scale into Shape"
    bl_description = (
        "Apply the scale of the selected colliders and triggers to their shapes and meshes; "
        "children keep their place"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether something selected has a shape."""
        if not super().poll(context):
            return False
        if any(map(_may_have_shapes, chosen(context))):
            return True
        return unavailable(cls, "Select colliders or triggers")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects without shapes or scale are left alone; others that cannot be are told."""
        from ..authoring import scale_baking

        children = mesh_arrays.children_of_all()
        objects = [o for o in targets(context) if _has_shape(o) or _parts(o, children, [])]
        objects += [part for obj in objects for part in _parts(obj, children, objects)]
        if any(obj.mode == "EDIT" for obj in objects):
            return refuse(self, "Switch to Object Mode first")
        baked = scale_baking.bake(objects, children)
        for obj in baked.objects:
            changed(obj)
        for name, why in baked.problems[:1]:
            text = pgettext_rpt("{name} was not changed: {why}")
            self.report({"WARNING"}, text.format(name=name, why=pgettext_rpt(why)))
        count = len(baked.objects)
        if not count:
            if baked.problems:
                return {"CANCELLED"}
            return refuse(self, "No selected collider or trigger has a scale")
        one, many = "Baked the scale of {count} object", "Baked the scale of {count} objects"
        text = counted(one, many, count)
        if baked.larger:
            rest = pgettext_rpt("{count} became larger because of uneven scale")
            text += "; " + rest.format(count=baked.larger)
        return finished(self, text)


def _has_shape(obj: Any) -> bool:
    group = groups.of_object(obj)
    return bool(group.use_collider or group.use_trigger)


def _may_have_shapes(obj: Any) -> bool:
    """Whether an object has a shape, or is one of those that may have them below; asked often."""
    group = groups.of_object(obj)
    return _has_shape(obj) or bool(group.use_motion or group.fit_recipe)


def _parts(obj: Any, children: Any, known: list[Any]) -> list[Any]:
    """Objects below that were fitted to the loose parts of an object."""
    below = children.get(obj, ())
    return [each for each in below if groups.read(each).is_fitted_part and each not in known]
