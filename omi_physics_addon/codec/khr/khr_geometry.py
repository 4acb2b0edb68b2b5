"""What a collider or trigger of the KHR family says about its shape, in all its forms.

Today: `geometry` with `shape` or `mesh`; a file without a list of shapes of KHR means the core's.
Older: `geometry.node` of 2024-10 to 2025, `shape` of
2023-08 to 2024-10, `collider` of 2023-07.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, cast

from ...issue_codes import Code
from ...model.bodies import Collider
from ...model.compounds import below
from ...model.document import GltfFile, Interned, NodePhysics, PhysicsDocument
from ...model.fields import MeshIndex, NodeIndex, ShapeIndex, row
from ...model.joints import Joint
from ...model.shapes import Convex, Shape, Trimesh
from ..values import carried
from ..values.json_values import BadValueError, convert, show
from ..values.listed_shapes import CORE, DEFORMING, read_mesh, read_shape
from ..values.records import Reading, read_record

_SHAPE: Final = row(Collider, "shape")
_NODE: Final = row(Joint, "connected_node")  # Any index of a node will do.
_PLAIN: Final = frozenset({"mesh", "convexHull"})
_REFERENCES: Final = ("shape", "mesh", "node")


@dataclasses.dataclass(frozen=True)
class ShapeRange:
    """The entries of the document's list of shapes that one list of the file became."""

    first: int
    count: int


