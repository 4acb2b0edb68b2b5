"""Which codecs make up a family of extensions, and the way from a whole file to a document."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from types import MappingProxyType
from typing import Any, Final

from ..issue_codes import Code
from ..issues import Issues
from ..model.document import GltfFile, GltfNode, NodePhysics, PhysicsDocument
from ..model.fields import INDEX_TYPES, MeshIndex, NodeIndex
from ..model.targets import Family
from .convert import anchors, completing
from .convert.merging import merge
from .convert.mesh_nodes import ROLE_KEY
from .convert.plane_boxes import without_plane_boxes
from .engine import Engine
from .khr import khr_family
from .khr.khr_family import GeometryForm
from .omi import omi_family, omi_physics_gravity, omi_seat
from .omi.omi_form import CURRENT
from .values import core_shapes
from .values.json_members import as_list, as_object, objects
from .values.json_values import show
from .values.node_tree import Tree, local_matrix
from .values.records import Writing

# Names of every extension that the readers below know, old ones too.
NAMES: Final = (*omi_family.NAMES, *khr_family.NAMES)
# Extensions of OMI that may stand in any file, because they need nothing else of OMI.
_NEUTRAL: Final = (omi_physics_gravity.NAME, omi_seat.NAME)


def gltf_file(json: Mapping[str, Any]) -> GltfFile:
    """What the codecs need of a parsed glTF; members of a wrong type count as absent."""
    nodes = [as_object(node) for node in as_list(json.get("nodes"))]
    extensions, meshes = as_object(json.get("extensions")), as_list(json.get("meshes"))
    scenes = [
        as_object(as_object(scene).get("extensions")) for scene in as_list(json.get("scenes"))
    ]
    first = json.get("scene")
    if isinstance(first, int) and 0 < first < len(scenes):
        scenes.insert(0, scenes.pop(first))
    made, matrices = [*map(_gltf_node, nodes)], [*map(local_matrix, nodes)]
    shapes, asset = as_list(json.get("shapes")), as_object(json.get("asset"))
    return GltfFile(extensions, made, len(meshes), scenes, matrices, asset, shapes)


def report_misfits(json: Mapping[str, Any], issues: Issues) -> None:
    """Tell of members "extensions" of the root and of nodes that are no objects, and of shapes."""
    shapes = json.get("shapes", [])
    if not isinstance(shapes, list):
        why = f"{show(shapes)} is not a list, so it is ignored"
        issues.add(Code.TYPE_WRONG, "/shapes", why)
    owners = [("", json)]
    owners += [(f"/nodes/{i}", as_object(x)) for i, x in enumerate(as_list(json.get("nodes")))]
    for pointer, owner in owners:
        if not isinstance(owner.get("extensions", {}), Mapping):
            why = f"{show(owner['extensions'])} is not an object, so the extension is not read"
            issues.add(Code.TYPE_WRONG, f"{pointer}/extensions", why)


def _gltf_node(json: Mapping[str, Any]) -> GltfNode:
    mesh = json.get("mesh")
    return GltfNode(
        as_object(json.get("extensions")),
        _indices(json.get("children")),
        mesh if isinstance(mesh, int) and not isinstance(mesh, bool) else -1,
        "skin" in json or "weights" in json,
        role_of(json.get("extras")),
    )


def role_of(extras: Any) -> str:
    """The role that our export gave a node, in its extras."""
    role = as_object(extras).get(ROLE_KEY)
    return role if isinstance(role, str) else ""


def _indices(value: Any) -> Sequence[int]:
    return [v for v in as_list(value) if isinstance(v, int) and not isinstance(v, bool)]


def families(file: GltfFile) -> tuple[Family, ...]:
    """The families that a file is written in.

    World gravity and seats are OMI's, but do not make a file of KHR one of both.
    """
    is_khr = khr_family.is_used(file)
    neutral = dict.fromkeys(_NEUTRAL if is_khr else ())
    root = {name: value for name, value in file.extensions.items() if name not in neutral}
    neutral.pop(omi_physics_gravity.NAME, None)  # On a node it is a volume, with an OMI trigger.
    names: set[str] = set()
    for node in file.nodes:
        names.update(node.extensions)
    used = GltfNode(dict.fromkeys(names.difference(neutral)), ())
    is_omi = omi_family.is_used(GltfFile(root, [used], 0))
    found: list[Family] = []
    if is_omi:
        found.append("OMI")
    if is_khr:
        found.append("KHR")
    return tuple(found)


def reads_core(file: GltfFile) -> bool:
    """Whether physics refers to the shapes in the core of a file."""
    return omi_family.reads_core(file) or khr_family.reads_core(file)


def read_each(file: GltfFile, issues: Issues) -> tuple[PhysicsDocument, PhysicsDocument]:
    """What OMI says of a file written in any dialect, old or new, and what KHR says.

    Never raises for a fault of the file: it is reported and the rest is read.
    """
    core_shapes.report(file.asset, issues, has_core_shapes=reads_core(file))
    ours = omi_family.read(file, issues)
    if not khr_family.is_used(file):
        return ours, PhysicsDocument()
    theirs = khr_family.read(file, issues)
    anchors.as_authored(theirs, file)
    return ours, theirs


def read(file: GltfFile, issues: Issues) -> PhysicsDocument:
    """The document of a file: what one family says, or what both do, where OMI's comes first."""
    ours, theirs = read_each(file, issues)
    if theirs == PhysicsDocument():
        return ours
    return merged(ours, theirs, file, issues)


