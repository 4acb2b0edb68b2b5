"""The scenes whose pictures are compared have what they are said to have."""

from collections import Counter

import bpy
import pytest

from tools.pictures import seen_scenes, seen_worker

PAIRS = seen_scenes.choose()


def test_there_are_enough_and_every_feature_is_in_two():
    assert len({pair.name for pair in PAIRS}) == len(PAIRS) >= 40
    counts = Counter(w for pair in PAIRS if pair != seen_scenes.THROWN for w in pair.words)
    assert set(counts) == {*seen_scenes.THINGS, *seen_scenes.HOLDERS}
    assert min(counts.values()) >= 2, counts


def test_they_are_the_same_every_time():
    assert seen_scenes.choose() == PAIRS


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_all_that_is_seen_has_a_number_and_a_box(pair):
    seen_scenes.fill(pair)
    names = seen_worker.number()
    boxes = list(seen_worker.shown())
    assert {box["name"] for box in boxes} <= set(names)
    assert len(boxes) >= 1 + len(pair.things)
    has = [obj for obj in bpy.data.objects if obj.omi_physics.use_motion]
    assert len(has) >= 1
