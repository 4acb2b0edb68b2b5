"""Makes objects what the JSON of one node says, as *Copy JSON* writes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import bpy
from mathutils import Matrix, Quaternion

from ...axes import Axes
from ...codec import dialects
from ...codec.gltf import containers, limits
from ...codec.values.node_tree import Tree, local_matrix
from ...issue_codes import Severity
from ...issues import Issue, Issues
from ...model.document import NodePhysics, PhysicsDocument
from ...model.fields import MeshIndex
from ..base import groups
from ..base.hierarchy import Homes, new_empty
from ..base.roles import PARTS
from ..scene.scene_nodes import Target
from ..scene.scene_writer import SceneWriter

_TURNED: Final = frozenset({"CAMERA", "LIGHT"})  # Their frames are those of glTF.
_SAME_SIZE: Final = 1e-5  # A scale that differs by less is none.
_SIZE: Final = 0.1  # Of the cross that shows an object made for a part, m.


class PasteError(Exception):
    """A text cannot be pasted; the message says where in it, by JSON pointer, and why."""


@dataclass(frozen=True)
class Pasted:
    """What a text says of its first node.

    Attributes:
        json: the whole glTF.
        below: nodes with physics below the first one → the node above, those above first.
        places: their local matrices by columns, in glTF's axes; None for no change.
        named: nodes that are referred to, by name.
        pivots: nodes that only say where a joint connects → the node that they stand below.
        issues: what is worth knowing.
    """

    json: dict[str, Any]
    document: PhysicsDocument
    families: tuple[str, ...]
    below: Mapping[int, int]
    places: Mapping[int, Any]
    named: Mapping[int, str]
    pivots: Mapping[int, int]
    issues: Issues


def read(text: str) -> Pasted:
    """Read and check a text; nothing is changed.

    Raises:
        PasteError: it is no glTF, has errors, or speaks of more than one object.
    """
    try:
        limits.check_size(len(text))
        json = containers.read(text.encode("utf-8", "surrogatepass")).json
    except (containers.ContainerError, limits.LimitError) as problem:
        raise PasteError(str(problem)) from problem
    file, issues = dialects.gltf_file(json), Issues()
    document = dialects.read(file, issues)
    families = dialects.families(file)
    worst = next((issue for issue in issues if issue.severity is Severity.ERROR), None)
    if worst is not None:
        raise PasteError(f"{worst.pointer}: {worst.message}")
    document = dataclasses.replace(document, world_gravity=None, carried={})
    tree = Tree.of(file)
    below = _below(tree)
    inside = set(below)
    strange = next((i for i in document.nodes if i not in inside), None)
    if strange is not None:
        raise PasteError(f"/nodes/{strange}: it is not below /nodes/0, which becomes the object")
    parts = _speaking(document, tree, below)
    if 0 not in document.nodes and not parts:
        raise PasteError("/nodes/0: it has no physics; paste what Copy JSON copies")
    pivots = _pivots(document, tree)
    own = {0, *parts, *pivots}
    named = {i: _name(json, "nodes", i) for i in range(len(file.nodes)) if i not in own}
    places = {i: local_matrix(json["nodes"][i]) for i in parts}
    above = {i: tree.parents[i] for i in parts}
    return Pasted(json, document, families, above, places, named, pivots, issues)


def paste(pasted: Pasted, scene: Any, objects: Sequence[Any]) -> list[Issue]:
    """Make each object what the text says; returns what is worth knowing.

    All that the objects were in physics before is gone. What the text refers to is looked up by
    name in the scene; a joint without its other end is told.

    Raises:
        PasteError: a mesh is not in this file, or parts would be below a camera or a light; nothing
            was changed.
    """
    meshes = _meshes(pasted)
    if pasted.below:
        for obj in objects:
            if obj.type in _TURNED:
                why = f"{obj.name} is a camera or a light, which cannot have it below"
                raise PasteError(f"/nodes/{next(iter(pasted.below))}: {why}")
    issues = Issues()
    issues.found += pasted.issues
    there = {obj.name: obj for obj in scene.objects}
    unit, homes_of = 1.0 / scene.unit_settings.scale_length, Homes(scene)
    for obj in objects:
        _clear(obj)
        axes = Axes(y_up=obj.type not in _TURNED, unit=unit)
        upright = Axes(unit=unit)
        targets = {0: Target(obj, axes)}
        targets |= {i: Target(there[n], upright) for i, n in pasted.named.items() if n in there}
        homes = homes_of.of(obj)
        shapes = _own_shapes(pasted)
        for index, above in pasted.below.items():
            if index in shapes:
                targets[index] = Target(obj, axes)
                continue
            part = _new_part(pasted, index, targets[above].object, homes, upright)
            targets[index] = Target(part, upright)
        writer = SceneWriter(
            scene=scene,
            targets=targets,
            mesh_data=meshes.get,
            issues=issues,
            axes=upright,
            pivots=pasted.pivots,
            per_axis="KHR" not in pasted.families,
            zero_is_infinite="OMI" not in pasted.families,
        )
        writer.write(pasted.document)
        for index, part in shapes.items():
            _place(getattr(groups.of_object(obj), part).shape, pasted.places[index], upright)
        for index in (0, *pasted.below):
            targets[index].object.update_tag(refresh={"OBJECT", "DATA"})
    return list(dict.fromkeys(issues))


def _clear(obj: Any) -> None:
    group = groups.of_object(obj)
    for part in PARTS:
        group.property_unset(part)
        group.property_unset(f"use_{part}")
    group.property_unset("kept")


def _below(tree: Tree) -> list[int]:
    """The first node and all below it, each behind what it is below."""
    found, waiting = list[int](), [0] if tree.children else []
    known = {0}
    while waiting:
        index = waiting.pop()
        found.append(index)
        for child in tree.children[index]:
            if 0 <= child < len(tree.children) and child not in known:
                known.add(child)
                waiting.append(child)
    return found


def _speaking(document: PhysicsDocument, tree: Tree, below: Sequence[int]) -> list[int]:
    """The nodes below the first one that say something, and those between."""
    inside = set(below)
    needed: set[int] = set()
    for index in document.nodes:
        for at in tree.upward(index):
            if at not in inside or at in needed:
                break
            needed.add(at)
    return [index for index in below if index in needed and index]


def _pivots(document: PhysicsDocument, tree: Tree) -> dict[int, int]:
    """The nodes that only say where a joint connects, with those that they stand below."""
    joints = (node.joint for node in document.nodes.values())
    ends = (joint.connected_node for joint in joints if joint is not None)
    return {
        int(end): tree.parents[end]
        for end in ends
        if end is not None and end in tree.parents and end not in document.nodes
    }


def _name(json: Any, list_name: str, index: int) -> str:
    items = cast("list[Any]", json.get(list_name) or [])
    item: Any = items[index] if index < len(items) else None
    name = cast("dict[str, Any]", item).get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) else ""


def _meshes(pasted: Pasted) -> dict[int, bpy.types.Mesh]:
    """The meshes that shapes refer to, by index."""
    found: dict[int, bpy.types.Mesh] = {}
    for i, shape in enumerate(pasted.document.shapes):
        index = cast("MeshIndex | None", getattr(shape.geometry, "mesh", None))
        if index is None:
            continue
        name = _name(pasted.json, "meshes", index)
        mesh = bpy.data.meshes.get(name)
        if mesh is None:
            why = f"shape {i} needs it, and this file has no mesh {name!r}"
            raise PasteError(f"/meshes/{index}: {why}")
        found[index] = mesh
    return found


def _own_shapes(pasted: Pasted) -> dict[int, str]:
    """The nodes that are there only because a shape of the object sits elsewhere → its part."""
    document, found = pasted.document, dict[int, str]()
    own = document.nodes.get(0, NodePhysics())
    for index, above in pasted.below.items():
        physics = document.nodes.get(index)
        if above or physics is None or index in pasted.below.values():
            continue
        for part in ("collider", "trigger"):
            user: Any = getattr(physics, part)
            if user is None or user.shape is None or physics != NodePhysics(**{part: user}):
                continue
            taken = getattr(own, part) is not None or part in found.values()
            if not taken and not _is_scaled(pasted, index):
                found[index] = part
    return found


def _is_scaled(pasted: Pasted, index: int) -> bool:
    return any(abs(size - 1.0) > _SAME_SIZE for size in _parts(pasted.places[index])[2])


def _parts(matrix: Any) -> tuple[Any, Any, Any]:
    """Translation, rotation x, y, z, w and scale of a matrix by columns, in glTF's axes."""
    if matrix is None:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0)
    place, turn, size = Matrix([matrix[i::4] for i in range(4)]).decompose()
    return place, (turn.x, turn.y, turn.z, turn.w), size


def _place(shape: Any, matrix: Any, axes: Axes) -> None:
    """Put a shape where its node is below that of its object."""
    place, turn, _ = _parts(matrix)
    x, y, z, w = axes.turn_to_blender(turn)
    shape.location = axes.point_to_blender(place)
    shape.rotation = Quaternion((w, x, y, z)).to_euler()


def _new_part(
    pasted: Pasted, index: int, parent: Any, collections: Sequence[Any], axes: Axes
) -> Any:
    """An empty object for a node below another one."""
    name = _name(pasted.json, "nodes", index)
    new = new_empty(name or f"{parent.name} Part", collections, size=_SIZE * axes.unit)
    new.parent = parent
    place, turn, size = _parts(pasted.places[index])
    new.location = axes.point_to_blender(place)
    new.rotation_mode = "QUATERNION"
    x, y, z, w = axes.turn_to_blender(turn)
    new.rotation_quaternion = (w, x, y, z)
    new.scale = axes.size_to_blender(size)
    return new
