"""Names of the entries of a scene's lists: unique, and known to those that refer to them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import bpy

from ...engines import PLAYER
from ..base import groups
from . import entries

# A scene's list → the attributes of objects that hold a name of one of its entries.
REFERRERS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "physics_materials": (("collider", "physics_material"), ("wheel", "physics_material")),
    "joint_settings": (("joint", "settings"),),
    "collision_filters": (("collider", "collision_filter"), ("trigger", "collision_filter")),
}


def unique(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, with a number after it where that name is taken."""
    if wanted not in taken:
        return wanted
    base, number = entries.without_number(wanted), 1
    while f"{base}.{number:03d}" in taken:
        number += 1
    return f"{base}.{number:03d}"


def written(entry: Any) -> str:
    """The name that a file gets for an entry, empty for none."""
    return entries.name_in_files(entry.id_data)


def objects_of(scene: Any) -> set[Any]:
    """The objects of a scene, and those of collections that are instanced in it."""
    found: set[Any] = set()
    waiting = list(scene.objects)
    while waiting:
        obj = waiting.pop()
        if obj in found:
            continue
        found.add(obj)
        if obj.instance_collection is not None:
            waiting.extend(obj.instance_collection.all_objects)
    return found


def known_systems(_system: Any, context: bpy.types.Context, _typed: str) -> list[str]:
    """The collision systems that the filters of the file name, for the field of another one.

    With them come the layers of the engine's project, where the scene has one. This looks at every
    filter, but only while an artist types.
    """
    project = groups.of_scene(context.scene).preview.engine_project
    found = set(PLAYER.layers(Path(bpy.path.abspath(project))) if project else ())
    for tree in entries.all_of("collision_filters"):
        entry = tree.data
        for name in ("collision_systems", "collide_with_systems", "not_collide_with_systems"):
            found.update(each.name for each in getattr(entry, name))
    return sorted(found - {""})
