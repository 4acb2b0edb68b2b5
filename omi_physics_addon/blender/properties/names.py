"""Names of the entries of a scene's lists: unique, and known to those that refer to them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import bpy

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
    stem, dot, tail = wanted.rpartition(".")
    base = stem if dot and tail.isdigit() else wanted
    number = 1
    while f"{base}.{number:03d}" in taken:
        number += 1
    return f"{base}.{number:03d}"


def renamed(entry: Any, _context: bpy.types.Context) -> None:
    """Keep a changed name unique, and tell the objects that refer to the entry by it.

    This looks at every object of the scene and of the collections it instances, but only when
    an artist renames an entry.
    """
    if entry.name == entry.known_as:
        return
    scene: Any = entry.id_data
    list_name = entry.path_from_id().split("[")[0].rpartition(".")[2]
    entries = getattr(scene.omi_physics, list_name)
    others = [other.name for other in entries if other.as_pointer() != entry.as_pointer()]
    old, new = entry.known_as, unique(entry.name or "Unnamed", others)
    entry.known_as = new
    if new != entry.name:
        entry.name = new  # Calls this again, which then finds nothing to do.
    if not old:
        return
    for obj in objects_of(scene):
        for part, attribute in REFERRERS[list_name]:
            group = getattr(obj.omi_physics, part)
            if getattr(group, attribute) == old:
                setattr(group, attribute, new)


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


def add(entries: Any, wanted: str) -> Any:
    """A new entry of a scene's list with a name of its own."""
    taken = {entry.name for entry in entries}
    entry = entries.add()
    name = unique(wanted, taken)
    entry.known_as = name
    entry.name = name
    return entry


def known_systems(system: Any, _context: bpy.types.Context, _typed: str) -> list[str]:
    """The collision systems that the filters of a scene name, for the field of another one.

    This looks at every filter, but only while an artist types.
    """
    scene: Any = system.id_data
    found: set[str] = set()
    for entry in scene.omi_physics.collision_filters:
        for name in ("collision_systems", "collide_with_systems", "not_collide_with_systems"):
            found.update(each.name for each in getattr(entry, name))
    return sorted(found - {""})
