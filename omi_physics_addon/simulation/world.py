"""What a preview moves: bodies with their solids, and the frames of all that hangs on them.

The axes are glTF's (Y up), lengths are metres. A body's own space is that of its node without
scale: its origin and axes are the node's, its lengths are the world's.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from ..geometry.arrays import Array, Flags, Indices
from ..model.bodies import CollisionFilter, Motion, MotionType, PhysicsMaterial
from ..model.gravity import GravityVolume, WorldGravity
from ..model.joints import JointDrive, JointLimit
from ..model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from .state import WORLD, Masses, State

HUGE: Final = 1e12  # Stands for infinite moments where numbers must be finite, kg m².
Engine = Literal["OMI", "KHR"]  # Whose engines decide where the specifications leave it open.


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the file.

    Attributes:
        parent: index of the node above, -1 for none.
        matrix: (4, 4), from the node's own space to the world's.
        is_animated: keyframes, constraints or drivers move it or a node above.
    """

    parent: int
    matrix: Array
    is_animated: bool = False


@dataclass(frozen=True, eq=False)
class Mesh:
    """A solid made of triangles.

    Attributes:
        corners: (k, 3), m.
        triangles: (m, 3), counter-clockwise seen from outside.
        is_convex: whether the hull of the corners is meant.
    """

    corners: Array
    triangles: Indices
    is_convex: bool


Form = Box | Sphere | Capsule | Cylinder | Plane | Mesh


@dataclass(frozen=True, eq=False)
class Solid:
    """One shape on a body, with the scale of its node in its sizes.

    Attributes:
        node: of the collider or trigger.
        rotation: (3, 3), from the axes of the form to those of the body.
        place: (3,), of the form's origin in the body, m.
    """

    node: int
    form: Form
    rotation: Array
    place: Array
    material: PhysicsMaterial | None = None
    filter: CollisionFilter | None = None


@dataclass(frozen=True, eq=False)
class Body:
    """What moves as one, or stands still.

    Attributes:
        node: of the motion; that of the collider where there is no motion.
        rotation, place: (3, 3) and (3,), from the body's space to the world's.
        solids: the colliders; their places are in the body.
        mass: kg; inf for what cannot be pushed.
        center: (3,), the centre of mass in the body.
        principal_axes: (3, 3), the principal axes of inertia as columns, in the body.
        moments: (3,), the principal moments, kg m²; may be inf.
        velocity: (3,), of the centre of mass at the start, in the world.
        spin: (3,), at the start, in the world, rad/s.
    """

    node: int
    type: MotionType
    rotation: Array
    place: Array
    solids: tuple[Solid, ...]
    mass: float = np.inf
    center: Array = field(default_factory=lambda: np.zeros(3))
    principal_axes: Array = field(default_factory=lambda: np.eye(3))
    moments: Array = field(default_factory=lambda: np.full(3, np.inf))
    velocity: Array = field(default_factory=lambda: np.zeros(3))
    spin: Array = field(default_factory=lambda: np.zeros(3))
    gravity_factor: float = 1.0
    is_animated: bool = False
    motion: Motion | None = None

    @property
    def position(self) -> Array:
        """The centre of mass (3,) in the world."""
        return self.rotation @ self.center + self.place

    @property
    def stands(self) -> bool:
        """Whether nothing ever moves it."""
        return self.type == "static" and not self.is_animated

    @property
    def is_forced(self) -> bool:
        """Whether forces move it; what keyframes move, they do not."""
        return self.type == "dynamic" and not self.is_animated


@dataclass(frozen=True, eq=False)
class Frame:
    """A place and axes on a body, or in the world.

    Attributes:
        body: index of the body, `WORLD` for none.
        place: (3,), from the origin of the body's node, along its axes, m.
        axes: (3, 3), the frame's axes as columns, in the axes of the body's node.
    """

    body: int
    place: Array
    axes: Array


@dataclass(frozen=True, eq=False)
class JointFrames:
    """A joint between two bodies: limits and drives of `second` as seen from `first`.

    Attributes:
        node: of the joint.
        first: the frame of the joint's node.
        second: the frame of the connected node.
    """

    node: int
    first: Frame
    second: Frame
    limits: tuple[JointLimit, ...]
    drives: tuple[JointDrive, ...]
    enable_collision: bool

    @property
    def ends(self) -> tuple[Frame, Frame]:
        """Both frames."""
        return self.first, self.second

    @property
    def bodies(self) -> tuple[int, int]:
        """What it joins; `WORLD` for what is no body."""
        return self.first.body, self.second.body


