"""Robots on the command line: `convert` to glTF, from it, and from one format to another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omi_physics_addon.cli import jobs
from tests.support import robot_models
from tools import omi_physics


def run(*words: object) -> int:
    return omi_physics.main(["convert", *map(str, words)])


def test_there_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = robot_models.write("pan_tilt", tmp_path)
    one, other = tmp_path / "one.glb", tmp_path / "other.gltf"
    assert run(source, one) == jobs.DONE
    told = capsys.readouterr().out
    assert "OMI: 1 static body, 2 dynamic bodies, 3 colliders, 2 joints" in told
    assert "INFO X82 pan_tilt.urdf:1" in told
    back = tmp_path / "back" / "robot.urdf"
    back.parent.mkdir()
    assert run(one, back) == jobs.DONE
    assert capsys.readouterr().out.startswith("URDF: 1 mesh file beside it\n")
    assert [path.name for path in (back.parent / "robot_meshes").iterdir()] == ["lens.obj"]
    assert run(back, other) == jobs.DONE
    assert omi_physics.main(["diff", str(one), str(other)]) == jobs.DONE


def test_options_of_gltf_hold_for_robots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = robot_models.write("pendulum", tmp_path)
    output = tmp_path / "robot.gltf"
    assert run(source, output, "--family", "khr") == jobs.DONE
    assert "KHR_physics_rigid_bodies" in json.loads(output.read_text())["extensionsUsed"]
    assert run(output, tmp_path / "back.urdf") == jobs.DONE
    capsys.readouterr()
    for option in (["--family", "omi"], ["--target", "godot4"], ["--repair"]):
        assert run(output, tmp_path / "none.urdf", *option) == jobs.BAD_INPUT
        assert f"{option[0]} is for glTF, and " in capsys.readouterr().err
    assert not (tmp_path / "none.urdf").exists()


def test_urdf_becomes_mjcf(tmp_path: Path) -> None:
    source = robot_models.write("gripper", tmp_path)
    assert run(source, tmp_path / "gripper.xml", "--quiet") == jobs.DONE
    text = (tmp_path / "gripper.xml").read_text()
    assert text.count("<body ") == 5
    assert 'name="slide-1"' in text


def test_programs_get_what_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = robot_models.write("pan_tilt", tmp_path)
    run(source, tmp_path / "one.glb", "--quiet")
    capsys.readouterr()
    run(tmp_path / "one.glb", tmp_path / "two.urdf", "--json")
    report = json.loads(capsys.readouterr().out)["report"]
    assert report["sideFiles"] == ["two_meshes/lens.obj"]
    assert report["issues"] == []


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.urdf", "<robot>", "a.urdf:1: the file is no XML"),
        ("a.urdf", '<!DOCTYPE a [<!ENTITY b "c">]><robot/>', "a.urdf:1: the file declares"),
        ("a.xml", "<sdf/>", "a.xml:1: the root element is <sdf>"),
        ("a.sdf", "<sdf/>", "a.sdf: the name must end in .glb or .gltf or .urdf"),
    ],
)
def test_bad_files_end_with_a_sentence(
    name: str, text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert run(path, tmp_path / "out.glb") == jobs.BAD_INPUT
    told = capsys.readouterr().err
    assert why in told
    assert "Traceback" not in told
    assert not (tmp_path / "out.glb").exists()


def test_a_protected_output_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = robot_models.write("pendulum", tmp_path)
    run(source, tmp_path / "one.glb", "--quiet")
    output = tmp_path / "two.urdf"
    output.write_text("mine")
    output.chmod(0o444)
    assert run(tmp_path / "one.glb", output) == jobs.BAD_INPUT
    assert "is read-only" in capsys.readouterr().err
    assert output.read_text() == "mine"
