"""Which bodies of a world may touch each other: by their filters and by their joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np

from ...geometry.arrays import Flags, Indices
from ...model.filters import meets
from ..near_pairs import kinds_meeting
from ..state import WORLD
from ..world import Solid, World
from .collision_groups import Filters, filters_of, meetings_of, sets_meet


class Meetings:
    """Knows who may touch whom, wherever they are."""

    def __init__(self, world: World) -> None:
        """Take a world."""
        self._filters = [filters_of(body.solids) for body in world.bodies]
        joined = [joint.bodies for joint in world.joints if not joint.enable_collision]
        self._joined = {frozenset(pair) for pair in joined if WORLD not in pair}

    def of(self, body: int, other: int) -> bool:
        """Whether a body may touch another one."""
        return self._are_apart(body, other) and sets_meet(self._filters[body], self._filters[other])

    def of_solid(self, body: int, other: int, solid: Solid) -> bool:
        """Whether a body may touch a solid of another one."""
        return self._are_apart(body, other) and any(
            meets(mine, solid.filter) for mine in self._filters[body]
        )

    def of_parts(
        self, bodies: Indices, filters: Sequence[Filters]
    ) -> Callable[[Indices, Indices], Flags]:
        """What tells which pairs (p,), (p,) of some parts of bodies may touch.

        Args:
            bodies: (k,), of which each part is.
            filters: (k,), of each.
        """
        allowed, count = kinds_meeting(filters, sets_meet), len(self._filters)
        apart = [min(pair) * count + max(pair) for pair in self._joined]

        def meet(first: Indices, second: Indices) -> Flags:
            one, other = bodies[first], bodies[second]
            key = np.minimum(one, other) * count + np.maximum(one, other)
            return allowed(first, second) & (one != other) & ~np.isin(key, apart)

        return meet

    def of_bodies(self, rows: Indices) -> Callable[[Indices, Indices], Flags]:
        """What tells which pairs (p,), (p,) of some bodies (k,) may touch."""
        return self.of_parts(rows, [self._filters[int(at)] for at in rows])

    def of_groups(
        self,
        groups: Sequence[Sequence[int]],
        filters: Sequence[Filters],
        columns: Sequence[int] | None = None,
    ) -> Flags:
        """Which groups of bodies (n) and some of them (k) have any two that may touch, (n, k).

        Args:
            filters: of each group.
            columns: (k,), which of the groups; all where it is missing.
        """
        some = list(range(len(groups))) if columns is None else list(columns)
        meet = meetings_of(filters, some)
        sizes = np.array([len(group) for group in groups], dtype=np.int64)
        # Of two bodies each, but for those that joints keep apart.
        pairs = np.outer(sizes, sizes[some])
        column = {group: at for at, group in enumerate(some)}
        for group, at in column.items():
            pairs[group, at] -= sizes[group]
        places: dict[int, list[int]] = {}
        for at, group in enumerate(groups):
            for body in group:
                places.setdefault(body, []).append(at)
        apart = [pair for several in places.values() for pair in permutations(several, 2)]
        for joined in self._joined:
            if len(joined) == 2:  # Else it is held to itself.
                first, second = (places.get(body, []) for body in joined)
                apart += [pair for i in first for j in second for pair in ((i, j), (j, i))]
        for i, j in apart:
            if j in column:
                pairs[i, column[j]] -= 1
        return meet & (pairs > 0)

    def _are_apart(self, body: int, other: int) -> bool:
        return body != other and frozenset((body, other)) not in self._joined
