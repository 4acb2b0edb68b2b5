# pyright: reportInvalidTypeForm=false
"""Property groups of vehicles, their parts, and seats."""

import bpy

from ...model.seats import Seat
from ...model.vehicles import HoverThruster, Thruster, VehicleBody, Wheel
from . import entries
from .bodies import OMIPHYSICS_NT_physics_material
from .declare import flag, kept, number, to_object, use_of_field, vector

_GRADUAL = "Change gradually, at this rate, instead of instantly"


class OMIPHYSICS_PG_vehicle_body(bpy.types.PropertyGroup):
    """Shows a `VehicleBody`; its front is -Y in Blender."""

    angular_activation: vector(VehicleBody, "angular_activation")
    linear_activation: vector(VehicleBody, "linear_activation")
    gyro_torque: vector(VehicleBody, "gyro_torque")
    max_speed: number(VehicleBody, "max_speed")
    use_max_speed: use_of_field(VehicleBody, "max_speed", "Limit the speed of the vehicle", 30.0)
    pilot_seat: to_object("Pilot Seat", "Seat of the pilot")
    angular_dampeners: flag(VehicleBody, "angular_dampeners")
    linear_dampeners: flag(VehicleBody, "linear_dampeners")
    use_throttle: flag(VehicleBody, "use_throttle")
    kept: kept()


class OMIPHYSICS_PG_wheel(bpy.types.PropertyGroup):
    """Shows a `Wheel`; equal wheels share an entry in the file."""

    braking_force: number(Wheel, "braking_force")
    use_braking_force: use_of_field(
        Wheel, "braking_force", "Use a separate braking force", "max_propulsion_force"
    )
    max_propulsion_force: number(Wheel, "max_propulsion_force")
    max_steering_angle: number(Wheel, "max_steering_angle")
    physics_material_entry: entries.pointer(OMIPHYSICS_NT_physics_material)
    physics_material: entries.reference(
        "physics_materials",
        "physics_material",
        "Physics Material",
        "Physics material with the friction of the tire",
    )
    propulsion_force_change_rate: number(Wheel, "propulsion_force_change_rate")
    use_propulsion_force_change_rate: use_of_field(
        Wheel, "propulsion_force_change_rate", _GRADUAL, "max_propulsion_force"
    )
    radius: number(Wheel, "radius")
    steering_change_rate: number(Wheel, "steering_change_rate")
    use_steering_change_rate: use_of_field(Wheel, "steering_change_rate", _GRADUAL, 1.0)
    suspension_damping_compression: number(Wheel, "suspension_damping_compression")
    suspension_damping_rebound: number(Wheel, "suspension_damping_rebound")
    suspension_stiffness: number(Wheel, "suspension_stiffness")
    suspension_travel: number(Wheel, "suspension_travel")
    target_propulsion_force_ratio: number(Wheel, "target_propulsion_force_ratio")
    target_steering_ratio: number(Wheel, "target_steering_ratio")
    width: number(Wheel, "width")
    part_kept: kept()
    kept: kept()


class OMIPHYSICS_PG_thruster(bpy.types.PropertyGroup):
    """Shows a `Thruster`; it pushes along -Y in Blender."""

    max_force: number(Thruster, "max_force")
    force_change_rate: number(Thruster, "force_change_rate")
    use_force_change_rate: use_of_field(Thruster, "force_change_rate", _GRADUAL, "max_force")
    gimbal_change_rate: number(Thruster, "gimbal_change_rate")
    use_gimbal_change_rate: use_of_field(Thruster, "gimbal_change_rate", _GRADUAL, 1.0)
    linear_gimbal_adjust_ratio: number(Thruster, "linear_gimbal_adjust_ratio")
    max_gimbal: number(Thruster, "max_gimbal")
    target_force_ratio: number(Thruster, "target_force_ratio")
    target_gimbal_ratio: vector(Thruster, "target_gimbal_ratio")
    part_kept: kept()
    kept: kept()


class OMIPHYSICS_PG_hover_thruster(bpy.types.PropertyGroup):
    """Shows a `HoverThruster`; it pushes along -Y in Blender."""

    max_hover_energy: number(HoverThruster, "max_hover_energy")
    gimbal_change_rate: number(HoverThruster, "gimbal_change_rate")
    use_gimbal_change_rate: use_of_field(HoverThruster, "gimbal_change_rate", _GRADUAL, 1.0)
    hover_energy_change_rate: number(HoverThruster, "hover_energy_change_rate")
    use_hover_energy_change_rate: use_of_field(
        HoverThruster, "hover_energy_change_rate", _GRADUAL, "max_hover_energy"
    )
    linear_gimbal_adjust_ratio: number(HoverThruster, "linear_gimbal_adjust_ratio")
    max_gimbal: number(HoverThruster, "max_gimbal")
    target_hover_ratio: number(HoverThruster, "target_hover_ratio")
    target_gimbal_ratio: vector(HoverThruster, "target_gimbal_ratio")
    part_kept: kept()
    kept: kept()


class OMIPHYSICS_PG_seat(bpy.types.PropertyGroup):
    """Shows a `Seat`; a character of average size sits well on the starting values."""

    back: vector(Seat, "back", default=(0.0, 0.25, 0.0))
    foot: vector(Seat, "foot", default=(0.0, -0.25, -0.45))
    knee: vector(Seat, "knee", default=(0.0, -0.25, 0.0))
    angle: number(Seat, "angle")
    kept: kept()
