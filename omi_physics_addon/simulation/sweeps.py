"""Ways of points between two moments, and what they come near to and go through."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..geometry.arrays import Array, Flags, Indices
from .near_pairs import pairs_across

_FLAT: Final = 1e-12  # Relative volume below which a way lies in the plane of a triangle.


def comes_near(starts: Array, ways: Array, reach: Array) -> Flags:
    """Which ways (k, 3) from starts (k, 3) come within a reach (k,) of the origin."""
    square = np.einsum("ni,ni->n", ways, ways)
    along = -np.einsum("ni,ni->n", starts, ways) / np.maximum(square, 1e-300)
    nearest = starts + np.clip(along, 0.0, 1.0)[:, None] * ways
    return np.einsum("ni,ni->n", nearest, nearest) <= reach * reach


def near_pairs(
    ways: tuple[Array, Array, Array], others: tuple[Array, Array, Array]
) -> tuple[Indices, Indices]:
    """Which of ways and others may come near each other, as the boxes around them tell.

    Args:
        ways, others: where they start and end, (k, 3), and their reach (k,), m.
    """
    return pairs_across(_spans(ways), _spans(others))


def _spans(ways: tuple[Array, Array, Array]) -> tuple[Array, Array]:
    """The lower and the upper corners (k, 3) of the boxes around ways."""
    starts, ends, reach = ways
    return np.minimum(starts, ends) - reach[:, None], np.maximum(starts, ends) + reach[:, None]


def depth_behind(start: Array, way: Array, corners: Array, triangles: Indices) -> float:
    """How far behind all of triangles (m, 3) that it goes through a way (3,) ends, m; 0 for none.

    Source: Moeller and Trumbore 1997, "Fast, minimum storage ray-triangle intersection".
    """
    base = corners[triangles[:, 0]]
    first, second = corners[triangles[:, 1]] - base, corners[triangles[:, 2]] - base
    across = np.cross(way, second)
    volume = np.einsum("ni,ni->n", first, across)
    size = np.linalg.norm(first, axis=1) * np.linalg.norm(across, axis=1)
    is_open = np.abs(volume) > _FLAT * size
    share = np.where(is_open, 1.0 / np.where(is_open, volume, 1.0), 0.0)
    away = start - base
    u = np.einsum("ni,ni->n", away, across) * share
    turned = np.cross(away, first)
    v = turned @ way * share
    t = np.einsum("ni,ni->n", second, turned) * share
    met = is_open & (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t >= 0.0) & (t <= 1.0)
    if not met.any():
        return 0.0
    normal = np.cross(first[met], second[met])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return float(((1.0 - t[met]) * np.abs(normal @ way)).min())
