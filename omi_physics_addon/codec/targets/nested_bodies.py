"""Puts bodies that are below moving bodies beside them, for engines that move a child with both."""

from __future__ import annotations

from collections.abc import Collection

from ...model.bodies import Motion
from ..convert.draft import Draft


def free(draft: Draft, animated: Collection[int]) -> None:
    """Hang bodies below moving bodies where the topmost of these hangs; all stay in their places.

    Args:
        animated: nodes that animations move; bodies that these carry along stay below.
    """
    for node, physics in draft.nodes():
        if not moves(physics.motion):
            continue
        movers = [at for at in draft.upward(node) if at != node and moves(draft.of(at).motion)]
        if movers and is_steady(draft, node, -1, animated):
            draft.move_node(node, draft.parent_of(movers[-1]))


def moves(motion: Motion | None) -> bool:
    """Whether a body can move."""
    return motion is not None and motion.type != "static"


def is_steady(draft: Draft, node: int, ancestor: int, animated: Collection[int]) -> bool:
    """Whether nothing animates a node against one above it, -1 for the scene."""
    while node not in (-1, ancestor):
        if node in animated:
            return False
        node = draft.parent_of(node)
    return True
