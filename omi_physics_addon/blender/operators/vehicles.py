"""Puts vehicles together: wheels from meshes, springs for the mass, parts below, the pilot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import bpy
from mathutils import Matrix

from ..base import groups
from ..base.hierarchy import ancestors
from ..base.mesh_arrays import children_of_all
from ..properties import part_choices
from .chosen_objects import (
    OnSelection,
    Undoable,
    can_change,
    changed,
    counted,
    finished,
    leave_edit_mode_data,
    pgettext_rpt,
    refuse,
    report,
    split,
    targets,
    unavailable,
)

_DRIVE: Final = 5.0  # Acceleration by all driven wheels together, m/s².
_BRAKE: Final = 8.0  # Deceleration by all wheels together, m/s².


class OMIPHYSICS_OT_make_wheels(
    part_choices.VehicleFront,
    part_choices.VehicleStand,
    part_choices.WheelRoles,
    part_choices.VehicleMass,
    Undoable,
    bpy.types.Operator,
):
    """Makes the active object a vehicle and the other selected objects its wheels."""

    bl_idname = "object.omi_physics_make_wheels"
    bl_label = "Make Wheeled Vehicle"
    bl_description = (
        "Make the active object a vehicle and the other selected objects its wheels. A "
        "rotated mesh gets a parent empty as wheel"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a chassis, and something to be wheels."""
        active: Any = context.object
        if active is None or not can_change(active):
            return unavailable(cls, "Select the wheels, then the chassis")
        if any(obj != active for obj in context.selected_editable_objects):
            return True
        return unavailable(cls, "Select the wheels, then the chassis")

    def draw(self, context: bpy.types.Context) -> None:
        """The mass only of what became a body."""
        layout = split(self.layout)
        layout.prop(self, "front")
        layout.prop(self, "drive")
        layout.prop(self, "steering")
        layout.prop(self, "use_collider")
        layout.prop(self, "use_stand")
        if self.mass:
            layout.prop(self, "mass")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Bodies of their own, vehicles, and what is above the chassis cannot be wheels."""
        from ..authoring import starting_values
        from ..authoring.rigging.wheel_roles import set_roles
        from ..authoring.wheel_makers import Wheels

        chosen: Any = self
        chassis: Any = context.object
        if any(getattr(groups.of_object(chassis), f"use_{part}") for part in starting_values.PARTS):
            return refuse(self, "The active object is a part of a vehicle: select the chassis last")
        wanted = dict.fromkeys(wheel_of(obj) for obj in targets(context))
        found = [obj for obj in wanted if can_be_wheel(obj, chassis)]
        if not found:
            return refuse(
                self, "None of the objects can be a wheel: bodies, vehicles and cameras cannot"
            )
        leave_edit_mode_data([*found, chassis])
        depsgraph = context.evaluated_depsgraph_get()
        front = self._front(chassis, found, depsgraph)
        vehicle, place = self._make_vehicle(chassis, front, depsgraph)
        wheels = Wheels(vehicle, place, depsgraph)
        for obj in found:
            wheels.make(obj)
        set_roles(
            context.scene,
            vehicle,
            wheels.made,
            wheels.new if chosen.use_stand else (),
            drive=chosen.drive,
            steering=chosen.steering,
            push=_DRIVE,
            brake=_BRAKE,
        )
        for obj in {vehicle, chassis, *found, *wheels.made}:
            changed(obj)
        if vehicle != chassis:
            vehicle.select_set(True)
            cast(Any, context.view_layer).objects.active = vehicle
        return self._tell(len(wheels.made), wheels.askew, front)

    def _front(self, chassis: Any, found: Sequence[Any], depsgraph: bpy.types.Depsgraph) -> str:
        """The axis of the chassis that points forward; that of a vehicle is known."""
        from ..authoring import vehicle_fronts

        chosen: Any = self
        if groups.read(chassis).use_vehicle_body:
            return vehicle_fronts.OWN
        if chosen.front == "AUTO":
            return vehicle_fronts.front_of_axles(chassis, found, depsgraph)
        return chosen.front

    def _make_vehicle(
        self, chassis: Any, front: str, depsgraph: bpy.types.Depsgraph
    ) -> tuple[Any, Matrix]:
        """The vehicle, which is the chassis or an empty above it, and its place in the world."""
        from ..authoring import starting_values, vehicle_fronts
        from ..authoring.rigging.vehicle_body import start_vehicle
        from ..authoring.starting_shapes import fit_missing

        chosen: Any = self
        was_body = groups.read(chassis).use_motion
        mass = chosen.mass or starting_values.guess_mass(chassis)
        vehicle, place = chassis, chassis.matrix_world.copy()
        if front != vehicle_fronts.OWN:
            vehicle, place = vehicle_fronts.turned_vehicle(chassis, vehicle_fronts.turn_of(front))
        group = groups.of_object(vehicle)
        group.use_vehicle_body = True
        start_vehicle(vehicle, mass, children_of_all())
        chosen.mass = 0.0 if was_body else group.motion.mass  # The redo panel shows it.
        if chosen.use_collider:
            fit_missing(depsgraph, [chassis])
        return vehicle, place

    def _tell(self, count: int, askew: int, front: str) -> set[Any]:
        from ..authoring import vehicle_fronts

        one, many = "Made {count} wheel", "Made {count} wheels"
        if front != vehicle_fronts.OWN:
            one = "Made {count} wheel; the front is {front}"
            many = "Made {count} wheels; the front is {front}"
        if not askew:
            return report(self, one, many, count, front=front)
        text = counted(one, many, count, front=front)
        rest = pgettext_rpt(
            "{askew} not round about an axle across the front {front}: choose another Front, "
            "or rotate them"
        )
        return finished(self, f"{text}; {rest.format(askew=askew, front=front)}", warns=True)


def wheel_of(obj: Any) -> Any:
    """The wheel that an object is or shows; the object itself where there is none yet."""
    above = obj
    while above is not None and not groups.read(above).use_wheel:
        above = above.parent
    return obj if above is None or not can_change(above) else above


def can_be_wheel(obj: Any, chassis: Any) -> bool:
    """Whether an object can be a wheel of a vehicle with such a chassis."""
    group = groups.of_object(obj)
    if obj == chassis or group.use_motion or group.use_vehicle_body:
        return False
    if obj.type in ("CAMERA", "LIGHT", "ARMATURE", "SPEAKER"):
        return False
    return obj not in ancestors(chassis)


class OMIPHYSICS_OT_fit_suspension(OnSelection, bpy.types.Operator):
    """Sets the springs of vehicles by their mass."""

    bl_idname = "object.omi_physics_fit_suspension"
    bl_label = "Fit Suspension to Mass"
    bl_description = (
        "Set the springs and dampers of all wheels, so the vehicle compresses them by a "
        "third of their travel"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Each vehicle that is selected, or above what is selected, once."""
        from ..authoring import starting_values

        scene: Any = context.scene
        children = children_of_all()
        gravity = starting_values.gravity_of(scene)
        vehicles = {_vehicle_of(obj) for obj in targets(context)} - {None}
        count = 0
        for vehicle in vehicles:
            mass = starting_values.mass_of(vehicle, children)
            wheels = starting_values.parts_below(vehicle, "wheel", children)
            wheels = [obj for obj in wheels if can_change(obj)]
            if mass is None or not wheels:
                continue
            for obj in wheels:
                starting_values.set_springs(
                    groups.of_object(obj).wheel, mass * gravity / len(wheels), gravity
                )
                changed(obj)
            count += len(wheels)
        if not count:
            return refuse(self, "No vehicle with a mass and wheels was found")
        return report(self, "Fitted {count} suspension", "Fitted {count} suspensions", count)


