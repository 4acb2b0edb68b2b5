"""The connected parts of a mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..arrays import connected

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
    ends = edges.astype(np.int64)
    labels = connected(ends[:, 0], ends[:, 1], count)
    used = np.unique(edges)
    order = np.argsort(labels[used], kind="stable")
    members, owners = used[order], labels[used][order]
    starts = np.flatnonzero(np.diff(owners)) + 1
    return [part.astype(np.int64) for part in np.split(members, starts)]
