"""Makes a ragdoll of an armature: a capsule for each bone, and joints that bend as people do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from mathutils import Euler, Matrix, Vector

from ....axes import TO_GLTF
from ....geometry.fit.bone_capsules import BoneCapsule, bone_capsule, slimmed
from ...base import groups
from ...base.hierarchy import new_empty
from .. import joint_making
from . import bone_roles
from .bare_bones import capsules_of
from .bone_parts import BonePart, parts_of, skins_of
from .bone_roles import Stance

_SAME_SCALE: Final = 1e-3
_STEADY: Final = 3.0  # How much harder parts are to turn than their capsules.
_ALONG: Final = 0.8  # Of the moment across a part, that about its own axis.
_LIGHT: Final = 0.02  # Share of the whole mass; what is lighter is as hard to turn as that.
_SHOWN: Final = 0.3  # Size of symbols, of the length of their bone.
# From the axes of a stand-in to those of its bone: glTF has the axes that Blender's bones have.
_STANDS: Final = Matrix(TO_GLTF.tolist()).to_4x4()
# How a capsule lies in a stand-in that lies along an axis of its bone.
_LIES: Final = {
    0: Euler((0.0, math.pi / 2.0, 0.0)),
    1: Euler((0.0, 0.0, 0.0)),
    2: Euler((math.pi / 2.0, 0.0, 0.0)),
}
_AXIS: Final = {0: 0, 1: 2, 2: 1}  # The axis of a stand-in that it lies along.


class NoRagdollError(ValueError):
    """An armature cannot become a ragdoll; its text, in English, says why."""


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the artist asks for.

    Attributes:
        density: kg/m³.
        mass: of all together, kg; zero for what the density gives.
        smallest: size of bones that are merged, of that of the figure.
        use_limits: whether joints have the limits of people; else they turn freely.
        steady: whether parts are slower to turn than they would be, so that engines hold their
            joints in steps of 1/60 s.
    """

    density: float = 1000.0
    mass: float = 0.0
    smallest: float = 0.07
    use_limits: bool = True
    steady: bool = True


@dataclass(eq=False)
class Ragdoll:
    """What was made.

    Attributes:
        bodies: the empties that stand for bones.
        joints: the empties of the joints.
        merged: how many bones were too small for a body of their own.
        overlapping: objects that overlap others at the start and do not collide with these.
        mass: of all together, kg.
    """

    bodies: list[Any] = field(default_factory=list[Any])
    joints: list[Any] = field(default_factory=list[Any])
    merged: int = 0
    overlapping: list[Any] = field(default_factory=list[Any])
    mass: float = 0.0


def make(scene: Any, armature: Any, choices: Choices) -> Ragdoll:
    """Make bodies and joints on the bones of an armature.

    Raises:
        NoRagdollError: it is scaled unevenly, has bodies already or nothing to make them of.
    """
    scale = armature.matrix_world.to_scale()
    if min(scale) <= 0.0 or max(scale) - min(scale) > _SAME_SCALE * max(scale):
        raise NoRagdollError("The armature is scaled unevenly: apply its scale first")
    objects = list(scene.objects)
    if any(groups.is_bone_proxy(obj) and obj.parent == armature for obj in objects):
        raise NoRagdollError("Bones of the armature already have bodies: remove these bodies first")
    parts = parts_of(armature, skins_of(armature, objects), choices.smallest)
    if not parts:
        raise NoRagdollError("The armature has no deforming bones")
    stance = _stance(armature, parts)
    capsules, volumes, overlaps = _capsules(parts, stance)
    found = Ragdoll(merged=sum(len(part.merged) for part in parts))
    stand_ins = {
        part.bone.name: _stand_in(armature, part, capsule, scale.x)
        for part, capsule in zip(parts, capsules, strict=True)
    }
    found.bodies = list(stand_ins.values())
    found.mass = _weigh(found.bodies, capsules, volumes, choices)
    for part in parts:
        if part.above is not None:
            to = stand_ins[part.above.bone.name]
            found.joints.append(_joint(scene, armature, part, to, stance, choices))
    touching = sorted({i for pair in overlaps for i in pair})
    found.overlapping = [found.bodies[i] for i in touching]
    if touching:
        _let_pass(scene, armature, found.overlapping)
    return found


def _capsules(
    parts: Sequence[BonePart], stance: Stance
) -> tuple[list[BoneCapsule], list[float], list[tuple[int, int]]]:
    """The capsules, the volumes that weigh, m³, and the pairs that overlap.

    Those of bones without a mesh weigh what people do there, also where they are in the way.
    """
    numbers = {part.bone.name: i for i, part in enumerate(parts)}
    joined = {
        frozenset((i, numbers[part.above.bone.name]))
        for i, part in enumerate(parts)
        if part.above is not None
    }
    is_bare = not any(len(part.points) for part in parts)
    if is_bare:
        full = capsules_of(parts, np.cross(stance.up, stance.front))
    else:
        full = [bone_capsule(part.points @ part.turn, part.length) for part in parts]
    places = [part.place.copy() for part in parts]
    for place, part in zip(places, parts, strict=True):
        place[:3, :3] = place[:3, :3] @ part.turn
    thin, overlaps = slimmed(full, places, joined)
    return thin, [capsule.volume for capsule in (full if is_bare else thin)], overlaps


