"""The files of the measure, what is expected of them, its zip file, and the table of the manual."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.files import checking, source
from omi_physics_addon.issues import Severity
from tools import build_measure
from tools.measure import causes, columns
from tools.measure.expected_motions import MOTIONS
from tools.measure.suite import run

FOLDER = Path(run.__file__).parent
SAID = run.read(FOLDER)
SCENES: dict[str, dict[str, Any]] = {scene["name"]: scene for scene in SAID["scenes"]}
TIMES = run.times_of(SAID)
# Rotations of nodes that are mirrored are a matter of taste.
ODD = {"body below a turned and mirrored empty", "box mirrored"}


def matrices(file: dict[str, Any]) -> dict[str, np.ndarray]:
    """Where the nodes of a file are, by name: (4, 4)."""
    nodes, found = file["nodes"], dict[str, np.ndarray]()

    def walk(at: int, above: np.ndarray) -> None:
        node, own = nodes[at], np.eye(4)
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        turn = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        own[:3, :3] = np.array(turn) * np.array(node.get("scale", (1, 1, 1)))
        own[:3, 3] = node.get("translation", (0, 0, 0))
        found[node["name"]] = above @ own
        for child in node.get("children", ()):
            walk(child, above @ own)

    for root in file["scenes"][0]["nodes"]:
        walk(root, np.eye(4))
    return found


def starts(scene: dict[str, Any], file: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    """The poses of bodies in a file, whose axes must stand at right angles."""
    found: dict[str, tuple[float, ...]] = {}
    for name, matrix in matrices(file).items():
        if name not in scene["bodies"]:
            continue
        axes = matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)
        w = np.sqrt(max(1.0 + np.trace(axes), 1e-12)) / 2.0
        parts = [axes[2, 1] - axes[1, 2], axes[0, 2] - axes[2, 0], axes[1, 0] - axes[0, 1]]
        found[name] = (*matrix[:3, 3].tolist(), *(float(part / (4 * w)) for part in parts), w)
    return found


def file_of(scene: dict[str, Any], family: str) -> dict[str, Any]:
    return json.loads((FOLDER / scene["files"][family]).read_text(encoding="utf-8"))


def test_there_are_many_scenes_and_each_file_is_of_one() -> None:
    listed = [name for scene in SCENES.values() for name in scene["files"].values()]
    there = [path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("files/*/*")]
    assert sorted(listed) == sorted(there)
    assert len(SCENES) == len(SAID["scenes"]) >= 140
    assert sum("KHR" in scene["files"] for scene in SCENES.values()) >= 130
    by_formula = [s for s in SCENES.values() if s["source"]["kind"] == "formula"]
    assert len(by_formula) >= 130


@pytest.mark.parametrize("name", SCENES)
def test_an_entry_fits_its_files(name: str) -> None:
    scene = SCENES[name]
    assert scene["shows"].endswith(".")
    assert scene["tolerance"] == {"place": 0.05, "share": 0.02, "angle": 0.1}
    for family, path in scene["files"].items():
        file = file_of(scene, family)
        assert file["extensionsUsed"] == scene["extensions"][family]
        assert all(each.startswith(family) for each in file["extensionsUsed"])
        names = [node["name"] for node in file["nodes"]]
        assert all(names.count(body) == 1 for body in scene["bodies"])
        assert not any("uri" in each and ":" not in each["uri"] for each in file.get("buffers", ()))
        issues = checking.check(source.read(FOLDER / path)).issues
        errors = [one for one in issues if one.severity is Severity.ERROR]
        assert errors == []
    for poses in scene["bodies"].values():
        assert len(poses) == len(TIMES)
        assert {len(pose) for pose in poses} in ({3}, {7})
    assert run.judge(scene, oracle(scene), TIMES)[:2] == ("same", 0.0)


def oracle(scene: dict[str, Any]) -> dict[str, Any]:
    """An answer that has what is expected."""
    bodies = {
        name: [[*pose, 0, 0, 0, 1] if len(pose) == 3 else pose for pose in poses]
        for name, poses in scene["bodies"].items()
    }
    return {"bodies": bodies}


@pytest.mark.parametrize("name", [name for name in SCENES if name in MOTIONS])
def test_what_is_expected_is_the_formula(name: str) -> None:
    """From the poses that the files themselves begin with."""
    scene, motion = SCENES[name], MOTIONS[name]
    assert scene["source"] == {"kind": "formula", "formula": motion.formula}
    assert (scene["shows"], scene["from"]) == (motion.shows, motion.first)
    for family in scene["files"]:
        begin = starts(scene, file_of(scene, family))
        moved = motion.move({n: p for n, p in begin.items() if n != "Plate"}, TIMES)
        for body, poses in scene["bodies"].items():
            count = 3 if name in ODD else len(poses[0])
            expected = np.array([pose[:count] for pose in moved[body]])
            kept = np.array([pose[:count] for pose in poses])
            if count == 7:
                kept[:, 3:] *= np.sign(np.sum(kept[:, 3:] * expected[:, 3:], axis=1))[:, None]
            assert np.allclose(kept, expected, atol=2e-4, rtol=2e-4), (family, body)


def test_a_body_that_begins_elsewhere_is_noticed() -> None:
    scene = SCENES["free fall"]
    wrong = oracle(scene)
    wrong["bodies"]["Body"] = [[x + 0.2, *more] for x, *more in wrong["bodies"]["Body"]]
    assert run.judge(scene, wrong, TIMES).state == "differs"


def test_the_instructions_name_every_result() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    states = ("refused", "missing", "frames", "nan", "silent", "crashed", "hung")
    assert all(f"\n| {state} |" in page for state in states)
    assert all(state in (run.Judged.__doc__ or "") for state in states)
    assert f"there are {len(TIMES)} poses" in page
    assert len(page.splitlines()) <= 100


def test_the_zip_file_is_the_folder_and_the_same_each_time(tmp_path: Path) -> None:
    first, second = build_measure.build(tmp_path / "a"), build_measure.build(tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    names = zipfile.ZipFile(first).namelist()
    assert {f"{build_measure.NAME}/{name}" for name in ("README.md", "LICENSE", "run.py")} < {
        *names
    }
    assert len(names) == 4 + sum(len(scene["files"]) for scene in SCENES.values())


ORACLE = """
import json, os, sys
job, broken = json.load(open(sys.argv[1])), sys.argv[2] == "broken"
said = json.load(open(sys.argv[3]))
by_file = {path: scene for scene in said["scenes"] for path in scene["files"].values()}
answers = []
for file in job["files"]:
    scene = by_file["/".join(file.replace(os.sep, "/").split("/")[-3:])]
    bodies = {
        name: [[*pose, 0, 0, 0, 1] if len(pose) == 3 else pose for pose in poses]
        for name, poses in scene["bodies"].items()
    }
    if broken and scene["name"] == "hinge about X, limited evenly":
        bodies = {name: [[x, -y, *more] for x, y, *more in poses] for name, poses in bodies.items()}
    answers.append({"bodies": bodies})
