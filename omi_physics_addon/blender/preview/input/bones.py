"""Bones: which of them the artist moves, and which hold an object."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import bpy

from ...base import animated
from ...base.groups import is_bone_proxy

_PATH: Final = re.compile(r'pose\.bones\["((?:\\.|[^"\\])*)"\]\.(.*)')
_CHAINS: Final = frozenset({"IK", "SPLINE_IK"})


def moved(armature: Any) -> frozenset[str]:
    """The bones that keyframes, drivers or constraints move, or one of those above them."""
    if armature.pose is None or armature.data.pose_position == "REST":
        return frozenset()
    bones = armature.pose.bones
    found: set[str] = set()
    for path in animated.paths(armature.animation_data):
        match = _PATH.fullmatch(path)
        if not path:
            found.update(bones.keys())
        elif match and animated.is_place(match[2]):
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


def bones_above(obj: Any) -> Iterator[str]:
    """The names of the bone that an object is parented to, and of the bones above it.

    A bone proxy begins with the parent of its bone.
    """
    parent = obj.parent
    if obj.parent_type != "BONE" or parent is None or parent.type != "ARMATURE":
        return
    bone = parent.data.bones.get(obj.parent_bone)
    if bone is not None and is_bone_proxy(obj):
        bone = bone.parent
    while bone is not None:
        yield bone.name
        bone = bone.parent
