"""Every handle, dragged by events as a person makes them; see handles_in_window.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.blender.support import handle_scenes
from tests.blender.support.screens import copy_project, run_in_window

SECONDS = 2400  # At most; about one for each handle on a computer that does nothing else.


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, dict[str, str]], str]:
    """What was wrong with each handle of each scene, and what Blender said."""
    folder: Path = tmp_path_factory.mktemp("handles")
    copy_project(folder, "tests")
    try:
        said = run_in_window(
            folder,
            "tests/blender/support/handles_in_window.py",
            "found.json",
            seconds=SECONDS,
            size=(560, 460),
        )
    except RuntimeError as late:
        said = str(late)
    found = folder / "found.json"
    assert found.is_file(), said
    return json.loads(found.read_text(encoding="utf-8")), said


def test_symbols_are_clicked(results: tuple[dict[str, dict[str, str]], str]) -> None:
    found, said = results
    assert found.get("symbols", {"click": said}) == {"click": ""}


@pytest.mark.parametrize("name", handle_scenes.SCENES)
def test_handles_are_dragged(name: str, results: tuple[dict[str, dict[str, str]], str]) -> None:
    found, said = results
    assert "itself" not in found, found["itself"]
    wrong = {key: error for key, error in found.get(name, {"scene": said}).items() if error}
    assert wrong == {}


def test_it_ends_in_time(results: tuple[dict[str, dict[str, str]], str]) -> None:
    assert "took more than" not in results[1]
