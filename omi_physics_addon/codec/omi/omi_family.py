"""The OMI family: from a whole file to a document and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from ...issue_codes import Code
from ...issues import Issues
from ...model.document import GltfFile, NodePhysics, PhysicsDocument
from ...model.fields import (
    FilterIndex,
    HoverThrusterIndex,
    JointIndex,
    MaterialIndex,
    MeshIndex,
    NodeIndex,
    ShapeIndex,
    ThrusterIndex,
    WheelIndex,
)
from ..values import carried as travelling
from ..values.joint_records import read_joint, write_joint
from ..values.json_values import show
from ..values.records import Reading, Writing
from . import (
    omi_legacy,
    omi_legacy_joints,
    omi_physics_body,
    omi_physics_gravity,
    omi_physics_joint,
    omi_physics_shape,
    omi_seat,
    omi_vehicle,
)
from .omi_physics_shape import Target

# Names of every extension that this family reads, old ones too.
NAMES: Final = (
    omi_physics_body.NAME,
    omi_physics_shape.NAME,
    omi_legacy.COLLIDER,
    omi_physics_joint.NAME,
    omi_physics_gravity.NAME,
    omi_vehicle.BODY,
    *(kind.name for kind in omi_vehicle.PARTS),
    omi_seat.NAME,
)


def is_used(file: GltfFile) -> bool:
    """Whether a file says anything in this family."""
    return any(name in file.extensions for name in NAMES) or any(
        name in node.extensions for node in file.nodes if node.extensions for name in NAMES
    )


class FamilyReader:
    """Reads one file; faults of the file are reported and the rest is read."""

    def __init__(self, file: GltfFile, issues: Issues) -> None:
        self._file, self._issues = file, issues
        self._legacy = omi_legacy.Legacy()
        self.document = PhysicsDocument()

    def read(self) -> PhysicsDocument:
        """The document of the file."""
        file, document = self._file, self.document
        reading = Reading(self._issues, {NodeIndex: len(file.nodes), MeshIndex: file.mesh_count})
        if omi_physics_shape.NAME in file.extensions:
            shapes = file.extensions[omi_physics_shape.NAME]
            pointer = f"/extensions/{omi_physics_shape.NAME}"
            omi_physics_shape.read(shapes, pointer, reading, document)
        self._shape_count = len(document.shapes)
        self._colliders = omi_legacy.read_colliders(file, document, self._legacy, reading)
        reading = self._read_lists(reading)
        for i, node in enumerate(file.nodes):
            if node.extensions:
                self._read_node(i, node.extensions, reading)
        if self._legacy.dialects:
            omi_legacy.resolve(file, document, self._legacy, reading)
            omi_legacy_joints.resolve(file, document, self._legacy, reading)
            omi_legacy.report(self._legacy, reading)
        return document

    def _read_lists(self, reading: Reading) -> Reading:
        """Read the document's lists; returns a reading that knows how long they are."""
        extensions, document = self._file.extensions, self.document
        if omi_physics_body.NAME in extensions:
            omi_physics_body.read_document(extensions[omi_physics_body.NAME], reading, document)
        reading = Reading(
            self._issues,
            {
                **reading.counts,
                ShapeIndex: self._shape_count,
                MaterialIndex: len(document.physics_materials),
                FilterIndex: len(document.collision_filters),
            },
        )
        if omi_physics_joint.NAME in extensions:
            omi_physics_joint.read_document(extensions[omi_physics_joint.NAME], reading, document)
            omi_legacy_joints.read_document(
                extensions[omi_physics_joint.NAME], reading, self._legacy
            )
        for kind in omi_vehicle.PARTS:
            if kind.name in extensions:
                omi_vehicle.read_document(kind, extensions[kind.name], reading, document)
        if omi_physics_gravity.NAME in extensions:
            document.world_gravity = omi_physics_gravity.read_world(
                extensions[omi_physics_gravity.NAME], reading
            )
        counts = {
            JointIndex: len(document.joint_settings),
            WheelIndex: len(document.wheels),
            ThrusterIndex: len(document.thrusters),
            HoverThrusterIndex: len(document.hover_thrusters),
        }
        return Reading(self._issues, {**reading.counts, **counts})

    def _read_node(self, i: int, extensions: Mapping[str, Any], reading: Reading) -> None:
        physics = _NOTHING
        for name, json in extensions.items():
            if name not in _NODE_READERS:
                continue
            pointer = f"/nodes/{i}/extensions/{name}"
            if isinstance(json, Mapping):
                members = cast(Mapping[str, Any], json)
                physics = _NODE_READERS[name](self, i, members, pointer, reading, physics)
            else:
                reading.issues.add(Code.TYPE_WRONG, pointer, f"{show(json)} is not an object")
        if physics is not _NOTHING and physics:
            self.document.nodes[i] = physics

    def _read_body(
        self, i: int, json: Mapping[str, Any], pointer: str, reading: Reading, old: NodePhysics
    ) -> NodePhysics:
        if isinstance(json.get("type"), str):
            new = omi_legacy.read_flat_body(json, i, self._legacy, reading)
        else:
            new = omi_physics_body.read_node(json, pointer, reading)
            if old is _NOTHING:
                return new
        return dataclasses.replace(
            old,
            motion=new.motion,
            collider=new.collider,
            trigger=new.trigger,
            kept=tuple(sorted((*old.kept, *new.kept))),
        )

    def _read_collider(
        self, i: int, json: Mapping[str, Any], _pointer: str, reading: Reading, old: NodePhysics
    ) -> NodePhysics:
        omi_legacy.read_collider(json, i, self._colliders, self.document, self._legacy, reading)
        return old

    def _read_shape(
        self, i: int, json: Mapping[str, Any], _pointer: str, reading: Reading, old: NodePhysics
    ) -> NodePhysics:
        omi_legacy.read_node_shape(json, i, self._shape_count, self._legacy, reading)
        return old

    def _read_joint(
        self, i: int, json: Mapping[str, Any], pointer: str, reading: Reading, old: NodePhysics
    ) -> NodePhysics:
        if "constraints" in json:
            omi_legacy_joints.read_node(json, i, self._legacy, reading)
            return old
        return _with(old, joint=read_joint(json, pointer, reading))

    def _read_gravity(
        self, _i: int, json: Mapping[str, Any], pointer: str, reading: Reading, old: NodePhysics
    ) -> NodePhysics:
        volume = omi_physics_gravity.read_volume(json, pointer, reading)
        return _with(old, gravity=volume)

    def _read_vehicle(
        self, _i: int, json: Mapping[str, Any], pointer: str, reading: Reading, old: NodePhysics
    ) -> NodePhysics:
        body = omi_vehicle.read_body(json, pointer, reading)
        return _with(old, vehicle_body=body)

    def _read_part(
        self, _i: int, json: Mapping[str, Any], pointer: str, reading: Reading, old: NodePhysics
    ) -> NodePhysics:
        kind = _PARTS[pointer.rpartition("/")[2]]
        settings: list[Any] = getattr(self.document, kind.attribute)

        def add(item: Any) -> int:
            settings.append(item)
            return len(settings) - 1

        part = omi_vehicle.read_part(kind, json, pointer, reading, add)
        return _with(old, **{_ATTRIBUTES[kind.name]: part})

    def _read_seat(
        self, _i: int, json: Mapping[str, Any], pointer: str, reading: Reading, old: NodePhysics
    ) -> NodePhysics:
        seat = omi_seat.read(json, pointer, reading)
        if seat is not None:
            return _with(old, seat=seat)
        members: dict[str, Any] = {}
        for key, value in json.items():
            travelling.keep(members, key, value, pointer, reading.issues)
        kept = (*old.kept, (omi_seat.NAME, travelling.pack(members)))
        return dataclasses.replace(old, kept=tuple(sorted(kept)))


