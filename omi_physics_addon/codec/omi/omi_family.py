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
from ..values import carried
from ..values.joint_records import read_joint, write_joint
from ..values.json_values import show
from ..values.listed_shapes import CORE, read_shape
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
from .omi_form import OmiForm

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
    lists = _Lists(document, reading, legacy, shape_count, old_colliders)
    for i, node in enumerate(file.nodes):
        if node.extensions:
            _read_node(i, node.extensions, lists)
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
    materials = {
        MaterialIndex: len(document.physics_materials),
        FilterIndex: len(document.collision_filters),
    }
    reading = reading.with_counts(materials)
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
    settings = {
        JointIndex: len(document.joint_settings),
        WheelIndex: len(document.wheels),
        ThrusterIndex: len(document.thrusters),
        HoverThrusterIndex: len(document.hover_thrusters),
    }
    return reading.with_counts(settings)


@dataclasses.dataclass(frozen=True)
class _Lists:
    """What is known of a file before its nodes are read.

    Attributes:
        document: has its lists, and gets the nodes.
        shape_count: how many shapes of OMI_physics_shape it has; those of older lists follow.
        old_colliders: what `omi_legacy.read_colliders` returned.
    """

    document: PhysicsDocument
    reading: Reading
    legacy: omi_legacy.Legacy
    shape_count: int
    old_colliders: tuple[int, list[bool]]


@dataclasses.dataclass(frozen=True)
class _NodeExtension:
    """One extension object of a node."""

    name: str
    json: Mapping[str, Any]
    node: int
    pointer: str


# From an extension object and the physics of its node so far to the physics with it.
_NodeReader = Callable[[_NodeExtension, NodePhysics, _Lists], NodePhysics]
_NOTHING: Final = NodePhysics()


def _read_node(node: int, extensions: Mapping[str, Any], lists: _Lists) -> None:
    """Read all extension objects of a node into the document."""
    physics = _NOTHING
    for name, json in extensions.items():
        reader = _NODE_READERS.get(name)
        if reader is None:
            continue
        pointer = f"/nodes/{node}/extensions/{name}"
        if isinstance(json, Mapping):
            members = cast(Mapping[str, Any], json)
            physics = reader(_NodeExtension(name, members, node, pointer), physics, lists)
        else:
            why = f"{show(json)} is not an object, so it is ignored"
            lists.reading.issues.add(Code.TYPE_WRONG, pointer, why)
    if physics is not _NOTHING and physics:
        lists.document.nodes[node] = physics


def _read_body(extension: _NodeExtension, physics: NodePhysics, lists: _Lists) -> NodePhysics:
    json, reading = extension.json, lists.reading
    if isinstance(json.get("type"), str):
        new = omi_legacy.read_flat_body(json, extension.node, lists.legacy, reading)
    else:
        new = omi_physics_body.read_node(json, extension.pointer, reading)
        if new.trigger is not None and new.trigger.shape is None and not new.trigger.nodes:
            pointer = f"{extension.pointer}/trigger"
            lists.legacy.empty_triggers[extension.node] = pointer
            if not omi_physics_body.says_nothing(json):
                lists.legacy.faulty_triggers.add(pointer)
        if physics is _NOTHING:
            return new
    return dataclasses.replace(
        physics,
        motion=new.motion,
        collider=new.collider,
        trigger=new.trigger,
        carried=tuple(sorted((*physics.carried, *new.carried))),
    )


def _read_collider(extension: _NodeExtension, physics: NodePhysics, lists: _Lists) -> NodePhysics:
    omi_legacy.read_collider(
        extension.json,
        extension.node,
        lists.old_colliders,
        lists.document,
        lists.legacy,
        lists.reading,
    )
    return physics


def _read_shape(extension: _NodeExtension, physics: NodePhysics, lists: _Lists) -> NodePhysics:
    omi_legacy.read_node_shape(
        extension.json, extension.node, lists.shape_count, lists.legacy, lists.reading
    )
    return physics


def _read_joint(extension: _NodeExtension, physics: NodePhysics, lists: _Lists) -> NodePhysics:
    if "constraints" in extension.json:
        omi_legacy_joints.read_node(extension.json, extension.node, lists.legacy, lists.reading)
        return physics
    return _with(physics, joint=read_joint(extension.json, extension.pointer, lists.reading))


def _read_gravity(extension: _NodeExtension, physics: NodePhysics, lists: _Lists) -> NodePhysics:
    volume = omi_physics_gravity.read_volume(extension.json, extension.pointer, lists.reading)
    return _with(physics, gravity=volume)


def _read_vehicle(extension: _NodeExtension, physics: NodePhysics, lists: _Lists) -> NodePhysics:
    body = omi_vehicle.read_body(extension.json, extension.pointer, lists.reading)
    return _with(physics, vehicle_body=body)


def _read_part(extension: _NodeExtension, physics: NodePhysics, lists: _Lists) -> NodePhysics:
    kind = _PART_KINDS[extension.name]
    settings: list[Any] = getattr(lists.document, kind.attribute)

    def add(item: Any) -> int:
        settings.append(item)
        return len(settings) - 1

    part = omi_vehicle.read_part(kind, extension.json, extension.pointer, lists.reading, add)
    return _with(physics, **{_ATTRIBUTES[kind.name]: part})


def _read_seat(extension: _NodeExtension, physics: NodePhysics, lists: _Lists) -> NodePhysics:
    pointer, reading = extension.pointer, lists.reading
    seat = omi_seat.read(extension.json, pointer, reading)
    if seat is not None:
        return _with(physics, seat=seat)
    members: dict[str, Any] = {}
    for key, value in extension.json.items():
        carried.add(members, key, value, pointer, reading.issues)
    texts = (*physics.carried, (omi_seat.NAME, carried.pack(members)))
    return dataclasses.replace(physics, carried=tuple(sorted(texts)))


def _with(physics: NodePhysics, **parts: Any) -> NodePhysics:
    return NodePhysics(**parts) if physics is _NOTHING else dataclasses.replace(physics, **parts)


_PART_KINDS: Final = {kind.name: kind for kind in omi_vehicle.PARTS}
_ATTRIBUTES: Final = {
    omi_vehicle.WHEEL.name: "wheel",
    omi_vehicle.THRUSTER.name: "thruster",
    omi_vehicle.HOVER_THRUSTER.name: "hover_thruster",
}
_NODE_READERS: Final[dict[str, _NodeReader]] = {
    omi_physics_body.NAME: _read_body,
    omi_legacy.COLLIDER: _read_collider,
    omi_physics_shape.NAME: _read_shape,
    omi_physics_joint.NAME: _read_joint,
    omi_physics_gravity.NAME: _read_gravity,
    omi_vehicle.BODY: _read_vehicle,
    **dict.fromkeys(_PART_KINDS, _read_part),
    omi_seat.NAME: _read_seat,
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
                kind,
                document,
                writing,
                old_names=self.old_vehicle_names,
                form=self.form,
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
        for name, text in physics.carried:
            if name in NAMES and name not in out and name != omi_physics_body.NAME:
                out[name] = carried.unpack(text)
        return out
