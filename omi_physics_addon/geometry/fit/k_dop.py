"""Convex hulls between planes whose directions follow the box around the points (k-DOPs)."""

from __future__ import annotations

import itertools
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Array, Indices
from ..hull import convex_hull
from .simple_hull import SimpleHull

Planes = Literal[10, 18, 26]

_TOLERANCE: Final = 1e-9  # Of the size: how far a corner may lie beyond a plane.


def k_dop(points: ArrayLike, planes: Planes, margin: float = 0.0) -> SimpleHull | None:
    """The smallest solid between planes that follow the box around points; None where flat.

    10 planes are a box with the four edges along one axis cut off, the axis for which it is
    smallest; 18 planes cut off all edges, 26 planes all edges and corners.

    Args:
        points: (n, 3), metres.
        margin: how far each plane is moved outwards, m.

    Raises:
        ValueError: a number is not finite, or the points have another form.
    """
    cloud = np.asarray(points, dtype=np.float64)
    if convex_hull(cloud, 4) is None:
        return None
    signs: Array = np.array(list(itertools.product((-1.0, 0.0, 1.0), repeat=3)))
    counts: Array = np.abs(signs).sum(axis=1)
    axes, edges = signs[counts == 1], signs[counts == 2]
    if planes == 10:
        found = [_between(cloud, [axes, edges[edges[:, i] == 0.0]], margin) for i in range(3)]
    elif planes == 18:
        found = [_between(cloud, [axes, edges], margin)]
    else:
        found = [_between(cloud, [axes, edges, signs[counts == 3]], margin)]
    solids = [each for each in found if each is not None]
    return min(solids, key=lambda each: each.volume, default=None)


def _between(cloud: Array, directions: list[Array], margin: float) -> SimpleHull | None:
    """The solid whose faces have some directions."""
    middle = (cloud.min(axis=0) + cloud.max(axis=0)) / 2.0
    half = np.ptp(cloud, axis=0) / 2.0
    normals: Array = np.concatenate(directions) / half  # As if it filled a cube.
    lengths: Array = np.linalg.norm(normals, axis=1)
    normals /= lengths[:, None]
    reach: Array = ((cloud - middle) @ normals.T).max(axis=0) + margin
    size = float(half.max())
    threes: Indices = np.array(list(itertools.combinations(range(len(normals)), 3)))
    matrices: Array = normals[threes] * half
    usable: NDArray[np.bool_] = np.abs(np.linalg.det(matrices)) > 1e-9 * np.prod(
        np.linalg.norm(matrices, axis=2), axis=1
    )
    right = reach[threes[usable]][..., None]
    corners: Array = np.linalg.solve(matrices[usable], right)[..., 0] * half
    inside: NDArray[np.bool_] = (corners @ normals.T <= reach + _TOLERANCE * size).all(axis=1)
    rounded: Array = np.round(corners[inside] / (1e-8 * size))
    corners = corners[inside][np.unique(rounded, axis=0, return_index=True)[1]] + middle
    hull = convex_hull(corners)
    return None if hull is None else SimpleHull(*hull, 0.0)
