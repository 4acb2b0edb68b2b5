"""The sub-command `simulate`, with the add-on itself."""

import base64
import csv
import json
import os
import struct
import subprocess
import sys
from importlib.util import find_spec

import pytest

from omi_physics_addon.cli import jobs
from tools import environment, omi_physics

needs_bpy = pytest.mark.skipif(
    find_spec("bpy") is None or os.name == "nt", reason="needs bpy and a shell"
)
GLTF = {
    "asset": {"version": "2.0"},
    "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
    "scene": 0,
    "scenes": [{"nodes": [0, 1]}],
    "nodes": [
        {
            "name": "Ball",
            "translation": [1, 5, 2],
            "extensions": {
                "OMI_physics_body": {"motion": {"type": "dynamic"}, "collider": {"shape": 0}}
            },
        },
        {
            "name": "Zone",
            "translation": [1, 4, 2],
            "extensions": {"OMI_physics_body": {"trigger": {"shape": 0}}},
        },
    ],
    "extensions": {
        "OMI_physics_shape": {"shapes": [{"type": "sphere", "sphere": {"radius": 0.25}}]}
    },
}


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "falling.gltf"
    path.write_text(json.dumps(GLTF))
    return path


@pytest.fixture
def run(tmp_path):
    """Run the command with this Python in the place of Blender."""
    blender = tmp_path / "blender"
    blender.write_text(
        '#!/bin/sh\nwhile [ "$1" != "--python" ]; do shift; done\nshift\n'
        f'exec "{sys.executable}" "$@"\n'
    )
    blender.chmod(0o755)

    def started(*arguments):
        command = [sys.executable, environment.ROOT / "tools" / "omi_physics.py", "simulate"]
        command += [*arguments, "--blender", blender]
        return subprocess.run([*map(str, command)], capture_output=True, text=True)

    return started


@needs_bpy
def test_a_gltf_file_is_played_and_recorded(run, source, tmp_path):
    out = tmp_path / "poses.json"
    done = run(source, "--out", out, "--seconds", "1", "--json")
    assert (done.returncode, done.stderr) == (jobs.DONE, "")
    told = json.loads(done.stdout)
    assert told["output"] == str(out)
    assert (told["report"]["bodies"], told["report"]["frames"]) == (1, 61)
    data = json.loads(out.read_text(encoding="utf-8"))
    ball = data["bodies"][0]
    assert ball["name"] == "Ball"
    assert ball["position"][0] == pytest.approx([1.0, 5.0, 2.0], abs=1e-6)
    assert ball["position"][60] == pytest.approx([1.0, 5.0 - 9.81 / 2.0, 2.0], abs=0.03)
    assert ball["linearVelocity"][60] == pytest.approx([0.0, -9.81, 0.0], abs=0.05)
    assert ball["rotation"][60] == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-6)
    events = [(one["body"], one["trigger"], one["entered"]) for one in data["events"]]
    assert events == [("Ball", "Zone", True), ("Ball", "Zone", False)]
    assert data["events"][0]["time"] == pytest.approx((2 * 0.5 / 9.81) ** 0.5, abs=0.04)


