"""What the kinds of vehicles start with, and the parts that move those without wheels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from mathutils import Matrix, Vector

from ...base import groups
from ...base.hierarchy import new_empty, unscaled
from .. import starting_values
from ..wheel_makers import keep_place

_INSET: Final = 0.8  # Of half the size, where hover thrusters are.
_HOVER: Final = 0.12  # Height at which hovercraft float, of their length.
_FORWARD: Final = Vector((0.0, -1.0, 0.0))


@dataclass(frozen=True, kw_only=True)
class VehicleKind:
    """Numbers of a kind of vehicle, each for every kilogram, so that they suit any size.

    Attributes:
        density: of the box around it, kg/m³.
        drive: which wheels are driven, FRONT, REAR or ALL; empty for a vehicle without wheels.
        steering: of the front wheels, rad.
        push: acceleration forward, m/s².
        brake: the same to stop.
        aside: the same of thrusters to all other sides; zero for none of these.
        balance: torque of the gyroscope that keeps it upright, of what its weight has when it
            leans.
        turning: acceleration by the gyroscope about each axis, rad/s².
        gimbal: largest angle of its main thruster, rad.
        hovers, use_throttle, use_dampeners: whether it does so.
    """

    density: float
    drive: str = ""
    steering: float = 0.0
    push: float
    brake: float = 0.0
    aside: float = 0.0
    balance: float = 0.0
    turning: float = 0.0
    gimbal: float = 0.0
    hovers: bool = False
    use_throttle: bool = False
    use_dampeners: bool = True


KINDS: Final = {
    "CAR": VehicleKind(
        density=150.0, drive="REAR", steering=math.radians(35.0), push=5.0, brake=8.0
    ),
    "TRUCK": VehicleKind(
        density=180.0, drive="REAR", steering=math.radians(40.0), push=2.5, brake=6.0
    ),
    "MOTORCYCLE": VehicleKind(
        density=200.0, drive="REAR", steering=math.radians(30.0), push=5.0, brake=7.0, balance=2.5
    ),
    "HOVERCRAFT": VehicleKind(density=60.0, push=4.0, brake=3.0, turning=1.5, hovers=True),
    "ROCKET": VehicleKind(
        density=200.0,
        push=20.0,
        turning=0.5,
        gimbal=math.radians(5.0),
        use_throttle=True,
        use_dampeners=False,
    ),
    "SPACESHIP": VehicleKind(density=100.0, push=15.0, brake=10.0, aside=12.0, turning=1.5),
}


def kind_of_wheels(count: int, length: float) -> str:
    """What a vehicle with so many wheels and of such a length, m, usually is."""
    if count <= 2:
        return "MOTORCYCLE"
    return "TRUCK" if count > 4 or length > 6.0 else "CAR"


@dataclass(frozen=True)
class Hull:
    """The box around a vehicle in its own axes, m."""

    low: Vector
    high: Vector

    @property
    def size(self) -> Vector:
        """Along each axis."""
        return self.high - self.low

    @property
    def length(self) -> float:
        """Along the axis where it is longest."""
        return max(self.size.x, self.size.y, self.size.z)

    def at(self, x: float, y: float, z: float) -> Vector:
        """A place in it; -1 and 1 are its sides."""
        half, middle = self.size / 2.0, (self.low + self.high) / 2.0
        return middle + Vector((x * half.x, y * half.y, z * half.z))

    def mass(self, density: float) -> float:
        """Of a vehicle of such a density, kg, in two digits."""
        x, y, z = self.size
        return float(f"{max(density * x * y * z, 1.0):.2g}")


def set_body(vehicle: Any, kind: VehicleKind, mass: float, hull: Hull, gravity: float) -> None:
    """Let the gyroscope turn a vehicle or hold it upright, and say how it is driven."""
    body = groups.of_object(vehicle).vehicle_body
    x, y, z = hull.size
    moments = (y * y + z * z, x * x + z * z, x * x + y * y)
    torque = [kind.turning * mass / 12.0 * moment for moment in moments]
    torque[1] += kind.balance * mass * gravity * z / 2.0
    body.gyro_torque = [float(f"{value:.4g}") for value in torque]
    body.use_throttle = kind.use_throttle
    body.linear_dampeners = kind.use_dampeners


def add_thrusters(
    vehicle: Any,
    place: Matrix,
    kind: VehicleKind,
    mass: float,
    hull: Hull,
    center: Vector,
    gravity: float,
) -> list[Any]:
    """The empties that push a vehicle without wheels, below it, so that it does not turn.

    Args:
        place: of the vehicle in the world; it may be so new that Blender does not know it.
        center: of mass, in the axes of the hull.
    """
    made: list[Any] = []
    for name, spot, push, force in _pushes(kind, hull, center):
        obj = _empty(vehicle, place, name, spot, push)
        group = groups.of_object(obj)
        group.use_thruster = True
        group.thruster.max_force = force * mass
        if push == _FORWARD:
            group.thruster.max_gimbal = kind.gimbal
        made.append(obj)
    if kind.hovers:
        made += _hovering(vehicle, place, mass, hull, center, gravity)
    return made


def _pushes(
    kind: VehicleKind, hull: Hull, center: Vector
) -> Iterator[tuple[str, Vector, Vector, float]]:
    """Name, place, direction and acceleration of each thruster, in the axes of the vehicle."""
    yield "Main Thruster", _behind(hull, center, -_FORWARD), _FORWARD, kind.push
    if kind.brake:
        yield "Front Thruster", _behind(hull, center, _FORWARD), -_FORWARD, kind.brake
    if kind.aside:
        for name, side in (
            ("Right", Vector((-1.0, 0.0, 0.0))),
            ("Left", Vector((1.0, 0.0, 0.0))),
            ("Upper", Vector((0.0, 0.0, 1.0))),
            ("Lower", Vector((0.0, 0.0, -1.0))),
        ):
            yield f"{name} Thruster", _behind(hull, center, side), -side, kind.aside


def _behind(hull: Hull, center: Vector, side: Vector) -> Vector:
    """The place at a side of a hull from which a push goes through the center of mass."""
    edge = hull.at(*side)
    return center + (edge - center).dot(side) * side


def _around(hull: Hull, center: Vector) -> Hull:
    """The part of a hull that goes as far to both sides of the center of mass."""
    low, high = hull.low.copy(), hull.high.copy()
    for axis in range(3):
        reach = min(center[axis] - low[axis], high[axis] - center[axis])
        if reach > 0.0:
            low[axis], high[axis] = center[axis] - reach, center[axis] + reach
    return Hull(low, high)


def _hovering(
    vehicle: Any, place: Matrix, mass: float, hull: Hull, center: Vector, gravity: float
) -> list[Any]:
    made: list[Any] = []
    level = _around(hull, center)
    for front, y in (("Front", -_INSET), ("Rear", _INSET)):
        for side, x in (("Right", -_INSET), ("Left", _INSET)):
            spot = level.at(x, y, -1.0)
            spot.z = hull.low.z
            obj = _empty(vehicle, place, f"{front} {side} Hover", spot, Vector((0.0, 0.0, 1.0)))
            groups.of_object(obj).use_hover_thruster = True
            made.append(obj)
    height = max(_HOVER * hull.length, 0.05)
    sharing = starting_values.Sharing("hover_thruster", mass * gravity, gravity, height)
    sharing.divide(made, made)
    return made


def _empty(vehicle: Any, place: Matrix, name: str, spot: Vector, push: Vector) -> Any:
    """A new empty below a vehicle that pushes along its own -Y."""
    obj = new_empty(f"{vehicle.name} {name}", vehicle.users_collection, "ARROWS", 0.3)
    turn = _FORWARD.rotation_difference(push)
    keep_place(obj, vehicle, place, unscaled(place) @ Matrix.LocRotScale(spot, turn, None))
    return obj
