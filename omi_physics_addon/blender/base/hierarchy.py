"""What is above and below objects, the body they belong to, and where they are."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix

from . import changes, groups

Children = Mapping[Any, Sequence[Any]]  # Of every object that has any.
_FEW: Final = 4  # Names that are looked up one by one.
_MOBILITY: Final = {"STATIC": 0, "KINEMATIC": 1, "DYNAMIC": 2}


def ancestors(obj: Any) -> Iterator[Any]:
    """The parent of an object, the parent of that, and so on."""
    while obj.parent is not None:
        obj = obj.parent
        yield obj


def depth(obj: Any) -> int:
    """How many ancestors an object has."""
    return sum(1 for _ in ancestors(obj))


def top(obj: Any) -> Any:
    """The highest ancestor of an object; itself where it has none."""
    return [obj, *ancestors(obj)][-1]


def with_below(
    obj: Any, children: Children, goes_on: Callable[[Any], bool] = lambda obj: True
) -> Iterator[Any]:
    """An object and all that is below it, the last child of each first.

    Args:
        children: from `mesh_arrays.children_of_all`.
        goes_on: whether an object below it counts, with all below that.
    """
    waiting = [obj]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(filter(goes_on, children.get(part, ())))


def is_no_body(obj: Any) -> bool:
    """Whether an object belongs to the body above it, if there is one."""
    return not groups.read(obj).use_motion


def named(names: Collection[str]) -> dict[str, Any]:
    """The objects of some names, as far as they are there; Blender goes through all for each."""
    objects: Any = bpy.data.objects
    if len(names) > _FEW:
        every = {obj.name: obj for obj in objects if obj.library is None}
        return {name: every[name] for name in names if name in every}
    return {name: obj for name in names if (obj := objects.get(name)) is not None}


def new_empty(name: str, homes: Iterable[Any], kind: str = "PLAIN_AXES", size: float = 1.0) -> Any:
    """A new empty.

    Args:
        homes: the collections to link it to.
        kind: what it is drawn as.
        size: of that, m.
    """
    obj: Any = bpy.data.objects.new(name, None)
    obj.empty_display_type, obj.empty_display_size = kind, size
    for home in homes:
        home.objects.link(obj)
    return obj


class Homes:
    """The collections of scenes that each of their objects is in, as far as they can be edited.

    Blender itself looks through all collections for each object.
    """

    def __init__(self, *scenes: Any) -> None:
        """Look through the collections when it is asked first."""
        self._roots = [scene.collection for scene in scenes]

    def of(self, obj: Any) -> list[Any]:
        """The collections for something that belongs to an object; else that of the first scene."""
        return self._found.get(obj, self._roots[:1])

    @functools.cached_property
    def _found(self) -> dict[Any, list[Any]]:
        found: dict[Any, list[Any]] = {}
        for collection in dict.fromkeys(c for r in self._roots for c in (r, *r.children_recursive)):
            if collection.is_editable:
                for obj in collection.objects:
                    found.setdefault(obj, []).append(collection)
        return found


def unscaled(matrix: Matrix) -> Matrix:
    """The place and the turn of a matrix, without its scale."""
    place, turn, _ = matrix.decompose()
    return Matrix.LocRotScale(place, turn, None)


def is_sheared(matrix: Matrix, most: float) -> bool:
    """Whether a matrix is more than a place, a turn and a scale.

    Args:
        most: by how much its numbers may differ from those, of the largest one.
    """
    own = np.array(matrix)[:3, :3]
    off = np.abs(own - np.array(Matrix.LocRotScale(*matrix.decompose()))[:3, :3]).max()
    return bool(off > most * np.abs(own).max())


def referred_to(obj: Any) -> Iterator[Any]:
    """The objects that the physics of an object names, as far as it has these parts."""
    group = groups.read(obj)
    if group.use_joint and group.joint.connected_object is not None:
        yield group.joint.connected_object
    if group.use_vehicle_body and group.vehicle_body.pilot_seat is not None:
        yield group.vehicle_body.pilot_seat
    if group.use_trigger and group.trigger.mode == "LIST":
        yield from (item.object for item in group.trigger.nodes if item.object is not None)


def is_moved_by_path(obj: Any) -> bool:
    """Whether Blender moves an object along the curve that it is below."""
    above = obj.parent
    return obj.parent_type == "OBJECT" and above.type == "CURVE" and bool(above.data.use_path)


def keep_off_path(obj: Any) -> None:
    """Let a new object below a curve be where its numbers say, and not along the path."""
    if obj.parent is None or not is_moved_by_path(obj):
        return
    layer: Any = bpy.context.view_layer
    layer.update()
    if obj.name not in layer.objects:  # Nothing says where it is.
        return
    local = obj.matrix_parent_inverse @ obj.matrix_basis
    along = obj.parent.matrix_world.inverted_safe() @ obj.matrix_world @ local.inverted_safe()
    obj.matrix_parent_inverse = along.inverted_safe() @ obj.matrix_parent_inverse


def body_of(obj: Any) -> Any:
    """The nearest body at or above an object; None for none.

    What is on a bone belongs to the body of the bone, else to that of the bone above it.
    """
    while obj is not None and not groups.read(obj).use_motion:
        obj = _bone_body(obj) or obj.parent
    return obj


def _bone_body(obj: Any) -> Any:
    """The object that holds the body of the bone an object is on, or of one above that."""
    parent = obj.parent
    if obj.parent_type != "BONE" or parent is None or parent.type != "ARMATURE":
        return None
    known = _bone_proxies(len(bpy.data.objects)).get(parent.session_uid, {})
    bone = parent.data.bones.get(obj.parent_bone) if known else None
    if bone is not None and groups.is_bone_proxy(obj):
        bone = bone.parent
    while bone is not None:
        found = bpy.data.objects.get(known.get(bone.name, ""))
        if found is not None and groups.read(found).use_motion:
            return found
        bone = bone.parent
    return None


@changes.kept
def _bone_proxies(_count: int) -> dict[int, dict[str, str]]:
    """The names of the objects that stand for bones, by uid of the armature and by bone.

    Args:
        _count: of all objects, as of new ones nothing is told at once.
    """
    found: dict[int, dict[str, str]] = {}
    objects: Any = bpy.data.objects
    for obj in objects:
        if obj.parent_type == "BONE" and groups.is_bone_proxy(obj):
            found.setdefault(obj.parent.session_uid, {})[obj.parent_bone] = obj.name
    return found


def connected_moves(joint: Any) -> bool:
    """Whether what a joint is connected to is what moves, rather than what the joint is below."""
    return _mobility(groups.read(joint).joint.connected_object) > _mobility(joint)


def _mobility(obj: Any) -> int:
    body = body_of(obj)
    return 0 if body is None else _MOBILITY[groups.read(body).motion.type]
