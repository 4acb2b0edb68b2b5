"""The types of numpy arrays that geometry and simulation pass around, and what they lead to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]


def face_normals(points: Array, triangles: Indices) -> Array:
    """The normals (m, 3) of triangles (m, 3) of points (n, 3), as long as twice their areas."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    return np.cross(b - a, c - a)


def connected(first: Indices, second: Indices, count: int) -> Indices:
    """For each of `count` things the lowest one that pairs of a first and a second lead to.

    Source: Shiloach and Vishkin 1982, "An O(log n) parallel connectivity algorithm": trees are
    hooked to lower ones, and made flat.
    """
    label = np.arange(count)
    while True:
        one, other = label[first], label[second]
        apart = one != other
        if not apart.any():
            return label
        np.minimum.at(label, np.maximum(one, other)[apart], np.minimum(one, other)[apart])
        while not np.array_equal(above := label[label], label):
            label = above
