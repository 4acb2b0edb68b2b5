"""Damage glTF files at random, and see that no command and no import stumbles over them.

From the command line:

    .venv/bpy-5.0/bin/python tools/random_runs/file_fuzz.py --minutes 30
    .venv/bpy-5.0/bin/python tools/random_runs/file_fuzz.py --minutes 10 --blender
    .venv/bpy-5.0/bin/python tools/random_runs/file_fuzz.py --seed 4711 --first 230 --files 1

Each file is one of the tests' or examples with some mishaps: members gone, of other types, copied
or taken from another file, indices that lead elsewhere, nodes below each other, lists of thousands.
It goes through `check`, `convert` and `check` again; with --blender, also through an import and an
export by the `bpy` of this Python. A fault is a traceback, output that is no JSON, a step of more
than 10 s of CPU time or 1 GB, a process that ends or stands still, a file of ours that cannot be
read again, and physics that is lost though no issue says so. Faulty files are kept in a folder.
Exit code 1: some were.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

ROOT: Final = Path(__file__).resolve().parents[2]
if __name__ == "__main__":  # Under its own name the package may be another one, beside Blender.
    sys.path.insert(0, str(ROOT))

from tools.random_runs import file_trips, mishaps

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

SECONDS: Final = 10.0  # Of CPU time that a step may take.
MEMORY: Final = 10**9  # Bytes that a step may take.
STILL: Final = 120.0  # Seconds after which a file counts as one that never ends.
_NOW, _NUMBER = "now.gltf", "number"


class SlowError(Exception):
    """A step took too long."""


class LargeError(Exception):
    """A step took too much memory."""


class Fault(NamedTuple):
    """What went wrong with a file.

    Attributes:
        number: of the file, for --first.
        words: what, and where in our code.
        path: where the file is kept.
    """

    number: int
    words: str
    path: Path


@contextlib.contextmanager
def bounded(step: str) -> Generator[None, None, None]:
    """Let a step take as much time and memory as it may.

    Raises:
        SlowError: it took more time; while it runs, or behind it where it caught that.
        LargeError: it took more memory.
    """
    rang: list[None] = []

    def too_slow(*_: object) -> None:
        rang.append(None)
        raise SlowError(f"{step} took more than {SECONDS:g} s")

    has_alarm = hasattr(signal, "setitimer")
    if has_alarm:
        signal.signal(signal.SIGPROF, too_slow)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
    begin, held = time.process_time(), _forget_peak()
    try:
        yield
    finally:
        if has_alarm:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
    if rang or time.process_time() - begin > SECONDS:
        raise SlowError(f"{step} took {time.process_time() - begin:.1f} s")
    if _peak() - held > MEMORY:
        raise LargeError(f"{step} took {(_peak() - held) / 1e6:.0f} MB")


def _forget_peak() -> int:
    """Begin to watch the memory of this process; what it holds, bytes (0: nobody can tell)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def _peak() -> int:
    """The most memory that this process held since `_forget_peak`, bytes."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    rows = [line.split() for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(rows[0][1]) * 1024 if rows else 0


def fuzz(options: argparse.Namespace, out: TextIO | None = None) -> list[Fault]:
    """Damage files until the time or the number is over; what went wrong, each once.

    Args:
        out: where it is told; the standard output of Python unless given.
    """
    files = mishaps.sources(options.corpus)
    folder = Path(options.folder)
    end = time.monotonic() + 60.0 * options.minutes
    faults: dict[str, Fault] = {}
    number, compared = options.first, 0
    while number < options.first + options.files and time.monotonic() < end:
        chance = random.Random(f"{options.seed} {number}")
        path = folder / _NOW
        path.write_text(json.dumps(mishaps.damaged(chance, files)), encoding="utf-8")
        (folder / _NUMBER).write_text(str(number))
        try:
            compared += file_trips.through_commands(bounded, chance, path)
            if options.blender:
                file_trips.quieten()
                compared += file_trips.through_blender(bounded, chance, path)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for.
            words = _words(error)
            if words not in faults:
                faults[words] = _keep(folder, number, words, out)
        number += 1
    done = f"{number - options.first} files, {compared} compared, {len(faults)} faults"
    print(done, file=out, flush=True)
    return list(faults.values())


def _keep(folder: Path, number: int, words: str, out: TextIO | None = None) -> Fault:
    """Keep the file that is at hand, and tell of it."""
    kept = folder / f"fault_{number}.gltf"
    kept.write_bytes((folder / _NOW).read_bytes())
    print(f"FAULT {number}: {words}\n  {kept}", file=out, flush=True)
    return Fault(number, words, kept)


def _words(error: Exception) -> str:
    """An error, and the last line of ours that it came through."""
    frames = [
        f"{Path(frame.filename).name}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if "omi_physics_addon" in frame.filename
    ]
    return f"{type(error).__name__} {str(error)[:200]!r} at {' '.join(frames[-2:])}"


def watch(options: argparse.Namespace) -> bool:
    """Let processes do it, a new one where one ends or stands still; whether all is well."""
    folder = Path(options.folder)
    end = time.monotonic() + 60.0 * options.minutes
    first, last = options.first, options.first + options.files
    is_well = True
    while first < last and (left := end - time.monotonic()) > 0.0:
        (folder / _NUMBER).unlink(missing_ok=True)
        words = ["--inside", "--seed", str(options.seed), "--folder", str(folder)]
        words += ["--minutes", str(left / 60.0), "--first", str(first)]
        words += ["--files", str(last - first)]
        words += ["--blender"] if options.blender else []
        words += [word for path in options.corpus for word in ("--corpus", str(path))]
        process = subprocess.Popen([sys.executable, __file__, *words])
        why = _wait(process, folder / _NUMBER)
        if not why:
            return is_well and process.returncode == 0
        is_well = False
        number = (folder / _NUMBER).read_text() if (folder / _NUMBER).exists() else ""
        if not number:
            print(f"no file was damaged: {why}", flush=True)
            return False
        _keep(folder, int(number), why)
        first = int(number) + 1
    return is_well


def _wait(process: subprocess.Popen[bytes], number: Path) -> str:
    """Wait for a process; why it did not end by itself, empty if it did."""
    seen, since = 0.0, time.monotonic()
    while process.poll() is None:
        time.sleep(0.2)
        now = number.stat().st_mtime if number.exists() else 0.0
        if now != seen:
            seen, since = now, time.monotonic()
        if time.monotonic() - since > STILL:
            process.kill()
            process.wait()
            return f"it stood still for {STILL:g} s"
    return "" if process.returncode in (0, 1) else f"its process ended with {process.returncode}"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    made.add_argument("--minutes", type=float, default=1.0, help="how long it runs at most")
    made.add_argument("--files", type=int, default=10**9, help="how many files at most")
    made.add_argument("--seed", type=int, help="repeats a run; a new one unless given")
    made.add_argument("--first", type=int, default=0, help="number of the first file")
    made.add_argument("--blender", action="store_true", help="import and export as well")
    made.add_argument("--folder", help="where faulty files are kept; a new one unless given")
    made.add_argument("--corpus", type=Path, action="append", default=[], help="more files")
    made.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    options = parser().parse_args(arguments)
    if not options.inside:
        if options.seed is None:
            options.seed = random.randrange(10**6)
        print(f"--seed {options.seed}", flush=True)
        options.folder = options.folder or tempfile.mkdtemp(prefix="file_fuzz_")
        Path(options.folder).mkdir(parents=True, exist_ok=True)
        return 0 if watch(options) else 1
    out = sys.stdout
    if options.blender:
        out = _send_away(Path(options.folder) / "blender.log")
        file_trips.start_blender()
    code = 1 if fuzz(options, out) else 0
    out.flush()
    os._exit(code)  # Blender may crash or hang while it tidies up behind itself.


def _send_away(log: Path) -> TextIO:
    """Let all that Blender prints go to a file; what leads to where it went before."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    away = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(away, 1)
    os.dup2(away, 2)
    return out


if __name__ == "__main__":
    sys.exit(main())
