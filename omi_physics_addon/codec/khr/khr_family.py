"""The KHR family: from a whole file to a document and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from ...issue_codes import Code
from ...issues import Issues
from ...model.bodies import Motion, ShapeUser
from ...model.document import GltfFile, NodePhysics, PhysicsDocument
from ...model.fields import MeshIndex, NodeIndex
from ...model.shapes import Convex, Plane, Shape, Trimesh
from ..omi.omi_physics_shape import report_homeless
from ..values import carried
from ..values.json_members import as_object
from ..values.listed_shapes import CORE, read_shape
from ..values.records import Reading, Writing, merge_carried, write_record
from . import khr_legacy, khr_physics_rigid_bodies, khr_shapes
from .khr_geometry import GeometryReader, ShapeRange

GeometryForm = Literal["MESH", "MESH_AND_NODE", "NODE", "COLLISION_SHAPES", "CORE"]
# The forms whose lists hold the shapes of meshes, too.
_LISTING: Final = ("COLLISION_SHAPES", "CORE")

_MANY: Final = 1 << 40  # More meshes and nodes than a file has.
_BODIES: Final = (khr_physics_rigid_bodies.NAME, *khr_physics_rigid_bodies.OLD_NAMES)
# Names of every extension that this family reads, old ones too.
NAMES: Final = (*_BODIES, *khr_shapes.ARRAYS, khr_legacy.NAME)

DIALECTS: Final[dict[str, str]] = {
    "K1": "MSFT_physics of 2022-10 to 2023-01",
    "K3": "MSFT_rigid_bodies and MSFT_collision_primitives of 2023-07",
    "K4": "KHR_rigid_bodies of 2023-08",
    "K5": "KHR_collision_shapes with the shapes of 2023-08 to 2024-06",
    "K6": "KHR_collision_shapes with the mesh shapes of 2024-06",
    "K7": "KHR_collision_shapes with the mesh shapes of 2024-07 to 2024-10",
    "K8": "KHR_physics_rigid_bodies with the geometry.node of 2024-10 to 2025",
}


def is_used(file: GltfFile) -> bool:
    """Whether a file says anything in this family."""
    return (
        any(name in file.extensions for name in NAMES)
        or any(name in node.extensions for node in file.nodes if node.extensions for name in NAMES)
        or any(khr_legacy.NAME in extensions for extensions in file.scenes)
    )


def reads_core(file: GltfFile) -> bool:
    """Whether its bodies refer to the core's list of shapes, as the file has none of KHR."""
    return bool(file.shapes) and is_used(file) and not _has_lists(file)


def _has_lists(file: GltfFile) -> bool:
    return any(name in file.extensions for name in khr_shapes.ARRAYS)


def read(file: GltfFile, issues: Issues) -> PhysicsDocument:
    """The document of a file; faults of the file are reported and the rest is read."""
    return _Reader(file, issues).read()


