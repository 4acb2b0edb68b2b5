"""The physics of objects as a document, without an export: for checks and to look at."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...axes import Axes, matrices_to_gltf, points_to_gltf
from ...codec.convert import export_documents
from ...codec.dialects import Family, WriteOptions
from ...codec.values.node_tree import Tree, compose
from ...engines import engine_of
from ...geometry.mesh_solids import Solids
from ...issues import Issues
from ...model.document import PhysicsDocument
from ..base import groups, mesh_arrays
from . import derived_masses
from .mesh_sources import MeshIndices, Slots, is_joined, source_of
from .scene_nodes import AddedNode, SceneNode
from .scene_reader import SceneReader


@dataclass
class SceneDocument:
    """The physics of a scene, as an export with Blender's own defaults would write it.

    Attributes:
        objects: the object of each node that stands for one, by index.
        names: of every node, those inserted too.
        added: the nodes that the export would insert.
        meshes: those that shapes refer to, by index.
    """

    document: PhysicsDocument
    tree: Tree
    issues: Issues
    objects: Sequence[Any]
    names: list[str]
    added: Sequence[AddedNode]
    reader: SceneReader
    meshes: _Meshes

    def object_of(self, node: int) -> Any:
        """The object that a node stands for, or was inserted for; None for what engines need."""
        count = len(self.objects)
        while node >= count and node - count < len(self.added):
            node = self.added[node - count].parent
        return self.objects[node] if node < count else None

    def name_of(self, node: int) -> str:
        """The name of that object, for messages."""
        obj = self.object_of(node)
        return f"node {node}" if obj is None else obj.name

    def written(self, origin: str, family: str) -> tuple[PhysicsDocument, PhysicsDocument | None]:
        """The document to write in a family, and what KHR says where that is something else."""
        solids = Solids(self.meshes.triangles, derived_masses.hull_of)
        return export_documents.for_families(
            self.document, self.tree, origin, family, self.issues, solids.measure
        )


@dataclass(frozen=True)
class _Mesh:
    """The name of a mesh, the object or the mesh data that it is made of, and which faces of it."""

    name: str
    source: Any
    slots: Slots | None


class _Meshes(MeshIndices["_Mesh"]):
    """The meshes that shapes are made of; none is made."""

    def find(self, node: SceneNode, shape: Any, slots: Slots | None = None) -> int | None:
        """The index of the mesh of a shape; None where there is none, as in an export."""
        source = source_of(node.object, shape)
        if source is None:
            return None
        if isinstance(source, bpy.types.Mesh):
            return self._index(source, source.name, source, slots) if len(source.polygons) else None
        if is_joined(shape) and source in self._children:
            return self._index((source, "below"), f"{source.name} and below", source)
        if source.type not in mesh_arrays.MESHLIKE:
            return None
        if source.type == "MESH" and not len(source.data.polygons):
            return None
        return self._index(source.data, source.data.name, source, slots)

    @functools.cached_property
    def _children(self) -> dict[Any, list[Any]]:
        return mesh_arrays.children_of_all()

    def _index(self, key: Any, name: str, source: Any, slots: Slots | None = None) -> int:
        return self.index((key, slots), lambda: _Mesh(name, source, slots))

    def name(self, index: int) -> str:
        """The name that a mesh gets."""
        return self.found[index].name

    def is_part(self, index: int) -> bool:
        """Whether a mesh is of the faces of some slots only."""
        return self.found[index].slots is not None

    def count(self, index: int) -> int:
        """How many triangles a mesh has; -1 for one that would have to be made to know."""
        found = self.found[index] if 0 <= index < len(self.found) else None
        source = None if found is None or found.slots is not None else found.source
        data = getattr(source, "data", source)
        if not isinstance(data, bpy.types.Mesh):
            return -1
        return len(data.loops) - 2 * len(data.polygons)

    def triangles(self, index: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The corners (n, 3) and triangles (m, 3) of a mesh, in glTF's axes."""
        with mesh_arrays.temporary_mesh(self.found[index].source, None) as mesh:
            if mesh is None:
                return np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)
            points, faces = mesh_arrays.triangles(mesh, self.found[index].slots)
            return points_to_gltf(points), faces


def read(
    scene: bpy.types.Scene,
    objects: Iterable[Any],
    *,
    world: bool = True,
    weigh: bool = True,
    moved: Matrix | None = None,
) -> SceneDocument:
    """The physics of some objects of a scene; the indices follow their order.

    Args:
        objects: all that matter; what is above one and not among them counts as not there.
        world: whether the gravity of the world belongs to it.
        weigh: whether masses that are left to the shapes are worked out.
        moved: what moves them all in the world, as an instance does.
    """
    chosen = list(dict.fromkeys(objects))
    index = {obj: i for i, obj in enumerate(chosen)}
    parents = [index.get(obj.parent, -1) if obj.parent else -1 for obj in chosen]
    nodes = [
        SceneNode(i, obj, obj.matrix_world if moved is None else moved @ obj.matrix_world)
        for i, obj in enumerate(chosen)
    ]
    issues, meshes = Issues(), _Meshes()
    repair = bool(groups.of_scene(scene).export.repair)
    reader = SceneReader(
        axes=Axes(),
        issues=issues,
        mesh_of=meshes.find,
        repair=repair,
        weigh=weigh,
        note_keyframes=weigh,  # Nothing is written of what is not weighed, either.
    )
    reader.read(scene, nodes, parents)
    if not world:
        reader.document.world_gravity = None
    return SceneDocument(
        document=reader.document,
        tree=_tree(nodes, parents, reader.added),
        issues=issues,
        objects=chosen,
        names=[obj.name for obj in chosen] + [added.name for added in reader.added],
        added=reader.added,
        reader=reader,
        meshes=meshes,
    )


def options_of(export: Any, families: tuple[Family, ...], target: str = "") -> WriteOptions:
    """How the settings of an export say that physics is written.

    Args:
        target: whom it is written for, in place of what the settings say.
    """
    return WriteOptions(
        target=engine_of(target or export.target),
        repair=export.repair,
        families=families,
        geometry=export.geometry,
        old_vehicle_names=export.old_vehicle_names,
    )


def _tree(nodes: Sequence[SceneNode], parents: Sequence[int], added: Sequence[AddedNode]) -> Tree:
    children: list[list[int]] = [[] for _ in range(len(nodes) + len(added))]
    matrices: list[tuple[float, ...] | None] = []
    for i, parent in enumerate(parents):
        local = nodes[i].matrix
        if parent >= 0:
            children[parent].append(i)
            local = nodes[parent].matrix.inverted_safe() @ local
        columns = matrices_to_gltf(np.array(local)).T  # As glTF has it, one by one.
        matrices.append(tuple(columns.ravel().tolist()))
    for new in added:
        children[new.parent].append(new.index)
        matrices.append(compose(new.translation, new.rotation, new.scale))
    return Tree(children, matrices)
