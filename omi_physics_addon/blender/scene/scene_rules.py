"""What is checked of scenes beside the rules over whole documents, in Check and in exports."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

import bpy

from ...axes import Axes
from ...engines import TARGETS
from ...issue_codes import Code, Severity
from ...issues import Issues
from ...model.document import PhysicsDocument
from ..base import groups, hierarchy, roles
from ..properties import entries, names
from .feature_reader import blenders_gravity
from .mesh_sources import tree_of
from .migrations import has_physics
from .scene_reader import SceneReader

_UNUSED: Final = {
    "physics_materials": Code.SURFACE_ENTRY_UNUSED,
    "collision_filters": Code.SURFACE_ENTRY_UNUSED,
    "joint_settings": Code.JOINT_SETTINGS_UNUSED,
}


def check_compounds(document: PhysicsDocument, place: Callable[[int], str], issues: Issues) -> None:
    """Tell of filters that reading a file would find in the wrong place."""
    for i, physics in document.nodes.items():
        trigger = physics.trigger
        if trigger is not None and trigger.nodes and trigger.collision_filter is not None:
            why = (
                "the compound trigger has a collision filter, which belongs on its parts; "
                "move the filter there"
            )
            issues.add(Code.COMPOUND_TRIGGER_FILTER, place(i), why)


def check_unused(
    scene: Any,
    objects: Callable[[], Iterable[Any]],
    issues: Issues,
    used: Collection[Any],
) -> None:
    """Tell which entries of the scene's lists no object uses.

    Args:
        objects: all of the scene; they are only looked at where it matters.
        used: data-blocks of entries that are known to be used.
    """
    for list_name, code in _UNUSED.items():
        listed = getattr(groups.of_scene(scene), list_name)
        left = [entry for entry in listed if entry.id_data not in used]
        if not left:
            continue
        pointed = {
            entries.used_by(getattr(group, part), list_name, attribute)
            for group in map(groups.read, objects())
            for part, attribute in names.REFERRERS[list_name]
            if getattr(group, f"use_{part}")
        }
        if list_name == "physics_materials":
            pointed |= {tree_of(material) for material in bpy.data.materials}
        for entry in left:
            if entry.id_data not in pointed:
                issues.add(code, entry.name, "no object uses this entry, so it is not exported")


def check_gravity(scene: Any, reader: SceneReader, objects: Sequence[Any], target: str) -> None:
    """Tell of a gravity of Blender's scene that makes bodies fall in a preview and is not written.

    Args:
        reader: that has read the scene.
        objects: those of the scene that are written, once for each node.
        target: whom the file is for.
    """
    lost = _is_lost(scene, reader)
    falling = [obj for obj in objects if lost and _falls(groups.read(obj))]
    falling.sort(key=lambda obj: obj.name)
    if not falling:
        return
    why = f"the preview plays the gravity of Blender's scene ({_in_words(scene)})"
    engine = TARGETS.get(target)
    there = f". {engine.gravity}" if engine and engine.gravity else ""
    if _is_prop(falling[0], objects):
        why += ", which a file of one moving body leaves to the world it is put into"
        why += there or "; set it there"
        reader.issues.add(Code.SCENE_GRAVITY_NOT_WRITTEN, "world gravity", why, Severity.INFO)
        return
    why += ", which the file does not say; turn World Gravity on to write it"
    own = scene.objects
    able = (o for o in falling if own.get(o.name) == o and groups.can_change(o))
    at = next(able, falling[0])
    reader.issues.add(Code.SCENE_GRAVITY_NOT_WRITTEN, at.name, f"{why}{there}")


def check_visible_triggers(objects: Iterable[tuple[Any, Any]], issues: Issues) -> None:
    """Tell of triggers and gravity volumes that are visible, though they have no material.

    Args:
        objects: each with its property group.
    """
    for obj in {obj.name: obj for obj, group in objects if _is_bare_zone(obj, group)}.values():
        why = (
            "the trigger's mesh has no material and is visible; set Collision Only to hide "
            "the mesh, or add a material"
        )
        issues.add(Code.TRIGGER_VISIBLE, obj.name, why)


def _is_bare_zone(obj: Any, group: Any) -> bool:
    """Whether all that an object is besides a mesh is a place that notices or pulls."""
    if not (group.use_trigger or group.use_gravity) or obj.type != "MESH":
        return False
    others = roles.PARTS.keys() - {"trigger", "gravity"}
    return (
        bool(obj.data.polygons)
        and not any(getattr(group, f"use_{part}") for part in others)
        and not (group.is_collision_only or obj.hide_render)
        and all(slot.material is None for slot in obj.material_slots)
    )


def _is_lost(scene: Any, reader: SceneReader) -> bool:
    """Whether a file has another gravity than Blender's scene, which it was not asked to have."""
    if groups.of_scene(scene).use_world_gravity:
        return False  # It is written, or another one was told of.
    written = reader.document.world_gravity
    if written is None:
        return not blenders_gravity(scene, Axes()).is_usual
    return dataclasses.replace(written, carried="") != blenders_gravity(scene, reader.axes)


def _falls(group: Any) -> bool:
    motion = group.motion
    return bool(group.use_motion and motion.type == "DYNAMIC" and motion.gravity_factor)


def _is_prop(body: Any, objects: Iterable[Any]) -> bool:
    """Whether all that is written is one body that moves, as `trigger_rules` has it."""
    found = [obj for obj in objects if has_physics(obj)]
    bodies = sum(bool(groups.read(obj).use_motion) for obj in found)
    return bodies == 1 and all(hierarchy.body_of(obj) == body for obj in found)


def _in_words(scene: Any) -> str:
    x, y, z = scene.gravity if scene.use_gravity else (0.0, 0.0, 0.0)
    if x or y:
        return f"{x:.3g}, {y:.3g}, {z:.3g} m/s²"
    return f"{abs(z):.4g} m/s² {'up' if z > 0.0 else 'down'}" if z else "none"