class _Reader:
    """Reads one file."""

    def __init__(self, file: GltfFile, issues: Issues) -> None:
        self._file, self._issues = file, issues
        self._dialects: dict[str, str] = {}
        self._document = PhysicsDocument()

    def read(self) -> PhysicsDocument:
        file, document = self._file, self._document
        reading = Reading(self._issues, {NodeIndex: len(file.nodes), MeshIndex: file.mesh_count})
        self._geometries = self._read_shapes(reading)
        for name in _BODIES:
            if name in file.extensions:
                extension = file.extensions[name]
                khr_physics_rigid_bodies.read_document(name, extension, reading, document)
                break
        else:
            if khr_legacy.NAME in file.extensions:
                khr_legacy.read_document(file.extensions[khr_legacy.NAME], reading, document)
        document.world_gravity = khr_legacy.read_gravity(file, reading)
        self._read_nodes(reading.with_counts(document.lengths()))
        self._report(reading)
        return document

    def _read_shapes(self, reading: Reading) -> GeometryReader:
        """Append the file's lists of shapes to that of the document."""
        ranges: dict[str, ShapeRange] = {}
        shapes = self._document.shapes
        for name in khr_shapes.ARRAYS:
            if name in self._file.extensions:
                extension = self._file.extensions[name]
                first = len(shapes)
                shapes += khr_shapes.read(name, extension, reading)
                self._carry_rest(name, extension, reading)
                ranges[name] = ShapeRange(first, len(shapes) - first)
                if name != khr_shapes.IMPLICIT:
                    dialect = khr_shapes.dialect(name, extension)
                    self._dialects[dialect] = f"/extensions/{name}"
        implicit = ranges.pop(khr_shapes.IMPLICIT, ShapeRange(0, 0))
        older = next(iter(ranges.values()), ShapeRange(0, 0))
        has_lists = _has_lists(self._file)
        return GeometryReader(self._file, self._document, implicit, older, has_lists=has_lists)

    def _carry_rest(self, name: str, extension: Any, reading: Reading) -> None:
        """Carry what stands beside a list of shapes."""
        rest: dict[str, Any] = {}
        for key, value in as_object(extension).items():
            if key != khr_shapes.ARRAYS[name]:
                carried.add_unknown(rest, key, value, f"/extensions/{name}", reading.issues)
        if rest:
            self._document.carried.setdefault(khr_shapes.IMPLICIT, carried.pack(rest))

    def _read_nodes(self, reading: Reading) -> None:
        legacy = khr_legacy.NodeReader(self._document, reading)
        alike: dict[tuple[str, str], NodePhysics] = {}
        for i, node in enumerate(self._file.nodes):
            name = next((name for name in _READ if name in node.extensions), None)
            if name is None:
                continue
            pointer, json = f"/nodes/{i}/extensions/{name}", node.extensions[name]
            if name in _OLD:
                self._dialects.setdefault(_OLD[name], pointer)
            members = reading.mapping(json, pointer)
            if members is None:
                continue
            if name == khr_legacy.NAME:
                physics = legacy.read(i, members)
            else:
                key, told = (name, _text(members)), len(self._issues)
                physics = alike.get(key)
                if physics is None:
                    physics = khr_physics_rigid_bodies.read_node(
                        name, i, members, reading, self._geometries
                    )
                    is_whole = key[1] and len(self._issues) == told
                    if is_whole and not self._geometries.depends_on_node(physics):
                        alike[key] = physics
            if physics:
                self._document.nodes[i] = physics

    def _report(self, reading: Reading) -> None:
        """Say once for each which old dialects the file is written in."""
        if self._geometries.uses_nodes:
            self._dialects["K8"] = self._geometries.uses_nodes
        if self._dialects.keys() & {"K3", "K4"}:
            self._dialects.pop("K5", None)  # The shapes are of their time.
        for dialect, pointer in self._dialects.items():
            why = f"the file uses the older {DIALECTS[dialect]}; an export writes the current form"
            reading.issues.add(Code.DIALECT_OLD, pointer, why)


def _text(members: Mapping[str, Any]) -> str:
    """What tells an extension object from others; empty for one too deep or with endless digits."""
    try:
        return repr(members)
    except (RecursionError, ValueError):
        return ""


_READ: Final = (*_BODIES, khr_legacy.NAME)
_OLD: Final[dict[str, str]] = {**khr_physics_rigid_bodies.OLD_NAMES, khr_legacy.NAME: "K1"}


