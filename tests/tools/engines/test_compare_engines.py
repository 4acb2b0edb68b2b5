"""Comparing the preview with engines of others, with stand-ins for both."""

import json
import math
import sys

import pytest

from omi_physics_addon.cli import jobs
from tools.engines import compare_engines, engine_clients
from tools.engines.engine_clients import Engines, MissingError, RefusalError

# Lets every body fall for a second, and answers as the engines do.
ENGINE = """
import json, sys
words = sys.argv[2:]
with open(sys.argv[1] + ".asked", "a") as asked:
    asked.write(" ".join(words[1:]) + chr(10))
if "{refusal}":
    print(json.dumps({{"ok": False, "error": "{refusal}"}}))
    sys.exit(1)
count = int(words[words.index("--samples") + 1])
seconds = float(words[words.index("--seconds") + 1])
times = [seconds * (i + 1) / count for i in range(count)]
names = [node["name"] for node in json.load(open(words[0]))["nodes"]]
track = [[t, 0.0, max(5.0 * (1.0 - t), 0.0), 0.0] for t in times]
start = {{"position": [0, 5, 0], "rotation": [0, 0, 0, 1]}}
end = {{"position": [0, 0, 0], "rotation": [0, 0, 0, 1]}}
spin = [0.0, 0.0, 0.0]
said = {{"ok": True}}
if {babylon}:
    said["bodies"] = [
        {{"node": n, "motionType": "DYNAMIC", "t0": start, "track": track,
          "tT": end | {{"angularVelocity": spin}}}} for n in names
    ]
else:
    said["nodes"] = [{{"name": "Root", "class": "Node3D"}}] + [
        {{"name": n, "class": "RigidBody3D", "t0": start, "track": track,
          "tT": end | {{"angular_velocity": spin}}}} for n in names
    ]
print(json.dumps(said))
"""
GLTF = {
    "asset": {"version": "2.0"},
    "extensionsUsed": ["OMI_physics_body"],
    "nodes": [{"name": "Ball"}],
}


@pytest.fixture
def engines(tmp_path, monkeypatch):
    """Engines that are Python programs; returns them, and what was asked of them."""

    def make(refusal="", answers=None):
        for engine in engine_clients.ENGINES:
            text = ENGINE.format(babylon=engine == "babylon", refusal=refusal)
            (tmp_path / f"{engine}.py").write_text(text)
        monkeypatch.setattr(
            engine_clients,
            "command",
            lambda folder, engine: [
                sys.executable,
                str(folder / f"{engine}.py"),
                str(folder / engine),
            ],
        )
        return Engines(tmp_path, answers)

    return make


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.gltf"
    path.write_text(json.dumps(GLTF))
    return path


def rehearsal(height=0.0, left_out=(), exit_code=jobs.DONE):
    """Stands for the preview: lets every body fall to a height."""

    def rehearse(job):
        if exit_code != jobs.DONE:
            return jobs.Outcome(exit_code=exit_code, error="it failed")
        with open(job.source, encoding="utf-8") as file:
            content = file.read()
        with open(job.exported, "w", encoding="utf-8") as file:
            file.write(content)
        times = [i / job.fps for i in range(round(job.seconds * job.fps) + 1)]
        bodies = [
            {
                "name": node["name"],
                "type": "dynamic",
                "position": [[0.0, max(5.0 * (1.0 - t), height), 0.0] for t in times],
                "rotation": [[0.0, 0.0, 0.0, 1.0]] * len(times),
                "angularVelocity": [[0.0, 0.0, 0.0]] * len(times),
            }
            for node in json.loads(content)["nodes"]
        ]
        with open(job.poses, "w", encoding="utf-8") as file:
            json.dump({"times": times, "bodies": bodies}, file)
        return jobs.Outcome(report={"leftOut": list(left_out)})

    return rehearse


