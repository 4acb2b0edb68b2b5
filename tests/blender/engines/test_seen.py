"""All that is visible in Blender is seen in Godot and Babylon.js, where it is in Blender.

As `python3 tools/pictures/seen.py --all` says it; two to three minutes for all scenes.
"""

from __future__ import annotations

from typing import NamedTuple

import bpy
import pytest

from tools import environment
from tools.engines.engine_clients import MissingError
from tools.pictures import seen, seen_babylon, seen_judge, seen_runs
from tools.pictures.seen_files import Box, Made

SCENES = seen.all_scenes()
SECONDS = 1800  # See tests/conftest.py for what it is for.


class Seen(NamedTuple):
    """What Blender, and then Godot have made of the scenes."""

    made: list[Made]
    boxes: dict[tuple[str, str], list[Box] | None]


@pytest.fixture(scope="module")
def pictured(_addon, tmp_path_factory) -> Seen:
    newest = environment.choose().bpy
    if bpy.app.version_string.rpartition(".")[0] != newest:
        pytest.skip(f"windows show the same for each bpy; they are tried with {newest} only")
    folder = tmp_path_factory.mktemp("seen")
    try:
        seen_runs.needed(pictures=True)
        made = seen_runs.blender(SCENES, folder, pictures=True)
        return Seen(made, seen_runs.godot(made, folder, pictures=True))
    except MissingError as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="module")
def refused(pictured: Seen) -> dict[str, str]:
    try:
        return seen_babylon.babylon(pictured.made, pictured.made[0].folder)
    except MissingError as problem:
        pytest.skip(str(problem))


@pytest.mark.parametrize("target", seen_runs.TARGETS)
def test_all_is_seen_after_the_import_of_the_editor(pictured: Seen, target: str) -> None:
    counts = seen_judge.count(
        pictured.made, {key: each for key, each in pictured.boxes.items() if key[1] == target}
    )
    assert counts.lines == []
    seen_now, of = counts.totals[target]
    assert seen_now == of >= 500


def test_pictures_of_godot_are_those_of_blender(pictured: Seen) -> None:
    assert seen_judge.compare(pictured.made, seen_runs.TARGETS[:1], {}, seen.KEPT) == []


def test_pictures_of_babylon_are_those_of_blender(pictured: Seen, refused: dict[str, str]) -> None:
    assert seen_judge.compare(pictured.made, [seen_babylon.TARGET], refused, seen.KEPT) == []


def test_godot_is_not_pictured_without_its_add_on(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("OMI_PHYSICS_CLIENTS", str(tmp_path))
    monkeypatch.setenv("GODOT", "false")
    with pytest.raises(MissingError, match="neither joints nor vehicles"):
        seen_runs.godot([], tmp_path, pictures=True)
