"""Copies of wheels, which follow their springs, steer, and roll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from mathutils import Matrix

from ....axes import matrices_to_blender
from ....geometry.rotations import nearest_rotation
from ....simulation.state import Array
from ....simulation.vehicles.wheels import Wheels
from ....simulation.world import Node, World
from ...base.hierarchy import named

_UPWARD: Final = "Z"  # Of an object that is a wheel; its axle is along X.
_ACROSS: Final = "X"


class WheelCopies:
    """Moves the copies of wheels, and of what is below them, against the body they are on."""

    def __init__(
        self, wheels: Wheels, nodes: Sequence[int], tree: Sequence[Node], world: World
    ) -> None:
        """Take wheels and their nodes in a tree of nodes."""
        self._wheels, self._tree = wheels, tree
        self._bodies = [world.frames[node].body for node in nodes]
        self._number = {node: number for number, node in enumerate(nodes)}
        self._frames = [_frame(tree[node]) for node in nodes]
        self._copies: list[tuple[int, str, Matrix]] = []
        self._kept: dict[int, tuple[Array, ...]] = {}  # By frame.

    def wheel_of(self, node: int, body: int) -> int:
        """The number of the wheel that a node of a body is or is below; -1 for none."""
        seen: set[int] = set()
        while node >= 0 and node not in seen:
            if node in self._number:
                number = self._number[node]
                return number if self._bodies[number] == body else -1
            seen.add(node)
            node = self._tree[node].parent
        return -1

    def add(self, wheel: int, copy: Any) -> None:
        """Take a copy, whose basis says where it is in the world at the start."""
        self._copies.append((wheel, copy.name, copy.matrix_basis.copy()))

    def follow(self, frame: int) -> None:
        """Put the copies where the wheels are on their bodies now, in a frame."""
        if not self._copies:
            return
        self._kept[frame] = tuple(each.copy() for each in self._now)
        self._place(self._kept[frame])

    def show(self, frame: int) -> None:
        """Put the copies where the wheels were in a frame that was made, or at the start."""
        if self._kept:
            self._place(self._kept[max(frame, min(self._kept))])

    def _place(self, at: tuple[Array, ...]) -> None:
        moved = self.motions((number for number, _, _ in self._copies), at)
        there = named([name for _, name, _ in self._copies])
        for number, name, start in self._copies:
            if name in there:
                there[name].matrix_basis = moved[number] @ start

    @property
    def _now(self) -> tuple[Array, ...]:
        """The lengths of the springs, the steering angles, and how far all wheels have rolled."""
        return self._wheels.length, self._wheels.angle, self._wheels.roll

    def motions(
        self, numbers: Iterable[int], at: tuple[Array, ...] | None = None
    ) -> dict[int, Matrix]:
        """How wheels have moved on their bodies, in the world at the start.

        Args:
            at: lengths, angles and rolls of all wheels; as they are now without it.
        """
        lengths, angles, rolls = self._now if at is None else at
        moved: dict[int, Matrix] = {}
        for number in set(numbers):
            frame = self._frames[number]
            hang = Matrix.Translation((0.0, 0.0, -float(lengths[number])))
            steer = Matrix.Rotation(float(angles[number]), 4, _UPWARD)
            roll = Matrix.Rotation(float(rolls[number]), 4, _ACROSS)
            moved[number] = frame @ hang @ steer @ roll @ frame.inverted()
        return moved


def _frame(node: Node) -> Matrix:
    """Where a node is in the world, in Blender's axes, without scale."""
    matrix = np.array(node.matrix, dtype=np.float64)
    matrix[:3, :3] = nearest_rotation(matrix[:3, :3])
    return Matrix(matrices_to_blender(matrix).tolist())
