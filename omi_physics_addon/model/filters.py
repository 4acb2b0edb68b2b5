"""Who hits whom: what collision filters mean, and the filters that say a given thing.

Source: OMI_physics_body and KHR_physics_rigid_bodies, `collisionFilters[]`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from .bodies import CollisionFilter

Family = Literal["OMI", "KHR"]
Meeting = Literal["ALL", "NONE", "SOME"]
Mode = Literal["ALL", "ONLY", "NOT"]

_NO_FILTER: Final = CollisionFilter()


def mode_of(row: CollisionFilter) -> Mode:
    """Which list of a filter counts; of both, which is a fault, the one readers take."""
    if row.collide_with_systems:
        return "ONLY"
    return "NOT" if row.not_collide_with_systems else "ALL"


def allows(row: CollisionFilter | None, other: CollisionFilter | None, family: Family) -> bool:
    """Whether what has the filter `row` lets itself be hit by what has `other`.

    Of an object in several systems OMI asks whether any of them is listed, the text of KHR
    whether all are. None is the filter of an object that has none.
    """
    row, other = row or _NO_FILTER, other or _NO_FILTER
    systems = set(other.collision_systems)
    mode = mode_of(row)
    if mode == "ALL":
        return True
    if mode == "NOT":
        return systems.isdisjoint(row.not_collide_with_systems)
    listed = set(row.collide_with_systems)
    if family == "KHR":
        return systems <= listed
    return not systems.isdisjoint(listed)


def meets(
    one: CollisionFilter | None, other: CollisionFilter | None, family: Family = "OMI"
) -> bool:
    """Whether two objects with these filters collide: both sides must agree."""
    return allows(one, other, family) and allows(other, one, family)


def systems_of(rows: Iterable[CollisionFilter]) -> list[str]:
    """Every system that a filter names, once each, in the order of their first naming."""
    found: dict[str, None] = {}
    for row in rows:
        found |= dict.fromkeys(row.collision_systems)
        found |= dict.fromkeys(row.collide_with_systems)
        found |= dict.fromkeys(row.not_collide_with_systems)
    found.pop("", None)
    return list(found)


def members(rows: Iterable[CollisionFilter], system: str) -> list[CollisionFilter]:
    """The filters of objects in a system; a plain one stands for a system nobody is in yet."""
    found = [row for row in rows if system in row.collision_systems]
    return found or [CollisionFilter(collision_systems=(system,))]


def meeting(
    rows: Sequence[CollisionFilter], one: str, other: str, family: Family = "OMI"
) -> Meeting:
    """Whether objects of one system hit those of another: all of them, none, or only some."""
    found = {meets(a, b, family) for a in members(rows, one) for b in members(rows, other)}
    return "SOME" if len(found) > 1 else "ALL" if True in found else "NONE"


def with_meeting(
    row: CollisionFilter, other: str, hits: bool, systems: Sequence[str]
) -> CollisionFilter:
    """A filter that meets a system, or does not, and treats every other system as before.

    Args:
        systems: all of them; a filter that met one system only is turned into one that meets
            all but these, because an empty list would mean all.
    """
    only, all_but = row.collide_with_systems, row.not_collide_with_systems
    mode = mode_of(row)
    if mode == "ONLY":
        only = tuple(name for name in only if name != other) + ((other,) if hits else ())
        all_but = () if only else tuple(systems)
    else:
        kept = tuple(name for name in all_but if name != other)
        all_but = kept if hits else (*kept, other)
    return dataclasses.replace(row, collide_with_systems=only, not_collide_with_systems=all_but)


def meaning(row: CollisionFilter) -> tuple[frozenset[str], Mode, frozenset[str]]:
    """What a filter says, whatever the order and number of its words and its name."""
    mode = mode_of(row)
    listed = row.collide_with_systems if mode == "ONLY" else row.not_collide_with_systems
    return frozenset(row.collision_systems), mode, frozenset(listed)
