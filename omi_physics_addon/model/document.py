"""Everything one glTF says about physics, as flat as glTF says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final, TypeVar

from .bodies import (
    SHAPE_USERS,
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    ShapeUser,
    Trigger,
)
from .fields import (
    Carried,
    FilterIndex,
    HoverThrusterIndex,
    JointIndex,
    MaterialIndex,
    NodeIndex,
    Quaternion,
    ShapeIndex,
    ThrusterIndex,
    Vector3,
    WheelIndex,
)
from .gravity import GravityVolume, WorldGravity
from .joints import Joint, JointSettings
from .seats import Seat
from .shapes import Geometry, Shape
from .vehicles import (
    HoverThruster,
    HoverThrusterPart,
    Thruster,
    ThrusterPart,
    VehicleBody,
    Wheel,
    WheelPart,
)

R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class NodePhysics:
    """The physics of one node.

    `carried` holds, by extension name, the JSON text of members no record has a field for.
    """

    motion: Motion | None = None
    collider: Collider | None = None
    trigger: Trigger | None = None
    joint: Joint | None = None
    gravity: GravityVolume | None = None
    vehicle_body: VehicleBody | None = None
    wheel: WheelPart | None = None
    thruster: ThrusterPart | None = None
    hover_thruster: HoverThrusterPart | None = None
    seat: Seat | None = None
    carried: tuple[tuple[str, Carried], ...] = ()

    def __bool__(self) -> bool:
        return self != _NOTHING

    def referred_to(self) -> Iterator[NodeIndex]:
        """The nodes that its parts name."""
        if self.joint is not None and self.joint.connected_node is not None:
            yield self.joint.connected_node
        if self.trigger is not None:
            yield from self.trigger.nodes
        if self.vehicle_body is not None and self.vehicle_body.pilot_seat is not None:
            yield self.vehicle_body.pilot_seat


_NOTHING: Final = NodePhysics()
PARTS: Final = tuple(name for name in vars(_NOTHING) if name != "carried")
# What people call each part of a node beside its motion.
PART_WORDS: Final = {
    "collider": "collider",
    "trigger": "trigger",
    "joint": "joint",
    "gravity": "gravity volume",
    "vehicle_body": "vehicle",
    "wheel": "wheel",
    "thruster": "thruster",
    "hover_thruster": "hover thruster",
    "seat": "seat",
}


@dataclass(frozen=True)
class NewNode:
    """A node that the file does not have and that its physics needs.

    Attributes:
        parent: index of the node above; -1 for a node outside every scene.
        place: index of the node in whose frame it is, wherever that is in the tree.
        translation, rotation, scale: of its own in that frame; rotation as x, y, z, w.
        mesh: index of the mesh it carries; -1 for none.
        stands_for: the node of the file whose part it takes, -1 for none: without a parent it is in
            the scenes of that one.
        shows: the node of the file whose mesh, skin, camera and light it takes; -1 for none.
    """

    parent: int
    place: int
    name: str
    translation: Vector3 = (0.0, 0.0, 0.0)
    scale: Vector3 = (1.0, 1.0, 1.0)
    mesh: int = -1
    rotation: Quaternion = (0.0, 0.0, 0.0, 1.0)
    stands_for: int = -1
    shows: int = -1


@dataclass(frozen=True)
class NewMesh:
    """A mesh that the file does not have and that its physics needs.

    Attributes:
        corners, triangles: the latter by numbers of corners, seen from outside.
    """

    name: str
    corners: tuple[Vector3, ...]
    triangles: tuple[tuple[int, int, int], ...]


@dataclass
class PhysicsDocument:
    """The physics of one glTF: records by node, and the lists they index into.

    Attributes:
        new_nodes: these have the indices behind those of the file's own nodes.
        new_meshes: these have the indices behind those of the file's own meshes.
        moved_nodes: nodes of the file that go below another one, -1 for none, and stay where they
            are in the world.
        renamed_nodes: moved nodes whose name another one has, and what they are called meanwhile.
        anchors: static bodies that joints hang on; KHR gets them as kinematic ones.
        plane_boxes: nodes of the file that held no more than the box that OMI has for a plane of
            KHR on the node above.
        carried: by extension name, JSON text of the document's members no record has a field for.
    """

    nodes: dict[int, NodePhysics] = dataclass_field(default_factory=dict[int, NodePhysics])
    new_nodes: list[NewNode] = dataclass_field(default_factory=list[NewNode])
    new_meshes: list[NewMesh] = dataclass_field(default_factory=list[NewMesh])
    moved_nodes: dict[int, int] = dataclass_field(default_factory=dict[int, int])
    renamed_nodes: dict[int, str] = dataclass_field(default_factory=dict[int, str])
    anchors: frozenset[int] = frozenset()
    plane_boxes: list[int] = dataclass_field(default_factory=list[int])
    shapes: list[Shape] = dataclass_field(default_factory=list[Shape])
    physics_materials: list[PhysicsMaterial] = dataclass_field(
        default_factory=list[PhysicsMaterial]
    )
    collision_filters: list[CollisionFilter] = dataclass_field(
        default_factory=list[CollisionFilter]
    )
    joint_settings: list[JointSettings] = dataclass_field(default_factory=list[JointSettings])
    wheels: list[Wheel] = dataclass_field(default_factory=list[Wheel])
    thrusters: list[Thruster] = dataclass_field(default_factory=list[Thruster])
    hover_thrusters: list[HoverThruster] = dataclass_field(default_factory=list[HoverThruster])
    world_gravity: WorldGravity | None = None
    carried: dict[str, Carried] = dataclass_field(default_factory=dict[str, Carried])

    def geometry(self, shape: int | None) -> Geometry | None:
        """The geometry of an entry of the list of shapes; None where there is no such entry."""
        found = entry(self.shapes, shape)
        return None if found is None else found.geometry

    def settings_of(self, physics: NodePhysics) -> JointSettings | None:
        """The settings of the joint of a node; None where there are none."""
        return None if physics.joint is None else entry(self.joint_settings, physics.joint.joint)

    def shaped(self, physics: NodePhysics) -> Iterator[tuple[str, ShapeUser, Shape]]:
        """The parts of a node that have a shape, by their names, and that shape."""
        for name in SHAPE_USERS:
            part: ShapeUser | None = getattr(physics, name)
            shape = None if part is None else entry(self.shapes, part.shape)
            if part is not None and shape is not None:
                yield name, part, shape

    def lengths(self) -> dict[Any, int]:
        """How long the lists are, by the types of indices into them."""
        return {kind: len(getattr(self, name)) for kind, name in LISTS.items()}


def entry(items: Sequence[T], index: int | None) -> T | None:
    """An item of a list; None for no index, and for one beyond the list."""
    return items[index] if index is not None and 0 <= index < len(items) else None


# Types of indices → attribute of the document; those that refer to others come first.
LISTS: Final[dict[Any, str]] = {
    WheelIndex: "wheels",
    ThrusterIndex: "thrusters",
    HoverThrusterIndex: "hover_thrusters",
    JointIndex: "joint_settings",
    ShapeIndex: "shapes",
    MaterialIndex: "physics_materials",
    FilterIndex: "collision_filters",
}


class Interned:
    """Builds one list of a document so that equal records share an index."""

    def __init__(self, target: list[R]) -> None:
        self._target: list[Any] = target
        self._index: dict[Any, int] = {}

    def index(self, record: Any) -> int:
        """Where `record` stands in the list; appended when it is new."""
        at = self._index.get(record)
        if at is None:
            at = self._index[record] = len(self._target)
            self._target.append(record)
        return at


class InternedLists:
    """Builds all lists of a document, each so that equal records share an index."""

    def __init__(self, document: PhysicsDocument) -> None:
        self.shapes = Interned(document.shapes)
        self.physics_materials = Interned(document.physics_materials)
        self.collision_filters = Interned(document.collision_filters)
        self.joint_settings = Interned(document.joint_settings)
        self.wheels = Interned(document.wheels)
        self.thrusters = Interned(document.thrusters)
        self.hover_thrusters = Interned(document.hover_thrusters)


@dataclass(frozen=True)
class GltfNode:
    """What a codec needs to know of a node of the file.

    Attributes:
        mesh: index of the mesh it carries; -1 for none.
        is_deformed: a skin or morph weights of its own change the mesh.
        role: what our export wrote into its extras; empty for nothing.
    """

    extensions: Mapping[str, Any]
    children: Sequence[int]
    mesh: int = -1
    is_deformed: bool = False
    role: str = ""


@dataclass(frozen=True)
class GltfFile:
    """What a codec needs to know of a file: its extensions, its nodes, its number of meshes.

    Attributes:
        scenes: the extensions of its scenes, those of the scene to show first.
        matrices: of each node, from its own frame to that of its parent, 16 numbers column by
            column as glTF has them; None for no change.
        asset: what it says of itself, such as its version.
        shapes: the list of the core, which the draft of glTF 2.1 has.
    """

    extensions: Mapping[str, Any]
    nodes: Sequence[GltfNode]
    mesh_count: int
    scenes: Sequence[Mapping[str, Any]] = ()
    matrices: Sequence[tuple[float, ...] | None] = ()
    asset: Mapping[str, Any] = dataclass_field(default_factory=dict[str, Any])
    shapes: Sequence[Any] = ()

    def matrix(self, node: int) -> tuple[float, ...] | None:
        """That of a node."""
        return self.matrices[node] if node < len(self.matrices) else None
