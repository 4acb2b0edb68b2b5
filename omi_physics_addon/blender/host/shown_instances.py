"""Finds the objects behind the instances in the host's tree, so that they carry their physics.

For what Geometry Nodes show, the host makes nodes that know a mesh but no object, all directly
below the object that has the modifier. It also makes them a second time for instances on vertices,
faces and particles, which have nodes with objects already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import bpy

from ...issue_codes import Code
from ...issues import Issues
from ..base import compat, instances, mesh_arrays
from ..base.hierarchy import with_below
from ..base.instances import Instance, Instances
from ..scene import migrations

_OPTION: Final = "Geometry Nodes Instances"
_FULL: Final = "Full Collection Hierarchy"
Key = tuple[Any, ...]


def object_of(vnode: Any) -> Any:
    """The object that a node of the host's tree stands for, shown by Geometry Nodes or not."""
    found = vnode.blender_object
    return getattr(vnode, "omi_physics_shown", None) if found is None else found


def instance_of(vnode: Any) -> Key | None:
    """What nodes have in common that are of the same instance of a collection."""
    return getattr(vnode, "omi_physics_instance", None)


def find(tree: Any, settings: dict[str, Any], issues: Issues) -> None:
    """Note the objects of instances; tell which physics has no node.

    Parts of bodies in one instance of a collection are put below them, as in the scene.
    """
    vnodes = tree.nodes.values() if instances.may_be_shown() else ()
    scattering = [vnode for vnode in vnodes if _may_show(vnode)]
    if not scattering:
        return
    found = instances.shown(bpy.context.evaluated_depsgraph_get())
    finder = _Finder(tree, settings, issues, found)
    for vnode in scattering:
        if vnode.keep_tag:
            finder.find(vnode)


def _may_show(vnode: Any) -> bool:
    obj = vnode.blender_object
    if not isinstance(obj, bpy.types.Object) or compat.is_bone(vnode):
        return False
    return instances.scatters(obj) or obj.instance_collection is not None


class _Finder:
    """Looks at the nodes below those that show instances."""

    def __init__(
        self, tree: Any, settings: dict[str, Any], issues: Issues, found: Instances
    ) -> None:
        self._tree = tree
        self._is_on = settings["gltf_gn_mesh"]
        self._is_full = settings.get("gltf_hierarchy_full_collections", False)
        self._issues = issues
        self._found = found
        self._children: dict[Any, list[Any]] | None = None

    def find(self, vnode: Any) -> None:
        obj = vnode.blender_object
        found = self._found.get(obj, [])
        if obj.is_instancer and obj.instance_type == "COLLECTION":
            self._tell_nested(obj, found)
            if self._is_full:
                self._tell_without_nodes(vnode, found)
            return
        nodes = [self._tree.nodes[uuid] for uuid in vnode.children]
        if obj.is_instancer:
            if obj.instance_type == "NONE":  # Particles; the host forgets what is below them.
                self._tell_children(vnode)
            named = (n for n in nodes if n.blender_object is not None and not compat.is_bone(n))
            self._note(vnode, named, found, 0)
            return
        if not self._is_on:
            why = (
                f"Geometry Nodes of {obj.name} show the object, which is exported with "
                f"{_OPTION} only"
            )
            self._report_lost(why, (each.object for each in found))
            return
        unnamed = [n for n in nodes if n.blender_object is None and not compat.is_bone(n)]
        found = [each for each in found if not each.is_bare]
        if self._note(vnode, unnamed, found, 1):
            self._gather_parts(vnode, unnamed, found)
        if migrations.has_physics(obj) and any(each.object is None for each in found):
            why = "Geometry Nodes show instances of meshes without objects, which have no physics"
            self._issues.add(Code.REFERENCE_NOT_EXPORTED, obj.name, why)

    def _note(
        self, vnode: Any, nodes: Iterable[Any], found: Sequence[Instance], skipped: int
    ) -> bool:
        """Note which instance each node is; whether that is known.

        Args:
            skipped: numbers at the start of a path that tell objects of the same instance apart.
        """
        nodes = list(nodes)
        if len(nodes) != len(found):
            why = (
                f"{vnode.blender_object.name} shows the object as an instance, so its node "
                "cannot be identified"
            )
            self._report_lost(why, (each.object for each in found))
            return False
        for node, each in zip(nodes, found, strict=True):
            if each.is_second and node.blender_object is not None:
                node.keep_tag = False  # The host has made the same twice.
            node.omi_physics_shown = None if each.is_second else each.object
            node.omi_physics_instance = (vnode.uuid, each.path[skipped:])
        return True

    def _gather_parts(self, vnode: Any, nodes: list[Any], found: Sequence[Instance]) -> None:
        """Put what belongs to objects with physics below their nodes."""
        by_path = {each.path: node for node, each in zip(nodes, found, strict=True)}
        by_object = {
            (each.path[1:], each.object): node for node, each in zip(nodes, found, strict=True)
        }
        below: list[tuple[int, Any, Any]] = []
        for node, each in zip(nodes, found, strict=True):
            above, path, depth, nearest = each.object, each.path, 0, None
            while above is not None:
                above, depth = above.parent, depth + 1
                at = by_object.get((path[1:], above))
                showing = instances.path_above(path, by_path)
                if above is None and showing is not None:  # What shows the collection it is in.
                    path, at = showing, by_path[showing]
                    above = at.omi_physics_shown
                if nearest is None and at is not None and migrations.has_physics(above):
                    nearest = at
            if nearest is not None:
                below.append((depth, node, nearest))
        moved = {node.uuid for _, node, _ in below}
        vnode.children = [uuid for uuid in vnode.children if uuid not in moved]
        for _, node, nearest in sorted(below, key=lambda each: each[0]):  # Parents come first.
            node.parent_uuid = nearest.uuid
            nearest.children.append(node.uuid)
            nearest.children_type[node.uuid] = vnode.children_type.pop(node.uuid)
            self._tree.nodes[node.uuid] = self._tree.nodes.pop(node.uuid)

    def _tell_nested(self, obj: Any, found: Sequence[Instance]) -> None:
        """Tell what objects in an instance of a collection show, which the host leaves out."""
        for above, objects in instances.scattered(obj, found).items():
            why = f"{above.name} shows the object in the instance {obj.name}, which is not exported"
            self._report_lost(why, objects)

    def _tell_without_nodes(self, vnode: Any, found: Sequence[Instance]) -> None:
        """Tell what the host leaves out of an instance of a collection with full hierarchy."""
        below, nodes = set[Any](), [vnode]
        for each in nodes:  # It grows.
            below.add(each.blender_object)
            nodes.extend(self._tree.nodes[uuid] for uuid in each.children)
        name = vnode.blender_object.name
        why = f"the instance {name} shows the object, but is not exported with {_FULL}"
        self._report_lost(why, (each.object for each in found if each.object not in below))

    def _tell_children(self, vnode: Any) -> None:
        """Tell what is parented to an object with particles, which the host leaves out."""
        if self._children is None:
            self._children = mesh_arrays.children_of_all()
        obj = vnode.blender_object
        below = [part for part in with_below(obj, self._children) if part != obj]
        why = f"{obj.name} has particles, so Blender does not export its children"
        self._report_lost(why, below)

    def _report_lost(self, why: str, objects: Iterable[Any]) -> None:
        """Report the objects whose physics is lost, each once."""
        for obj in dict.fromkeys(objects):
            if migrations.has_physics(obj):
                why_so = f"{why}, so its physics is lost"
                self._issues.add(Code.REFERENCE_NOT_EXPORTED, obj.name, why_so)
