"""Files that a random run found something with: no command loses anything of them any more."""

from __future__ import annotations

import random
import shutil

import pytest

from tests.support.documents import DATA
from tools.random_runs import file_fuzz, file_trips

FOUND = sorted((DATA / "found" / "files").glob("*.gltf"))
SEEDS = range(8)  # Of the options that the commands get: each family, engines and forms.


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_nothing_is_lost_in_silence(path, tmp_path):
    there = tmp_path / path.name
    shutil.copy(path, there)
    compared = [
        file_trips.through_commands(file_fuzz.bounded, random.Random(seed), there) for seed in SEEDS
    ]
    assert any(compared)
