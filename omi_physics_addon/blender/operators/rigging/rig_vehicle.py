"""Makes a vehicle of its chassis, with the wheels that are selected or found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import bpy

from ...base import groups, selection
from ...base.hierarchy import ancestors
from ...preview import player
from ...properties import part_choices
from ..chosen_objects import (
    Undoable,
    can_change,
    changed,
    chosen,
    counted,
    finished,
    pgettext_rpt,
    refuse,
    split,
    unavailable,
)
from ..vehicles import can_be_wheel, wheel_of

if TYPE_CHECKING:
    from ...authoring.rigging import vehicle_rig

_SELECT: Final = "Select the chassis of a vehicle"
_WITHOUT_WHEELS: Final = ("HOVERCRAFT", "ROCKET", "SPACESHIP")


class OMIPHYSICS_OT_rig_vehicle(part_choices.RiggedVehicle, Undoable, bpy.types.Operator):
    """Makes the active object the chassis of a vehicle, and finds its wheels."""

    bl_idname = "object.omi_physics_rig_vehicle"
    bl_label = "Make Vehicle"
    bl_description = (
        "Make the active object the chassis of a vehicle and the other selected objects its "
        "wheels. If no others are selected, wheels are detected by shape. Vehicles without "
        "wheels get thrusters"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an object that can be a chassis."""
        active: Any = context.object
        if active is None or not can_change(active) or active.mode != "OBJECT":
            return unavailable(cls, _SELECT)
        if any(_is_part(obj) for obj in (active, *ancestors(active))):
            return unavailable(cls, "The active object is a part of a vehicle: select the chassis")
        return True

    def draw(self, context: bpy.types.Context) -> None:
        """The mass only of what became a body."""
        layout = split(self.layout)
        layout.prop(self, "kind")
        layout.prop(self, "front")
        layout.prop(self, "use_collider")
        if cast(Any, self).kind not in _WITHOUT_WHEELS:
            layout.prop(self, "use_separate")
            layout.prop(self, "use_stand")
        if cast(Any, self).mass:
            layout.prop(self, "mass")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Ask before wheels are separated, where there are no other ones."""
        from ...authoring.rigging.vehicle_rig import JoinedWheelsError, NothingToRigError

        try:
            return self._make(context)
        except JoinedWheelsError as error:
            options: Any = self
            options.use_separate = True
            manager: Any = context.window_manager
            return manager.invoke_confirm(
                self,
                event,
                title=self.bl_label,
                message=error.fact,
                confirm_text="Separate Wheels",
            )
        except NothingToRigError as error:
            return _refused(self, error)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Refuse what has no wheels, and wheels that are joined and not to be separated."""
        from ...authoring.rigging.vehicle_rig import NothingToRigError

        try:
            return self._make(context)
        except NothingToRigError as error:
            return _refused(self, error)

    def _make(self, context: bpy.types.Context) -> set[Any]:
        """Tell what was found; bodies keep the mass that they have."""
        from ...authoring.rigging import vehicle_rig

        player.hold()
        chassis: Any = context.object
        options: Any = self
        was_body = any(groups.read(obj).use_motion for obj in (chassis, *ancestors(chassis)))
        choices = vehicle_rig.Choices(
            kind=options.kind,
            front=options.front,
            mass=options.mass,
            use_collider=options.use_collider,
            use_stand=options.use_stand,
            use_separate=options.use_separate,
            given=_given(context, chassis),
        )
        found = vehicle_rig.rig(context.scene, context.view_layer, chassis, choices)
        for obj in {found.vehicle, chassis, *found.made, *found.riders}:
            changed(obj)
        options.mass = 0.0 if was_body else groups.of_object(found.vehicle).motion.mass
        selection.select(context.view_layer, [found.vehicle])
        return self._tell(found)

    def _tell(self, found: Any) -> set[Any]:
        """Say what was found, and what told the front."""
        from ...authoring.rigging import vehicle_rig

        labels = {item[0]: item[1] for item in part_choices.VEHICLE_KINDS}
        wheels = sum(groups.read(obj).use_wheel for obj in found.made)
        count = len(found.made)
        one, many = "{kind} with {count} thruster", "{kind} with {count} thrusters"
        if wheels:
            one, many = "{kind} with {count} wheel", "{kind} with {count} wheels"
        is_guess = found.evidence == "USUAL"
        sentences = [counted(one, many, count, kind=pgettext_rpt(labels[found.kind]))]
        if found.separated:
            sentences.append(counted("", "{count} wheels were separated", found.separated))
        if found.riders:
            one, many = (
                "1 other object is parented to the vehicle",
                "{count} other objects are parented to the vehicle",
            )
            sentences.append(counted(one, many, len(found.riders)))
        if found.askew:
            text = pgettext_rpt("{askew} not across the vehicle: choose another Front")
            sentences.append(text.format(askew=found.askew))
        if is_guess:
            text = (
                "the front could not be detected, so {front} is assumed. Change Front at the "
                "lower left"
            )
            sentences.append(pgettext_rpt(text).format(front=found.front))
        else:
            evidence = pgettext_rpt(vehicle_rig.EVIDENCE[found.evidence])
            text = pgettext_rpt("the front is {front}, {evidence}")
            sentences.insert(1, text.format(front=found.front, evidence=evidence))
        return finished(self, "; ".join(sentences), warns=found.askew or is_guess)


def _is_part(obj: Any) -> bool:
    """Whether an object is what drives a vehicle."""
    group = groups.read(obj)
    return group.use_wheel or group.use_thruster or group.use_hover_thruster


def _refused(operator: Any, error: vehicle_rig.NothingToRigError) -> set[Any]:
    """Tell why there is no vehicle; what was separated for one all the same can be undone."""
    done = refuse(operator, str(error))
    return {"FINISHED"} if error.separated else done


def _given(context: bpy.types.Context, chassis: Any) -> tuple[Any, ...]:
    """What is selected besides a chassis, and can be its wheels."""
    others = dict.fromkeys(wheel_of(obj) for obj in chosen(context))
    return tuple(obj for obj in others if can_be_wheel(obj, chassis))
