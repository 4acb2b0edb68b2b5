"""What travels between files does so in the newest Blender, of which there is no module.

The tests of bpy run once more inside of the Blender that is installed; see inside_blender.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.blender.support.screens import blender, copy_project
from tools import programs

SECONDS = 2400  # At most; about 60 on two cores that others use, too.
TESTS = {
    "whole/test_travel.py": 100,  # Ways to another file, by the examples, and more.
    "whole/test_saved_before.py": 16,
    "host/test_animated_physics.py": 10,
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What was wrong with each test."""
    command = blender()
    folder: Path = tmp_path_factory.mktemp("installed")
    copy_project(folder, "tests", "examples")
    script = "tests/blender/support/inside_blender.py"
    words = [*command, "--background", "--factory-startup", "--python", script]
    words += ["--", "found.json", *(f"tests/blender/{name}" for name in TESTS)]
    said = programs.run(words, folder, seconds=SECONDS, may_fail=True)
    path = folder / "found.json"
    assert path.is_file(), said
    results = json.loads(path.read_text(encoding="utf-8"))
    if not results:
        pytest.skip("the Python of this Blender has no pytest")
    return results


@pytest.mark.parametrize("name", TESTS)
def test_they_pass_there(name: str, found: dict[str, str]) -> None:
    results = {test: wrong for test, wrong in found.items() if f"/{name}::" in test}
    assert len(results) >= TESTS[name]
    assert [f"{test}\n{wrong}" for test, wrong in results.items() if wrong] == []
