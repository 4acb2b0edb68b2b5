"""Makes a ragdoll of an armature."""

from __future__ import annotations

from typing import Any

import bpy

from ...preview import player
from ...properties import part_choices
from ..chosen_objects import (
    OnScene,
    can_change,
    changed,
    counted,
    finished,
    pgettext_rpt,
    refuse,
    split,
    unavailable,
)

_NAMED = 3  # Bones that a report names.


class OMIPHYSICS_OT_make_ragdoll(part_choices.RagdollChoices, OnScene, bpy.types.Operator):
    """Makes a ragdoll of the active armature."""

    bl_idname = "object.omi_physics_make_ragdoll"
    bl_label = "Make Ragdoll"
    bl_description = (
        "Add fitted bodies to the bones of the active armature, and joints with the limits "
        "of people; small bones are merged into their parent's body"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature in Object Mode."""
        active: Any = context.object
        if not super().poll(context):
            return False
        if active is None or active.type != "ARMATURE" or not can_change(active):
            return unavailable(cls, "Select an armature")
        if active.mode != "OBJECT":
            return unavailable(cls, "Switch to Object Mode first")
        return True

    def draw(self, context: bpy.types.Context) -> None:
        """The masses, the bones, the joints, how hard all is to turn."""
        layout = split(self.layout)
        row = layout.row(heading="Mass")
        row.prop(self, "use_mass", text="")
        if self.use_mass:
            row.prop(self, "mass", text="")
        else:
            layout.prop(self, "density", text="Density (kg/m³)")
        layout.prop(self, "smallest", text="Smallest Bone (Part)")
        layout.prop(self, "use_limits")
        layout.prop(self, "steady")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """The armature stays active: bodies and joints are its children."""
        from ...authoring.rigging import ragdoll
        from ...preview.input import bones

        player.hold()
        chosen: Any = self
        choices = ragdoll.Choices(
            density=chosen.density,
            mass=chosen.mass,
            smallest=chosen.smallest,
            use_limits=chosen.use_limits,
            steady=chosen.steady,
        )
        try:
            found = ragdoll.make(context.scene, context.object, choices)
        except ragdoll.NoRagdollError as error:
            return refuse(self, str(error))
        for obj in (*found.bodies, *found.joints):
            changed(obj)
        moved = bones.moved(context.object)
        return self._tell(found, [o.parent_bone for o in found.bodies if o.parent_bone in moved])

    def _tell(self, found: Any, held: list[str]) -> set[Any]:
        """Say what was made, and which bones something else moves."""
        bodies = counted("{count} body", "{count} bodies", len(found.bodies))
        joints = counted("{count} joint", "{count} joints", len(found.joints))
        sentences = [
            pgettext_rpt("Ragdoll of {bodies} and {joints}, {mass} kg").format(
                bodies=bodies, joints=joints, mass=f"{found.mass:.3g}"
            )
        ]
        if found.merged:
            one = "{count} smaller bone was merged"
            many = "{count} smaller bones were merged"
            sentences.append(counted(one, many, found.merged))
        if found.overlapping:
            text = pgettext_rpt(
                "{count} overlap at the start, so they do not collide with each other"
            )
            sentences.append(text.format(count=len(found.overlapping)))
        if held:
            names = ", ".join(held[:_NAMED]) + (" …" if len(held) > _NAMED else "")
            text = pgettext_rpt(
                "keyframes, drivers or constraints move {count} of the bones ({names}), and hold "
                "their bodies"
            )
            sentences.append(text.format(count=len(held), names=names))
        return finished(self, "; ".join(sentences), warns=held)
