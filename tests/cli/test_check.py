"""The sub-command `check`: what it prints and how it ends."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from omi_physics_addon.cli import background, jobs, printing
from omi_physics_addon.codec.gltf import containers
from tests.cli.test_convert import glb
from tests.support import pace
from tests.support.godot_habits import HABITS
from tools import environment, omi_physics

SCHEMA = Path(printing.__file__).with_name("report.schema.json")
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


# Several files


@pytest.fixture
def folder(tmp_path):
    """A clean file, a dubious one, one with an error, one that is none, and what is no glTF."""
    for name, json_ in {"a.gltf": GOOD, "sub/b.gltf": DUBIOUS, "sub/c.gltf": BAD}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(json_))
    (tmp_path / "sub" / "d.gltf").write_text("no JSON")
    (tmp_path / "sub" / "notes.txt").write_text("x")
    return tmp_path


NO_JSON = ": Expecting value: line 1 column 1 (char 0)"  # Python's own words.


def check(capsys, *words):
    code = omi_physics.main(["check", *map(str, words)])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_files_folders_and_globs_are_told_each_with_its_name(folder, capsys):
    sub = folder / "sub"
    code, out, err = check(capsys, folder / "a.gltf", sub, folder / "**" / "*.gltf")
    assert (code, err) == (jobs.BAD_INPUT, "")
    lines = out.splitlines()
    assert [line for line in lines if not line.startswith("  ")] == [
        f"{folder / 'a.gltf'}: OMI: nothing wrong",
        f"{sub / 'b.gltf'}: OMI: 2 warnings",
        f"{sub / 'c.gltf'}: OMI: 1 error",
        f"{sub / 'd.gltf'}: cannot be checked: {sub / 'd.gltf'}: the text is not JSON{NO_JSON}",
        "4 files, 1 error, 2 warnings; 2 failed",
    ]
    at = lines.index(f"{sub / 'c.gltf'}: OMI: 1 error")
    assert lines[at + 1].startswith("  ERROR B05 /nodes/0/")


def test_a_file_that_is_not_there_does_not_stop_the_others(folder, capsys):
    code, out, _ = check(capsys, folder / "none.gltf", folder / "a.gltf")
    assert code == jobs.BAD_INPUT
    assert "none.gltf: cannot be checked: " in out.splitlines()[0]
    assert out.splitlines()[1] == f"{folder / 'a.gltf'}: OMI: nothing wrong"


def test_the_exit_code_of_many_is_the_highest(folder, capsys):
    a, b, c = folder / "a.gltf", folder / "sub" / "b.gltf", folder / "sub" / "c.gltf"
    assert check(capsys, a, b)[0] == jobs.DONE
    assert check(capsys, a, b, "--strict")[0] == jobs.FAILED
    assert check(capsys, a, c)[0] == jobs.FAILED


def test_a_folder_without_files_is_refused(tmp_path, capsys):
    code, _, err = check(capsys, tmp_path)
    assert code == jobs.BAD_INPUT
    assert f"there is no .blend or .glb or .gltf file in {tmp_path}" in err


def test_json_of_many_has_what_one_has(folder, capsys):
    paths = [folder / "a.gltf", folder / "sub" / "c.gltf"]
    code, out, _ = check(capsys, *paths, "--json")
    told = json.loads(out)
    Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(told)
    assert told["exitCode"] == code == jobs.FAILED
    assert told["report"]["counts"] == {
        "files": 2,
        "failed": 1,
        "errors": 1,
        "warnings": 0,
        "infos": 0,
    }
    for path, file in zip(paths, told["report"]["files"], strict=True):
        alone = json.loads(check(capsys, path, "--json")[1])
        assert file["source"] == str(path)
        assert {key: file[key] for key in ("exitCode", "error", "report")} == {
            key: alone[key] for key in ("exitCode", "error", "report")
        }


def test_the_time_grows_as_the_files_do(tmp_path, capsys):
    def seconds(count):
        place = tmp_path / str(count)
        place.mkdir(exist_ok=True)
        for k in range(count):
            (place / f"{k}.gltf").write_text(json.dumps(BAD))
        start = time.thread_time()
        assert check(capsys, place)[0] == jobs.FAILED
        return time.thread_time() - start

    seconds(5)
    pace.check_growth(seconds, 20, 200, most=40.0)  # A square would take 100.


def test_a_blend_file_without_blender_is_told_beside_the_others(folder, capsys, monkeypatch):
    scene = folder / "scene.blend"
    scene.write_bytes(b"BLENDER")

    def none(*_args):
        raise jobs.InputError("there is no Blender here: name the program with --blender")

    monkeypatch.setattr(background, "worker_command", none)
    code, out, _ = check(capsys, scene, folder / "a.gltf")
    assert code == jobs.BAD_INPUT
    assert f"{scene}: cannot be checked: {scene}: there is no Blender here" in out
    assert "a.gltf: OMI: nothing wrong" in out


def test_scenes_of_a_blend_file_are_checked_by_blender(tmp_path, capsys):
    """By the button's own rules, with the names of objects; a file that is none is told."""
    bpy = pytest.importorskip("bpy")
    import addon_utils

    addon_utils.enable("omi_physics_addon", default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    obj = bpy.data.objects.new("Crate", None)
    bpy.context.scene.collection.objects.link(obj)
    obj.omi_physics.use_motion = obj.omi_physics.use_collider = True
    obj.omi_physics.collider.shape.type = "CONVEX"
    path = tmp_path / "crate.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    broken = tmp_path / "broken.blend"
    broken.write_bytes(b"no Blender wrote this")
    capsys.readouterr()  # What Blender said so far.
    code, out, _ = check(capsys, path)
    assert code == jobs.FAILED
    assert out.splitlines()[0].startswith("OMI: 1 error")
    assert " Crate: " in out
    code, out, _ = check(capsys, tmp_path, "--json")
    files = json.loads(out)["report"]["files"]
    assert code == jobs.BAD_INPUT
    assert [Path(file["source"]).name for file in files] == ["broken.blend", "crate.blend"]
    assert files[0]["error"].startswith(f"Cannot open {broken}")
    assert files[1]["report"]["counts"]["errors"] == 1


EXAMPLES = sorted((environment.ROOT / "examples").glob("*.glb"))


@pytest.mark.parametrize("target", ["specification", "godot4", "babylon"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_example_needs_many_lines_and_json_has_all(path, target, capsys):
    _, out, _ = check(capsys, path, "--target", target)
    assert len(out.splitlines()) <= 12
    report = json.loads(check(capsys, path, "--target", target, "--json")[1])["report"]
    assert len(report["issues"]) == sum(report["counts"].values())
    codes = {issue["code"] for issue in report["issues"]}
    assert {code for code in codes if code in out} == codes
