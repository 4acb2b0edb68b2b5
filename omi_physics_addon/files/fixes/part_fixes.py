"""Fixes of gravity, vehicles, their parts, seats, and lists that nothing uses."""

from __future__ import annotations

import dataclasses
import math
from typing import Final

from ...codec.omi import omi_seat
from ...issue_codes import Code
from ...model.bodies import ZERO, Trigger
from ...model.fields import NodeIndex, ShapeIndex
from ...model.gravity import TYPES, WORDS, DirectionalGravity, LineGravity
from ...model.seats import Seat
from ...model.shapes import Box, Shape
from .fix import Fix, Patient, dropping, setting, without

_PARTS: Final = ("wheel", "thruster", "hover_thruster")
_TEMPLATE: Final = Seat(back=(0.0, 0.0, 0.0), knee=(0.0, 0.0, 0.5), foot=(0.0, -0.5, 0.5))


def _add_trigger(patient: Patient, node: int) -> bool:
    if patient.draft.of(node).trigger is not None:
        return False
    shape = ShapeIndex(patient.draft.add("shapes", Shape(geometry=Box())))
    patient.draft.change(node, trigger=Trigger(shape=shape))
    return True


def _gravity_to_child(patient: Patient, node: int) -> bool:
    physics = patient.draft.of(node)
    new = patient.new_child(node, "gravity")
    patient.draft.change(new, gravity=physics.gravity, trigger=physics.trigger)
    patient.draft.change(node, gravity=None, trigger=None)
    return True


def _gravity_up(patient: Patient, node: int) -> bool:
    draft = patient.draft
    for at in patient.users("nodes", node):
        physics = draft.of(at)
        if physics.trigger is not None and node in physics.trigger.nodes:
            if physics.gravity is None:
                draft.change(at, gravity=draft.of(node).gravity)
            draft.change(node, gravity=None)
            return True
    return False


def _own_object_only(patient: Patient, node: int) -> bool:
    gravity = patient.draft.of(node).gravity
    if gravity is None:
        return False
    others = [word for word in TYPES if word != WORDS.get(type(gravity.field))]
    patient.draft.change(node, gravity=without(gravity, *others))
    return True


def _directional(patient: Patient, node: int) -> bool:
    gravity = patient.draft.of(node).gravity
    if gravity is None:
        return False
    gravity = dataclasses.replace(without(gravity, "type"), field=DirectionalGravity())
    patient.draft.change(node, gravity=gravity)
    return True


def _no_repeats(patient: Patient, node: int) -> bool:
    gravity = patient.draft.of(node).gravity
    if gravity is None or not isinstance(gravity.field, LineGravity):
        return False
    points = gravity.field.points
    left = [p for k, p in enumerate(points) if not k or p != points[k - 1]]
    if len(left) < 2:
        return False
    field = dataclasses.replace(gravity.field, points=tuple(left))
    return patient.change(node, "gravity", field=field)


def _later(patient: Patient, node: int) -> bool:
    gravity = patient.draft.of(node).gravity
    if gravity is None:
        return False
    return patient.change(node, "gravity", priority=patient.free_priority(gravity.priority))


def _no_world(patient: Patient, _at: int) -> bool:
    patient.draft.document.world_gravity = None
    return True


def _clamped(patient: Patient, node: int) -> bool:
    body = patient.draft.of(node).vehicle_body
    if body is None:
        return False
    angular, linear = (
        tuple(min(1.0, max(-1.0, value)) for value in vector)
        for vector in (body.angular_activation, body.linear_activation)
    )
    return patient.change(
        node, "vehicle_body", angular_activation=angular, linear_activation=linear
    )


def _parts_to_child(patient: Patient, node: int) -> bool:
    physics = patient.draft.of(node)
    found = {part: getattr(physics, part) for part in _PARTS if getattr(physics, part)}
    patient.draft.change(patient.new_child(node, "part"), **found)
    patient.draft.change(node, **dict.fromkeys(found))
    return True


def _unscaled(patient: Patient, node: int) -> bool:
    """Put parts of a vehicle on a node without scale, at the same place."""
    scale = patient.scale(node)
    if scale is None or min(scale) < 0.0:
        return False
    x, y, z = scale
    physics = patient.draft.of(node)
    found = {part: getattr(physics, part) for part in _PARTS if getattr(physics, part)}
    new = patient.new_child(node, "part", scale=(1.0 / x, 1.0 / y, 1.0 / z))
    patient.draft.change(new, **found)
    patient.draft.change(node, **dict.fromkeys(found))
    return True


def _below_vehicle(patient: Patient, node: int) -> bool:
    """Hang a part below its vehicle, where it is."""
    draft = patient.draft
    above = [at for at in draft.upward(node) if draft.of(at).vehicle_body is not None]
    if not above or node >= draft.file_nodes:
        return False
    draft.move_node(node, above[0])
    return True


