"""What the commands print: JSON in every outcome, and letters that a console cannot show."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from omi_physics_addon.cli import convert, jobs, main, printing, pythons
from tests.cli.test_check import BAD, GOOD
from tools import environment, omi_physics

TOOL = environment.ROOT / "tools" / "omi_physics.py"
SCHEMA = Path(printing.__file__).with_name("report.schema.json")
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, value in (("good.gltf", GOOD), ("bad.gltf", BAD), ("none.gltf", [])):
        Path(name).write_text(json.dumps(value))
    for name in ("in.blend", "in.glb"):
        Path(name).touch()
    Path("folder.glb").mkdir()
    Path("folder.json").mkdir()
    return tmp_path


def told(capsys):
    value = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(value)
    return value


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", "good.gltf"], 0),
        (["check", "bad.gltf"], 1),
        (["check", "none.gltf"], 2),
        (["check", "missing.gltf"], 2),
        (["check", "folder.glb"], 2),
        (["convert", "good.gltf", "out.gltf", "--family", "khr"], 0),
        (["convert", "none.gltf", "out.gltf"], 2),
        (["convert", "good.gltf", "nowhere/out.gltf"], 2),
        (["export", "in.blend", "folder.glb"], 2),
        (["export", "missing.blend", "out.glb"], 2),
        (["export", "in.blend", "out.obj"], 2),
        (["export", "in.blend", "out.glb", "--blender", "no/blender"], 2),
        (["inspect", "good.gltf", "--html", "good.gltf"], 2),
        (["diff", "good.gltf", "bad.gltf", "--html", "./bad.gltf"], 2),
        (["simulate", "in.glb", "--out", "folder.json"], 2),
        (["simulate", "in.glb", "--out", "a.json", "--fps", "0"], 2),
        (["simulate", "in.glb", "--out", "a.json", "--blender", "no/blender"], 2),
    ],
)
def test_every_outcome_is_json(folder, capsys, arguments, code):
    assert omi_physics.main([*arguments, "--json"]) == code
    value = told(capsys)
    assert (value["command"], value["source"]) == (arguments[0], arguments[1])
    assert (value["exitCode"], bool(value["error"])) == (code, value["report"] is None)


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["explode"], None),
        (["export"], "export"),
        (["simulate", "in.glb", "--out", "a.json", "--fps", "many"], "simulate"),
        (["check", "good.gltf", "--target", "unity"], "check"),
        (["check", ""], "check"),
        (["check", "good.gltf", ""], "check"),
        (["fix", "", "--in-place"], "fix"),
        (["batch", "check", "good.gltf", "--into", ""], "batch"),
    ],
)
def test_a_wrong_command_line_is_json_too(capsys, arguments, command):
    with pytest.raises(SystemExit, match="2"):
        omi_physics.main([*arguments, "--json"])
    out, err = capsys.readouterr()
    value = json.loads(out)
    VALIDATOR.validate(value)
    assert (value["command"], value["exitCode"]) == (command, 2)
    assert value["error"] in err
    assert "usage:" in err


def fail_with(problem):
    def fail(*_arguments):
        raise problem

    return fail


def test_too_little_memory_is_told(folder, capsys, monkeypatch):
    monkeypatch.setattr(convert, "_convert", fail_with(MemoryError()))
    assert omi_physics.main(["convert", "good.gltf", "out.gltf", "--json"]) == jobs.BAD_INPUT
    assert told(capsys)["error"] == "there is not enough memory for good.gltf"


@pytest.mark.parametrize("is_wanted", [False, True])
def test_a_fault_of_ours_is_a_sentence_and_a_traceback_for_who_asks(
    folder, capsys, monkeypatch, is_wanted
):
    monkeypatch.setenv(main.TRACEBACK, "1" if is_wanted else "")
    monkeypatch.setattr(convert, "_convert", fail_with(KeyError("x")))
    assert omi_physics.main(["convert", "good.gltf", "out.gltf", "--json"]) == jobs.BAD_INPUT
    out, err = capsys.readouterr()
    assert json.loads(out)["error"].startswith("KeyError: 'x'")
    assert ("Traceback" in err) == is_wanted
    assert (main.TRACEBACK in err) == (not is_wanted)


def test_what_the_system_refuses_is_told(folder, capsys, monkeypatch):
    monkeypatch.setattr(convert, "convert", fail_with(PermissionError(13, "No entry", "x.bin")))
    assert omi_physics.main(["convert", "good.gltf", "out.gltf", "--json"]) == jobs.BAD_INPUT
    assert told(capsys)["error"] == "cannot use x.bin: No entry"


def test_a_python_that_is_too_old_and_a_set_up_that_fails(folder, capsys, monkeypatch):
    monkeypatch.setattr(pythons, "OLDEST_PYTHON", (4, 0))
    monkeypatch.setattr(environment, "ensure", fail_with(environment.SetupError("no network")))
    assert omi_physics.main(["check", "good.gltf", "--json"]) == jobs.BAD_INPUT
    assert told(capsys)["error"] == "no network"
    assert omi_physics.cli.main(["check", "good.gltf", "--json"]) == jobs.BAD_INPUT
    assert told(capsys)["error"].startswith("Python 4.0 or newer is needed")


def strange() -> str:
    """A file whose findings and side files have letters of all kinds."""
    node = {"extensions": {"OMI_physics_body": {"Ünïcode 漢": 1, "\ud800": 2}}}
    return json.dumps(GOOD | {"nodes": [node], "buffers": [{"uri": "\ud800漢.bin"}]})


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_letters_that_a_console_cannot_show(tmp_path, encoding, options):
    (tmp_path / "in.gltf").write_text(strange())
    (tmp_path / "other").mkdir()
    variables = {**os.environ, "PYTHONIOENCODING": encoding}
    for words in (["check", "in.gltf"], ["convert", "in.gltf", "other/out.gltf"]):
        done = subprocess.run(
            [sys.executable, TOOL, *words, *options],
            capture_output=True,
            env=variables,
            cwd=tmp_path,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        if options:
            value = json.loads(done.stdout.decode(encoding))
            VALIDATOR.validate(value)
            assert any("漢" in issue["message"] for issue in value["report"]["issues"])


CONTROLS = "\x07\x08\x1b[2J\r\x7f\x9b\u061c\u200e\u200f\u202e\u2066\u2069"


@pytest.mark.parametrize("words", ["check", "inspect", "convert", "fix", "diff"])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_what_would_steer_a_terminal_is_printed_as_codes(tmp_path, capsys, words, options):
    body = {**GOOD["nodes"][0]["extensions"]["OMI_physics_body"], f"a{CONTROLS}z": 1}
    node = {"name": f"n{CONTROLS}", "extensions": {"OMI_physics_body": body}}
    path, other = tmp_path / "in.gltf", tmp_path / "other.gltf"
    path.write_text(json.dumps(GOOD | {"nodes": [node]}))
    other.write_text(json.dumps(GOOD))
    more = {"convert": [str(tmp_path / "out.gltf")], "fix": ["--dry-run"], "diff": [str(other)]}
    omi_physics.main([words, str(path), *more.get(words, []), *options])
    printed = "".join(capsys.readouterr())
    assert [c for c in printed if c in set(CONTROLS) - set("[2J")] == []
    if options:
        json.loads(printed)
    elif words in ("check", "inspect", "convert"):
        assert r"a\u0007\u0008\u001b[2J\u000d\u007f\u009b\u061c\u200e" in printed


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_a_reader_that_has_seen_enough(tmp_path):
    nodes = [{"extensions": {"OMI_physics_body": {f"k{i}": 1}}} for i in range(20_000)]
    (tmp_path / "in.gltf").write_text(json.dumps(GOOD | {"nodes": nodes}))
    command = f'{{ "{sys.executable}" "{TOOL}" check in.gltf; echo $? >code; }} | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, cwd=tmp_path)
    assert done.stdout.startswith(b"OMI: ")
    assert done.stderr == b""
    assert (tmp_path / "code").read_text() == "0\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize(
    ("words", "told", "code"),
    [
        ("check good.gltf >&-", "", 0),
        ("check good.gltf --json >&-", "", 0),
        ("check bad.gltf --quiet 2>&-", "", 1),
        ("check missing.gltf 2>&-", "", 2),
        ("check missing.gltf good.gltf >&- 2>&-", "", 2),
        ("check good.gltf >/dev/full", "error: cannot print: No space left on device\n", 2),
        ("check good.gltf --json >/dev/full", "error: cannot print: No space left on device\n", 2),
        ("check missing.gltf 2>/dev/full", "", 2),
    ],
)
def test_a_console_that_is_closed_or_full(folder, words, told, code):
    if "/dev/full" in words and not Path("/dev/full").exists():
        pytest.skip("needs a device that is always full")
    done = subprocess.run(f'"{sys.executable}" "{TOOL}" {words}', shell=True, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (code, b"", told)
