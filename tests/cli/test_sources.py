"""Folders and globs for every command that can have them, and JSON that is what the schema says."""

from __future__ import annotations

import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from omi_physics_addon.cli import expect, jobs, main
from omi_physics_addon.codec.gltf import containers
from tests.cli.test_printing import VALIDATOR
from tools import environment

CRATES = environment.ROOT / "docs" / "commands" / "crates.gltf"
needs_bpy = pytest.mark.skipif(
    find_spec("bpy") is None or os.name == "nt", reason="needs bpy and a shell"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with two files with an error, which can be mended, one of them deeper."""
    monkeypatch.chdir(tmp_path)
    for place in ("in", "in/deep"):
        Path(place).mkdir()
        shutil.copy(CRATES, place)
    return tmp_path


def run(capsys, *words):
    """The exit code of a command and the object that it prints, which the schema allows."""
    capsys.readouterr()
    code = main.main([*words, "--json"])
    told = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(told)
    assert (told["command"], told["exitCode"]) == (words[0], code)
    return code, told


def errors_of(told):
    return [file["report"]["counts"]["errors"] for file in told["report"]["files"]]


def names_of(told):
    return [file["source"] for file in told["report"]["files"]]


BOTH = [os.path.join("in", "crates.gltf"), os.path.join("in", "deep", "crates.gltf")]


ODD = ["-rf", "[x]", "*", "%s{0}", "~", "a:b", " ", "con", "$(id)", "a'b\"c", "\n", "\udcff"]


@pytest.mark.parametrize("stem", ODD)
def test_odd_names_are_names(folder, capsys, stem):
    """Of options, globs, formats, shells and devices, and of no letters at all."""
    path = os.path.join("odd", f"{stem}.gltf")
    os.mkdir("odd")
    try:
        shutil.copy(CRATES, path)
    except OSError:
        pytest.skip("no file has such a name here")
    assert run(capsys, "check", path)[0] == jobs.FAILED  # Its error is found.
    assert main.main(["inspect", path]) == jobs.FAILED
    assert run(capsys, "convert", path, path, "--family", "khr")[0] == jobs.DONE
    assert names_of(run(capsys, "check", "odd")[1]) == [path]
    assert os.listdir("odd") == [f"{stem}.gltf"]


@pytest.mark.parametrize("word", ["in", "in/**/*.gltf", "in/*", "i*", "in/**"])
def test_inspect_tells_every_file(folder, capsys, word):
    code, told = run(capsys, "inspect", word)
    alone = run(capsys, "inspect", BOTH[0])[1]
    assert (code, names_of(told)) == (jobs.FAILED, BOTH)
    assert [file["report"] for file in told["report"]["files"]] == [alone["report"]] * 2
    assert told["report"]["counts"]["errors"] == 2 * len(
        [each for each in alone["report"]["issues"] if each["severity"] == "ERROR"]
    )
    assert main.main(["inspect", word]) == jobs.FAILED
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith(": OMI")] == [f"{name}: OMI" for name in BOTH]


def test_inspect_of_many_goes_on_behind_what_is_no_gltf_and_has_no_page(folder, capsys):
    Path("in/deep/crates.gltf").write_text("none")
    code, told = run(capsys, "inspect", "in")
    assert (code, told["report"]["counts"]["failed"]) == (jobs.BAD_INPUT, 2)
    assert "the text is not JSON" in told["report"]["files"][1]["error"]
    code, told = run(capsys, "inspect", "in", "--html", "page.html")
    assert (code, told["error"]) == (jobs.BAD_INPUT, "--html is for one file")


def test_fix_tells_of_a_folder_what_it_would_do_and_does_it_in_place(folder, capsys):
    before = CRATES.read_bytes()
    code, told = run(capsys, "fix", "in", "--dry-run")
    assert (code, names_of(told)) == (jobs.DONE, BOTH)
    assert all(file["report"]["fixes"] for file in told["report"]["files"])
    assert [Path(name).read_bytes() for name in BOTH] == [before, before]
    assert run(capsys, "fix", "in/**/*.gltf", "--in-place")[0] == jobs.DONE
    assert before not in [Path(name).read_bytes() for name in BOTH]
    assert run(capsys, "check", "in")[0] == jobs.DONE
    assert "name the file to write" in run(capsys, "fix", "in")[1]["report"]["files"][0]["error"]


def test_fix_and_convert_write_a_folder_with_the_options_they_were_given(folder, capsys):
    code, told = run(capsys, "fix", "in", "mended", "--only", "B05", "--all")
    assert (code, names_of(told)) == (jobs.DONE, ["crates.gltf", "deep/crates.gltf"])
    fixes = [each["code"] for file in told["report"]["files"] for each in file["report"]["fixes"]]
    assert set(fixes) == {"B05"}
    code, told = run(capsys, "convert", "mended", "khr", "--family", "khr", "--repair")
    assert code == jobs.DONE
    made = containers.read(Path("khr/deep/crates.gltf").read_bytes()).json
    assert "KHR_physics_rigid_bodies" in made["extensionsUsed"]
    assert "OMI_physics_body" not in made["extensionsUsed"]


def test_diff_and_wrong_folders_are_json_too(folder, capsys):
    assert run(capsys, "diff", *BOTH)[0] == jobs.DONE
    Path("file.glb").touch()
    assert "cannot write into" in run(capsys, "convert", "in", "file.glb")[1]["error"]
    Path("empty").mkdir()
    for command in ("inspect", "check", "expect"):
        assert "file in empty" in run(capsys, command, "empty")[1]["error"]
    assert "has a file .expect.toml beside it" in run(capsys, "expect", "in")[1]["error"]


def test_diff_of_folders_compares_each_file_with_its_own(folder, capsys):
    shutil.copytree("in", "new")
    globs = run(capsys, "diff", "in/**/*", "new/**/*")[1]["report"]
    assert run(capsys, "diff", "in", "new")[1]["report"] == globs
    code, told = run(capsys, "diff", "in", "new")
    assert (code, names_of(told)) == (jobs.DONE, ["crates.gltf", "deep/crates.gltf"])
    run(capsys, "fix", "new/crates.gltf", "--in-place")
    Path("new/deep/crates.gltf").rename("new/deep/crates.glb")
    Path("new/extra.gltf").write_text("{")
    Path("in/extra.gltf").write_text("{")
    Path("in/lost.gltf").write_text("{")
    code, told = run(capsys, "diff", "in", "new")
    files = {each["source"]: each for each in told["report"]["files"]}
    assert {name: each["exitCode"] for name, each in files.items()} == {
        "crates.gltf": 1,
        "deep/crates.gltf": 0,
        "extra.gltf": 2,
        "lost.gltf": 1,
    }
    assert code == jobs.BAD_INPUT
    assert files["lost.gltf"]["error"] == "only in in"
    assert [each["key"] for each in files["crates.gltf"]["report"]["changes"]] != []
    assert "two of a kind" in run(capsys, "diff", "in", "new/crates.gltf")[1]["error"]


def test_a_glob_and_a_folder_to_write_into_are_as_good_as_a_folder(folder, capsys):
    code, told = run(capsys, "convert", "in/d*/*.gltf", "out", "--family", "khr")
    assert (code, names_of(told)) == (jobs.DONE, ["deep/crates.gltf"])
    assert Path("out/deep/crates.gltf").is_file()


def test_expect_takes_of_folders_what_has_expectations(folder):
    Path("in/deep/crates.expect.toml").write_text("[[expect]]\nbody='*'\nmoved_m={max=1}\n")
    parser = main.make_parser(None)
    found = [expect.files_of(parser.parse_args(["expect", word])) for word in ("in", "in/*/*.gltf")]
    assert found == [[Path(BOTH[1])]] * 2
    with pytest.raises(jobs.InputError, match=r"crates\.expect\.toml"):
        expect.job_of(*_chosen(parser, "expect", BOTH[0]))


def _chosen(parser, *words):
    arguments = parser.parse_args(list(words))
    return expect.files_of(arguments), arguments


@needs_bpy
def test_what_blender_does_is_json_too_and_takes_folders(folder, capsys):
    shutil.rmtree("in/deep")
    code, told = run(capsys, "import", "in", "scenes")
    assert (code, names_of(told)) == (jobs.DONE, ["crates.gltf"])
    code, told = run(capsys, "export", "scenes", "built", "--format", "separate", "--allow-errors")
    assert (code, told["report"]["files"][0]["outputs"]) == (jobs.DONE, ["crates.gltf"])
    assert run(capsys, "inspect", "scenes/crates.blend")[1]["report"]["tree"]
    code, told = run(capsys, "simulate", "built/crates.gltf", "--out", "a.json", "--seconds", "0.1")
    assert (code, told["report"]["frames"]) == (jobs.DONE, 7)
    code, told = run(capsys, "simulate", "built", "--out", "poses", "--seconds", "0.1")
    assert (code, names_of(told)) == (jobs.DONE, ["crates.gltf"])
    assert len(json.loads(Path("poses/crates.json").read_text())["times"]) == 7
    code, told = run(capsys, "batch", "simulate", "scenes", "--into", "tables", "--suffix", ".csv")
    assert (code, told["report"]["files"][0]["outputs"]) == (jobs.DONE, ["crates.csv"])
    assert run(capsys, "batch", "simulate", "scenes", "--into", "x", "--suffix", ".glb")[0] == 2
    assert run(capsys, "diff", "scenes", "built")[0] == jobs.DONE
