"""Which bodies to link so that Bullet solves them as one group, which it calls an island.

Bullet looks through all constraints once for each island (`processIsland`,
btDiscreteDynamicsWorld.cpp). Bodies that hang on nothing that moves are islands of their own, and a
step takes longer by the square of their number.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

_FEW: Final = 64  # Islands that cost next to nothing, and may come to rest one by one.


def links(pairs: Iterable[tuple[int, ...]], together: Iterable[int]) -> list[tuple[int, int]]:
    """Pairs of bodies whose links make one island of all bodies that have constraints.

    Args:
        pairs: for each constraint the bodies that it holds and that move; one or two.
        together: bodies that are in one island already.

    Returns:
        No pairs where there are few islands.
    """
    above: dict[int, int] = {}

    def root(body: int) -> int:
        while above.setdefault(body, body) != body:
            above[body] = body = above[above[body]]
        return body

    for held in (*pairs, tuple(together)):
        for body in held:
            above[root(body)] = root(held[0])
    roots = [body for body in above if root(body) == body]
    return list(pairwise(roots)) if len(roots) > _FEW else []
