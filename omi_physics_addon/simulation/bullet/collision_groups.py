"""Who collides with whom, within what an engine with 20 groups can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Flags
from ...model.bodies import CollisionFilter
from ...model.filters import meets
from ..world import Solid

GROUPS: Final = 20  # Two bodies of Blender collide where they share one of so many groups.
# Kinds for which groups are looked for, where few pairs of them must be kept apart.
_MOST_COVERED: Final = 256

Filters = frozenset[CollisionFilter | None]


def filters_of(solids: Iterable[Solid]) -> Filters:
    """The collision filters of what has some solids."""
    return frozenset(solid.filter for solid in solids)


def sets_meet(first: Filters, second: Filters) -> bool:
    """Whether any solid of a body may meet any of another, by the filters of their solids."""
    return any(meets(a, b) for a in first for b in second)


@dataclass(frozen=True, eq=False)
class Groups:
    """In which groups kinds of bodies are.

    Attributes:
        members: (n, GROUPS), of each kind.
        extra: pairs of kinds that meet although they should not.
    """

    members: Flags
    extra: tuple[tuple[int, int], ...]


def grouped(
    kinds: Sequence[Filters], moving: Sequence[bool], single: Sequence[bool] = ()
) -> Groups:
    """Find groups for kinds of bodies, greedily.

    Args:
        kinds: the filters of the solids of each kind.
        moving: whether bodies of the kind move; two that do not never matter.
        single: whether a kind has one body only, so that it does not matter whether it meets
            itself; none has where it is missing.
    """
    classes: dict[tuple[frozenset[_Reach], bool], list[int]] = {}
    for i, reaches in enumerate(_reaches(kinds, single)):
        classes.setdefault((reaches, moving[i]), []).append(i)
    members, pairs = _covered([key[0] for key in classes], [key[1] for key in classes])
    alike = list(classes.values())
    of_kind = np.zeros(len(kinds), dtype=np.int64)
    for at, mine in enumerate(alike):
        of_kind[mine] = at
    extra = sorted(
        (min(i, j), max(i, j))
        for a, b in pairs
        for i in alike[a]
        for j in alike[b]
        if a < b or i <= j
    )
    return Groups(members[of_kind], tuple(extra))


def grouped_kinds(bodies: Sequence[tuple[Filters, bool]]) -> tuple[list[int], Groups]:
    """The kind of each of some bodies, and the groups of these kinds.

    Args:
        bodies: the filters of the solids of each, and whether it moves.
    """
    numbers: dict[tuple[Filters, bool], int] = {}
    kinds = [numbers.setdefault(body, len(numbers)) for body in bodies]
    counts = Counter(kinds)
    single = [counts[kind] == 1 for kind in range(len(numbers))]
    filters, moving = [each for each, _ in numbers], [moves for _, moves in numbers]
    return kinds, grouped(filters, moving, single)


# The systems of a filter that others name, whether it names whom it collides with, and whom it
# collides with or else does not, as far as there are such systems.
_Reach = tuple[frozenset[str], bool, frozenset[str]]


def _reaches(kinds: Sequence[Filters], single: Sequence[bool] = ()) -> list[frozenset[_Reach]]:
    """What of the filters of each kind matters; those with names of their own are often equal."""
    users = Counter(each for kind in kinds for each in kind)
    filters = [each for each in users if each is not None]
    held = Counter(name for each in filters for name in set(each.collision_systems))
    named = Counter(name for each in filters for name in set(_chosen_by(each)))
    found: dict[CollisionFilter | None, _Reach] = {None: (frozenset(), False, frozenset())}
    for each in filters:
        systems, chosen = frozenset(each.collision_systems), frozenset(_chosen_by(each))
        found[each] = (
            frozenset(filter(named.__contains__, systems)),
            bool(each.collide_with_systems),
            frozenset(filter(held.__contains__, chosen)),
        )
    alone = (next(iter(k)) for k, one in zip(kinds, single, strict=False) if one and len(k) == 1)
    for each in alone:
        systems, only, chosen = found[each]
        own = {name for name in systems & chosen if users[each] == held[name] == named[name] == 1}
        found[each] = (systems - own, only, chosen - own)
    return [frozenset(found[each] for each in kind) for kind in kinds]


def _chosen_by(each: CollisionFilter) -> Sequence[str]:
    """The systems that a filter names, of those that it collides with or else does not."""
    return each.collide_with_systems or each.not_collide_with_systems


def _meets(classes: Sequence[frozenset[_Reach]], columns: Sequence[int] | None = None) -> Flags:
    """Which classes (n) meet which of some (k), or of all; see `sets_meet`."""
    filters = list(dict.fromkeys(reach for each in classes for reach in sorted(each, key=repr)))
    at = {reach: i for i, reach in enumerate(filters)}
    some = classes if columns is None else [classes[i] for i in columns]
    others = sorted({at[reach] for each in some for reach in each})
    place = {i: k for k, i in enumerate(others)}
    accepts = _chosen(filters, [filters[i] for i in others])
    accepts &= _chosen([filters[i] for i in others], filters).T
    rows = _any_of(accepts, [[at[reach] for reach in each] for each in classes])
    return _any_of(rows.T, [[place[at[reach]] for reach in each] for each in some]).T


def _chosen(judges: Sequence[_Reach], others: Sequence[_Reach]) -> Flags:
    """Which judges (n) let which others (k) through, by what each of them names."""
    held: dict[str, list[int]] = {}
    for i, (systems, _, _) in enumerate(others):
        for name in systems:
            held.setdefault(name, []).append(i)
    result = np.zeros((len(judges), len(others)), dtype=np.bool_)
    for row, (_, only, chosen) in zip(result, judges, strict=True):
        row[[i for name in chosen for i in held.get(name, ())]] = True
        if not only:
            np.logical_not(row, out=row)
    return result


def _any_of(flags: Flags, groups: Sequence[Sequence[int]]) -> Flags:
    """For each group of rows whether any of them is set, (n, k)."""
    if len(groups) == len(flags) and all([*group] == [at] for at, group in enumerate(groups)):
        return flags
    result = np.zeros((len(groups), flags.shape[1]), dtype=np.bool_)
    for size in {len(group) for group in groups}:
        mine = [at for at, group in enumerate(groups) if len(group) == size]
        for each in range(size):
            result[mine] |= flags[[groups[at][each] for at in mine]]
    return result


def meetings_of(kinds: Sequence[Filters], columns: Sequence[int]) -> Flags:
    """Which of some kinds (n) meet some of them (k), whose numbers are given, (n, k)."""
    reaches = _reaches(kinds)
    known = {each: at for at, each in enumerate(dict.fromkeys(reaches))}
    rows = [known[each] for each in reaches]
    return _meets(list(known), [rows[at] for at in columns])[rows]


def _covered(
    classes: Sequence[frozenset[_Reach]], moving: Sequence[bool]
) -> tuple[Flags, list[tuple[int, int]]]:
    """The groups (n, GROUPS) of classes, and which pairs share one although they should not."""
    members = np.zeros((len(classes), GROUPS), dtype=bool)
    few = _few_apart(classes) if len(classes) > _MOST_COVERED else None
    if few is not None:  # A search would go through all pairs for each class.
        members[:, 0] = True
        return members, [(a, b) for a, b in few if moving[a] or moving[b]]
    meet = _meets(classes)
    moves = np.array(moving, dtype=bool)
    matters = moves[:, None] | moves[None]
    apart = matters & ~meet
    open_pairs, allowed = meet & matters, ~apart
    counts = open_pairs.sum(axis=1)
    for group in range(GROUPS):
        if not counts.any():
            break
        if group == GROUPS - 1:  # What is left goes into the last one.
            members[counts > 0, group] = True
            break
        clique = _clique(int(counts.argmax()), open_pairs, allowed)
        block = np.ix_(clique, clique)
        counts[clique] -= open_pairs[block].sum(axis=1)
        open_pairs[block] = False
        members[clique, group] = True
    shared = members.astype(np.float32)
    together: Flags = np.triu((shared @ shared.T > 0.0) & apart)
    return members, [(a, b) for a, b in np.argwhere(together).tolist()]


def _few_apart(classes: Sequence[frozenset[_Reach]]) -> list[tuple[int, int]] | None:
    """The pairs that do not meet, each once, by the systems that either names; None for many."""
    held: dict[str, set[int]] = {}
    shut_out: dict[str, set[int]] = {}
    for at, each in enumerate(classes):
        for systems, only, chosen in each:
            if only:  # It meets none of all others.
                return None
            for name in systems:
                held.setdefault(name, set()).add(at)
            for name in chosen:
                shut_out.setdefault(name, set()).add(at)
    both = [(shut_out[name], held[name]) for name in shut_out.keys() & held.keys()]
    if sum(len(first) * len(second) for first, second in both) > 2 * len(classes):
        return None
    pairs = {(min(a, b), max(a, b)) for first, second in both for a in first for b in second}
    return [
        (a, b)
        for a, b in sorted(pairs)
        if all(i[2] & j[0] or j[2] & i[0] for i in classes[a] for j in classes[b])
    ]


def _clique(start: int, open_pairs: Flags, allowed: Flags) -> list[int]:
    """Kinds that may share a group with one: each the next that meets most in open pairs."""
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
