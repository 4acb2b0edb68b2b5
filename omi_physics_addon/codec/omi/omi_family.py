"""The OMI family: from a whole file to a document and back."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...issues import Issues
from ...model.document import GltfFile, NodePhysics, PhysicsDocument
from ...model.fields import MeshIndex, NodeIndex, ShapeIndex
from ...model.vehicles import VehicleBody
from ..values import carried
from ..values.joint_records import read_joint
from ..values.listed_shapes import CORE, read_shape
from ..values.records import Reading, Writing, read_record, write_record
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
from .omi_form import OmiForm
from .omi_vehicle import PartKind

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


def reads_core(file: GltfFile) -> bool:
    """Whether its bodies refer to the core's list of shapes, as the file has none of OMI."""
    return (
        bool(file.shapes)
        and omi_physics_shape.NAME not in file.extensions
        and any(omi_physics_body.NAME in node.extensions for node in file.nodes)
    )


def read(file: GltfFile, issues: Issues) -> PhysicsDocument:
    """The document of a file; faults of the file are reported and the rest is read."""
    document, legacy = PhysicsDocument(), omi_legacy.Legacy()
    reading = Reading(issues, {NodeIndex: len(file.nodes), MeshIndex: file.mesh_count})
    if omi_physics_shape.NAME in file.extensions:
        shapes = file.extensions[omi_physics_shape.NAME]
        pointer = f"/extensions/{omi_physics_shape.NAME}"
        omi_physics_shape.read(shapes, pointer, reading, document)
    elif reads_core(file):
        document.shapes += (
            read_shape(json, f"/shapes/{i}", reading, CORE) for i, json in enumerate(file.shapes)
        )
    shape_count = len(document.shapes)
    old_colliders = omi_legacy.read_colliders(file, document, legacy, reading)
    reading = reading.with_counts({ShapeIndex: shape_count})
    reading = _read_lists(file.extensions, document, legacy, reading)
    nodes = _NodeReader(document, reading, legacy, shape_count, old_colliders)
    for i, node in enumerate(file.nodes):
        if node.extensions:
            nodes.read(i, node.extensions)
    if legacy.empty_triggers:
        omi_legacy.list_empty_triggers(file, document, legacy, reading)
    if legacy.dialects:
        omi_legacy.resolve(file, document, legacy, reading)
        omi_legacy_joints.resolve(file, document, legacy, reading)
        omi_legacy.report(legacy, reading)
    return document


def _read_lists(
    extensions: Mapping[str, Any],
    document: PhysicsDocument,
    legacy: omi_legacy.Legacy,
    reading: Reading,
) -> Reading:
    """Read the document's lists; returns a reading that knows how long they are."""
    if omi_physics_body.NAME in extensions:
        omi_physics_body.read_document(extensions[omi_physics_body.NAME], reading, document)
    shapes = {ShapeIndex: reading.counts[ShapeIndex]}
    reading = reading.with_counts(document.lengths() | shapes)
    if omi_physics_joint.NAME in extensions:
        joints = extensions[omi_physics_joint.NAME]
        omi_physics_joint.read_document(joints, reading, document)
        omi_legacy_joints.read_document(joints, reading, legacy)
    for kind in omi_vehicle.PARTS:
        if kind.name in extensions:
            omi_vehicle.read_document(kind, extensions[kind.name], reading, document)
    if omi_physics_gravity.NAME in extensions:
        gravity = extensions[omi_physics_gravity.NAME]
        document.world_gravity = omi_physics_gravity.read_world(gravity, reading)
    return reading.with_counts(document.lengths() | shapes)


_NOTHING: Final = NodePhysics()


