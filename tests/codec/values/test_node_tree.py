"""Places and scales of nodes, from their own matrices and those above."""

from __future__ import annotations

import itertools

import pytest

from omi_physics_addon.codec.values.node_tree import IDENTITY, Tree
from tests.codec.convert.test_family_conversion import tree

# A child below a child, and one beside them.
CHILDREN = [[1], [2], [], []]


@pytest.mark.parametrize(
    ("sized", "may_be"),
    [
        (None, [True, True, True, True]),
        ([], [False, False, False, False]),
        ([0], [True, True, True, False]),
        ([1], [False, True, True, False]),
        ([3], [False, False, False, True]),
    ],
)
def test_what_may_be_scaled_is_at_or_below_what_may_scale(sized, may_be):
    made = Tree(CHILDREN, [None] * 4, sized=sized)
    assert [made.may_be_scaled(node) for node in (2, 1, 0, 3)] == [
        may_be[node] for node in (2, 1, 0, 3)
    ]


@pytest.mark.parametrize(
    ("children", "above"), [([[1], [2], []], [2, 1, 0]), ([[1], [2], [0]], [2, 1, 0]), ([[0]], [0])]
)
def test_the_way_up_ends_at_the_top_or_where_it_began(children, above):
    made = Tree(children, [None] * len(children))
    assert list(itertools.islice(made.upward(len(children) - 1), 9)) == above


def test_translations_add_up_and_what_is_none_counts_for_nothing():
    made = tree(
        {"children": [1, 2, 3], "translation": [1, 2.5, 3]},
        {"translation": [1, 1, 1]},
        {"translation": [1, 1]},
        {"translation": [True, 1, 1]},
    )
    places = [made.world(node)[12:15] for node in range(4)]
    assert places == [(1.0, 2.5, 3.0), (2.0, 3.5, 4.0), (1.0, 2.5, 3.0), (1.0, 2.5, 3.0)]
    assert made.world(0)[:12] == IDENTITY[:12]
