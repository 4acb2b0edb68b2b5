"""Copies of armatures whose bones follow bodies or keyframes, and of what these bend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from mathutils import Matrix

from ....geometry.affine import inverse
from ....simulation.state import Array
from ....simulation.world import World
from ...base import compat
from ...base.groups import is_bone_proxy
from ..input import bones
from ..input.animation import Samples, set_keys
from ..input.scene_input import SceneReading
from ..stage import stage
from ..stage.clock import Clock

# Gives an object, a node and a place of the world, and lets it follow the body of the node there.
Attach = Callable[[Any, int, Matrix], None]
_FLAT: Final = 1e-15  # Determinants of bones that are smaller count as zero.


@dataclass(frozen=True)
class _Bone:
    """A bone that follows a body.

    Attributes:
        node: that of the object that stands for it.
    """

    name: str
    node: int


@dataclass(frozen=True, eq=False)
class Track:
    """How keyframes, drivers or constraints move the bones of an armature.

    Attributes:
        rows: (frames, bones, 10), location, rotation as quaternion, and scale of all bones.
    """

    rows: Array

    def pose(self, copy: Any, frame: float) -> None:
        """Pose a copy of the armature as it is at a frame of these; beyond them it rests."""
        place = min(max(frame, 0.0), len(self.rows) - 1.0)
        low = int(place)
        high = min(low + 1, len(self.rows) - 1)
        rows = self.rows[low] * (1.0 - place + low) + self.rows[high] * (place - low)
        turns = rows[:, 3:7] / np.linalg.norm(rows[:, 3:7], axis=1, keepdims=True)
        bones = copy.pose.bones
        for name, values in (
            ("location", rows[:, :3]),
            ("rotation_quaternion", turns),
            ("scale", rows[:, 7:]),
        ):
            bones.foreach_set(name, np.ascontiguousarray(values, dtype=np.float32).ravel())


class Armatures:
    """The armatures of one preview whose bones follow bodies or the artist's keyframes.

    Attributes:
        animated: those that bend something by bones that keyframes, drivers or constraints move,
            and the names of these bones.
    """

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
            if body is not None and body.is_forced and is_bone_proxy(obj):
                self._bones.setdefault(obj.parent, []).append(_Bone(obj.parent_bone, at))
        bending = {m.object: None for obj in self._nodes for m in _bending(obj)}
        moved = {each: bones.moved(each) for each in bending if each in self._nodes}
        self.animated = {armature: names for armature, names in moved.items() if names}

    @property
    def are_any(self) -> bool:
        """Whether bones of any follow bodies or keyframes."""
        return bool(self._bones or self.animated)

    def bends(self, obj: Any) -> bool:
        """Whether a copy of one of these armatures bends the copy of an object."""
        # Blender puts copies of rigid bodies into the artist's rigid-body world.
        if obj.rigid_body is not None:
            return False
        return any(m.object in self._bones or m.object in self.animated for m in _bending(obj))

    @property
    def copied(self) -> Iterable[Any]:
        """The armatures that have copies."""
        return self._copies.keys()

    def make(self, collection: Any, is_shown: Callable[[Any, int], bool], attach: Attach) -> None:
        """Copy the armatures and let their bones follow bodies, in a collection of copies."""
        for armature in {**self._bones, **self.animated}:
            at = self._nodes.get(armature)
            if at is None:
                continue
            copy = self._copies[armature] = bare(armature)
            copy.hide_viewport = not is_shown(armature, at)
            collection.objects.link(copy)
            attach(copy, at, armature.matrix_world)
            for bone in self._bones.get(armature, ()):
                self._follow(copy, bone, armature, collection, attach)

    def play(self, samples: Samples, clock: Clock) -> None:
        """Let the copies of those that are animated have keys, on the clock of the preview."""
        for copy, names, poses in self._sampled(samples):
            _play(copy, names, poses, clock.at(samples.first + np.arange(len(poses))))

    def tracks(self, samples: Samples) -> dict[str, Track]:
        """How those that are animated move, by the names of their copies, whose bones are free."""
        found: dict[str, Track] = {}
        for copy, names, poses in self._sampled(samples):
            _free(copy, names)
            bones = copy.pose.bones
            own = [(*bone.location, *bone.rotation_quaternion, *bone.scale) for bone in bones]
            rows = np.repeat(np.array(own, dtype=np.float64)[None], len(poses), axis=0)
            for number, moved in _moved(copy, names, poses):
                rows[:, number] = moved
            found[copy.name] = Track(rows)
        return found

    def _sampled(self, samples: Samples) -> Iterator[tuple[Any, frozenset[str], Array]]:
        """Copies, the names of the bones that move, and poses (frames, bones, 4, 4)."""
        for armature, copy in self._copies.items():
            poses = samples.poses.get(armature.session_uid)
            if poses is not None:
                yield copy, self.animated[armature], poses

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
        if not self._copies or not self.bends(obj):
            return None
        copy = bare(obj)
        for modifier in _bending(obj):
            if modifier.object in self._copies:
                copy.modifiers[modifier.name].object = self._copies[modifier.object]
        return copy


def _bending(obj: Any) -> list[Any]:
    """The modifiers by which armatures bend an object."""
    return [m for m in obj.modifiers if m.type == "ARMATURE" and m.object is not None]


def bare(obj: Any) -> Any:
    """A tagged copy of an object that nothing moves, and that is below nothing."""
    copy = obj.copy()
    copy[stage.TAG] = True
    copy.animation_data_clear()
    copy.constraints.clear()
    copy.parent = None
    return copy


def _play(copy: Any, names: frozenset[str], poses: Array, frames: Array) -> None:
    """Give bones of a copy of an armature keys for poses (frames, bones, 4, 4)."""
    action, curve = compat.new_action(copy, copy.name)
    action[stage.TAG] = True
    _free(copy, names)
    for number, rows in _moved(copy, names, poses):
        start = copy.pose.bones[number].path_from_id()
        columns = [("location", 3), ("rotation_quaternion", 4), ("scale", 3)]
        paths = [(f"{start}.{name}", i) for name, count in columns for i in range(count)]
        for (path, i), values in zip(paths, rows.T, strict=True):
            set_keys(curve(path, i), frames, values)


def _free(copy: Any, names: frozenset[str]) -> None:
    """Let nothing but their own values move bones of a copy; what did is in their poses."""
    for posed in copy.pose.bones:
        if posed.name in names:
            for constraint in list(posed.constraints):
                posed.constraints.remove(constraint)
            posed.rotation_mode = "QUATERNION"


def _moved(copy: Any, names: frozenset[str], poses: Array) -> Iterator[tuple[int, Array]]:
    """The numbers of bones, and their own location, rotation and scale (frames, 10)."""
    numbers = {bone.name: i for i, bone in enumerate(copy.pose.bones)}
    for i, posed in enumerate(copy.pose.bones):
        if posed.name in names:
            above = None if posed.parent is None else poses[:, numbers[posed.parent.name]]
            yield i, _own(posed.bone, poses[:, i], above)


def _own(bone: Any, poses: Array, above: Array | None) -> Array:
    """Location, rotation and scale of a bone in the axes of its parent: (frames, 10).

    Args:
        poses: (frames, 4, 4), of the bone.
        above: the same of its parent; None for none.
    """
    rows: list[Sequence[float]] = []
    before = None
    for own in _added(bone, poses, above):
        place, turn, scale = own.decompose()
        if before is not None and turn.dot(before) < 0.0:
            turn.negate()
        before = turn
        rows.append((*place, *turn, *scale))
    return np.array(rows, dtype=np.float64)


def _added(bone: Any, poses: Array, above: Array | None) -> Iterator[Matrix]:
    """What a bone adds to its parent, frame by frame."""
    rest = bone.matrix_local
    if above is None:
        return (Matrix(own) for own in (np.array(rest.inverted()) @ poses).tolist())
    start = bone.parent.matrix_local
    # What is below a bone of no size is not seen, wherever it is.
    flat = np.abs(np.linalg.det(above[:, :3, :3])) < _FLAT
    above = np.where(flat[:, None, None], np.array(start), above)
    if bone.use_inherit_rotation and bone.inherit_scale == "FULL" and bone.use_local_location:
        back = np.array(rest.inverted() @ start) @ inverse(above)
        return (Matrix(own) for own in (back @ poses).tolist())
    kept = {"matrix_local": rest, "parent_matrix_local": start, "invert": True}
    return (
        bone.convert_local_to_pose(Matrix(pose), parent_matrix=Matrix(parent), **kept)
        for pose, parent in zip(poses.tolist(), above.tolist(), strict=True)
    )