class _NodeReader:
    """Reads the extension objects of nodes into a document that has its lists.

    Args:
        shape_count: how many shapes of OMI_physics_shape it has; those of older lists follow.
        old_colliders: what `omi_legacy.read_colliders` returned.
    """

    def __init__(
        self,
        document: PhysicsDocument,
        reading: Reading,
        legacy: omi_legacy.Legacy,
        shape_count: int,
        old_colliders: tuple[int, list[bool]],
    ) -> None:
        self._document, self._reading, self._legacy = document, reading, legacy
        self._shape_count, self._old_colliders = shape_count, old_colliders
        # From an extension object, its node and the physics of that so far to the physics with it.
        self._readers: dict[str, Callable[..., NodePhysics]] = {
            omi_physics_body.NAME: self._body,
            omi_legacy.COLLIDER: self._collider,
            omi_physics_shape.NAME: self._shape,
            omi_physics_joint.NAME: self._joint,
            omi_physics_gravity.NAME: self._gravity,
            omi_vehicle.BODY: self._vehicle,
            **{kind.name: functools.partial(self._part, kind) for kind in omi_vehicle.PARTS},
            omi_seat.NAME: self._seat,
        }

    def read(self, node: int, extensions: Mapping[str, Any]) -> None:
        """Read all extension objects of a node."""
        physics = _NOTHING
        for name, json in extensions.items():
            if name in self._readers:
                members = self._reading.mapping(json, f"/nodes/{node}/extensions/{name}")
                if members is not None:
                    physics = self._readers[name](members, node, physics)
        if physics is not _NOTHING and physics:
            self._document.nodes[node] = physics

    def _body(self, json: Mapping[str, Any], node: int, physics: NodePhysics) -> NodePhysics:
        pointer, legacy = _pointer(node, omi_physics_body.NAME), self._legacy
        if isinstance(json.get("type"), str):
            new = omi_legacy.read_flat_body(json, node, legacy, self._reading)
        else:
            new = omi_physics_body.read_node(json, pointer, self._reading)
            if new.trigger is not None and new.trigger.shape is None and not new.trigger.nodes:
                legacy.empty_triggers[node] = f"{pointer}/trigger"
                if not omi_physics_body.says_nothing(json):
                    legacy.faulty_triggers.add(f"{pointer}/trigger")
            if physics is _NOTHING:
                return new
        return dataclasses.replace(
            physics,
            motion=new.motion,
            collider=new.collider,
            trigger=new.trigger,
            carried=tuple(sorted((*physics.carried, *new.carried))),
        )

    def _collider(self, json: Mapping[str, Any], node: int, physics: NodePhysics) -> NodePhysics:
        known = (self._old_colliders, self._document, self._legacy, self._reading)
        omi_legacy.read_collider(json, node, *known)
        return physics

    def _shape(self, json: Mapping[str, Any], node: int, physics: NodePhysics) -> NodePhysics:
        known = (self._shape_count, self._legacy, self._reading)
        omi_legacy.read_node_shape(json, node, *known)
        return physics

    def _joint(self, json: Mapping[str, Any], node: int, physics: NodePhysics) -> NodePhysics:
        if "constraints" in json:
            omi_legacy_joints.read_node(json, node, self._legacy, self._reading)
            return physics
        pointer = _pointer(node, omi_physics_joint.NAME)
        return _with(physics, joint=read_joint(json, pointer, self._reading))

    def _gravity(self, json: Mapping[str, Any], node: int, physics: NodePhysics) -> NodePhysics:
        pointer = _pointer(node, omi_physics_gravity.NAME)
        volume = omi_physics_gravity.read_volume(json, pointer, self._reading)
        return _with(physics, gravity=volume)

    def _vehicle(self, json: Mapping[str, Any], node: int, physics: NodePhysics) -> NodePhysics:
        pointer = _pointer(node, omi_vehicle.BODY)
        body = read_record(VehicleBody, json, pointer, self._reading)
        return _with(physics, vehicle_body=body)

    def _part(
        self, kind: PartKind, json: Mapping[str, Any], node: int, physics: NodePhysics
    ) -> NodePhysics:
        settings: list[Any] = getattr(self._document, kind.attribute)

        def add(item: Any) -> int:
            settings.append(item)
            return len(settings) - 1

        part = omi_vehicle.read_part(kind, json, _pointer(node, kind.name), self._reading, add)
        return _with(physics, **{_ATTRIBUTES[kind.name]: part})

    def _seat(self, json: Mapping[str, Any], node: int, physics: NodePhysics) -> NodePhysics:
        pointer = _pointer(node, omi_seat.NAME)
        seat = omi_seat.read(json, pointer, self._reading)
        if seat is not None:
            return _with(physics, seat=seat)
        members: dict[str, Any] = {}
        for key, value in json.items():
            carried.add(members, key, value, pointer, self._reading.issues)
        texts = (*physics.carried, (omi_seat.NAME, carried.pack(members)))
        return dataclasses.replace(physics, carried=tuple(sorted(texts)))


def _pointer(node: int, name: str) -> str:
    return f"/nodes/{node}/extensions/{name}"


def _with(physics: NodePhysics, **parts: Any) -> NodePhysics:
    return NodePhysics(**parts) if physics is _NOTHING else dataclasses.replace(physics, **parts)


_ATTRIBUTES: Final = {
    omi_vehicle.WHEEL.name: "wheel",
    omi_vehicle.THRUSTER.name: "thruster",
    omi_vehicle.HOVER_THRUSTER.name: "hover_thruster",
}
# Extensions of nodes beside bodies: the part that each says, and what writes it.
_WRITERS: Final[tuple[tuple[str, str, Callable[[Any, str, Writing], dict[str, Any]]], ...]] = (
    (omi_physics_joint.NAME, "joint", write_record),
    (omi_physics_gravity.NAME, "gravity", omi_physics_gravity.write_volume),
    (omi_vehicle.BODY, "vehicle_body", omi_vehicle.write_body),
    *((name, attribute, write_record) for name, attribute in _ATTRIBUTES.items()),
    (omi_seat.NAME, "seat", write_record),
)


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
    form: OmiForm
    old_vehicle_names: bool = False

    def root(self, document: PhysicsDocument) -> dict[str, dict[str, Any]]:
        """The extension objects of the root; none that would be empty."""
        writing = self.writing
        root: dict[str, dict[str, Any]] = {}
        root[omi_physics_shape.NAME] = omi_physics_shape.write_document(
            document, self.place_of_shape, writing, self.form
        )
        root[omi_physics_body.NAME] = omi_physics_body.write_document(
            document, "{} {}".format, writing
        )
        root[omi_physics_joint.NAME] = omi_physics_joint.write_document(
            document, writing, self.form
        )
        if document.world_gravity is not None:
            root[omi_physics_gravity.NAME] = omi_physics_gravity.write_world(
                document.world_gravity, writing
            )
        for kind in omi_vehicle.PARTS:
            root[kind.name] = omi_vehicle.write_document(
                kind, document, writing, old_names=self.old_vehicle_names, form=self.form
            )
        return {name: extension for name, extension in root.items() if extension}

    def node(self, i: int, physics: NodePhysics) -> dict[str, dict[str, Any]]:
        """The extension objects of node `i`."""
        place, writing = self.place(i), self.writing
        out: dict[str, dict[str, Any]] = {}
        body = omi_physics_body.write_node(physics, place, writing)
        if body is not None:
            out[omi_physics_body.NAME] = body
        for name, attribute, write in _WRITERS:
            part = getattr(physics, attribute)
            if part is not None:
                out[name] = write(part, place, writing)
        for name, text in physics.carried:
            if name in NAMES and name not in out and name != omi_physics_body.NAME:
                out[name] = carried.unpack(text)
        return out
