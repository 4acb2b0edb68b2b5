"""The job type for Flamenco, with a stand-in for its manager: its tasks are run here."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from omi_physics_addon.cli import main as cli

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "recipes" / "omi_physics_batch.js"
CRATES = ROOT / "docs" / "commands" / "crates.gltf"
NODE = shutil.which("node")
# What a script may call, and the settings with their defaults, as a manager fills them in
MANAGER = """
const tasks = [];
const author = {
  Task: (name, type) => ({
    name, type, commands: [], after: [],
    addCommand(command) { this.commands.push(command); },
    addDependency(task) { this.after.push(task.name); },
  }),
  Command: (name, parameters) => ({ name, parameters }),
};
const script = require("fs").readFileSync(process.argv[1], "utf-8");
const [type, compile] = new Function("author", script + "; return [JOB_TYPE, compileJob]")(author);
const settings = Object.fromEntries(type.settings.map(each => [each.key, each.default]));
Object.assign(settings, JSON.parse(process.argv[2]));
compile({ settings, addTask(task) { tasks.push(task); } });
console.log(JSON.stringify({ settings: type.settings, tasks }));
"""

pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")


def compiled(**settings):
    words = [NODE, "-e", MANAGER, str(SCRIPT), json.dumps(settings)]
    return subprocess.run(words, capture_output=True, text=True)


def test_the_tasks_of_a_job_do_all_files_and_the_last_one_sums_up(tmp_path):
    (tmp_path / "in").mkdir()
    for number in range(3):
        shutil.copy(CRATES, tmp_path / "in" / f"{number}.gltf")
    (tmp_path / "in" / "bad.glb").write_bytes(b"no glTF")
    folders = {"source": str(tmp_path / "in"), "into": str(tmp_path / "out")}
    said = compiled(command="convert", options="--family khr", parts=2, **folders)
    tasks = json.loads(said.stdout)["tasks"]
    assert [(task["name"], task["type"], task["after"]) for task in tasks] == [
        ("part-1", "misc", []),
        ("part-2", "misc", []),
        ("summary", "misc", ["part-1", "part-2"]),
    ]
    codes = []
    for task in tasks:
        (command,) = task["commands"]
        assert (command["name"], command["parameters"]["exe"]) == ("exec", "omi-physics")
        codes.append(cli.main([*command["parameters"]["args"], "--quiet"]))
    # A task that fails would keep the summary from being written; the summary tells.
    assert codes == [0, 0, 1]
    report = json.loads((tmp_path / "out" / "batch.json").read_text())
    assert report["counts"] == {"files": 4, "failed": 1}
    assert "KHR_physics_rigid_bodies" in (tmp_path / "out" / "2.gltf").read_text()


def test_a_blender_is_passed_on_and_bad_numbers_are_refused():
    said = compiled(source="/in", into="/out", blender="{blender}", parts=1)
    found = json.loads(said.stdout)
    assert found["tasks"][0]["commands"][0]["parameters"]["args"] == [
        *("batch", "export", "/in", "--into=/out", "--jobs=2", "--blender={blender}"),
        "--part=1/1",
    ]
    assert {each["type"] for each in found["settings"]} == {"string", "int32"}
    assert "parts must be above 0" in compiled(source="/in", into="/out", parts=0).stderr