class FamilyWriter:
    """Writes documents in today's form, that of 2024-03, or with the shapes of the core.

    Args:
        place, place_of_shape: words for messages about a node or a shape.
        form: how shapes of meshes are written.
        core: the entries that the core's list of shapes has already.
        mesh_node: index of a node that carries a mesh and adds nothing to it, None for none; for
            the forms that name nodes.
    """

    def __init__(
        self,
        writing: Writing,
        place: Callable[[int], str],
        place_of_shape: Callable[[int], str],
        form: GeometryForm,
        mesh_node: Callable[[int], int | None],
        core: Sequence[Any] = (),
    ) -> None:
        self._writing, self._place, self._place_of_shape = writing, place, place_of_shape
        self._form: GeometryForm = form
        self._mesh_node = mesh_node
        self._core = core if form == "CORE" else ()
        self._document = PhysicsDocument()
        self._indices: dict[int, int] = {}
        self._written: list[int] = []

    def prepare(self, document: PhysicsDocument) -> None:
        """Choose which of the document's shapes make up the list that nodes point into."""
        self._document = document
        self._writing.alike.clear()  # What refers to another list of shapes.
        there = self._there()
        self._indices, self._written = {}, []
        for i, shape in enumerate(document.shapes):
            geometry = shape.geometry
            if isinstance(geometry, (Convex, Trimesh)) and (
                self._form not in _LISTING or geometry.mesh is None
            ):
                continue
            at = there.get(shape)
            if at is None:
                at = len(self._core) + len(self._written)
                self._written.append(i)
            self._indices[i] = at

    def _there(self) -> dict[Shape, int]:
        """Where the core's list has which shapes already."""
        counts = {MeshIndex: _MANY, NodeIndex: _MANY}
        found: dict[Shape, int] = {}
        for i, json in enumerate(self._core):
            shape = read_shape(json, f"/shapes/{i}", Reading(Issues(), counts), CORE)
            found.setdefault(shape, i)
        return found

    def root(self, document: PhysicsDocument) -> dict[str, dict[str, Any]]:
        """The extension objects of the root; none that would be empty."""
        self.prepare(document)
        old = self._form == "COLLISION_SHAPES"
        name = khr_shapes.COLLISION if old else khr_shapes.IMPLICIT
        root: dict[str, dict[str, Any]] = {}
        if self._indices and self._form != "CORE":
            root[name] = {"shapes": [self._write_shape(i) for i in self._indices]}
            merge_carried(root[name], document.carried.get(khr_shapes.IMPLICIT, ""))
        else:
            report_homeless(khr_shapes.IMPLICIT, document, self._writing)
        body = khr_physics_rigid_bodies.write_document(document, self._writing)
        if body:
            root[khr_physics_rigid_bodies.NAME] = body
        return root

    def core(self) -> list[Any]:
        """The list of shapes of the core, with those that it had."""
        if self._form != "CORE":
            return []
        return [*self._core, *map(self._write_shape, self._written)]

    def _write_shape(self, i: int) -> dict[str, Any]:
        shape, place = self._document.shapes[i], self._place_of_shape(i)
        if self._form == "COLLISION_SHAPES" and isinstance(shape.geometry, Plane):
            why = (
                "the form of 2024-03 has no planes, so few importers will read this; choose "
                "another form"
            )
            self._writing.issues.add(Code.PLANE_IN_OLD_FORM, place, why)
        if isinstance(shape.geometry, (Convex, Trimesh)) and shape.geometry.node is not None:
            form = "glTF 2.1 draft" if self._form == "CORE" else "form of 2024-03"
            why = (
                f"the {form} supports only a node's own mesh, so the mesh is written instead of "
                "its node"
            )
            self._writing.issues.add(Code.NODE_GEOMETRY_AS_MESH, place, why)
        if self._form == "CORE":
            return khr_shapes.write_core(shape, place, self._writing)
        return khr_shapes.write(shape, place, self._writing)

    def node(self, i: int, physics: NodePhysics) -> dict[str, dict[str, Any]]:
        """The extension objects of node `i`."""
        place = self._place(i)
        if i in self._document.anchors and physics.motion and physics.motion.type == "static":
            physics = dataclasses.replace(physics, motion=Motion(type="kinematic"))
        body = khr_physics_rigid_bodies.write_node(
            physics, place, self._writing, self._write_shaped
        )
        return {} if body is None else {khr_physics_rigid_bodies.NAME: body}

    def _write_shaped(self, record: ShapeUser, place: str) -> dict[str, Any]:
        if self.names_mesh(record.shape):  # Of which something may be told at each place.
            return self._write_one(record, place, self._writing)
        return self._writing.once(record, place, self._write_one)

    def _write_one(self, record: ShapeUser, place: str, writing: Writing) -> dict[str, Any]:
        return khr_physics_rigid_bodies.write_shaped(
            record,
            place,
            writing,
            lambda shape: self._write_geometry(shape, place),
            len(self._core) + len(self._written),
        )

    def names_mesh(self, shape: int | None) -> bool:
        """Whether a node with this shape names a mesh or a node."""
        return shape is not None and shape not in self._indices

    def _write_geometry(self, index: int, place: str) -> dict[str, Any]:
        if index in self._indices:
            at = self._indices[index]
            old = self._form == "COLLISION_SHAPES"
            return {"shape": at} if old else {"geometry": {"shape": at}}
        if index >= len(self._document.shapes):
            raise ValueError("the writer does not know the document; call prepare() first")
        shape = self._document.shapes[index]
        geometry = shape.geometry
        assert isinstance(geometry, (Convex, Trimesh))
        out = self._write_references(geometry, place)
        out["convexHull"] = isinstance(geometry, Convex)
        if shape.name:
            out["name"] = shape.name
        bare = dataclasses.replace(geometry, mesh=None, node=None)
        merge_carried(out, shape.carried)
        return {"geometry": {**write_record(bare, place, self._writing), **out}}

    def _write_references(self, geometry: Convex | Trimesh, place: str) -> dict[str, Any]:
        """The members of a geometry that refer to its mesh or node."""
        mesh, node = geometry.mesh, geometry.node
        form, refs, issues = self._form, self._writing.refs, self._writing.issues
        if node is not None:
            # More than a plain mesh: only the node says all, only the mesh is known today.
            if mesh is None:
                why = (
                    "the current form cannot refer to a node without a mesh, so the older "
                    "node reference is written; use a mesh"
                )
                issues.add(Code.NODE_GEOMETRY_AS_MESH, place, why)
                return {"node": refs[NodeIndex](node)}
            return {"mesh": refs[MeshIndex](mesh), "node": refs[NodeIndex](node)}
        if mesh is None:
            return {}
        if form in ("MESH_AND_NODE", "NODE"):
            node = self._mesh_node(mesh)
            if node is None:
                why = (
                    "no node has only this mesh, so the geometry refers to the mesh; "
                    "importers of 2025 may not find it"
                )
                issues.add(Code.MESH_WITHOUT_OWN_NODE, place, why)
            elif form == "NODE":
                return {"node": refs[NodeIndex](node)}
            else:
                return {"mesh": refs[MeshIndex](mesh), "node": refs[NodeIndex](node)}
        return {"mesh": refs[MeshIndex](mesh)}
