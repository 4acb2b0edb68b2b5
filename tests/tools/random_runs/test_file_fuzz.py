"""A short run of tools/random_runs/file_fuzz.py, and that it tells faults."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.random_runs import file_fuzz, file_trips


def run(folder: Path, *more: str) -> int:
    options = file_fuzz.parser().parse_args(
        ["--seed", "11", "--minutes", "60", "--folder", str(folder), *more]
    )
    return len(file_fuzz.fuzz(options))


def test_damaged_files_bring_no_command_down(tmp_path, capsys):
    assert run(tmp_path, "--files", "25") == 0, capsys.readouterr().out
    assert capsys.readouterr().out == "25 files, 3 compared, 0 faults\n"


def test_the_same_seed_damages_in_the_same_way(tmp_path):
    texts: list[str] = []
    for _ in range(2):
        run(tmp_path, "--files", "1", "--first", "7")
        texts.append((tmp_path / "now.gltf").read_text())
    assert texts[0] == texts[1]


def broken(*_words: str) -> int:
    raise TypeError("it broke")


def too_quiet(*_words: str) -> int:
    sys.stdout.write("{}")
    return 0


@pytest.mark.parametrize(("command", "words"), [(broken, "it broke"), (too_quiet, "exitCode")])
def test_a_fault_is_told_once_and_its_file_is_kept(tmp_path, monkeypatch, capsys, command, words):
    monkeypatch.setattr(file_trips.cli, "main", command)
    assert run(tmp_path, "--files", "3") == 1
    said = capsys.readouterr().out
    assert words in said
    assert "3 files, 0 compared, 1 faults" in said
    assert json.loads((tmp_path / "fault_0.gltf").read_text()) is not None


def swallows() -> None:
    """Take time, as a host does that swallows errors in what it calls."""
    with file_fuzz.bounded("check"), contextlib.suppress(Exception):
        while True:
            pass


def test_a_step_that_takes_too_long_is_told(monkeypatch):
    monkeypatch.setattr(file_fuzz, "SECONDS", 0.05)
    with pytest.raises(file_fuzz.SlowError, match="check took"):
        swallows()


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux tells the peak")
def test_a_step_that_takes_too_much_memory_is_told(monkeypatch):
    monkeypatch.setattr(file_fuzz, "MEMORY", 10**7)
    with pytest.raises(file_fuzz.LargeError, match="import took"), file_fuzz.bounded("import"):
        _held = bytearray(b"x") * 10**8  # More than freed memory is used again for.


BODY = {"extensions": {"OMI_physics_body": {"motion": {"type": "dynamic"}}}, "name": "node-000"}


@pytest.mark.parametrize("told", [True, False])
def test_physics_that_is_lost_without_an_issue_is_told(tmp_path, told):
    before, after = tmp_path / "before.gltf", tmp_path / "after.gltf"
    file = {"asset": {"version": "2.0"}, "extensionsUsed": ["OMI_physics_body"]}
    before.write_text(json.dumps({**file, "nodes": [BODY]}))
    after.write_text(json.dumps({**file, "nodes": [{"name": "node-000"}]}))
    issue = {"pointer": "/nodes/0", "message": "it is left out"}
    if told:
        assert file_trips.must_say_the_same(before, after, [issue], 1e-5)
    else:
        with pytest.raises(file_trips.LostError, match="node-000"):
            file_trips.must_say_the_same(before, after, [], 1e-5)


MOVED = {"name": "node-000 mesh", "mesh": 0, "weights": [0.5]}


@pytest.mark.parametrize(("child", "is_lost"), [(MOVED, False), ({**MOVED, "mesh": 1}, True)])
def test_a_mesh_that_moves_to_a_child_is_not_lost(tmp_path, child, is_lost):
    before, after = tmp_path / "before.gltf", tmp_path / "first.gltf"
    meshes = [{"primitives": [], "weights": [0.0]}, {"primitives": []}]
    channel = {"sampler": 0, "target": {"node": 0, "path": "weights"}}
    file = {"asset": {"version": "2.0"}, "extensionsUsed": ["OMI_physics_body"], "meshes": meshes}
    before.write_text(json.dumps({**file, "nodes": [{**BODY, "mesh": 0, "weights": [0.5]}],
                                  "animations": [{"channels": [channel]}]}))  # fmt: skip
    channel = {**channel, "target": {"node": 1, "path": "weights"}}
    after.write_text(json.dumps({**file, "nodes": [{**BODY, "children": [1]}, child],
                                 "animations": [{"channels": [channel]}]}))  # fmt: skip
    if is_lost:
        with pytest.raises(file_trips.LostError, match="nodes is not as it was"):
            file_trips.must_say_the_same(before, after, [], 1e-5)
    else:
        assert file_trips.must_say_the_same(before, after, [], 1e-5)


def test_a_process_that_dies_costs_its_file_only(tmp_path, monkeypatch, capfd):
    options = file_fuzz.parser().parse_args(
        ["--seed", "11", "--folder", str(tmp_path), "--files", "2", "--minutes", "60"]
    )
    real: Any = subprocess.Popen

    def dies_first(words: list[str], **more: Any) -> Any:
        if words[words.index("--first") + 1] == "0":
            (tmp_path / "number").write_text("0")
            (tmp_path / "now.gltf").write_text("{}")
            return real([sys.executable, "-c", "import os; os.abort()"], **more)
        return real(words, **more)

    monkeypatch.setattr(file_fuzz.subprocess, "Popen", dies_first)
    assert not file_fuzz.watch(options)
    said = capfd.readouterr().out
    assert "its process ended with -6" in said
    assert "1 files" in said
