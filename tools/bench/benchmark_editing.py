"""Measures what editing costs: without physics, beside Blender alone; with it, at two sizes.

From the command line:

    python3 tools/bench/benchmark_editing.py
    python3 tools/bench/benchmark_editing.py --plain 10000 --repeat 3
    python3 tools/bench/benchmark_editing.py --work-on 1000 5000 --write

The first table has Blender's own work on plain objects, in processes with and without the add-on by
turns. The second has our operators on all objects of a scene, Blender's own work on the same, and
redraws of panels and of the overlay, with the exponents by which they grow. Beside an operator is
what Blender takes of that, to evaluate the scene. Everything is CPU time, the least of several.
--write puts the tables into docs/costs.md. Exit code 1: a bound was exceeded.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools import environment, marked_pages
from tools.bench import benchmark_overlay, benchmark_panels
from tools.bench.benchmark_scenes import SCENES, cube_mesh

PAGE: Final = ROOT / "docs" / "costs.md"
PLAIN: Final = 10_000
SIZES: Final = (1000, 5000)
REPEAT: Final = 3
ROUNDS: Final = 2  # Of what changes nothing that the next round needs.
RATIO: Final = 1.05  # Of Blender's own time for plain objects.
GRAIN: Final = 5e-3  # s of a difference that nobody can tell from none.
OWN_BYTES: Final = 4096  # Of a file, for what the scene itself says.
# Blender's own work, which the first table judges, and operators of which nearly all time is spent
# in Blender's `hide_set`, which goes through all objects.
BLENDERS: Final = frozenset(
    {
        *("move one object, 20 times", "move all", "undo step", "undo", "duplicate a tenth"),
        *("save", "open", "delete a tenth", "hide role: Dynamic", "show all"),
    }
)
STEEPEST: Final = 1.15  # Exponents of the time by the number; 1 is linear.
LONGEST: Final = 10.0  # s for anything.
NOTHING: Final = 0.02  # s; what takes less is not compared.
_BYTES: Final = "bytes of the file"
_SHARE: Final = "Blender's part of {}"
MARKS: Final = ("<!-- tables: tools/bench/benchmark_editing.py --write -->", "<!-- end -->")

Times = dict[str, float]  # s of CPU time by what was done.
Timed = Callable[..., None]
Calls = tuple[tuple[str, dict[str, Any]], ...]


def _clock(found: Times) -> Timed:
    """What notes the least time of some rounds."""

    def timed(name: str, work: Callable[[], object], rounds: int = 1) -> None:
        for _ in range(rounds):
            start = time.process_time()
            work()
            found[name] = min(time.process_time() - start, found.get(name, math.inf))

    return timed


def _select(bpy: Any, number: int) -> None:
    for i, obj in enumerate(bpy.context.view_layer.objects):
        obj.select_set(i < number)


def _blenders_own(bpy: Any, timed: Timed, file: Path) -> None:
    """Move, undo, duplicate, save, open and delete."""
    ed, wm = bpy.ops.ed, bpy.ops.wm

    def move(objects: Sequence[Any], times: int) -> None:
        for _ in range(times):
            for obj in objects:
                obj.location.z += 1.0
            bpy.context.view_layer.update()

    objects = list(bpy.context.view_layer.objects)
    timed("move one object, 20 times", lambda: move(objects[:1], 20), ROUNDS)
    timed("move all", lambda: move(objects, 1), ROUNDS)
    for _ in range(ROUNDS):
        timed("undo step", lambda: ed.undo_push(message="Step"))
        move(list(bpy.context.view_layer.objects)[:1], 1)  # Undo makes others.
        ed.undo_push(message="Moved")
        timed("undo", lambda: ed.undo())
    _select(bpy, len(objects) // 10)
    timed("duplicate a tenth", lambda: bpy.ops.object.duplicate())
    path = str(file)
    timed("save", lambda: wm.save_as_mainfile(filepath=path), ROUNDS)
    timed("open", lambda: wm.open_mainfile(filepath=path, load_ui=False), ROUNDS)
    _select(bpy, len(objects) // 10)
    timed("delete a tenth", lambda: bpy.ops.object.delete())


def _plain(bpy: Any, number: int) -> None:
    """Objects of one mesh, side by side."""
    mesh = cube_mesh(bpy)
    for i in range(number):
        obj = bpy.data.objects.new(f"wall_{i:05d}-col", mesh)
        obj.location.x = 2.0 * i
        bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.update()


def measure_plain(bpy: Any, number: int, file: Path) -> Times:
    """Blender's own work on objects without physics."""
    bpy.ops.wm.read_homefile(use_empty=True)
    _plain(bpy, number)
    found: Times = {}
    _blenders_own(bpy, _clock(found), file)
    found[_BYTES] = file.stat().st_size
    return found