def merged(
    ours: PhysicsDocument, theirs: PhysicsDocument, file: GltfFile, issues: Issues
) -> PhysicsDocument:
    """What both families say of a file, OMI's where they disagree, which is reported."""
    completing.report_centers(ours, theirs, Tree.of(file), issues)
    return merge(without_plane_boxes(ours, theirs, file, issues), theirs, issues)


@dataclass(frozen=True)
class WriteOptions:
    """How to write.

    Attributes:
        target: the engine that the file is for; None for everybody.
        repair: write repaired values where an imported fault is still unchanged.
        families: what to write; any of them.
        geometry: how KHR names shapes and their meshes; no engine reads those of the core.
        old_vehicle_names: write the keys of 2025 beside today's; an engine may need some of them
            whatever this says.
    """

    target: Engine | None = None
    repair: bool = False
    families: tuple[Family, ...] = ("OMI",)
    geometry: GeometryForm = "MESH"
    old_vehicle_names: bool = False

    @property
    def form(self) -> GeometryForm:
        """How KHR names shapes and their meshes in the file."""
        return "MESH" if self.geometry == "CORE" and self.target is not None else self.geometry

    def as_authored(self) -> WriteOptions:
        """How the specification has what is written for an engine."""
        return dataclasses.replace(self, target=None, geometry=self.form)


@dataclass
class Encoded:
    """The extension objects of a document: of the root by name, of nodes by index and name.

    Attributes:
        shapes: the whole list of the core, where something is written there.
    """

    root: dict[str, dict[str, Any]] = dataclass_field(default_factory=dict[str, dict[str, Any]])
    nodes: dict[int, dict[str, dict[str, Any]]] = dataclass_field(
        default_factory=dict[int, dict[str, dict[str, Any]]]
    )
    shapes: list[Any] = dataclass_field(default_factory=list[Any])


_NOTHING: Final = NodePhysics()


def _same(index: int) -> int:
    return index


