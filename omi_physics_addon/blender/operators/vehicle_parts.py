"""Adds vehicles, wheels, thrusters, hover thrusters, seats and joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bpy

from ..base import groups
from ..base.mesh_arrays import children_of_all, evaluated_points
from ..properties import part_choices
from .bodies import PARTS
from .chosen_objects import (
    OnSelection,
    can_change,
    changed,
    leave_edit_mode_data,
    refuse,
    report,
    targets,
)

if TYPE_CHECKING:
    from ..authoring.starting_values import Children


class AddPart(OnSelection):
    """Gives the selected objects one part, with starting values."""

    part: str
    nothing: str

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Those that have the part, or cannot have it, stay as they are."""
        flag = f"use_{self.part}"
        new = [
            obj
            for obj in self.objects(context)
            if not getattr(groups.of_object(obj), flag) and self.suits(groups.of_object(obj))
        ]
        if not new:
            return refuse(self, self.nothing)
        for obj in new:
            setattr(groups.of_object(obj), flag, True)
        self.start(context, new)
        for obj in new:
            changed(obj)
        words = PARTS[self.part]
        return report(self, *words.told(words.added), len(new))

    def objects(self, context: bpy.types.Context) -> list[Any]:
        """What may get the part."""
        return targets(context)

    def suits(self, group: Any) -> bool:
        """Whether an object with this physics can have the part."""
        return True

    def start(self, context: bpy.types.Context, new: Sequence[Any]) -> None:
        """Set the starting values of objects that have the part now."""


class OMIPHYSICS_OT_add_joint(AddPart, bpy.types.Operator):
    """Makes the selected objects joints."""

    bl_idname = "object.omi_physics_add_joint"
    bl_label = "Add Joint"
    bl_description = (
        "Add a joint to the selected objects, which connects the body above to another body"
    )
    part = "joint"
    nothing = "The selected objects already have a joint"


class OMIPHYSICS_OT_add_vehicle_body(part_choices.VehicleMass, AddPart, bpy.types.Operator):
    """Makes the selected objects vehicles."""

    bl_idname = "object.omi_physics_add_vehicle_body"
    bl_label = "Add Vehicle"
    bl_description = (
        "Make the selected objects vehicles, with a dynamic body if they have none; the "
        "front of a vehicle is -Y"
    )
    part = "vehicle_body"
    nothing = "The selected objects are already vehicles or parts of vehicles"

    def suits(self, group: Any) -> bool:
        """Whether it may become a vehicle: it is neither one nor a part of one."""
        from ..authoring import starting_values

        return not any(getattr(group, f"use_{part}") for part in starting_values.PARTS)

    def start(self, context: bpy.types.Context, new: Sequence[Any]) -> None:
        """Make them bodies, and take the pilot's seat where there is no choice."""
        from ..authoring.rigging.vehicle_body import start_vehicle

        chosen: Any = self
        children = children_of_all()
        for obj in new:
            start_vehicle(obj, chosen.mass, children)


class AddVehiclePart(AddPart):
    """Gives the selected objects a part that moves the vehicle above them."""

    def suits(self, group: Any) -> bool:
        """Not the vehicle itself: its parts have objects of their own."""
        return not group.use_vehicle_body

    def start(self, context: bpy.types.Context, new: Sequence[Any]) -> None:
        """Set what depends on each object, then what depends on its vehicle."""
        from ..authoring.starting_values import vehicle_above

        self.start_each(context, new)
        children = children_of_all()
        by_vehicle: dict[Any, list[Any]] = {}
        for obj in new:
            by_vehicle.setdefault(vehicle_above(obj), []).append(obj)
        for vehicle, parts in by_vehicle.items():
            share(context, self.part, parts, vehicle, children, self.height_of_all)

    def start_each(self, context: bpy.types.Context, new: Sequence[Any]) -> None:
        """Set what the object alone decides."""

    @property
    def height_of_all(self) -> float:
        """Where hover thrusters carry their vehicle, m."""
        return 1.0


