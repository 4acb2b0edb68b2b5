"""The body of a vehicle, and who drives it."""

from __future__ import annotations

from typing import Any

from mathutils import Vector

from ...base import groups
from ...base.hierarchy import Children
from .. import starting_values
from ..following import body_masses


def start_vehicle(obj: Any, mass: float, children: Children) -> None:
    """Make a vehicle a dynamic body if it is none, and its only seat that of the pilot.

    Args:
        mass: of one that becomes a body, kg; zero for a guess.
    """
    group = groups.of_object(obj)
    if not group.use_motion:
        group.use_motion = True
        group.motion.type = "DYNAMIC"
        group.motion.mass = mass or starting_values.guess_mass(obj)
    take_pilot_seat(obj, children)


def center_of(scene: Any, vehicle: Any) -> Vector:
    """The center of mass of a vehicle in its own space; OMI engines take the origin for none."""
    motion = groups.of_object(vehicle).motion
    if motion.center_of_mass_mode == "SHAPES":
        found = body_masses.of_body(scene, vehicle)
        return Vector((0.0, 0.0, 0.0) if found is None else found.center)
    return Vector(motion.center_of_mass if motion.center_of_mass_mode == "VALUE" else (0, 0, 0))


def take_pilot_seat(vehicle: Any, children: Children) -> bool:
    """Whether a vehicle without a pilot's seat took the only seat below it."""
    group = groups.of_object(vehicle).vehicle_body
    seats = starting_values.parts_below(vehicle, "seat", children)
    if group.pilot_seat is not None or len(seats) != 1 or not groups.can_change(vehicle):
        return False
    group.pilot_seat = seats[0]
    vehicle.update_tag(refresh={"OBJECT", "DATA"})
    return True
