"""The keys of files: one that cannot be read does not stop the others."""

import json
from pathlib import Path

from omi_physics_addon.cli.batch import plan


def keys(folder):
    return [task.key for task in plan.tasks("check", [str(folder)], folder / "out", ".glb", [], "")]


def test_a_name_that_is_too_long_has_a_key(tmp_path):
    gltf = {"asset": {"version": "2.0"}, "buffers": [{"uri": "n" * 300, "byteLength": 4}]}
    (tmp_path / "a.gltf").write_text(json.dumps(gltf))
    assert len(keys(tmp_path)) == 1


def test_a_file_that_must_not_be_read_has_a_key_until_it_may(tmp_path, monkeypatch):
    (tmp_path / "a.gltf").write_text("{}")
    readable = keys(tmp_path)

    def refuse(*_arguments, **_options):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        locked = keys(tmp_path)
    assert [len(locked), locked == readable, keys(tmp_path) == readable] == [1, False, True]


def test_the_state_of_what_has_no_possible_name_is_that_of_a_missing_file():
    assert plan.state_of("a\0b") == ""
