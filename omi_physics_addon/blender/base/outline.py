"""The rows of the Physics Outliner: which objects, in which order, how deep. Without Blender."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

Sort = Literal["NAME", "ROLE", "SCENE"]
Kind = Literal["TREE", "LEVEL"]
_LOOSE: Final = frozenset({"COLLIDER", "COLLISION_ONLY"})
_BODIES: Final = frozenset({"STATIC", "KINEMATIC", "DYNAMIC"})


class Facts(NamedTuple):
    """What the rows need to know of one object.

    Attributes:
        parent: uid of the object above, 0 for none.
        roles: the most telling first; nothing for an object without physics.
        order: of the role that gives it its icon.
        is_mesh: whether it may be made solid.
    """

    uid: int
    name: str
    parent: int
    roles: tuple[str, ...]
    order: int = 0
    is_mesh: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One line.

    Attributes:
        index: of the object among all that were given.
        level: how many rows above it are around it.
        parents: whether there are rows below it, shown or not.
    """

    uid: int
    index: int
    level: int
    parents: bool
    is_open: bool


@dataclass(frozen=True)
class Outline:
    """Everything of a scene that has physics, as trees.

    Attributes:
        children: uids below each uid; the roots stand under 0.
        level: the roots of loose colliders, which belong to no body.
        loose: the uids of all of them.
    """

    facts: dict[int, Facts]
    index: dict[int, int]
    children: dict[int, list[int]]
    level: list[int]
    loose: frozenset[int]

    def count(self, kind: Kind) -> int:
        """How many objects there are of a kind."""
        return self._counts[kind]

    @functools.cached_property
    def _counts(self) -> dict[Kind, int]:
        return {"TREE": len(self.below(self.roots("TREE"))), "LEVEL": len(self.below(self.level))}

    @functools.cached_property
    def roles(self) -> Counter[str]:
        """How many objects are what."""
        return Counter(role for each in self.facts.values() for role in each.roles)

    @functools.cached_property
    def has_rest(self) -> bool:
        """Whether a mesh has no physics, and no body moves it."""
        bare = (each for each in self.facts.values() if each.is_mesh and not each.roles)
        return any(not _is_below_body(each, self.facts) for each in bare)

    def roots(self, kind: Kind) -> list[int]:
        """The uids of the objects that have none of the kind above them."""
        return self.level if kind == "LEVEL" else self.children.get(0, [])

    def below(self, uids: Iterable[int]) -> list[int]:
        """Rows and all that are below them."""
        found = list(uids)
        for uid in found:  # It grows.
            found += self.children.get(uid, ())
        return found


def build(objects: Sequence[Facts]) -> Outline:
    """Sort out who is below whom; objects without physics in between are skipped."""
    facts = {each.uid: each for each in objects}
    index = {each.uid: i for i, each in enumerate(objects)}
    loose = {uid: _is_loose(each, facts) for uid, each in facts.items() if each.roles}
    children: dict[int, list[int]] = {}
    level: list[int] = []
    for uid, is_loose in loose.items():
        above = _above(facts[uid], facts)
        if above is not None and loose[above.uid] == is_loose:
            children.setdefault(above.uid, []).append(uid)
        elif is_loose:
            level.append(uid)
        else:
            children.setdefault(0, []).append(uid)
    free = frozenset(uid for uid, is_loose in loose.items() if is_loose)
    return Outline(facts, index, children, level, free)


def _above(facts: Facts, known: dict[int, Facts]) -> Facts | None:
    """The nearest object above that has physics."""
    return next((above for above in _upward(facts, known) if above.roles), None)


def _upward(facts: Facts, known: dict[int, Facts]) -> Iterator[Facts]:
    """All that is above an object, the nearest first."""
    above = known.get(facts.parent)
    while above is not None:
        yield above
        above = known.get(above.parent)


def _is_loose(facts: Facts, known: dict[int, Facts]) -> bool:
    """Whether an object is solid, nothing else, and below no body."""
    return _LOOSE.issuperset(facts.roles) and not _is_below_body(facts, known)


def _is_below_body(facts: Facts, known: dict[int, Facts]) -> bool:
    return any(not _BODIES.isdisjoint(above.roles) for above in _upward(facts, known))


def rows(
    outline: Outline,
    kind: Kind,
    *,
    folded: Collection[int] = (),
    search: str = "",
    sort: Sort = "NAME",
) -> list[Row]:
    """The rows to show, from top to bottom.

    Args:
        folded: uids of objects whose rows below are hidden; a search opens all.
        search: what names must contain, whatever the case; rows above a match are shown too.
    """
    shown = _matches(outline, search) if search else None
    key = _KEYS[sort]
    found: list[Row] = []
    waiting = [(uid, 0) for uid in _sorted(outline, outline.roots(kind), key)]
    while waiting:
        uid, depth = waiting.pop()
        if shown is not None and uid not in shown:
            continue
        below = outline.children.get(uid, [])
        is_open = bool(below) and (shown is not None or uid not in folded)
        found.append(Row(uid, outline.index[uid], depth, bool(below), is_open))
        if is_open:
            waiting += [(child, depth + 1) for child in _sorted(outline, below, key)]
    return found


def _matches(outline: Outline, search: str) -> set[int]:
    """The uids whose names contain the text, and those above them."""
    text = search.casefold()
    found: set[int] = set()
    for uid, facts in outline.facts.items():
        if not facts.roles or text not in facts.name.casefold():
            continue
        each: Facts | None = facts
        while each is not None and each.uid not in found:
            found.add(each.uid)
            each = _above(each, outline.facts)
        found.add(uid)
    return found


def _sorted(outline: Outline, uids: Sequence[int], key: Callable[[Any], Any]) -> list[int]:
    """Last first, because they are taken from the end."""
    return sorted(uids, key=lambda uid: key((outline.facts[uid], outline.index[uid])), reverse=True)


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that puts Crate.2 before Crate.10, whatever the case."""
    parts = re.split(r"(\d+)", name.casefold())
    return [(1, int(part), "") if i % 2 else (0, 0, part) for i, part in enumerate(parts)]


_KEYS: Final[dict[Sort, Callable[[tuple[Facts, int]], Any]]] = {
    "NAME": lambda item: natural(item[0].name),
    "ROLE": lambda item: (item[0].order, natural(item[0].name)),
    "SCENE": lambda item: item[1],
}
