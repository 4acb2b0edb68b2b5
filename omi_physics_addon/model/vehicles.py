"""Vehicles and their parts.

Source: OMI_vehicle_body, OMI_vehicle_wheel, OMI_vehicle_thruster, OMI_vehicle_hover_thruster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from ..issue_codes import Code
from .fields import (
    Carried,
    Field,
    HoverThrusterIndex,
    MaterialIndex,
    NodeIndex,
    Quantity,
    ThrusterIndex,
    Vector3,
    WheelIndex,
)

_ZERO: Final[Vector3] = (0.0, 0.0, 0.0)
# The cap that the published schemas put on angles: a hair below pi.
HALF_TURN: Final = 3.1415925

# What both kinds of thrusters have.
GimbalChangeRate = Annotated[
    float,
    Field("Rotation speed of the gimbal; negative for instant, zero to lock the gimbal", "rad/s"),
]
MaxGimbal = Annotated[
    float,
    Field(
        "Maximum angle of the gimbal",
        "rad",
        minimum=0.0,
        maximum=HALF_TURN,
        rule=Code.GIMBAL_ANGLE_OUT_OF_RANGE,
    ),
]
GimbalRatio = Annotated[
    tuple[float, float],
    Field("Ratio of the maximum angle in use, about both axes", rule=Code.GIMBAL_RATIO_TOO_LONG),
]
GimbalAdjustRatio = Annotated[
    float,
    Field(
        "Share of the gimbal used for linear movement",
        minimum=0.0,
        maximum=1.0,
        rule=Code.GIMBAL_ADJUSTMENT_OUT_OF_RANGE,
    ),
]


@dataclass(frozen=True, kw_only=True)
class VehicleBody:
    """What makes a body a vehicle; its front is +Z in glTF. Source: OMI_vehicle_body."""

    angular_activation: Annotated[
        Vector3,
        Field(
            "Rotation input about each axis, -1 to 1",
            "",
            Quantity.VECTOR,
            length_rule=Code.VEHICLE_ARRAY_LENGTH_WRONG,
        ),
    ] = _ZERO
    linear_activation: Annotated[
        Vector3,
        Field(
            "Movement input along each axis, -1 to 1",
            "",
            Quantity.VECTOR,
            length_rule=Code.VEHICLE_ARRAY_LENGTH_WRONG,
        ),
    ] = _ZERO
    gyro_torque: Annotated[
        Vector3,
        Field(
            "Torque of the gyroscope about each axis",
            "N m/rad",
            Quantity.EXTENT,
            minimum=0.0,
            rule=Code.GYRO_TORQUE_NEGATIVE,
            length_rule=Code.VEHICLE_ARRAY_LENGTH_WRONG,
        ),
    ] = _ZERO
    max_speed: Annotated[
        float, Field("Maximum speed under its own power; negative for no limit", "m/s")
    ] = -1.0
    pilot_seat: Annotated[NodeIndex | None, Field("Seat of the pilot")] = None
    angular_dampeners: Annotated[bool, Field("Slow the rotation without rotation input")] = True
    linear_dampeners: Annotated[bool, Field("Slow the movement without movement input")] = True
    use_throttle: Annotated[
        bool, Field("Movement input changes a throttle that keeps its value")
    ] = False
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Wheel:
    """How one kind of wheel rolls, steers and is sprung. Source: OMI_vehicle_wheel, `wheels[]`."""

    braking_force: Annotated[
        float, Field("Braking force; negative to use the motor's force", "N")
    ] = -1.0
    max_propulsion_force: Annotated[
        float,
        Field("Maximum force of the motor", "N", minimum=0.0, rule=Code.PROPULSION_FORCE_NEGATIVE),
    ] = 0.0
    max_steering_angle: Annotated[
        float,
        Field(
            "Maximum steering angle",
            "rad",
            minimum=0.0,
            maximum=HALF_TURN,
            rule=Code.STEERING_ANGLE_OUT_OF_RANGE,
        ),
    ] = 0.0
    physics_material: Annotated[MaterialIndex | None, Field("Friction of the tire")] = None
    propulsion_force_change_rate: Annotated[
        float, Field("Rate of change of the motor's force; negative for instant", "N/s")
    ] = -1.0
    radius: Annotated[
        float, Field("Radius of the wheel", "m", above=0.0, rule=Code.WHEEL_SIZE_NOT_POSITIVE)
    ] = 0.25
    steering_change_rate: Annotated[
        float, Field("Steering speed; negative for instant", "rad/s")
    ] = 1.0
    suspension_damping_compression: Annotated[
        float,
        Field(
            "Damping while the suspension compresses",
            "kg/s",
            above=0.0,
            rule=Code.SUSPENSION_OUT_OF_RANGE,
        ),
    ] = 2000.0
    suspension_damping_rebound: Annotated[
        float,
        Field(
            "Damping while the suspension extends",
            "kg/s",
            above=0.0,
            rule=Code.SUSPENSION_OUT_OF_RANGE,
        ),
    ] = 2000.0
    suspension_stiffness: Annotated[
        float,
        Field("Stiffness of the suspension", "kg/s²", above=0.0, rule=Code.SUSPENSION_OUT_OF_RANGE),
    ] = 20000.0
    suspension_travel: Annotated[
        float,
        Field("Travel of the suspension", "m", minimum=0.0, rule=Code.SUSPENSION_OUT_OF_RANGE),
    ] = 0.25
    target_propulsion_force_ratio: Annotated[
        float, Field("Ratio of the maximum force in use, -1 to 1")
    ] = 0.0
    target_steering_ratio: Annotated[
        float,
        Field(
            "Ratio of the maximum angle in use; 1 is left",
            minimum=-1.0,
            maximum=1.0,
            rule=Code.STEERING_RATIO_OUT_OF_RANGE,
        ),
    ] = 0.0
    width: Annotated[
        float, Field("Width of the wheel", "m", above=0.0, rule=Code.WHEEL_SIZE_NOT_POSITIVE)
    ] = 0.125
    name: Annotated[str, Field("Name of the wheel settings")] = ""
    carried: Carried = ""

    @property
    def largest_brake(self) -> float:
        """The force with which it brakes at most, N."""
        return self.max_propulsion_force if self.braking_force < 0.0 else self.braking_force


@dataclass(frozen=True, kw_only=True)
class Thruster:
    """How one kind of thruster pushes. Source: OMI_vehicle_thruster, `thrusters[]`."""

    max_force: Annotated[
        float, Field("Maximum force", "N", minimum=0.0, rule=Code.THRUSTER_MAX_INVALID)
    ] = 0.0
    force_change_rate: Annotated[
        float, Field("Rate of change of the force; negative for instant", "N/s")
    ] = -1.0
    gimbal_change_rate: GimbalChangeRate = 1.0
    linear_gimbal_adjust_ratio: GimbalAdjustRatio = 0.0
    max_gimbal: MaxGimbal = 0.0
    target_force_ratio: Annotated[
        float, Field("Ratio of the maximum force in use", minimum=0.0, rule=Code.OUT_OF_BOUNDS)
    ] = 0.0
    target_gimbal_ratio: GimbalRatio = (0.0, 0.0)
    name: Annotated[str, Field("Name of the thruster settings")] = ""
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class HoverThruster:
    """How one kind of hover thruster lifts.

    Source: OMI_vehicle_hover_thruster, `hoverThrusters[]`.
    """

    max_hover_energy: Annotated[
        float,
        Field(
            "Maximum of force times distance to the ground",
            "N m",
            minimum=0.0,
            rule=Code.THRUSTER_MAX_INVALID,
        ),
    ] = 0.0
    gimbal_change_rate: GimbalChangeRate = 1.0
    hover_energy_change_rate: Annotated[
        float, Field("Rate of change of the energy; negative for instant", "N m/s")
    ] = -1.0
    linear_gimbal_adjust_ratio: GimbalAdjustRatio = 0.5
    max_gimbal: MaxGimbal = 0.0
    target_hover_ratio: Annotated[
        float, Field("Ratio of the maximum energy in use", minimum=0.0, rule=Code.OUT_OF_BOUNDS)
    ] = 0.0
    target_gimbal_ratio: GimbalRatio = (0.0, 0.0)
    name: Annotated[str, Field("Name of the hover thruster settings")] = ""
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class WheelPart:
    """A wheel on a node. Source: OMI_vehicle_wheel on the node."""

    wheel: Annotated[
        WheelIndex | None, Field("Settings of the wheel", rule=Code.INDEX_BEYOND_ARRAY)
    ] = None
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class ThrusterPart:
    """A thruster on a node. Source: OMI_vehicle_thruster on the node."""

    thruster: Annotated[
        ThrusterIndex | None, Field("Settings of the thruster", rule=Code.INDEX_BEYOND_ARRAY)
    ] = None
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class HoverThrusterPart:
    """A hover thruster on a node. Source: OMI_vehicle_hover_thruster on the node."""

    hover_thruster: Annotated[
        HoverThrusterIndex | None,
        Field("Settings of the hover thruster", rule=Code.INDEX_BEYOND_ARRAY),
    ] = None
    carried: Carried = ""
