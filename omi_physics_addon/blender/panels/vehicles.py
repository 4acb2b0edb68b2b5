"""Properties > Physics: vehicles, wheels, thrusters, hover thrusters and seats."""

from __future__ import annotations

from typing import Any, Final, cast

import bpy

from ..base import groups
from .lists import draw_name, draw_shared_material
from .shapes import draw_kept
from .tabs import Closed, Detail, Part, draw_number, draw_optional, group_of, hint

_UPWARD: Final = 0.5  # Cosine of the angle to up that a hover thruster may have.


class OMIPHYSICS_PT_vehicle_body(Part, bpy.types.Panel):
    """What makes a body a vehicle."""

    bl_label = "Vehicle"
    bl_order = 30
    part = "vehicle_body"
    presets = "OMIPHYSICS_MT_vehicle_presets"

    def draw_fields(self, context: bpy.types.Context, layout: Any, vehicle: Any) -> None:
        """The pilot, the speed, what slows it."""
        group = group_of(context)
        if not group.use_motion or group.motion.type != "DYNAMIC":
            column = hint(layout, "Needs a dynamic body")
            column.operator("object.omi_physics_add_motion").type = "DYNAMIC"
        _draw_pilot(layout, vehicle)
        draw_optional(layout, vehicle, "Limit Speed", "max_speed")
        column = layout.column(heading="Dampeners")
        column.prop(vehicle, "linear_dampeners", text="Linear")
        column.prop(vehicle, "angular_dampeners", text="Angular")
        layout.column(heading="Control").prop(vehicle, "use_throttle", text="Throttle")
        draw_kept(layout, vehicle, "kept")


def _draw_pilot(layout: Any, vehicle: Any) -> None:
    seat = vehicle.pilot_seat
    row = layout.row(align=True)
    row.alert = seat is not None and not groups.read(seat).use_seat
    row.prop(vehicle, "pilot_seat")
    if seat is None:
        row.operator("object.omi_physics_find_pilot_seat", text="", icon="VIEWZOOM")
    elif row.alert:
        hint(layout, "This object is not a seat", icon="ERROR")


class OMIPHYSICS_PT_vehicle_control(Closed, Detail, bpy.types.Panel):
    """How a vehicle turns itself, and what it is told at the start."""

    bl_parent_id = "OMIPHYSICS_PT_vehicle_body"
    bl_label = "Gyroscope and Activation"
    part = "vehicle_body"

    def draw_fields(self, context: bpy.types.Context, layout: Any, vehicle: Any) -> None:
        """A torque for each axis; what changes while it runs."""
        layout.column().prop(vehicle, "gyro_torque", text="Torque (N m)")
        layout.column().prop(vehicle, "linear_activation", text="Move")
        layout.column().prop(vehicle, "angular_activation", text="Turn")


def _draw_vehicle_hint(layout: Any, context: bpy.types.Context) -> None:
    """What a part of a vehicle lacks."""
    from ..authoring.starting_values import vehicle_above

    obj: Any = context.object
    if groups.read(obj).use_vehicle_body:
        text = "A vehicle cannot be its own part:"
        hint(layout, text, "use an object below it", icon="ERROR")
    elif vehicle_above(obj) is None:
        column = hint(layout, "No vehicle above: parent it to one")
        column.operator("object.omi_physics_parent_to_vehicle", icon="LINKED")


class OMIPHYSICS_PT_wheel(Part, bpy.types.Panel):
    """A wheel of the vehicle above."""

    bl_label = "Wheel"
    bl_order = 31
    part = "wheel"
    presets = "OMIPHYSICS_MT_wheel_presets"

    def draw_fields(self, context: bpy.types.Context, layout: Any, wheel: Any) -> None:
        """How large it is; the rest is below."""
        _draw_vehicle_hint(layout, context)
        column = layout.column(align=True)
        column.prop(wheel, "radius")
        column.prop(wheel, "width")
        draw_kept(layout, wheel, "part_kept", "kept")


class _OfWheel(Detail):
    """A panel below that of the wheel."""

    bl_parent_id = "OMIPHYSICS_PT_wheel"
    part = "wheel"


class OMIPHYSICS_PT_wheel_suspension(_OfWheel, bpy.types.Panel):
    """How a wheel is sprung."""

    bl_label = "Suspension"

    def draw_fields(self, context: bpy.types.Context, layout: Any, wheel: Any) -> None:
        """Spring and dampers."""
        column = layout.column(align=True)
        column.prop(wheel, "suspension_travel", text="Travel")
        draw_number(column, wheel, "suspension_stiffness", "N/m", text="Stiffness")
        column = layout.column(align=True)
        draw_number(column, wheel, "suspension_damping_compression", "N s/m", text="Compression")
        draw_number(column, wheel, "suspension_damping_rebound", "N s/m", text="Rebound")
        layout.operator("object.omi_physics_fit_suspension")


