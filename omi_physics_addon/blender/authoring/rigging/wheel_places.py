"""Where new wheels go so that their vehicle stands as it is modelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mathutils import Matrix, Vector

from ....geometry.arrays import Array
from ...base import groups
from .vehicle_body import center_of


def raise_wheels(
    scene: Any, vehicle: Any, new: Sequence[Any], every: Sequence[Any], weight: float
) -> None:
    """Put new wheels, and what is below them, as high as they hang under the weight.

    The object of a wheel is where the suspension is fully pressed. A wheel that stays where its
    mesh is modelled would lift the vehicle by what is left of its travel.

    Args:
        new: wheels that are where they should be at rest.
        every: all of the vehicle, the new ones too; at least one.
        weight: of the vehicle, N.
    """
    wheels = [groups.of_object(obj).wheel for obj in every]
    places = np.array([obj.matrix_world.translation for obj in every], dtype=np.float64)
    stiffness = np.array([wheel.suspension_stiffness for wheel in wheels])
    into = np.array(vehicle.matrix_world.to_quaternion().inverted().to_matrix())
    aside = (places - vehicle.matrix_world @ center_of(scene, vehicle)) @ into.T
    sunk = dict(zip(every, _sinking(aside[:, :2], stiffness, weight), strict=True))
    for obj in new:
        travel = groups.of_object(obj).wheel.suspension_travel
        up = obj.matrix_world.to_quaternion() @ Vector((0.0, 0.0, 1.0))
        rest = travel - min(max(float(sunk[obj]), 0.0), travel)
        obj.matrix_world = Matrix.Translation(up * rest) @ obj.matrix_world


def _sinking(aside: Array, stiffness: Array, weight: float) -> Array:
    """How far each spring is pressed, m, by a stiff body that stands on all of them.

    Args:
        aside: (n, 2), where the springs are from the center of mass, m.
        stiffness: (n,), N/m.
        weight: N.
    """
    plane = np.column_stack([np.ones(len(aside)), aside])
    balance = plane.T @ (stiffness[:, None] * plane)
    tilt: Array = np.linalg.lstsq(balance, np.array([weight, 0.0, 0.0]), rcond=None)[0]
    return plane @ tilt