_NOTHING: Final = NodePhysics()


def _with(old: NodePhysics, **parts: Any) -> NodePhysics:
    return NodePhysics(**parts) if old is _NOTHING else dataclasses.replace(old, **parts)


_NodeReader = Callable[
    [FamilyReader, int, Mapping[str, Any], str, Reading, NodePhysics], NodePhysics
]
_PARTS: Final = {kind.name: kind for kind in omi_vehicle.PARTS}
_ATTRIBUTES: Final = {
    omi_vehicle.WHEEL.name: "wheel",
    omi_vehicle.THRUSTER.name: "thruster",
    omi_vehicle.HOVER_THRUSTER.name: "hover_thruster",
}
# pyright: reportPrivateUsage=false
_NODE_READERS: Final[dict[str, _NodeReader]] = {
    omi_physics_body.NAME: FamilyReader._read_body,
    omi_legacy.COLLIDER: FamilyReader._read_collider,
    omi_physics_shape.NAME: FamilyReader._read_shape,
    omi_physics_joint.NAME: FamilyReader._read_joint,
    omi_physics_gravity.NAME: FamilyReader._read_gravity,
    omi_vehicle.BODY: FamilyReader._read_vehicle,
    **dict.fromkeys(_ATTRIBUTES, FamilyReader._read_part),
    omi_seat.NAME: FamilyReader._read_seat,
}