def _short_gimbal(patient: Patient, at: int) -> bool:
    old = patient.draft.document.thrusters[at]
    a, b = old.target_gimbal_ratio
    length = math.hypot(a, b)
    if length <= 1.0:
        return False
    short = (a / length, b / length)
    new = dataclasses.replace(without(old, "targetGimbalRatio"), target_gimbal_ratio=short)
    return patient.swap_entry("thrusters", at, new)


def _template(patient: Patient, node: int) -> bool:
    physics = patient.draft.of(node)
    carried = tuple(item for item in physics.carried if item[0] != omi_seat.NAME)
    patient.draft.change(node, seat=_TEMPLATE, carried=carried)
    return True


def _unscaled_seat(patient: Patient, node: int) -> bool:
    """Put a seat with its trigger on a node without scale; its points stay where they are."""
    scale, physics = patient.scale(node), patient.draft.of(node)
    if scale is None or physics.seat is None or min(scale) < 0.0 or physics.trigger is not None:
        return False
    x, y, z = scale
    seat = physics.seat
    points = {
        name: tuple(a * b for a, b in zip(getattr(seat, name), scale, strict=True))
        for name in ("back", "knee", "foot")
    }
    new = patient.new_child(node, "seat", scale=(1.0 / x, 1.0 / y, 1.0 / z))
    patient.draft.change(new, seat=dataclasses.replace(seat, **points))
    patient.draft.change(node, seat=None)
    for at in patient.users("nodes", node):
        vehicle = patient.draft.of(at).vehicle_body
        if vehicle is not None and vehicle.pilot_seat == node:
            patient.change(at, "vehicle_body", pilot_seat=NodeIndex(new))
    return True


FIXES: Final[dict[str, Fix]] = {
    Code.GRAVITY_WITHOUT_TRIGGER: Fix("add a trigger: a box of 1 m", _add_trigger),
    Code.GRAVITY_ON_SOLID: Fix("move its gravity to its own node", _gravity_to_child),
    Code.GRAVITY_IN_COMPOUND: Fix("move its gravity to the trigger above", _gravity_up),
    Code.GRAVITY_TYPE_UNKNOWN: Fix("make it directional", _directional),
    Code.GRAVITY_OBJECT_FOREIGN: Fix("remove the other object", _own_object_only),
    Code.LINE_PIECE_WITHOUT_LENGTH: Fix("remove the repeated point", _no_repeats),
    Code.GRAVITY_ORDER_OPEN: Fix("give it the next priority", _later),
    Code.GRAVITY_STOP_BELOW_WORLD: Fix(
        "Set Priority to 0",
        setting("gravity", priority=0),
        one="{count} gravity volume stops others below priority 0, so world gravity may apply",
        many="{count} gravity volumes stop others below priority 0, so world gravity may apply",
    ),
    Code.GRAVITY_ZERO: Fix(
        "Stop Other Gravity",
        setting("gravity", stop=True),
        one="{count} gravity volume of strength zero has no effect",
        many="{count} gravity volumes of strength zero have no effect",
    ),
    Code.WORLD_GRAVITY_IN_PROP: Fix("remove the world gravity", _no_world, "document"),
    Code.ACTIVATION_OUT_OF_RANGE: Fix("clamp it to -1 to 1", _clamped),
    Code.ACTIVATION_AT_START: Fix(
        "Clear Activation",
        setting("vehicle_body", angular_activation=ZERO, linear_activation=ZERO),
        one="{count} vehicle drives off at the start",
        many="{count} vehicles drive off at the start",
    ),
    Code.VEHICLE_MAX_SPEED_ZERO: Fix(
        "Allow Any Speed",
        setting("vehicle_body", max_speed=-1.0),
        one="{count} vehicle has a maximum speed of zero",
        many="{count} vehicles have a maximum speed of zero",
    ),
    Code.VEHICLE_PART_ON_VEHICLE: Fix("move it to its own node", _parts_to_child),
    Code.VEHICLE_PART_SCALED: Fix("move it to an unscaled node", _unscaled),
    Code.VEHICLE_PART_OF_OTHER_BODY: Fix(
        "parent it to its vehicle, keeping its transform", _below_vehicle
    ),
    Code.GIMBAL_RATIO_TOO_LONG: Fix("shorten it to 1", _short_gimbal, "thrusters"),
    Code.SEAT_POINT_MISSING: Fix("use the points of a default seat", _template),
    Code.SEAT_POINT_INVALID: Fix("use the points of a default seat", _template),
    Code.SEAT_POINTS_ON_LINE: Fix("use the points of a default seat", _template),
    Code.SEAT_ANGLE_UNUSUAL: Fix("set its angle to upright", setting("seat", angle=math.pi / 2)),
    Code.SEAT_WITHOUT_TRIGGER: Fix("add a trigger: a box of 1 m", _add_trigger),
    Code.SEAT_SCALED: Fix("move it to an unscaled node", _unscaled_seat),
    Code.SURFACE_ENTRY_UNUSED: Fix(
        "remove it", dropping("physics_materials"), "physics_materials|collision_filters"
    ),
}
