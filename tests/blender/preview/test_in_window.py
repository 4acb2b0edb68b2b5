"""The preview in a Blender with a window, by events as a person makes them; see in_window.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.blender.support import in_window
from tests.blender.support.screens import copy_project, run_in_window

SECONDS = 3000  # At most; about 15 for each case on two cores that others use, too.


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], str]:
    """What was wrong with each case, and what Blender said."""
    folder: Path = tmp_path_factory.mktemp("window")
    copy_project(folder, "tests")
    try:
        said = run_in_window(
            folder,
            "tests/blender/support/in_window.py",
            "found.json",
            seconds=SECONDS,
            size=(800, 480),  # The CPU draws; assets are listed in half of the width.
        )
    except RuntimeError as late:
        said = str(late)
    found = folder / "found.json"
    assert found.is_file(), said
    return json.loads(found.read_text(encoding="utf-8")), said


@pytest.mark.parametrize("name", in_window.CASES)
def test_case(name: str, results: tuple[dict[str, str], str]) -> None:
    found, said = results
    assert found.get(name, said) == ""
    assert "itself" not in found, found["itself"]


def test_it_ends_in_time(results: tuple[dict[str, str], str]) -> None:
    assert "took more than" not in results[1]