def _vehicle_of(obj: Any) -> Any:
    from ..authoring.starting_values import vehicle_above

    return obj if groups.read(obj).use_vehicle_body else vehicle_above(obj)


class OMIPHYSICS_OT_parent_to_vehicle(OnSelection, bpy.types.Operator):
    """Parents parts to a vehicle."""

    bl_idname = "object.omi_physics_parent_to_vehicle"
    bl_label = "Parent to Vehicle"
    bl_description = (
        "Parent the selected wheels, thrusters and seats to the active vehicle, or to the only "
        "vehicle of the scene, and keep them where they are"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Parts that have a vehicle above them stay where they are."""
        from ..authoring.wheel_makers import keep_place

        vehicle = _one_vehicle(context)
        if vehicle is None:
            return refuse(self, "Select the parts, then the vehicle")
        found = [obj for obj in targets(context) if _needs_vehicle(obj, vehicle)]
        if not found:
            return refuse(self, "The selected objects have no parts without a vehicle")
        for obj in found:
            keep_place(obj, vehicle, vehicle.matrix_world)
            changed(obj)
        one, many = "Parented {count} part to {name}", "Parented {count} parts to {name}"
        return report(self, one, many, len(found), name=vehicle.name)


def _one_vehicle(context: bpy.types.Context) -> Any:
    """The active vehicle, else the only one."""
    active: Any = context.object
    scene: Any = context.scene
    if active is not None and groups.read(active).use_vehicle_body:
        return active
    every = [obj for obj in scene.objects if groups.read(obj).use_vehicle_body]
    return every[0] if len(every) == 1 else None


def _needs_vehicle(obj: Any, vehicle: Any) -> bool:
    from ..authoring import starting_values
    from ..authoring.starting_values import vehicle_above

    group = groups.of_object(obj)
    parts = (*starting_values.PARTS, "seat")
    is_part = any(getattr(group, f"use_{part}") for part in parts)
    free = obj != vehicle and vehicle_above(obj) is None
    return is_part and free and obj not in ancestors(vehicle)


class OMIPHYSICS_OT_find_pilot_seat(OnSelection, bpy.types.Operator):
    """Takes the only seat of a vehicle as that of the pilot."""

    bl_idname = "object.omi_physics_find_pilot_seat"
    bl_label = "Find Pilot Seat"
    bl_description = "Use the only seat below the vehicle as pilot seat"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Vehicles that have a pilot's seat, or a choice of them, stay as they are."""
        from ..authoring.rigging.vehicle_body import take_pilot_seat

        children = children_of_all()
        vehicles = [obj for obj in targets(context) if groups.read(obj).use_vehicle_body]
        count = sum(take_pilot_seat(obj, children) for obj in vehicles)
        if not count:
            return refuse(self, "No vehicle without a pilot seat has exactly one seat below")
        return report(self, "Found {count} pilot seat", "Found {count} pilot seats", count)
