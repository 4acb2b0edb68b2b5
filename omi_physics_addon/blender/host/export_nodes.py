"""The nodes of an export: those of the host that stand for objects, and those inserted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...codec.gltf import node_places
from ...codec.values.node_tree import Tree
from ...issue_codes import Code
from ...issues import Issues
from ...model.document import NewNode
from ..base import compat, groups
from ..scene.scene_nodes import AddedNode, SceneNode
from . import engine_nodes, export_filter, shown_instances

# How far a node may be from the one above it that counts as in its place: metres, sines of half
# the angle, and difference of a scale from 1.
_IN_PLACE: Final = 1e-5


class ExportNodes:
    """The host's nodes by index in the document.

    Attributes:
        nodes: the host's node for each index.
        parents: index of the node above, -1 for none.
        meshless: identities of the host's nodes that lost their meshes.
        stand_ins: nodes that take the part of others, by index.
    """

    def __init__(self, issues: Issues) -> None:
        """Take where to tell what is lost."""
        self.nodes: list[Any] = []
        self.parents: list[int] = []
        self.meshless: set[int] = set()
        self.stand_ins: dict[int, int] = {}
        self._issues = issues
        self._hidden: list[Any] = []  # The host's nodes that stay for their physics alone.
        self._bones: set[int] = set()  # Indices of bones that have a proxy's physics.

    def collect(self, tree: Any, settings: dict[str, Any]) -> list[SceneNode]:
        """The nodes of the host's tree of one scene that stand for objects, parents first."""
        indices: dict[str, int] = {}
        found: list[SceneNode] = []
        turned = {"CAMERA": settings["gltf_cameras"], "LIGHT": settings["gltf_lights"]}
        for uuid, vnode in tree.nodes.items():
            if vnode.node is None:
                continue
            index = indices[uuid] = len(self.nodes)
            parent = indices.get(vnode.parent_uuid, -1)
            self.nodes.append(vnode.node)
            self.parents.append(parent)
            obj = shown_instances.object_of(vnode)
            if obj is None or compat.is_collection(vnode) or compat.is_bone(vnode):
                continue
            instance = shown_instances.instance_of(vnode)  # Of which the host turns none.
            turn = bool(turned.get(obj.type)) and settings["gltf_yup"] and instance is None
            if _is_bone_proxy(tree, vnode) and self._can_fold(vnode, parent):
                self.nodes[parent].children.remove(vnode.node)
                self._bones.add(parent)
                index = parent
            found.append(SceneNode(index, obj, vnode.matrix_world, turn, instance))
            if found[-1].group.is_collision_only:
                self._hidden.append(self.nodes[index])
            if export_filter.is_kept_hidden(vnode):
                self._hidden.append(vnode.node)
        return found

    def drop_meshes(self) -> None:
        """Take the meshes from nodes that are there for their physics alone."""
        for node in self._hidden:
            node.mesh, node.skin, node.weights = None, None, None
            self.meshless.add(id(node))
        self._hidden.clear()

    def _can_fold(self, vnode: Any, bone: int) -> bool:
        """Whether nothing is lost when a bone proxy goes and its bone gets what it has."""
        node = vnode.node
        why = ""
        if bone in self._bones:
            why = "another object already represents the bone"
        elif node.children:
            why = "the object has children"
        elif _is_moved(node, vnode.matrix_world.median_scale):
            why = "the object is not at the bone's position"
        if why:
            why = f"{why}, so its physics is written on a separate node instead of the bone"
            self._issues.add(Code.EXPORT_OPTION_CHANGED, vnode.blender_object.name, why)
        return not why

    def insert(self, added: AddedNode) -> None:
        """Make the host's node for one that the scene's physics needs."""
        extras = None if added.role == "shape" else {compat.ROLE: added.role}
        node = compat.host_node(added.name, added.transform(), extras)
        self.nodes[added.parent].children.append(node)
        while len(self.nodes) <= added.index:
            self.nodes.append(None)
            self.parents.append(-1)
        self.nodes[added.index] = node
        self.parents[added.index] = added.parent

    def insert_new(self, new: NewNode, tree: Tree, scenes: Sequence[Any] = ()) -> None:
        """Make the host's node for one that a conversion or an engine needs.

        Args:
            scenes: the host's, for nodes without a parent.
        """
        place = node_places.transform(new, tree)
        node = compat.host_node(new.name, place)
        if new.parent >= 0:
            beside: list[Any] = self.nodes[new.parent].children
        else:
            beside = engine_nodes.scene_of(self.nodes, new.stands_for, tree, scenes).nodes
        at = len(beside)
        if new.stands_for >= 0:
            self.stand_ins[len(self.nodes)] = new.stands_for
            if self.nodes[new.stands_for] in beside:  # So that all others keep their order.
                at = beside.index(self.nodes[new.stands_for])
        beside.insert(at, node)
        self.nodes.append(node)
        self.parents.append(new.parent)


def _is_bone_proxy(tree: Any, vnode: Any) -> bool:
    """Whether the physics of an object is that of the bone it is parented to."""
    above = tree.nodes.get(vnode.parent_uuid)
    if above is None or not compat.is_bone(above):
        return False
    return groups.read(vnode.blender_object).is_bone_stand_in


def _is_moved(node: Any, scale: float) -> bool:
    """Whether a node of the host is elsewhere than the one above it.

    Args:
        scale: of the node in the world: skeletons in centimeters are a hundred times less precise.
    """
    return (
        max(map(abs, node.translation or (0.0,))) * min(scale, 1.0) > _IN_PLACE
        or max(map(abs, (node.rotation or (0.0,))[:3])) > _IN_PLACE
        or max(abs(axis - 1.0) for axis in node.scale or (1.0,)) > _IN_PLACE
    )
