"""Shows what the preview needs each of its parts for, by doing without one after the other.

From the command line:

    python3 tools/bench/switched_off.py           all parts, about 25 minutes
    python3 tools/bench/switched_off.py bounces levers   parts with these in their names

`stand_ins.PARTS` says what stands in for a part: what it would give if it had nothing to say. First
all tests run with all parts, while each call is compared with what the stand-in gives. A test in
which a part never gave anything else cannot depend on it; the others run again without the part.
The table has the lines of docs/preview_accuracy.md whose tests fail then, and counts other tests of
the preview. Tests that fail anyway do not count.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools import environment

ROWS: Final = ROOT / "docs" / "preview_accuracy.md"
_ROW: Final = re.compile(r"^\| (.+?) \|.*\| `(test_\w+)` \|$", re.MULTILINE)
# Where the tests are that say what a preview does; others are about windows, copies and files.
FOLDERS: Final = (
    "tests/blender/preview",
    "tests/blender/preview/bodies",
    "tests/blender/preview/interaction",
)
_WINDOWS: Final = "in_window"  # What tests that wait for a Blender with a window import.
_SHOWN: Final = 4  # Rows that the table names before it counts the rest.
# The variable with the path of the task of `switching`, a JSON file, and what is written beside it.
TASK: Final = "OMI_PHYSICS_SWITCHED_OFF"
RECORD: Final = "record.json"
# Without these there is no preview, or nothing to call in their place.
STRUCTURAL: Final = {
    "simulation.bullet.bullet_shapes": "the shapes of all actors",
    "simulation.bullet.proxies": "the actors of all bodies",
    "simulation.bullet.pair_contacts": "the records and impulses of pair_bounces",
    "blender.preview.bodies.actors": "the objects that play the bodies",
    "blender.preview.bodies.bodies": "holds all others",
    "blender.preview.bodies.constraints": "the joints",
    "blender.preview.bodies.forces": "gives bodies to all that makes forces",
    "blender.preview.bodies.kinematics": "moves what keyframes move",
    "blender.preview.bodies.motors": "the only way to push a body in Blender",
    "blender.preview.bodies.rays": "what wheels, hover thrusters and bounces see of the ground",
}


class Run(NamedTuple):
    """What one run of the tests brought.

    Attributes:
        failed: the tests that failed.
        seconds: how long each test took.
        used: by part, the tests in which it gave something else than its stand-in.
    """

    failed: frozenset[str]
    seconds: Mapping[str, float]
    used: Mapping[str, Sequence[str]]


class Need(NamedTuple):
    """What fails without a part.

    Attributes:
        part: its name, as `stand_ins.Part` has it.
        run, known: how many tests ran, of how many that may depend on it.
        rows: lines of the table whose tests failed.
        others: the other tests that failed.
    """

    part: str
    run: int
    known: int
    rows: Sequence[str]
    others: Sequence[str]


def rows_of(text: str) -> dict[str, str]:
    """By the name of its test, what each line of a table is about."""
    return {test: what for what, test in _ROW.findall(text)}


def files() -> list[str]:
    """The files of tests, but for those that wait for windows."""
    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("test_*.py"))]
    return [str(path.relative_to(ROOT)) for path in found if _WINDOWS not in path.read_text()]


def function_of(node: str) -> str:
    """The name of the test function of a pytest node."""
    return node.rpartition("::")[2].partition("[")[0]


def run(python: Path, tests: Sequence[str], part: str, most: float) -> Run:
    """Run tests without a part.

    Args:
        tests: pytest nodes in their order; none for all.
        part: its name; empty to run with all, and to see who uses which.
        most: seconds after which no test begins any more.
    """
    chosen = list(dict.fromkeys(test.partition("::")[0] for test in tests)) or files()
    with tempfile.TemporaryDirectory() as folder:
        task = Path(folder, "task.json")
        task.write_text(json.dumps({"part": part, "tests": [*tests], "most": most}))
        command: list[str | Path] = [python, "-m", "pytest", "-q", "-p", "tools.bench.switching"]
        command += ["-p", "no:cacheprovider", "-p", "no:xdist", *chosen]
        variables = {**os.environ, TASK: str(task), "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
        record = task.with_name(RECORD)
        if not record.exists():
            raise RuntimeError(
                f"pytest left no record of {part or 'all'}:\n{done.stdout}{done.stderr}"
            )
        found = json.loads(record.read_text())
    return Run(frozenset(found["failed"]), found["seconds"], found["used"])


def in_order(
    tests: Iterable[str], rows: Mapping[str, str], seconds: Mapping[str, float]
) -> list[str]:
    """Tests in the order in which time that ends tells most.

    The quickest of the tests of each function first, those of rows before others; then the second.
    """
    quick = sorted(tests, key=lambda test: seconds.get(test, 0.0))
    turns, turn = Counter[str](), dict[str, int]()
    for test in quick:
        turn[test] = turns[function_of(test)]
        turns[function_of(test)] += 1
    return sorted(quick, key=lambda test: (turn[test], function_of(test) not in rows))


def need_of(part: str, python: Path, whole: Run, rows: Mapping[str, str], most: float) -> Need:
    """What fails without a part, of what may depend on it."""
    known = [test for test in whole.used[part] if test not in whole.failed]
    if not known:
        return Need(part, 0, 0, (), ())
    without = run(python, in_order(known, rows, whole.seconds), part, most)
    failed = dict.fromkeys(function_of(test) for test in known if test in without.failed)
    return Need(
        part,
        len(without.seconds),
        len(known),
        [rows[name] for name in failed if name in rows],
        [name for name in failed if name not in rows],
    )


def place_of(part: str) -> tuple[str, str]:
    """The name of a part and how many lines its module has, as the table has them."""
    module, _, rule = part.partition(":")
    path = ROOT.joinpath("omi_physics_addon", *module.split(".")).with_suffix(".py")
    count = len(path.read_text(encoding="utf-8").splitlines())
    name = "/".join(module.split(".")[-2:])
    return (f"`{name}`: {rule}", f"of {count}") if rule else (f"`{name}`", str(count))


def table(needs: Sequence[Need]) -> list[str]:
    """The lines of a table in Markdown."""
    lines = [
        "| Module | Lines | Rows that fail without it | Other tests | Tests run |",
        "| --- | --- | --- | --- | --- |",
    ]
    for need in needs:
        name, count = place_of(need.part)
        more = len(need.rows) - _SHOWN
        named = "; ".join([*need.rows[:_SHOWN], *([f"{more} more"] if more > 0 else [])])
        rows = f"{len(need.rows)}: {named}" if need.rows else "none"
        ran = f"{need.run} of {need.known}"
        lines.append(f"| {name} | {count} | {rows} | {len(need.others)} | {ran} |")
    for part, why in STRUCTURAL.items():
        name, count = place_of(part)
        lines.append(f"| {name} | {count} | structural: {why} | | |")
    return lines


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("parts", nargs="*", help="words, of which the names of parts have one")
    parser.add_argument("--bpy", default="5.0", help="the Blender release")
    parser.add_argument(
        "--seconds", type=float, default=25.0, help="after which no more tests of a part begin"
    )
    parser.add_argument("--record", type=Path, help="a file for all that failed, as JSON")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    options = parse_arguments(arguments)
    python = environment.ensure(environment.choose(options.bpy))
    rows, begin = rows_of(ROWS.read_text()), time.monotonic()
    whole = run(python, (), "", float("inf"))
    print(
        f"with all: {len(whole.seconds)} tests, {time.monotonic() - begin:.0f} s", file=sys.stderr
    )
    for test in sorted(whole.failed):
        print(f"fails with all: {test}", file=sys.stderr)
    words: Sequence[str] = options.parts or [""]
    needs: list[Need] = []
    for part in whole.used:
        if any(word in part for word in words):
            needs.append(need_of(part, python, whole, rows, options.seconds))
            print(table(needs[-1:])[2], file=sys.stderr, flush=True)
    print("\n".join(table(needs)))
    if options.record:
        options.record.write_text(
            json.dumps({n.part: [*n.rows, *n.others] for n in needs}, indent=1)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
