"""Copies of armatures whose bones follow bodies, and of what these bend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mathutils import Matrix

from ...simulation.world import World
from ..attached import stands_for_bone
from . import stage
from .actors import forced
from .reading import SceneReading

# Gives an object, a node and a place of the world, and lets it follow the body of the node there.
Attach = Callable[[Any, int, Matrix], None]


@dataclass(frozen=True)
class _Bone:
    """A bone that follows a body.

    Attributes:
        node: that of the object that stands for it.
    """

    name: str
    node: int


class Skins:
    """The armatures of one preview of which forces move any bone."""

    def __init__(self, read: SceneReading, world: World) -> None:
        self._nodes: dict[Any, int] = {}
        self._bones: dict[Any, list[_Bone]] = {}
        self._copies: dict[Any, Any] = {}
        owners = {body.node: body for body in world.bodies}
        for at, obj in enumerate(read.objects[: read.own]):
            if at in read.instanced:
                continue
            self._nodes.setdefault(obj, at)
            body = owners.get(at)
            if body is not None and forced(body) and stands_for_bone(obj):
                self._bones.setdefault(obj.parent, []).append(_Bone(obj.parent_bone, at))

    def make(self, collection: Any, is_shown: Callable[[Any, int], bool], attach: Attach) -> None:
        """Copy the armatures and let their bones follow, in a collection of copies."""
        for armature, followed in self._bones.items():
            at = self._nodes.get(armature)
            if at is None:
                continue
            copy = self._copies[armature] = _bare(armature)
            copy.hide_viewport = not is_shown(armature, at)
            collection.objects.link(copy)
            attach(copy, at, armature.matrix_world)
            for bone in followed:
                self._follow(copy, bone, armature, collection, attach)

    @staticmethod
    def _follow(copy: Any, bone: _Bone, armature: Any, collection: Any, attach: Attach) -> None:
        posed = armature.pose.bones.get(bone.name)
        if posed is None:
            return
        target = stage.new_object(bone.name, None)
        target.hide_viewport = True
        collection.objects.link(target)
        attach(target, bone.node, armature.matrix_world @ posed.matrix)
        constraint = copy.pose.bones[bone.name].constraints.new("COPY_TRANSFORMS")
        constraint.target = target

    def copy(self, obj: Any) -> Any:
        """A copy of an object that such an armature bends, bent by its copy; None for others."""
        # Blender puts copies of rigid bodies into the artist's rigid-body world.
        if not self._copies or obj.rigid_body is not None:
            return None
        bending = [m for m in obj.modifiers if m.type == "ARMATURE" and m.object in self._copies]
        if not bending:
            return None
        copy = _bare(obj)
        for modifier in bending:
            copy.modifiers[modifier.name].object = self._copies[modifier.object]
        return copy


def _bare(obj: Any) -> Any:
    """A tagged copy of an object that nothing moves, and that is below nothing."""
    copy = obj.copy()
    copy[stage.TAG] = True
    copy.animation_data_clear()
    copy.constraints.clear()
    copy.parent = None
    return copy
