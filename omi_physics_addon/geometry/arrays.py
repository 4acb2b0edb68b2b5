"""The types of numpy arrays that geometry and simulation pass around, and what they lead to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]


def connected(first: Indices, second: Indices, count: int) -> Indices:
    """For each of `count` things the lowest one that pairs of a first and a second lead to."""
    label = np.arange(count)
    while True:
        least = np.minimum(label[first], label[second])
        before = label.copy()
        np.minimum.at(label, first, least)
        np.minimum.at(label, second, least)
        label = label[label]
        if (label == before).all():
            return label
