"""Boxes along the axes that together fill a mesh, made of equal cells."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..arrays import Array, Flags, Indices
from .mesh_volumes import closed_volume

_THIN: Final = 1e-3  # Cells across what is flat, as a part of the largest size.
_ROUNDING: Final = 1e-9  # Of a cell: what only touches one is not in it.
# Where in a cell rays run, so that edges that lie in the middle of cells are not met.
_AWAY: Final = np.array([0.500_013_7, 0.499_981_3, 0.500_007_1])
_CORNERS: Final = np.array(list(itertools.product((0, 1), repeat=3)))
BOX_CORNERS: Final = _CORNERS.astype(np.float64)
# Counter-clockwise seen from outside.
BOX_TRIANGLES: Final = np.array(
    [
        *((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)),
        *((2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)),
    ]
)
_SPLITS: Final = 40  # Halvings of a triangle; each makes it smaller, so that they end before.

Cells = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes along the axes that do not overlap.

    Attributes:
        low, high: their corners (k, 3), m.
    """

    low: Array
    high: Array

    @property
    def volume(self) -> float:
        """The volume of all together, m³."""
        return float(np.prod(self.high - self.low, axis=1).sum())


def voxel_boxes(points: Array, triangles: Indices, cells: int, hold_all: bool = True) -> Boxes:
    """The boxes that fill a mesh, few and large.

    Args:
        points: (n, 3), m, at least one.
        triangles: (m, 3), indices of points; without any, the box around the points is taken.
        cells: how many along the longest side of the box around the points.
        hold_all: take all cells that the surface runs through; otherwise those whose middle is
            inside, where there are any.

    Raises:
        ValueError: a point is not finite, or there are no cells.
    """
    if cells < 1 or not len(points) or not np.isfinite(points).all():
        raise ValueError("there must be cells, and points that are finite")
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    most = float(extent.max())
    extent = np.maximum(extent, _THIN * most)
    counts = np.maximum(np.rint(cells * extent / most), 1).astype(int) if most else np.ones(3, int)
    if not len(triangles) or not most:
        return Boxes(low[None], low[None] + extent)
    low = low - (extent - np.ptp(points, axis=0)) / 2.0
    scaled = (points - low) / extent * counts  # A cell is a cube of size 1 now.
    small = _split(scaled[triangles])
    is_closed = closed_volume(points, triangles) is not None
    inside = _inside(small, counts) if is_closed else np.zeros(counts, dtype=bool)
    taken = inside
    if hold_all or not inside.any():
        taken = _touched(small, counts, inside) | inside
        taken = taken if is_closed else ~_outside(taken)
    starts, ends = _merged(taken)
    size = extent / counts
    return Boxes(low + starts * size, low + ends * size)


def _split(corners: Array) -> Array:
    """Triangles (m, 3, 3) whose sides are no longer than a cell, which fill the same surface."""
    done: list[Array] = []
    for _ in range(_SPLITS):
        sides = np.roll(corners, -1, axis=1) - corners
        lengths = np.abs(sides).max(axis=2)
        longest = lengths.argmax(axis=1)
        is_long = lengths.max(axis=1) > 1.0
        done.append(corners[~is_long])
        corners, longest = corners[is_long], longest[is_long]
        if not len(corners):
            break
        rows = np.arange(len(corners))
        a, b = corners[rows, longest], corners[rows, (longest + 1) % 3]
        c = corners[rows, (longest + 2) % 3]
        middle = (a + b) / 2.0
        corners = np.concatenate([np.stack([a, middle, c], 1), np.stack([middle, b, c], 1)])
    return np.concatenate([*done, corners])


def _touched(small: Array, counts: NDArray[np.int64], inside: Cells) -> Cells:
    """The cells that small triangles run through; one of two where they lie between cells."""
    found = np.zeros(counts, dtype=bool)
    first = np.floor(small.min(axis=1)).astype(np.int64)
    is_met = np.zeros(len(small), dtype=bool)
    for corner in _CORNERS:
        cell = first + corner
        may = ((cell >= 0) & (cell < counts)).all(axis=1)
        rows = np.flatnonzero(may)
        rows = rows[_meets(small[rows] - (cell[rows, None] + 0.5))]
        found[tuple(cell[rows].T)] = True
        is_met[rows] = True
    between = small[~is_met].mean(axis=1)
    for shift in (-0.5, 0.5):  # What is held on one side already needs no cell on the other.
        sides = [_at(between + shift * axis, counts) for axis in np.eye(3)]
        held = np.array([(inside | found)[tuple(side.T)] for side in sides]).any(axis=0)
        between = between[~held]
    found[tuple(_at(between, counts).T)] = True
    return found


