"""Rules about vehicles, their parts, and seats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from ...issue_codes import Code
from ...model.document import NodePhysics
from ...model.seats import Seat
from ...model.vehicles import VehicleBody
from .subject import Subject

_VEHICLE_PARTS: Final = ("wheel", "thruster", "hover_thruster")
_SAME_WAY: Final = 0.7  # Cosine of the angle up to which two directions count as the same.
_ON_A_LINE: Final = 1e-3  # Sine of the smallest angle between back, knee and foot.
_LARGE: Final = 3.0  # Sizes of a seat, m.
_SMALL: Final = 0.1


def check(subject: Subject) -> None:
    """Look at every vehicle, part and seat."""
    parts = _parts_by_vehicle(subject)
    for i, physics in subject.having("vehicle_body", *_VEHICLE_PARTS, "seat"):
        if physics.vehicle_body is not None:
            _check_vehicle(subject, i, physics.vehicle_body, parts.get(i, []))
        if any(getattr(physics, part) is not None for part in _VEHICLE_PARTS):
            _check_part(subject, i, physics)
        if physics.seat is not None:
            _check_seat(subject, i, physics.seat)
            if physics.trigger is None:
                why = (
                    "the seat has no trigger, so only code can put a character on it; add a "
                    "trigger to enter it"
                )
                subject.add(Code.SEAT_WITHOUT_TRIGGER, i, why)
    _check_settings(subject)


def _check_vehicle(
    subject: Subject, i: int, vehicle: VehicleBody, parts: Sequence[NodePhysics]
) -> None:
    motion = subject.motion(i)
    if motion is None:
        why = "the vehicle has no body, so nothing can move it; make it a dynamic body"
        subject.add(Code.VEHICLE_WITHOUT_BODY, i, why)
    elif motion.type != "dynamic":
        why = (
            f"the vehicle's body is {motion.type}, so wheels and thrusters cannot move "
            "it; make it dynamic"
        )
        subject.add(Code.VEHICLE_NOT_DYNAMIC, i, why)
    activation = (*vehicle.angular_activation, *vehicle.linear_activation)
    if max(map(abs, activation)) > 1.0:
        why = "an activation is outside -1 to 1, and engines clamp it or not; set it from -1 to 1"
        subject.add(Code.ACTIVATION_OUT_OF_RANGE, i, why)
    elif any(activation):
        why = (
            "an activation is set at the start, so the vehicle drives off by itself; set it "
            "to 0 to prevent that"
        )
        subject.add(Code.ACTIVATION_AT_START, i, why)
    if vehicle.max_speed == 0.0:
        why = (
            "the maximum speed is 0, so the vehicle cannot drive; raise it, or set -1 for no limit"
        )
        subject.add(Code.VEHICLE_MAX_SPEED_ZERO, i, why)
    if not parts and not any(vehicle.gyro_torque):
        why = "the vehicle has no gyroscope, wheel or thruster, so nothing moves it; add one"
        subject.add(Code.VEHICLE_WITHOUT_PROPULSION, i, why)
    elif vehicle.use_throttle and not any(_propels(subject, part) for part in parts):
        why = (
            "the vehicle uses a throttle, but no wheel or thruster has a force, so it cannot "
            "drive; set a force"
        )
        subject.add(Code.THROTTLE_DRIVES_NOTHING, i, why)
    if vehicle.pilot_seat is not None:
        _check_pilot(subject, i, vehicle.pilot_seat)


def _parts_by_vehicle(subject: Subject) -> dict[int | None, list[NodePhysics]]:
    """The wheels and thrusters of each vehicle."""
    found: dict[int | None, list[NodePhysics]] = {}
    for i, physics in subject.having(*_VEHICLE_PARTS):
        found.setdefault(subject.vehicle_of(i), []).append(physics)
    return found


def _propels(subject: Subject, physics: NodePhysics) -> bool:
    document = subject.document
    if physics.wheel is not None and physics.wheel.wheel is not None:
        return document.wheels[physics.wheel.wheel].max_propulsion_force > 0.0
    if physics.thruster is not None and physics.thruster.thruster is not None:
        return document.thrusters[physics.thruster.thruster].max_force > 0.0
    return physics.hover_thruster is not None


def _check_pilot(subject: Subject, i: int, seat: int) -> None:
    physics = subject.document.nodes.get(seat)
    if physics is None or physics.seat is None:
        why = (
            f"the pilot seat {subject.place(seat)} has no seat on it, so no pilot can enter; "
            "choose another node, or add a seat"
        )
        subject.add(Code.PILOT_SEAT_NO_SEAT, i, why)
        return
    if i not in subject.tree.upward(seat):
        why = (
            f"the pilot seat {subject.place(seat)} is not below the vehicle, so it acts as "
            "remote control and does not move along"
        )
        subject.add(Code.PILOT_SEAT_OUTSIDE, i, why)
    ahead = [knee - back for knee, back in zip(physics.seat.knee, physics.seat.back, strict=True)]
    world = subject.tree.world(seat)
    legs = [sum(ahead[k] * world[4 * k + row] for k in range(3)) for row in range(3)]
    if _cosine(legs, subject.tree.world(i)[8:11]) < _SAME_WAY:
        why = (
            f"the pilot seat {subject.place(seat)} does not face the front of the vehicle, so "
            "its controls may be turned; turn the seat"
        )
        subject.add(Code.PILOT_SEAT_NOT_FORWARD, i, why)


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Cosine of the angle between two vectors; 1 where one of them is zero."""
    length = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / length if length else 1.0


