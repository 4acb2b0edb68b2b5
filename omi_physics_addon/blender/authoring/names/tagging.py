"""Gives objects the physics that their names ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy

from .... import engines
from ....issue_codes import Code
from ....issues import Issues
from ....model.targets import Tag
from ...base import groups
from ...base.hierarchy import ancestors
from ...scene.migrations import has_physics
from .. import fitting, joint_making
from ..fit_destinations import Outcome, Plan, fit_own
from ..fit_sources import Sources


@dataclass
class Tagged:
    """What was found.

    Attributes:
        words: how many objects each suffix or prefix was found on.
        objects: those that have new physics.
    """

    words: Counter[str] = field(default_factory=Counter[str])
    objects: list[Any] = field(default_factory=list[Any])
    issues: Issues = field(default_factory=Issues)


def tag(scene: Any, objects: Sequence[Any], depsgraph: bpy.types.Depsgraph) -> Tagged:
    """Give objects the physics that their names ask for; what has physics already stays.

    Colliders of another object, which Unreal's prefixes name, go below it and stay where they are.
    """
    done = Tagged()
    tags: dict[Any, Tag] = {}
    for obj in objects:
        found = engines.tag_of(obj.name)
        if found is not None and not has_physics(obj) and groups.can_change(obj):
            tags[obj] = found
        elif found is None and engines.is_unknown(obj.name):
            done.issues.add(Code.NAME_NOT_UNDERSTOOD, obj.name, "its prefix or suffix is unknown")
    named = {obj.name: obj for obj in scene.objects}
    sources = Sources(depsgraph, {})
    for obj, each in tags.items():
        if _give_shape(obj, each, sources, done):
            _give_body(obj, each, tags, named, done)
            done.words[each.word] += 1
            done.objects.append(obj)
    return done


def _give_shape(obj: Any, found: Tag, sources: Sources, done: Tagged) -> bool:
    group = groups.of_object(obj)
    shape = group.collider.shape
    if obj.type == "EMPTY":
        if found.motion and not _draw_of_empty(obj, shape):
            why = "an empty needs the display type Cube or Sphere to define its shape"
            done.issues.add(Code.NAME_NOT_UNDERSTOOD, obj.name, why)
            return False
    elif found.shape in fitting.MESHES and obj.type == "MESH":
        fitting.use_own_mesh(shape, found.shape)
    else:
        pieces = sources.pieces(obj, "WHOLE")
        if not pieces:
            why = f"{found.word} needs a mesh, and it has no vertices"
            done.issues.add(Code.NAME_NOT_UNDERSTOOD, obj.name, why)
            return False
        # Modelled colliders may be turned freely in their objects.
        plan = Plan(kind=found.shape, orientation="FREE")
        outcome = Outcome()
        fit_own(obj, pieces[0], plan, outcome)
        outcome.remove_dropped()
    group.use_collider = True
    group.is_collision_only = found.is_collision_only
    return True


def _draw_of_empty(obj: Any, shape: Any) -> bool:
    """Make a shape of what an empty is drawn as, as Godot does; whether it is a solid."""
    size = obj.empty_display_size
    if obj.empty_display_type == "CUBE":
        shape.type, shape.box.size = "BOX", (2.0 * size,) * 3
    elif obj.empty_display_type == "SPHERE":
        shape.type, shape.sphere.radius = "SPHERE", size
    else:
        return False
    return True


def _give_body(
    obj: Any, found: Tag, tags: Mapping[Any, Tag], named: Mapping[str, Any], done: Tagged
) -> None:
    group = groups.of_object(obj)
    if found.owners:
        owner = next((named[name] for name in found.owners if name in named), None)
        if owner is None:
            why = f"the object {found.owners[0]} for this collider does not exist"
            done.issues.add(Code.NAME_NOT_UNDERSTOOD, obj.name, why)
        elif owner not in ancestors(obj) and obj not in ancestors(owner):
            joint_making.put_below(obj, owner, obj.matrix_world.copy())
        return
    above = any(
        groups.read(each).use_motion or (each in tags and tags[each].motion)
        for each in ancestors(obj)
    )
    if found.motion == "STATIC" and above:
        return  # A collider of the body above it.
    group.use_motion = True
    group.motion.type = found.motion
