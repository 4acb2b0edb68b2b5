"""The sub-command `batch`, over files that need no Blender."""

import json
import os
import shutil
import sys
import threading
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from omi_physics_addon.cli import main as cli
from omi_physics_addon.cli.batch import command, ledger, plan, pool

ROOT = Path(__file__).resolve().parents[3]
CRATES = ROOT / "docs" / "commands" / "crates.gltf"
FAULTY = b"no glTF"
LIMITS = pool.Limits(files=200, megabytes=2000, seconds=60)


def run(*words):
    return cli.main(["batch", *map(str, words), "--jobs", "1"])


@pytest.fixture(scope="module")
def converted(tmp_path_factory):
    """A tree with a good, a broken and a hidden file, and what a first run made of it."""
    folder = tmp_path_factory.mktemp("batch")
    (folder / "in" / "sub").mkdir(parents=True)
    shutil.copy(CRATES, folder / "in" / "sub" / "crates.gltf")
    shutil.copy(CRATES, folder / "in" / "same.gltf")
    shutil.copy(CRATES, folder / "in" / ".hidden.gltf")
    (folder / "in" / "bad <i>.glb").write_bytes(FAULTY)
    code = run("convert", folder / "in", "--into", folder / "out", "--options=--family khr")
    return folder, code


def pages(folder):
    return {path.name: path.read_bytes() for path in (folder / "out").rglob("*") if path.is_file()}


def test_outputs_mirror_the_tree_and_a_failure_is_reported(converted):
    folder, code = converted
    assert code == 1
    assert "KHR_physics_rigid_bodies" in (folder / "out" / "sub" / "crates.gltf").read_text()
    report = json.loads((folder / "out" / "batch.json").read_text())
    assert [(each["source"], each["exitCode"]) for each in report["files"]] == [
        ("bad <i>.glb", 2),
        ("same.gltf", 0),
        ("sub/crates.gltf", 0),
    ]
    assert report["counts"] == {"files": 3, "failed": 1}
    assert report["files"][2]["outputs"] == ["sub/crates.gltf"]


def test_junit_and_html_tell_the_failure(converted):
    out = converted[0] / "out"
    (suite,) = ElementTree.parse(out / "batch.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    assert [case.get("name") for case in suite if case.find("failure") is not None] == [
        "bad <i>.glb"
    ]
    page = (out / "batch.html").read_text()
    assert "bad &lt;i&gt;.glb" in page
    assert "<i>" not in page
    assert "http:" not in page
    assert "https:" not in page
    # What failed comes first, and is marked.
    assert page.index('<tr class="ERROR"><td>failed</td>') < page.index("<td>done</td>")


def test_a_second_run_starts_nothing_and_writes_the_same(converted, monkeypatch, capsys):
    folder, _ = converted
    before = pages(folder)
    monkeypatch.setattr(command, "SERVER", Path("/there/is/none"))
    code = run("convert", folder / "in", "--into", folder / "out", "--options=--family khr")
    assert code == 1
    assert "3 done before" in capsys.readouterr().out
    assert pages(folder) == before


def test_a_changed_output_a_changed_source_and_other_options_are_done_again(converted):
    folder, _ = converted
    words = ["convert", [str(folder / "in")], (folder / "out").resolve(), ".glb"]
    options, program = ["--family", "khr"], f"{plan.version()} "
    program += command.identity([sys.executable])
    tasks = list(plan.tasks(*words, options, program))
    book = ledger.Ledger(folder / "out")
    assert all(book.done(task) for task in tasks)
    assert not any(book.done(task) for task in plan.tasks(*words, [], program))
    assert not any(book.done(task) for task in plan.tasks(*words, options, "other"))
    path = folder / "out" / "same.gltf"
    text = path.read_bytes()
    path.write_bytes(text + b" ")
    assert [book.done(task) is None for task in tasks] == [False, True, False]
    path.write_bytes(text)
    source = folder / "in" / "same.gltf"
    old = source.read_bytes()
    source.write_bytes(old + b" ")
    assert [book.done(each) is None for each in plan.tasks(*words, options, program)] == [
        False,
        True,
        False,
    ]
    source.write_bytes(old)
    book.close()


