"""Forces on bodies, by motors that never reach their speed.

A motor of Blender that is told to reach a speed far out of reach pushes with exactly its largest
impulse, which Bullet takes per second. Its axis is fixed to its first body: with one that never
moves it pushes the second along an axis of the world; with the body as its first one it pushes
along an axis of the body. Angular motors are of no use, as their axes follow Euler angles
(`calculateAngleInfo`, btGeneric6DofConstraint.cpp): a torque is a force at an arm of one metre,
and the opposite force at the centre of mass.

What never moves here is a raft: a body too heavy for anything to push. Bullet solves bodies that
constraints join to a body that can move as one group, and looks through all constraints once for
each group (`processIsland`, btDiscreteDynamicsWorld.cpp); with an anchor that cannot move, every
body is a group of its own, and a frame takes longer by the square of their number.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ....axes import matrices_to_blender, points_to_blender
from ....geometry.affine import placement
from ....simulation.bullet import collision_groups
from ....simulation.state import Array
from ..stage import stage

UNREACHED: Final = 1e6  # m/s, a speed that no body reaches.
# Of a motor's force, relative to the largest one of its body: smaller changes are not written.
_FORCE_TOLERANCE: Final = 1e-7
_ARM: Final = 1.0  # m.
_HEAVY: Final = 1e15  # kg, the mass of the raft.
# Rotations, as columns, that lead X to X, Y and Z.
TURNS: Final = (
    np.eye(3),
    np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
)
_AXES: Final = np.eye(3)


class Motors:
    """Three motors that push each of some bodies, and three more that turn some of these.

    Attributes:
        bodies: (k,), which bodies have motors.
        turning: (k,), which of them can be turned.
    """

    def __init__(self, bodies: NDArray[np.int64], turning: NDArray[np.bool_]) -> None:
        self.bodies, self.turning = bodies, turning
        count = len(bodies)
        turners = np.flatnonzero(turning)
        # The number of the constraint for each body and axis; -1 for none.
        self._at = np.full((count, 6), -1, dtype=np.int64)
        self._at[:, :3] = np.arange(3 * count).reshape(-1, 3)
        self._at[turners, 3:] = 3 * count + np.arange(3 * len(turners)).reshape(-1, 3)
        self._written = np.zeros((count, 6))
        self._start = np.zeros((count, 3, 3))
        self._objects: list[Any] = []
        self._raft: Any = None

    @property
    def count(self) -> int:
        """How many constraints there are."""
        return int((self._at >= 0).sum())

    def make(self, collection: Any, places: Array, rotations: Array) -> None:
        """Make the constraints.

        Args:
            places: (k, 3), the centres of mass when Bullet makes the bodies, in glTF's axes.
            rotations: (k, 3, 3), the bodies' axes then, in glTF's.
        """
        self._start = rotations
        at = points_to_blender(places)
        for place in at:
            for turn in TURNS:
                self._add(collection, turn, place)
        for place in at[self.turning]:
            for axis in range(3):  # A force along the next axis but one at an arm along the next.
                arm = _ARM * _AXES[(axis + 1) % 3]
                self._add(collection, TURNS[(axis + 2) % 3], place + arm)

    def make_raft(self, bodies: Any) -> None:
        """Put the raft that the motors push against among the bodies, if there are any motors."""
        if not len(self.bodies):
            return
        mesh = stage.new_mesh(np.array([[-0.5] * 3, [0.5] * 3]))
        self._raft = stage.new_object("Raft", mesh)
        self._raft.rotation_mode = "QUATERNION"
        bodies.objects.link(self._raft)

    def _add(self, collection: Any, turn: Array, place: Array) -> None:
        obj = stage.new_object("Motor", None)
        obj.matrix_world = Matrix(placement(turn, place).tolist())
        collection.objects.link(obj)
        self._objects.append(obj)

    def configure(self, bodies: list[Any]) -> None:
        """Set what the motors push, once they are rigid-body constraints."""
        if self._raft is not None:
            rigid = self._raft.rigid_body
            rigid.mass = _HEAVY
            rigid.linear_damping = rigid.angular_damping = 1.0  # The world's gravity pulls it, too.
            rigid.use_deactivation = False
            rigid.collision_collections = [False] * collision_groups.GROUPS
        rows, columns = np.nonzero(self._at >= 0)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            motor = self._objects[self._at[row, column]].rigid_body_constraint
            motor.type = "MOTOR"
            motor.disable_collisions = False
            pair = (self._raft, bodies[row])
            motor.object1, motor.object2 = pair if column < 3 else pair[::-1]
            motor.use_motor_lin = True
            motor.motor_lin_target_velocity = -UNREACHED if column < 3 else UNREACHED
            motor.motor_lin_max_impulse = 0.0
        self._objects, self._raft = [], None

    def write(self, constraints: list[Any], force: Array, torque: Array, rotation: Array) -> None:
        """Push with forces (k, 3) and torques (k, 3), in glTF's axes.

        Args:
            constraints: of `make`, in their order.
            rotation: (k, 3, 3), the bodies' axes now.
        """
        wanted = np.zeros((len(force), 6))
        wanted[:, :3] = points_to_blender(force)
        which = self.turning
        if which.any():
            turn = rotation[which] @ self._start[which].transpose(0, 2, 1)
            turn = matrices_to_blender(turn)
            about = np.einsum("nji,nj->ni", turn, points_to_blender(torque[which]))
            wanted[which, 3:] = about / _ARM
            back = np.roll(about / _ARM, 2, axis=1)  # The force of axis i is along axis i + 2.
            wanted[which, :3] -= np.einsum("nij,nj->ni", turn, back)
        self._write(constraints, wanted)

    def _write(self, constraints: list[Any], wanted: Array) -> None:
        size = np.maximum(np.abs(wanted).max(axis=1, initial=0.0), 1e-9)[:, None]
        rows, columns = np.nonzero(np.abs(wanted - self._written) > _FORCE_TOLERANCE * size)
        values = wanted[rows, columns]
        flips = (values < 0.0) != (self._written[rows, columns] < 0.0)
        self._written[rows, columns] = values
        signs = np.where((values < 0.0) == (columns < 3), UNREACHED, -UNREACHED)
        items = zip(
            self._at[rows, columns].tolist(),
            np.abs(values).tolist(),
            flips.tolist(),
            signs.tolist(),
            strict=True,
        )
        for at, value, turned_over, speed in items:
            motor = constraints[at]
            if turned_over:
                motor.motor_lin_target_velocity = speed
            motor.motor_lin_max_impulse = value
