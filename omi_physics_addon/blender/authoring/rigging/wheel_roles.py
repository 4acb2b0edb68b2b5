"""What the wheels of a vehicle do: which are driven and steer, how they are sprung and brake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import groups
from ...base.mesh_arrays import children_of_all
from .. import starting_values
from .wheel_places import raise_wheels


def set_roles(
    scene: Any,
    vehicle: Any,
    made: Sequence[Any],
    new: Sequence[Any],
    *,
    drive: str,
    steering: float,
    push: float,
    brake: float,
) -> None:
    """Springs, steering, motor and brakes of wheels, and springs of those that share the load.

    Args:
        made: the wheels; the vehicle may have others.
        new: those of them that are where they should be at rest, and are put where they go.
        drive: which wheels are driven: FRONT, REAR or ALL.
        steering: of those in front of the middle, rad.
        push: acceleration by all driven wheels together, m/s².
        brake: deceleration by all wheels together, m/s².
    """
    children = children_of_all()
    every = starting_values.parts_below(vehicle, "wheel", children)
    front = starting_values.front_ones(vehicle, every)
    driven = {w for w in every if drive == "ALL" or (w in front) == (drive == "FRONT")}
    mass = starting_values.mass_of(vehicle, children)
    gravity = starting_values.gravity_of(scene)
    if mass is not None:
        sharing = starting_values.Sharing("wheel", mass * gravity, gravity)
        for obj in sharing.divide(made, every):
            obj.update_tag(refresh={"OBJECT", "DATA"})
        raise_wheels(scene, vehicle, new, every, mass * gravity)
    for obj in made:
        wheel = groups.of_object(obj).wheel
        wheel.max_steering_angle = steering if obj in front else 0.0
        if mass is not None:
            wheel.max_propulsion_force = push * mass / len(driven) if obj in driven else 0.0
            wheel.braking_force = brake * mass / len(every)
