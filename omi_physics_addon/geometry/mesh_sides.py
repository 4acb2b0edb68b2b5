"""Which way the triangles of a mesh look, and which of them look away from where bodies come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Array, Indices, connected
from .inertia import weld

_LEANS: Final = 0.05  # Of all that an open surface has; walls that stand nearly upright have less.
_FLAT: Final = 1e-9  # Volume of a part that is no solid, relative to its size.
_HOLDERS: Final = 64  # Largest parts in which others may be cavities.

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sides:
    """Which way the triangles of a mesh look.

    Those that have the other side as a triangle, too, hold bodies on both sides and are neither
    away nor open; nor are those without an area.

    Attributes:
        away: (m,), those against most of their neighbours, or that look into the closed part that
            they bound; a closed part inside another one is a cavity and may look inward.
        open: (m,), those of parts that have a border.
        lean: (3,), mean direction in which open triangles look once none of them is away, from 0
            for all directions alike to a length of 1 for one alone.
    """

    away: Mask
    open: Mask
    lean: Array

    def looks_down(self, up: ArrayLike) -> bool:
        """Whether what is open looks down, so that bodies come to it from behind.

        Args:
            up: (3,), in the space of the mesh.
        """
        return bool(self.lean @ np.asarray(up) < -_LEANS * np.linalg.norm(up))

    def turned(self, up: ArrayLike) -> Mask:
        """The triangles (m,) to be turned so that none looks away or, all in all, down."""
        return self.away ^ (self.open & self.looks_down(up))


def look(corners: Array, triangles: Indices) -> Sides:
    """Look at a mesh.

    Args:
        corners: (n, 3), metres; those at exactly the same place count as one.
        triangles: (m, 3), counter-clockwise seen from the front.
    """
    welded = weld(corners)[triangles]
    rows = np.flatnonzero(_with_one_side(welded))
    places = corners[triangles[rows]]
    parts = _Parts(welded[rows], places - (places.mean(axis=(0, 1)) if len(rows) else 0.0))
    away, is_open = np.zeros((2, len(triangles)), dtype=bool)
    away[rows], is_open[rows] = parts.away, parts.open
    areas = parts.areas * np.where(parts.away, -1.0, 1.0)[:, None]
    areas = areas[parts.open]
    total = float(np.linalg.norm(areas, axis=1).sum())
    return Sides(away, is_open, areas.sum(axis=0) / total if total else np.zeros(3))


def _with_one_side(welded: Indices) -> Mask:
    """Triangles (m,) of three places whose other side is no triangle."""
    ordered = np.sort(welded, axis=1)
    _, same = np.unique(ordered, axis=0, return_inverse=True)
    same = same.reshape(-1)
    first = np.argmin(welded, axis=1)[:, None]
    is_front = np.take_along_axis(welded, (first + 1) % 3, axis=1)[:, 0] == ordered[:, 1]
    has_front, has_back = (np.bincount(same, weights=side) > 0 for side in (is_front, ~is_front))
    has_places = (ordered[:, 0] != ordered[:, 1]) & (ordered[:, 1] != ordered[:, 2])
    return has_places & ~(has_front & has_back)[same]


class _Parts:
    """Triangles by the parts that edges of two triangles hold together.

    Attributes:
        areas: (m, 3), of the triangles, along their normals, twice.
        away, open: as those of `Sides`.
    """

    def __init__(self, welded: Indices, places: Array) -> None:
        """Take the numbers of corners (m, 3), and where these are (m, 3, 3)."""
        self._count = len(welded)
        start, end = welded.ravel(), welded[:, [1, 2, 0]].ravel()
        low, high = np.minimum(start, end), np.maximum(start, end)
        width = int(welded.max(initial=0)) + 1
        _, self._edges = np.unique(low * width + high, return_inverse=True)
        self._edges = self._edges.reshape(-1)
        self._runs_up = start < end
        self._places = places
        self.areas = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
        self._part, self._is_turned = self._oriented()
        is_closed = self._closed()
        self.open = ~is_closed
        self.away = self._against(is_closed)

    def _oriented(self) -> tuple[Indices, Mask]:
        """The part of each triangle, and whether it is turned against the first one there.

        Each triangle stands twice in a graph, for either side, and neighbours that agree are
        joined side by side. In a surface of one side, such as a Möbius strip, all are one.
        """
        uses = np.bincount(self._edges)
        pairs = np.flatnonzero(uses[self._edges] == 2)
        pairs = pairs[np.argsort(self._edges[pairs], kind="stable")].reshape(-1, 2)
        one, other = pairs[:, 0] // 3, pairs[:, 1] // 3
        agree = self._runs_up[pairs[:, 0]] != self._runs_up[pairs[:, 1]]
        sides = np.concatenate([2 * one, 2 * one + 1])
        others = np.concatenate([2 * other + ~agree, 2 * other + agree])
        labels = connected(sides, others, 2 * self._count)
        front, back = labels[0::2], labels[1::2]
        first = np.minimum(front, back)
        _, part = np.unique(first, return_inverse=True)
        return part.astype(np.int64).reshape(-1), front > back

    def _closed(self) -> Mask:
        """Whether the part of each triangle (m,) has no border."""
        keys = self._part.repeat(3) * (int(self._edges.max(initial=0)) + 1) + self._edges
        _, at, uses = np.unique(keys, return_inverse=True, return_counts=True)
        odd = np.bincount(self._part.repeat(3), weights=uses[at.reshape(-1)] % 2)
        return (odd == 0)[self._part]

    def _sums(self, numbers: Array) -> Array:
        return np.bincount(self._part, weights=numbers).astype(np.float64)

    def _against(self, is_closed: Mask) -> Mask:
        """The triangles that look inward where they bound something, and the fewer elsewhere."""
        sign = np.where(self._is_turned, -1.0, 1.0)
        size = np.linalg.norm(self.areas, axis=1)
        surplus = self._sums(size * sign)
        tetrahedra = np.sum(self._places[:, 0] * self.areas, axis=1)
        volume = self._sums(tetrahedra * sign)
        area = self._sums(size)
        is_solid = np.abs(volume) > _FLAT * area**1.5
        whole = self._sums(np.where(is_closed, 0.0, 1.0)) == 0
        inward = whole & is_solid & (volume < 0.0)
        # A cavity is one as it is written: most of its triangles look into it.
        is_cavity = whole & is_solid & ((volume < 0.0) ^ (surplus < 0.0))
        is_cavity[is_cavity] = self._is_inside(np.flatnonzero(is_cavity), np.abs(volume), whole)
        turned = np.where(whole & is_solid, inward ^ is_cavity, surplus < 0.0)
        return self._is_turned ^ turned[self._part]

    def _is_inside(self, parts: Indices, volume: Array, whole: Mask) -> Mask:
        """Whether parts lie within the bounds of larger closed ones."""
        count = len(volume)
        low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
        for corner in range(3):
            np.minimum.at(low, self._part, self._places[:, corner])
            np.maximum.at(high, self._part, self._places[:, corner])
        found = np.zeros(len(parts), dtype=bool)
        for holder in np.argsort(np.where(whole, -volume, np.inf))[:_HOLDERS]:
            within = np.all((low[parts] >= low[holder]) & (high[parts] <= high[holder]), axis=1)
            found |= within & (volume[parts] < volume[holder])
        return found
