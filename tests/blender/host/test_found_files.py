"""Files that a random run found something with: Blender takes them in and writes them again."""

from __future__ import annotations

import random

import pytest

from tests.support.documents import DATA
from tools.random_runs import file_fuzz, file_trips

FOUND = sorted((DATA / "found" / "files").glob("*.gltf"))


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_nothing_is_lost_in_silence(path, tmp_path):
    there = tmp_path / path.name
    there.write_bytes(path.read_bytes())
    for seed in range(4):  # Of the family that is written.
        file_trips.through_blender(file_fuzz.bounded, random.Random(seed), there)
