"""Armatures of people and of an animal, with a mesh whose weights say what each bone carries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from tests.blender.support.scenes import add

# Bone: head, tail, parent, radius; of the left side and the middle, m. They look along -Y.
_PERSON: Mapping[str, tuple[Any, Any, str, float]] = {
    "hips": ((0, 0, 0.95), (0, 0, 1.08), "", 0.13),
    "spine": ((0, 0, 1.08), (0, 0, 1.22), "hips", 0.12),
    "chest": ((0, 0, 1.22), (0, 0, 1.45), "spine", 0.14),
    "neck": ((0, 0, 1.45), (0, 0, 1.53), "chest", 0.055),
    "head": ((0, 0, 1.53), (0, 0, 1.75), "neck", 0.09),
    "shoulder": ((0.02, 0, 1.42), (0.17, 0, 1.42), "chest", 0.05),
    "upper_arm": ((0.17, 0, 1.42), (0.30, 0.01, 1.42), "shoulder", 0.045),
    "upper_arm2": ((0.30, 0.01, 1.42), (0.44, 0.02, 1.42), "upper_arm", 0.045),
    "forearm": ((0.44, 0.02, 1.42), (0.68, 0, 1.42), "upper_arm2", 0.035),
    "hand": ((0.68, 0, 1.42), (0.77, 0, 1.42), "forearm", 0.03),
    "finger": ((0.77, 0, 1.42), (0.85, 0, 1.42), "hand", 0.015),
    "thigh": ((0.1, 0, 0.92), (0.11, -0.01, 0.5), "hips", 0.075),
    "shin": ((0.11, -0.01, 0.5), (0.11, 0.02, 0.09), "thigh", 0.05),
    "foot": ((0.11, 0.02, 0.09), (0.11, -0.12, 0.03), "shin", 0.04),
    "toe": ((0.11, -0.12, 0.03), (0.11, -0.19, 0.03), "foot", 0.03),
}
_RIGIFY = {
    "hips": "DEF-spine", "spine": "DEF-spine.001", "chest": "DEF-spine.003",
    "neck": "DEF-spine.004", "head": "DEF-spine.006", "shoulder": "DEF-shoulder.{s}",
    "upper_arm": "DEF-upper_arm.{s}", "upper_arm2": "DEF-upper_arm.{s}.001",
    "forearm": "DEF-forearm.{s}", "hand": "DEF-hand.{s}", "finger": "DEF-f_index.01.{s}",
    "thigh": "DEF-thigh.{s}", "shin": "DEF-shin.{s}", "foot": "DEF-foot.{s}", "toe": "DEF-toe.{s}",
}  # fmt: skip
_MIXAMO = {
    "hips": "mixamorig:Hips", "spine": "mixamorig:Spine", "chest": "mixamorig:Spine2",
    "neck": "mixamorig:Neck", "head": "mixamorig:Head", "shoulder": "mixamorig:{w}Shoulder",
    "upper_arm": "mixamorig:{w}Arm", "upper_arm2": "mixamorig:{w}ArmTwist",
    "forearm": "mixamorig:{w}ForeArm", "hand": "mixamorig:{w}Hand",
    "finger": "mixamorig:{w}HandIndex1", "thigh": "mixamorig:{w}UpLeg",
    "shin": "mixamorig:{w}Leg", "foot": "mixamorig:{w}Foot", "toe": "mixamorig:{w}ToeBase",
}  # fmt: skip
_ANIMAL: Mapping[str, tuple[Any, Any, str, float]] = {
    "pelvis": ((0, 0.5, 0.6), (0, 0.2, 0.62), "", 0.13),
    "chest": ((0, 0.2, 0.62), (0, -0.3, 0.62), "pelvis", 0.15),
    "neck": ((0, -0.3, 0.62), (0, -0.5, 0.8), "chest", 0.07),
    "head": ((0, -0.5, 0.8), (0, -0.75, 0.78), "neck", 0.07),
    "tail.001": ((0, 0.5, 0.62), (0, 0.7, 0.6), "pelvis", 0.03),
    "tail.002": ((0, 0.7, 0.6), (0, 0.9, 0.5), "tail.001", 0.025),
    "thigh": ((0.1, 0.45, 0.55), (0.1, 0.4, 0.32), "pelvis", 0.05),
    "shin": ((0.1, 0.4, 0.32), (0.1, 0.5, 0.12), "thigh", 0.035),
    "foot": ((0.1, 0.5, 0.12), (0.1, 0.4, 0.02), "shin", 0.03),
    "front_thigh": ((0.1, -0.25, 0.5), (0.1, -0.2, 0.3), "chest", 0.045),
    "front_shin": ((0.1, -0.2, 0.3), (0.1, -0.25, 0.1), "front_thigh", 0.03),
    "front_foot": ((0.1, -0.25, 0.1), (0.1, -0.33, 0.02), "front_shin", 0.028),
}
KINDS = ("rigify", "mixamo", "animal")


def skeleton(kind: str, place: Any = (0, 0, 0)) -> Any:
    """An armature that stands at a place, with its mesh."""
    rows = _ANIMAL if kind == "animal" else _PERSON
    names = {"rigify": _RIGIFY, "mixamo": _MIXAMO}.get(kind)
    bones = list(_sided(rows, names))
    # As importers leave it: bones lie in cm with Y up.
    own = (
        Matrix.Rotation(math.pi / 2, 4, "X") @ Matrix.Scale(0.01, 4)
        if kind == "mixamo"
        else Matrix()
    )
    into = np.array(own.inverted())
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    rig.matrix_world = Matrix.Translation(place) @ own
    layer: Any = bpy.context.view_layer
    layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, head, tail, parent, _ in bones:
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = (into[:3, :3] @ end for end in (head, tail))
        bone.parent = rig.data.edit_bones.get(parent)
    if kind == "rigify":
        control = rig.data.edit_bones.new("hand_ik.L")
        control.head, control.tail, control.use_deform = (0.68, 0, 1.42), (0.68, 0, 1.5), False
    bpy.ops.object.mode_set(mode="OBJECT")
    _skin(rig, bones, into)
    layer.update()
    return rig


def _sided(rows: Mapping[str, Any], names: Any) -> Iterator[tuple[str, Any, Any, str, float]]:
    """Every bone, those of the sides twice: name, head, tail, name of the parent, radius."""

    def named(word: str, side: str) -> str:
        if not word:
            return ""
        has_side = rows[word][0][0] > 0.0
        if names is None:
            return f"{word}.{side}" if has_side else word
        return names[word].format(s=side, w="Left" if side == "L" else "Right")

    for word, (head, tail, parent, radius) in rows.items():
        sides = (("L", 1.0), ("R", -1.0)) if head[0] > 0.0 else (("", 1.0),)
        for side, sign in sides:
            ends = (np.array(end) * (sign, 1.0, 1.0) for end in (head, tail))
            yield named(word, side), *ends, named(parent, side), radius


def _skin(rig: Any, bones: Any, into: Any) -> None:
    """Rings around each bone, which it alone moves."""
    points: list[Any] = []
    faces: list[tuple[int, ...]] = []
    groups: list[tuple[str, list[int]]] = []
    for name, head, tail, _, radius in bones:
        along = (tail - head) / np.linalg.norm(tail - head)
        first = np.cross(along, (0.3, 0.9, 0.2))
        first /= np.linalg.norm(first)
        second = np.cross(along, first)
        start = len(points)
        for share in np.linspace(-0.1, 1.1, 7):
            for turn in np.linspace(0.0, 2.0 * math.pi, 8, endpoint=False):
                around = math.cos(turn) * first + math.sin(turn) * second
                points.append(head + share * (tail - head) + radius * around)
        for row in range(start, start + 48, 8):
            for i in range(8):
                k = (i + 1) % 8
                faces.append((row + i, row + k, row + 8 + k, row + 8 + i))
        groups.append((name, list(range(start, len(points)))))
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata([tuple(into[:3, :3] @ point) for point in points], [], faces)
    obj = add("Skin", mesh, parent=rig)
    for name, numbers in groups:
        obj.vertex_groups.new(name=name).add(numbers, 1.0, "REPLACE")
    modifier = obj.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig
