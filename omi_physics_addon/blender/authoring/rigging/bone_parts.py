"""Which bones of an armature become bodies, what hangs on each, and what it carries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix

from ....geometry.arrays import Array
from ....geometry.fit import bone_capsules
from ....geometry.rotations import least_rotation
from ...base import mesh_arrays
from . import bone_roles

_NUMBER: Final = re.compile(r"[._]*\d+(?=(?:[._][LRlr])?$)")  # Of a bone, also before its side.
_SLIGHT: Final = 0.02  # Size of bones that no name keeps, of the figure.
_ASTRAY: Final = 0.7  # Cosine of the angle to where a bone leads, below which it points elsewhere.
_OPPOSITE: Final = 0.99  # The same of what leads back.
_NEARBY: Final = 0.2  # Of its length, what is too near to tell where it leads.


@dataclass(eq=False)
class BonePart:
    """A bone that becomes a body.

    Attributes:
        bone: of the armature's data.
        role: of `bone_roles`.
        place: (4, 4), from the axes of the bone at rest to those of the world, without scale.
        length: of the bone, m.
        points: (n, 3), what it and the bones merged into it carry, in its axes, m.
        above: the part that it is joined to; None for the root.
        merged: names of the bones that were too small.
        turn: (3, 3), from axes whose Y leads to the next bone to those of the bone.
        is_reversed: whether it hangs on its end.
    """

    bone: Any
    role: str
    place: Array
    length: float
    points: Array
    above: BonePart | None = None
    merged: list[str] = field(default_factory=list[str])
    turn: Array = field(default_factory=lambda: np.eye(3))
    is_reversed: bool = False

    @property
    def head(self) -> Array:
        """Where it begins, in the world."""
        return self.place[:3, 3]

    @property
    def along(self) -> Array:
        """Where it leads to in the world, of length one."""
        return self.place[:3, :3] @ self.turn[:, 1]

    @property
    def end(self) -> Array:
        """Where it leads to, in the world."""
        return self.head + self.length * self.along

    @property
    def pivot(self) -> Array:
        """Where it hangs, in the axes of the bone, m."""
        return self.length * self.turn[:, 1] * float(self.is_reversed)

    def upward(self) -> Iterator[BonePart]:
        """Itself and all above it, the nearest first."""
        part: BonePart | None = self
        while part is not None:
            yield part
            part = part.above

    def take(self, other: BonePart) -> None:
        """Carry what another bone carries, too."""
        world = mesh_arrays.moved(other.points, other.place)
        own = (world - self.place[:3, 3]) @ self.place[:3, :3]
        self.points = np.concatenate([self.points, own])
        self.merged += [other.bone.name, *other.merged]


def skins_of(armature: Any, objects: Iterable[Any]) -> list[Any]:
    """The meshes that an armature bends, and those that its bones carry as a whole."""
    return [
        obj
        for obj in objects
        if obj.type == "MESH"
        and (
            (obj.parent == armature and obj.parent_type in ("ARMATURE", "BONE"))
            or any(m.type == "ARMATURE" and m.object == armature for m in obj.modifiers)
        )
    ]


def parts_of(armature: Any, skins: Sequence[Any], smallest: float) -> list[BonePart]:
    """The bones that become bodies, each after the one it is joined to.

    Args:
        skins: the meshes whose weights or parents tell what bones carry; bones without any are left
            out where there are some.
        smallest: size of bones that are merged into the one above them, of that of the figure.
    """
    clouds = _clouds(armature, skins)
    has_weights = any(map(len, clouds.values()))
    every: dict[str, BonePart] = {}
    for bone in _from_root(armature.data.bones):
        points = clouds.get(bone.name)
        if points is None and (has_weights or not bone.use_deform):
            continue
        every[bone.name] = _part(armature, bone, points)
    if not every:
        return []
    _settle_roles(every)
    size = _figure(every.values())
    for part in reversed(list(every.values())):
        above = _above(part.bone, every)
        if above is not None and _is_small(part, above, size, smallest):
            above.take(part)
            del every[part.bone.name]
    _hang(list(every.values()), every)
    for part in every.values():
        _aim(armature, part)
    for part in every.values():
        if part.above is not None and part.above.bone not in part.bone.parent_recursive:
            _turn_round(part, list(every.values()))
    return sorted(every.values(), key=lambda part: len([*part.upward()]))


def _from_root(bones: Iterable[Any]) -> Iterator[Any]:
    """All bones, parents before their children."""
    waiting = [bone for bone in bones if bone.parent is None]
    while waiting:
        bone = waiting.pop(0)
        yield bone
        waiting.extend(bone.children)


def _clouds(armature: Any, skins: Sequence[Any]) -> dict[str, Array]:
    """The vertices of meshes at rest, in the world, by the bone that moves each most.

    Modifiers count: often one mirrors half a figure.
    """
    found: dict[str, list[Array]] = {}
    shown = armature.data.pose_position
    armature.data.pose_position = "REST"
    try:
        depsgraph = bpy.context.evaluated_depsgraph_get()
        for obj in skins:
            names = [g.name if g.name in armature.data.bones else "" for g in obj.vertex_groups]
            owner = obj.evaluated_get(depsgraph)
            mesh = owner.to_mesh(preserve_all_data_layers=True, depsgraph=depsgraph)
            points = mesh_arrays.moved(mesh_arrays.points(mesh), owner.matrix_world)
            if obj.parent == armature and obj.parent_type == "BONE":
                found.setdefault(obj.parent_bone, []).append(points)
            else:
                for name, chosen in _by_bone(mesh, names).items():
                    found.setdefault(name, []).append(points[chosen])
            owner.to_mesh_clear()
    finally:
        armature.data.pose_position = shown
        layer: Any = bpy.context.view_layer
        layer.update()
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _by_bone(mesh: Any, names: Sequence[str]) -> dict[str, list[int]]:
    """The numbers of vertices by the bone that moves each most; empty names are no bones."""
    rows: dict[str, list[int]] = {}
    for i, vertex in enumerate(mesh.vertices):
        best, most = "", 0.0
        for element in vertex.groups:
            number: int = element.group
            if element.weight > most and names[number]:
                best, most = names[number], element.weight
        if best:
            rows.setdefault(best, []).append(i)
    return rows


def _part(armature: Any, bone: Any, world: Array | None) -> BonePart:
    matrix: Matrix = armature.matrix_world @ bone.matrix_local
    turn = matrix.to_3x3().normalized()
    place = np.array(Matrix.LocRotScale(matrix.translation, turn.to_quaternion(), None))
    length = bone.length * armature.matrix_world.median_scale
    points: Array = np.zeros((0, 3))
    if world is not None:
        away: Array = world - place[:3, 3]
        points = np.einsum("ni,ij->nj", away, place[:3, :3])
    return BonePart(bone, bone_roles.role_of(bone.name), place, length, points)


def _figure(parts: Iterable[BonePart]) -> float:
    """The largest extent of a figure, m."""
    found: list[Array] = []
    for part in parts:
        ends = np.array([part.head, part.end])
        found += [ends, mesh_arrays.moved(part.points, part.place)]
    every = np.concatenate(found)
    return float(np.ptp(every, axis=0).max())


def _above(bone: Any, every: Mapping[str, BonePart]) -> BonePart | None:
    """The part that a bone hangs on, also by the bones that Rigify moves the others with."""
    above = bone.parent
    while above is not None:
        for name in (above.name, above.name.replace("ORG-", "DEF-", 1)):
            if name in every and name != bone.name:
                return every[name]
        above = above.parent
    return None


def _settle_roles(every: Mapping[str, BonePart]) -> None:
    """Let the bones around it tell what a bone is, where its name alone does not."""
    below: dict[str, set[str]] = {name: set() for name in every}
    for part in reversed(list(every.values())):
        above = _above(part.bone, every)
        role_above = "" if above is None else above.role
        part.role = bone_roles.role_between(part.role, role_above, below[part.bone.name])
        if above is not None:
            is_next = part.role in bone_roles.LIMBS and _is_next(part.bone.name, above.bone.name)
            below[above.bone.name] |= below[part.bone.name] if is_next else {part.role}


def _aim(armature: Any, part: BonePart) -> None:
    """Find where a bone leads to: files of others often have bones that point elsewhere.

    That is to the next bones by their names, else to the middle of what it carries.
    """
    wanted = bone_roles.NEXT.get(part.role, set())
    ends: list[Any] = []
    waiting = list(part.bone.children)
    while waiting:
        bone = waiting.pop()
        if bone_roles.role_of(bone.name) in wanted:
            ends.append(armature.matrix_world @ bone.head_local)
        else:
            waiting.extend(bone.children)
    if not ends and not len(part.points):
        return
    if ends:
        away = (np.mean(np.array(ends), axis=0) - part.head) @ part.place[:3, :3]
    else:
        away = (part.points.min(axis=0) + part.points.max(axis=0)) / 2.0
    far = float(np.linalg.norm(away))
    if far < _NEARBY * part.length or away[1] > _ASTRAY * far:
        return
    if away[1] < -_OPPOSITE * far:
        part.turn = np.diag((1.0, -1.0, -1.0))
    else:
        part.turn = least_rotation(np.array((0.0, 1.0, 0.0)), away / far)
    if ends:
        part.length = far


def _is_small(part: BonePart, above: BonePart, size: float, smallest: float) -> bool:
    """Whether a bone belongs to the one above it."""
    if part.role in bone_roles.SMALL:
        return True
    if part.role in bone_roles.LIMBS and part.role == above.role:
        return _is_next(part.bone.name, above.bone.name)
    own = bone_capsules.extent_along(part.points, part.length)
    return own < (_SLIGHT if part.role in bone_roles.LARGE else smallest) * size


def _is_next(name: str, above: str) -> bool:
    """Whether a limb goes on in a second bone of the same name.

    As upper_arm.L.001 of Rigify does, and lowerleg02.L of MakeHuman.
    """
    return _NUMBER.sub("", name) == _NUMBER.sub("", above)


def _hang(parts: Sequence[BonePart], every: Mapping[str, BonePart]) -> None:
    """Find what each part is joined to: the bone above it, else the nearest of the main figure."""
    for part in parts:
        part.above = _above(part.bone, every)
    roots = [part for part in parts if part.above is None]
    weights = {root.bone.name: 0 for root in roots}
    tops: dict[str, str] = {}
    for part in parts:
        top = [*part.upward()][-1]
        tops[part.bone.name] = top.bone.name
        weights[top.bone.name] += 1 + len(part.points)
    main = max(roots, key=lambda root: weights[root.bone.name])
    others = [part for part in parts if tops[part.bone.name] == main.bone.name]
    for root in roots:
        if root is not main:
            root.above = min(others, key=lambda part: _distance(root.head, part))


def _turn_round(first: BonePart, parts: Sequence[BonePart]) -> None:
    """Let a chain of bones hang on its other end if that is where the figure is.

    So tails begin at their tips in the rigs that Rigify generates.
    """
    below = [first]
    for link in below:  # It grows meanwhile.
        below += [part for part in parts if part.above is link]
    others = [part for part in parts if part not in below]
    if any(part.role in bone_roles.LIMBS for part in below):
        return  # Hands may be near a thigh.

    def far(place: Array) -> float:
        return min(_distance(place, part) for part in others)

    last = min(below, key=lambda part: far(part.end))
    if far(last.end) >= 0.5 * far(first.head):
        return
    base = min(others, key=lambda part: _distance(last.end, part))
    link: BonePart | None = last
    while link is not None and link in below:
        above = link.above
        link.above, link.is_reversed = base, True
        base, link = link, above


def _distance(place: Array, part: BonePart) -> float:
    ends = np.array([part.head, part.end])
    return bone_capsules.segment_distance(np.array([place, place]), ends)
