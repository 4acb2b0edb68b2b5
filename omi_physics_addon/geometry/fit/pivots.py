"""Where a joint sits, and along what, for corners, edges or faces that were chosen for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[Any]
Vector: TypeAlias = NDArray[np.float64]

_PARALLEL_COSINE: Final = 0.999  # Cosine of the angle below which directions count as one.
_EXTENT_TOLERANCE: Final = 1e-9  # Below this part of the largest extent there is none.
_FLAT: Final = 0.5  # Of the shorter side of a contact or a leaf, its thickness at most.
_LID: Final = 0.75  # The same of a lid that closes all of what is below.
_HATCH: Final = 0.3  # And of one that closes a part of it, where a thicker one is a turret.
_LONG: Final = 1.05  # Of the shorter side, the longer one at least where there is a long edge.
_HELD: Final = 0.5  # Of a side of a leaf, how much of it touches at least where it is held.
_CLOSED: Final = 0.8  # Of a side of an opening, how much of it is closed at least.
_SEAM: Final = 4.0  # Times that a line of contact is longer than wide at least.


@dataclass(frozen=True)
class Pivot:
    """A place and a direction of length one; None where nothing says a direction."""

    place: Vector
    axis: Vector | None


def of_faces(centers: Points, normals: Points, areas: Points) -> Pivot:
    """The middle of faces, and what they face together.

    Args:
        centers, normals: (n, 3), at least one.
        areas: (n,), m².
    """
    weights = _array(areas)
    if not weights.sum() > 0.0:
        weights = np.ones(len(weights))
    place = np.average(_array(centers), axis=0, weights=weights)
    return Pivot(place, _unit((weights[:, None] * _array(normals)).sum(axis=0)))


def of_edges(starts: Points, ends: Points) -> Pivot:
    """The middle of edges, and their direction; of a loop, that across it.

    Args:
        starts, ends: (n, 3), at least one.
    """
    starts, ends = _array(starts), _array(ends)
    place = (starts + ends).mean(axis=0) / 2.0
    along = ends - starts
    lengths = np.linalg.norm(along, axis=1)
    if not lengths.any():
        return Pivot(place, None)
    units = along[lengths > 0.0] / lengths[lengths > 0.0, None]
    if (np.abs(units @ units[0]) > _PARALLEL_COSINE).all():
        signs = np.sign(units @ units[0])
        return Pivot(place, _unit((units * signs[:, None]).sum(axis=0)))
    return Pivot(place, _across(np.concatenate((starts, ends)) - place))


def of_corners(points: Points) -> Pivot:
    """The middle of corners; of two, the direction from one to the other."""
    points = _array(points)
    axis = _unit(points[1] - points[0]) if len(points) == 2 else None
    return Pivot(points.mean(axis=0), axis)


def between(one: Points, other: Points) -> Vector:
    """Where two things meet: the middle of what their boxes share, or of the gap between them.

    Args:
        one, other: (n, 3), the corners of each, at least one.
    """
    (low, high), (other_low, other_high) = _box(one), _box(other)
    return (np.maximum(low, other_low) + np.minimum(high, other_high)) / 2.0


def of_leaf(leaf: Points, base: Points) -> Pivot | None:
    """How a flat part turns on what it lies on or in; None where nothing tells.

    A lid turns about the long edge of the contact, the one at +Y or at +X; a square one only where
    it closes the whole base, because a square plate on something larger is a turntable. A plank
    that rests on something narrow turns about that. A leaf that is higher than wide, in its frame
    or against what it closes, turns about its upright edge at -X or -Y. Turning about the direction
    lifts a lid.

    Args:
        leaf, base: (n, 3), the corners of each, with +Z up and the sides of the leaf along X and Y.
    """
    (low, high), (base_low, base_high) = _box(leaf), _box(base)
    under, over = np.maximum(low, base_low), np.minimum(high, base_high)
    size, base_size, shared = high - low, base_high - base_low, over - under
    thin = int(np.argmin(size))
    flat = [i for i in range(3) if i != thin]
    narrow = float(shared[flat].min())
    if narrow <= 0.0 or abs(shared[thin]) > _FLAT * narrow:
        return None
    place, thickness = (under + over) / 2.0, float(size[thin] / size[flat].min())
    if thin != 2:
        side = flat[0]
        is_held = shared[side] >= _CLOSED * size[side] and shared[2] >= _HELD * size[2]
        if not is_held or thickness > _FLAT or size[2] < _LONG * size[side]:
            return None
        place[side] = under[side]
        return Pivot(place, np.array((0.0, 0.0, 1.0)))
    held = [i for i in flat if shared[i] >= _HELD * size[i]]
    if low[2] + high[2] <= base_low[2] + base_high[2] or not held:
        return None
    if len(held) == 1:
        return Pivot(place, np.eye(3)[held[0]]) if thickness <= _FLAT else None
    is_closed = bool((shared[flat] >= _CLOSED * base_size[flat]).all())
    if thickness > (_LID if is_closed else _HATCH):
        return None
    if not is_closed and shared[flat].max() < _LONG * narrow:
        return None
    across = 0 if shared[1] >= _LONG * shared[0] else 1
    place[across] = over[across]
    # From there inwards, across what points up.
    axis = (-1.0, 0.0, 0.0) if across == 1 else (0.0, 1.0, 0.0)
    return Pivot(place, np.array(axis))


def of_seam(part: Points, base: Points) -> Pivot | None:
    """The line along which two things touch, as a door and its post do; None for no such line.

    Turning the part about its direction lifts it, if it lies beside a level line.

    Args:
        part, base: (n, 3), the corners of each, with +Z up.
    """
    (low, high), (base_low, base_high) = _box(part), _box(base)
    under, over = np.maximum(low, base_low), np.minimum(high, base_high)
    shared = over - under
    _, second, along = (int(i) for i in np.argsort(np.abs(shared), kind="stable"))
    if shared[along] <= 0.0 or _SEAM * abs(shared[second]) > shared[along]:
        return None
    place, axis = (under + over) / 2.0, np.eye(3)[along]
    away = (low + high) / 2.0 - place
    falls = float(axis[0] * away[1] - axis[1] * away[0]) < 0.0
    return Pivot(place, -axis if falls else axis)


def _box(points: Points) -> tuple[Vector, Vector]:
    """The lowest and the highest corner of the box around points."""
    points = _array(points)
    return points.min(axis=0), points.max(axis=0)


def _array(values: Points) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)


def _across(offsets: Vector) -> Vector | None:
    """The normal of the plane that is nearest to points around the origin."""
    _, sizes, axes = np.linalg.svd(offsets, full_matrices=False)
    return None if sizes[1] <= _EXTENT_TOLERANCE * sizes[0] else _unit(axes[2])


def _unit(vector: Vector) -> Vector | None:
    """A direction of length one, which points up or, if level, forward along X or Y."""
    length = float(np.linalg.norm(vector))
    if length < _EXTENT_TOLERANCE:
        return None
    unit = vector / length
    largest = unit[np.abs(unit) > 1e-6][-1]
    return -unit if largest < 0.0 else unit


def in_row(places: Points, first: int) -> list[int]:
    """The order of places along the line that runs through them, from the end nearer to `first`.

    Args:
        places: (n, 3), at least one.
    """
    places = _array(places)
    middle: Vector = places.mean(axis=0)
    axes = np.linalg.svd(places - middle, full_matrices=False)[2]
    along: Vector = (places - places[first]) @ axes[0]
    if along.max() < -along.min():
        along = -along
    return [int(i) for i in np.argsort(along, kind="stable")]


def evenly(points: Points, count: int) -> Vector:
    """Places on a line through points, the first and the last included.

    Args:
        points: (n, 3), at least two.
        count: how many pieces, at least one.

    Returns:
        (count + 1, 3), as far from each other along the line.
    """
    points = _array(points)
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    way = np.concatenate(([0.0], np.cumsum(steps)))
    at: Vector = np.linspace(0.0, float(way[-1]), count + 1)
    return np.stack([np.interp(at, way, points[:, i]) for i in range(3)], axis=1)


def length(points: Points) -> float:
    """The length of a line through points (n, 3), m."""
    return float(np.linalg.norm(np.diff(_array(points), axis=0), axis=1).sum())


def capsule_mesh(
    height: float, radius: float, sides: int = 12, rings: int = 3
) -> tuple[list[tuple[float, float, float]], list[tuple[int, ...]]]:
    """The corners and faces of a capsule along Z around the origin.

    Args:
        height: distance between the centers of the caps, m.
        rings: of each cap, its equator included.
    """
    profile = [
        (radius * np.cos(t), sign * height / 2.0 + radius * np.sin(t))
        for sign in (-1.0, 1.0)
        for t in (sign * np.pi / 2.0 * np.arange(rings) / rings)[:: int(sign)]
    ]
    turns = 2.0 * np.pi * np.arange(sides) / sides
    corners = [
        (float(r * np.cos(a)), float(r * np.sin(a)), float(z)) for r, z in profile for a in turns
    ]
    faces: list[tuple[int, ...]] = []
    for ring in range(len(profile) - 1):
        for i in range(sides):
            a, b = ring * sides + i, ring * sides + (i + 1) % sides
            faces.append((a, b, b + sides, a + sides))
    bottom, top = len(corners), len(corners) + 1
    corners += [(0.0, 0.0, -height / 2.0 - radius), (0.0, 0.0, height / 2.0 + radius)]
    last = (len(profile) - 1) * sides
    for i in range(sides):
        faces.append((bottom, (i + 1) % sides, i))
        faces.append((top, last + i, last + (i + 1) % sides))
    return corners, faces
