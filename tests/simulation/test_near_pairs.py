"""The pairs that are found are those that comparing all with all finds."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.simulation.near_pairs import near_pairs


@pytest.mark.parametrize("seed", range(20))
def test_the_pairs_are_those_of_all_with_all(seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(0, 120))
    center = random.uniform(0, random.uniform(1, 30), (count, 3))
    half = random.exponential(1, (count, 3))
    low, high = center - half, center + half
    is_wanted = random.random(count) < random.random()
    found = [
        pair
        for pairs in near_pairs(low, high, is_wanted)
        for pair in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
    ]
    met = (low[:, None] <= high).all(axis=2) & (low <= high[:, None]).all(axis=2)
    met &= is_wanted[:, None] | is_wanted
    assert sorted(map(list, found)) == np.argwhere(np.triu(met, 1)).tolist()


def test_nobody_is_compared_with_whom_nobody_asks_about_any_more():
    count = 4000
    low = np.zeros((count, 3))
    is_wanted = np.arange(count) % 2 == 0
    looked_at = 0
    for pairs in near_pairs(low, low + 1.0, is_wanted):
        looked_at += pairs.number
        is_wanted[pairs.left] = is_wanted[pairs.right] = False
    assert looked_at < 10 * count
