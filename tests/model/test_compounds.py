"""Which triggers below a node belong to it."""

from __future__ import annotations

import pytest

from omi_physics_addon.model.compounds import below, implied_nodes

TREE = [[1, 4], [2, 3], [], [], [5], []]


@pytest.mark.parametrize(
    ("start", "children", "stop", "order"),
    [
        (0, TREE, (), [1, 2, 3, 4, 5]),
        (1, TREE, (), [2, 3]),
        (2, TREE, (), []),
        (0, TREE, {1}, [1, 4, 5]),
        (0, TREE, {0, 4}, [1, 2, 3, 4]),
        (0, [[0]], (), []),
        (0, [[1], [2], [0, 1]], (), [1, 2]),
        (0, [[1, 1], [2], []], (), [1, 2]),
        (0, [[-1, 9, 10**30, 1], []], (), [1]),
    ],
    ids=[
        "all",
        "a branch",
        "a leaf",
        "a stop is among them",
        "the start is no stop",
        "own child",
        "cycle",
        "listed twice",
        "beyond the list",
    ],
)
def test_below(start, children, stop, order):
    assert list(below(start, children, stop)) == order


def test_below_a_very_long_chain():
    length = 100_000
    chain = [[i + 1] for i in range(length)] + [[]]
    assert sum(1 for _ in below(0, chain)) == length


@pytest.mark.parametrize(
    ("children", "triggers", "bodies", "nodes"),
    [
        (TREE, {2, 3, 5}, {0}, (2, 3, 5)),
        (TREE, {2, 3, 5}, {0, 1}, (5,)),
        (TREE, {1, 2, 5}, {0, 1}, (5,)),
        (TREE, set(), {0}, ()),
        ([[1], [0]], {0, 1}, {0}, (1,)),
    ],
    ids=["all below", "not those of a body", "not a body itself", "none", "cycle"],
)
def test_implied_nodes(children, triggers, bodies, nodes):
    assert implied_nodes(0, children, triggers, bodies) == nodes
