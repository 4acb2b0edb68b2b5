"""The sub-command `check`: what it prints and how it ends."""

import json
import subprocess
import sys

import pytest

from omi_physics_addon.cli import jobs
from omi_physics_addon.codec.gltf import containers
from tests.cli.test_convert import glb
from tests.support.godot_habits import HABITS
from tools import environment, omi_physics

GOOD = {
    "asset": {"version": "2.0"},
    "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
    "nodes": [
        {
            "name": "Ball",
            "extensions": {
                "OMI_physics_body": {"motion": {"type": "dynamic"}, "collider": {"shape": 0}}
            },
        }
    ],
    "extensions": {"OMI_physics_shape": {"shapes": [{"type": "box", "box": {}}]}},
}
BODY = {"motion": {"type": "dynamic", "mass": -1}, "collider": {"shape": 0}}
BAD = GOOD | {"nodes": [{"extensions": {"OMI_physics_body": BODY}}]}
DUBIOUS = GOOD | {"nodes": [{**GOOD["nodes"][0], "scale": [2, 2, 2]}]}


@pytest.fixture
def run(tmp_path, capsys):
    def call(value, *options, name="in.gltf"):
        path = tmp_path / name
        content = json.dumps(value).encode() if isinstance(value, dict) else value
        path.write_bytes(content)
        code = omi_physics.main(["check", str(path), *options])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def test_a_clean_file(run):
    assert run(GOOD) == (jobs.DONE, "OMI: nothing wrong\n", "")


def test_errors_come_with_pointers(run):
    code, out, err = run(BAD)
    assert code == jobs.FAILED
    lines = out.splitlines()
    assert lines[0] == "OMI: 1 error"
    place = "/nodes/0/extensions/OMI_physics_body/motion/mass"
    assert lines[1].startswith(f"  ERROR B05 {place}: ")
    assert err == ""


def test_warnings_alone_do_not_fail_unless_asked(run):
    code, out, _ = run(DUBIOUS)
    assert code == jobs.DONE
    assert out.splitlines()[0] == "OMI: 2 warnings"
    assert run(DUBIOUS, "--strict")[0] == jobs.FAILED


def test_worst_comes_first(run):
    both = {**BAD, "nodes": [{**BAD["nodes"][0], "scale": [2, 2, 2]}]}
    words = [line.split()[0] for line in run(both)[1].splitlines()[1:]]
    assert words == ["ERROR", "WARNING", "WARNING"]


def test_json(run):
    code, out, _ = run(BAD, "--json")
    data = json.loads(out)
    assert code == jobs.FAILED
    assert data["error"] == ""
    report = data["report"]
    assert report["families"] == ["OMI"]
    assert report["counts"] == {"errors": 1, "warnings": 0, "infos": 0}
    (issue,) = report["issues"]
    assert issue.keys() == {"code", "severity", "derived", "pointer", "message"}
    assert issue["derived"] is False
    assert (issue["code"], issue["severity"]) == ("B05", "ERROR")


def test_quiet(run):
    assert run(BAD, "--quiet") == (jobs.FAILED, "", "")


def test_a_binary_file(run):
    assert run(glb(BAD), name="in.glb")[0] == jobs.FAILED


def test_a_file_without_physics(run):
    assert run({"asset": {"version": "2.0"}})[:2] == (jobs.DONE, "no physics: nothing wrong\n")


@pytest.mark.parametrize("content", [b"", b"no glTF", b"[]", b"glTF\x02", b'{"nodes": '])
def test_what_cannot_be_used(run, content):
    code, out, err = run(content)
    assert (code, out) == (jobs.BAD_INPUT, "")
    assert err.startswith("error: ")


def test_what_cannot_be_used_as_json(run):
    code, out, _ = run(b"no glTF", "--json")
    assert code == jobs.BAD_INPUT
    assert json.loads(out)["error"]


def test_no_such_file(tmp_path, capsys):
    assert omi_physics.main(["check", str(tmp_path / "none.glb")]) == jobs.BAD_INPUT
    assert "cannot read" in capsys.readouterr().err


def test_the_file_stays_as_it_was(run, tmp_path):
    run(BAD)
    assert containers.read((tmp_path / "in.gltf").read_bytes()).json == BAD


def test_help_says_it_all(capsys):
    with pytest.raises(SystemExit):
        omi_physics.main(["check", "--help"])
    text = capsys.readouterr().out
    for word in ("ERROR", "WARNING", "INFO", "--json", "--strict", "Exit codes", "pointer"):
        assert word in text


def test_as_a_program(tmp_path):
    path = tmp_path / "bad.gltf"
    path.write_text(json.dumps(BAD))
    program = environment.ROOT / "tools" / "omi_physics.py"
    done = subprocess.run([sys.executable, str(program), "check", str(path)], capture_output=True)
    assert done.returncode == 1
    assert b"ERROR B05" in done.stdout


def test_an_engine_is_asked_for(run):
    code, out, _ = run(HABITS["hinge about Y, motor"].json, "--target", "godot4", "--json")
    assert code == 0
    assert {"X51", "X34"} <= {issue["code"] for issue in json.loads(out)["report"]["issues"]}
