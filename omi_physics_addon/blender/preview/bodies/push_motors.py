"""Motors for short pushes, as of bounces and of brakes before the end of a range.

They are taken from a pool, and put between two bodies for one frame, so bodies that nothing pushes
cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import bpy
from mathutils import Matrix

from ....axes import points_to_blender, points_to_gltf
from ....geometry.affine import placement
from ....simulation.pushes import Push
from ....simulation.state import Array
from ..stage import stage
from .motors import UNREACHED, turn_to

_TURNED: Final = 1e-3  # rad; a push that has turned further needs another motor.
_MOST_SPARE: Final = 256  # Motors for pushes that turn, as they take another one in each frame.


@dataclass(frozen=True, eq=False)
class _Tie:
    """How a motor was tied, which it keeps.

    Attributes:
        slot: which motor.
        frame: (3, 3), its axes in the world, fixed to what takes the opposite, as columns.
        on_body: (3,), the first of them, fixed to the body.
    """

    slot: int
    frame: Array
    on_body: Array

    def axis(self, push: Push, rotations: Array) -> Array:
        """The axis (3,) along or about which it pushes now.

        Source: `calculateAngleInfo` in Bullet's btGeneric6DofConstraint.cpp.
        """
        if not push.turns:
            return self.frame[:, 0]
        third = self.frame[:, 2]
        first: Array = rotations[push.body] @ self.on_body
        first = first - third * (first @ third)
        return first / max(math.hypot(*first.tolist()), 1e-30)


class PushMotors:
    """The motors of short pushes of a preview."""

    def __init__(self, count: int) -> None:
        """Take how many pushes there may be in one frame; the weakest of more go without."""
        self._count = count + min(count, _MOST_SPARE)
        # The collection of the motors, and the number of the first.
        self._held, self._begin = "", 0
        self._objects: list[Any] = []  # Found once in a frame, as a search by name takes long.
        self._free = list(range(self._count))
        self._tied: dict[tuple[int, int, bool], list[_Tie]] = {}  # By bodies and kind of push.

    def make(self, collection: Any) -> None:
        """Make the motors' objects, behind all other constraints."""
        self._held, self._begin = collection.name, len(collection.objects)
        for _ in range(self._count):
            collection.objects.link(stage.new_object("Push", None))

    def write(
        self, pushes: Sequence[Push], rotations: Array, actor_of: Callable[[int], Any]
    ) -> None:
        """Push bodies in the next frame; let go of those that are pushed no more.

        Args:
            rotations: (n, 3, 3), of the bodies now.
            actor_of: gives the first actor of a body; the anchor for what is below 0.
        """
        if not (pushes or self._tied):
            return
        end = self._begin + self._count
        self._objects = cast(Any, bpy.data.collections)[self._held].objects[self._begin : end]
        before, self._tied = self._tied, {}
        pushes = sorted(pushes, key=lambda push: -abs(push.size))
        new: list[Push] = []
        for push in pushes:  # Blender ties a motor to other bodies only after a frame without any.
            ties = before.get(_key(push), [])
            axes = [tie.axis(push, rotations) for tie in ties]
            fitting = [i for i, axis in enumerate(axes) if _is_along(push.axis, axis)]
            if fitting:
                self._set(ties.pop(fitting[0]), axes[fitting[0]], push, actor_of)
            else:
                new.append(push)
        for push in new[: len(self._free)]:
            self._set(self._tied_anew(self._free.pop(), push, rotations), push.axis, push, actor_of)
        for tie in (each for ties in before.values() for each in ties):
            stage.release([self._objects[tie.slot].rigid_body_constraint])
            self._free.append(tie.slot)
        self._objects = []

    def _tied_anew(self, slot: int, push: Push, rotations: Array) -> _Tie:
        turn = turn_to(points_to_blender(push.axis))
        matrix = placement(turn, points_to_blender(push.point))
        self._objects[slot].matrix_world = Matrix(matrix.tolist())
        frame = points_to_gltf(turn.T).T
        return _Tie(slot, frame, push.axis @ rotations[push.body])

    def _set(self, tie: _Tie, axis: Array, push: Push, actor_of: Callable[[int], Any]) -> None:
        self._tied.setdefault(_key(push), []).append(tie)
        motor = self._objects[tie.slot].rigid_body_constraint
        motor.object1, motor.object2 = actor_of(push.other), actor_of(push.body)
        motor.disable_collisions = False
        motor.use_motor_lin, motor.use_motor_ang = not push.turns, push.turns
        speed = -UNREACHED if push.size * float(push.axis @ axis) > 0.0 else UNREACHED
        kind = "ang" if push.turns else "lin"
        setattr(motor, f"motor_{kind}_target_velocity", speed)
        setattr(motor, f"motor_{kind}_max_impulse", abs(push.size))
        motor.type = "MOTOR"


def _key(push: Push) -> tuple[int, int, bool]:
    return push.body, push.other, push.turns


def _is_along(axis: Array, other: Array) -> bool:
    """Whether two axes of length 1 are the same, either way."""
    a, b, c = axis.tolist()  # Numbers: arrays of three take ten times as long.
    p, q, r = other.tolist()
    return math.hypot(b * r - c * q, c * p - a * r, a * q - b * p) <= _TURNED
