"""Files done by the workers of a Dask cluster: a real one, on this machine."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from omi_physics_addon.cli import jobs
from omi_physics_addon.cli import main as cli
from omi_physics_addon.cli.batch import farm, ledger, plan, pool

ROOT = Path(__file__).resolve().parents[3]
CRATES = ROOT / "docs" / "commands" / "crates.gltf"
LEDGER = ledger.LEDGER.format(part="")
LIMITS = pool.Limits(files=200, megabytes=2000, seconds=60)

needs_dask = pytest.mark.skipif(
    os.name == "nt" or find_spec("distributed") is None, reason="needs distributed and SIGKILL"
)

# In place of Blender: takes a while for a file, tells when it begins and ends, dies of one. Told
# to hold, it waits in the middle of a file once four are done, as long as its worker lives.
BLENDER = f"""#!{sys.executable} -S
import json, os, pathlib, signal, sys, time
log = open({{log!r}}, "ab", buffering=0)
hold, done, worker = {{hold!r}}, pathlib.Path({{log!r}}), os.getppid()
for line in sys.stdin:
    task = json.loads(line)
    name = pathlib.Path(task["source"]).name
    log.write(f"begin {{{{name}}}}\\n".encode())
    time.sleep(0.05)
    while os.path.exists(hold) and done.read_text().count("end ") >= 4 and os.getppid() == worker:
        time.sleep(0.02)
    if name == "dies.blend":
        os.kill(os.getpid(), signal.SIGKILL)
    pathlib.Path(task["output"]).write_bytes(pathlib.Path(task["source"]).read_bytes() * 2)
    log.write(f"end {{{{name}}}}\\n".encode())
    outcome = {{{{"exit_code": 0, "lines": [name]}}}}
    answer = {{{{"outcome": outcome, "memory": 0, "reads": []}}}}
    print("omi-batch: " + json.dumps(answer), flush=True)
