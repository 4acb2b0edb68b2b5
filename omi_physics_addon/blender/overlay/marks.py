"""Marks: the lines that show the physics of an object, each with a role and a place."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from ...axes import Axes
from ..base.instances import Instances

Lines = NDArray[np.float32]
Anchor = tuple[float, float, float]

ORIGIN: Final[Anchor] = (0.0, 0.0, 0.0)
AXES: Final = Axes()


class Role(enum.Enum):
    """What lines are for; each has a colour and a kind of line of its own."""

    STATIC = "STATIC"
    KINEMATIC = "KINEMATIC"
    DYNAMIC = "DYNAMIC"
    TRIGGER = "TRIGGER"
    GROUP = "GROUP"  # A collider without a shape, which groups those below.
    GRAVITY = "GRAVITY"
    SEAT = "SEAT"
    VEHICLE = "VEHICLE"
    MASS = "MASS"
    VELOCITY = "VELOCITY"
    JOINT = "JOINT"
    LIMIT = "LIMIT"
    DRIVE = "DRIVE"


@dataclass(slots=True, eq=False)
class Mark:
    """Lines (2k, 3) of one role, in the space of an object and Blender's axes.

    Attributes:
        anchor: None where the lines scale with the object; else the place in its space around
            which they turn with it and keep their size.
    """

    role: Role
    lines: Lines
    anchor: Anchor | None = None

    def placed(self, matrix: Any) -> Lines:
        """The lines in the space that a matrix leads to."""
        if self.anchor is None:
            return transformed(self.lines, matrix)
        rotation = np.array(matrix.to_quaternion().to_matrix(), dtype=np.float32)
        place = np.array(matrix @ Vector(self.anchor), dtype=np.float32)
        return self.lines @ rotation.T + place

    def below(self, matrix: Any) -> Mark:
        """The same mark in the space that a matrix leads to."""
        if self.anchor is None:
            return Mark(self.role, self.placed(matrix))
        rotation = np.array(matrix.to_quaternion().to_matrix(), dtype=np.float32)
        x, y, z = matrix @ Vector(self.anchor)
        return Mark(self.role, self.lines @ rotation.T, (x, y, z))


@dataclass(slots=True, eq=False)
class ObjectMarks:
    """The marks of one object, and what they were read from.

    Attributes:
        depends: session uids of meshes, curves, collections and of objects that have them: when
            one of these changes, the marks must be read again.
        places: session uids of objects whose places the marks depend on.
        bodies: session uids of objects whose physics they depend on, but not their places.
        settings: names of the joint settings they were read from.
        follows_empty: whether they depend on the size that an empty is displayed with, of which
            Blender tells only that something about the object changed.
    """

    marks: list[Mark] = field(default_factory=list[Mark])
    depends: set[int] = field(default_factory=set[int])
    places: set[int] = field(default_factory=set[int])
    bodies: set[int] = field(default_factory=set[int])
    settings: set[str] = field(default_factory=set[str])
    follows_empty: bool = False


class MarkContext(NamedTuple):
    """What the marks of all objects are read with.

    Attributes:
        depsgraph: of which meshes are taken with their modifiers.
        size: of marks that stand for something without a size, m.
        shown: what objects show instances of; asked of Blender once, and only where there are such.
    """

    depsgraph: bpy.types.Depsgraph
    size: float
    shown: Callable[[], Instances] = dict

    def size_of(self, obj: Any) -> float:
        """The size of the marks of an object; empties have one of their own."""
        return self.size * (obj.empty_display_size if obj.type == "EMPTY" else 1.0)


def repeated(mark: Mark, matrices: Sequence[Any]) -> list[Mark]:
    """A mark in each of the spaces that matrices lead to, as few marks."""
    if mark.anchor is not None:
        return [mark.below(matrix) for matrix in matrices]
    each = np.array(matrices, dtype=np.float32).reshape(-1, 4, 4)
    lines = np.matmul(mark.lines, each[:, :3, :3].transpose(0, 2, 1)) + each[:, None, :3, 3]
    return [Mark(mark.role, lines.reshape(-1, 3))]


def transformed(lines: Lines, matrix: Any) -> Lines:
    """Lines in the space that a matrix leads to."""
    array = np.array([value for line in matrix for value in line], dtype=np.float32).reshape(4, 4)
    return lines @ array[:3, :3].T + array[:3, 3]


def rigid(matrix: Any) -> Any:
    """A matrix without its scale."""
    location, rotation, _ = matrix.decompose()
    return Matrix.LocRotScale(location, rotation, None)


def frozen(lines: Lines) -> Lines:
    """Lines that several objects share, so that none can change them."""
    lines.flags.writeable = False
    return lines
