"""Gives colliders the friction and bounce of known materials, and bodies their density."""

from __future__ import annotations

from typing import Any

import bpy

from ....model.known_surfaces import KNOWN
from ...base import groups
from ...base.hierarchy import body_of
from ...properties import rigid_choices
from ..chosen_objects import (
    OnSelection,
    can_change,
    can_edit_scene,
    changed,
    finished,
    lists_changed,
    pgettext_rpt,
    refuse,
    targets,
)


class OMIPHYSICS_OT_known_material(rigid_choices.KnownMaterial, OnSelection, bpy.types.Operator):
    """Gives the selected colliders the surface of a known material."""

    bl_idname = "object.omi_physics_known_material"
    bl_label = "Known Material"
    bl_description = (
        "Set the friction and bounce of the selected colliders, and the density of their "
        "bodies, to those of a real material"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something selected, and a list for the material."""
        return can_edit_scene(cls, context) and super().poll(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Equal materials of the list are used again."""
        from ...scene import entry_writer

        options: Any = self
        known = KNOWN[[item[0] for item in rigid_choices.MATERIALS].index(options.material)]
        found = [obj for obj in targets(context) if groups.read(obj).use_collider]
        if not found:
            return refuse(self, "The selected objects have no colliders")
        record = known.record()
        entries = groups.of_scene(context.scene).physics_materials
        (tree,) = entry_writer.write_materials(entries, [record])
        name: str = tree.name_full
        bodies: dict[Any, None] = {}
        for obj in found:
            groups.of_object(obj).collider.physics_material = name
            body = body_of(obj)
            if body is not None and can_change(body):
                bodies[body] = None
            changed(obj)
        weighed = 0
        for body in bodies if options.use_density and known.density is not None else ():
            motion = groups.of_object(body).motion
            if motion.type == "DYNAMIC":
                motion.mass_mode, motion.density = "DENSITY", known.density
                weighed += 1
                changed(body)
        lists_changed(context)
        text = pgettext_rpt("{name}: set {count} colliders and the mass of {weighed} bodies")
        return finished(self, text.format(name=name, count=len(found), weighed=weighed))
