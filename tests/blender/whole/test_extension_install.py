"""The built zip in a real Blender: BLENDER, or `blender` on PATH; see programs.py.

BLENDER may hold a command with arguments. It is called from a folder that holds all it needs.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from omi_physics_addon.cli import main as cli
from tests.blender.support.gltf_files import read_glb, resolved
from tools import build_extension, environment, programs
from tools.programs import find_blender

SUPPORT = Path(__file__).resolve().parents[1] / "support"
EXAMPLE = environment.ROOT / "examples" / "shapes_and_bodies.blend"
GLTF = EXAMPLE.with_suffix(".glb")
SECONDS = 720


@pytest.fixture(scope="module")
def blender() -> list[str]:
    command = find_blender()
    if command is None:
        pytest.skip("no Blender here: set BLENDER to its command, or put blender on PATH")
    return command


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Everything that Blender is to see, and its settings, apart from those of the user."""
    folder = tmp_path_factory.mktemp("blender")
    for path in (EXAMPLE, GLTF, SUPPORT / "leftovers.py", SUPPORT / "extension_rounds.py"):
        shutil.copy(path, folder)
    build_extension.build(folder)
    (folder / "settings").mkdir()
    return folder


def run(blender: list[str], folder: Path, *arguments: str) -> str:
    """Call Blender; it must end well."""
    around = {**os.environ, "BLENDER_USER_RESOURCES": str(folder / "settings")}
    return programs.run([*blender, *arguments], folder, around, seconds=SECONDS)


@pytest.fixture(scope="module")
def result(blender, folder) -> dict[str, Any]:
    """What extension_rounds.py found out."""
    path = str(folder / build_extension.zip_name())
    run(blender, folder, "--command", "extension", "validate", path)
    options = ["--repo", "user_default", "--enable"]
    run(blender, folder, "--command", "extension", "install-file", *options, path)
    script, scene = str(folder / "extension_rounds.py"), str(folder / EXAMPLE.name)
    command = ("--command", "omi_physics")
    exported = str(folder / "exported.glb")
    commands = {
        "check": run(blender, folder, *command, "check", GLTF.name),
        "export": run(blender, folder, *command, "export", scene, exported),
        "help": run(blender, folder, *command, "fix", "--help"),
    }
    answer = folder / "answer.json"
    options = ["--background", "--python-exit-code", "1", "--python", script, "--"]
    said = run(blender, folder, *options, scene, str(answer))
    assert answer.is_file(), said
    return json.loads(answer.read_text(encoding="utf-8")) | {"commands": commands}


def test_installs_and_starts(result):
    assert result["enabled_after_installation"]
    assert len(result["rounds"]) == 2


def test_is_at_work_while_enabled(result):
    for row in result["rounds"]:
        assert "property Object.omi_physics" in row["found_while_enabled"]
        assert row["bodies"] == 17


def test_exports_what_the_module_exports(result, folder):
    shipped, _ = read_glb(EXAMPLE.with_suffix(".glb"))
    for row in result["rounds"]:
        exported, _ = read_glb(folder / row["output"])
        assert resolved(exported) == resolved(shipped)


def test_its_commands_are_those_of_the_program(result, folder, capsys):
    assert cli.main(["check", str(GLTF)]) == 0
    assert capsys.readouterr().out in result["commands"]["check"]
    shipped, _ = read_glb(GLTF)
    exported, _ = read_glb(folder / "exported.glb")
    assert resolved(exported) == resolved(shipped)
    assert "usage: blender --command omi_physics fix" in result["commands"]["help"]


def test_nothing_is_left_when_disabled(result):
    for row in result["rounds"]:
        assert not row["still_enabled"]
        assert row["left"] == []
