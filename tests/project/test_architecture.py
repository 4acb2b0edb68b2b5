"""The page about the architecture shows the package as it is."""

from __future__ import annotations

import re

import pytest

from tools import architecture

TEXT = architecture.PAGE.read_text(encoding="utf-8")
# Paths are below the project, the package, or one of its folders, as the sentence has it.
PLACES = (
    architecture.ROOT,
    architecture.PACKAGE,
    architecture.PACKAGE / "blender",
    architecture.PACKAGE / "blender" / "preview",
    architecture.PACKAGE / "blender" / "preview" / "bodies",
)


def test_the_drawing_is_that_of_the_package():
    assert architecture.with_drawing(TEXT) == TEXT


def test_no_arrow_points_up():
    assert TEXT.count(" 0 of them upward") == len(architecture.DRAWN)


def test_rooms_in_a_circle_are_told():
    with pytest.raises(architecture.CircleError, match="one -> two -> one"):
        architecture.floors({"one": {"two": 1}, "two": {"one": 1}})


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_/]+\.(?:py|md))`", TEXT))))
def test_paths_exist(name):
    assert any((place / name).is_file() for place in PLACES), name
