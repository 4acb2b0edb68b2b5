"""Who collides with whom, within what an engine with 20 groups can say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Flags
from ...model.bodies import CollisionFilter

GROUPS: Final = 20  # Two bodies of Blender collide where they share one of so many groups.

Filters = frozenset[CollisionFilter | None]


def may_meet(first: CollisionFilter | None, second: CollisionFilter | None) -> bool:
    """Whether two filters let each other through; any system in common counts.

    Source: OMI_physics_body, `collisionFilters[]`.
    """
    return _accepts(first, second) and _accepts(second, first)


def _accepts(judge: CollisionFilter | None, other: CollisionFilter | None) -> bool:
    if judge is None:
        return True
    systems = set(other.collision_systems) if other is not None else set[str]()
    if judge.collide_with_systems:
        return not systems.isdisjoint(judge.collide_with_systems)
    return systems.isdisjoint(judge.not_collide_with_systems)


def sets_meet(first: Filters, second: Filters) -> bool:
    """Whether any solid of a body may meet any of another, by the filters of their solids."""
    return any(may_meet(a, b) for a in first for b in second)


@dataclass(frozen=True, eq=False)
class Groups:
    """In which groups kinds of bodies are.

    Attributes:
        members: (n, GROUPS), of each kind.
        extra: pairs of kinds that meet although they should not.
    """

    members: Flags
    extra: tuple[tuple[int, int], ...]


def grouped(kinds: Sequence[Filters], moving: Sequence[bool]) -> Groups:
    """Find groups for kinds of bodies, greedily.

    Args:
        kinds: the filters of the solids of each kind.
        moving: whether bodies of the kind move; two that do not never matter.
    """
    classes: dict[tuple[frozenset[_Reach], bool], list[int]] = {}
    for i, reaches in enumerate(_reaches(kinds)):
        classes.setdefault((reaches, moving[i]), []).append(i)
    members, together = _covered([key[0] for key in classes], [key[1] for key in classes])
    alike = list(classes.values())
    of_kind = np.zeros(len(kinds), dtype=np.int64)
    for at, mine in enumerate(alike):
        of_kind[mine] = at
    pairs: list[tuple[int, int]] = np.argwhere(together).tolist()
    extra = sorted(
        (min(i, j), max(i, j))
        for a, b in pairs
        if a <= b
        for i in alike[a]
        for j in alike[b]
        if a < b or i <= j
    )
    return Groups(members[of_kind], tuple(extra))


# The systems of a filter that others name, whether it names whom it collides with, and whom it
# collides with or else does not, as far as there are such systems.
_Reach = tuple[frozenset[str], bool, frozenset[str]]


def _reaches(kinds: Sequence[Filters]) -> list[frozenset[_Reach]]:
    """What of the filters of each kind matters; those with names of their own are often equal."""
    filters = {each for kind in kinds for each in kind if each is not None}
    held = {name for each in filters for name in each.collision_systems}
    named = {
        name
        for each in filters
        for name in (each.collide_with_systems or each.not_collide_with_systems)
    }
    found: dict[CollisionFilter | None, _Reach] = {None: (frozenset(), False, frozenset())}
    for each in filters:
        chosen = each.collide_with_systems or each.not_collide_with_systems
        found[each] = (
            frozenset(named.intersection(each.collision_systems)),
            bool(each.collide_with_systems),
            frozenset(held.intersection(chosen)),
        )
    return [frozenset(found[each] for each in kind) for kind in kinds]


def _meets(classes: Sequence[frozenset[_Reach]]) -> Flags:
    """Which classes (n, n) meet which; see `sets_meet`."""
    filters = list(dict.fromkeys(reach for each in classes for reach in sorted(each, key=repr)))
    names = {name: at for at, name in enumerate(sorted({n for f in filters for n in f[0] | f[2]}))}
    has = np.zeros((len(filters), len(names)), dtype=np.float32)
    lists = np.zeros_like(has)
    for at, (systems, _, chosen) in enumerate(filters):
        has[at, [names[name] for name in systems]] = 1.0
        lists[at, [names[name] for name in chosen]] = 1.0
    only = np.array([each[1] for each in filters], dtype=bool)
    accepts = (lists @ has.T > 0.0) == only[:, None]
    at = {reach: i for i, reach in enumerate(filters)}
    uses = np.zeros((len(classes), len(filters)), dtype=np.float32)
    for i, each in enumerate(classes):
        uses[i, [at[reach] for reach in each]] = 1.0
    meet: Flags = uses @ (accepts & accepts.T).astype(np.float32) @ uses.T > 0.0
    return meet


def meetings_of(kinds: Sequence[Filters], columns: Sequence[int]) -> Flags:
    """Which of some kinds (n) meet some of them (k), whose numbers are given, (n, k)."""
    reaches = _reaches(kinds)
    known = {each: at for at, each in enumerate(dict.fromkeys(reaches))}
    rows = np.array([known[each] for each in reaches], dtype=np.int64)
    meet: Flags = _meets(list(known))[np.ix_(rows, rows[list(columns)])]
    return meet


def _covered(classes: Sequence[frozenset[_Reach]], moving: Sequence[bool]) -> tuple[Flags, Flags]:
    """The groups (n, GROUPS) of classes, and which (n, n) share one although they should not."""
    meet = _meets(classes)
    moves = np.array(moving, dtype=bool)
    matters = moves[:, None] | moves[None]
    open_pairs = meet & matters
    members = np.zeros((len(classes), GROUPS), dtype=bool)
    for group in range(GROUPS):
        if not open_pairs.any():
            break
        if group == GROUPS - 1:  # What is left goes into the last one.
            members[open_pairs.any(axis=1), group] = True
            break
        clique = _clique(open_pairs, meet | ~matters)
        open_pairs[np.ix_(clique, clique)] = False
        members[clique, group] = True
    shared = members.astype(np.float32)
    together: Flags = (shared @ shared.T > 0.0) & matters & ~meet
    return members, together


def _clique(open_pairs: Flags, allowed: Flags) -> list[int]:
    """Kinds that may all be in one group, from the kind with the most open pairs on."""
    start = int(open_pairs.sum(axis=1).argmax())
    clique = [start] if allowed[start, start] else []
    if not clique:  # Its members do not meet each other: a group of it and one other kind.
        return [start, int(open_pairs[start].argmax())]
    fits = allowed[start] & allowed.diagonal()
    fits[start] = False
    gains = open_pairs[start].astype(np.int64)
    while True:
        gain = np.where(fits, gains, 0)
        if not gain.any():
            break
        best = int(gain.argmax())
        clique.append(best)
        gains += open_pairs[best]
        fits &= allowed[best]
        fits[best] = False
    if len(clique) == 1 and not open_pairs[start, start]:
        clique.append(int(open_pairs[start].argmax()))  # One that does not meet its own kind.
    return clique
