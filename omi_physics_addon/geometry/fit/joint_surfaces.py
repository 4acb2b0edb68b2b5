"""The surfaces of a part that joints turn or slide on: round ones, balls and flats."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..arrays import Array, Indices, face_normals
from .loose_parts import loose_parts

_SMOOTH: Final = math.cos(math.radians(50.0))  # Between faces of one round surface: seven of them.
_FLAT: Final = math.cos(math.radians(0.5))  # Between faces of one flat.
_LEAST_FACES: Final = 6  # Of a round surface.
_OFF: Final = 0.03  # Distance of corners from a circle or sphere, of the radius.
_ACROSS: Final = 2e-3  # Mean square of normals along the axis of a round surface.
_LEAST_TURN: Final = 0.3  # Of a full turn that a round surface goes about its axis.
_MOST_FLATS: Final = 60  # Of a part, the largest: small ones guide nothing.
_MOST_AXES: Final = 4  # Of large flats, that round surfaces with bevels are looked for along.
_ALONG: Final = 0.03  # Of a normal along the axis of such a surface.
_RADIAL: Final = 0.85  # Of normals along the way to the center of a ball.
_WIDE: Final = 0.9  # Of the radius, a face across the axis; of seven corners it is 0.87.
_BENT: Final = 0.02  # Mean square of normals across the main one of what is not flat.


@dataclass(frozen=True, eq=False)
class Round:
    """A surface that goes about a line at one distance.

    Attributes:
        center: (3,), in the middle of the line, m.
        axis: (3,), of length one; its sign tells nothing.
        radius: m.
        low, high: where it begins and ends along the axis from the center, m.
        turn: how far it goes about the axis, of a full turn.
        is_hole: whether it is seen from the axis.
    """

    center: Array
    axis: Array
    radius: float
    low: float
    high: float
    turn: float
    is_hole: bool


@dataclass(frozen=True, eq=False)
class Ball:
    """A surface at one distance from a point, seen from it or from outside.

    Attributes:
        dome: length of the mean of its normals: 0 for a whole ball, 0.5 for half of one.
    """

    center: Array
    radius: float
    dome: float
    is_hole: bool


@dataclass(frozen=True, eq=False)
class Flat:
    """A flat face: its outer normal (3,) of length one, and its corners (n, 3), m."""

    normal: Array
    points: Array


@dataclass(frozen=True, eq=False)
class Surfaces:
    """What a part has: its corner of the least and of the greatest coordinates, and surfaces."""

    least: Array
    greatest: Array
    rounds: tuple[Round, ...]
    balls: tuple[Ball, ...]
    flats: tuple[Flat, ...]

    @property
    def size(self) -> Array:
        """Along the axes (3,), m."""
        return self.greatest - self.least


def surfaces_of(points: Array, triangles: Indices) -> Surfaces:
    """Look at a part.

    Args:
        points: (n, 3), m; corners at one place count as one.
        triangles: (m, 3), counter-clockwise seen from outside.
    """
    points, triangles = _merged(points, triangles)
    normals, areas = _normals(points, triangles)
    good = areas > 0.0
    triangles, normals, areas = triangles[good], normals[good], areas[good]
    rounds: list[Round] = []
    balls: list[Ball] = []
    pairs = _neighbors(triangles)
    flat = sorted(_patches(pairs, normals, _FLAT), key=lambda faces: -float(areas[faces].sum()))
    axes = _directions([normals[faces[0]] for faces in flat[:_MOST_FLATS]])
    for patch in _patches(pairs, normals, _SMOOTH):
        whole = _round_or_ball(points, triangles, normals, areas, patch)
        found = [whole]
        if whole is None and len(patch) >= _LEAST_FACES:
            found = [
                _round_or_ball(points, triangles, normals, areas, faces)
                for faces in _barrels(pairs, normals, patch, axes)
            ]
        rounds += [each for each in found if isinstance(each, Round)]
        balls += [each for each in found if isinstance(each, Ball)]
    flats = [
        Flat(normals[faces[0]], points[np.unique(triangles[faces])]) for faces in flat[:_MOST_FLATS]
    ]
    least: Array = points.min(axis=0) if len(points) else np.zeros(3)
    greatest: Array = points.max(axis=0) if len(points) else np.zeros(3)
    return Surfaces(least, greatest, tuple(rounds), tuple(balls), tuple(flats))


def _round_or_ball(
    points: Array, triangles: Indices, normals: Array, areas: Array, faces: Indices
) -> Round | Ball | None:
    if len(faces) < _LEAST_FACES:
        return None
    corners = points[np.unique(triangles[faces])]
    middles = points[triangles[faces]].mean(axis=1)
    found = _round(corners, normals[faces], areas[faces], middles)
    if found is not None and _widest(points[triangles[faces]], found.axis) > _WIDE * found.radius:
        return None  # The edges of a box lie on a circle, too.
    return found or _ball(corners, normals[faces], areas[faces], middles)


def _widest(corners: Array, axis: Array) -> float:
    """How wide the widest of triangles (n, 3, 3) is across an axis, m."""
    sides = corners - np.roll(corners, 1, axis=1)
    across = sides - (sides @ axis)[..., None] * axis
    return float(np.linalg.norm(across, axis=-1).max())


def _directions(normals: list[Array]) -> list[Array]:
    """Directions along which round surfaces may lie: those of large flats, and across two of them.

    Args:
        normals: of flats, the largest first.
    """
    found = _distinct(normals, _MOST_AXES)
    across = [np.cross(one, two) for i, two in enumerate(found[:3]) for one in found[:i]]
    return _distinct([*found, *(each / np.linalg.norm(each) for each in across)], 2 * _MOST_AXES)


def _distinct(directions: list[Array], most: int) -> list[Array]:
    """The first few directions that no earlier one lies along, whichever way they point."""
    found: list[Array] = []
    for each in directions:
        if len(found) < most and all(abs(float(each @ one)) < _FLAT for one in found):
            found.append(each)
    return found


def _barrels(pairs: Indices, normals: Array, patch: Indices, axes: list[Array]) -> list[Indices]:
    """Parts of a surface that lie along one of the axes: bevels join what is round to its ends."""
    found: list[Indices] = []
    for axis in axes:
        along = patch[np.abs(normals[patch] @ axis) < _ALONG]
        if len(along) < _LEAST_FACES:
            continue
        numbers = np.full(len(normals), -1)
        numbers[along] = np.arange(len(along))
        inside = numbers[pairs]
        inside = inside[(inside >= 0).all(axis=1)]
        found += [along[part] for part in _patches(inside, normals[along], _SMOOTH)]
    return found


def _merged(points: Array, triangles: Indices) -> tuple[Array, Indices]:
    """The same mesh whose corners at one place are one."""
    if not len(points):
        return points, triangles
    size = float(np.ptp(points, axis=0).max()) or 1.0
    rounded: Any = np.round
    keys: Indices = rounded((points - points.min(axis=0)) / size * 1e6).astype(np.int64)
    unique: Any = np.unique
    _, first, number = unique(keys, axis=0, return_index=True, return_inverse=True)
    return points[first], number.reshape(-1)[triangles]


def _normals(points: Array, triangles: Indices) -> tuple[Array, Array]:
    """The normals (m, 3) of length one, and areas (m,)."""
    doubled = face_normals(points, triangles)
    length = np.linalg.norm(doubled, axis=1)
    unit = doubled / np.where(length > 0.0, length, 1.0)[:, None]
    return unit, length / 2.0


def _neighbors(triangles: Indices) -> Indices:
    """Pairs (k, 2) of triangles that share an edge; where more than two do, none."""
    count = len(triangles)
    if not count:
        return np.zeros((0, 2), dtype=np.int64)
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    owners = np.repeat(np.arange(count), 3)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    edges, owners = edges[order], owners[order]
    same = (edges[1:] == edges[:-1]).all(axis=1)
    alone = same & ~np.append(same[1:], False) & ~np.append([False], same[:-1])
    return np.stack([owners[:-1][alone], owners[1:][alone]], axis=1)


def _patches(pairs: Indices, normals: Array, least: float) -> list[Indices]:
    """The triangles of each part of a surface within which neighbors bend less than a bound."""
    count = len(normals)
    bend = np.einsum("ij,ij->i", normals[pairs[:, 0]], normals[pairs[:, 1]])
    joined = pairs[bend >= least]
    alone = np.setdiff1d(np.arange(count), joined)
    found = loose_parts(count, joined) if len(joined) else []
    return [*found, *(np.array([each]) for each in alone)]


def _spread(normals: Array, areas: Array) -> tuple[Array, Array]:
    """How much normals point along three directions, least first, and these (3, 3) as columns."""
    weights = areas / areas.sum()
    values, vectors = np.linalg.eigh(np.einsum("i,ij,ik->jk", weights, normals, normals))
    return values, vectors


def _round(corners: Array, normals: Array, areas: Array, middles: Array) -> Round | None:
    values, vectors = _spread(normals, areas)
    if values[0] > _ACROSS or values[1] < _BENT:
        return None
    axis = vectors[:, 0]
    plane = corners @ vectors[:, 1:]
    middle, radius, off = _circle(plane)
    if off > _OFF:
        return None
    turns = np.sort(np.arctan2(*((plane - middle).T)))
    gaps = np.diff(turns, append=turns[0] + 2.0 * math.pi)
    turn = 1.0 - float(gaps.max()) / (2.0 * math.pi)
    if turn < _LEAST_TURN:
        return None
    along = corners @ axis
    low, high = float(along.min()), float(along.max())
    center = vectors[:, 1:] @ middle + axis * (low + high) / 2.0
    outward = np.einsum("ij,ij->i", normals, middles - center)  # What is along the axis is none.
    return Round(
        center=center,
        axis=axis,
        radius=radius,
        low=(low - high) / 2.0,
        high=(high - low) / 2.0,
        turn=turn,
        is_hole=bool(outward @ areas < 0.0),
    )


def _circle(points: Array) -> tuple[Array, float, float]:
    """The circle or sphere through points: its center, its radius, and the largest distance.

    Args:
        points: (n, 2) or (n, 3).
    """
    middle = points.mean(axis=0)
    offsets = points - middle
    table = np.column_stack([2.0 * offsets, np.ones(len(offsets))])
    solve: Any = np.linalg.lstsq
    solved: Array = solve(table, (offsets**2).sum(axis=1), rcond=None)[0]
    center: Array = solved[:-1]
    radius = math.sqrt(max(float(solved[-1] + center @ center), 0.0))
    if radius <= 0.0:
        return middle, 0.0, math.inf
    away = np.abs(np.linalg.norm(offsets - center, axis=1) - radius)
    return middle + center, radius, float(away.max()) / radius


def _ball(corners: Array, normals: Array, areas: Array, middles: Array) -> Ball | None:
    values, _ = _spread(normals, areas)
    if values[0] < _BENT:
        return None
    center, radius, off = _circle(corners)
    if off > _OFF:
        return None
    away = middles - center
    outward = np.einsum("ij,ij->i", normals, away) / np.linalg.norm(away, axis=1)
    if float(np.abs(outward) @ areas) < _RADIAL * float(areas.sum()):
        return None  # The ends of a rod lie on a ball, too.
    dome = float(np.linalg.norm(areas @ normals)) / float(areas.sum())
    return Ball(center, radius, dome, is_hole=bool(outward @ areas < 0.0))