@dataclasses.dataclass(frozen=True)
class FamilyWriter:
    """Writes documents in today's form.

    Attributes:
        place, place_of_shape: words for messages about a node or a shape.
        old_vehicle_names: write the key names of 2025 beside today's.
    """

    writing: Writing
    place: Callable[[int], str]
    place_of_shape: Callable[[int], str]
    target: Target
    old_vehicle_names: bool = False

    def root(self, document: PhysicsDocument) -> dict[str, dict[str, Any]]:
        """The extension objects of the root; none that would be empty."""
        writing = self.writing
        root: dict[str, dict[str, Any]] = {}
        root[omi_physics_shape.NAME] = omi_physics_shape.write_document(
            document, self.place_of_shape, writing, self.target
        )
        root[omi_physics_body.NAME] = omi_physics_body.write_document(
            document, "{} {}".format, writing
        )
        root[omi_physics_joint.NAME] = omi_physics_joint.write_document(
            document, writing, self.target
        )
        if document.world_gravity is not None:
            root[omi_physics_gravity.NAME] = omi_physics_gravity.write_world(
                document.world_gravity, writing
            )
        for kind in omi_vehicle.PARTS:
            root[kind.name] = omi_vehicle.write_document(
                kind,
                document,
                writing,
                old_names=self.old_vehicle_names,
                target=self.target,
            )
        return {name: extension for name, extension in root.items() if extension}

    def node(self, i: int, physics: NodePhysics) -> dict[str, dict[str, Any]]:
        """The extension objects of node `i`."""
        place, writing = self.place(i), self.writing
        out: dict[str, dict[str, Any]] = {}
        body = omi_physics_body.write_node(physics, place, writing)
        if body is not None:
            out[omi_physics_body.NAME] = body
        if physics.joint is not None:
            out[omi_physics_joint.NAME] = write_joint(physics.joint, place, writing)
        if physics.gravity is not None:
            volume = omi_physics_gravity.write_volume(physics.gravity, place, writing)
            out[omi_physics_gravity.NAME] = volume
        if physics.vehicle_body is not None:
            out[omi_vehicle.BODY] = omi_vehicle.write_body(physics.vehicle_body, place, writing)
        for name, attribute in _ATTRIBUTES.items():
            part = getattr(physics, attribute)
            if part is not None:
                out[name] = omi_vehicle.write_part(part, place, writing)
        if physics.seat is not None:
            out[omi_seat.NAME] = omi_seat.write(physics.seat, place, writing)
        for name, kept in physics.kept:
            if name in NAMES and name not in out and name != omi_physics_body.NAME:
                out[name] = travelling.unpack(kept)
        return out
