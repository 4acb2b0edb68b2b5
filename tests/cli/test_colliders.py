"""The sub-command `colliders`: its options, a folder of files, and what it tells programs."""

from __future__ import annotations

import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from omi_physics_addon.cli import jobs, main
from omi_physics_addon.codec.gltf import containers
from tests.cli.test_printing import VALIDATOR
from tools import environment

EXAMPLE = environment.ROOT / "examples" / "khr.glb"


@pytest.mark.skipif(find_spec("bpy") is None or os.name == "nt", reason="needs bpy and a shell")
def test_a_folder_is_done_with_its_errors_told(tmp_path, capsys):
    source, into = tmp_path / "in", tmp_path / "out"
    (source / "deep").mkdir(parents=True)
    shutil.copy(EXAMPLE, source / "deep" / "a.glb")
    (source / "broken.glb").write_bytes(b"no glTF")
    before = {path: path.read_bytes() for path in source.rglob("*.glb")}
    words = ["colliders", str(source), str(into), "--fit", "sphere", "--only", "Flywheel"]
    code = main.main([*words, "--replace", "--json"])
    told = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(told)
    assert (code, told["command"], told["exitCode"]) == (1, "colliders", 1)
    broken, done = told["report"]["files"]
    assert broken["exitCode"] == 2
    assert "broken.glb" in broken["error"]
    assert done["report"]["fitted"] == [{"object": "Flywheel", "shapes": ["sphere"]}]
    gltf = containers.read((into / "deep" / "a.glb").read_bytes()).json
    assert "Flywheel" in {node.get("name") for node in gltf["nodes"]}
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.skipif(find_spec("bpy") is None or os.name == "nt", reason="needs bpy and a shell")
def test_meshes_get_voxels_few_triangles_or_a_shape_for_each_material(tmp_path, capsys):
    into = tmp_path / "out.glb"
    for words, shapes in (
        (["--fit", "voxels", "--cells", "2"], {"box"}),
        (["--fit", "trimesh", "--triangles", "8"], {"trimesh"}),
        (["--materials", "--fit", "box"], {"box"}),
    ):
        line = ["colliders", str(EXAMPLE), str(into), "--only", "Flywheel", "--replace", "--json"]
        assert main.main([*line, *words]) == 0
        (fitted,) = json.loads(capsys.readouterr().out)["report"]["fitted"]
        assert set(fitted["shapes"]) == shapes
        gltf = containers.read(into.read_bytes()).json
        counts = [
            gltf["accessors"][part["indices"]]["count"] // 3
            for mesh in gltf["meshes"]
            for part in mesh["primitives"]
        ]
        assert (min(counts) <= 8) == ("trimesh" in shapes)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["in.obj", "out.glb"], "in.obj: the name must end in .blend, .glb or .gltf"),
        (["none.glb", "out.glb"], "there is no file none.glb"),
        (["in.glb", "out.obj"], "the name must end in .glb or .gltf"),
        (["in.glb", "in.glb"], "in.glb is the file that is read"),
        (["in.glb", "out.glb", "--tolerance", "nan"], "--tolerance must be a number"),
        (["in.glb", "out.glb", "--mass", "-1"], "--mass must be a number"),
        (["in.glb", "out.glb", "--fit", "box", "--vertices", "9"], "not for box"),
        (["in.glb", "out.glb", "--vertices", "7"], "--vertices must be 8 to 256"),
        (["in.glb", "out.glb", "--cells", "9"], "--cells is for --fit voxels, not for simplest"),
        (["in.glb", "out.glb", "--fit", "voxels", "--cells", "65"], "--cells must be 1 to 64"),
        (
            ["in.glb", "out.glb", "--fit", "box", "--triangles", "9"],
            "for --fit trimesh, not for box",
        ),
        (["in.glb", "out.glb", "--fit", "trimesh", "--triangles", "3"], "--triangles must be 4 to"),
        (["in.glb", "out.glb", "--body", "none", "--mass", "1"], "--body none makes none"),
        ([".", "out", "--vertices", "7"], "--vertices must be 8 to 256"),
    ],
)
def test_what_is_wrong_is_told_before_blender_starts(tmp_path, monkeypatch, capsys, words, why):
    monkeypatch.chdir(tmp_path)
    Path("in.glb").touch()
    assert main.main(["colliders", *words]) == jobs.BAD_INPUT
    assert why in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.glb"]
