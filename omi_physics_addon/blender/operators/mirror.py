"""Makes the mirror images of objects, with their physics."""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Matrix

from ..base import groups, mesh_arrays
from ..properties import rigid_choices
from .chosen_objects import (
    OnSelection,
    counted,
    finished,
    leave_edit_mode_data,
    pgettext_rpt,
    refuse,
    targets,
)


class OMIPHYSICS_OT_mirror(rigid_choices.MirrorPlane, OnSelection, bpy.types.Operator):
    """Makes the mirror images of the selected objects."""

    bl_idname = "object.omi_physics_mirror"
    bl_label = "Mirror"
    bl_description = (
        "Mirror the selected objects with meshes and physics, and swap left and right in "
        "names. Existing objects with the mirrored name are replaced"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """The active object comes first: of two sides its own is taken."""
        from ..authoring.mirror import mirrored_objects

        options: Any = self
        found, active = targets(context), context.object
        if options.about == "ACTIVE" and active is None:
            return refuse(self, "There is no active object")
        leave_edit_mode_data(found)
        view_layer: Any = context.view_layer
        view_layer.update()
        found.sort(key=lambda obj: obj != active)
        if options.about == "ACTIVE":
            found = [obj for obj in found if obj != active]
        if options.with_children:
            found = mirrored_objects.with_children(found, mesh_arrays.children_of_all())
            found = [obj for obj in found if groups.can_change(obj)]
        scene: Any = context.scene
        plane = Matrix.Identity(4)
        if options.about == "ACTIVE" and active is not None:
            plane = active.matrix_world
        elif options.about == "CURSOR":
            plane = scene.cursor.matrix
        done = mirrored_objects.mirror(scene, found, plane, "XYZ".index(options.axis))
        view_layer.update()
        if not done.images:
            return refuse(self, "Only meshes and empties without a bone parent can be mirrored")
        one, many = "Mirrored {count} object, {new} new", "Mirrored {count} objects, {new} new"
        text = counted(one, many, len(done.images), new=done.new)
        if done.left:
            rest = pgettext_rpt("not changed: {names}")
            text += "; " + rest.format(names=", ".join(done.left[:5]))
        return finished(self, text, warns=done.left)
