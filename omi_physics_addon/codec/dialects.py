"""Which codecs make up a family of extensions, and the way from a whole file to a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final, cast

from ..issues import Issues
from ..model.document import GltfFile, GltfNode, NodePhysics, PhysicsDocument
from ..model.fields import FilterIndex, MaterialIndex, MeshIndex, NodeIndex, ShapeIndex
from . import omi_legacy, omi_physics_body, omi_physics_shape
from .omi_physics_shape import Target
from .records import Reading, Writing
from .values import show

# Names of every extension that the readers below know, old ones too.
NAMES: Final = (omi_physics_body.NAME, omi_physics_shape.NAME, omi_legacy.COLLIDER)


def gltf_file(json: Mapping[str, Any]) -> GltfFile:
    """What the codecs need of a parsed glTF; members of a wrong type count as absent."""
    nodes = [
        GltfNode(_object(_object(node).get("extensions")), _indices(_object(node).get("children")))
        for node in _list(json.get("nodes"))
    ]
    return GltfFile(_object(json.get("extensions")), nodes, len(_list(json.get("meshes"))))


def _object(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []


def _indices(value: Any) -> Sequence[int]:
    return [v for v in _list(value) if isinstance(v, int) and not isinstance(v, bool)]


def read(file: GltfFile, issues: Issues) -> PhysicsDocument:
    """The document of a file written in any OMI dialect, old or new.

    Never raises for a fault of the file: it is reported and the rest is read.
    """
    document = PhysicsDocument()
    counts = {NodeIndex: len(file.nodes), MeshIndex: file.mesh_count}
    reading = Reading(issues, counts)
    legacy = omi_legacy.Legacy()
    shapes = file.extensions.get(omi_physics_shape.NAME)
    if shapes is not None:
        pointer = f"/extensions/{omi_physics_shape.NAME}"
        document.shapes = omi_physics_shape.read(shapes, pointer, reading)
    shape_count = len(document.shapes)
    colliders = omi_legacy.read_colliders(file, document, legacy, reading)
    body = file.extensions.get(omi_physics_body.NAME)
    if body is not None:
        omi_physics_body.read_document(body, reading, document)
    counts |= {
        ShapeIndex: shape_count,
        MaterialIndex: len(document.physics_materials),
        FilterIndex: len(document.collision_filters),
    }
    reading = Reading(issues, counts)
    for i, node in enumerate(file.nodes):
        if node.extensions:
            _read_node(i, node.extensions, colliders, document, legacy, reading)
    if legacy.dialects:
        omi_legacy.resolve(file, document, legacy)
        omi_legacy.report(legacy, reading)
    return document


def _read_node(
    i: int,
    extensions: Mapping[str, Any],
    colliders: tuple[int, list[bool]],
    document: PhysicsDocument,
    legacy: omi_legacy.Legacy,
    reading: Reading,
) -> None:
    body = extensions.get(omi_physics_body.NAME)
    if isinstance(body, Mapping):
        members = cast(Mapping[str, Any], body)
        if isinstance(members.get("type"), str):
            document.nodes[i] = omi_legacy.read_flat_body(members, i, legacy, reading)
        else:
            pointer = f"/nodes/{i}/extensions/{omi_physics_body.NAME}"
            physics = omi_physics_body.read_node(members, pointer, reading)
            if physics:
                document.nodes[i] = physics
    elif body is not None:
        pointer = f"/nodes/{i}/extensions/{omi_physics_body.NAME}"
        reading.issues.add("F01", pointer, f"{show(body)} is not an object")
    if omi_legacy.COLLIDER in extensions:
        json = extensions[omi_legacy.COLLIDER]
        omi_legacy.read_collider(json, i, colliders, document, legacy, reading)
    if omi_physics_shape.NAME in extensions:
        json = extensions[omi_physics_shape.NAME]
        omi_legacy.read_node_shape(json, i, reading.counts[ShapeIndex], legacy, reading)


@dataclass(frozen=True)
class Options:
    """How to write.

    Attributes:
        target: for which reader capsules are written.
        repair: write repaired values where an imported fault is still unchanged.
    """

    target: Target = "SPECIFICATION"
    repair: bool = False


@dataclass
class Encoded:
    """The extension objects of a document: of the root by name, of nodes by index and name."""

    root: dict[str, dict[str, Any]] = dataclass_field(default_factory=dict[str, dict[str, Any]])
    nodes: dict[int, dict[str, dict[str, Any]]] = dataclass_field(
        default_factory=dict[int, dict[str, dict[str, Any]]]
    )


def _same(index: int) -> int:
    return index


class Writer:
    """Writes documents in today's OMI form.

    Args:
        node_ref, mesh_ref: what to write for an index of a node or mesh.
        place, place_of_shape: words for messages about a node or a shape.
    """

    def __init__(
        self,
        issues: Issues,
        options: Options,
        *,
        node_ref: Callable[[int], Any] = _same,
        mesh_ref: Callable[[int], Any] = _same,
        place: Callable[[int], str] = "/nodes/{}".format,
        place_of_shape: Callable[[int], str] = "/extensions/OMI_physics_shape/shapes/{}".format,
    ) -> None:
        refs: dict[Any, Callable[[int], Any]] = {
            NodeIndex: node_ref,
            MeshIndex: mesh_ref,
            ShapeIndex: _same,
            MaterialIndex: _same,
            FilterIndex: _same,
        }
        self._writing = Writing(issues, refs, options.repair)
        self._options = options
        self._place = place
        self._place_of_shape = place_of_shape

    def document(self, document: PhysicsDocument) -> Encoded:
        """Everything of `document`; empty lists and objects of nothing are left out."""
        encoded = Encoded(root=self.root(document))
        for i, physics in document.nodes.items():
            extensions = self.node(i, physics)
            if extensions:
                encoded.nodes[i] = extensions
        return encoded

    def root(self, document: PhysicsDocument) -> dict[str, dict[str, Any]]:
        """The extension objects of the root."""
        root: dict[str, dict[str, Any]] = {}
        if document.shapes:
            root[omi_physics_shape.NAME] = {
                "shapes": [
                    omi_physics_shape.write(
                        shape, self._place_of_shape(i), self._writing, self._options.target
                    )
                    for i, shape in enumerate(document.shapes)
                ]
            }
        body = omi_physics_body.write_document(document, "{} {}".format, self._writing)
        if body:
            root[omi_physics_body.NAME] = body
        return root

    def node(self, i: int, physics: NodePhysics) -> dict[str, dict[str, Any]]:
        """The extension objects of node `i`."""
        body = omi_physics_body.write_node(physics, self._place(i), self._writing)
        return {} if body is None else {omi_physics_body.NAME: body}
