"""Puts bodies that Blender simulates back to where they start, for an export."""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Matrix

from ...issue_codes import Code
from ...issues import Issues
from ..base import compat, groups


def put_back(tree: Any, issues: Issues) -> None:
    """Move the nodes of the host's tree whose bodies Blender's simulation has moved."""
    moved: dict[str, Matrix] = {}
    for uuid, vnode in tree.nodes.items():  # Parents come before their children.
        obj = vnode.blender_object
        change = moved.get(vnode.parent_uuid) if vnode.parent_uuid else None
        movable = isinstance(obj, bpy.types.Object) and not compat.is_bone(vnode)
        if movable and _is_simulated(obj):
            rest = rest_matrix(obj)
            if rest is None:
                why = "a bone or a constraint moves the object, so its current position is exported"
                issues.add(Code.EXPORT_OPTION_CHANGED, obj.name, why)
            else:  # Of an instance, the world of the object is not that of the node.
                place = vnode.matrix_world
                place = place @ obj.matrix_world.inverted_safe() @ rest
                change = place @ vnode.matrix_world.inverted_safe()
        if change is not None:
            moved[uuid] = change
            vnode.matrix_world = change @ vnode.matrix_world


def has_simulated(scene: bpy.types.Scene) -> bool:
    """Whether Blender's simulation may have moved something by now."""
    world = scene.rigidbody_world
    if world is None or not world.enabled:
        return False
    return scene.frame_current > world.point_cache.frame_start


def _is_simulated(obj: bpy.types.Object) -> bool:
    """Whether Blender's own simulation moves an object that we export as a body."""
    body = obj.rigid_body
    if body is None or body.type != "ACTIVE" or body.kinematic or not body.enabled:
        return False
    return groups.read(obj).use_motion


def rest_matrix(obj: bpy.types.Object) -> Matrix | None:
    """Where the transform channels put an object, whatever the simulation did since.

    None where more than the channels and an object above place it.
    """
    if any(not constraint.mute for constraint in obj.constraints):
        return None
    if obj.parent is None:
        return obj.matrix_basis.copy()
    if obj.parent_type != "OBJECT":
        return None
    above = rest_matrix(obj.parent) if _is_simulated(obj.parent) else obj.parent.matrix_world
    return None if above is None else above @ obj.matrix_parent_inverse @ obj.matrix_basis
