"""The benchmark measures, compares and judges; how fast the add-on is stays its own matter."""

import importlib.util
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.blender.support.gltf_files import folded
from tools import environment
from tools.bench import (
    benchmark,
    benchmark_codec,
    benchmark_growth,
    benchmark_overlay,
    benchmark_panels,
    benchmark_preview,
    benchmark_start,
)

SCRIPT = environment.ROOT / "tools" / "bench" / "benchmark.py"
needs_bpy = pytest.mark.skipif(find_spec("bpy") is None, reason="needs bpy")


@pytest.fixture
def _this_bpy(monkeypatch):
    """Measure with the Python that runs the tests."""
    monkeypatch.setattr(environment, "choose", lambda name: name)
    monkeypatch.setattr(environment, "ensure", lambda release: Path(sys.executable))


@needs_bpy
@pytest.mark.usefixtures("_this_bpy")
def test_measures(capsys):
    assert benchmark.main(["2", "4", "--repeat", "1", "--no-bounds"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["2", "export"],
        ["2", "import"],
        ["4", "export"],
        ["4", "import"],
    ]
    assert [line.partition(" n^")[0] for line in lines[5:]] == [
        "export grows with",
        "import grows with",
    ]


@needs_bpy
@pytest.mark.parametrize("addon", [False, True])
def test_task(tmp_path, addon):
    file = tmp_path / "boxes.gltf"
    task = benchmark.Task("export", 3, str(file), addon)
    assert benchmark.run(Path(sys.executable), task, tmp_path) > 0.0
    gltf = json.loads(file.read_text())
    gltf = folded(gltf)
    assert [node["name"] for node in gltf["nodes"]] == ["Box 00000", "Box 00001", "Box 00002"]
    assert ("extensions" in gltf) is addon
    if addon:
        assert len(gltf["extensions"]["OMI_physics_shape"]["shapes"]) == 1
        bodies = [node["extensions"]["OMI_physics_body"] for node in gltf["nodes"]]
        assert [body["motion"]["mass"] for body in bodies] == [1, 2, 3]
        assert all(body["collider"] == {"shape": 0} for body in bodies)


OTHER_SCENES = [scene for scene in benchmark.SCENES if scene != "boxes"]


ALL_AT_ONCE = """
import json, os, pathlib, sys
from tools.bench import benchmark
tasks, answer = map(pathlib.Path, sys.argv[1:])
found = [benchmark.measure(benchmark.Task(*task)) for task in json.loads(tasks.read_text())]
answer.write_text(json.dumps(found))
os._exit(0)
"""


def measured(tasks, folder):
    """What `benchmark.measure` gives of each, all in one process."""
    task_path, answer = folder / "tasks.json", folder / "answer.json"
    task_path.write_text(json.dumps(tasks))
    done = subprocess.run(
        [sys.executable, "-c", ALL_AT_ONCE, task_path, answer],
        cwd=environment.ROOT,
        capture_output=True,
        text=True,
    )
    assert answer.exists(), done.stdout + done.stderr
    return list(zip(tasks, json.loads(answer.read_text()), strict=True))


@pytest.fixture(scope="module")
def exchanged(tmp_path_factory):
    """The times of each other scene, exported and imported with and without the add-on.

    By kind and file.
    """
    folder = tmp_path_factory.mktemp("scenes")
    tasks = [
        benchmark.Task(kind, 32, str(folder / f"{scene}_{addon}.gltf"), addon, scene)
        for addon in (False, True)
        for scene in OTHER_SCENES
        for kind in benchmark.BOUNDS
    ]
    return {(task.kind, Path(task.file)): time for task, time in measured(tasks, folder)}


@pytest.fixture(scope="module")
def costs(tmp_path_factory):
    """The costs of what an artist sees, by kind, one after the other."""
    tasks = [
        benchmark.Task("overlay", 24, "", True, "mixed"),
        benchmark.Task("panels", 64, "", True, "mixed"),
        benchmark.Task("preview", 20, "", True),
        *(benchmark.Task("growth", 3, "", True, kind) for kind in benchmark_growth.KINDS),
    ]
    found = {}
    for task, cost in measured(tasks, tmp_path_factory.mktemp("costs")):
        found.setdefault(task.kind, []).append(cost)
    return found


@needs_bpy
@pytest.mark.parametrize("addon", [False, True])
@pytest.mark.parametrize("scene", OTHER_SCENES)
def test_scenes(exchanged, scene, addon):
    files = {kind: file for (kind, file) in exchanged if file.stem == f"{scene}_{addon}"}
    assert files.keys() == {"export", "import"}
    assert all(exchanged[each] > 0.0 for each in files.items())
    file = files["export"]
    nodes = folded(json.loads(file.read_text()))["nodes"]
    assert len(nodes) == 32
    assert [bool(node.get("extensions")) for node in nodes] == [addon] * 32


@pytest.mark.usefixtures("_this_bpy")
def test_codec(capsys):
    assert benchmark.main(["--codec", "20", "--repeat", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["20", "OMI"], ["20", "KHR"]]


@pytest.mark.parametrize("family", benchmark_codec.FAMILIES)
def test_codec_content(family):
    cost = benchmark_codec.measure(family, 40, memory=False)
    assert cost.seconds > 0.0
    assert cost.memory == 0.0
    assert len(benchmark_codec.file_of(family, 40)["nodes"]) == 40


def test_codec_bounds():
    slow = benchmark_codec.Cost("OMI", 2.0, 1.5, 1e6)
    large = benchmark_codec.Cost("KHR", 1.0, 1.5, 600e6)
    assert benchmark_codec.exceeded([slow, large]) == [
        "OMI: 3.50 s, 3 s are allowed",
        "KHR: 600 MB, 500 MB are allowed",
    ]


@needs_bpy
def test_failed_task(tmp_path):
    task = benchmark.Task("import", 1, str(tmp_path / "missing.gltf"), False)
    with pytest.raises(benchmark.MeasureError, match="import of 1 boxes failed"):
        benchmark.run(Path(sys.executable), task, tmp_path)


@pytest.fixture
def _measured(monkeypatch):
    """Figures as if measured: each import takes three times as long with the add-on."""

    def run(_python, task, _folder):
        return 0.01 * task.number * (3.0 if task.addon and task.kind == "import" else 1.0)

    monkeypatch.setattr(benchmark, "run", run)


@pytest.mark.usefixtures("_this_bpy", "_measured")
def test_bounds(capsys):
    assert benchmark.main(["10", "100", "--repeat", "2"]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines()[1:3] == [
        "      10  export    0.100 s    0.100 s   1.00",
        "      10  import    0.100 s    0.300 s   3.00",
    ]
    assert printed.err.splitlines() == [
        "error: import of 10 boxes: 3.00 times the host's own time, 1.3 are allowed",
        "error: import of 100 boxes: 3.00 times the host's own time, 1.3 are allowed",
    ]
    assert benchmark.main(["10", "--repeat", "2", "--no-bounds"]) == 0


@pytest.mark.usefixtures("_this_bpy")
def test_order_of_a_pair_changes(monkeypatch, tmp_path):
    tasks = []
    monkeypatch.setattr(benchmark, "run", lambda _python, task, _folder: tasks.append(task) or 1.0)
    benchmark.measure_all(Path("python"), [5], 2, tmp_path)
    exports = [task for task in tasks if task.kind == "export"]
    assert [task.addon for task in exports] == [False, True, True, False]
    files = {task.file for task in tasks if task.kind == "import"}
    assert files == {task.file for task in exports if task.addon}


def test_growth():
    assert benchmark.growth([(10, 1.0), (100, 100.0)]) == pytest.approx(2.0)
    assert benchmark.growth([(10, 1.0)]) is None


@pytest.mark.parametrize(
    "arguments",
    [["0"], ["many"], ["--repeat", "0"], ["--bpy", "2.79"], ["--scene", "none"], ["--codec", "0"]],
)
def test_wrong_command(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        benchmark.main(arguments)
    assert "usage:" in capsys.readouterr().err


def test_others_can_load_it_by_its_path():
    spec = importlib.util.spec_from_file_location("loaded", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert callable(module.boxes)


def test_command_line_help():
    done = subprocess.run(
        [sys.executable, SCRIPT, "--help"], capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 0
    assert "--no-bounds" in done.stdout


@needs_bpy
def test_the_overlay_is_measured_in_every_way(costs):
    cost = benchmark_overlay.Cost(*costs["overlay"][0])
    assert (cost.number, cost.scene) == (24, "mixed")
    assert min(cost[2:]) > 0.0
    assert cost.first > cost.unchanged
    assert len(benchmark_overlay.table([cost, cost])) == 3


@needs_bpy
def test_every_panel_is_measured(costs):
    found = [benchmark_panels.Cost(*cost) for cost in costs["panels"][0]]
    by_name = {cost.name: cost for cost in found}
    assert by_name["Check Scene"].made > 0.0
    for name in ("joint", "wheel", "sidebar_outliner", "sidebar_check", "scene"):
        assert min(by_name[name][2:5]) > 0.0
    assert len(benchmark_panels.table(found)) == 1 + len(found)


def test_a_slow_panel_is_told_of():
    slow = benchmark_panels.Cost(7, "joint", again=5.0, changed=60.0)
    assert benchmark_panels.exceeded([slow]) == [
        "joint with 7 objects: again takes 5.0 ms, 4 are allowed"
    ]


@needs_bpy
def test_the_start_is_measured(tmp_path):
    cost = benchmark.measure_start(Path(sys.executable), 1, tmp_path)
    assert min(cost) > 0.0
    assert list((tmp_path / "compiled").rglob("registration*.pyc"))
    (line,) = benchmark_start.table(cost)
    assert "registration" in line


def test_a_slow_start_is_told_of():
    assert benchmark_start.exceeded(benchmark_start.Cost(1.0, 61.0)) == [
        "start: register takes 61 ms, 60 are allowed"
    ]


def test_a_slow_overlay_is_told_of():
    slow = benchmark_overlay.Cost(5, "boxes", 1.0, 9.0, 1.0, 1.0, 1.0, 61.0)
    assert benchmark_overlay.exceeded([slow]) == [
        "overlay of 5 boxes: unchanged takes 9.0 ms, 4 are allowed",
        "overlay of 5 boxes: register takes 61.0 ms, 60 are allowed",
    ]
    assert not benchmark_overlay.exceeded([slow._replace(unchanged=1.0, register=2.0)])


@needs_bpy
def test_the_preview_is_measured(costs):
    cost = benchmark_preview.Cost(*costs["preview"][0])
    assert cost.number == 20
    assert min(cost) > 0.0
    assert len(benchmark_preview.table([cost])) == 2
    assert len(benchmark_preview.table([cost, cost])) == 4


def test_a_slow_preview_is_told_of():
    cost = benchmark_preview.Cost(1000, 10.0, 301.0, 11.6, 1.0, 51.0, 302.0, 999.0)
    assert benchmark_preview.exceeded([cost]) == [
        "preview of 1000 bodies: start takes 301.0 ms, 300.0 are allowed",
        "preview of 1000 bodies: start of turned bodies takes 302.0 ms, 300.0 are allowed",
        "preview of 1000 bodies: frame takes 11.6 ms, 11.5 are allowed",
        "preview of 1000 bodies: frame in a gravity volume takes 51.0 ms, 50.0 are allowed",
    ]
    fast = cost._replace(start=299.0, turned=298.0, frame=11.4, forced=49.0)
    assert benchmark_preview.exceeded([fast]) == []


@needs_bpy
def test_the_growth_of_the_preview_is_measured(costs):
    for kind, found in zip(benchmark_growth.KINDS, costs["growth"], strict=True):
        cost = benchmark_growth.Growth(*found)
        assert cost[:2] == (kind, 3)
        assert min(cost[2:]) > 0.0


def test_what_grows_too_fast_is_told_of():
    costs = [
        benchmark_growth.Growth("doors", 1000, 100.0, 1000.0, 1.0, 100.0),
        benchmark_growth.Growth("doors", 5000, 500.0, 25000.0, 10.0, 500.0),
    ]
    slower = costs[0]._replace(check=90.0, start=2000.0)
    assert benchmark_growth.least([costs[0], slower]) == costs[0]._replace(check=90.0)
    assert benchmark_growth.table(costs)[-1] == (
        "doors grows with check n^1.00, start n^2.00, frame n^0.00, stop n^1.00"
    )
    assert benchmark_growth.exceeded(costs) == ["doors: start grows with n^2.00, n^1.15 is allowed"]