@dataclass(frozen=True, eq=False)
class Volume:
    """Where a trigger notices bodies.

    Attributes:
        node: of the trigger.
        frame: of the node; without scale.
        solids: their places are in `frame`.
        gravity: what it does to bodies inside; None for nothing.
        scale: (3,), of the node, for the sizes of its gravity.
    """

    node: int
    frame: Frame
    solids: tuple[Solid, ...]
    gravity: GravityVolume | None
    scale: Array


@dataclass(frozen=True, eq=False)
class World:
    """All that a preview moves, and how it begins.

    Attributes:
        body_of: for every node that is on a body, the index of that body.
        frames: for every node that has a part of a vehicle, where it is.
        engine: whose engines decide what the specifications leave open.
    """

    bodies: tuple[Body, ...]
    body_of: dict[int, int]
    joints: tuple[JointFrames, ...]
    volumes: tuple[Volume, ...]
    frames: dict[int, Frame]
    gravity: WorldGravity | None
    engine: Engine = "OMI"

    @property
    def per_axis(self) -> bool:
        """Whether a range over several axes holds on each of them, as OMI's engines have it."""
        return self.engine == "OMI"

    @property
    def forced(self) -> Flags:
        """Which bodies (n,) forces move."""
        return np.array([body.is_forced for body in self.bodies], dtype=np.bool_)

    def placed(self, frame: Frame, state: State | None = None) -> tuple[Array, Array]:
        """Place (3,) and axes (3, 3) of a frame in the world, in a state or else at the start."""
        at = frame.body
        if at == WORLD:
            return frame.place, frame.axes
        body = self.bodies[at]
        center, turn = body.position, body.rotation
        if state is not None:
            center, turn = state.position[at], state.rotation[at]
        return center + turn @ (frame.place - body.center), turn @ frame.axes

    def masses(self, heaviest: float = np.inf) -> Masses:
        """What the bodies weigh.

        Args:
            heaviest: kg, in place of the masses of dynamic bodies that are larger.
        """
        bodies = self.bodies
        count = len(bodies)
        dynamic = np.array([b.type == "dynamic" for b in bodies], dtype=bool)
        mass = np.array([b.mass for b in bodies]).reshape(count)
        mass = np.where(dynamic, np.minimum(mass, heaviest), np.inf)
        axes = np.array([b.principal_axes for b in bodies]).reshape(count, 3, 3)
        moments = np.array([b.moments for b in bodies]).reshape(count, 3)
        with np.errstate(divide="ignore"):
            inverse = np.where(dynamic[:, None] & np.isfinite(moments), 1.0 / moments, 0.0)
            inverse_mass = np.where(dynamic & np.isfinite(mass), 1.0 / mass, 0.0)
        finite = np.minimum(moments, HUGE)
        back = axes.transpose(0, 2, 1)
        return Masses(
            mass=mass,
            inverse_mass=inverse_mass,
            inertia_local=(axes * finite[:, None, :]) @ back,
            inverse_inertia_local=(axes * inverse[:, None, :]) @ back,
            center_local=np.array([b.center for b in bodies]).reshape(count, 3),
            is_dynamic=dynamic,
            gravity_factor=np.array([b.gravity_factor for b in bodies]).reshape(count),
        )

    def state(self) -> State:
        """How the bodies begin."""
        bodies = self.bodies
        count = len(bodies)
        return State(
            position=np.array([b.position for b in bodies]).reshape(count, 3),
            rotation=np.array([b.rotation for b in bodies]).reshape(count, 3, 3),
            velocity=np.array([b.velocity for b in bodies]).reshape(count, 3),
            spin=np.array([b.spin for b in bodies]).reshape(count, 3),
        )


def at_rest(world: World) -> World:
    """A world in which dynamic bodies have no velocities at the start."""
    bodies = tuple(
        replace(body, velocity=np.zeros(3), spin=np.zeros(3)) if body.type == "dynamic" else body
        for body in world.bodies
    )
    return replace(world, bodies=bodies)
