"""Which boxes along the axes of the world overlap, without asking all pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from ..geometry.arrays import Array, Flags, Indices

_FIRST: Final = 4  # Neighbors that each box is compared with at first, and by how much more then.
_TOGETHER: Final = 1 << 20  # Pairs looked at together; they take memory.


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
    before it ends.

    Args:
        low, high: (n, 3), corners of the boxes, m.
        is_wanted: (n,), whether somebody still asks about a box. A pair of two that nobody asks
            about is left out. May be changed between the pairs, to end the search for a box.
    """
    axis = int(np.argmax(np.ptp(low, axis=0))) if len(low) else 0
    order = np.argsort(low[:, axis], kind="stable")
    low, high = low[order], high[order]
    ends = np.searchsorted(low[:, axis], high[:, axis], side="right")
    begins = np.arange(len(order)) + 1
    size = _FIRST
    while (begins < ends).any():
        until = np.minimum(begins + size, ends)
        for left, right in _between(begins, until, is_wanted[order]):
            met = ((low[left] <= high[right]) & (low[right] <= high[left])).all(axis=1)
            one, other = order[left[met]], order[right[met]]
            yield Pairs(len(left), np.minimum(one, other), np.maximum(one, other))
        begins, size = until, _FIRST * size


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
