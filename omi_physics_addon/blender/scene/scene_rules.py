"""What is checked of scenes beside the rules over whole documents, in Check and in exports."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

import bpy

from ...issue_codes import Code
from ...issues import Issues
from ...model.document import PhysicsDocument
from ..base import groups
from ..properties import entries, names
from .mesh_sources import tree_of

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
            why = "the filter belongs on the triggers it is made of"
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
            for group in map(groups.of_object, objects())
            for part, attribute in names.REFERRERS[list_name]
            if getattr(group, f"use_{part}")
        }
        if list_name == "physics_materials":
            pointed |= {tree_of(material) for material in bpy.data.materials}
        for entry in left:
            if entry.id_data not in pointed:
                issues.add(code, entry.name, "no object uses it, so it is not exported")
