"""The connected parts of a mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]


def loose_parts(count: int, edges: NDArray[np.int32] | NDArray[np.int64]) -> list[Labels]:
    """The vertices of each part of a mesh that no edge connects to the rest.

    Vertices without an edge belong to no part, unless there are no edges at all: then all of them
    are one.

    Args:
        count: of the vertices.
        edges: (k, 2), their indices.

    Returns:
        Sorted indices of the vertices of each part, in the order of their first vertices.
    """
    if not len(edges):
        return [np.arange(count)] if count else []
    labels = part_labels(count, edges.astype(np.int64))
    used = np.unique(edges)
    order = np.argsort(labels[used], kind="stable")
    members, owners = used[order], labels[used][order]
    starts = np.flatnonzero(np.diff(owners)) + 1
    return [part.astype(np.int64) for part in np.split(members, starts)]


def part_labels(count: int, edges: Labels) -> Labels:
    """For each vertex (n,) the first vertex of its part; edges are (k, 2).

    Source: Shiloach and Vishkin 1982, "An O(log n) parallel connectivity algorithm": trees are
    hooked to lower ones, and made flat.
    """
    labels = np.arange(count)
    while True:
        a, b = labels[edges[:, 0]], labels[edges[:, 1]]
        apart = a != b
        if not apart.any():
            return labels
        high, low = np.maximum(a, b)[apart], np.minimum(a, b)[apart]
        np.minimum.at(labels, high, low)
        while True:
            above = labels[labels]
            if np.array_equal(above, labels):
                break
            labels = above
