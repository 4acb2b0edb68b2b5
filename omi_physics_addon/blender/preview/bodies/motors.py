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

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from ....axes import matrices_to_blender, points_to_blender
from ....geometry.affine import placement
from ....simulation.bullet import collision_groups
from ....simulation.state import Array, State, Wrench
from ..stage import stage

UNREACHED: Final = 1e6  # m/s, a speed that no body reaches.
# Of a motor's force, relative to the largest one of its body: smaller changes are not written.
_FORCE_TOLERANCE: Final = 1e-7
_ARM: Final = 1.0  # m.
_HEAVY: Final = 1e15  # kg, the mass of the raft.
# Share of the force on a body that may push aside of its motors without another one.
_ASIDE: Final = 1e-6
_LEAST: Final = 1e-9  # N, a force that counts as none.
# Rotations, as columns, that lead X to X, Y and Z.
TURNS: Final = (
    np.eye(3),
    np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
)
_AXES: Final = np.eye(3)

Actors = Callable[[NDArray[np.int64]], Sequence[Any]]  # Gives the objects of some bodies.


def turn_to(first: Array) -> Array:
    """Three axes at right angles as columns (3, 3), of which the first is given."""
    turn = Vector((1.0, 0.0, 0.0)).rotation_difference(Vector(first.tolist()))
    return np.array(turn.to_matrix())


class Motors:
    """Three motors that push each of some bodies, and three more that turn some of these.

    Of those that push, a body gets one along the force that is the first on it, and a second and a
    third when forces push aside of that. What falls along a field of gravity needs one.

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
        self._axes = np.zeros((count, 3, 3))  # Rows, in Blender's axes; zeros for none yet.
        self._written = np.zeros((count, 6))
        self._start = np.zeros((count, 3, 3))  # Rotations when motors that turn were tied.
        self._objects: list[Any] = []
        self._constraints: list[Any] = []
        self._raft: Any = None

    @property
    def count(self) -> int:
        """How many constraints there are."""
        return int((self._at >= 0).sum())

    def make(self, collection: Any) -> None:
        """Make the objects of the constraints."""
        for _ in range(self.count):
            obj = stage.new_object("Motor", None)
            collection.objects.link(obj)
            self._objects.append(obj)

    def make_raft(self, bodies: Any) -> None:
        """Put the raft that the motors push against among the bodies, if there are any motors."""
        if not len(self.bodies):
            return
        mesh = stage.new_mesh(np.array([[-0.5] * 3, [0.5] * 3]))
        self._raft = stage.new_object("Raft", mesh)
        self._raft.rotation_mode = "QUATERNION"
        bodies.objects.link(self._raft)

    def configure(self) -> None:
        """Set up the motors, once they are rigid-body constraints.

        References to them are kept: to find thousands of them again for each frame takes longer
        than to write to them. What could move them in memory, as undo does, ends the preview first.
        """
        if self._raft is not None:
            rigid = self._raft.rigid_body
            rigid.mass = _HEAVY
            rigid.linear_damping = rigid.angular_damping = 1.0  # The world's gravity pulls it, too.
            rigid.use_deactivation = False
            rigid.collision_collections = [False] * collision_groups.GROUPS
        self._constraints = [obj.rigid_body_constraint for obj in self._objects]
        for motor in self._constraints:
            motor.disable_collisions = False
            motor.use_motor_lin = True
            motor.motor_lin_max_impulse = 0.0
            # The first time through, the solver pushes with all of it, and then no more.
            motor.use_override_solver_iterations, motor.solver_iterations = True, 1

    def write(self, wrench: Wrench, state: State, actors: Actors) -> None:
        """Push in the next frame.

        Args:
            wrench: on all bodies of the world.
            state: of all bodies now.
            actors: gives the objects that stand for some of them.
        """
        at = self.bodies
        ahead, torque, places = (
            points_to_blender(each[at]) for each in (wrench.force, wrench.torque, state.position)
        )
        rotations = state.rotation[at]
        wanted = np.zeros((len(at), 6))
        which = self.turning
        if which.any():
            self._tie_turning(places, rotations, actors)
            turn = rotations[which] @ self._start[which].transpose(0, 2, 1)
            turn = matrices_to_blender(turn)
            about = np.einsum("nji,nj->ni", turn, torque[which])
            wanted[which, 3:] = about / _ARM
            back = np.roll(about / _ARM, 2, axis=1)  # The force of axis i is along axis i + 2.
            ahead[which] -= np.einsum("nij,nj->ni", turn, back)
        self._tie_pushing(ahead, places, actors)
        wanted[:, :3] = self._shares(ahead)
        self._write(wanted)

    def _tie_turning(self, places: Array, rotations: Array, actors: Actors) -> None:
        """Tie the motors that turn to their bodies, the first time, along the axes of the world."""
        rows = np.flatnonzero(self.turning)
        if self._start.any():
            return
        self._start = rotations
        for axis in range(3):  # A force along the next axis but one at an arm along the next.
            arm = _ARM * _AXES[(axis + 1) % 3]
            turns = [TURNS[(axis + 2) % 3]] * len(rows)
            self._tie(
                self._at[rows, 3 + axis],
                turns,
                places[rows] + arm,
                actors(self.bodies[rows]),
                leads=True,
            )

    def _tie_pushing(self, force: Array, places: Array, actors: Actors) -> None:
        """Tie one motor more to bodies that forces (k, 3) push where none of theirs does so far."""
        least = _ASIDE * np.maximum(np.linalg.norm(force, axis=1), _LEAST)
        rest = force - np.einsum("nij,ni->nj", self._axes, self._shares(force))
        size, tied = np.linalg.norm(rest, axis=1), self._axes.any(axis=2).sum(axis=1)
        # Each body needs one that joins it to the raft, also where nothing pushes it yet.
        is_first = (tied == 0) & np.isfinite(size)
        rows = np.flatnonzero(is_first | ((tied < 3) & (size > least)))
        if not len(rows):
            return
        none = size[rows, None] == 0.0
        along = np.where(none, _AXES[0], rest[rows]) / np.where(none, 1.0, size[rows, None])
        self._axes[rows, tied[rows]] = along
        which, turns = self._at[rows, tied[rows]], [turn_to(one) for one in along]
        self._tie(which, turns, places[rows], actors(self.bodies[rows]))

    def _shares(self, force: Array) -> Array:
        """What the motors of each body have of a force (k, 3), along each of their axes."""
        return np.einsum("nij,nj->ni", self._axes, force)

    def _tie(
        self,
        which: NDArray[np.int64],
        turns: Sequence[Array],
        places: Array,
        bodies: Sequence[Any],
        *,
        leads: bool = False,
    ) -> None:
        """Tie motors to bodies; an axis is fixed to its body if that `leads`, else to the raft."""
        for at, turn, place, body in zip(which.tolist(), turns, places, bodies, strict=True):
            self._objects[at].matrix_world = Matrix(placement(turn, place).tolist())
            motor = self._constraints[at]
            motor.object1, motor.object2 = (body, self._raft) if leads else (self._raft, body)
            motor.motor_lin_target_velocity = UNREACHED if leads else -UNREACHED
            motor.type = "MOTOR"

    def _write(self, wanted: Array) -> None:
        size = np.maximum(np.abs(wanted).max(axis=1, initial=0.0), _LEAST)[:, None]
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
            motor = self._constraints[at]
            if turned_over:
                motor.motor_lin_target_velocity = speed
            motor.motor_lin_max_impulse = value