@pytest.mark.parametrize("engine", engine_clients.ENGINES)
@pytest.mark.parametrize(("height", "same"), [(0.0, True), (1.0, False)])
def test_a_file_is_compared_by_the_names_of_its_nodes(engines, source, engine, height, same):
    results = compare_engines.compare_file(
        source, "in.gltf", engines(), engine, rehearsal(height), 3.0
    )
    forms = ["as it is", "as exported"] if engine == "godot" else ["as exported"]
    assert [one.form for one in results] == forms
    for one in results:
        (verdict,) = one.verdicts
        assert (verdict.body, verdict.kind, one.same) == ("Ball", "rest", same)
        assert math.isclose(verdict.off, height)


def test_a_file_is_not_read_as_it_is_where_the_preview_plays_something_else(engines, source):
    words = ("planes, which are boxes",)
    results = compare_engines.compare_file(
        source, "in.gltf", engines(), "godot", rehearsal(left_out=words), 3.0
    )
    assert [(one.form, one.left_out) for one in results] == [("as exported", words)]


@pytest.mark.parametrize(
    ("name", "node"), [("n1 Physics", "n1"), ("n2 Physics", "n2 Physics"), ("n1", "n1")]
)
def test_what_stands_for_a_bone_has_the_name_of_its_node(name, node):
    assert compare_engines.of_bone(name, {"n1": "Bone"}) == node


def test_a_refusal_of_an_engine_is_told(engines, source):
    found = engines("file:///somewhere/in.gltf: no such shape")
    with pytest.raises(RefusalError, match="no such shape"):
        engine_clients.run(found, "godot", source, 3.0, 60)
    results = compare_engines.compare_file(source, "in.gltf", found, "godot", rehearsal(), 3.0)
    assert results[0].problem == "Godot, Jolt: it: no such shape"
    assert not any(one.same for one in results)


def test_a_failure_of_the_preview_is_told(engines, source):
    (result,) = compare_engines.compare_file(
        source, "in.gltf", engines(), "godot", rehearsal(exit_code=jobs.FAILED), 3.0
    )
    assert result.problem == "it failed"


def test_kept_answers_are_not_asked_for_again(engines, source, tmp_path):
    kept = tmp_path / "answers"
    kept.mkdir()
    found = engines(answers=kept)
    first = engine_clients.run(found, "godot", source, 3.0, 60)
    assert engine_clients.run(found, "godot", source, 3.0, 60) == first
    asked = tmp_path / "godot.asked"
    assert len(asked.read_text().splitlines()) == 1
    engine_clients.run(found, "godot", source, 3.0, 120)
    source.write_text(json.dumps(GLTF | {"nodes": [{"name": "Other"}]}))
    assert "Other" in engine_clients.run(found, "godot", source, 3.0, 60)
    assert len(asked.read_text().splitlines()) == 3


def test_missing_engines_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(engine_clients.shutil, "which", lambda name: None)
    with pytest.raises(MissingError, match=r"no Node\.js"):
        engine_clients.command(tmp_path, "godot")
    monkeypatch.setattr(engine_clients.shutil, "which", lambda name: "/bin/node")
    with pytest.raises(MissingError, match=r"no godot/load\.mjs"):
        engine_clients.command(tmp_path, "godot")


def test_of_twins_one_is_compared_and_names_are_short(tmp_path):
    for name in ("b.gltf", "b.glb", "a/c.glb", "d.txt", "e/x/f.glb", "g/f.gltf"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = compare_engines.files_of([tmp_path / "in", tmp_path / "in/a/c.glb"])
    assert [(path.name, name) for path, name in found] == [
        ("c.glb", "a/c"),
        ("b.gltf", "b"),
        ("f.glb", "e/f"),
        ("f.gltf", "g/f"),
        ("c.glb", "c.glb/c"),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [(["examples"], "no engines"), (["none.glb", "--clients", "x"], "there is no none.glb")],
)
def test_a_wrong_command_line_says_so(words, message, monkeypatch, capsys):
    monkeypatch.delenv("OMI_PHYSICS_CLIENTS", raising=False)
    assert compare_engines.main(words) == jobs.BAD_INPUT
    assert message in capsys.readouterr().err
