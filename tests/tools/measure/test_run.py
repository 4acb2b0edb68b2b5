"""The program that compares, held to loaders that are broken on purpose."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tools.measure.suite import run

SCENE: dict[str, Any] = {
    "part": "Bodies",
    "name": "fall",
    "files": {"KHR": "fall.gltf"},
    "tolerance": {"place": 0.05, "share": 0.02, "angle": 0.1},
    "from": 0.0,
    "bodies": {"Body": [[0.0, 1.0 - 0.1 * i, 0.0, 0.0, 0.0, 0.0, 1.0] for i in range(4)]},
}
TIMES = [0.0, 0.5, 1.0, 1.5]
GOOD = SCENE["bodies"]["Body"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A measure of one scene."""
    said = {"seconds": 1.5, "perSecond": 2, "scenes": [SCENE]}
    (tmp_path / "expected.json").write_text(json.dumps(said), encoding="utf-8")
    (tmp_path / "fall.gltf").write_text("{}", encoding="utf-8")
    return tmp_path


def loader(folder: Path, code: str) -> list[str]:
    """A program of Python; it has GOOD, the poses that are expected, and `json`, `sys`, `os`."""
    path = folder / "loader.py"
    path.write_text(f"import json, os, sys, time\nGOOD = {GOOD!r}\n{code}\n", encoding="utf-8")
    return [sys.executable, str(path)]


def printed(answer: str) -> str:
    return f"print(json.dumps({answer}))"


