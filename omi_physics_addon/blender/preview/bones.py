"""Bones: which of them the artist moves, and whose place bodies take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import bpy

from .. import attached, compat

_PATH: Final = re.compile(r'pose\.bones\["((?:\\.|[^"\\])*)"\]\.(.*)')
_PLACES: Final = ("location", "rotation", "scale", "matrix", "delta_")
_CHAINS: Final = frozenset({"IK", "SPLINE_IK"})


def is_place(path: str) -> bool:
    """Whether a path leads to where an object or a bone is."""
    return path.startswith(_PLACES)


def paths(data: Any) -> Iterator[str]:
    """What the curves and drivers of some animation data move; an empty one where nobody knows."""
    if data is None:
        return
    yield from (driver.data_path for driver in data.drivers)
    strips = [s for track in data.nla_tracks if not track.mute for s in track.strips]
    if any(strip.action is None for strip in strips):  # A meta strip, or a transition.
        yield ""
    for source in (data, *(strip for strip in strips if strip.action is not None)):
        yield from (curve.data_path for curve in compat.curves(source))


def moved(armature: Any) -> frozenset[str]:
    """The bones that keyframes, drivers or constraints move, or one of those above them."""
    if armature.pose is None or armature.data.pose_position == "REST":
        return frozenset()
    bones = armature.pose.bones
    found: set[str] = set()
    for path in paths(armature.animation_data):
        match = _PATH.fullmatch(path)
        if not path:
            found.update(bones.keys())
        elif match and is_place(match[2]):
            found.add(bpy.utils.unescape_identifier(match[1]))
    for bone in bones:
        for constraint in bone.constraints:
            if not constraint.mute:
                found.update(_held(bone, constraint))
    return frozenset(
        bone.name for bone in bones if not found.isdisjoint((bone.name, *_above(bone)))
    )


def _held(bone: Any, constraint: Any) -> Iterable[str]:
    """The bones that a constraint moves, those of a chain up to its root."""
    if constraint.type not in _CHAINS:
        return (bone.name,)
    chain = [bone.name, *_above(bone)]
    return chain[: constraint.chain_count] if constraint.chain_count else chain


def _above(bone: Any) -> list[str]:
    return [parent.name for parent in bone.parent_recursive]


def stands_for_bone(obj: Any) -> bool:
    """Whether the physics of an object is that of the bone it is parented to."""
    parent = obj.parent
    return (
        obj.parent_type == "BONE"
        and parent is not None
        and parent.type == "ARMATURE"
        and attached.of_object(obj).is_bone_stand_in
    )


def bones_above(obj: Any) -> Iterator[str]:
    """The bones that an object is parented to, upwards, without the one that it stands for."""
    parent = obj.parent
    if obj.parent_type != "BONE" or parent is None or parent.type != "ARMATURE":
        return
    bone = parent.data.bones.get(obj.parent_bone)
    if bone is not None and stands_for_bone(obj):
        bone = bone.parent
    while bone is not None:
        yield bone.name
        bone = bone.parent
