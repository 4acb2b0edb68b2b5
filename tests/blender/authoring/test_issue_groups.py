"""Issues by what to do about them."""

from __future__ import annotations

import pytest

from omi_physics_addon.blender.authoring import fixes
from omi_physics_addon.blender.authoring.issue_groups import Group
from omi_physics_addon.files.fixes import IN_SCENES, scene_words
from omi_physics_addon.issue_codes import Severity


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        (("B24",), "B24, derived"),
        (("B19", "S20"), "B19, S20"),
        (("B25", "S20"), "B25, S20"),  # One of them stands in a specification.
    ],
)
def test_codes_say_when_no_specification_states_them(codes, text):
    assert Group(codes, Severity.WARNING, ()).rules == text


def test_every_action_has_its_words():
    own = {code for code, fix in fixes.FIXES.items() if fix.action}
    assert own == scene_words.WORDS.keys()
    assert {code: fix.words for code, fix in fixes.FIXES.items()} == IN_SCENES


def test_words_are_labels_and_sentences():
    for code, words in IN_SCENES.items():
        assert words.label[0].isupper(), code
        assert words.one.format(count=1) != words.many.format(count=2) or code == "X65", code
