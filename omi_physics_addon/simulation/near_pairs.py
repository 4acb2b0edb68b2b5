"""Which boxes along the axes of the world overlap, and which things meet, not asking all pairs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np

from ..geometry.arrays import Array, Flags, Indices

_FIRST: Final = 4  # Neighbors that each box is compared with at first, and by how much more then.
_TOGETHER: Final = 1 << 20  # Pairs looked at together; they take memory.
_FEW: Final = 0.02  # Share of the boxes that may be far from the others at each end.
_MOST_COLUMNS: Final = 4  # In which a box is, in the mean.
_MOST_ACROSS: Final = 1 << 20  # Columns side by side.
_FARTHEST: Final = 1e150  # m; what is farther counts as there, so that differences are numbers.


_Kind = TypeVar("_Kind", bound=Hashable)


class Pairs(NamedTuple):
    """Some of the pairs that were looked at.

    Attributes:
        number: of those that were looked at.
        left, right: (k,), the lower and the higher index of those that overlap.
    """

    number: int
    left: Indices
    right: Indices


def near_pairs(low: Array, high: Array, is_wanted: Flags) -> Iterator[Pairs]:
    """Look for boxes that overlap, each with its nearest neighbors first.

    Sorted along the axis on which they are spread most, each is compared with those that begin
    before it ends and are in one of the columns along that axis in which it is.

    Args:
        low, high: (n, 3), corners of the boxes, m; one that is no number overlaps nothing near.
        is_wanted: (n,), whether somebody still asks about a box. A pair of two that nobody asks
            about is left out. May be changed between the pairs, to end the search for a box.
    """
    if not len(low):
        return
    low, high = _limited(low, high)
    # Those few that are far from all others would make all others one column.
    least, most = np.quantile(low, (_FEW, 1.0 - _FEW), axis=0)
    axis = int(np.argmax(most - least))
    sides = [side for side in range(3) if side != axis]
    first, last = _columns(*(each[..., sides] for each in (low, high, least, most)))
    box, column = _spread(first, last)
    order = np.argsort(low[:, axis], kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    end = np.searchsorted(low[order, axis], high[:, axis], side="right") - 1
    line = np.unique(column, axis=0, return_inverse=True)[1].ravel() * len(low)
    keys = line + rank[box]
    along = np.argsort(keys)
    box, column, keys = box[along], column[along], keys[along]
    ends = np.searchsorted(keys, line[along] + end[box], side="right")
    begins = np.arange(len(box)) + 1
    size = _FIRST
    while (begins < ends).any():
        until = np.minimum(begins + size, ends)
        for one, two in _between(begins, until, is_wanted[box]):
            left, right = box[one], box[two]
            met = ((low[left] <= high[right]) & (low[right] <= high[left])).all(axis=1)
            # Two that share several columns are found in the first of them.
            met &= (np.maximum(first[left], first[right]) == column[one]).all(axis=1)
            left, right = left[met], right[met]
            yield Pairs(len(one), np.minimum(left, right), np.maximum(left, right))
        begins, size = until, _FIRST * size


def all_near(low: Array, high: Array, is_wanted: Flags) -> tuple[Indices, Indices]:
    """The lower and the higher indices (p,), (p,) of all pairs of `near_pairs`."""
    nobody = np.zeros(0, dtype=np.int64)
    found = [(nobody, nobody)]
    found += [(left, right) for _, left, right in near_pairs(low, high, is_wanted)]
    left, right = (np.concatenate(side) for side in zip(*found, strict=True))
    return left, right


def pairs_across(ones: tuple[Array, Array], others: tuple[Array, Array]) -> tuple[Indices, Indices]:
    """The pairs (p,), (p,) of one of some boxes and one of others that overlap, in order.

    Args:
        ones, others: their lower and upper corners (k, 3), m.
    """
    low, high = (np.concatenate(each) for each in zip(ones, others, strict=True))
    count = len(ones[0])
    is_one = np.arange(len(low)) < count
    left, right = all_near(low, high, is_one)
    across = right >= count  # The lower index is one of these anyway.
    left, right = left[across], right[across] - count
    order = np.lexsort((right, left))
    return left[order], right[order]


def kinds_meeting(
    kinds: Sequence[_Kind], may_meet: Callable[[_Kind, _Kind], bool]
) -> Callable[[Indices, Indices], Flags]:
    """What tells which pairs (p,), (p,) of things may meet; asks about each two kinds once.

    Args:
        kinds: (n,), of each thing.
        may_meet: about two kinds.
    """
    numbers: dict[_Kind, int] = {}
    kind = np.array([numbers.setdefault(each, len(numbers)) for each in kinds], dtype=np.int64)
    different = list(numbers)

    @functools.cache
    def known(pair: int) -> bool:
        one, other = divmod(pair, len(different))
        return may_meet(different[one], different[other])

    def meet(left: Indices, right: Indices) -> Flags:
        pairs, at = np.unique(kind[left] * len(different) + kind[right], return_inverse=True)
        found = np.array([known(pair) for pair in pairs.tolist()], dtype=np.bool_)
        return found[at]

    return meet


def _limited(low: Array, high: Array) -> tuple[Array, Array]:
    """The corners (n, 3) of boxes without infinite ones."""
    is_none = (np.isnan(low) | np.isnan(high)).any(axis=1, keepdims=True)
    low, high = (np.clip(side, -_FARTHEST, _FARTHEST) for side in (low, high))
    return np.where(is_none, _FARTHEST, low), np.where(is_none, _FARTHEST, high)


def _columns(low: Array, high: Array, least: Array, most: Array) -> tuple[Indices, Indices]:
    """The first and the last column (n, 2) in which boxes (n, 2) are; few for most boxes.

    Args:
        least, most: (2,), m, where columns begin and end; the outer ones have no end.
    """
    span = most - least
    width = np.maximum(2.0 * np.median(high - low, axis=0), span / _MOST_ACROSS)
    width = np.where(width > 0.0, width, 1.0)
    while True:
        first, last = (
            np.clip((side - least) / width, 0.0, span / width).astype(np.int64)
            for side in (low, high)
        )
        across = (last - first + 1).astype(np.float64)
        if across.prod(axis=1).mean() <= _MOST_COLUMNS:
            return first, last
        width[int(across.mean(axis=0).argmax())] *= 2.0


def _spread(first: Indices, last: Indices) -> tuple[Indices, Indices]:
    """Each box (k,) as often as there are columns in which it is, and these (k, 2)."""
    counts = last - first + 1
    each = counts.prod(axis=1)
    box = np.repeat(np.arange(len(first)), each)
    number = np.arange(len(box)) - np.repeat(np.cumsum(each) - each, each)
    return box, first[box] + np.stack(np.divmod(number, counts[box, 1]), axis=1)


def _between(begins: Indices, ends: Indices, wanted: Flags) -> Iterator[tuple[Indices, Indices]]:
    """The pairs of each index and those in its range, if one of the two is wanted."""
    everything, chosen = np.arange(len(begins)), np.flatnonzero(wanted)
    for one, others, low, high in (
        (chosen, everything, begins[wanted], ends[wanted]),
        (
            np.flatnonzero(~wanted),
            chosen,
            np.searchsorted(chosen, begins[~wanted]),
            np.searchsorted(chosen, ends[~wanted]),
        ),
    ):
        for at, position in _ranges(low, np.maximum(low, high)):
            yield one[at], others[position]


def _ranges(low: Indices, high: Indices) -> Iterator[tuple[Indices, Indices]]:
    """Each index with the numbers from its lowest to before its highest, some at a time."""
    counts = high - low
    sums = np.cumsum(counts)
    start = 0
    while start < len(sums):
        before = sums[start - 1] if start else 0
        stop = max(int(np.searchsorted(sums, before + _TOGETHER, side="right")), start + 1)
        at = np.repeat(np.arange(start, stop), counts[start:stop])
        position = np.arange(before, before + len(at)) - (sums - counts)[at] + low[at]
        if len(at):
            yield at, position
        start = stop