def test_a_file_is_read_when_its_turn_comes(tmp_path):
    """The first of many large files is under way before the last was looked at."""
    for name in ("a.gltf", "b.gltf"):
        shutil.copy(CRATES, tmp_path / name)
    tasks = plan.tasks("convert", [str(tmp_path)], tmp_path / "out", ".glb", [], "")
    before = [task.key for task in tasks]
    under_way = iter(tasks)
    first = next(under_way)
    (tmp_path / "b.gltf").write_bytes((tmp_path / "b.gltf").read_bytes() + b" ")
    assert first.key == before[0]
    assert next(under_way).key != before[1]


def test_a_line_that_was_cut_off_counts_for_nothing(tmp_path):
    book = ledger.Ledger(tmp_path)
    for key in ("a", "b"):
        book.add(ledger.Entry(key, command.jobs.Outcome(), crashed=False, outputs={}))
    book.close()
    path = tmp_path / ledger.LEDGER.format(part="")
    path.write_bytes(path.read_bytes()[:-5])
    book = ledger.Ledger(tmp_path)
    tasks = [plan.Task("", "check", "", None, (), key) for key in ("a", "b")]
    assert [book.done(task) is None for task in tasks] == [False, True]
    book.add(ledger.Entry("b", command.jobs.Outcome(), crashed=False, outputs={}))
    book.close()
    book = ledger.Ledger(tmp_path)
    assert book.done(tasks[1]) is not None
    book.close()


# Processes that answer, die or hang, in place of Blender
SERVER = """
import json, os, pathlib, signal, sys, time
for line in sys.stdin:
    task = json.loads(line)
    name = pathlib.Path(task["source"]).name
    again = pathlib.Path(task["source"] + ".again")
    if name == "dies" or (name == "once" and not again.exists()):
        again.touch()
        print("oh no", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "hangs":
        time.sleep(60)
    pathlib.Path(task["output"]).write_text(str(os.getpid()))
    size = 10**12 if name == "big" else 0
    outcome = {"exit_code": 0}
    print("chatter", flush=True)
    print("omi-batch: " + json.dumps({"outcome": outcome, "memory": size, "reads": []}), flush=True)
"""


def played(tmp_path, names, limits=LIMITS, count=1):
    """What processes make of files with these names."""
    tasks = [
        plan.Task(name, "export", str(tmp_path / name), str(tmp_path / "out" / name), (), name)
        for name in names
    ]
    process = [sys.executable, "-S", "-c", SERVER]
    running = pool.run(tasks, process, count, limits, tmp_path / "out")
    return {task.name: entry for task, entry in running}


needs_signals = pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")


@needs_signals
def test_a_death_costs_only_its_file_and_is_tried_once_more(tmp_path):
    found = played(tmp_path, ["dies", "fine", "once"])
    assert {name: entry.crashed for name, entry in found.items()} == {
        "dies": True,
        "fine": False,
        "once": False,
    }
    assert found["dies"].outcome.error.splitlines()[1:] == ["oh no"]  # Of the second try alone.
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["fine", "once"]


@needs_signals
def test_a_file_that_takes_too_long_is_given_up(tmp_path):
    found = played(tmp_path, ["hangs", "fine"], LIMITS._replace(seconds=5))
    assert [found[name].crashed for name in ("hangs", "fine")] == [True, False]


@pytest.mark.parametrize(("names", "files"), [("abcd", 2), (["a", "big", "c", "d"], 200)])
def test_processes_live_for_many_files_and_are_renewed(tmp_path, names, files):
    played(tmp_path, names, LIMITS._replace(files=files))
    a, b, c, d = [(tmp_path / "out" / name).read_text() for name in names]
    assert a == b != c == d


def pids(tmp_path, names):
    return {(tmp_path / "out" / name).read_text() for name in names}


def test_where_descriptors_are_few_there_are_fewer_processes(tmp_path):
    resource = pytest.importorskip("resource", reason="needs a limit of open files")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = len(os.listdir("/dev/fd"))
    names = [f"{n}" for n in range(12)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (opened + 20, hard))
    try:
        found = played(tmp_path, names, count=8)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert {entry.outcome.error for entry in found.values()} == {""}
    assert len(pids(tmp_path, names)) <= 2


@pytest.mark.parametrize("left", [5, 0])
def test_where_threads_are_few_there_are_fewer_processes(tmp_path, monkeypatch, left):
    start = threading.Thread.start

    def limited(thread):
        if threading.active_count() > before + left:
            raise RuntimeError("can't start new thread")
        start(thread)

    before = threading.active_count() - 1
    monkeypatch.setattr(threading.Thread, "start", limited)
    names = [f"{n}" for n in range(8)]
    if not left:
        with pytest.raises(OSError, match="no thread or memory left"):
            played(tmp_path, names, count=4)
        return
    found = played(tmp_path, names, count=4)
    assert set(found) == set(names)


