"""The sub-command `fix`: what it writes, what it prints and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omi_physics_addon.cli import jobs
from tests.cli.test_check import BAD, DUBIOUS, GOOD
from tests.cli.test_convert import glb
from tools import omi_physics


@pytest.fixture
def run(tmp_path, capsys):
    def call(value, *options, name="in.gltf"):
        path = tmp_path / name
        path.write_bytes(json.dumps(value).encode() if isinstance(value, dict) else value)
        code = omi_physics.main(["fix", str(path), *map(str, options)])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def mass(path: Path) -> float:
    return json.loads(path.read_text())["nodes"][0]["extensions"]["OMI_physics_body"]["motion"][
        "mass"
    ]


def test_the_mended_file_stands_beside_the_old_one(run, tmp_path):
    code, out, err = run(BAD, tmp_path / "out.gltf")
    assert (code, err) == (jobs.DONE, "")
    assert out.splitlines()[0] == "1 issue fixed, 0 left"
    assert out.splitlines()[1].endswith("1.0 is used: write it anew")
    assert (mass(tmp_path / "in.gltf"), mass(tmp_path / "out.gltf")) == (-1, 1)


def test_a_dry_run_says_the_same_and_writes_nothing(run, tmp_path):
    before = set(tmp_path.iterdir())
    code, out, _ = run(BAD, "--dry-run")
    assert code == jobs.DONE
    assert out.splitlines()[0] == "1 issue would be fixed, 0 left"
    assert set(tmp_path.iterdir()) - before == {tmp_path / "in.gltf"}
    assert mass(tmp_path / "in.gltf") == -1


def test_in_place(run, tmp_path):
    assert run(BAD, "--in-place")[0] == jobs.DONE
    assert mass(tmp_path / "in.gltf") == 1


def test_a_binary_file(run, tmp_path):
    assert run(glb(BAD), tmp_path / "out.glb", name="in.glb")[0] == jobs.DONE
    assert omi_physics.main(["check", str(tmp_path / "out.glb")]) == jobs.DONE


def test_json(run):
    code, out, _ = run(DUBIOUS, "--dry-run", "--json")
    data = json.loads(out)
    assert (code, data["error"]) == (jobs.DONE, "")
    fixes = data["report"]["fixes"]
    assert {fix["code"] for fix in fixes} == {"B19", "S20"}
    assert all(fix["fix"] and fix["pointer"].startswith("/nodes/0") for fix in fixes)


def test_errors_that_are_left_count(run):
    value = {**GOOD, "nodes": [{"extensions": {"OMI_physics_joint": {"connectedNode": 0}}}]}
    code, out, _ = run(value, "--dry-run")
    assert code == jobs.FAILED
    assert "left:" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "name the file to write"),
        (["out.gltf", "--in-place"], "exclude each other"),
        (["out.glb"], "another container"),
        (["out.txt"], "must end in"),
        (["--dry-run", "--only", "Q99"], "there is no code Q99"),
    ],
)
def test_what_cannot_be_done(run, tmp_path, options, message):
    options = [tmp_path / option if option.startswith("out") else option for option in options]
    code, out, err = run(BAD, *options)
    assert (code, out) == (jobs.BAD_INPUT, "")
    assert message in err
    assert mass(tmp_path / "in.gltf") == -1


def test_what_is_no_glTF(run):  # noqa: N802 - The format has this name.
    assert run(b"{", "--dry-run")[0] == jobs.BAD_INPUT


def test_help_says_it_all(capsys):
    with pytest.raises(SystemExit):
        omi_physics.main(["fix", "--help"])
    text = capsys.readouterr().out
    for word in ("--dry-run", "--in-place", "--all", "--only", "Exit codes", "examples"):
        assert word in text