json.dump(answers, open(job["out"], "w"))
"""


@pytest.mark.parametrize(("kind", "code", "same"), [("right", 0, 0), ("broken", 1, 1)])
@pytest.mark.parametrize("family", ["KHR", "OMI"])
def test_the_zip_file_runs_by_itself(
    tmp_path: Path, family: str, kind: str, code: int, same: int
) -> None:
    """A loader whose hinge opens to the other side fails, and only there."""
    zipfile.ZipFile(build_measure.build(tmp_path)).extractall(tmp_path)
    folder = tmp_path / build_measure.NAME
    program = folder / "oracle.py"
    program.write_text(ORACLE, encoding="utf-8")
    words = ["--family", family, "--report", str(tmp_path / "it"), "--", sys.executable]
    words += [str(program), "{job}", kind, str(folder / "expected.json")]
    done = subprocess.run(
        [sys.executable, "-I", str(folder / "run.py"), *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (done.returncode, done.stderr) == (code, "")
    found = json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))["scenes"]
    wrong = [one for one in found if one["state"] != "same"]
    assert [one["name"] for one in wrong] == ["hinge about X, limited evenly"][:same]


def test_the_manual_has_the_results_that_are_kept() -> None:
    kept, page = columns.kept(), columns.PAGE.read_text(encoding="utf-8")
    assert columns.put(page, columns.content(kept)) == page
    assert list(kept) == list(columns.COLUMNS)
    for title, results in kept.items():
        chosen = run.choose(SAID, columns.COLUMNS[title].families, "")
        assert [one["name"] for one in results] == [scene["name"] for scene, _ in chosen]


def test_what_differs_has_a_cause_and_no_cause_is_stale() -> None:
    kept = columns.kept()
    unknown = [
        (title, one["name"])
        for title, results in kept.items()
        for one in results
        if one["state"] != "same" and causes.cause_of(title, one) is None
    ]
    assert unknown == []
    assert causes.unused(kept) == []


def test_a_cause_that_nothing_differs_for_is_told() -> None:
    good = {"part": "Bodies", "name": "body below a turned and mirrored empty", "state": "same"}
    assert causes.unused({"Preview": [good]}) == [f"Preview, landing: {good['name']}"]


@pytest.mark.parametrize("title", ["Preview", "Godot, our importer", "Page"])
def test_ours_does_what_is_expected(title: str) -> None:
    results = columns.kept()[title]
    assert sum(one["state"] == "same" for one in results) >= 0.95 * len(results)


def test_other_scenes_and_loaders_keep_what_they_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "RESULTS", tmp_path / "measure.json")
    monkeypatch.setattr(columns, "PAGE", tmp_path / "engines.md")
    columns.PAGE.write_text(f"{columns.BEGIN}\n{columns.END}\n", encoding="utf-8")
    box, ball = (
        {"part": "Shapes", "name": n, "state": "same", "off": 0.1, "turned": None}
        for n in ("box", "sphere")
    )
    columns.keep({"Page": [ball], "Godot": [box]})
    columns.keep({"Page": [{**box, "off": 0.3}]})
    kept = columns.kept()
    assert [(one["name"], one["off"]) for one in kept["Page"]] == [("box", 0.3), ("sphere", 0.1)]
    assert [one["off"] for one in kept["Godot"]] == [0.1]
    assert "| box | - | same, 0.10 m | - |" in columns.PAGE.read_text(encoding="utf-8")
