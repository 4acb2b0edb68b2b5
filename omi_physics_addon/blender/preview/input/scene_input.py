"""The physics of a scene as a document, with the tree of its nodes, without any export."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from ....axes import Axes, matrices_to_gltf, points_to_gltf
from ....geometry.arrays import Array
from ....geometry.mesh_solids import Triangles
from ....issues import Issues
from ....model.document import PhysicsDocument
from ....simulation.build import build
from ....simulation.world import Node, World
from ...base import animated, groups
from ...scene import newcomers
from ...scene.derived_masses import Weighing
from ...scene.mesh_sources import MeshIndices, Slots, is_joined, source_of
from ...scene.scene_nodes import AddedNode, SceneNode
from ...scene.scene_reader import SceneReader
from ..stage.options import PreviewOptions
from ..stage.windows import layer_of
from . import bones


@dataclass
class SceneReading:
    """What a scene says about physics.

    Attributes:
        nodes: by index; those behind the objects' own are where shapes and pivots sit.
        objects: by index of the node, the object that it stands for or was inserted for.
        own: how many nodes stand for objects.
        instanced: which nodes stand for objects in an instance of a collection.
    """

    document: PhysicsDocument
    nodes: list[Node]
    objects: list[bpy.types.Object]
    own: int
    instanced: frozenset[int]
    _weighing: Weighing
    _shapes: list[tuple[Any, Any, Slots | None]]

    def read_mesh(self, index: int) -> Triangles | None:
        """The corners and triangles of a mesh of the document, in glTF's axes."""
        found = self._weighing.triangles(*self._shapes[index])
        return None if found is None else (points_to_gltf(found[0]), found[1])


def read(scene: bpy.types.Scene) -> SceneReading:
    """Read a scene as it is now, with the modifiers applied."""
    newcomers.catch_up()
    layer_of(scene).update()  # Matrices of what was just moved are old until then.
    tree = _Tree()
    for obj in scene.objects:
        tree.add_object(obj)
    issues, meshes = Issues(), _Meshes()
    reader = SceneReader(
        axes=Axes(), issues=issues, mesh_of=meshes.find, apply=True, note_keyframes=False
    )
    reader.read(scene, tree.nodes, tree.finished())
    nodes = tree.pure_nodes(reader.added)
    objects = [node.object for node in tree.nodes]
    objects += [objects[_own(added, reader.added, len(objects))] for added in reader.added]
    weighing = Weighing(reader.document, {}, [], issues, y_up=True, apply=True)
    return SceneReading(
        document=reader.document,
        nodes=nodes,
        objects=objects,
        own=len(tree.nodes),
        instanced=frozenset(tree.instanced),
        _weighing=weighing,
        _shapes=meshes.found,
    )


def world_of(scene: Any, read: SceneReading, options: PreviewOptions) -> World:
    """The bodies of a scene that was read, for the engines of the family that it is written as.

    Options may name other engines.
    """
    engine = options.engine
    if engine == "AUTO":
        families = groups.families_written(groups.of_scene(scene).export)
        engine = "OMI" if "OMI" in families else "KHR"
    return build(read.document, read.nodes, read.read_mesh, engine=engine)


def gravity_of(scene: Any) -> Array:
    """The gravity of the world (3,), in glTF's axes; Blender's where the file has none."""
    settings = groups.of_scene(scene)
    world = settings.world_gravity
    if settings.use_world_gravity and world.source == "VALUE":
        vector = np.array(world.direction) * world.gravity
    else:
        vector = np.array(scene.gravity) if scene.use_gravity else np.zeros(3)
    return points_to_gltf(vector)


def _own(added: AddedNode, others: list[AddedNode], own: int) -> int:
    """The node of an object below which a node was inserted."""
    at = added.parent
    while at >= own:
        at = others[at - own].parent
    return at


class _Meshes(MeshIndices["tuple[Any, Any, Slots | None]"]):
    """The meshes of shapes as they are with their modifiers, each by an object and its shape."""

    def find(self, node: SceneNode, shape: Any, slots: Slots | None) -> int | None:
        """The index of the mesh of a node's shape; None where it has none."""
        obj = node.object
        key = source = source_of(obj, shape)
        if source is None or (shape.mesh_source == "OWN" and obj.data is None):
            return None
        is_object = isinstance(source, bpy.types.Object)
        if is_object and source.type == "MESH" and not len(source.modifiers):
            key = source if is_joined(shape) else source.data
        return self.index((key, slots), lambda: (obj, shape, slots))


