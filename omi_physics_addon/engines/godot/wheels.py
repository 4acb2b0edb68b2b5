"""Writes the suspensions of wheels so that those of Godot make the same forces."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection, Iterable
from typing import Final

from ...codec.convert.draft import Draft
from ...model.document import NewNode, NodePhysics, PhysicsDocument, entry
from ...model.fields import WheelIndex
from ...model.vehicles import VehicleBody, Wheel, WheelPart
from .deviations import GRAVITY, WHEEL_FORCE

Parts = list[tuple[int, NodePhysics]]  # With their nodes.

_FULL: Final = 0.8  # Of what a suspension carries; with more weight a vehicle gets more wheels.
_EASY: Final = 0.5  # Of that, for each of these, so that bumps and curves find room.
_MOST: Final = 20  # Wheels in the place of one.


def fit(draft: Draft, name_of: Callable[[int], str], animated: Collection[int]) -> None:
    """Give wheels the numbers with which Godot makes the forces that theirs say.

    Godot multiplies stiffness and damping with the mass of the vehicle in tonnes, and measures
    how far a wheel is pressed in from a radius above it, which makes it less. A suspension makes
    no more than `WHEEL_FORCE`: where the vehicle is too heavy for its wheels, new nodes in the
    same place share the work of each that no animation moves. Motors of Godot brake a vehicle that
    has no brakes, unless its linear dampeners are off.
    """
    for body, parts in by_vehicle(draft).items():
        motion, vehicle = draft.of(body).motion, draft.of(body).vehicle_body
        wheels = wheels_of(draft.document, parts)
        if vehicle is not None and has_idle_dampeners(vehicle, draft.document, parts):
            off = dataclasses.replace(vehicle, linear_dampeners=False)
            draft.change(body, vehicle_body=off)
        mass = None if motion is None else motion.mass
        if wheels and mass and math.isfinite(mass):
            _fit_vehicle(draft, name_of, animated, body, mass, wheels)


def by_vehicle(draft: Draft) -> dict[int, Parts]:
    """Wheels and thrusters by the node of their body."""

    def above(node: int) -> int:
        body = draft.body_of(up) if (up := draft.parent_of(node)) >= 0 else None
        return -1 if body is None else body[0]

    return parts_by_body(draft.nodes(), above)


def parts_by_body(
    nodes: Iterable[tuple[int, NodePhysics]], body_above: Callable[[int], int]
) -> dict[int, Parts]:
    """Wheels and thrusters by the node of their body, of which another function says which it is.

    Args:
        body_above: the nearest body above a node, -1 for none.
    """
    found: dict[int, Parts] = {}
    for node, part in nodes:
        if any(each is not None for each in (part.wheel, part.thruster, part.hover_thruster)):
            found.setdefault(body_above(node), []).append((node, part))
    found.pop(-1, None)
    return found


def wheels_of(document: PhysicsDocument, parts: Parts) -> list[tuple[int, WheelPart, Wheel]]:
    """The wheels among parts, with their nodes and settings."""
    return [
        (node, part.wheel, wheel)
        for node, part in parts
        if part.wheel is not None and (wheel := entry(document.wheels, part.wheel.wheel))
    ]


def has_idle_dampeners(vehicle: VehicleBody, document: PhysicsDocument, parts: Parts) -> bool:
    """Whether linear dampeners do nothing, as there are wheels without brakes and nothing else.

    In Godot their motors would brake. A throttle of a largest speed takes the place of dampeners.
    """
    wheels = [wheel for *_, wheel in wheels_of(document, parts)]
    throttled = vehicle.use_throttle and vehicle.max_speed >= 0.0
    return (
        vehicle.linear_dampeners
        and not throttled
        and all(part.wheel is not None for _, part in parts)
        and any(wheel.max_propulsion_force for wheel in wheels)
        and not any(wheel.largest_brake for wheel in wheels)
    )


def _fit_vehicle(
    draft: Draft,
    name_of: Callable[[int], str],
    animated: Collection[int],
    body: int,
    mass: float,
    parts: list[tuple[int, WheelPart, Wheel]],
) -> None:
    load = mass * GRAVITY / (WHEEL_FORCE * len(parts))
    share = 1 if load <= _FULL else math.ceil(min(load / _EASY, _MOST))
    for node, part, wheel in parts:
        if wheel.suspension_travel + wheel.radius <= 0.0:
            continue
        is_direct = draft.parent_of(node) == body and node not in animated
        count = share if is_direct else 1
        at = WheelIndex(draft.add("wheels", _fitted(wheel, mass, count)))
        fitted = dataclasses.replace(part, wheel=at)
        draft.change(node, wheel=fitted)
        for number in range(2, count + 1):
            new = NewNode(body, node, f"{name_of(node)} Share {number}")
            draft.change(draft.add_node(new), wheel=fitted)


def _fitted(wheel: Wheel, mass: float, count: int) -> Wheel:
    """A wheel with the numbers that Godot needs, if so many in one place do its work."""
    per_tonne = 1000.0 / mass / count
    length = wheel.suspension_travel + wheel.radius
    return dataclasses.replace(
        wheel,
        suspension_stiffness=wheel.suspension_stiffness
        * per_tonne
        * (length + wheel.radius)
        / length,
        suspension_damping_compression=wheel.suspension_damping_compression * per_tonne,
        suspension_damping_rebound=wheel.suspension_damping_rebound * per_tonne,
        max_propulsion_force=wheel.max_propulsion_force / count,
        propulsion_force_change_rate=_shared(wheel.propulsion_force_change_rate, count),
        braking_force=_shared(wheel.braking_force, count),
    )


def _shared(force: float, count: int) -> float:
    """The part of a force that is negative where another one stands for it."""
    return force if force < 0.0 else force / count
