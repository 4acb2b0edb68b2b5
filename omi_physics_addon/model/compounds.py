"""Which triggers below a node belong to it when it lists none."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence


def below(
    start: int, children: Sequence[Sequence[int]], stop: Collection[int] = ()
) -> Iterator[int]:
    """The nodes below `start`, depth first, each once; not those below a node of `stop`.

    Nodes of `stop` themselves are among the answers. Cycles and indices out of range, as
    broken files have them, do no harm.
    """
    seen = {start}
    stack = [start]
    while stack:
        node = stack.pop()
        if node != start:
            yield node
            if node in stop:
                continue
        for child in reversed(children[node]):
            if child not in seen and 0 <= child < len(children):
                seen.add(child)
                stack.append(child)


def implied_nodes(
    start: int,
    children: Sequence[Sequence[int]],
    triggers: Collection[int],
    bodies: Collection[int],
) -> tuple[int, ...]:
    """The triggers below `start` that no body between them and it claims.

    Args:
        triggers: nodes that are triggers with a shape.
        bodies: nodes with a motion of their own, and triggers that group others.

    Source: OMI_physics_body of 2023-09-07, where `trigger` without `shape` meant all below.
    """
    found = below(start, children, bodies)
    return tuple(node for node in found if node in triggers and node not in bodies)
