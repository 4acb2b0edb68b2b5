"""Plays, edits, undoes, saves, loads and quits at random, in a Blender with a window.

From the command line, where there is a screen, which may be a virtual one (Xvfb):

    python3 tools/random_runs/random_run.py --minutes 10 --seed 7
    python3 tools/random_runs/random_run.py --runs 30 --steps 200 --window 1366 768

Needs a Blender on PATH or in the variable BLENDER. Steps are chosen by chance, which the seed
decides, and told in FOLDER/steps.log; how long Blender takes for each is up to the machine, so that
the same seed leads to nearly the same run only. After every stop of the preview all that Blender
holds is compared with what it was before. A Blender that quits is started again. Every crash, every
difference and every error that Blender tells is a fault; the exit code is 1 where there were any.

With --module it runs in the `bpy` module instead, takes what needs no window, and is the same for
the same seed and number of --steps on every machine.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
STEPS: Final = ROOT / "tools" / "random_runs" / "random_steps.py"
LATE: Final = 300.0  # s after which a Blender that should have quit hangs.
TOLD: Final = 12  # Steps that are told before a fault.
WINDOW: Final = (1000, 720)  # Width and height, pixels.
INJECTED: Final = "InjectedError"  # In what Blender prints of errors that a step causes on purpose.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; gives the exit code."""
    options = parser().parse_args(arguments)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    folder = Path(options.folder or tempfile.mkdtemp(prefix="random_run_"))
    if options.runs == 1:
        return one_run(options, seed, folder)
    bad = [
        number
        for number in range(options.runs)
        if one_run(options, seed + number, folder / f"run_{number + 1:02d}")
    ]
    print(f"{options.runs} runs, {len(bad)} with faults: seeds {[seed + at for at in bad]}")
    return 1 if bad else 0


def one_run(options: argparse.Namespace, seed: int, folder: Path) -> int:
    """Take steps until they or the minutes are used up; gives the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    print(f"seed {seed}, in {folder}", flush=True)
    chance, end = random.Random(seed), time.monotonic() + 60.0 * options.minutes
    faults, runs = 0, 0
    while (left := end - time.monotonic()) > 0.0 and count(folder) < options.steps:
        runs += 1
        log = folder / f"blender_{runs}.log"
        begun = chance.randrange(10**6)
        limits = [str(folder), str(begun), str(left), str(options.steps - count(folder))]
        code = blender(command(options), limits, log, left)
        found = found_in(log, code)
        if found:
            faults += 1
            print(f"--- fault in start {runs} of Blender, with {begun}: {found[0]}")
            print("\n".join([*told(folder)[-TOLD:], *found[1:]]), flush=True)
    print(f"seed {seed}: {count(folder)} steps, {runs} starts of Blender, {faults} faults")
    return 1 if faults else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    made.add_argument("--minutes", type=float, default=1.0, help="how long each run lasts at most")
    made.add_argument("--steps", type=int, default=10**9, help="how many steps each run takes")
    made.add_argument("--runs", type=int, default=1, help="how many runs, with a seed each")
    made.add_argument("--window", nargs=2, type=int, default=WINDOW, help="its size, pixels")
    made.add_argument("--module", action="store_true", help="without a window, with this bpy")
    made.add_argument("--seed", type=int, help="repeats a run; a new one unless given")
    made.add_argument("--blender", default=os.environ.get("BLENDER", "blender"), help="its command")
    made.add_argument("--folder", help="for files and logs; a new one unless given")
    return made


def command(options: argparse.Namespace) -> list[str]:
    """What starts the steps."""
    if options.module:
        return [sys.executable, str(STEPS)]
    geometry = ["--window-geometry", "0", "0", *map(str, options.window)]
    shown = ["--factory-startup", "--enable-event-simulate", *geometry]
    return [*shlex.split(options.blender), *shown, "--python", str(STEPS)]


def blender(program: Sequence[str], limits: Sequence[str], log: Path, seconds: float) -> int | None:
    """Start Blender and wait for its end; its exit code, None where it hung."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*program, "--", *limits],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            return process.wait(seconds + LATE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None
        except BaseException:
            process.kill()
            process.wait()
            raise


def found_in(log: Path, code: int | None) -> list[str]:
    """What went wrong in a Blender that has ended: its name, then lines; nothing for nothing."""
    text = log.read_text(encoding="utf-8", errors="replace")
    if code is None:
        return ["it hung"]
    if code:
        return [f"it ended with {code}", *text.splitlines()[-30:]]
    wrong = [line for line in text.splitlines() if line.startswith("FAULT")]
    return [*wrong, *errors_in(text)]


def errors_in(text: str) -> list[str]:
    """What Python told, but for what a step caused on purpose."""
    _, *told = text.split("Traceback (most recent call last):\n")
    for each in told:
        lines = each.splitlines()
        ends = [i for i, line in enumerate(lines) if line and not line.startswith(" ")]
        last = ends[0] if ends else len(lines) - 1
        if INJECTED not in lines[last]:
            return [f"an error: {lines[last]}", *lines[: last + 1]]
    return []


def told(folder: Path) -> list[str]:
    """All steps that were taken, with what is said of them."""
    path = folder / "steps.log"
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def count(folder: Path) -> int:
    """How many steps were taken."""
    return sum(not line.startswith(" ") for line in told(folder))


if __name__ == "__main__":
    sys.exit(main())
