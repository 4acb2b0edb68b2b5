"""Which bodies to link so that Bullet solves them as one group, which it calls an island.

Bullet looks through all constraints once for each island (`processIsland`,
btDiscreteDynamicsWorld.cpp). Bodies that hang on nothing that moves are islands of their own, and a
step takes longer by the square of their number.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import numpy as np

from ...geometry.arrays import connected

_FEW: Final = 64  # Islands that cost next to nothing, and may come to rest one by one.


def links(pairs: Iterable[tuple[int, ...]], together: Iterable[int]) -> list[tuple[int, int]]:
    """Pairs of bodies whose links make one island of all bodies that have constraints.

    Args:
        pairs: for each constraint the bodies that it holds and that move; one or two.
        together: bodies that are in one island already.

    Returns:
        No pairs where there are few islands.
    """
    held = [(each[0], body) for each in (*pairs, tuple(together)) for body in each]
    first, second = np.array(held, dtype=np.int64).reshape(-1, 2).T
    label = connected(first, second, int(second.max(initial=0)) + 1)
    roots: list[int] = np.unique(label[second]).tolist()
    return list(pairwise(roots)) if len(roots) > _FEW else []
