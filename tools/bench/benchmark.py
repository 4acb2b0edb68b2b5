"""Measures what the add-on adds to the time of an export and an import of many nodes.

From the command line:

    python3 tools/bench/benchmark.py
    python3 tools/bench/benchmark.py --bpy 4.2 100 1000 --repeat 3 --no-bounds
    python3 tools/bench/benchmark.py --scene mixed --family KHR 10000
    python3 tools/bench/benchmark.py --codec 100000
    python3 tools/bench/benchmark.py --fits 500000
    python3 tools/bench/benchmark.py --overlay --scene mixed 5000
    python3 tools/bench/benchmark.py --panels 10000
    python3 tools/bench/benchmark.py --preview
    python3 tools/bench/benchmark.py --growth

Every figure is the least CPU time of several processes, which take turns with and without the
add-on. Both imports read the file that was written with it. Exit code 1: a bound was exceeded.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

# Others load this file by its path, for `boxes`.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools import environment
from tools.bench import (
    benchmark_codec,
    benchmark_growth,
    benchmark_overlay,
    benchmark_panels,
    benchmark_preview,
    benchmark_start,
)
from tools.bench.benchmark_codec import cpu_time
from tools.bench.benchmark_scenes import SCENES, boxes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# How many times the host's own time an export or import may take.
BOUNDS = {"export": 1.3, "import": 1.3}
COUNTS = (1000, 10000)
REPEAT = 5
FITTED = 500_000
FITS_HELP = f"measure only the fits of shapes to a mesh of N vertices; {FITTED} when N is left out"

Times = dict[tuple[int, str, bool], list[float]]


class MeasureError(Exception):
    """A measurement failed; the message holds what Blender said."""


class Task(NamedTuple):
    """One measurement, for a process of its own.

    Attributes:
        kind: "export", "import", "codec", "fits", "overlay", "panels", "preview",
            "growth" or "start".
        number: how many nodes.
        file: is written or read; for the codec, the family; for the start, the compiled modules.
        addon: whether our add-on is enabled; for the codec, whether memory is watched.
        scene: key of SCENES, for the growth of the preview one of `benchmark_growth.KINDS`.
        family: what an export writes: OMI, KHR or BOTH.
    """

    kind: str
    number: int
    file: str
    addon: bool
    scene: str = "boxes"
    family: str = "OMI"


class Row(NamedTuple):
    """One line of the table; seconds of CPU time."""

    number: int
    kind: str
    without: float
    with_addon: float

    @property
    def ratio(self) -> float:
        """How many times the host's own time it takes."""
        return self.with_addon / self.without


def empty_scene(bpy: Any) -> None:
    """Start over, with the add-ons as they are."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def warm_up(bpy: Any) -> None:
    """Load what is only loaded once."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/one.gltf"
        empty_scene(bpy)
        boxes(bpy, 1)
        bpy.ops.export_scene.gltf(filepath=file, export_format="GLTF_SEPARATE")
        empty_scene(bpy)
        bpy.ops.import_scene.gltf(filepath=file)
    empty_scene(bpy)


def measure(task: Task) -> object:
    """Do a task in this Python; seconds of CPU time, or what the module of the kind gives."""
    if task.kind == "start":
        return benchmark_start.measure(task.file)
    if task.kind == "codec":
        return benchmark_codec.measure(task.file, task.number, memory=task.addon)
    if task.kind == "fits":
        from tools.bench import benchmark_fits  # Which needs the NumPy of a bpy.

        return benchmark_fits.judge(task.number)
    from omi_physics_addon.cli.inside import addons

    bpy: Any = addons.bpy
    addons.enable(addons.HOST)
    if task.addon:
        addons.enable(addons.ADDON)
    if task.kind == "overlay":
        empty_scene(bpy)
        return benchmark_overlay.measure(bpy, task.scene, SCENES[task.scene], task.number)
    if task.kind == "panels":
        empty_scene(bpy)
        return benchmark_panels.measure(bpy, SCENES[task.scene], task.number)
    if task.kind == "preview":
        return benchmark_preview.measure(bpy, task.number)
    if task.kind == "growth":
        return benchmark_growth.measure(bpy, task.scene, task.number)
    warm_up(bpy)
    if task.kind == "import":
        return cpu_time(lambda: bpy.ops.import_scene.gltf(filepath=task.file))[0]
    SCENES[task.scene](bpy, task.number)
    if task.addon:
        bpy.context.scene.omi_physics.export.family = task.family
    export = bpy.ops.export_scene.gltf
    return cpu_time(lambda: export(filepath=task.file, export_format="GLTF_SEPARATE"))[0]