class _Tree:
    """Collects the nodes that stand for the objects of a scene, instances too."""

    def __init__(self) -> None:
        self.nodes: list[SceneNode] = []
        self.instanced: list[int] = []
        self._above: list[int] = []
        self._waiting: list[tuple[int, bpy.types.Object, dict[Any, int], int]] = []
        self._of: dict[Any, int] = {}
        # The proxy of each bone, by the objects it is among, its armature and its name.
        self._bone_proxies: dict[tuple[int, Any, str], int] = {}

    def add_object(self, obj: bpy.types.Object) -> None:
        """An object of the scene itself, and what it shows instances of."""
        self._put(obj, obj.matrix_world, self._of, -1, ())

    def finished(self) -> list[int]:
        """For every node the one above, -1 for none."""
        for index, obj, among, instancer in self._waiting:
            above = [
                self._bone_proxies.get((id(among), obj.parent, b)) for b in bones.bones_above(obj)
            ]
            nearest = next((at for at in above if at is not None), None)
            self._above[index] = among.get(obj.parent, instancer) if nearest is None else nearest
        return self._above

    def _put(
        self,
        obj: bpy.types.Object,
        matrix: Matrix,
        among: dict[Any, int],
        instancer: int,
        inside: tuple[Any, ...],
    ) -> None:
        index = among[obj] = len(self.nodes)
        self.nodes.append(SceneNode(index, obj, matrix))
        self._above.append(-1)
        if inside:
            self.instanced.append(index)
        self._waiting.append((index, obj, among, instancer))
        if groups.is_bone_proxy(obj):
            self._bone_proxies.setdefault((id(among), obj.parent, obj.parent_bone), index)
        collection = obj.instance_collection
        if obj.instance_type != "COLLECTION" or collection is None or collection in inside:
            return
        members: dict[Any, int] = {}
        into = matrix @ Matrix.Translation(-collection.instance_offset)
        for member in collection.all_objects:
            self._put(member, into @ member.matrix_world, members, index, (*inside, collection))

    def pure_nodes(self, added: list[AddedNode]) -> list[Node]:
        """All nodes in glTF's axes, the inserted ones behind."""
        matrices = matrices_to_gltf(
            np.array([node.matrix for node in self.nodes]).reshape(-1, 4, 4)
        )
        parents = self._above
        moving = _Moving()
        result = [
            Node(parent, matrix, moving.is_animated(node.object))
            for node, parent, matrix in zip(self.nodes, parents, matrices, strict=False)
        ]
        for node in added:
            above = result[node.parent]
            result.append(Node(node.parent, above.matrix @ _local(node), above.is_animated))
        return result


def _local(node: AddedNode) -> Array:
    x, y, z, w = node.rotation
    matrix = Matrix.LocRotScale(node.translation, Quaternion((w, x, y, z)), node.scale)
    return np.array(matrix, dtype=np.float64)


class _Moving:
    """Knows which objects keyframes, drivers or constraints move."""

    def __init__(self) -> None:
        self._known: dict[Any, bool] = {}
        self._bones: dict[Any, frozenset[str]] = {}

    def is_animated(self, obj: Any) -> bool:
        """Whether keyframes, drivers or constraints move an object or what is above it."""
        found = self._known.get(obj)
        if found is None:
            self._known[obj] = False  # For parents that go round in circles.
            found = _moves(obj) or self._is_carried(obj)
            self._known[obj] = found
        return found

    def _is_carried(self, obj: Any) -> bool:
        parent = obj.parent
        if parent is None:
            return False
        if obj.parent_type == "BONE" and parent.type == "ARMATURE":
            if parent not in self._bones:
                self._bones[parent] = bones.moved(parent)
            if obj.parent_bone in self._bones[parent]:
                return True
        return self.is_animated(parent)


def _moves(obj: Any) -> bool:
    if any(not constraint.mute for constraint in obj.constraints):
        return True
    return any(not path or animated.is_place(path) for path in animated.paths(obj.animation_data))
