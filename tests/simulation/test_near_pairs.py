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


@pytest.mark.parametrize("axes", [2, 3])
def test_sixteen_times_the_boxes_are_sixteen_times_the_pairs_to_look_at(axes):
    """Side by side in a square or a cube, above a floor without an end."""

    def looked_at(count):
        side = round(count ** (1 / axes))
        low = np.zeros((side**axes + 1, 3))
        low[1:, :axes] = 1.5 * np.argwhere(np.ones((side,) * axes))
        high = low + 1.0
        low[0], high[0] = -1e9, (1e9, 1e9, 0.5)
        return sum(pairs.number for pairs in near_pairs(low, high, np.ones(len(low), dtype=bool)))

    assert looked_at(8000) < 1.5 * 16 * looked_at(500)


@pytest.mark.parametrize("count", [1, 2, 12])
@pytest.mark.parametrize("far", [1e308, np.inf, np.nan])
def test_boxes_without_an_end_or_without_a_place_end_the_search(far, count):
    """Found in a check that never ended: extents without a number made columns without end."""
    low = np.repeat(10.0 * np.arange(count, dtype=float)[:, None], 3, axis=1)
    high = low + 1.0
    low[0], high[0] = -far, far
    pairs = list(near_pairs(low, high, np.ones(count, dtype=bool)))
    found = [pair for each in pairs for pair in zip(each.left, each.right, strict=True)]
    nobody = np.isnan(far)
    assert sorted(found) == ([] if nobody else [(0, other) for other in range(1, count)])