"""


class Cluster:
    """A scheduler, which does not have the package, and two workers, which do."""

    def __init__(self, folder):
        self._folder, self._processes = folder, []
        self._file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        self.workers = [self.add_worker() for _ in range(2)]
        log = folder / "worker.log"
        try:
            wait_for(lambda: log.exists() and log.read_text().count("Registered to") == 2)
        except AssertionError:
            self.end()
            raise
        self.address = json.loads(self._file.read_text())["address"]

    def _start(self, kind, *words, **variables):
        words = [*words, "--no-dashboard", "--scheduler-file", str(self._file)]
        command = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.dask_{kind}", *words]
        with (self._folder / f"{kind}.log").open("ab") as log:
            process = subprocess.Popen(
                command, cwd=self._folder, stderr=log, env={**os.environ, **variables}
            )
        self._processes.append(process)
        return process

    def add_worker(self):
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        words = ["--host", "127.0.0.1", "--nthreads", "1", "--no-nanny"]
        return self._start("worker", *words, PYTHONPATH=os.pathsep.join(paths))

    def end(self):
        for process in self._processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.end()


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    """Files, one of which Blender dies of, the Blender, and what it says."""
    folder = tmp_path_factory.mktemp("scenes")
    (folder / "in").mkdir()
    for number in range(16):
        (folder / "in" / f"{number:02}.blend").write_bytes(str(number).encode())
    (folder / "in" / "dies.blend").write_bytes(b"deadly")
    program = folder / "blender"
    program.write_text(BLENDER.format(log=str(folder / "log"), hold=str(folder / "hold")))
    program.chmod(0o755)
    return folder


def words(scenes, into, *more):
    given = [*("batch", "export", str(scenes / "in"), "--into", str(scenes / into)), *more]
    return [*given, "--blender", str(scenes / "blender"), "--jobs", "1", "--quiet"]


def pages(folder):
    """What a batch wrote, and what it remembers, which is in no order."""
    files = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    lines = files.pop(LEDGER).splitlines()
    return files, sorted(lines)


def ended(log):
    """The files that the stand-in for Blender has done, as often as it did them."""
    return [line for line in log.read_text().splitlines() if line.startswith("end ")]


def half_done(log):
    """How many files are begun and not ended."""
    return log.read_text().count("begin") - len(ended(log)) if log.exists() else 0


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    monkeypatch.setattr(farm, "CONNECT_SECONDS", 120)


def spawned(arguments, **options):
    start = "import sys; from omi_physics_addon.cli import main; "
    start += "from omi_physics_addon.cli.batch import farm; farm.CONNECT_SECONDS = 120; "
    start += "sys.exit(main.main())"
    command = [sys.executable, "-W", "ignore", "-c", start, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, **options)


def wait_for(condition):
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@needs_dask
def test_a_worker_killed_in_the_middle_loses_nothing_and_does_nothing_twice(cluster, scenes):
    assert cli.main(words(scenes, "alone")) == 1
    log = scenes / "log"
    log.unlink()
    (scenes / "hold").touch()
    run = spawned(words(scenes, "farm", "--scheduler", cluster.address))
    wait_for(lambda: half_done(log) == 2 and len(ended(log)) >= 4)
    done = len(ended(log))
    cluster.workers[0].send_signal(signal.SIGKILL)
    wait_for(lambda: len(ended(log)) > done)  # Its Blender ends its file all the same.
    (scenes / "hold").unlink()
    told = run.communicate(timeout=300)[1]
    assert (run.returncode, told) == (1, "")
    assert not (scenes / "farm" / ledger.LEFT).exists()
    # The same files, summaries and memory as without a farm; a line for each file
    assert pages(scenes / "farm") == pages(scenes / "alone")
    assert len(pages(scenes / "farm")[1]) == 17
    assert len(set(ended(log))) == 16
    # Only the file that the killed worker had was begun again, and the deadly one.
    assert len(ended(log)) <= 17
    assert log.read_text().count("begin") <= 16 + 2 + 1


@needs_dask
def test_the_deadly_file_alone_is_tried_again_by_the_next_run(cluster, scenes):
    log = scenes / "log"
    log.write_text("")
    assert cli.main(words(scenes, "farm", "--scheduler", cluster.address)) == 1
    assert log.read_text().split() == ["begin", "dies.blend"] * 2
    report = json.loads((scenes / "farm" / "batch.json").read_text())
    assert [each["source"] for each in report["files"] if each["crashed"]] == ["dies.blend"]


@needs_dask
def test_a_cluster_converts_as_one_process_does(cluster, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("one.gltf", "two.gltf"):
        shutil.copy(CRATES, tmp_path / "in" / name)
    (tmp_path / "in" / "bad.glb").write_bytes(b"no glTF")
    given = ["batch", "convert", str(tmp_path / "in"), "--options=--family khr", "--quiet"]
    assert cli.main([*given, "--into", str(tmp_path / "a"), "--jobs", "1"]) == 1
    assert cli.main([*given, "--into", str(tmp_path / "b"), "--scheduler", cluster.address]) == 1
    assert pages(tmp_path / "a") == pages(tmp_path / "b")


@needs_dask
def test_a_worker_that_cannot_write_fails_only_its_file(cluster, tmp_path):
    """As with a full disk; the scheduler is not blamed for it."""

    def on_full_disk():
        raise OSError("No space left on device")

    task = plan.Task("a.gltf", "convert", "a.gltf", "b.gltf", (), "k")
    with farm.connected(cluster.address) as client:
        future = client.submit(on_full_disk, pure=False)
        entry = farm.entry_of(farm.dask(), future, task, cluster.address)
    assert entry.crashed  # So that the next run does it.
    assert entry.outcome.error == "the worker could not do it: No space left on device"


@needs_dask
def test_a_scheduler_that_goes_away_is_told_and_the_run_goes_on_later(cluster, scenes):
    log = scenes / "log"
    log.write_text("")
    book = scenes / "lost" / LEDGER
    (scenes / "hold").touch()
    run = spawned(words(scenes, "lost", "--scheduler", cluster.address))
    wait_for(lambda: book.exists() and book.read_text().count("\n") >= 3 and half_done(log))
    cluster.end()
    wait_for(lambda: not half_done(log))
    (scenes / "hold").unlink()
    told = run.communicate(timeout=300)[1]
    assert run.returncode == 2
    assert told == (
        f"error: the Dask scheduler at {cluster.address} has stopped; "
        "run the same command again to continue\n"
    )
    kept = {json.loads(line)["key"] for line in book.read_text().splitlines()}
    kept |= {path.stem for path in (scenes / "lost" / ledger.LEFT).glob("*.json")}  # Not yet told.
    assert 3 <= len(kept) < 16
    log.write_text("")
    assert cli.main(words(scenes, "lost")) == 1
    assert len(ended(log)) == 16 - len(kept)
    assert pages(scenes / "lost")[0] == pages(scenes / "alone")[0]


@needs_dask
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nothing://here", "tcp://"])
def test_a_scheduler_that_is_not_there_is_told(scenes, monkeypatch, capsys, address):
    monkeypatch.setattr(farm, "CONNECT_SECONDS", 0.5)
    assert cli.main(words(scenes, "none", "--scheduler", address)) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"error: no Dask scheduler answers at {address}: ")
    assert told.count("\n") == 1


def test_what_to_install_is_told_where_dask_is_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    given = ["batch", "check", str(CRATES), "--into", str(tmp_path), "--scheduler", "tcp://x:1"]
    assert cli.main(given) == 2
    assert (
        "--scheduler needs Dask: pip install 'omi-physics-addon[dask]'" in capsys.readouterr().err
    )


def test_a_worker_without_our_program_or_with_another_says_so(monkeypatch):
    farm.version.cache_clear()
    monkeypatch.setattr(plan, "version", lambda: "mine")
    order = {"version": "mine", "command": [farm.PYTHON], "bpy": "0.1"}
    found = farm.errand()([], {**order, "version": "other", "bpy": None})
    assert "has another release of this program" in found["unfit"]
    assert "has another release of the bpy module" in farm.errand()([], order)["unfit"]
    farm.version.cache_clear()
    monkeypatch.setitem(sys.modules, "omi_physics_addon.cli.batch", None)
    assert "lacks this program" in farm.errand()([], {})["unfit"]


def test_another_run_that_ends_takes_nothing_from_workers(tmp_path):
    """It removes the folder for what they did, when nothing is in it, until they write there."""
    done, is_over = jobs.Outcome(), threading.Event()

    def end_runs():
        while not is_over.wait(0.001):
            ledger.tidy(tmp_path)

    ending = threading.Thread(target=end_runs)
    ending.start()
    try:
        for number in range(500):
            task = plan.Task("a", "export", "a", "a", (), f"k{number}")
            ledger.leave(ledger.Entry(task.key, done, crashed=False, outputs={}), tmp_path)
            assert ledger.left(task, tmp_path) is not None
            ledger.take(task, tmp_path)
    finally:
        is_over.set()
        ending.join()
    ledger.tidy(tmp_path)
    assert not (tmp_path / ledger.LEFT).exists()


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for Blender is a script")
def test_what_was_done_and_not_told_is_not_done_again(scenes, tmp_path, monkeypatch):
    """As when a worker dies between its file and the answer, or the run does."""
    monkeypatch.setattr(farm, "IDLE_SECONDS", 0.1)
    log = scenes / "log"
    log.write_text("")
    task = plan.Task(
        *("00.blend", "export", str(scenes / "in" / "00.blend"), str(tmp_path / "00.glb")), (), "k"
    )
    command = [str(scenes / "blender")]
    order = {"version": farm.version(), "bpy": None, "command": command, "folder": str(tmp_path)}
    order["limits"] = list(LIMITS)
    answers = [farm.work(task, order) for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(ended(log)) == 1
    (tmp_path / "00.glb").write_bytes(b"changed")
    assert farm.work(task, order) == answers[0]
    assert len(ended(log)) == 2
    book = ledger.Ledger(tmp_path)
    assert book.done(task) == ledger.entry_of(answers[0])
    book.close()
    assert not (tmp_path / ledger.LEFT).exists()
    wait_for(lambda: not any(farm._idle.values()))


def test_a_process_serves_the_next_file_and_ends_when_there_is_none(monkeypatch):
    monkeypatch.setattr(farm, "IDLE_SECONDS", 600)
    ended = []
    close = pool.Server.close
    monkeypatch.setattr(pool.Server, "close", lambda one: (close(one), ended.append(one)))
    with farm.borrowed(("program",), LIMITS) as one:
        pass
    ((_, timer),) = farm._idle[("program",), LIMITS]
    monkeypatch.setattr(farm, "IDLE_SECONDS", 0.2)
    with farm.borrowed(("program",), LIMITS) as two, farm.borrowed(("program",), LIMITS) as three:
        timer.join(300)  # It was cancelled.
        timer.function(*timer.args)
        assert not timer.is_alive()
        assert (two is one, three is one, ended) == (True, False, [])
    wait_for(lambda: len(ended) == 2)
    with farm.borrowed(("program",), LIMITS) as four:
        assert four not in (one, three)
    wait_for(lambda: len(ended) == 3)
