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
                subject.add(
                    Code.SEAT_WITHOUT_TRIGGER,
                    i,
                    "without a trigger only code can put a character on it",
                )
    _check_settings(subject)


def _check_vehicle(
    subject: Subject, i: int, vehicle: VehicleBody, parts: Sequence[NodePhysics]
) -> None:
    motion = subject.motion(i)
    if motion is None:
        subject.add(Code.VEHICLE_WITHOUT_BODY, i, "a vehicle must be a body")
    elif motion.type != "dynamic":
        subject.add(
            Code.VEHICLE_NOT_DYNAMIC, i, f"a {motion.type} vehicle is not moved by its parts"
        )
    activation = (*vehicle.angular_activation, *vehicle.linear_activation)
    if max(map(abs, activation)) > 1.0:
        subject.add(
            Code.ACTIVATION_OUT_OF_RANGE, i, "readers do what they like with an activation beyond 1"
        )
    elif any(activation):
        subject.add(Code.ACTIVATION_AT_START, i, "it drives off by itself")
    if vehicle.max_speed == 0.0:
        subject.add(Code.VEHICLE_MAX_SPEED_ZERO, i, "it cannot drive itself; -1 is for any speed")
    if not parts and not any(vehicle.gyro_torque):
        subject.add(Code.VEHICLE_WITHOUT_PROPULSION, i, "no gyroscope, wheel or thruster moves it")
    elif vehicle.use_throttle and not any(_propels(subject, part) for part in parts):
        subject.add(Code.THROTTLE_DRIVES_NOTHING, i, "no wheel or thruster of it has a force")
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
        subject.add(Code.PILOT_SEAT_NO_SEAT, i, f"its pilot seat {subject.place(seat)} is no seat")
        return
    if i not in subject.tree.upward(seat):
        why = f"its pilot sits on {subject.place(seat)}, which is not below it: a remote control"
        subject.add(Code.PILOT_SEAT_OUTSIDE, i, why)
    ahead = [knee - back for knee, back in zip(physics.seat.knee, physics.seat.back, strict=True)]
    world = subject.tree.world(seat)
    legs = [sum(ahead[k] * world[4 * k + row] for k in range(3)) for row in range(3)]
    if _cosine(legs, subject.tree.world(i)[8:11]) < _SAME_WAY:
        subject.add(
            Code.PILOT_SEAT_NOT_FORWARD,
            i,
            f"the legs on its seat {subject.place(seat)} do not point ahead",
        )


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Cosine of the angle between two vectors; 1 where one of them is zero."""
    length = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / length if length else 1.0


def _check_part(subject: Subject, i: int, physics: NodePhysics) -> None:
    vehicle = subject.vehicle_of(i)
    if vehicle is None:
        subject.add(
            Code.VEHICLE_PART_WITHOUT_VEHICLE, i, "without a vehicle above it nothing drives it"
        )
    elif vehicle == i:
        subject.add(
            Code.VEHICLE_PART_ON_VEHICLE, i, "it needs an object of its own below the vehicle"
        )
    elif (body := subject.body_of(i)) not in (None, vehicle) and subject.tree.is_below(
        body, vehicle
    ):
        subject.add(
            Code.VEHICLE_PART_OF_OTHER_BODY,
            i,
            f"its force acts on {subject.place(body)}, not on the vehicle",
        )
    if subject.scale(i) is not None:
        subject.add(
            Code.VEHICLE_PART_SCALED, i, "its sizes are in metres whatever its scale; apply it"
        )
    if physics.wheel is None or vehicle is None or vehicle == i:
        return
    axle, across = subject.tree.world(i)[:3], subject.tree.world(vehicle)[:3]
    if abs(_cosine(axle, across)) < _SAME_WAY:
        subject.add(
            Code.WHEEL_AXLE_NOT_ACROSS,
            i,
            "its X axis is the axle, which must be across the vehicle",
        )


def _check_seat(subject: Subject, i: int, seat: Seat) -> None:
    thigh = [a - b for a, b in zip(seat.knee, seat.back, strict=True)]
    shin = [a - b for a, b in zip(seat.foot, seat.knee, strict=True)]
    lengths = math.hypot(*thigh), math.hypot(*shin)
    (a, b, c), (d, e, f) = thigh, shin
    across = math.hypot(b * f - c * e, c * d - a * f, a * e - b * d)
    if across <= _ON_A_LINE * lengths[0] * lengths[1]:
        subject.add(
            Code.SEAT_POINTS_ON_LINE,
            i,
            "back, knee and foot are on a line, so the sides are not known",
        )
    size = max(math.dist(seat.back, seat.foot), *lengths)
    if not _SMALL <= size <= _LARGE:
        subject.add(Code.SEAT_SIZE_UNUSUAL, i, f"it is made for legs of {size:g} m")
    if not 0.0 < seat.angle <= math.pi:
        subject.add(
            Code.SEAT_ANGLE_UNUSUAL, i, f"an angle of {seat.angle:g} rad is no angle of a spine"
        )
    if subject.scale(i) is not None:
        subject.add(Code.SEAT_SCALED, i, "its points move with the scale; apply it")


def _check_settings(subject: Subject) -> None:
    for kind, name in (("thrusters", "max_force"), ("hover_thrusters", "max_hover_energy")):
        users = _users(subject, kind.removesuffix("s"))
        for k, settings in enumerate(getattr(subject.document, kind)):
            for i in users.get(k, ()):
                if getattr(settings, name) == 0.0:
                    subject.add(Code.THRUSTER_MAX_ZERO, i, "it has no force, so it does nothing")
                if settings.gimbal_change_rate == 0.0 and settings.max_gimbal > 0.0:
                    subject.add(
                        Code.GIMBAL_CANNOT_TURN, i, "its gimbal has a range and a speed of 0"
                    )

    users = _users(subject, "wheel")
    for k, wheel in enumerate(subject.document.wheels):
        if wheel.braking_force < 0.0:
            for i in users.get(k, ()):
                why = f"without a braking force it brakes with {wheel.max_propulsion_force:g} N"
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
