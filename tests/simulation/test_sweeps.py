"""Ways of points, and what they come near to and go through."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.simulation.sweeps import comes_near, depth_behind, near_pairs

SQUARE = np.array([[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 1.0, 1.0], [0.0, -1.0, 1.0]])
TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]])


def test_ways_come_near_where_their_nearest_point_does():
    starts = np.array([[-2.0, 0.5, 0.0], [-2.0, 0.5, 0.0], [-2.0, 0.5, 0.0]])
    ways = np.array([[4.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    for reach, near in ((0.6, True), (0.5, True), (0.4, False)):  # A touch counts.
        assert comes_near(starts, ways, np.full(3, reach)).tolist() == [near, False, False]


@pytest.mark.parametrize(
    ("start", "way", "depth"),
    [
        ((-1.0, 0.2, 0.1), (3.0, 0.0, 0.0), 2.0),
        ((1.0, 0.2, 0.1), (-3.0, 0.0, 0.0), 2.0),  # From behind.
        ((-1.0, 0.0, 0.3), (2.0, 1.0, 0.0), 1.0),  # Aslant.
        ((-1.0, 0.2, 0.1), (0.5, 0.0, 0.0), 0.0),  # Too short.
        ((-1.0, 2.0, 0.0), (3.0, 0.0, 0.0), 0.0),  # Beside.
        ((0.0, -2.0, 0.0), (0.0, 4.0, 0.0), 0.0),  # In its plane.
    ],
)
def test_depth_behind_triangles(start, way, depth):
    found = depth_behind(np.array(start), np.array(way), SQUARE, TRIANGLES)
    assert found == pytest.approx(depth)


def test_near_pairs_have_all_that_are_near():
    random = np.random.default_rng(2)
    starts, others = random.uniform(-5, 5, (200, 3)), random.uniform(-5, 5, (300, 3))
    ends, moved = starts + random.normal(size=(200, 3)), others + 0.3 * random.normal(size=(300, 3))
    reach, far = random.uniform(0.1, 0.3, 200), random.uniform(0.1, 0.5, 300)
    far[:2] = 20.0
    left, right = near_pairs((starts, ends, reach), (others, moved, far))
    found = set(zip(left.tolist(), right.tolist(), strict=True))
    assert len(found) == len(left) < 0.5 * 200 * 300
    every = np.argwhere(np.ones((200, 300)))
    i, j = every.T
    way = (ends - starts)[i] - (moved - others)[j]
    near = comes_near(starts[i] - others[j], way, reach[i] + far[j])
    assert {tuple(pair) for pair in every[near].tolist()} <= found


def test_nothing_is_near_nothing():
    nothing = (np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0))
    one = (np.zeros((1, 3)), np.ones((1, 3)), np.ones(1))
    assert [len(rows) for rows in near_pairs(nothing, one)] == [0, 0]
    assert [len(rows) for rows in near_pairs(one, nothing)] == [0, 0]