_OURS: Final = "object.omi_physics_"
_FIT: Final = (("fit_shape", {"type": "BOX", "add_missing": True}),)
# What is called, with what options, after what else, on plain objects or on boxes that fall.
_OPERATORS: Final[tuple[tuple[str, dict[str, Any], Calls, str], ...]] = (
    ("fit_shape", {"type": "BOX", "add_missing": True}, (), "plain"),
    ("fit_shape", {"type": "CONVEX", "add_missing": True}, (), "plain"),
    ("fit_simplest", {}, (), "boxes"),
    ("refit", {}, _FIT, "plain"),
    ("add_motion", {"type": "DYNAMIC"}, (), "plain"),
    ("remove_motion", {}, (), "boxes"),
    ("make_rest_solid", {}, (), "plain"),
    ("bake_scale", {}, _FIT, "scaled"),
    ("copy_to_selected", {}, (), "boxes"),
    ("take_computed", {}, (), "boxes"),
    ("select_role", {"role": "DYNAMIC"}, (), "boxes"),
    ("hide_role", {"role": "DYNAMIC"}, (), "boxes"),
    ("show_all", {}, (("hide_role", {"role": "DYNAMIC"}),), "boxes"),
    ("connect_row", {}, (), "plain"),
    ("swap_joint_ends", {}, (("connect_row", {}),), "plain"),
    ("mirror", {}, (), "boxes"),
    ("copy_json", {}, (), "boxes"),
    ("to_rigid_bodies", {}, (), "boxes"),
    ("from_rigid_bodies", {}, (("to_rigid_bodies", {}), ("remove_motion", {})), "boxes"),
    ("physics_by_names", {}, (), "plain"),
)


def _objects(bpy: Any, scene: str, number: int) -> None:
    """A new file with objects, all selected: boxes that fall, or without physics."""
    bpy.ops.wm.read_homefile(use_empty=True)
    if scene == "boxes":
        SCENES["boxes"](bpy, number)
    else:
        _plain(bpy, number)
        for obj in bpy.context.scene.objects if scene == "scaled" else ():
            obj.scale = (1.0, 2.0, 3.0)
    bpy.context.view_layer.objects.active = bpy.context.scene.objects[0]
    bpy.ops.object.select_all(action="SELECT")
    bpy.context.view_layer.update()


def _call(bpy: Any, name: str, options: Mapping[str, Any]) -> set[str]:
    space, _, operator = (_OURS + name).partition(".")
    return getattr(getattr(bpy.ops, space), operator)(**options)


def _evaluations(bpy: Any) -> list[float]:
    """The list that gets the time of each evaluation of a scene, s."""
    begun: list[float] = []
    noted: list[float] = []

    @bpy.app.handlers.persistent
    def before(*_scenes: Any) -> None:
        begun.append(time.process_time())

    @bpy.app.handlers.persistent
    def after(*_scenes: Any) -> None:
        noted.append(time.process_time() - begun[-1])

    # Between them is nothing that add-ons do.
    bpy.app.handlers.depsgraph_update_pre.append(before)
    bpy.app.handlers.depsgraph_update_post.insert(0, after)
    return noted


