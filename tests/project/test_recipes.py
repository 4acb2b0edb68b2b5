"""The recipes for servers say what the program does."""

from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from omi_physics_addon.cli import main
from tools import environment

ROOT = environment.ROOT
OURS = ROOT / ".github" / "workflows" / "examples.yml"
COPIED = ROOT / "docs" / "recipes" / "check_assets.yml"
PAGE = ROOT / "docs" / "recipes" / "README.md"


def commands(path: Path) -> list[str]:
    """The commands of ours in a file, as a shell reads them; Blender is not needed for `check`."""
    found = re.findall(r"^(?:\s*- run: )?(omi-physics .*)$", path.read_text(), re.MULTILINE)
    assert found
    return found


def run(command: str) -> int:
    names = dict(re.findall(r"^  ([A-Z]+): (\S+)", COPIED.read_text(), re.MULTILINE))
    for name, value in names.items():
        command = command.replace(f"${name}", value)
    words = [found for word in shlex.split(command)[1:] for found in glob.glob(word) or [word]]
    return main.main(words)


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with assets, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assets").mkdir()
    shutil.copy(ROOT / "examples" / "joints.glb", tmp_path / "assets" / "crate.glb")
    shutil.copy(ROOT / "examples" / "khr.glb", tmp_path / "before.glb")
    return tmp_path


@pytest.mark.parametrize("path", [OURS, COPIED, PAGE], ids=lambda path: path.name)
def test_every_command_has_the_options(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in commands(path):
        words = shlex.split(command)[1:]
        with pytest.raises(SystemExit) as ended:
            main.main([words[0], "--help"])
        assert ended.value.code == 0
        said = capsys.readouterr().out
        assert [word for word in words if word.startswith("--") and word not in said] == []


def test_assets_are_checked(assets: Path) -> None:
    (command,) = commands(COPIED)
    assert run(command) == 0
    assert (assets / "physics_report" / "batch.html").is_file()
    (assets / "assets" / "crate.glb").write_bytes(b"glTF")
    assert run(command) in (1, 2)


def test_a_review_sees_what_changed(assets: Path) -> None:
    (command,) = [each for each in commands(PAGE) if " diff " in each]
    assert run(command) == 1
    assert "<html" in (assets / "crate.html").read_text(encoding="utf-8")


def test_our_examples_are_checked(assets: Path) -> None:
    (command,) = [each for each in commands(OURS) if " check " in each]
    shutil.copytree(ROOT / "examples", assets / "examples")
    assert run(command) == 0
    assert os.path.isfile(assets / "checked" / "batch.xml")
