"""Capsules for the bones of a body, and how near they come to each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..arrays import Array

_TRIM: Final = 3.0  # Percent of the points at either end that a capsule leaves out.
_RADIUS: Final = 75.0  # Percent of the points that lie within the radius.
_SIDEWAYS: Final = 1.3  # Extent across a bone, of that along it, for a capsule that lies across.
_SLIM: Final = 0.18  # Radius of a bone without points, of its length.
_THIN: Final = 0.05  # Least radius, of the length.
_SHORT: Final = 1e-3  # Least distance of the two balls, of the radius.
_LEAST: Final = 0.4  # Part of its radius that a capsule keeps when others are in its way.
_GAP: Final = 0.98  # Part of the free distance that two capsules may fill.
_ROUNDS: Final = 8


@dataclass(frozen=True, eq=False)
class BoneCapsule:
    """A capsule in the axes of a bone, which lies along Y.

    Attributes:
        center: (3,), m.
        axis: that it lies along, 0 for X.
        radius: m.
        height: distance of the centers of its two balls, m.
    """

    center: Array
    axis: int
    radius: float
    height: float

    @property
    def volume(self) -> float:
        """In m³."""
        return math.pi * self.radius**2 * (self.height + 4.0 / 3.0 * self.radius)

    @property
    def moment(self) -> float:
        """Of a slender one about its middle, across its axis, for 1 kg, in m²."""
        return (self.height + 2.0 * self.radius) ** 2 / 12.0 + self.radius**2 / 4.0

    @property
    def ends(self) -> Array:
        """The centers (2, 3) of the two balls."""
        half = np.zeros(3)
        half[self.axis] = self.height / 2.0
        return np.array([self.center - half, self.center + half])


def bone_capsule(points: Array, length: float) -> BoneCapsule:
    """The capsule of a bone.

    Points that stick out hardly count, because weights reach beyond joints.

    Args:
        points: (n, 3), what the bone carries, in its axes; none for a slim one.
        length: of the bone, m.
    """
    if len(points) < 4:
        radius = _SLIM * length
        center = np.array((0.0, length / 2.0, 0.0))
        return BoneCapsule(center, 1, radius, max(length - 2.0 * radius, _SHORT * radius))
    low, high = _trimmed(points)
    extent = high - low
    across = 0 if extent[0] >= extent[2] else 2
    axis = across if extent[across] > _SIDEWAYS * extent[1] else 1
    center = (low + high) / 2.0
    others = [i for i in range(3) if i != axis]
    across_it: Array = (points - center)[:, others]
    away: Array = np.sqrt(np.einsum("ni,ni->n", across_it, across_it))
    whole = float(extent[axis])
    radius = max(float(np.percentile(away, _RADIUS)), _THIN * max(whole, length))
    return BoneCapsule(center, axis, radius, max(whole - 2.0 * radius, _SHORT * radius))


def capsule_of(volume: float, length: float, width: float = 0.0) -> BoneCapsule:
    """The capsule of a volume on the middle of a bone, along it or, where it is wider, along X.

    It is no longer than the bone, or the width, unless a ball of the volume is.

    Args:
        volume: m³, above zero.
        length: of the bone, m, above zero.
        width: m; zero for what is as thick everywhere.
    """
    whole = max(length, width)
    center = np.array((0.0, length / 2.0, 0.0))
    radius = math.cbrt(volume * 3.0 / 4.0 / math.pi)
    if 2.0 * radius < whole:
        roots = np.roots((-2.0 / 3.0 * math.pi, math.pi * whole, 0.0, -volume)).real
        radius = float(np.sort(roots)[1])  # The others are below zero and beyond the length.
    height = max(whole - 2.0 * radius, _SHORT * radius)
    return BoneCapsule(center, 0 if width > length else 1, radius, height)


def extent_along(points: Array, length: float) -> float:
    """How long a bone and what it carries is, m; points as for `bone_capsule`."""
    if len(points) < 4:
        return length
    low, high = _trimmed(points)
    return float((high - low).max())


def _trimmed(points: Array) -> tuple[Array, Array]:
    """The lowest and the highest coordinates (3,) of most points."""
    low: Array = np.percentile(points, _TRIM, axis=0)
    high: Array = np.percentile(points, 100.0 - _TRIM, axis=0)
    return low, high


def slimmed(
    capsules: list[BoneCapsule], places: list[Array], joined: set[frozenset[int]]
) -> tuple[list[BoneCapsule], list[tuple[int, int]]]:
    """Capsules that are thinner where others were in their way.

    Args:
        places: (4, 4) each, from the axes of the bones to those of the world, without scale.
        joined: pairs that may overlap, because a joint holds them together.

    Returns:
        The capsules, and the pairs that overlap all the same.
    """
    count = len(capsules)
    ends = [c.ends @ p[:3, :3].T + p[:3, 3] for c, p in zip(capsules, places, strict=True)]
    apart = {
        (i, j): segment_distance(ends[i], ends[j])
        for i in range(count)
        for j in range(i + 1, count)
        if frozenset((i, j)) not in joined
    }
    radii = [capsule.radius for capsule in capsules]
    for _ in range(_ROUNDS):
        for (i, j), distance in apart.items():
            if radii[i] + radii[j] > _GAP * distance:
                share = _GAP * distance / (radii[i] + radii[j])
                for k in (i, j):
                    radii[k] = max(radii[k] * share, _LEAST * capsules[k].radius)
    thin = [replace(c, radius=r) for c, r in zip(capsules, radii, strict=True)]
    left = [(i, j) for (i, j), distance in apart.items() if radii[i] + radii[j] > distance]
    return thin, left


def segment_distance(one: Array, other: Array) -> float:
    """The distance between two segments, given by their ends (2, 3) each.

    Source: Ericson 2005, "Real-Time Collision Detection", 5.1.9.
    """
    first, second, between = one[1] - one[0], other[1] - other[0], one[0] - other[0]
    a, e = float(first @ first), float(second @ second)
    b, c, f = float(first @ second), float(first @ between), float(second @ between)
    if a <= 0.0 or e <= 0.0:
        s = 0.0 if a <= 0.0 else min(max(-c / a, 0.0), 1.0)
        t = 0.0 if e <= 0.0 else min(max((b * s + f) / e, 0.0), 1.0)
        return float(np.linalg.norm(between + s * first - t * second))
    spread = a * e - b * b
    s = min(max((b * f - c * e) / spread, 0.0), 1.0) if spread > 1e-12 * a * e else 0.0
    t = (b * s + f) / e
    if t < 0.0:
        t, s = 0.0, min(max(-c / a, 0.0), 1.0)
    elif t > 1.0:
        t, s = 1.0, min(max((b - c) / a, 0.0), 1.0)
    return float(np.linalg.norm(between + s * first - t * second))
