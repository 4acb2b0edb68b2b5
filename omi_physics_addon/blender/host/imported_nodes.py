"""The objects that the importer made of a file's nodes, and those that physics needs besides."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

import bpy
from mathutils import Matrix, Quaternion

from ...axes import Axes
from ...model.document import NewNode, NodePhysics, PhysicsDocument
from ...model.shapes import Convex, Trimesh
from ..base import compat, groups
from ..base.hierarchy import new_empty
from ..scene.scene_nodes import Target

_DEBUG_KEEP_AXES: Final = 100  # bpy.app.debug_value with which the importer converts nothing.
_POINT_SIZE: Final = 0.1  # m, of empties that only mark a place.

_ADDED: Final = re.compile(r"(collider|trigger) \d+")  # Names of nodes for boxes.


class ImportedNodes:
    """Finds and makes the objects for the nodes a document speaks of.

    Attributes:
        axes: between the file and the scene.
        pivots: nodes our own export inserted for joints → the node each stands below.
    """

    def __init__(self, gltf: Any, scene: bpy.types.Scene) -> None:
        self._gltf, self._scene = gltf, scene
        keeps = bpy.app.debug_value == _DEBUG_KEEP_AXES
        unit = 1.0 if keeps else 1.0 / scene.unit_settings.scale_length
        self.axes = Axes(y_up=not keeps, unit=unit)
        self.pivots: dict[int, int] = {}
        self._bone_proxies: dict[int, bpy.types.Object] = {}

    def targets(self, document: PhysicsDocument) -> dict[int, Target]:
        """The objects of all nodes that a document speaks of, by index."""
        for physics in document.nodes.values():
            if physics.joint is not None and physics.joint.connected_node is not None:
                self._note_pivot(physics.joint.connected_node, document)
        found: dict[int, Target] = {}
        for index in _spoken_of(document) | set(self.pivots.values()):
            if index not in self.pivots:
                target = self._target(index, index in document.nodes)
                if target is not None:
                    found[index] = target
        count = len(self._gltf.data.nodes or [])
        for i, new in enumerate(document.new_nodes):
            obj = self._make(new)
            if obj is not None:
                found[count + i] = Target(obj, self.axes)
        return found

    def needless(self, document: PhysicsDocument) -> set[int]:
        """The nodes that became objects and that an export makes again when it needs them."""
        spoken_of = _spoken_of(document)
        return {
            *self.pivots,
            *(i for i in document.plane_boxes if i not in spoken_of and self._is_ours(i)),
        }

    def _is_ours(self, index: int) -> bool:
        """Whether a node is as the export adds it for a box, with nothing more to it."""
        vnode, node = self._gltf.vnodes.get(index), self._gltf.data.nodes[index]
        obj = getattr(vnode, "blender_object", None)
        if obj is None or obj.data is not None or vnode.children or node.extras:
            return False
        if (node.extensions or {}).keys() - {"OMI_physics_body"}:
            return False
        return _ADDED.fullmatch(node.name or "") is not None

    def _note_pivot(self, index: int, document: PhysicsDocument) -> None:
        """Remember a node that our export inserted and nothing else was made of."""
        vnode = self._gltf.vnodes.get(index)
        if vnode is None or index in document.nodes:
            return
        extras: Any = self._gltf.data.nodes[index].extras
        marked = isinstance(extras, Mapping) and cast(Any, extras).get(compat.ROLE) == "pivot"
        obj = getattr(vnode, "blender_object", None)
        is_bare = obj is not None and obj.data is None and not vnode.children
        if marked and is_bare and isinstance(vnode.parent, int):
            self.pivots[index] = vnode.parent

    def _target(self, index: int, has_physics: bool) -> Target | None:
        vnode = self._gltf.vnodes.get(index)
        if vnode is None:
            return None
        if compat.is_imported_bone(vnode):
            return Target(self._bone_proxy(index, vnode), self.axes)
        obj = getattr(vnode, "blender_object", None)
        if obj is None:
            return None
        if has_physics and obj.type == "EMPTY" and not vnode.children:
            obj.empty_display_type = "ARROWS"
            obj.empty_display_size = _POINT_SIZE * self.axes.unit
        # The importer turns cameras and lights, so that glTF's frame is the object's own.
        turned = obj.type in ("CAMERA", "LIGHT")
        return Target(obj, Axes(y_up=False, unit=self.axes.unit) if turned else self.axes)

    def _bone_proxy(self, index: int, vnode: Any) -> bpy.types.Object:
        """The empty that holds the physics of a node that became a bone, in the node's frame."""
        made = self._bone_proxies.get(index)
        if made is not None:
            return made
        armature = self._gltf.vnodes[vnode.bone_arma].blender_object
        obj = self._empty(f"{vnode.blender_bone_name} Physics")
        obj.parent, obj.parent_type, obj.parent_bone = armature, "BONE", vnode.blender_bone_name
        # Children of a bone start at its tip, and the importer turned the bone.
        obj.location = (0.0, -vnode.bone_length, 0.0)
        obj.rotation_mode = "QUATERNION"
        obj.rotation_quaternion = Quaternion(vnode.rotation_before).inverted()
        groups.of_object(obj).is_bone_stand_in = True
        self._bone_proxies[index] = obj
        return obj

    def _make(self, new: NewNode) -> bpy.types.Object | None:
        """The object of a node that the file lacks, in the frame of another one."""
        parent = self._target(new.parent, False)
        if parent is None:
            return None
        obj = self._empty(new.name)
        obj.parent = parent.object
        local = self._world(new.parent).inverted_safe() @ self._world(new.place)
        obj.rotation_mode = "QUATERNION"
        obj.location, obj.rotation_quaternion, obj.scale = local.decompose()
        return obj

    def _world(self, index: Any) -> Matrix:
        matrix = Matrix.Identity(4)
        while index is not None:
            vnode = self._gltf.vnodes[index]
            matrix = Matrix.LocRotScale(*vnode.trs()) @ matrix
            index = vnode.parent
        return matrix

    def _empty(self, name: str) -> bpy.types.Object:
        size = _POINT_SIZE * self.axes.unit
        return new_empty(name, [self._scene.collection], "ARROWS", size)


def _spoken_of(document: PhysicsDocument) -> set[int]:
    """The nodes with physics, and those that physics refers to; not new ones."""
    wanted = set(document.nodes)
    for physics in document.nodes.values():
        wanted.update(physics.referred_to())
        wanted.update(_mesh_nodes(physics, document))
    return wanted


def _mesh_nodes(physics: NodePhysics, document: PhysicsDocument) -> set[int]:
    """The nodes that give the meshes of the shapes of a node."""
    found: set[int] = set()
    for _name, _part, shape in document.shaped(physics):
        geometry = shape.geometry
        if isinstance(geometry, (Convex, Trimesh)) and geometry.node is not None:
            found.add(geometry.node)
    return found
