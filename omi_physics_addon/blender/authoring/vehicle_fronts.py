"""Lets a vehicle drive where its chassis looks: its front is -Y, as glTF has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import bpy
from mathutils import Matrix, Quaternion, Vector

from ..base import groups
from ..base.hierarchy import new_empty
from .wheel_makers import count_askew, keep_place

OWN: Final = "-Y"
# Axis of the chassis → how its vehicle is turned about Z for that to be its front, rad.
_TURNS: Final = {OWN: 0.0, "+X": 0.5 * math.pi, "+Y": math.pi, "-X": -0.5 * math.pi}
_PARTS: Final = ("motion", "vehicle_body")
_VECTORS: Final = ("center_of_mass", "linear_velocity", "angular_velocity")


def front_of_axles(chassis: Any, wheels: Sequence[Any], depsgraph: bpy.types.Depsgraph) -> str:
    """The axis that a chassis drives along, found from the axles of its wheels."""
    turn = chassis.matrix_world.to_quaternion()
    askew = {front: count_askew(wheels, turn @ turn_of(front), depsgraph) for front in (OWN, "+X")}
    return "+X" if askew["+X"] < askew[OWN] else OWN


def turn_of(front: str) -> Quaternion:
    """How a vehicle is turned in its chassis, of which an axis is to be the front."""
    return Quaternion((0.0, 0.0, 1.0), _TURNS[front])


def turned_vehicle(chassis: Any, turn: Quaternion) -> tuple[Any, Matrix]:
    """A new empty above a chassis that is the vehicle in its place, and its place in the world.

    Mesh, modifiers, children and parents of the chassis stay as and where they are.

    Args:
        turn: of the vehicle in the chassis.
    """
    old = chassis.matrix_world.copy()
    place = Matrix.LocRotScale(old.to_translation(), old.to_quaternion() @ turn, (1.0, 1.0, 1.0))
    size = 0.5 * max(chassis.dimensions) or 1.0
    vehicle = new_empty(f"{chassis.name} Vehicle", chassis.users_collection, "ARROWS", size)
    above = chassis.parent
    if above is None:
        vehicle.matrix_world = place
    else:
        keep_place(vehicle, above, above.matrix_world, place)
    keep_place(chassis, vehicle, place, old)
    _move_parts(chassis, vehicle, turn)
    return vehicle, place


def _move_parts(chassis: Any, vehicle: Any, turn: Quaternion) -> None:
    """Make the vehicle the body that the chassis was."""
    source, target = groups.of_object(chassis), groups.of_object(vehicle)
    for part in _PARTS:
        if getattr(source, f"use_{part}"):
            groups.copy_group(getattr(source, part), getattr(target, part))
            setattr(target, f"use_{part}", True)
        source.property_unset(part)
        source.property_unset(f"use_{part}")
    motion, back = target.motion, turn.inverted()
    scale = chassis.matrix_world.to_scale()
    for name in _VECTORS:
        if motion.is_property_set(name):
            factors = scale if name == "center_of_mass" else (1.0, 1.0, 1.0)
            value = [a * b for a, b in zip(getattr(motion, name), factors, strict=True)]
            setattr(motion, name, back @ Vector(value))
    if motion.inertia_mode == "VALUE":
        motion.inertia_orientation = back @ Quaternion(motion.inertia_orientation)
