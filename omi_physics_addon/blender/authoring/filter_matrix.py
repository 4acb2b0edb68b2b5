"""The collision filters of a scene as a table of systems: who hits whom."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Any, Final

from ...model.bodies import CollisionFilter
from ...model.filters import Meeting, meaning, meeting, mode_of, systems_of, with_meeting
from ..base import groups
from ..properties import names
from ..properties.entries import is_editable
from ..scene.entry_reader import read_filter

_LISTS: Final = ("collision_systems", "collide_with_systems", "not_collide_with_systems")
_REFERRERS: Final = names.REFERRERS["collision_filters"]


def entries(scene: Any) -> Any:
    """The list of filters of a scene."""
    return groups.of_scene(scene).collision_filters


def editable(scene: Any) -> list[Any]:
    """The filters of a scene that are not linked from another file."""
    return [entry for entry in entries(scene) if is_editable(entry)]


def read(scene: Any) -> list[CollisionFilter]:
    """The filters of a scene as records."""
    return [read_filter(entry) for entry in entries(scene)]


def systems(scene: Any) -> list[str]:
    """The systems that the filters of a scene name, by name."""
    return sorted(systems_of(read(scene)), key=str.casefold)


def table(scene: Any) -> tuple[list[str], dict[tuple[str, str], Meeting]]:
    """The systems, and for each pair whether they hit each other; each pair once, both ways."""
    rows = read(scene)
    found = sorted(systems_of(rows), key=str.casefold)
    pairs: dict[tuple[str, str], Meeting] = {}
    for i, one in enumerate(found):
        for other in found[: i + 1]:
            pairs[one, other] = pairs[other, one] = meeting(rows, one, other)
    return found, pairs


def write(entry: Any, row: CollisionFilter) -> None:
    """Make an entry of the scene's list say what a record says."""
    for name in _LISTS:
        target, wanted = getattr(entry, name), getattr(row, name)
        if tuple(item.name for item in target) == wanted:
            continue
        target.clear()
        for system in wanted:
            target.add().name = system
    entry.mode = mode_of(row)


def set_meeting(scene: Any, one: str, other: str, hits: bool) -> None:
    """Make objects of two systems hit each other or not, and write it into the filters of both."""
    known = systems(scene)
    for system, against in {(one, other), (other, one)}:
        filter_for(scene, system)
        for entry in editable(scene):
            row = read_filter(entry)
            if system in row.collision_systems:
                write(entry, with_meeting(row, against, hits, known))


def filter_for(scene: Any, system: str) -> Any:
    """The filter of objects that are in a system and no other; made where there is none."""
    rows = entries(scene)
    for entry in editable(scene):
        if tuple(item.name for item in entry.collision_systems) == (system,):
            return entry
    entry = rows.add(system)
    entry.collision_systems.add().name = system
    return entry


def rename(scene: Any, old: str, new: str) -> None:
    """Give a system another name in all filters; two of the same name become one."""
    for entry in editable(scene):
        for name in _LISTS:
            _rename_in(getattr(entry, name), old, new)


def _rename_in(items: Any, old: str, new: str) -> None:
    present = any(item.name == new for item in items)
    for i in reversed(range(len(items))):
        if items[i].name != old:
            continue
        if present:
            items.remove(i)
        else:
            items[i].name = new


def remove(scene: Any, system: str) -> None:
    """Take a system out of all filters; what they do to other systems stays.

    Filters that say nothing afterwards go, too.
    """
    known = systems(scene)
    rest = [name for name in known if name != system]
    gone: list[str] = []
    for entry in editable(scene):
        row = read_filter(entry)
        if system not in systems_of([row]):
            continue
        if system in row.collide_with_systems:
            row = with_meeting(row, system, False, rest)
        write(entry, _without(row, system))
        if not systems_of([read_filter(entry)]):
            gone.append(entry.name)
    _give_up(scene, dict.fromkeys(gone, ""))


def _give_up(scene: Any, moved: dict[str, str]) -> None:
    """Remove filters; what uses one gets another one, by the name of the old one."""
    replace(scene, moved)
    for name in moved:
        entries(scene).remove(entries(scene).find(name))


def _without(row: CollisionFilter, system: str) -> CollisionFilter:
    lists: dict[str, Any] = {
        name: tuple(s for s in getattr(row, name) if s != system) for name in _LISTS
    }
    return dataclasses.replace(row, **lists)


def merge(scene: Any) -> int:
    """Keep one of each group of filters that mean the same; returns how many went.

    Those that objects of other files use stay, as such objects cannot take another one.
    """
    held = _held(scene)
    first: dict[Any, str] = {}
    moved: dict[str, str] = {}
    for entry in sorted(editable(scene), key=lambda entry: entry.name not in held):
        row, name = read_filter(entry), entry.name  # Which is not always what a file gets.
        kept = first.setdefault((meaning(row), row.carried), name)
        if kept != name and name not in held:
            moved[name] = kept
    _give_up(scene, moved)
    settings = groups.of_scene(scene)
    last = max(len(settings.collision_filters) - 1, 0)
    settings.collision_filters_index = min(settings.collision_filters_index, last)
    return len(moved)


def _held(scene: Any) -> set[str]:
    """The filters of objects that cannot be changed."""
    objects = (obj for obj in names.objects_of(scene) if not groups.can_change(obj))
    return {name for obj in objects for name in _filters_of(obj)}


def can_merge(rows: Sequence[CollisionFilter]) -> bool:
    """Whether two filters mean the same."""
    return len({(meaning(row), row.carried) for row in rows}) < len(rows)


def replace(scene: Any, moved: dict[str, str]) -> None:
    """Give objects that can be changed other filters, by the name of the old one."""
    if not moved:
        return
    for obj in filter(groups.can_change, names.objects_of(scene)):
        group = groups.of_object(obj)
        for part, attribute in _REFERRERS:
            holder = getattr(group, part)
            if getattr(holder, attribute) in moved:
                setattr(holder, attribute, moved[getattr(holder, attribute)])


def users(scene: Any, system: str, objects: Collection[Any]) -> list[Any]:
    """The objects in a system."""
    rows = {
        entry.name
        for entry in entries(scene)
        if system in (item.name for item in entry.collision_systems)
    }
    return [obj for obj in objects if not rows.isdisjoint(_filters_of(obj))]


def _filters_of(obj: Any) -> set[str]:
    return {getattr(holder, attribute) for holder, attribute in _holders(obj)}


def _holders(obj: Any) -> list[tuple[Any, str]]:
    """The parts of an object that can use a filter, and the property that names it."""
    group = groups.of_object(obj)
    used = ((part, name) for part, name in _REFERRERS if getattr(group, f"use_{part}"))
    return [(getattr(group, part), name) for part, name in used]


def can_assign(obj: Any) -> bool:
    """Whether an object has a part that can use a filter."""
    return bool(_holders(obj))


def assign(obj: Any, name: str) -> None:
    """Give an object's collider and trigger a filter."""
    for holder, attribute in _holders(obj):
        setattr(holder, attribute, name)