def test_a_name_with_a_line_break_begins_no_line(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    try:
        (tmp_path / "in" / "a\n2 done b.gltf").write_bytes(FAULTY)
    except OSError:
        pytest.skip("no file has such a name here")
    (tmp_path / "in" / "c.gltf").write_bytes(FAULTY)
    run("check", tmp_path / "in", "--into", tmp_path / "out")
    cli.main(["check", str(tmp_path / "in")])
    lines = "".join(capsys.readouterr()).splitlines()
    assert len([line for line in lines if r"a\u000a2 done b.gltf" in line]) == 3
    assert not [line for line in lines if line.startswith("2 done")]


def test_parts_share_the_files_and_a_run_without_them_sums_up(tmp_path, monkeypatch, capsys):
    (tmp_path / "in").mkdir()
    for number in range(5):
        text = CRATES.read_text().replace("\n", "\n" * (number + 1))
        (tmp_path / "in" / f"{number}.gltf").write_text(text)
    (tmp_path / "in" / "bad.glb").write_bytes(FAULTY)
    words = ["convert", tmp_path / "in", "--options=--family khr", "--into"]
    assert run(*words, tmp_path / "whole") == 1
    for part in ("1/3", "3/3", "2/3"):
        assert run(*words, tmp_path / "out", "--part", part) == 0
        number = part.partition("/")[0]
        report = json.loads((tmp_path / "out" / f"batch-{number}-of-3.json").read_text())
        assert report["counts"]["files"] == 2
    monkeypatch.setattr(command, "SERVER", Path("/there/is/none"))
    assert run(*words, tmp_path / "out") == 1
    assert "6 files, 1 failed, 6 done before" in capsys.readouterr().out
    names = [*(f"{number}.gltf" for number in range(5)), "batch.json", "batch.xml", "batch.html"]
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    # More parts than files leave some with nothing to do.
    assert run(*words, tmp_path / "out", "--part", "9/9") == 0


def test_parts_run_beside_each_other_and_not_beside_a_whole_run(tmp_path):
    one, two = plan.Part(1, 2), plan.Part(2, 2)
    with ledger.only_one(tmp_path, one), ledger.only_one(tmp_path, two):
        for part in (one, None):
            with pytest.raises(command.jobs.InputError), ledger.only_one(tmp_path, part):
                pass
    with ledger.only_one(tmp_path), pytest.raises(command.jobs.InputError, match="another"):
        ledger.only_one(tmp_path, one).__enter__()


def test_another_run_into_the_same_folder_is_refused(tmp_path, capsys):
    shutil.copy(CRATES, tmp_path / "a.gltf")
    (tmp_path / "out").mkdir()
    with ledger.only_one((tmp_path / "out").resolve()):
        assert run("check", tmp_path / "a.gltf", "--into", tmp_path / "out") == 2
    assert "another batch" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["check", "none.glb"], "there is no file none.glb"),
        (["check", "*.glb"], "there are no files"),
        (["check", ".", "--part", "3/2"], "--part must be like 2/8, and not 3/2"),
        (["check", ".", "--part", "x"], "--part must be like 2/8, and not x"),
        (["check", ".", "--renew", "0"], "--renew must be above 0"),
        (["check", ".", "--options=--what"], "--options: unrecognized arguments: --what"),
    ],
)
def test_what_cannot_run_is_told(tmp_path, monkeypatch, capsys, words, why):
    monkeypatch.chdir(tmp_path)
    assert run(*words, "--into", "out") == 2
    assert why in capsys.readouterr().err


def test_two_sources_of_one_output_are_refused(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        shutil.copy(CRATES, tmp_path / name / "crates.gltf")
    both = [str(tmp_path / name) for name in ("a", "b")]
    with pytest.raises(command.jobs.InputError, match=r"would both write crates\.gltf"):
        plan.tasks("convert", both, tmp_path / "out", ".glb", [], "")
    found = plan.tasks("convert", [f"{tmp_path}/**/*.gltf"], tmp_path / "out", ".glb", [], "")
    assert [task.name for task in found] == ["a/crates.gltf", "b/crates.gltf"]
