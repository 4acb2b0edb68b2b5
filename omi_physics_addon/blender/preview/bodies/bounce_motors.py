"""Motors that make bodies bounce off what they hit; there is one for each that may bounce.

It is put to its body for the few frames of a bounce, so bodies in flight or at rest cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....axes import points_to_blender
from ....simulation.bullet.bounces import Push
from ....simulation.state import Array, Indices
from ..stage import stage
from .motors import UNREACHED


class BounceMotors:
    """The bounce motors of a preview."""

    def __init__(self, bodies: Indices) -> None:
        """Take the bodies that may bounce."""
        self._names: dict[int, str] = dict.fromkeys(bodies.tolist(), "")
        self._tied: set[int] = set()

    def make(self, collection: Any) -> None:
        """Make the motors' objects, behind all other constraints."""
        for body in self._names:
            obj = stage.new_object("Throw", None)
            collection.objects.link(obj)
            self._names[body] = obj.name

    def write(self, pushes: Sequence[Push], actor_of: Callable[[int], Any]) -> None:
        """Push bodies in the next frame; let go of those that are pushed no more.

        Args:
            actor_of: gives the first actor of a body; the anchor for -1.
        """
        busy = {push.body for push in pushes}
        for body in self._tied - busy:
            stage.release([self._object(body).rigid_body_constraint])
        self._tied = busy
        for push in pushes:
            obj = self._object(push.body)
            matrix = np.eye(4)
            matrix[:3, :3] = _frame(points_to_blender(push.normal))
            matrix[:3, 3] = points_to_blender(push.point)
            obj.matrix_world = Matrix(matrix.tolist())
            motor = obj.rigid_body_constraint
            motor.object1, motor.object2 = actor_of(-1), actor_of(push.body)
            motor.disable_collisions = False
            motor.use_motor_lin = True
            motor.motor_lin_target_velocity = -UNREACHED if push.force > 0.0 else UNREACHED
            motor.motor_lin_max_impulse = abs(push.force)
            motor.type = "MOTOR"

    def _object(self, body: int) -> Any:
        return bpy.data.objects[self._names[body]]


def _frame(first: Array) -> Array:
    """Three axes at right angles as columns (3, 3), of which the first is given."""
    turn = Vector((1.0, 0.0, 0.0)).rotation_difference(Vector(first.tolist()))
    return np.array(turn.to_matrix())