def _stance(armature: Any, parts: Sequence[BonePart]) -> Stance:
    """How a figure stands: its feet tell the front, else the -Y axis of the armature."""
    up = np.array((0.0, 0.0, 1.0))
    feet = [part.along for part in parts if part.role == "foot"]
    front = np.sum(feet, axis=0) if feet else np.zeros(3)
    front = front - (front @ up) * up
    if np.linalg.norm(front) < 0.3 * max(len(feet), 1):
        own = armature.matrix_world.to_3x3().normalized()
        front = np.array(own @ Vector((0.0, -1.0, 0.0)))
        if abs(front[2]) > 0.7:  # It lies on its back as files with Y up do.
            front = np.array(own @ Vector((0.0, 0.0, 1.0)))
        front = front - (front @ up) * up
    front = front / np.linalg.norm(front)
    heads = np.array([part.head for part in parts])
    return Stance(front, up, (heads.min(axis=0) + heads.max(axis=0)) / 2.0)


def _stand_in(armature: Any, part: BonePart, capsule: BoneCapsule, scale: float) -> Any:
    """The empty that holds the physics of a bone, in its frame."""
    obj = _on_bone(armature, part, f"{part.bone.name} Physics", _STANDS, "PLAIN_AXES")
    group = groups.of_object(obj)
    group.is_bone_stand_in = True
    group.use_motion = group.use_collider = True
    group.motion.type, group.motion.center_of_mass_mode = "DYNAMIC", "SHAPES"
    shape = group.collider.shape
    shape.type = "CAPSULE"
    shape.capsule.height = capsule.height / scale
    shape.capsule.radius_top = shape.capsule.radius_bottom = capsule.radius / scale
    turn = _STANDS.inverted() @ Matrix(part.turn.tolist()).to_4x4()
    shape.location = turn @ (Vector(capsule.center.tolist()) / scale)
    lies = _STANDS @ _LIES[capsule.axis].to_matrix().to_4x4()
    shape.rotation = (turn @ lies).to_euler()
    return obj


def _on_bone(armature: Any, part: BonePart, name: str, place: Matrix, kind: str) -> Any:
    """A new empty at a place in the axes of a bone, in the collections of its armature."""
    size = _SHOWN * part.length  # The overlay leaves the scale of objects out.
    obj = new_empty(name, armature.users_collection, kind, size)
    obj.parent, obj.parent_type, obj.parent_bone = armature, "BONE", part.bone.name
    # What is on a bone begins at its tail.
    obj.matrix_basis = Matrix.Translation((0.0, -part.bone.length, 0.0)) @ place
    return obj


def _weigh(
    bodies: Sequence[Any],
    capsules: Sequence[BoneCapsule],
    volumes: Sequence[float],
    choices: Choices,
) -> float:
    """Give bodies masses by their volumes, m³, and moments; returns the mass of all, kg.

    Solvers of engines take a few rounds for a step. Where a light part is between a heavy one and
    the floor, they end before its joint holds, unless it is hard to turn about its own axis, too.
    """
    masses = np.array(volumes) * choices.density
    if choices.mass:
        masses *= choices.mass / float(masses.sum())
    least = _LIGHT * float(masses.sum())
    for obj, mass, capsule in zip(bodies, masses.tolist(), capsules, strict=True):
        motion = groups.of_object(obj).motion
        motion.mass = _rounded(max(mass, 1e-6))
        if choices.steady:
            moment = _STEADY * max(mass, least) * capsule.moment
            moments = [_rounded(moment)] * 3
            moments[_AXIS[capsule.axis]] = _rounded(_ALONG * moment)
            motion.inertia_mode, motion.inertia_diagonal = "VALUE", tuple(moments)
    return float(masses.sum())


def _rounded(value: float) -> float:
    """To four digits."""
    return float(f"{value:.4g}")


def _joint(
    scene: Any, armature: Any, part: BonePart, to: Any, stance: Stance, choices: Choices
) -> Any:
    """The joint between a bone and the one it is joined to, at its head."""
    found = bone_roles.bending(part.role, part.along, stance)
    away = -part.along if part.is_reversed else part.along
    axes = bone_roles.frame(away, found.toward, stance)
    own = part.place[:3, :3].T @ axes
    pivot = part.pivot / armature.matrix_world.median_scale
    place = Matrix.Translation(pivot.tolist()) @ Matrix(own.tolist()).to_4x4()
    name = f"{part.bone.name} Joint"
    obj = _on_bone(armature, part, name, place, "ARROWS")
    settings = bone_roles.settings(found, axes, part.head, stance)
    if not choices.use_limits:
        settings = type(settings)(limits=settings.limits[:1])
    label = part.role.replace("_", " ").title() or "Bone"
    group = groups.of_object(obj)
    group.use_joint = True
    group.joint.settings = joint_making.entry_like(scene, settings, label).name
    group.joint.connected_object = to
    group.joint.pivot_at_joint = True
    return obj


def _let_pass(scene: Any, armature: Any, objects: Sequence[Any]) -> None:
    """Let bodies that overlap at the start pass through each other, and collide with all else."""
    entries = groups.of_scene(scene).collision_filters
    entry = entries.add(f"{armature.name} Ragdoll")
    entry.collision_systems.add().name = entry.name
    entry.mode = "NOT"
    entry.not_collide_with_systems.add().name = entry.name
    for obj in objects:
        groups.of_object(obj).collider.collision_filter = entry.name
