"""Which body carries which node of a scene."""

from __future__ import annotations

from collections.abc import Sequence

from ....simulation.state import WORLD
from ....simulation.world import Node, World


def carriers(nodes: Sequence[Node], world: World) -> list[int]:
    """For each node the body that it is or is below; `WORLD` for none."""
    found: dict[int, int] = {}
    for first in range(len(nodes)):
        at, chain = first, list[int]()
        while at >= 0 and at not in found and at not in world.body_of and at not in chain:
            chain.append(at)
            at = nodes[at].parent
        body = found.get(at, world.body_of.get(at, WORLD)) if at >= 0 else WORLD
        for each in (*chain, first):
            found[each] = body
    return [found[at] for at in range(len(nodes))]
