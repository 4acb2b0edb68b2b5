"""Which solids of a world overlap at its start, as far as somebody is to be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ..near_pairs import near_pairs
from ..overlap import Hull, Hulls, Placed, hull_of, overlapping
from ..world import Form, Mesh, Solid

_KEPT: Final = 0.98  # Share of the size of solids that must overlap; resting ones touch.
_POINTS: Final = 1 << 18  # Of hulls that are compared together; they take memory.
# What is looked at, so that no file takes minutes: neighbors, and some for each solid.
_LEAST: Final = 10_000_000
_EACH: Final = 1000
_EXACT: Final = 64  # How many of them the exact comparison of two solids counts for.


@dataclass(frozen=True, eq=False)
class Thing:
    """A solid in the world, and the number of what it is part of."""

    owner: int
    solid: Solid
    rotation: Array
    place: Array


def things_of(owner: int, solids: Iterable[Solid], origin: Array, axes: Array) -> Iterator[Thing]:
    """The convex ones of the solids of one owner, whose origin (3,) and axes (3, 3) are given."""
    for solid in solids:
        if not (isinstance(solid.form, Mesh) and not solid.form.is_convex):
            yield Thing(owner, solid, axes @ solid.rotation, axes @ solid.place + origin)


class Overlaps(NamedTuple):
    """What overlaps at the start.

    Attributes:
        found: for each owner that is told about, in order, the others in order; no more of them
            than were asked for.
        unfinished: owners for whom not all near them was looked at.
    """

    found: dict[int, list[int]]
    unfinished: list[int]


def overlaps(
    things: Sequence[Thing],
    is_told: Flags,
    to_tell: Callable[[int, int], int | None],
    may_meet: Callable[[Indices, Indices], Flags],
    most: int,
) -> Overlaps:
    """Look for solids that overlap by more than a little.

    Args:
        things: those of one owner after each other, owners in order.
        is_told: (owners,), who may be told at all.
        to_tell: gives the one of two owners that is told about the other; None if neither is.
        may_meet: gives which pairs (k,), (k,) of things can matter.
        most: of the others that somebody is told of.
    """
    found: dict[int, dict[int, None]] = {}
    owners = np.array([thing.owner for thing in things], dtype=np.int64)
    is_open = is_told.copy()
    is_wanted = is_open[owners]
    hulls = _hulls(things)
    boxes = np.array([_bounds(*each) for each in zip(things, hulls, strict=True)]).reshape(-1, 2, 3)
    sizes = np.array([len(hull.points) for hull in hulls], dtype=np.int64)
    to_do = _LEAST + _EACH * len(things)
    for number, left, right in near_pairs(boxes[:, 0], boxes[:, 1], is_wanted):
        to_do -= number
        allowed = may_meet(left, right)
        for one, other in _some(left[allowed], right[allowed], sizes):
            asked = is_open[owners[one]] | is_open[owners[other]]
            one, other = one[asked], other[asked]
            to_do -= _EXACT * len(one)
            hit = _compared(things, hulls, one, other)
            pairs = set(zip(owners[one[hit]].tolist(), owners[other[hit]].tolist(), strict=True))
            for first, second in sorted(pairs):
                told = to_tell(first, second)
                if told is None or not is_open[told]:
                    continue
                others = found.setdefault(told, {})
                others[second if told == first else first] = None
                if len(others) == most:
                    is_open[told] = False
                    start, stop = np.searchsorted(owners, (told, told + 1))
                    is_wanted[start:stop] = False
            if to_do < 0:
                break
        if to_do < 0:
            return Overlaps(_in_order(found), np.unique(owners[is_wanted]).tolist())
    return Overlaps(_in_order(found), [])


def _in_order(found: dict[int, dict[int, None]]) -> dict[int, list[int]]:
    return {owner: sorted(found[owner]) for owner in sorted(found)}


def _hulls(things: Sequence[Thing]) -> list[Hull]:
    known: dict[Form, Hull] = {}
    for thing in things:
        if thing.solid.form not in known:
            known[thing.solid.form] = _smaller(hull_of(thing.solid.form))
    return [known[thing.solid.form] for thing in things]


def _some(left: Indices, right: Indices, sizes: Indices) -> Iterator[tuple[Indices, Indices]]:
    """The pairs, as many at once as memory allows."""
    if not len(left):
        return
    step = max(1, _POINTS // int(max(sizes[left].max(), sizes[right].max())))
    for start in range(0, len(left), step):
        yield left[start : start + step], right[start : start + step]


def _compared(
    things: Sequence[Thing], hulls: Sequence[Hull], left: Indices, right: Indices
) -> Flags:
    """Which of some pairs overlap."""
    which, back = np.unique(np.concatenate([left, right]), return_inverse=True)
    chosen: list[int] = which.tolist()
    few = Hulls([hulls[at] for at in chosen])
    rotation = np.array([things[at].rotation for at in chosen]).reshape(-1, 3, 3)
    origin = np.array([things[at].place for at in chosen]).reshape(-1, 3)
    numbers = back.astype(np.int64)
    one, other = numbers[: len(left)], numbers[len(left) :]
    return overlapping(
        few, Placed(one, rotation[one], origin[one]), Placed(other, rotation[other], origin[other])
    )


def _smaller(hull: Hull) -> Hull:
    """A solid without its outermost part, so that what rests on it does not count."""
    inner = hull.inner
    points = inner + (hull.points - inner) * _KEPT
    return Hull(points, hull.ball * _KEPT, hull.disc * _KEPT)


def _bounds(thing: Thing, hull: Hull) -> Array:
    """The lowest and the highest corner (2, 3) of the box around a solid in the world."""
    points = hull.points @ thing.rotation.T + thing.place
    axle = thing.rotation[:, 1]
    across = np.sqrt(np.maximum(0.0, 1.0 - axle * axle))
    around = hull.ball[:, None] + hull.disc[:, None] * across
    return np.array([(points - around).min(axis=0), (points + around).max(axis=0)])
