"""Vehicles and their parts.

Source: OMI_vehicle_body, OMI_vehicle_wheel, OMI_vehicle_thruster, OMI_vehicle_hover_thruster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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
    described,
    of,
)

_ZERO: Final[Vector3] = (0.0, 0.0, 0.0)
# The cap that the published schemas put on angles: a hair below pi.
HALF_TURN: Final = 3.1415925

# What both kinds of thrusters have.
_GIMBAL_CHANGE_RATE: Final = Field(
    "Rotation speed of the gimbal; negative for instant, zero to lock the gimbal", "rad/s"
)
_MAX_GIMBAL: Final = Field(
    "Maximum angle of the gimbal",
    "rad",
    minimum=0.0,
    maximum=HALF_TURN,
    rule=Code.GIMBAL_ANGLE_OUT_OF_RANGE,
)
_GIMBAL_RATIO: Final = Field(
    "Ratio of the maximum angle in use, about both axes", rule=Code.GIMBAL_RATIO_TOO_LONG
)
_GIMBAL_ADJUST_RATIO: Final = Field(
    "Share of the gimbal used for linear movement",
    minimum=0.0,
    maximum=1.0,
    rule=Code.GIMBAL_ADJUSTMENT_OUT_OF_RANGE,
)


@dataclass(frozen=True, kw_only=True)
class VehicleBody:
    """What makes a body a vehicle; its front is +Z in glTF. Source: OMI_vehicle_body."""

    angular_activation: Vector3 = described(
        _ZERO,
        "Rotation input about each axis, -1 to 1",
        "",
        Quantity.VECTOR,
        length_rule=Code.VEHICLE_ARRAY_LENGTH_WRONG,
    )
    linear_activation: Vector3 = described(
        _ZERO,
        "Movement input along each axis, -1 to 1",
        "",
        Quantity.VECTOR,
        length_rule=Code.VEHICLE_ARRAY_LENGTH_WRONG,
    )
    gyro_torque: Vector3 = described(
        _ZERO,
        "Torque of the gyroscope about each axis",
        "N m/rad",
        Quantity.EXTENT,
        minimum=0.0,
        rule=Code.GYRO_TORQUE_NEGATIVE,
        length_rule=Code.VEHICLE_ARRAY_LENGTH_WRONG,
    )
    max_speed: float = described(
        -1.0, "Maximum speed under its own power; negative for no limit", "m/s"
    )
    pilot_seat: NodeIndex | None = described(None, "Seat of the pilot")
    angular_dampeners: bool = described(True, "Slow the rotation without rotation input")
    linear_dampeners: bool = described(True, "Slow the movement without movement input")
    use_throttle: bool = described(False, "Movement input changes a throttle that keeps its value")
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class Wheel:
    """How one kind of wheel rolls, steers and is sprung. Source: OMI_vehicle_wheel, `wheels[]`."""

    braking_force: float = described(-1.0, "Braking force; negative to use the motor's force", "N")
    max_propulsion_force: float = described(
        0.0, "Maximum force of the motor", "N", minimum=0.0, rule=Code.PROPULSION_FORCE_NEGATIVE
    )
    max_steering_angle: float = described(
        0.0,
        "Maximum steering angle",
        "rad",
        minimum=0.0,
        maximum=HALF_TURN,
        rule=Code.STEERING_ANGLE_OUT_OF_RANGE,
    )
    physics_material: MaterialIndex | None = described(None, "Friction of the tire")
    propulsion_force_change_rate: float = described(
        -1.0, "Rate of change of the motor's force; negative for instant", "N/s"
    )
    radius: float = described(
        0.25, "Radius of the wheel", "m", above=0.0, rule=Code.WHEEL_SIZE_NOT_POSITIVE
    )
    steering_change_rate: float = described(1.0, "Steering speed; negative for instant", "rad/s")
    suspension_damping_compression: float = described(
        2000.0,
        "Damping while the suspension compresses",
        "kg/s",
        above=0.0,
        rule=Code.SUSPENSION_OUT_OF_RANGE,
    )
    suspension_damping_rebound: float = described(
        2000.0,
        "Damping while the suspension extends",
        "kg/s",
        above=0.0,
        rule=Code.SUSPENSION_OUT_OF_RANGE,
    )
    suspension_stiffness: float = described(
        20000.0,
        "Stiffness of the suspension",
        "kg/s²",
        above=0.0,
        rule=Code.SUSPENSION_OUT_OF_RANGE,
    )
    suspension_travel: float = described(
        0.25, "Travel of the suspension", "m", minimum=0.0, rule=Code.SUSPENSION_OUT_OF_RANGE
    )
    target_propulsion_force_ratio: float = described(
        0.0, "Ratio of the maximum force in use, -1 to 1"
    )
    target_steering_ratio: float = described(
        0.0,
        "Ratio of the maximum angle in use; 1 is left",
        minimum=-1.0,
        maximum=1.0,
        rule=Code.STEERING_RATIO_OUT_OF_RANGE,
    )
    width: float = described(
        0.125, "Width of the wheel", "m", above=0.0, rule=Code.WHEEL_SIZE_NOT_POSITIVE
    )
    name: str = described("", "Name of the wheel settings")
    carried: Carried = ""

    @property
    def largest_brake(self) -> float:
        """The force with which it brakes at most, N."""
        return self.max_propulsion_force if self.braking_force < 0.0 else self.braking_force


@dataclass(frozen=True, kw_only=True)
class Thruster:
    """How one kind of thruster pushes. Source: OMI_vehicle_thruster, `thrusters[]`."""

    max_force: float = described(
        0.0, "Maximum force", "N", minimum=0.0, rule=Code.THRUSTER_MAX_INVALID
    )
    force_change_rate: float = described(
        -1.0, "Rate of change of the force; negative for instant", "N/s"
    )
    gimbal_change_rate: float = of(1.0, _GIMBAL_CHANGE_RATE)
    linear_gimbal_adjust_ratio: float = of(0.0, _GIMBAL_ADJUST_RATIO)
    max_gimbal: float = of(0.0, _MAX_GIMBAL)
    target_force_ratio: float = described(
        0.0, "Ratio of the maximum force in use", minimum=0.0, rule=Code.OUT_OF_BOUNDS
    )
    target_gimbal_ratio: tuple[float, float] = of((0.0, 0.0), _GIMBAL_RATIO)
    name: str = described("", "Name of the thruster settings")
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class HoverThruster:
    """How one kind of hover thruster lifts.

    Source: OMI_vehicle_hover_thruster, `hoverThrusters[]`.
    """

    max_hover_energy: float = described(
        0.0,
        "Maximum of force times distance to the ground",
        "N m",
        minimum=0.0,
        rule=Code.THRUSTER_MAX_INVALID,
    )
    gimbal_change_rate: float = of(1.0, _GIMBAL_CHANGE_RATE)
    hover_energy_change_rate: float = described(
        -1.0, "Rate of change of the energy; negative for instant", "N m/s"
    )
    linear_gimbal_adjust_ratio: float = of(0.5, _GIMBAL_ADJUST_RATIO)
    max_gimbal: float = of(0.0, _MAX_GIMBAL)
    target_hover_ratio: float = described(
        0.0, "Ratio of the maximum energy in use", minimum=0.0, rule=Code.OUT_OF_BOUNDS
    )
    target_gimbal_ratio: tuple[float, float] = of((0.0, 0.0), _GIMBAL_RATIO)
    name: str = described("", "Name of the hover thruster settings")
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class WheelPart:
    """A wheel on a node. Source: OMI_vehicle_wheel on the node."""

    wheel: WheelIndex | None = described(
        None, "Settings of the wheel", rule=Code.INDEX_BEYOND_ARRAY
    )
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class ThrusterPart:
    """A thruster on a node. Source: OMI_vehicle_thruster on the node."""

    thruster: ThrusterIndex | None = described(
        None, "Settings of the thruster", rule=Code.INDEX_BEYOND_ARRAY
    )
    carried: Carried = ""


@dataclass(frozen=True, kw_only=True)
class HoverThrusterPart:
    """A hover thruster on a node. Source: OMI_vehicle_hover_thruster on the node."""

    hover_thruster: HoverThrusterIndex | None = described(
        None, "Settings of the hover thruster", rule=Code.INDEX_BEYOND_ARRAY
    )
    carried: Carried = ""
