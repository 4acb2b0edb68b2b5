"""Convex decomposition with a window: how far it is, Esc, undo; see cuts_in_window.py."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from tests.blender.support.screens import copy_project, run_in_window

SECONDS = 1200  # At most; about 20.


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What was wrong with each case."""
    spec = importlib.util.find_spec("coacd")
    assert spec is not None
    assert spec.origin is not None
    folder: Path = tmp_path_factory.mktemp("cuts")
    copy_project(folder, "tests")
    for part in Path(spec.origin).parents[1].glob("coacd*"):  # And the libraries that it needs.
        shutil.copytree(part, folder / "library" / part.name)
    script = "tests/blender/support/cuts_in_window.py"
    said = run_in_window(folder, script, "found.json", seconds=SECONDS, size=(800, 600))
    found = folder / "found.json"
    assert found.is_file(), said
    return json.loads(found.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["esc_leaves_no_trace", "hulls_come_as_one_step_of_undo"])
def test_it_is_cut_in_a_window(name: str, results: dict[str, str]) -> None:
    assert "itself" not in results, results["itself"]
    assert results[name] == ""
