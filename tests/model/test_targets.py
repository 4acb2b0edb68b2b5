"""Whom files are written for is the same everywhere."""

from __future__ import annotations

from omi_physics_addon.codec.targets.engines import ENGINES
from omi_physics_addon.model.targets import TARGETS, word_of


def test_every_target_has_one_word():
    assert [word_of(target) for target in TARGETS.values()] == [*TARGETS]


def test_all_but_the_specification_are_engines():
    assert [*ENGINES] == [*TARGETS.values()][1:]
