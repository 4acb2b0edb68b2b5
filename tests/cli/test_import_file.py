"""The sub-command `import`, and `inspect` of what Blender wrote, with the add-on itself."""

from __future__ import annotations

import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from omi_physics_addon.cli import jobs, main
from tests.cli.test_printing import VALIDATOR
from tools import environment

CRATES = environment.ROOT / "docs" / "commands" / "crates.gltf"
JOINTS = environment.ROOT / "examples" / "joints.glb"
needs_bpy = pytest.mark.skipif(
    find_spec("bpy") is None or os.name == "nt", reason="needs bpy and a shell"
)


def told(capsys, *words):
    code = main.main([*map(str, words), "--json"])
    found = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(found)
    assert found["exitCode"] == code
    return found


@needs_bpy
def test_a_file_goes_there_and_back(tmp_path, capsys):
    blend, again = tmp_path / "joints.blend", tmp_path / "again.glb"
    found = told(capsys, "import", JOINTS, blend)
    assert (found["command"], found["exitCode"]) == ("import", 0)
    assert found["report"]["counts"]["joint"] == 7
    assert main.main(["export", str(blend), str(again), "--quiet"]) == jobs.DONE
    assert main.main(["diff", str(JOINTS), str(again), "--quiet"]) == jobs.DONE


@needs_bpy
def test_what_is_wrong_is_told_and_the_file_is_whole(tmp_path, capsys):
    blend = tmp_path / "crates.blend"
    blend.write_bytes(b"before")
    issues = told(capsys, "import", CRATES, blend)["report"]["issues"]
    assert [issue["code"] for issue in issues] == ["B05"]
    assert blend.stat().st_size > 1000
    assert [path.name for path in tmp_path.iterdir()] == ["crates.blend"]
    own = told(capsys, "inspect", blend)["report"]
    other = told(capsys, "inspect", CRATES)["report"]
    assert own["families"] == other["families"] == ["OMI"]
    assert own["counts"] == other["counts"]
    assert own["cost"] == other["cost"]


@needs_bpy
def test_a_file_without_physics_is_read(tmp_path, capsys):
    source = tmp_path / "empty.gltf"
    source.write_text('{"asset": {"version": "2.0"}, "scenes": [{}], "scene": 0}')
    found = told(capsys, "import", source, tmp_path / "empty.blend")
    assert (found["exitCode"], found["report"]["issues"]) == (0, [])
    assert (tmp_path / "empty.blend").is_file()


@needs_bpy
def test_a_broken_file_leaves_the_old_one(tmp_path, capsys):
    (tmp_path / "bad.glb").write_bytes(b"no glTF")
    (tmp_path / "out.blend").write_bytes(b"before")
    found = told(capsys, "import", tmp_path / "bad.glb", tmp_path / "out.blend")
    assert found["exitCode"] == 2
    assert "bad.glb" in found["error"]
    assert (tmp_path / "out.blend").read_bytes() == b"before"
    found = told(capsys, "inspect", tmp_path / "out.blend")
    assert (found["exitCode"], found["report"]) == (2, None)
    assert "out.blend" in found["error"]


@needs_bpy
def test_many_files_are_imported_by_batch(tmp_path, capsys):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    shutil.copy(JOINTS, tmp_path / "in" / "deep")
    shutil.copy(CRATES, tmp_path / "in")
    into = tmp_path / "out"
    found = told(capsys, "batch", "import", tmp_path / "in", "--into", into, "--quiet")
    assert found["report"]["counts"] == {"files": 2, "failed": 0}
    files = {str(path.relative_to(into)) for path in into.rglob("*.blend")}
    assert files == {"crates.blend", str(Path("deep") / "joints.blend")}
    assert not list(into.rglob("*.gltf"))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["in.obj", "out.blend"], "in.obj: the name must end in .glb or .gltf"),
        (["none.glb", "out.blend"], "there is no file none.glb"),
        (["in.glb", "out.glb"], "out.glb: the name must end in .blend"),
        (["in.glb", "no/out.blend"], "there is no folder"),
    ],
)
def test_what_is_wrong_is_told_before_blender_starts(tmp_path, monkeypatch, capsys, words, why):
    monkeypatch.chdir(tmp_path)
    Path("in.glb").touch()
    assert main.main(["import", *words]) == jobs.BAD_INPUT
    assert why in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["in.glb"]