class Writer:
    """Writes documents in today's form of one family or both.

    What a family cannot express is for codec.convert to change before.

    Args:
        node_ref, mesh_ref: what to write for an index of a node or mesh.
        mesh_node: index of a node that carries a mesh and adds nothing to it, None for none; only
            the forms of geometry that name nodes ask for it.
        place, place_of_shape: words for messages about a node or a shape.
        core: the entries that the core's list of shapes has already.
        counts: of nodes and meshes in the file, where they are known.
    """

    def __init__(
        self,
        issues: Issues,
        options: WriteOptions,
        *,
        node_ref: Callable[[int], Any] = _same,
        mesh_ref: Callable[[int], Any] = _same,
        mesh_node: Callable[[int], int | None] = lambda _mesh: None,
        place: Callable[[int], str] = "/nodes/{}".format,
        place_of_shape: Callable[[int], str] = "/extensions/OMI_physics_shape/shapes/{}".format,
        core: Sequence[Any] = (),
        counts: Mapping[Any, int] = MappingProxyType({}),
    ) -> None:
        refs: dict[Any, Callable[[int], Any]] = {
            NodeIndex: node_ref,
            MeshIndex: mesh_ref,
            **dict.fromkeys(INDEX_TYPES - {NodeIndex, MeshIndex}, _same),
        }
        self._writing = writing = Writing(issues, refs, options.repair, counts=dict(counts))
        self._families = options.families
        self._omi = omi_family.FamilyWriter(
            writing,
            place,
            place_of_shape,
            CURRENT if options.target is None else options.target.omi,
            options.old_vehicle_names,
        )
        self._khr = khr_family.FamilyWriter(
            writing, place, place_of_shape, options.form, mesh_node, core
        )
        self._issues = issues
        self._other: PhysicsDocument | None = None
        self._document: PhysicsDocument | None = None
        self._alike: dict[tuple[int, int], dict[str, dict[str, Any]]] = {}

    def prepare(self, document: PhysicsDocument, *, for_khr: PhysicsDocument | None = None) -> None:
        """Look at what is going to be written; needed before `node()` when KHR is.

        Args:
            for_khr: what KHR says where that is not what OMI says.
        """
        self._other, self._document = for_khr, document
        self._alike = {}
        lengths, more = document.lengths(), (for_khr or document).lengths()
        self._writing.counts.update((kind, max(lengths[kind], more[kind])) for kind in lengths)
        self._khr.prepare(for_khr or document)

    def document(
        self, document: PhysicsDocument, *, for_khr: PhysicsDocument | None = None
    ) -> Encoded:
        """Everything of `document`; empty lists and objects of nothing are left out."""
        self.prepare(document, for_khr=for_khr)
        encoded = Encoded(root=self.root(document))
        nodes = document.nodes if for_khr is None else {**for_khr.nodes, **document.nodes}
        for i in nodes:
            extensions = self.node(i)
            if extensions:
                encoded.nodes[i] = extensions
        encoded.shapes = self.core_shapes()
        return encoded

    def core_shapes(self) -> list[Any]:
        """The list of shapes of the core; known after `prepare()`."""
        return self._khr.core() if "KHR" in self._families else []

    def root(self, document: PhysicsDocument) -> dict[str, dict[str, Any]]:
        """The extension objects of the root."""
        root: dict[str, dict[str, Any]] = {}
        other = self._other or document
        world = document.world_gravity or other.world_gravity
        if "OMI" in self._families:
            root |= self._omi.root(dataclasses.replace(document, world_gravity=world))
        elif world is not None:
            root |= self._omi.root(PhysicsDocument(world_gravity=world))
        if "KHR" in self._families:
            root |= self._khr.root(other)
        return root

    def node(self, i: int) -> dict[str, dict[str, Any]]:
        """The extension objects of node `i`, not to be changed: nodes that are alike share them.

        Raises:
            ValueError: the writer does not know the document.
        """
        if self._document is None:
            raise ValueError("the writer does not know the document; call prepare() first")
        physics = self._document.nodes.get(i, _NOTHING)
        other = physics if self._other is None else self._other.nodes.get(i)
        key = id(physics), id(other)
        is_anchor = i in (self._other or self._document).anchors
        if key in self._alike and not is_anchor:
            return self._alike[key]
        told = len(self._issues)
        out = self._write_node(i, physics, other)
        is_told = len(self._issues) > told
        is_simple = not (is_told or is_anchor or self.has_references(i))
        # Others may change extensions inside of ours.
        if is_simple and not any("extensions" in each for each in objects(out)):
            self._alike[key] = out
        return out

    def _write_node(
        self, i: int, physics: NodePhysics, other: NodePhysics | None
    ) -> dict[str, dict[str, Any]]:
        out: dict[str, dict[str, Any]] = {}
        if "OMI" in self._families:
            out |= self._omi.node(i, physics)
        elif physics.seat is not None or physics.carried:
            carried = tuple(item for item in physics.carried if item[0] == omi_seat.NAME)
            out |= self._omi.node(i, NodePhysics(seat=physics.seat, carried=carried))
        if "KHR" in self._families and other is not None:
            out |= self._khr.node(i, other)
        return out

    def has_references(self, i: int) -> bool:
        """Whether what is written for node `i` holds indices of nodes or meshes."""
        documents = (self._document, self._other)
        found = (document.nodes.get(i) for document in documents if document is not None)
        return any(physics is not None and self._refers(physics) for physics in found)

    def _refers(self, physics: NodePhysics) -> bool:
        body = physics.vehicle_body
        return (
            physics.joint is not None
            or (physics.trigger is not None and bool(physics.trigger.nodes))
            or (body is not None and body.pilot_seat is not None)
            or (
                "KHR" in self._families
                and any(
                    part is not None and self._khr.names_mesh(part.shape)
                    for part in (physics.collider, physics.trigger)
                )
            )
        )