class GeometryReader:
    """Finds the shape that a collider or trigger means; shapes of meshes are made as needed.

    Those of the core's list, too, which may be there for more than physics.

    Args:
        has_lists: the file has lists of shapes of KHR.

    Attributes:
        uses_nodes: pointer to the first geometry that names a node.
    """

    def __init__(
        self,
        file: GltfFile,
        document: PhysicsDocument,
        implicit: ShapeRange,
        older: ShapeRange,
        *,
        has_lists: bool,
    ) -> None:
        self._file, self._document = file, document
        self._children = [node.children for node in file.nodes]
        self._implicit = implicit if implicit.count or not older.count else older
        self._older = older if older.count or not implicit.count else implicit
        self._core = () if has_lists else file.shapes
        self._core_read: dict[int, ShapeIndex] = {}
        self._meshes = Interned(document.shapes)
        self._plain: dict[tuple[int, bool], ShapeIndex] = {}
        self.uses_nodes = ""

    def read(
        self, json: Mapping[str, Any], pointer: str, node: int, reading: Reading
    ) -> tuple[ShapeIndex | None, dict[str, Any]]:
        """The shape of a collider or trigger, and what is carried of what else it says."""
        if "geometry" not in json:
            for key in ("shape", "collider"):
                if key in json:
                    return self._index(json[key], self._older, f"{pointer}/{key}", reading)
            return None, {}
        at = f"{pointer}/geometry"
        members = reading.mapping(json["geometry"], at)
        if members is None:
            return None, {}
        named = [key for key in _REFERENCES if key in members]
        if named not in (["shape"], ["mesh"], ["node"], ["mesh", "node"]):
            given = " and ".join(named) or "neither a shape nor a mesh"
            why = (
                f"the geometry refers to {given}, but exactly one of shape and mesh is "
                "allowed; only one is used"
            )
            reading.issues.add(Code.GEOMETRY_REFERENCES_INVALID, at, why)
        if "mesh" in members or "node" in members:
            return self._read_plain_mesh(members, at, node, reading), {}
        return self._read_implicit(members, at, reading)

    def depends_on_node(self, physics: NodePhysics) -> bool:
        """Whether the shapes of a node are meshes, which may be those of the node itself."""
        shapes = (shape for _name, _part, shape in self._document.shaped(physics))
        return any(isinstance(shape.geometry, (Convex, Trimesh)) for shape in shapes)

    def _index(
        self, raw: Any, listed: ShapeRange, pointer: str, reading: Reading
    ) -> tuple[ShapeIndex | None, dict[str, Any]]:
        """The shape of an index, and what is carried where it leads nowhere."""
        count = len(self._core) or listed.count
        try:
            at = convert(_SHAPE, raw, {ShapeIndex: count})
        except BadValueError as error:
            reading.issues.add(error.code, pointer, f"{error}; the shape is left out")
            return None, {_SHAPE.key: raw} if error.keep else {}
        if self._core:
            return self._of_core(at, reading), {}
        return ShapeIndex(listed.first + at), {}

    def _of_core(self, at: int, reading: Reading) -> ShapeIndex:
        if at not in self._core_read:
            shape = read_shape(self._core[at], f"/shapes/{at}", reading, CORE)
            self._core_read[at] = ShapeIndex(len(self._document.shapes))
            self._document.shapes.append(shape)
        return self._core_read[at]

    def _read_implicit(
        self, members: Mapping[str, Any], pointer: str, reading: Reading
    ) -> tuple[ShapeIndex | None, dict[str, Any]]:
        rest: dict[str, Any] = {}
        for key, value in members.items():
            if key == "convexHull":
                why = "convexHull has no effect on a shape without a mesh; remove the key"
                reading.issues.add(Code.CONVEX_HULL_OF_NO_MESH, f"{pointer}/{key}", why)
                carried.add(rest, key, value, pointer, reading.issues)
            elif key != "shape":
                carried.add_unknown(rest, key, value, pointer, reading.issues)
        more = {"geometry": rest} if rest else {}
        if "shape" not in members:
            return None, more or {"geometry": {}}
        shape, lost = self._index(members["shape"], self._implicit, f"{pointer}/shape", reading)
        return shape, more | lost

    def _read_plain_mesh(
        self, members: Mapping[str, Any], pointer: str, node: int, reading: Reading
    ) -> ShapeIndex | None:
        """The shape of a mesh; from a cache where the same was read before without fault."""
        mesh, flag = members.get("mesh"), members.get("convexHull", False)
        if mesh.__class__ is not int or flag.__class__ is not bool or not members.keys() <= _PLAIN:
            return self._read_mesh(members, pointer, node, reading)
        key = (cast(int, mesh), cast(bool, flag))
        known = self._plain.get(key)
        if known is None:
            before = len(reading.issues)
            known = self._read_mesh(members, pointer, node, reading)
            if known is not None and len(reading.issues) == before:
                self._plain[key] = known
        return known

    def _read_mesh(
        self, members: Mapping[str, Any], pointer: str, node: int, reading: Reading
    ) -> ShapeIndex | None:
        flag = members.get("convexHull", False)
        if not isinstance(flag, bool):
            why = f"{show(flag)} is not true or false; the default is used"
            reading.issues.add(Code.TYPE_WRONG, f"{pointer}/convexHull", why)
        record = Convex if flag is True else Trimesh
        own = {key: value for key, value in members.items() if key in ("mesh", *DEFORMING)}
        target = self._target(members, pointer, reading)
        if target is None:
            geometry = read_mesh(record, own, pointer, reading)
        else:
            geometry = self._from_node(record, own, target, node, pointer, reading)
        plain = {"geometry": geometry}
        by_hand = {*_REFERENCES, *DEFORMING, "convexHull"}
        shape = read_record(Shape, members, pointer, reading, by_hand=by_hand, defaults=plain)
        return ShapeIndex(self._meshes.index(shape))

    def _target(
        self, members: Mapping[str, Any], pointer: str, reading: Reading
    ) -> NodeIndex | None:
        if "node" not in members:
            return None
        if "mesh" not in members:
            self.uses_nodes = self.uses_nodes or pointer
        try:
            return convert(_NODE, members["node"], reading.counts)
        except BadValueError as error:
            reading.issues.add(error.code, f"{pointer}/node", f"{error}; the mesh is left out")
            return None

    def _from_node(
        self,
        record: type[Convex] | type[Trimesh],
        own: Mapping[str, Any],
        target: NodeIndex,
        node: int,
        pointer: str,
        reading: Reading,
    ) -> Convex | Trimesh:
        """The geometry of a node, whose plain mesh stands for it where nothing is lost by that."""
        mesh = self._file.nodes[target].mesh
        more = self._more_than_mesh(target, is_own=target == node)
        if "mesh" in own:
            geometry = read_mesh(record, own, pointer, reading)
            if not more and geometry.mesh == mesh:
                return geometry
            return dataclasses.replace(geometry, node=target)
        if mesh < 0 and more != "child nodes have meshes":
            why = (
                f"the geometry refers to node {target}, which has no mesh, so nothing "
                "collides; choose a node with a mesh"
            )
            reading.issues.add(Code.GEOMETRY_NODE_WITHOUT_MESH, f"{pointer}/node", why)
        elif more:
            why = (
                f"the geometry refers to node {target}, but {more}; some importers use its "
                "plain mesh only"
            )
            reading.issues.add(Code.GEOMETRY_NOT_PLAIN_MESH, f"{pointer}/node", why)
        known = MeshIndex(mesh) if 0 <= mesh < self._file.mesh_count else None
        plain = bool(known is not None and not more)
        return record(mesh=known, node=None if plain else target)

    def _more_than_mesh(self, target: int, *, is_own: bool) -> str:
        """What a node adds to the geometry besides its plain mesh; empty for nothing."""
        nodes = self._file.nodes
        node = nodes[target]
        if any(nodes[i].mesh >= 0 for i in below(target, self._children)):
            return "child nodes have meshes"
        if node.is_deformed:
            return "the node has a skin or morph weights"
        if self._file.matrix(target) is not None and not is_own:
            return "the node has its own transform"
        return ""