def share(
    context: bpy.types.Context,
    part: str,
    parts: Sequence[Any],
    vehicle: Any,
    children: Children,
    height: float = 1.0,
) -> None:
    """Let new parts of one kind carry or push the vehicle above them, with its old ones.

    Args:
        vehicle: None where there is none.
        height: where hover thrusters carry it, m.
    """
    from ..authoring import starting_values

    scene: Any = context.scene
    gravity = starting_values.gravity_of(scene)
    mass = None if vehicle is None else starting_values.mass_of(vehicle, children)
    weight = None if mass is None else mass * gravity
    sharing = starting_values.Sharing(part, weight, gravity, height)
    if vehicle is None:
        for obj in parts:
            sharing.divide([obj], [obj])
        return
    below = starting_values.parts_below(vehicle, part, children)
    for obj in sharing.divide(parts, [obj for obj in below if can_change(obj)]):
        changed(obj)


class OMIPHYSICS_OT_add_wheel(AddVehiclePart, bpy.types.Operator):
    """Makes the selected objects wheels."""

    bl_idname = "object.omi_physics_add_wheel"
    bl_label = "Add Wheel"
    bl_description = (
        "Make the selected objects wheels of the size of their meshes, with springs that the "
        "vehicle compresses by a third; X is the axle"
    )
    part = "wheel"
    nothing = "The selected objects are already wheels or vehicles"

    def start_each(self, context: bpy.types.Context, new: Sequence[Any]) -> None:
        """Take the size of the mesh."""
        from ..authoring import starting_values

        leave_edit_mode_data(new)
        depsgraph = context.evaluated_depsgraph_get()
        for obj in new:
            points = evaluated_points(obj, depsgraph)
            if len(points):
                form = starting_values.measure_wheel(obj, points)
                starting_values.set_wheel_size(groups.of_object(obj).wheel, form)


class OMIPHYSICS_OT_add_thruster(AddVehiclePart, bpy.types.Operator):
    """Makes the selected objects thrusters."""

    bl_idname = "object.omi_physics_add_thruster"
    bl_label = "Add Thruster"
    bl_description = (
        "Make the selected objects thrusters that push along -Y; the thrusters of a vehicle "
        "share 1.5 times its weight as force"
    )
    part = "thruster"
    nothing = "The selected objects are already thrusters or vehicles"


class OMIPHYSICS_OT_add_hover_thruster(
    part_choices.HoverHeight, AddVehiclePart, bpy.types.Operator
):
    """Makes the selected objects hover thrusters."""

    bl_idname = "object.omi_physics_add_hover_thruster"
    bl_label = "Add Hover Thruster"
    bl_description = (
        "Make the selected objects hover thrusters, which hold the vehicle at the chosen "
        "height with half of their energy. They push along -Y, which should point up"
    )
    part = "hover_thruster"
    nothing = "The selected objects are already hover thrusters or vehicles"

    @property
    def height_of_all(self) -> float:
        """The chosen one."""
        chosen: Any = self
        return chosen.height


class OMIPHYSICS_OT_add_seat(part_choices.CharacterSize, AddPart, bpy.types.Operator):
    """Makes the selected objects seats."""

    bl_idname = "object.omi_physics_add_seat"
    bl_label = "Add Seat"
    bl_description = (
        "Make the selected objects seats that face -Y; a vehicle without a pilot seat uses "
        "its only seat"
    )
    part = "seat"
    nothing = "The selected objects are already seats"

    def start(self, context: bpy.types.Context, new: Sequence[Any]) -> None:
        """Place the points for the size of the character."""
        from ..authoring import starting_values
        from ..authoring.rigging.vehicle_body import take_pilot_seat
        from ..authoring.starting_values import vehicle_above

        chosen: Any = self
        children = children_of_all()
        for obj in new:
            starting_values.set_seat(obj, chosen.size)
        for vehicle in {vehicle_above(obj) for obj in new} - {None}:
            take_pilot_seat(vehicle, children)