BROKEN = {
    "hangs": ("time.sleep(60)", "hung", "no answer within"),
    "hangs in a child": (
        "import subprocess\nsubprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])",
        "hung",
        "no answer within",
    ),
    "crashes": ("sys.exit('no such extension')", "crashed", "ended with 1: no such extension"),
    "is killed": ("os.kill(os.getpid(), 9)", "crashed", "ended with -9"),
    "crashes after its answer": (
        printed("{'bodies': {'Body': GOOD}}") + "\nsys.stdout.flush()\nsys.exit(3)",
        "crashed",
        "ended with 3",
    ),
    "says nothing": ("pass", "silent", "no JSON object"),
    "says no JSON": ("print('{bodies: yes}')", "silent", "no JSON object"),
    "says bytes": ("sys.stdout.buffer.write(bytes(range(256)))", "silent", "no JSON object"),
    "nests": ("print('{\"bodies\":' * 100000)", "silent", "no JSON object"),
    "says a list": ("print('[1, 2]')", "silent", "no JSON object"),
    "has no bodies": (printed("{'poses': {}}"), "silent", 'no object "bodies"'),
    "has bodies in a list": (printed("{'bodies': [GOOD]}"), "silent", 'no object "bodies"'),
    "refuses": (printed("{'error': 'no KHR'}"), "refused", "no KHR"),
    "misses a body": (printed("{'bodies': {'Other': GOOD}}"), "missing", "no body 'Body'"),
    "misses poses": (
        printed("{'bodies': {'Body': GOOD[:3]}}"),
        "frames",
        "Body: 3 poses instead of 4",
    ),
    "has more poses": (
        printed("{'bodies': {'Body': GOOD + GOOD}}"),
        "frames",
        "Body: 8 poses instead of 4",
    ),
    "has no list": (printed("{'bodies': {'Body': 5}}"), "frames", "no list of poses"),
    "has no rotations": (
        printed("{'bodies': {'Body': [p[:3] for p in GOOD]}}"),
        "frames",
        "pose 0 is not 7 numbers",
    ),
    "has NaN": (
        printed("{'bodies': {'Body': GOOD[:3] + [[float('nan')] * 7]}}"),
        "nan",
        "pose 3 has nan",
    ),
    "has infinity": (
        printed("{'bodies': {'Body': [[1e400] + p[1:] for p in GOOD]}}"),
        "nan",
        "pose 0 has inf",
    ),
    "has a number beyond all": (
        printed("{'bodies': {'Body': [[10**400] + p[1:] for p in GOOD]}}"),
        "nan",
        "pose 0 has 1000000000",
    ),
    "has texts": (
        printed("{'bodies': {'Body': [['0'] + p[1:] for p in GOOD]}}"),
        "nan",
        "pose 0 has '0'",
    ),
    "has flags": (
        printed("{'bodies': {'Body': [[True] + p[1:] for p in GOOD]}}"),
        "nan",
        "pose 0 has True",
    ),
    "has no rotation": (
        printed("{'bodies': {'Body': [p[:3] + [0, 0, 0, 0] for p in GOOD]}}"),
        "nan",
        "has the length 0",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_loader_fails_by_name(folder: Path, name: str) -> None:
    code, state, why = BROKEN[name]
    began = time.monotonic()
    patience = 2.0 if state == "hung" else 60.0
    (found,) = run.measure(loader(folder, code), ["KHR"], folder=folder, patience=patience)
    assert time.monotonic() - began < 50.0
    assert found["state"] == state, found
    assert why in found["why"]


@pytest.mark.parametrize(
    "poses",
    [
        "[[x, y, z + 1, *q] for x, y, z, *q in GOOD]",
        "[GOOD[0]] * 4",
        "[p[:3] + [0, 0, 0.7071, 0.7071] for p in GOOD]",
        "[[1e90, *p[1:]] for p in GOOD]",
    ],
)
def test_a_wrong_motion_differs(folder: Path, poses: str) -> None:
    program = loader(folder, printed(f"{{'bodies': {{'Body': {poses}}}}}"))
    (found,) = run.measure(program, ["KHR"], folder=folder)
    assert found["state"] == "differs", found


@pytest.mark.parametrize(
    "answer",
    [
        printed("{'bodies': {'Body': GOOD, 'Floor': 5}}"),
        "print('engine 4.6')\n" + printed("{'bodies': {'Body': GOOD}}") + "\nprint('bye')",
        "print(json.dumps({'bodies': {'Body': GOOD}}, indent=2))",
        printed("{'bodies': {'Body': [p[:3] + [-x for x in p[3:]] for p in GOOD]}}"),
        printed("{'bodies': {'Body': [[p[0], p[1] + 0.04, *p[2:]] for p in GOOD]}}"),
    ],
)
def test_a_right_motion_is_the_same(folder: Path, answer: str) -> None:
    (found,) = run.measure(loader(folder, answer), ["KHR"], folder=folder)
    assert found["state"] == "same", found


def test_the_file_goes_where_the_words_say(folder: Path) -> None:
    code = "assert sys.argv[1:] == ['--in', FILE, 'end'], sys.argv\n".replace(
        "FILE", repr(str(folder / "fall.gltf"))
    )
    program = [*loader(folder, code + printed("{'bodies': {'Body': GOOD}}")), "--in", "{file}"]
    (found,) = run.measure([*program, "end"], ["KHR"], folder=folder)
    assert found["state"] == "same", found


AT_ONCE = """
job = json.load(open(sys.argv[1]))
assert (job["seconds"], job["perSecond"]) == (1.5, 2), job
ANSWERS = [{"bodies": {"Body": GOOD}} for file in job["files"]]
json.dump(%s, open(job["out"], "w"))
"""


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ("ANSWERS", "same"),
        ("[]", "silent"),
        ("[5]", "silent"),
        ("{}", "silent"),
        ("ANSWERS * 2", "silent"),
        ("[{'error': 'none'}]", "refused"),
    ],
)
def test_all_scenes_at_once(folder: Path, answers: str, state: str) -> None:
    program = [*loader(folder, AT_ONCE % answers), "{job}"]
    (found,) = run.measure(program, ["KHR"], folder=folder)
    assert found["state"] == state, found


@pytest.mark.parametrize(
    ("code", "state"), [("pass", "silent"), ("time.sleep(60)", "hung"), ("1 / 0", "crashed")]
)
def test_no_answer_at_all_fails_each_scene(folder: Path, code: str, state: str) -> None:
    program = [*loader(folder, code), "{job}"]
    patience = 1.0 if state == "hung" else 60.0
    (found,) = run.measure(program, ["KHR"], folder=folder, patience=patience)
    assert found["state"] == state