def _check_part(subject: Subject, i: int, physics: NodePhysics) -> None:
    vehicle = subject.vehicle_of(i)
    if vehicle is None:
        why = "the part has no vehicle above it, so nothing drives it; parent it to a vehicle"
        subject.add(Code.VEHICLE_PART_WITHOUT_VEHICLE, i, why)
    elif vehicle == i:
        why = (
            "the part is on the vehicle's own node, which importers ignore; move it to a child node"
        )
        subject.add(Code.VEHICLE_PART_ON_VEHICLE, i, why)
    elif (body := subject.body_of(i)) not in (None, vehicle) and subject.tree.is_below(
        body, vehicle
    ):
        why = (
            f"the part is below the body {subject.place(body)}, so its force acts there and "
            "not on the vehicle; parent it to the vehicle"
        )
        subject.add(Code.VEHICLE_PART_OF_OTHER_BODY, i, why)
    if subject.scale(i) is not None:
        why = "the part is scaled, but its sizes are in meters and do not scale; apply the scale"
        subject.add(Code.VEHICLE_PART_SCALED, i, why)
    if physics.wheel is None or vehicle is None or vehicle == i:
        return
    axle, across = subject.tree.world(i)[:3], subject.tree.world(vehicle)[:3]
    if abs(_cosine(axle, across)) < _SAME_WAY:
        why = (
            "the wheel's X axis is its axle, and it does not point across the vehicle; turn "
            "the wheel"
        )
        subject.add(Code.WHEEL_AXLE_NOT_ACROSS, i, why)


def _check_seat(subject: Subject, i: int, seat: Seat) -> None:
    thigh = [a - b for a, b in zip(seat.knee, seat.back, strict=True)]
    shin = [a - b for a, b in zip(seat.foot, seat.knee, strict=True)]
    lengths = math.hypot(*thigh), math.hypot(*shin)
    (a, b, c), (d, e, f) = thigh, shin
    across = math.hypot(b * f - c * e, c * d - a * f, a * e - b * d)
    if across <= _ON_A_LINE * lengths[0] * lengths[1]:
        why = (
            "the back, knee and foot of the seat are on one line, so left and right are "
            "undefined; move a point"
        )
        subject.add(Code.SEAT_POINTS_ON_LINE, i, why)
    size = max(math.dist(seat.back, seat.foot), *lengths)
    if not _SMALL <= size <= _LARGE:
        why = (
            f"the seat fits legs of {size:g} m, which is unusual for a person; check the "
            "points and the units"
        )
        subject.add(Code.SEAT_SIZE_UNUSUAL, i, why)
    if not 0.0 < seat.angle <= math.pi:
        why = (
            f"the seat's spine angle of {seat.angle:g} rad is not between 0 and half a "
            "turn; check the angle and its unit"
        )
        subject.add(Code.SEAT_ANGLE_UNUSUAL, i, why)
    if subject.scale(i) is not None:
        why = (
            "the seat is scaled, so its points move and may not fit the character; apply the scale"
        )
        subject.add(Code.SEAT_SCALED, i, why)


def _check_settings(subject: Subject) -> None:
    for kind, name in (("thrusters", "max_force"), ("hover_thrusters", "max_hover_energy")):
        users = _users(subject, kind.removesuffix("s"))
        for k, settings in enumerate(getattr(subject.document, kind)):
            for i in users.get(k, ()):
                if getattr(settings, name) == 0.0:
                    why = "the thruster's maximum force is 0, so it does nothing; set a force"
                    subject.add(Code.THRUSTER_MAX_ZERO, i, why)
                if settings.gimbal_change_rate == 0.0 and settings.max_gimbal > 0.0:
                    why = (
                        "the gimbal can turn but its change rate is 0, so it stays as it "
                        "starts; raise the rate, or -1 for instant"
                    )
                    subject.add(Code.GIMBAL_CANNOT_TURN, i, why)

    users = _users(subject, "wheel")
    for k, wheel in enumerate(subject.document.wheels):
        if wheel.braking_force < 0.0:
            for i in users.get(k, ()):
                why = (
                    "no braking force is set, so the wheel brakes with the motor's "
                    f"{wheel.max_propulsion_force:g} N; set one if that is not meant"
                )
                subject.add(Code.WHEEL_BRAKES_BY_MOTOR, i, why)


def _users(subject: Subject, part: str) -> dict[int, list[int]]:
    """The nodes with a kind of part, by the settings they use."""
    found: dict[int, list[int]] = {}
    for i, physics in subject.having(part):
        value = getattr(physics, part)
        index = None if value is None else getattr(value, part)
        if index is not None:
            found.setdefault(index, []).append(i)
    return found
