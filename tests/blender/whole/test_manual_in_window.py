"""F1 by real keys in a Blender with a window; see manual_in_window.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.blender.support import manual_in_window
from tests.blender.support.screens import copy_project, run_in_window
from tools import environment
from tools.manual import local_pages

SECONDS = 1200  # At most; about one for each field on a computer that does nothing else.
SEED = "33"


def test_f1_opens_the_row_of_fields_and_operators(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder: Path = tmp_path_factory.mktemp("manual with a space")
    copy_project(folder, "tests")
    for name, data in local_pages.files(environment.ROOT / "docs" / "reference").items():
        path = folder / "omi_physics_addon" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    said = run_in_window(
        folder,
        "tests/blender/support/manual_in_window.py",
        "found.json",
        SEED,
        seconds=SECONDS,
        size=(800, 480),
    )
    assert (folder / "found.json").is_file(), said
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    assert {name: fault for name, fault in found.items() if fault} == {}
    assert len(found) == manual_in_window.FIELDS + manual_in_window.OPERATORS