@needs_bpy
def test_animations_begin_at_their_start(run, tmp_path):
    """A lift that rises by 1 m/s from the time 0 on."""
    numbers = struct.pack("<8f", 0.0, 1.0, *(0.0, 0.0, 0.0), *(0.0, 1.0, 0.0))
    data = base64.b64encode(numbers).decode()
    motion = {"motion": {"type": "kinematic"}, "collider": {"shape": 0}}
    gltf = {
        **GLTF,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Lift", "extensions": {"OMI_physics_body": motion}}],
        "buffers": [
            {"byteLength": 32, "uri": f"data:application/octet-stream;base64,{data}"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 8},
            {"buffer": 0, "byteOffset": 8, "byteLength": 24},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"}
            | {"min": [0.0], "max": [1.0]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"},
        ],
        "animations": [
            {
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                "samplers": [{"input": 0, "output": 1, "interpolation": "LINEAR"}],
            }
        ],
    }
    (tmp_path / "lift.gltf").write_text(json.dumps(gltf))
    out = tmp_path / "poses.json"
    assert run(tmp_path / "lift.gltf", "--out", out, "--seconds", "0.5").returncode == jobs.DONE
    heights = [place[1] for place in json.loads(out.read_text())["bodies"][0]["position"]]
    assert (heights[0], heights[30]) == pytest.approx((0.0, 0.5), abs=1e-4)


@needs_bpy
def test_who_passes_through_something_is_told(run, tmp_path):
    gltf = json.loads(json.dumps(GLTF))
    gltf["nodes"][0]["extensions"]["OMI_physics_body"]["motion"]["linearVelocity"] = [0, -150, 0]
    gltf["nodes"][1] = {
        "name": "Sheet",
        "translation": [1, 0, 2],
        "extensions": {
            "OMI_physics_body": {"motion": {"type": "static"}, "collider": {"shape": 1}}
        },
    }
    sheet = {"type": "box", "box": {"size": [4, 0.01, 4]}}
    gltf["extensions"]["OMI_physics_shape"]["shapes"].append(sheet)
    (tmp_path / "shot.gltf").write_text(json.dumps(gltf))
    out = tmp_path / "poses.json"
    done = run(tmp_path / "shot.gltf", "--out", out, "--seconds", "0.2")
    assert "passed: Ball through Sheet, 0.033 s\n" in done.stdout
    (found,) = json.loads(out.read_text())["passedThrough"]
    assert (found["body"], found["through"]) == ("Ball", "Sheet")


@needs_bpy
def test_csv_and_other_rates(run, source, tmp_path):
    out = tmp_path / "poses.csv"
    done = run(source, "--out", out, "--seconds", "0.5", "--fps", "24", "--substeps", "20")
    assert (done.returncode, done.stderr) == (jobs.DONE, "")
    assert done.stdout == "1 bodies, 13 frames, 0.5 s, 1 trigger events\n"
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 13
    assert float(rows[-1]["y"]) == pytest.approx(5.0 - 9.81 * 0.125, abs=0.01)


@needs_bpy
def test_what_is_not_exact_is_told(run, tmp_path):
    gltf = json.loads(json.dumps(GLTF))
    gltf["nodes"][0]["extensions"]["OMI_physics_body"]["motion"]["mass"] = 1e-5
    (tmp_path / "light.gltf").write_text(json.dumps(gltf))
    out = tmp_path / "poses.json"
    done = run(tmp_path / "light.gltf", "--out", out, "--seconds", "0.1")
    assert "not exact: Masses below 1 g are 1 g (Ball)\n" in done.stdout
    entry = {"text": "Masses below 1 g are 1 g", "objects": ["Ball"]}
    assert entry in json.loads(out.read_text())["notExact"]


@needs_bpy
def test_a_file_without_bodies_fails(run, tmp_path):
    path = tmp_path / "empty.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}, "nodes": [{"name": "Nothing"}]}))
    done = run(path, "--out", tmp_path / "poses.json")
    assert done.returncode == jobs.FAILED
    assert done.stderr == "error: the scene has no bodies to simulate\n"
    assert not (tmp_path / "poses.json").exists()


@needs_bpy
def test_huge_numbers_fail_with_the_name_of_the_object(run, tmp_path):
    gltf = json.loads(json.dumps(GLTF))
    gltf["extensions"]["OMI_physics_shape"]["shapes"][0]["sphere"]["radius"] = 1e20
    (tmp_path / "huge.gltf").write_text(json.dumps(gltf))
    out = tmp_path / "poses.json"
    done = run(tmp_path / "huge.gltf", "--out", out, "--seconds", "0.1")
    assert done.returncode == jobs.FAILED
    assert done.stderr.startswith("error: Ball cannot be played: too large or too far away")
    assert not out.exists()


@needs_bpy
def test_a_broken_file_is_bad_input(run, tmp_path):
    path = tmp_path / "broken.glb"
    path.write_bytes(b"no glb")
    done = run(path, "--out", tmp_path / "poses.json")
    assert done.returncode == jobs.BAD_INPUT
    assert done.stderr.startswith(f"error: Cannot import {path}")
    assert "Traceback" not in done.stderr


@needs_bpy
def test_a_blend_file_is_played_and_nothing_of_it_stays(run, tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    out = tmp_path / "poses.json"
    path = environment.ROOT / "examples" / "vehicles.blend"
    done = run(path, "--out", out, "--seconds", "0.2", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (jobs.DONE, "", "")
    assert json.loads(out.read_text(encoding="utf-8"))["bodies"]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.txt", "--out", "a.json"], "in.txt: the name must end in .blend, .glb or .gltf"),
        (["missing.glb", "--out", "a.json"], "there is no file missing.glb"),
        (["in.glb", "--out", "a.txt"], "a.txt: the name must end in .json or .csv"),
        (["in.glb", "--out", "nowhere/a.csv"], "there is no folder"),
        (["in.glb", "--out", "a.csv", "--seconds", "0"], "--seconds must be above 0"),
        (["in.glb", "--out", "a.csv", "--seconds", "nan"], "--seconds must be above 0"),
        (["in.glb", "--out", "a.csv", "--fps", "0"], "--fps must be 1 to 960"),
        (["in.glb", "--out", "a.csv", "--substeps", "0"], "--substeps must be 1 to 1000"),
    ],
)
def test_wrong_input(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.glb").touch()
    assert omi_physics.main(["simulate", *arguments]) == jobs.BAD_INPUT
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
