"""Sentences in narrow editors, of letters of every width."""

from __future__ import annotations

import pytest

from omi_physics_addon.blender.panels.texts import and_more, broken

CHINESE = "刚体没有碰撞体，因此会穿过 OMI_physics_body 的一切；添加碰撞体"  # noqa: RUF001


@pytest.mark.parametrize("width", [10, 24, 34])
def test_sentences_without_spaces_break_by_width(width):
    lines = broken(CHINESE, width)
    assert "".join(lines).replace(" ", "") == CHINESE.replace(" ", "")
    assert len(lines) > 1
    assert all(len(line.encode("gb18030")) <= max(width, 16) + 2 for line in lines)
    assert not any(line[0] in "，； " for line in lines)  # noqa: RUF001


def test_sentences_with_spaces_break_there():
    assert broken("a body falls through the floor", 14) == ["a body falls", "through the", "floor"]
    assert broken("", 14) == [""]


def test_long_lists_say_how_many_entries_are_left_out():
    assert and_more(3) == "… and 3 more"
