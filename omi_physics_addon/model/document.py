"""Everything one glTF says about physics, as flat as glTF says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, TypeVar

from .bodies import Collider, CollisionFilter, Motion, PhysicsMaterial, Trigger
from .fields import Kept
from .shapes import Shape

R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class NodePhysics:
    """The physics of one node.

    `kept` holds, by extension name, the JSON text of members no record has a field for.
    """

    motion: Motion | None = None
    collider: Collider | None = None
    trigger: Trigger | None = None
    kept: tuple[tuple[str, Kept], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.motion or self.collider or self.trigger or self.kept)


@dataclass
class PhysicsDocument:
    """The physics of one glTF: records by node, and the lists they index into."""

    nodes: dict[int, NodePhysics] = dataclass_field(default_factory=dict[int, NodePhysics])
    shapes: list[Shape] = dataclass_field(default_factory=list[Shape])
    physics_materials: list[PhysicsMaterial] = dataclass_field(
        default_factory=list[PhysicsMaterial]
    )
    collision_filters: list[CollisionFilter] = dataclass_field(
        default_factory=list[CollisionFilter]
    )
    kept: dict[str, Kept] = dataclass_field(default_factory=dict[str, Kept])


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


@dataclass(frozen=True)
class GltfNode:
    """What a codec needs to know of a node of the file."""

    extensions: Mapping[str, Any]
    children: Sequence[int]


@dataclass(frozen=True)
class GltfFile:
    """What a codec needs to know of a file: its extensions, its nodes, its number of meshes."""

    extensions: Mapping[str, Any]
    nodes: Sequence[GltfNode]
    mesh_count: int