def work(task_path: Path, answer: Path) -> None:
    """Do the task in the first file and leave the time in the second."""
    task = Task(**json.loads(task_path.read_text(encoding="utf-8")))
    answer.write_text(json.dumps(measure(task)), encoding="utf-8")
    # The bpy module may crash (4.2) or hang (4.5) while it tidies up behind itself.
    os._exit(0)


def run(python: Path, task: Task, folder: Path) -> Any:
    """Do a task in a process of its own; what `measure` gives.

    Raises:
        MeasureError: it ended without a result.
    """
    task_path, answer = folder / "task.json", folder / "answer.json"
    task_path.write_text(json.dumps(task._asdict()), encoding="utf-8")
    answer.unlink(missing_ok=True)
    done = subprocess.run(
        [python, __file__, "--work", task_path, answer],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if not answer.exists():
        what = "nodes" if task.kind == "codec" else task.scene
        raise MeasureError(f"{task.kind} of {task.number} {what} failed:\n{done.stdout.strip()}")
    return json.loads(answer.read_text(encoding="utf-8"))


def measure_all(
    python: Path,
    counts: Iterable[int],
    repeat: int,
    folder: Path,
    scene: str = "boxes",
    family: str = "OMI",
) -> Times:
    """Every measurement, by count, kind and whether with the add-on."""
    times: Times = {}
    for count in counts:
        written = str(folder / f"{count}_with.gltf")
        for kind in BOUNDS:
            for turn in range(repeat):
                # Who comes first changes, because the machine may get slower or faster.
                for addon in (True, False) if turn % 2 else (False, True):
                    plain = kind == "export" and not addon
                    file = str(folder / f"{count}_without.gltf") if plain else written
                    seconds = run(python, Task(kind, count, file, addon, scene, family), folder)
                    times.setdefault((count, kind, addon), []).append(seconds)
    return times


def measure_codec(
    python: Path, number: int, repeat: int, folder: Path
) -> list[benchmark_codec.Cost]:
    """For each family the median times, and the memory of one process more."""
    found: dict[str, list[benchmark_codec.Cost]] = {}
    for _ in range(repeat):
        for family in benchmark_codec.FAMILIES:
            cost = run(python, Task("codec", number, family, addon=False), folder)
            found.setdefault(family, []).append(benchmark_codec.Cost(*cost))
    costs: list[benchmark_codec.Cost] = []
    for family, times in found.items():
        watched = run(python, Task("codec", number, family, addon=True), folder)
        costs.append(
            benchmark_codec.Cost(
                family,
                statistics.median(cost.read for cost in times),
                statistics.median(cost.write for cost in times),
                benchmark_codec.Cost(*watched).memory,
            )
        )
    return costs


def measure_overlay(
    python: Path, counts: Iterable[int], scenes: Iterable[str], folder: Path
) -> list[benchmark_overlay.Cost]:
    """The overlay with every number of every scene, each in a process of its own."""
    return [
        benchmark_overlay.Cost(*run(python, Task("overlay", count, "", True, scene), folder))
        for scene in scenes
        for count in counts
    ]


def measure_panels(
    python: Path, counts: Iterable[int], scene: str, folder: Path
) -> list[benchmark_panels.Cost]:
    """The panels with every number of objects, each in a process of its own."""
    return [
        benchmark_panels.Cost(*cost)
        for count in counts
        for cost in run(python, Task("panels", count, "", True, scene), folder)
    ]


def measure_preview(
    python: Path, counts: Iterable[int], folder: Path
) -> list[benchmark_preview.Cost]:
    """The preview of every number of bodies, each in a process of its own."""
    return [
        benchmark_preview.Cost(*run(python, Task("preview", count, "", True), folder))
        for count in counts
    ]


def measure_growth(
    python: Path, counts: Iterable[int], repeat: int, folder: Path
) -> list[benchmark_growth.Growth]:
    """The preview of scenes of every kind and number, each in some processes of its own."""
    return [
        benchmark_growth.least(
            benchmark_growth.Growth(*run(python, Task("growth", count, "", True, kind), folder))
            for _ in range(repeat)
        )
        for kind in benchmark_growth.KINDS
        for count in counts
    ]


def measure_start(python: Path, repeat: int, folder: Path) -> benchmark_start.Cost:
    """The fastest of some starts of the add-on, after one that compiles its modules."""
    task = Task("start", 1, str(folder / "compiled"), addon=False)
    run(python, task, folder)
    found = [benchmark_start.Cost(*run(python, task, folder)) for _ in range(repeat)]
    return min(found, key=lambda cost: cost.modules + cost.register)


def rows_of(times: Times) -> list[Row]:
    """The least times, in the order of the measurements."""
    keys = dict.fromkeys((count, kind) for count, kind, _ in times)
    return [
        Row(
            count,
            kind,
            min(times[count, kind, False]),
            min(times[count, kind, True]),
        )
        for count, kind in keys
    ]


def growth(points: Sequence[tuple[int, float]]) -> float | None:
    """The exponent x of the power n^x that fits times best; None for fewer than two counts.

    Source: the slope of the least-squares line through the logarithms.
    """
    if len(points) < 2:
        return None
    return statistics.linear_regression(
        [math.log(count) for count, _ in points], [math.log(seconds) for _, seconds in points]
    ).slope


def exceeded(rows: Iterable[Row], scene: str = "boxes") -> list[str]:
    """What is slower than it may be, in words."""
    return [
        f"{row.kind} of {row.number} {scene}: {row.ratio:.2f} times the host's own time, "
        f"{BOUNDS[row.kind]} are allowed"
        for row in rows
        if row.ratio > BOUNDS[row.kind]
    ]


def table(rows: Sequence[Row], scene: str = "boxes") -> list[str]:
    """The lines of the table, and of the growth below it."""
    lines = [f"{scene:>8}  {'':6}  {'without':>9}  {'with':>9}  {'ratio':>5}"]
    lines += [
        f"{row.number:>8}  {row.kind:6}  {row.without:>7.3f} s  {row.with_addon:>7.3f} s"
        f"  {row.ratio:>5.2f}"
        for row in rows
    ]
    for kind in BOUNDS:
        without = growth([(row.number, row.without) for row in rows if row.kind == kind])
        ours = growth([(row.number, row.with_addon) for row in rows if row.kind == kind])
        if without is not None and ours is not None:
            lines.append(f"{kind} grows with n^{ours:.2f}, without the add-on n^{without:.2f}")
    return lines


def positive(text: str) -> int:
    """A whole number above zero, from the command line."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure what the add-on costs.")
    parser.add_argument(
        "counts",
        nargs="*",
        type=positive,
        metavar="N",
        help=f"numbers of nodes; {' '.join(map(str, COUNTS))} when left out, "
        f"with --overlay {' '.join(map(str, benchmark_overlay.COUNTS))}, "
        f"with --panels {' '.join(map(str, benchmark_panels.COUNTS))}, "
        f"with --preview and --growth {' '.join(map(str, benchmark_preview.COUNTS))}",
    )
    parser.add_argument(
        "--scene",
        choices=tuple(SCENES),
        help="what to add; boxes when left out, with --overlay boxes and mixed, "
        "with --panels mixed",
    )
    parser.add_argument(
        "--family",
        choices=("OMI", "KHR", "BOTH"),
        default="OMI",
        help="what is written and read of exports and imports; OMI when left out",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--overlay", action="store_true", help="measure what a redraw of viewports costs"
    )
    what.add_argument(
        "--panels",
        action="store_true",
        help="measure what a redraw of panels costs, what they show, and the start of the add-on",
    )
    what.add_argument(
        "--preview", action="store_true", help="measure what the preview costs, in bodies"
    )
    what.add_argument(
        "--growth", action="store_true", help="measure how the costs of the preview grow"
    )
    what.add_argument(
        "--codec",
        nargs="?",
        type=positive,
        const=benchmark_codec.NODES,
        metavar="N",
        help="measure only the reading and writing of the physics of N nodes, without Blender; "
        f"{benchmark_codec.NODES} when N is left out",
    )
    what.add_argument("--fits", nargs="?", type=positive, const=FITTED, metavar="N", help=FITS_HELP)
    parser.add_argument("--bpy", choices=environment.NAMES, help="the release of bpy to measure")
    parser.add_argument(
        "--repeat",
        type=positive,
        default=REPEAT,
        metavar="TIMES",
        help=f"processes per figure; {REPEAT} when left out",
    )
    parser.add_argument("--no-bounds", action="store_true", help="only measure, allow everything")
    parser.add_argument("--work", nargs=2, type=Path, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def judge(parsed: argparse.Namespace, python: Path, folder: Path) -> tuple[list[str], list[str]]:
    """Measure what the command line asks for: the table, and what was exceeded."""
    if parsed.fits:
        return run(python, Task("fits", parsed.fits, "", addon=False), folder)
    if parsed.panels:
        counts = parsed.counts or benchmark_panels.COUNTS
        found = measure_panels(python, counts, parsed.scene or "mixed", folder)
        starts = measure_start(python, parsed.repeat, folder)
        return (
            [*benchmark_panels.table(found), *benchmark_start.table(starts)],
            [*benchmark_panels.exceeded(found), *benchmark_start.exceeded(starts)],
        )
    if parsed.preview:
        counts = parsed.counts or benchmark_preview.COUNTS
        found = measure_preview(python, counts, folder)
        return benchmark_preview.table(found), benchmark_preview.exceeded(found)
    if parsed.growth:
        counts = parsed.counts or benchmark_growth.COUNTS
        found = measure_growth(python, counts, parsed.repeat, folder)
        return benchmark_growth.table(found), benchmark_growth.exceeded(found)
    if parsed.codec:
        costs = measure_codec(python, parsed.codec, parsed.repeat, folder)
        return benchmark_codec.table(parsed.codec, costs), benchmark_codec.exceeded(costs)
    if parsed.overlay:
        scenes = (parsed.scene,) if parsed.scene else ("boxes", "mixed")
        counts = parsed.counts or benchmark_overlay.COUNTS
        found = measure_overlay(python, counts, scenes, folder)
        return benchmark_overlay.table(found), benchmark_overlay.exceeded(found)
    scene = parsed.scene or "boxes"
    counts = parsed.counts or COUNTS
    rows = rows_of(measure_all(python, counts, parsed.repeat, folder, scene, parsed.family))
    return table(rows, scene), exceeded(rows, scene)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parsed = parse_arguments(arguments)
    if parsed.work:
        work(*parsed.work)
    try:
        python = environment.ensure(environment.choose(parsed.bpy))
        with tempfile.TemporaryDirectory() as folder:
            lines, problems = judge(parsed, python, Path(folder))
    except (MeasureError, environment.SetupError) as problem:
        environment.say(f"error: {problem}")
        return 1
    print("\n".join(lines))
    if parsed.no_bounds:
        return 0
    for problem in problems:
        environment.say(f"error: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
