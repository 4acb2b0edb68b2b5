"""Writes the suspensions of wheels so that those of Godot make the same forces."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection
from typing import Final

from ...model.document import NewNode
from ...model.fields import WheelIndex
from ...model.vehicles import Wheel, WheelPart
from ..convert.draft import Draft
from .godot import GRAVITY, WHEEL_FORCE

_FULL: Final = 0.8  # Of what a suspension carries; with more weight a vehicle gets more wheels.
_EASY: Final = 0.5  # Of that, for each of these, so that bumps and curves find room.
_MOST: Final = 20  # Wheels in the place of one.


def fit(draft: Draft, name_of: Callable[[int], str], animated: Collection[int]) -> None:
    """Give wheels the numbers with which Godot makes the forces that theirs say.

    Godot multiplies stiffness and damping with the mass of the vehicle in tonnes, and measures
    how far a wheel is pressed in from a radius above it, which makes it less. A suspension makes
    no more than `WHEEL_FORCE`: where the vehicle is too heavy for its wheels, new nodes in the
    same place share the work of each that no animation moves.
    """
    found: dict[int, list[tuple[int, WheelPart, Wheel]]] = {}
    for node, physics in draft.nodes():
        part = physics.wheel
        index = None if part is None else part.wheel
        above = draft.parent_of(node)
        body = None if above < 0 else draft.body_of(above)
        wheels = draft.document.wheels
        if part is None or index is None or body is None or not 0 <= index < len(wheels):
            continue
        found.setdefault(body[0], []).append((node, part, wheels[index]))
    for body, parts in found.items():
        motion = draft.of(body).motion
        mass = None if motion is None else motion.mass
        if mass and math.isfinite(mass):
            _fit_vehicle(draft, name_of, animated, body, mass, parts)


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
