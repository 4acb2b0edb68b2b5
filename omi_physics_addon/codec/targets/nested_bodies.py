"""Puts bodies that are below moving bodies beside them, for engines that move a child with both."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ...model.bodies import Motion
from ...model.document import NodePhysics
from ..convert.draft import Draft
from ..values.node_tree import from_above


def free(
    draft: Draft,
    animated: Collection[int],
    takes: Callable[[NodePhysics], bool] = lambda physics: moves(physics.motion),
) -> None:
    """Hang bodies below moving bodies where the topmost of these hangs; all stay in their places.

    Args:
        animated: nodes that animations move; bodies that these carry along stay below.
        takes: whether an engine takes what is below a node for a part of it: below bodies that
            move, unless said otherwise.
    """
    known: dict[int, tuple[int, bool]] = {}

    def seen_from(node: int, above: tuple[int, bool]) -> tuple[int, bool]:
        """The topmost moving body of a node and those above it, and whether nothing animates it."""
        topmost, is_still = above
        if topmost < 0 and takes(draft.of(node)):
            topmost = node
        return topmost, is_still and node not in animated

    movers = [
        node
        for node, physics in draft.nodes()
        if moves(physics.motion) and draft.parent_of(node) >= 0
    ]
    found = [from_above(node, known, draft.parent_of, (-1, True), seen_from) for node in movers]
    for node, (topmost, is_still) in zip(movers, found, strict=True):
        if topmost != node and is_still:
            draft.move_node(node, draft.parent_of(topmost))


def moves(motion: Motion | None) -> bool:
    """Whether a body can move."""
    return motion is not None and motion.type != "static"


def is_steady(draft: Draft, node: int, ancestor: int, animated: Collection[int]) -> bool:
    """Whether nothing animates a node against one above it, -1 for the scene."""
    for at in draft.upward(node):
        if at == ancestor:
            break
        if at in animated:
            return False
    return True