def test_only_the_end_counts_where_the_scene_says_so() -> None:
    scene = {**SCENE, "from": 1.0}
    rows = [[9.0, *GOOD[0][1:]], [9.0, *GOOD[1][1:]], *GOOD[2:]]
    assert run.judge(scene, {"bodies": {"Body": rows}}, TIMES).state == "same"
    assert run.judge(SCENE, {"bodies": {"Body": rows}}, TIMES).state == "differs"


def test_rotations_that_are_not_expected_do_not_count() -> None:
    scene = {**SCENE, "bodies": {"Body": [row[:3] for row in GOOD]}}
    rows = [[*row[:3], 1.0, 0.0, 0.0, 0.0] for row in GOOD]
    found = run.judge(scene, {"bodies": {"Body": rows}}, TIMES)
    assert (found.state, found.turned) == ("same", None)


def test_what_is_allowed_grows_with_the_way() -> None:
    path = [(0.0, 0.0, 0.0), (100.0, 0.0, 0.0)]
    options = {"near": 0.05, "share": 0.02}
    assert run.apart(path, [(0.0, 0.0, 0.0), (102.0, 0.0, 0.0)], **options) == (2.0, True)
    assert run.apart(path, [(2.0, 0.0, 0.0), (102.0, 0.0, 0.0)], **options)[1] is False
    assert run.apart(path, [(0.0, 0.0, 0.0), (math.nan, 0.0, 0.0)], **options) == (math.inf, False)
    with pytest.raises(ValueError, match="1 poses, not 2"):
        run.apart(path, path[:1], **options)


def command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(cwd / "run.py"), *words], capture_output=True, text=True, timeout=240
    )


@pytest.fixture
def alone(folder: Path) -> Path:
    """The program by itself, in a folder elsewhere."""
    (folder / "run.py").write_bytes(Path(run.__file__).read_bytes())
    return folder


def test_the_command_ends_with_0_and_keeps_a_report(alone: Path) -> None:
    program = loader(alone, printed("{'bodies': {'Body': GOOD}}"))
    words = ["--name", "mine", "--report", str(alone / "mine"), "--", *program]
    done = command(*words, cwd=alone)
    assert (done.returncode, done.stderr) == (0, "")
    page = (alone / "mine.md").read_text(encoding="utf-8")
    assert "| fall | same, 0.00 m |" in page
    assert "| same | 1 of 1 |" in page
    assert page in done.stdout
    said = json.loads((alone / "mine.json").read_text(encoding="utf-8"))
    assert (said["loader"], said["families"]) == ("mine", ["KHR"])
    assert [one["state"] for one in said["scenes"]] == ["same"]


def test_the_command_ends_with_1_when_something_differs(alone: Path) -> None:
    program = loader(alone, printed("{'bodies': {'Body': [GOOD[0]] * 4}}"))
    done = command("--", *program, cwd=alone)
    assert done.returncode == 1
    assert "| fall | differs, 0.30 m |" in done.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--", "/no/such/loader"], "cannot start /no/such/loader"),
        (["--only", "nothing", "--", "true"], "no scene of KHR has 'nothing' in its name"),
        (["--family", "OMI", "--", "true"], "no scene of OMI has '' in its name"),
        (["--family", "MSFT", "--", "true"], "'MSFT' is not of KHR, OMI"),
        (["--patience", "0", "--", "true"], "--patience must be above 0"),
        (["--report", "/no/such/folder/a", "--", "true"], "/no/such/folder/a.md"),
    ],
)
def test_the_command_ends_with_2_when_it_cannot_run(
    alone: Path, words: list[str], why: str
) -> None:
    done = command(*words, cwd=alone)
    assert done.returncode == 2
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_without_what_is_expected_it_says_so(alone: Path) -> None:
    (alone / "expected.json").unlink()
    done = command("--", "true", cwd=alone)
    assert (done.returncode, "cannot read" in done.stderr) == (2, True)


def test_reasons_do_not_break_the_table() -> None:
    one = {"state": "refused", "why": "a|b\nc", "cause": "odd"}
    assert run.cell(one) == "refused: a\\|b c (odd)"
