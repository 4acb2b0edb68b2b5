"""What objects show instances of: on vertices, faces, particles, in collections, Geometry Nodes."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Final, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

_UNUSED: Final = 2**31 - 1  # What Blender fills the paths of instances with.


class Instance(NamedTuple):
    """One instance that an object shows.

    Attributes:
        object: that is shown; None for a mesh that Geometry Nodes made and no object owns.
        path: tells it from the others of the same object: its number in what holds it, then the
            path of that.
        matrix: in the space of the object that shows it.
        is_bare: whether it is a mesh without vertices, which only shows instances itself.
        is_second: whether it is the mesh that Blender makes of a curve, a text or the like, and
            lists beside that object.
    """

    object: Any
    path: tuple[int, ...]
    matrix: Matrix
    is_bare: bool
    is_second: bool


Instances = dict[Any, list[Instance]]


def scatters(obj: Any) -> bool:
    """Whether an object may show instances other than those of its collection."""
    if obj.is_instancer:
        return bool(obj.instance_type != "COLLECTION")
    return any(modifier.type == "NODES" for modifier in obj.modifiers)


def may_be_shown() -> bool:
    """Whether any object of the file may show instances; quick."""
    data: Any = bpy.data
    instancers = np.empty(len(data.objects), dtype=bool)
    data.objects.foreach_get("is_instancer", instancers)
    return bool(instancers.any()) or any(tree.type == "GEOMETRY" for tree in data.node_groups)


def shown(depsgraph: bpy.types.Depsgraph) -> Instances:
    """Each object that shows instances, and these in Blender's order; looks at the whole scene."""
    found: Instances = {}
    each: Any
    showing, back = None, Matrix()
    for each in depsgraph.object_instances:
        if not each.is_instance or each.parent is None:
            continue
        above, obj = each.parent.original, each.object
        if above != showing:  # Those of one object come one after the other.
            showing, back = above, each.parent.matrix_world.inverted_safe()
        path = tuple(number for number in each.persistent_id if number != _UNUSED)
        data = obj.data
        is_bare = isinstance(data, bpy.types.Mesh) and not data.vertices
        owner = obj.original if obj.original != above else None
        is_second = obj.type == "MESH" != obj.original.type
        one = Instance(owner, path, back @ each.matrix_world, is_bare, is_second)
        found.setdefault(above, []).append(one)
    return found


def path_above(path: tuple[int, ...], known: Container[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The path of the instance that shows another one; None where that is no instance itself.

    Geometry Nodes give each object two numbers: its own, and the next for what it shows.
    """
    above = path[1:]
    if above and above not in known:
        above = (above[0] - 1, *above[1:])
    return above if above in known else None


def scattered(obj: Any, found: Sequence[Instance]) -> dict[Any, list[Any]]:
    """What is shown by `obj`, or by others in its collection, in more ways than as a collection.

    Args:
        found: the instances that `obj` shows.

    Returns:
        for each object that shows others, these, once for each instance.
    """
    by_path = {each.path: each.object for each in found}
    result: dict[Any, list[Any]] = {}
    for each in found:
        if each.is_second:
            continue
        path = each.path[1:]
        while path and path not in by_path:
            path = path[1:]
        above = by_path.get(path, obj)
        if above is not None and above.instance_type != "COLLECTION" and each.object is not None:
            result.setdefault(above, []).append(each.object)
    return result