def measure_work(bpy: Any, number: int, file: Path) -> Times:
    """Our operators, each on all objects of a new scene, and Blender's own work on one."""
    found: Times = {}
    evaluations = _evaluations(bpy)
    timed = _clock(found)
    for operator, options, before, scene in _OPERATORS:
        _objects(bpy, scene, number)
        for name, values in before:
            _call(bpy, name, values)
        is_rest = operator == "make_rest_solid"  # Of what is not selected.
        bpy.ops.object.select_all(action="DESELECT" if is_rest else "SELECT")
        words = ", ".join(each.title() for each in options.values() if each is not True)
        title = f"{operator.replace('_', ' ')}{f': {words}' if words else ''}"
        evaluations.clear()
        start = time.process_time()
        done = _call(bpy, operator, options)
        found[title] = time.process_time() - start
        found[_SHARE.format(title)] = sum(evaluations)
        if done != {"FINISHED"} and operator != "refit":  # Which only looks, as meshes stay.
            raise RuntimeError(f"{operator} had nothing to do")
    _objects(bpy, "boxes", number)
    timed("check", lambda: bpy.ops.scene.omi_physics_check(), ROUNDS)
    _blenders_own(bpy, timed, file)
    return found


def measure_redraws(bpy: Any, number: int) -> Times:
    """Redraws of panels, of all objects when they changed and when they are selected."""
    bpy.ops.wm.read_homefile(use_empty=True)
    found: Times = {}
    for cost in benchmark_panels.measure(bpy, SCENES["mixed"], number):
        for name in ("again", "changed", "selected", "made"):
            seconds = getattr(cost, name) / 1000.0
            key = f"panels, {name}" if name != "made" else f"made for panels: {cost.name}"
            if name != "made" or seconds:
                found[key] = found.get(key, 0.0) + seconds
    bpy.ops.wm.read_homefile(use_empty=True)
    drawn = benchmark_overlay.measure(bpy, "mixed", SCENES["mixed"], number)
    for name in ("first", "unchanged", "moved", "edited", "selected"):
        found[f"overlay, {name}"] = getattr(drawn, name) / 1000.0
    return found


def work(kind: str, number: int, answer: Path) -> None:
    """Measure in this process, in which Blender is a module; writes the times."""
    import bpy as stubbed_bpy  # noqa: TID251
    from addon_utils import enable

    bpy: Any = stubbed_bpy
    bpy.context.preferences.edit.use_global_undo = True
    if kind != "without":
        enable("omi_physics_addon", default_set=True)
    file = answer.with_suffix(".blend")
    if kind in ("with", "without"):
        found = measure_plain(bpy, number, file)
    else:
        found = measure_work(bpy, number, file) if kind == "work" else measure_redraws(bpy, number)
    answer.write_text(json.dumps(found), encoding="utf-8")
    os._exit(0)  # The bpy module may crash (4.2) or hang (4.5) while it tidies up behind itself.


