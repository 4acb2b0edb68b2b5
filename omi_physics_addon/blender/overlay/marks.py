"""What the lines of an object are made of, and where they go."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from ...axes import Axes

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


@dataclass(slots=True)
class Part:
    """Lines (2k, 3) in the space of an object, in Blender's axes.

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

    def below(self, matrix: Any) -> Part:
        """The same part in the space that a matrix leads to."""
        if self.anchor is None:
            return Part(self.role, self.placed(matrix))
        rotation = np.array(matrix.to_quaternion().to_matrix(), dtype=np.float32)
        x, y, z = matrix @ Vector(self.anchor)
        return Part(self.role, self.lines @ rotation.T, (x, y, z))


@dataclass(slots=True)
class Shown:
    """What shows the physics of one object.

    Attributes:
        depends: session uids of meshes, curves, collections and of objects that have them: when
            one of these changes, it must be read again.
        places: session uids of objects whose places are part of it.
        bodies: session uids of objects whose physics is, but not their places.
        settings: names of the joint settings it was read from.
        has_marks: whether it depends on the size that an empty is displayed with, of which
            Blender tells only that something about the object changed.
    """

    parts: list[Part] = field(default_factory=list[Part])
    depends: set[int] = field(default_factory=set[int])
    places: set[int] = field(default_factory=set[int])
    bodies: set[int] = field(default_factory=set[int])
    settings: set[str] = field(default_factory=set[str])
    has_marks: bool = False


@dataclass(frozen=True)
class Scope:
    """What lines are read for.

    Attributes:
        size: of marks that stand for something without a size, m.
    """

    depsgraph: bpy.types.Depsgraph
    size: float

    def size_of(self, obj: Any) -> float:
        """The size of the marks of an object; empties have one of their own."""
        return self.size * (obj.empty_display_size if obj.type == "EMPTY" else 1.0)


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
