"""A short run of tools/random_runs/file_fuzz.py, and that it tells faults."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tools.random_runs import file_fuzz


def run(folder: Path, *more: str) -> int:
    options = file_fuzz.parser().parse_args(["--seed", "11", "--folder", str(folder), *more])
    return len(file_fuzz.fuzz(options))


def test_damaged_files_bring_no_command_down(tmp_path, capsys):
    assert run(tmp_path, "--files", "25") == 0, capsys.readouterr().out
    assert capsys.readouterr().out == "25 files, 0 faults\n"


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
    monkeypatch.setattr(file_fuzz.cli, "main", command)
    assert run(tmp_path, "--files", "3") == 1
    said = capsys.readouterr().out
    assert words in said
    assert "3 files, 1 faults" in said
    assert json.loads((tmp_path / "fault_0.gltf").read_text()) is not None
