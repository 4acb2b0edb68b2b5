"""What one object will be in glTF, found without an export."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import bpy

from ...codec import excerpt
from ...codec.gltf import node_places
from ...codec.values.records import number
from ...issues import Issue, Issues
from ..base import groups, mesh_arrays
from ..base.hierarchy import depth, referred_to, top, with_below
from . import scene_document
from .scene_document import SceneDocument
from .scene_nodes import AddedNode

Family = Literal["OMI", "KHR"]
_NODE: Final = "/nodes/"


@dataclass(frozen=True)
class ObjectJson:
    """A glTF with one object in it, as far as it is physics.

    Attributes:
        gltf: also holds the names of the nodes and meshes that are referred to.
        issues: what an export would say about the object.
    """

    gltf: dict[str, Any] = field(default_factory=dict[str, Any])
    issues: tuple[Issue, ...] = ()

    @property
    def text(self) -> str:
        """The glTF as text, for the clipboard."""
        return json.dumps(self.gltf, indent=2, ensure_ascii=False)


def read(scene: bpy.types.Scene, obj: bpy.types.Object, family: Family) -> ObjectJson:
    """What an object will be in glTF, in one family."""
    chosen = dict.fromkeys((*related(scene, obj), obj))  # It may be in no collection of the scene.
    found = scene_document.read(scene, chosen, world=False)
    at = found.objects.index(obj)
    settings = groups.of_scene(scene)
    document, _ = found.written(settings.origin, family)
    part = excerpt.excerpt(document, [at, *_inserted(found, document, at)])
    issues = Issues()
    options = scene_document.options_of(settings.export, (family,))
    gltf = excerpt.to_gltf(
        part,
        issues,
        options,
        node=lambda i: _node(found, document, i),
        mesh=found.meshes.name,
        parent=lambda i: _parent(found, document, i),
    )
    if not gltf.get("extensionsUsed"):  # A joint may give a body to an object without physics.
        gltf = {}
    own = {obj.name, f"{_NODE}{at}", found.names[at]}
    told = tuple(issue for issue in (*found.issues, *issues) if issue.pointer in own)
    return ObjectJson(gltf, told)


def related(scene: bpy.types.Scene, obj: bpy.types.Object) -> list[Any]:
    """An object and all that decides what it becomes, the top of each family tree first.

    Those are whole family trees: that of the object, of what it refers to, and of the joints
    that are connected to it. All of the scene where a conversion weighs things against each
    other, or changes all because of one.
    """
    if groups.of_scene(scene).origin != "NONE" or any(map(_is_special, scene.objects)):
        return sorted(scene.objects, key=depth)
    children = mesh_arrays.children_of_all()
    roots = dict.fromkeys(top(each) for each in (obj, *referred_to(obj)))
    for other in scene.objects:
        group = groups.of_object(other)
        connected = group.joint.connected_object if group.use_joint else None
        if connected is not None and (top(connected) in roots or top(other) in roots):
            roots |= dict.fromkeys((top(other), top(connected)))
    return [each for root in roots for each in with_below(root, children)]


def _is_special(obj: Any) -> bool:
    """Whether the export converts the whole scene because of an object."""
    group = groups.of_object(obj)
    if group.use_motion and "INFINITE" in (group.motion.mass_mode, group.motion.inertia_mode):
        return True
    if group.use_collider and group.collider.shape.type == "PLANE":
        return True
    return bool(group.use_trigger and group.trigger.shape.type == "PLANE")


def _inserted(found: SceneDocument, document: Any, at: int) -> list[int]:
    """The nodes below one that the export inserts, and that say something."""
    new = [added.index for added in found.added if added.parent == at and added.role == "shape"]
    first = len(found.tree.children)
    new += [first + k for k, node in enumerate(document.new_nodes) if node.parent == at]
    return [i for i in new if i in document.nodes]


def _added(found: SceneDocument, index: int) -> AddedNode | None:
    return next((added for added in found.added if added.index == index), None)


def _node(found: SceneDocument, document: Any, index: int) -> dict[str, Any]:
    """The name of a node, and the place of one that is inserted."""
    first = len(found.tree.children)
    if index >= first:
        new = document.new_nodes[index - first]
        return {"name": new.name, **node_places.transform(new, found.tree)}
    added = _added(found, index)
    place = {} if added is None else added.transform()
    return {"name": found.names[index]} | {key: [*map(number, place[key])] for key in place}


def _parent(found: SceneDocument, document: Any, index: int) -> int | None:
    first = len(found.tree.children)
    if index >= first:
        parent = document.new_nodes[index - first].parent
        return parent if parent >= 0 else None
    added = _added(found, index)
    return None if added is None else added.parent