def run(python: Path, kind: str, number: int) -> Times:
    """Measure in a process of its own.

    Raises:
        RuntimeError: it left no times.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "answer.json")
        command = [python, __file__, "--work", kind, str(number), str(answer)]
        done = subprocess.run(command, capture_output=True, text=True)
        if not answer.exists():
            raise RuntimeError(f"{kind} of {number} failed:\n{done.stdout}{done.stderr}")
        return json.loads(answer.read_text(encoding="utf-8"))


def least(runs: Sequence[Times]) -> Times:
    """The least of each time."""
    return {name: min(times[name] for times in runs) for name in runs[0]}


def plain(python: Path, number: int, repeat: int) -> tuple[Times, Times]:
    """Without and with the add-on, by turns."""
    turns = [(run(python, "without", number), run(python, "with", number)) for _ in range(repeat)]
    without, beside = zip(*turns, strict=True)
    return least(without), least(beside)


def growing(python: Path, sizes: Sequence[int], repeat: int) -> dict[int, Times]:
    """The times of operators and redraws by the number of objects."""
    return {
        size: {
            **least([run(python, "work", size) for _ in range(repeat)]),
            **least([run(python, "redraws", size) for _ in range(repeat)]),
        }
        for size in sizes
    }


def plain_table(number: int, without: Times, beside: Times) -> list[str]:
    """The lines of the first table, in Markdown."""
    lines = [
        f"| {number:,} plain objects".replace(",", " ") + " | Without | With | Ratio |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, seconds in without.items():
        ours, is_size = beside[name], name == _BYTES
        shown = [f"{each:.0f}" if is_size else f"{each:.3f} s" for each in (seconds, ours)]
        lines.append(f"| {name} | {shown[0]} | {shown[1]} | {ours / seconds:.2f} |")
    return lines


def dearer(without: Times, beside: Times) -> list[str]:
    """What costs more with the add-on than it may, in words."""
    return [
        f"{name}: {beside[name] / seconds:.2f} times as much as without the add-on"
        for name, seconds in without.items()
        if beside[name] > (seconds + OWN_BYTES if name == _BYTES else RATIO * seconds + GRAIN)
    ]


def exponents(found: Mapping[int, Times]) -> dict[str, float | None]:
    """By how fast each grows from the least to the greatest number; None for too little time."""
    low, high = min(found), max(found)
    return {
        name: math.log(found[high][name] / max(seconds, NOTHING)) / math.log(high / low)
        if low < high and found[high][name] > NOTHING
        else None
        for name, seconds in found[low].items()
    }


def _parts(found: Mapping[int, Times]) -> dict[str, str]:
    """What Blender's part of each is called, where there is one."""
    return {name: _SHARE.format(name) for name in found[max(found)]}


def growth_table(found: Mapping[int, Times]) -> list[str]:
    """The lines of the second table, in Markdown."""
    sizes = [f"{size:,}".replace(",", " ") for size in found]
    lines = [
        f"| What | {' | '.join(sizes)} | Blender's part of it | Grows with |",
        f"| --- |{' ---: |' * (len(sizes) + 2)}",
    ]
    most, parts = found[max(found)], _parts(found)
    for name, exponent in exponents(found).items():
        if name in parts.values():
            continue
        times = " | ".join(f"{times[name]:.3f} s" for times in found.values())
        part = f"{most[parts[name]]:.3f} s" if parts[name] in most else ""
        grows = "" if exponent is None else f"n^{exponent:.2f}"
        lines.append(f"| {name} | {times} | {part} | {grows} |")
    return lines


def steeper(found: Mapping[int, Times]) -> list[str]:
    """What grows faster than it may, or takes too long, in words."""
    others = BLENDERS.union(_parts(found).values())
    steep = [
        f"{name} grows with n^{exponent:.2f}"
        for name, exponent in exponents(found).items()
        if exponent is not None and exponent > STEEPEST and name not in others
    ]
    return steep + [
        f"{name} takes {seconds:.1f} s for {size}"
        for size, times in found.items()
        for name, seconds in times.items()
        if seconds > LONGEST
    ]


def write(lines: Sequence[str]) -> None:
    """Put the tables between the marks of the page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(marked_pages.put(text, *MARKS, "\n".join(lines)), encoding="utf-8")


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--plain", type=int, default=PLAIN, help="how many; 0 for no such table")
    parser.add_argument("--work-on", type=int, nargs="*", default=SIZES, help="how many; or none")
    parser.add_argument("--repeat", type=int, default=REPEAT, help="processes for each figure")
    parser.add_argument("--bpy", choices=environment.NAMES, help="the release of bpy to measure")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/costs.md")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; gives the exit code."""
    parsed = parse_arguments(arguments)
    if parsed.work:
        work(parsed.work[0], int(parsed.work[1]), Path(parsed.work[2]))
    python = environment.ensure(environment.choose(parsed.bpy))
    lines: list[str] = []
    problems: list[str] = []
    if parsed.plain:
        without, beside = plain(python, parsed.plain, parsed.repeat)
        lines += [*plain_table(parsed.plain, without, beside), ""]
        problems += dearer(without, beside)
    if parsed.work_on:
        found = growing(python, parsed.work_on, parsed.repeat)
        lines += growth_table(found)
        problems += steeper(found)
    print("\n".join(lines))
    if parsed.write:
        write(lines)
    for problem in problems:
        environment.say(f"error: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
