"""The handles of wheels, thrusters, seats, gravity volumes and centers of mass."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from mathutils import Matrix, Vector

from ....axes import points_to_blender
from ..marks import AXES, rigid
from .handle import Field, Handle, Space

_SMALLEST: Final = 1e-3  # Of a size that was pulled.
_FAN: Final = 1.25  # Radius of the fan of a wheel that steers, as a part of its own.
_CONE: Final = 0.8  # Length of the cone of a gimbal, as a part of the symbol size.
_X: Final = Vector((1.0, 0.0, 0.0))
_UP: Final = Vector((0.0, 0.0, 1.0))
_FRONT: Final = Vector((0.0, -1.0, 0.0))


def wheel_handles(obj: Any, group: Any, _size: float) -> Iterator[Handle]:
    """Radius, width, travel of the suspension, and how far it steers."""
    wheel = group.wheel
    space = Space(rigid(obj.matrix_world))
    radius = Field(wheel, "radius")
    back = _FRONT * -radius.read()
    yield space.along("wheel radius", "Radius", [radius], back, -_FRONT, least=_SMALLEST)
    width = Field(wheel, "width")
    side = _X * (width.read() / 2.0)
    yield space.along("wheel width", "Width", [width], side, _X / 2.0, least=_SMALLEST)
    travel = Field(wheel, "suspension_travel")
    top = _UP * travel.read()
    yield space.along("wheel travel", "Suspension Travel", [travel], top, _UP, least=0.0)
    steering = Field(wheel, "max_steering_angle")
    zero = _FRONT * (_FAN * radius.read())
    yield _turned("wheel steering", "Max Steering Angle", steering, space, zero)


def thruster_handles(obj: Any, group: Any, size: float) -> Iterator[Handle]:
    """How far the thrust can turn.

    Args:
        size: of its symbol, m.
    """
    yield _gimbal("thruster gimbal", obj, group.thruster, size)


def hover_thruster_handles(obj: Any, group: Any, size: float) -> Iterator[Handle]:
    """How far the thrust can turn.

    Args:
        size: of its symbol, m.
    """
    yield _gimbal("hover gimbal", obj, group.hover_thruster, size)


def _gimbal(key: str, obj: Any, thruster: Any, size: float) -> Handle:
    gimbal, space = Field(thruster, "max_gimbal"), Space(rigid(obj.matrix_world))
    return _turned(key, "Max Gimbal", gimbal, space, _FRONT * (_CONE * size))


def _turned(key: str, label: str, field: Field, space: Space, zero: Vector) -> Handle:
    """A handle on the left side of a fan about Z, which is not drawn where it is shut."""
    value = field.read()
    place = Matrix.Rotation(value, 3, _UP) @ zero
    more: dict[str, Any] = {"least": 0.0, "most": math.pi, "locked": value <= 0.0}
    return space.about(key, label, [field], place, _UP, **more)


def seat_handles(obj: Any, group: Any, _size: float) -> Iterator[Handle]:
    """Arrows that move the three points in the middle of a seat, and one that leans the back."""
    seat = group.seat
    space = Space(obj.matrix_world)
    for name in ("back", "knee", "foot"):
        yield from space.arrows(f"seat {name}", name.title(), seat, name, axes=(1, 2))
    found = _spine(seat)
    if found is not None:
        end, right = found
        yield space.about(
            "seat angle", "Angle", [Field(seat, "angle")], end, right, seat.back, least=0.0
        )


def _spine(seat: Any) -> tuple[Vector, Vector] | None:
    """Where the back of a figure ends, and about what it leans; None where nobody can sit."""
    from ....geometry.lines import seat_lines
    from ....model.seats import Seat
    from ...scene import property_records

    frame = seat_lines.seat_frame(property_records.read(seat, Seat, AXES))
    if frame is None:
        return None
    _, right, spine = (Vector(points_to_blender(way[None])[0]) for way in frame)
    back = Vector(seat.back)
    return back + spine * (Vector(seat.knee) - back).length, right


def gravity_handles(obj: Any, group: Any, _size: float) -> Iterator[Handle]:
    """What attracts, and the distance at which it pulls as much as it says."""
    gravity = group.gravity
    space = Space(obj.matrix_world)
    kind = gravity.type
    if kind == "LINE" and gravity.line.curve is None:
        yield from _line_handles(gravity.line, space)
    if kind not in ("POINT", "DISC", "TORUS"):
        return
    field = getattr(gravity, kind.lower())
    rim = 0.0
    if kind != "POINT":
        radius = Field(field, "radius")
        rim = radius.read()
        yield space.along("gravity radius", "Radius", [radius], _X * rim, _X, least=0.0)
    reach = Field(field, "unit_distance")
    way = _UP if kind == "DISC" else _X
    place = way * reach.read() + (_X * rim if kind == "TORUS" else Vector())
    # At zero the pull is the same everywhere.
    more: dict[str, Any] = {"least": _SMALLEST, "locked": reach.read() <= 0.0}
    yield space.along("gravity reach", "Unit Distance", [reach], place, way, **more)


def _line_handles(line: Any, space: Space) -> Iterator[Handle]:
    """Arrows that move the active point, and dots that make another one active."""
    for index, point in enumerate(line.points):
        if index == line.points_index:
            name = f"Point {index + 1}"
            yield from space.arrows(f"point {index}", name, point, "location")
        else:
            field = Field(line, "points_index")
            more = {"form": "DOT", "value": float(index)}
            yield space.along(
                f"point {index}", "Active Point", [field], point.location, _UP, **more
            )


def mass_handles(obj: Any, group: Any, _size: float) -> Iterator[Handle]:
    """Arrows that move a center of mass that is given."""
    motion = group.motion
    if motion.type != "STATIC" and motion.center_of_mass_mode == "VALUE":
        space = Space(obj.matrix_world)
        yield from space.arrows("mass", "Center of Mass", motion, "center_of_mass")
