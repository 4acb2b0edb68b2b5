"""Meshes of round shapes, for readers that do not know a shape and take its hull.

Importing this needs no numpy.
"""

from __future__ import annotations

import math
from typing import Final

from ..model.fields import Vector3
from ..model.shapes import Capsule, Cylinder

Triangle = tuple[int, int, int]

# Together these make fewer than 256 corners, of which Jolt makes other hulls.
_AROUND: Final = 20  # Corners of a ring.
# Of a ring, so that its sides are as far inside the shape as its corners are outside.
_WIDER: Final = (1.0 + 1.0 / math.cos(math.pi / _AROUND)) / 2.0
_STEP: Final = math.radians(20.0)  # Between two rings of a ball, at most.


def round_mesh(shape: Capsule | Cylinder) -> tuple[tuple[Vector3, ...], tuple[Triangle, ...]]:
    """The corners and the triangles, seen from outside, of a shape that may be tapered.

    Where a ball ends there is a small disc, as high as the ball, on which it can stand.
    """
    rings = _capsule(shape) if isinstance(shape, Capsule) else _cylinder(shape)
    corners: list[Vector3] = [(0.0, rings[0][1], 0.0)]
    for inner, height in rings[1:-1]:
        radius = inner * _WIDER
        turns = (2.0 * math.pi * k / _AROUND for k in range(_AROUND))
        corners += [(radius * math.cos(t), height, radius * math.sin(t)) for t in turns]
    corners.append((0.0, rings[-1][1], 0.0))
    triangles: list[Triangle] = []
    last, count = len(corners) - 1, len(rings) - 2
    for k in range(_AROUND):
        after = (k + 1) % _AROUND
        triangles.append((0, 1 + k, 1 + after))
        for ring in range(count - 1):
            at = 1 + ring * _AROUND
            a, b, c, d = at + k, at + after, at + _AROUND + k, at + _AROUND + after
            triangles += [(a, c, b), (b, c, d)]
        at = 1 + (count - 1) * _AROUND
        triangles.append((last, at + after, at + k))
    return tuple(corners), tuple(triangles)


def _cylinder(cylinder: Cylinder) -> list[tuple[float, float]]:
    """Radii and heights of rings from the lowest point to the highest, which have no radius."""
    half = cylinder.height / 2.0
    rings = [(cylinder.radius_bottom, -half), (cylinder.radius_top, half)]
    return [(0.0, -half), *(ring for ring in rings if ring[0] > 0.0), (0.0, half)]


def _capsule(capsule: Capsule) -> list[tuple[float, float]]:
    """Radii and heights of rings from the lowest point to the highest, which have no radius."""
    bottom, top, height = capsule.radius_bottom, capsule.radius_top, capsule.height
    half = height / 2.0
    if abs(bottom - top) >= height:  # The larger ball holds the other one.
        radius, center = max(bottom, top), half if top > bottom else -half
        below, above = _arc(radius, 0.0), _arc(radius, 0.0)[1:]
        bottom_center = top_center = center
    else:
        touch = math.asin((bottom - top) / height)  # Where a straight line touches both balls.
        below, above = _arc(bottom, touch), _arc(top, -touch)
        bottom_center, top_center = -half, half
    lower = [(radius, bottom_center - depth) for radius, depth in reversed(below)]
    return [*lower, *((radius, top_center + rise) for radius, rise in above)]


def _arc(radius: float, end: float) -> list[tuple[float, float]]:
    """Radii and heights of rings of a ball, from where a side touches it up to its end.

    Args:
        end: latitude of that touch, seen from the other end; only a point for a ball of no size.
    """
    if radius <= 0.0:
        return [(0.0, 0.0)]
    whole = math.pi / 2.0 + end
    steps = max(1, math.ceil(whole / _STEP))
    step = whole / steps
    latitudes = [k * step - end for k in range(steps)]
    rings = [(radius * math.cos(t), radius * math.sin(t)) for t in latitudes]
    # The tangents of the last ring and of the end meet here.
    return [*rings, (radius * math.tan(step / 2.0), radius), (0.0, radius)]