class OMIPHYSICS_PT_wheel_drive(_OfWheel, bpy.types.Panel):
    """How a wheel steers and is driven."""

    bl_label = "Steering and Drive"

    def draw_fields(self, context: bpy.types.Context, layout: Any, wheel: Any) -> None:
        """What it can do, and what it is told at the start."""
        column = layout.column(align=True)
        column.prop(wheel, "max_steering_angle", text="Steering")
        steers = column.column(align=True)
        steers.active = wheel.max_steering_angle > 0.0
        draw_optional(steers, wheel, "Speed", "steering_change_rate", unit="/s")
        steers.prop(wheel, "target_steering_ratio", text="Steer at Start", slider=True)
        column = layout.column(align=True)
        draw_number(column, wheel, "max_propulsion_force", "N", text="Motor Force")
        drives = column.column(align=True)
        has_motor = wheel.max_propulsion_force > 0.0
        drives.active = has_motor
        draw_optional(drives, wheel, "Change Rate", "propulsion_force_change_rate", unit="N/s")
        drives.prop(wheel, "target_propulsion_force_ratio", text="Drive at Start")


class OMIPHYSICS_PT_wheel_tire(_OfWheel, bpy.types.Panel):
    """How a wheel holds to the ground."""

    bl_label = "Brake and Tire"

    def draw_fields(self, context: bpy.types.Context, layout: Any, wheel: Any) -> None:
        """The brake, and the friction of the tire."""
        lists = groups.of_scene(context.scene)
        draw_optional(layout, wheel, "Own Brake", "braking_force", unit="N")
        draw_name(layout, wheel, "physics_material", lists, "physics_materials", "Tire")
        draw_shared_material(layout, wheel, "OMI_PHYSICS_tire", "Tire Material")


class OMIPHYSICS_PT_thruster(Part, bpy.types.Panel):
    """A push along -Y."""

    bl_label = "Thruster"
    bl_order = 32
    part = "thruster"

    def draw_fields(self, context: bpy.types.Context, layout: Any, thruster: Any) -> None:
        """The force."""
        _draw_vehicle_hint(layout, context)
        column = layout.column(align=True)
        draw_number(column, thruster, "max_force", "N")
        draw_optional(column, thruster, "Change Rate", "force_change_rate", unit="N/s")
        column.prop(thruster, "target_force_ratio", text="Target")
        draw_kept(layout, thruster, "part_kept", "kept")


class _Gimbal(Closed, Detail):
    """How a thruster turns."""

    bl_label = "Gimbal"

    def draw_fields(self, context: bpy.types.Context, layout: Any, group: Any) -> None:
        """Angles."""
        column = layout.column(align=True)
        column.prop(group, "max_gimbal", text="Max Angle")
        turns = column.column(align=True)
        turns.active = group.max_gimbal > 0.0
        draw_optional(turns, group, "Speed", "gimbal_change_rate", unit="/s")
        turns.prop(group, "linear_gimbal_adjust_ratio", text="For Movement", slider=True)
        target = layout.column(align=True)
        target.active = group.max_gimbal > 0.0
        target.prop(group, "target_gimbal_ratio", text="Target X", index=0)
        target.prop(group, "target_gimbal_ratio", text="Z", index=1)


class OMIPHYSICS_PT_thruster_gimbal(_Gimbal, bpy.types.Panel):
    """How a thruster turns."""

    bl_parent_id = "OMIPHYSICS_PT_thruster"
    part = "thruster"


class OMIPHYSICS_PT_hover_thruster(Part, bpy.types.Panel):
    """A lift that gets weaker with the height."""

    bl_label = "Hover Thruster"
    bl_order = 33
    part = "hover_thruster"

    def draw_fields(self, context: bpy.types.Context, layout: Any, hover: Any) -> None:
        """The energy."""
        _draw_vehicle_hint(layout, context)
        up = cast("Any", context.object).matrix_world.col[1]
        if -up.z < _UPWARD * up.length:
            hint(layout, "Pushes along -Y,", "which should point up")
        column = layout.column(align=True)
        draw_number(column, hover, "max_hover_energy", "N m", text="Max Energy")
        draw_optional(column, hover, "Change Rate", "hover_energy_change_rate", unit="N m/s")
        column.prop(hover, "target_hover_ratio", text="Target")
        draw_kept(layout, hover, "part_kept", "kept")


class OMIPHYSICS_PT_hover_thruster_gimbal(_Gimbal, bpy.types.Panel):
    """How a hover thruster turns."""

    bl_parent_id = "OMIPHYSICS_PT_hover_thruster"
    part = "hover_thruster"


class OMIPHYSICS_PT_seat(Part, bpy.types.Panel):
    """Where a character sits."""

    bl_label = "Seat"
    bl_order = 34
    part = "seat"

    def draw_fields(self, context: bpy.types.Context, layout: Any, seat: Any) -> None:
        """Three points and the angle of the back."""
        for name in ("back", "knee", "foot"):
            layout.column().prop(seat, name)
        layout.prop(seat, "angle", text="Back Angle")
        draw_kept(layout, seat, "kept")
