"""Measures `batch export` over many generated .blend files: speed-up, memory, kills, second run.

From the command line, with a Python that has the bpy module:

    .venv/bpy-4.2/bin/python tools/bench/measure_batch.py --files 200 --dask
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

MAKE = """
import sys
import bpy
folder, count, cuts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(count):
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.mesh.primitive_grid_add(
        x_subdivisions=cuts, y_subdivisions=cuts, location=(number, 0, 0)
    )
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/{number:04}.blend", compress=True)
"""
PROGRAM = [sys.executable, str(ROOT / "tools" / "bench" / "measure_batch.py"), "--batch"]


class Run(NamedTuple):
    """Seconds, and the most megabytes that a process held in the first and second half."""

    seconds: float
    first: float
    second: float
    exit_code: int


def children(parent: int) -> list[int]:
    """The processes that a process started."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(path.parent.name))
    return found


def megabytes(process: int) -> float:
    """What a process holds; 0 when it has gone."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 / 1e6
    except (OSError, IndexError):
        return 0.0


def command(source: Path, into: Path, jobs: int, *more: str) -> list[str]:
    """The command line of a batch."""
    words = [*PROGRAM, "batch", "export", str(source), "--into", str(into), "--jobs", str(jobs)]
    return [*words, *more]


def measured(source: Path, into: Path, jobs: int, *more: str) -> Run:
    """Run a batch and look at its processes."""
    start = time.monotonic()
    held: list[float] = []
    process = subprocess.Popen(command(source, into, jobs, *more), stderr=subprocess.DEVNULL)
    while process.poll() is None:
        held.append(max(map(megabytes, children(process.pid)), default=0.0))
        time.sleep(0.05)
    half = len(held) // 2
    seconds = time.monotonic() - start
    return Run(
        seconds, max(held[:half], default=0), max(held[half:], default=0), process.returncode
    )


def killed(source: Path, into: Path, after: int, *, whole: bool) -> None:
    """Start a batch and kill it, or one of its processes, when some files are written."""
    process = subprocess.Popen(command(source, into, 2), stderr=subprocess.DEVNULL)
    done = threading.Event()
    while process.poll() is None and not done.is_set():
        if len(list(into.glob("*.glb"))) >= after:
            victims = [process.pid] if whole else children(process.pid)[:1]
            for victim in victims:
                os.kill(victim, signal.SIGKILL)
                done.set()
        time.sleep(0.02)
    process.wait()
    print(f"killed {'the run' if whole else 'a process'}: exit code {process.returncode}")


def through_dask(source: Path, folder: Path, files: int) -> None:
    """One worker, two workers, a second run, and two workers one of which is killed."""
    seconds: list[float] = []
    for count in (1, 2, 2):
        into = folder / f"farm{len(seconds)}"
        with cluster(folder, count) as (address, workers):
            more = ("--scheduler", address)
            if len(seconds) == 2:
                run = subprocess.Popen(command(source, into, 1, *more), stderr=subprocess.DEVNULL)
                while len(list(into.glob("*.glb"))) < files // 4:
                    time.sleep(0.02)
                victims = [*children(workers[0].pid), workers[0].pid]
                for victim in victims:
                    os.kill(victim, signal.SIGKILL)
                print(f"Dask, a worker and its Blender killed: exit code {run.wait()}")
                seconds.append(0.0)
            else:
                begin = time.monotonic()
                found = measured(source, into, 1, *more)
                seconds.append(time.monotonic() - begin)
                print(f"Dask, {count} at work: {found.seconds:.1f} s, exit code {found.exit_code}")
            print(f"  the same files: {contents(into) == contents(folder / 'one')}")
            print(f"  again: {measured(source, into, 1, *more).seconds:.2f} s", flush=True)
    print(f"Dask: {seconds[0] / seconds[1]:.2f} times")


@contextlib.contextmanager
def cluster(
    folder: Path, count: int
) -> Generator[tuple[str, list[subprocess.Popen[bytes]]], None, None]:
    """A scheduler and workers of one thread on this machine: its address, and theirs."""
    file = folder / "scheduler.json"
    file.unlink(missing_ok=True)

    def start(kind: str, *words: str) -> subprocess.Popen[bytes]:
        options = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
        program = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.dask_{kind}"]
        return subprocess.Popen(
            [*program, *options, *words],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.DEVNULL,
        )

    started = [start("scheduler", "--port", "0")]
    started += [start("worker", "--nthreads", "1", "--no-nanny") for _ in range(count)]
    try:
        while not file.exists() or not file.stat().st_size:
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]
        wait = f"import distributed; distributed.Client({address!r}).wait_for_workers({count})"
        subprocess.run([sys.executable, "-W", "ignore", "-c", wait], check=True)
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def contents(folder: Path) -> dict[str, bytes]:
    """What was written."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".glb"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["--batch"]:
        from omi_physics_addon.cli import main as cli

        return cli.main(words[1:])
    parser = argparse.ArgumentParser(description="Measure batch export.")
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--cuts", type=int, default=160, help="cuts of the grid in each file")
    parser.add_argument("--dask", action="store_true", help="also with a Dask cluster, made here")
    chosen = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "in"
        source.mkdir()
        make = [sys.executable, "-c", MAKE, str(source), str(chosen.files), str(chosen.cuts)]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        one = measured(source, folder / "one", 1)
        print(f"1 process: {one}", flush=True)
        two = measured(source, folder / "two", 2)
        print(f"2 processes: {two}, {one.seconds / two.seconds:.2f} times", flush=True)
        again = measured(source, folder / "two", 2)
        print(f"again: {again.seconds:.2f} s, exit code {again.exit_code}", flush=True)
        if chosen.dask:
            through_dask(source, folder, chosen.files)
        for whole in (False, True):
            into = folder / f"killed{whole}"
            killed(source, into, chosen.files // 4, whole=whole)
            rest = measured(source, into, 2)
            same = contents(into) == contents(folder / "one") == contents(folder / "two")
            left = [path.name for path in into.iterdir() if path.is_dir()]
            print(f"then {rest.seconds:.1f} s; the same files: {same}; left over: {left}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
