"""What files of robots say, whatever their format: links, joints between them, and their shapes.

Axes are those of URDF, MJCF and Blender: Z is up, X is forward. Lengths are metres, masses
kilograms, angles radians.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

import numpy as np

from ..files.junit import clean
from ..geometry.arrays import Array
from ..model.bodies import CollisionFilter, MotionType, PhysicsMaterial
from ..model.fields import Vector3
from ..model.joints import JointSettings, turned
from ..simulation.world import Form
from .xml_source import LARGEST

EARTH: Final[Vector3] = (0.0, 0.0, -9.81)
WORLD: Final = "world"  # The name of a link that stands for what never moves.
FRAME: Final = "frame"  # What marks a node that was a link without mass.
KEPT: Final = "robot"  # The member of a node's extras with what glTF has no words for.
# The plain names of XML, without those that it reserves.
_NAME: Final = re.compile("(?!(?i:xml))[A-Za-z_][A-Za-z0-9_.-]*")
_NUMBERS: Final = (("dynamics", "friction"), ("mjcf", "armature"))  # Neither may be below zero.

# Elements and their attributes, as a file of robots has them.
Kept = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, eq=False)
class Pose:
    """A place and axes, from the own space to that of what it is in.

    Attributes:
        place: (3,), m.
        rotation: (3, 3), the own axes as columns.
    """

    place: Array = field(default_factory=lambda: np.zeros(3))
    rotation: Array = field(default_factory=lambda: np.eye(3))

    def __matmul__(self, inner: Pose) -> Pose:
        return Pose(self.rotation @ inner.place + self.place, self.rotation @ inner.rotation)

    def inverse(self) -> Pose:
        """The way back."""
        return Pose(-self.rotation.T @ self.place, self.rotation.T)


@dataclass(frozen=True, eq=False)
class Part:
    """A collider of a link, or what is seen of it.

    Attributes:
        form: round ones are along Z, and a box has its sizes along X, Y and Z.
        pose: in the link.
        color: red, green, blue and alpha, 0 to 1; None for none.
    """

    name: str
    form: Form
    pose: Pose
    material: PhysicsMaterial | None = None
    filter: CollisionFilter | None = None
    color: tuple[float, ...] | None = None
    is_visual: bool = False


@dataclass(eq=False)
class Link:
    """What moves as one.

    Attributes:
        pose: in the world, at the start.
        origin: words that lead to it in its file.
        mass: kg; None for a static one, and where an engine is to find it.
        center: (3,), the center of mass in the link, m.
        tensor: (3, 3), the inertia about the center along the link's axes, kg m²; None where an
            engine is to find it.
        frames: links without mass that are fixed to it, where, and by which joint.
    """

    name: str
    pose: Pose
    origin: str
    type: MotionType = "dynamic"
    mass: float | None = None
    center: Array = field(default_factory=lambda: np.zeros(3))
    tensor: Array | None = None
    gravity_factor: float = 1.0
    parts: list[Part] = field(default_factory=list[Part])
    frames: list[tuple[str, Pose, str]] = field(default_factory=list[tuple[str, Pose, str]])


@dataclass(frozen=True, eq=False)
class RobotJoint:
    """How a link moves against another one.

    Attributes:
        parent, child: indices of links.
        frame, child_frame: in the parent, and in the child.
        settings: of the child's frame as seen from the parent's.
        kept: what glTF has no words for.
    """

    name: str
    origin: str
    parent: int
    child: int
    frame: Pose
    child_frame: Pose
    settings: JointSettings
    enable_collision: bool = False
    kept: Kept = field(default_factory=dict[str, Mapping[str, str]])

    def turned(self) -> RobotJoint:
        """The same joint, said from its other end."""
        return replace(
            self,
            parent=self.child,
            child=self.parent,
            frame=self.child_frame,
            child_frame=self.frame,
            settings=turned(self.settings),
        )


@dataclass(eq=False)
class Robot:
    """All that a file says."""

    name: str
    links: list[Link] = field(default_factory=list[Link])
    joints: list[RobotJoint] = field(default_factory=list[RobotJoint])
    gravity: Vector3 = EARTH


@dataclass(frozen=True)
class LinkTree:
    """The links of a robot as trees.

    Attributes:
        roots: links that hang on nothing.
        joints: by child, all that hangs on something; those above come first.
        loops: joints that close a loop.
    """

    roots: tuple[int, ...]
    joints: Mapping[int, RobotJoint]
    loops: tuple[RobotJoint, ...]


def tree_of(robot: Robot) -> LinkTree:
    """The links as trees; what forces do not move is always a root."""
    ends: list[list[RobotJoint]] = [[] for _ in robot.links]
    children = {joint.child for joint in robot.joints}
    for joint in robot.joints:
        ends[joint.parent].append(joint)
        ends[joint.child].append(joint)
    links = range(len(robot.links))
    still = [i for i in links if robot.links[i].type != "dynamic"]
    moving = [i for i in links if robot.links[i].type == "dynamic"]
    roots = dict.fromkeys(still)
    joints: dict[int, RobotJoint] = {}
    used: set[int] = set()
    loops: list[RobotJoint] = []
    for start in (*still, *sorted(moving, key=lambda i: i in children)):
        if start in joints:
            continue
        roots[start] = None
        waiting = [start]
        for at in waiting:
            for joint in ends[at]:
                if id(joint) in used:
                    continue
                used.add(id(joint))
                there = joint.child if joint.parent == at else joint.parent
                if there in joints or there in roots:
                    loops.append(joint)
                    continue
                joints[there] = joint if joint.parent == at else joint.turned()
                waiting.append(there)
    return LinkTree(tuple(roots), joints, tuple(loops))


def kept_of(found: Any) -> Kept:
    """What a member of JSON or USD keeps, without what the XML of a file of a robot cannot say."""
    return {
        str(tag): {
            str(key): clean(str(text)) for key, text in _items(of) if _is_said(tag, key, text)
        }
        for tag, of in _items(found)
        if isinstance(of, Mapping) and _NAME.fullmatch(str(tag))
    }


def _items(found: Any) -> Iterable[tuple[Any, Any]]:
    return cast(Mapping[Any, Any], found).items() if isinstance(found, Mapping) else ()


def _is_said(tag: str, key: Any, text: Any) -> bool:
    """Whether an attribute has a name of XML, and a number where it must have one."""
    if (tag, key) not in _NUMBERS:
        return _NAME.fullmatch(str(key)) is not None
    try:
        return 0.0 <= float(str(text)) < LARGEST
    except ValueError:
        return False


def clamped(color: Iterable[float]) -> tuple[float, ...]:
    """A color with each part from 0 to 1; 0 for what is no number."""
    return tuple(min(max(0.0, float(part)), 1.0) for part in color)


class Names:
    """Names that differ from each other."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken, self._last = set(taken), dict[str, int]()

    def take(self, name: str) -> str:
        """A name that is not taken yet: the one asked for, or one with a number behind it."""
        found = name
        while found in self._taken:
            self._last[name] = self._last.get(name, 1) + 1
            found = f"{name}_{self._last[name]}"
        self._taken.add(found)
        return found