def _at(places: Array, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.clip(np.floor(places).astype(np.int64), 0, counts - 1)


def _meets(corners: Array) -> Flags:
    """Whether triangles (k, 3, 3) run through the cube of size 1 around the origin.

    Source: Akenine-Möller 2001, "Fast 3D triangle-box overlap testing": separating axes.
    """
    half = 0.5 - _ROUNDING
    result: Flags = ((corners.min(axis=1) < half) & (corners.max(axis=1) > -half)).all(axis=1)
    sides = np.roll(corners, -1, axis=1) - corners
    axes = [np.cross(sides[:, 0], sides[:, 1])]
    axes += [np.cross(unit, sides[:, i]) for unit in np.eye(3) for i in range(3)]
    for axis in axes:
        reach = half * np.abs(axis).sum(axis=1)
        along = np.einsum("kij,kj->ki", corners, axis)
        # An axis of length 0, of sides along the axes, parts nothing.
        result &= (along.min(axis=1) <= reach) & (along.max(axis=1) >= -reach)
    return result


def _inside(small: Array, counts: NDArray[np.int64]) -> Cells:
    """The cells whose middle a closed surface winds around, parts that overlap included."""
    columns = tuple(counts[:2])
    changes = np.zeros((*columns, counts[2] + 1), dtype=np.int64)
    first = np.floor(small[:, :, :2].min(axis=1) - _AWAY[:2]).astype(np.int64)
    a, b, c = (small[:, i] for i in range(3))
    normals = np.cross(b - a, c - a)
    for corner in itertools.product((0, 1, 2), repeat=2):
        cell = first + corner
        rows = np.flatnonzero(
            ((cell >= 0) & (cell < counts[:2])).all(axis=1) & (normals[:, 2] != 0)
        )
        place = cell[rows] + _AWAY[:2]
        turns = [_turn(p[rows], q[rows], place) for p, q in ((a, b), (b, c), (c, a))]
        signs = np.sign(normals[rows, 2]).astype(np.int64)
        hit = np.all([turn * signs > 0.0 for turn in turns], axis=0)
        rows, signs, place = rows[hit], signs[hit], place[hit]
        slope = np.einsum("ki,ki->k", normals[rows, :2], place - a[rows, :2]) / normals[rows, 2]
        below = np.ceil(a[rows, 2] - slope - _AWAY[2]).astype(np.int64)
        np.add.at(changes, (*cell[rows].T, np.clip(below, 0, counts[2])), signs)
    winding = np.cumsum(changes[:, :, ::-1], axis=2)[:, :, ::-1]
    return winding[:, :, 1:] != 0


def _turn(start: Array, end: Array, place: Array) -> Array:
    """On which side of lines places are, seen along Z."""
    along, away = end - start, place - start[:, :2]
    return along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0]


def _outside(walls: Cells) -> Cells:
    """The cells that can be reached from outside of the grid around walls."""
    free = np.pad(~walls, 1, constant_values=True)
    reached = np.zeros_like(free)
    reached[0] = True
    while True:
        before = int(reached.sum())
        for axis in range(3):
            for turned in (False, True):
                view, open_ = np.moveaxis(reached, axis, 0), np.moveaxis(free, axis, 0)
                if turned:
                    view, open_ = view[::-1], open_[::-1]
                for i in range(1, len(view)):
                    view[i] |= view[i - 1] & open_[i]
        if int(reached.sum()) == before:
            return reached[1:-1, 1:-1, 1:-1]


def _merged(taken: Cells) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First cells and the cells behind the last of boxes (k, 3) that hold what is taken.

    Each grows along one axis after the other; the order of axes is that which gives fewest.
    """
    best: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    for order in itertools.permutations(range(3)):
        starts, ends = _grown(np.transpose(taken, order).copy())
        if best is None or len(starts) < len(best[0]):
            back = np.argsort(order)
            best = starts[:, back], ends[:, back]
    assert best is not None
    return best


def _grown(left: Cells) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The boxes that are found from the first cell on; none of their cells is left."""
    starts: list[tuple[int, int, int]] = []
    ends: list[tuple[int, int, int]] = []
    flat = left.reshape(-1)
    at = 0
    while True:
        step = int(flat[at:].argmax())
        if not flat[at + step]:
            break
        at += step
        x, y, z = (int(i) for i in np.unravel_index(at, left.shape))
        row = left[x, y, z:]
        behind_z = z + (len(row) if row.all() else int(row.argmin()))
        full = left[x, y:, z:behind_z].all(axis=1)
        behind_y = y + (len(full) if full.all() else int(full.argmin()))
        full = left[x:, y:behind_y, z:behind_z].all(axis=(1, 2))
        behind_x = x + (len(full) if full.all() else int(full.argmin()))
        left[x:behind_x, y:behind_y, z:behind_z] = False
        starts.append((x, y, z))
        ends.append((behind_x, behind_y, behind_z))
    return np.array(starts, dtype=np.int64).reshape(-1, 3), np.array(ends).reshape(-1, 3)
