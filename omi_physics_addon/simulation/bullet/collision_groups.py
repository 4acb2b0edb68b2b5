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
    count = len(kinds)
    shape = (count, count)
    meet = np.array([[sets_meet(a, b) for b in kinds] for a in kinds], dtype=bool).reshape(shape)
    matters = np.array([[a or b for b in moving] for a in moving], dtype=bool).reshape(shape)
    open_pairs = meet & matters
    cliques: list[list[int]] = []
    while open_pairs.any():
        clique = _clique(open_pairs, meet | ~matters)
        open_pairs[np.ix_(clique, clique)] = False
        cliques.append(clique)
    members = np.zeros((count, GROUPS), dtype=bool)
    for i, clique in enumerate(cliques):  # What is beyond the last group goes into it.
        members[clique, min(i, GROUPS - 1)] = True
    together = (members[:, None] & members[None]).any(axis=2) & matters & ~meet
    extra = tuple((i, j) for i, j in np.argwhere(together).tolist() if i <= j)
    return Groups(members, extra)


def _clique(open_pairs: Flags, allowed: Flags) -> list[int]:
    """Kinds that may all be in one group, from the kind with the most open pairs on."""
    start = int(open_pairs.sum(axis=1).argmax())
    clique = [start] if allowed[start, start] else []
    if not clique:  # Its members do not meet each other: a group of it and one other kind.
        return [start, int(open_pairs[start].argmax())]
    fits = allowed[start].copy()
    fits[start] = False
    while True:
        gain = np.where(fits & allowed.diagonal(), open_pairs[:, clique].sum(axis=1), 0)
        if not gain.any():
            break
        best = int(gain.argmax())
        clique.append(best)
        fits &= allowed[best]
        fits[best] = False
    if len(clique) == 1 and not open_pairs[start, start]:
        clique.append(int(open_pairs[start].argmax()))  # One that does not meet its own kind.
    return clique
