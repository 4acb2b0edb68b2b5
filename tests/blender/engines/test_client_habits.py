"""What we tell of Godot is what Godot does, and what we do not tell of works; see clients.py."""

from __future__ import annotations

import json

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues
from tests.blender.support.clients import Run, runner
from tests.support.godot_habits import HABITS


@pytest.fixture(scope="module")
def run() -> Run:
    return runner()


@pytest.mark.parametrize("name", HABITS)
def test_godot_does_what_is_told(name, run, tmp_path):
    habit = HABITS[name]
    written = rewriting.change(habit.json, Issues(), WriteOptions(target=engine_of("GODOT_4")))
    path = tmp_path / "habit.gltf"
    path.write_text(json.dumps(written.json), encoding="utf-8")
    answer = run("godot/load.mjs", path, "--seconds", "1")
    assert habit.seen({node["name"]: node for node in answer["nodes"]})
