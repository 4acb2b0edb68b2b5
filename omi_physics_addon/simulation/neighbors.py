"""Which things come near each other in the next moments, of those that move and what they meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ..geometry.arrays import Array, Flags, Indices
from ..model.shapes import Box
from .near_pairs import all_near
from .overlap import Hull, Hulls, Placed, hull_of, overlapping, thinnest
from .state import Masses, State
from .world import Form, Mesh, Solid

_ROOM_M: Final = 0.01  # m, how near a solid may be to another one and count as touching it.
_ROOM_SHARE: Final = 0.1  # Of half its thickness, where that is less.


class Neighbors:
    """Finds pairs of things (k,), each some solids of a body, that come near each other."""

    def __init__(
        self,
        things: Sequence[Sequence[Solid]],
        bodies: Indices,
        moving: Flags,
        may_meet: Callable[[Indices, Indices], Flags],
    ) -> None:
        """Take things.

        Args:
            bodies: (k,), of which each is.
            moving: (k,), which of them forces move; two that these do not move never count.
            may_meet: gives which pairs (p,), (p,) of things may touch at all.
        """
        parts = [(at, solid) for at, solids in enumerate(things) for solid in solids]
        count = len(parts)
        self._thing = np.array([at for at, _ in parts], dtype=np.int64)
        self._body, self._moving = bodies[self._thing], moving[self._thing]
        self._place = np.array([solid.place for _, solid in parts]).reshape(count, 3)
        self._axes = np.array([solid.rotation for _, solid in parts]).reshape(count, 3, 3)
        hulls = {form: _swollen(form) for form in dict.fromkeys(solid.form for _, solid in parts)}
        self._hulls = Hulls([hulls[solid.form] for _, solid in parts])
        self._count, self._may_meet = len(things), may_meet

    def pairs(
        self,
        state: State,
        masses: Masses,
        ways: Array,
        *,
        is_close: bool,
        asked: Flags | None = None,
    ) -> tuple[Indices, Indices]:
        """The pairs (p,), the lower of each first.

        Args:
            ways: (n, 3), m, that bodies go.
            is_close: whether two that move are looked at as closely as others, which takes long;
                else boxes around them are enough.
            asked: (n,), bodies of which one is in each pair; all where it is missing.
        """
        places = state.points(self._body, self._place, masses)
        placed = Placed(np.arange(len(places)), state.frames(self._body, self._axes), places)
        way = ways[self._body]
        low, high = self._hulls.bounds(placed)
        low, high = np.minimum(low, low + way), np.maximum(high, high + way)
        wanted = self._moving if asked is None else self._moving & asked[self._body]
        left, right = all_near(low, high, wanted)
        meets = self._may_meet(self._thing[left], self._thing[right])
        left, right = left[meets], right[meets]
        hit = self._moving[left] & self._moving[right] & (not is_close)
        rest = np.flatnonzero(~hit)
        a, b = left[rest], right[rest]
        hit[rest] = overlapping(self._hulls, placed.take(a), placed.take(b), way[a] - way[b])
        one, other = self._thing[left[hit]], self._thing[right[hit]]
        pairs = np.minimum(one, other) * self._count + np.maximum(one, other)
        return np.divmod(np.unique(pairs), max(self._count, 1))


def _swollen(form: Form) -> Hull:
    """A solid with some room around it; the box around it for a mesh, which has many corners."""
    if isinstance(form, Mesh) and len(form.corners):
        low, high = form.corners.min(axis=0), form.corners.max(axis=0)
        hull = hull_of(Box(size=(high - low).tolist()))
        hull = replace(hull, points=hull.points + (low + high) / 2.0)
    else:
        hull = hull_of(form)
    return replace(hull, ball=hull.ball + min(_ROOM_M, _ROOM_SHARE * thinnest(form)))
