"""Compares the preview with engines that others wrote, over glTF files.

From the command line:

    python3 tools/engines/compare_engines.py examples --clients FOLDER
    python3 tools/engines/compare_engines.py folder one.glb --clients FOLDER --engine godot --json
    python3 tools/engines/compare_engines.py omi khr --clients FOLDER --manual docs/preview.md

Each file is imported and played, and simulated by the engines: as it is by an engine that knows
its family, and as we export it by every engine. What an engine does not read is left out of what
the preview plays, and named. `engine_paths` says what counts as the same.

Exit codes: 0 all is the same, 1 something differs, 2 the command line or the engines are wrong.
"""

from __future__ import annotations

import argparse
import collections
import json
import math
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from omi_physics_addon.cli import background, jobs
from tools import environment, omi_physics
from tools.engines import engine_clients, engine_files, engine_jobs, engine_paths, engine_table
from tools.engines.engine_clients import (
    ENGINES,
    TITLES,
    Engine,
    Engines,
    MissingError,
    RefusalError,
)
from tools.engines.engine_reasons import REASONS, WHY
from tools.engines.engine_table import Result

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from tools.engines.engine_paths import Verdict

WORKER = environment.ROOT / "tools" / "engines" / "engine_scenes.py"
SUFFIXES = (".gltf", ".glb")
SECONDS = 10.0
FPS, SUBSTEPS = 60, 4
RATES = (60, 120, 240)  # Steps per second of the runs of an engine.
FAMILY_OF = {"babylon": "KHR", "godot": "OMI"}
FORMS = ("as it is", "as exported")


def compare_file(
    source: Path,
    name: str,
    engines: Engines,
    engine: Engine,
    rehearse: Any,
    seconds: float = SECONDS,
) -> list[Result]:
    """Compare the preview with an engine over one file.

    Args:
        name: of the file, in the results.
        rehearse: has a job done in Blender.

    Raises:
        MissingError: the engine is not here.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            copied = engine_files.copy(source, Path(folder))
        except engine_files.IncompleteError as problem:
            return [Result(name, engine, FORMS[0], problem=str(problem))]
        poses, exported = Path(folder) / "poses.json", Path(folder) / "exported.glb"
        job = engine_jobs.Rehearse(
            str(copied.path), engine, str(poses), str(exported), seconds, FPS, SUBSTEPS
        )
        outcome = rehearse(job)
        if outcome.exit_code != jobs.DONE:
            return [Result(name, engine, FORMS[1], problem=outcome.error or "")]
        left_out = tuple(outcome.report["leftOut"])
        preview = {
            of_bone(name, copied.names): path
            for name, path in played(json.loads(poses.read_text(encoding="utf-8"))).items()
        }
        forms = [(FORMS[1], exported)]
        # What is something else in the preview cannot be left out of the file as it is.
        replaced = any("which are" in words for words in left_out)
        if FAMILY_OF[engine] in copied.families and not replaced:
            forms.insert(0, (FORMS[0], copied.path))
        results: list[Result] = []
        for form, file in forms:
            row = Result(name, engine, form, left_out)
            try:
                runs = [engine_clients.run(engines, engine, file, seconds, r) for r in RATES]
            except RefusalError as problem:
                results.append(row._replace(problem=_refused(engine, file, problem)))
                continue
            verdicts = engine_paths.compare(preview, runs)
            named = [one._replace(body=copied.names.get(one.body, one.body)) for one in verdicts]
            results.append(row._replace(verdicts=tuple(named)))
        return results


def _refused(engine: Engine, file: Path, problem: RefusalError) -> str:
    words = re.sub(rf"\S*{re.escape(file.name)}", "it", str(problem))
    return f"{TITLES[engine]}: {words}"


def played(recording: dict[str, Any]) -> dict[str, engine_paths.Path]:
    """The paths of a recording of the preview, by the name of the body."""
    times = recording["times"]
    every = round(FPS / engine_clients.PER_SECOND)
    return {
        body["name"]: engine_paths.Path(
            body["type"],
            times[::every],
            [tuple(place) for place in body["position"][::every]],
            tuple(body["rotation"][-1]),
            tuple(body["angularVelocity"][-1]),
        )
        for body in recording["bodies"]
    }


def of_bone(name: str, known: Container[str]) -> str:
    """The node that an object stands for; an import adds a word to the names of those of bones."""
    node = name.removesuffix(" Physics")
    return node if node in known else name


def files_of(places: Sequence[Path]) -> list[tuple[Path, str]]:
    """The glTF files of folders, each with a short name of its own; of twins only the .gltf."""
    found: list[tuple[Path, Path]] = []
    for place in places:
        if place.is_file():
            found.append((place, Path(place.name)))
            continue
        inside = sorted(path for path in place.rglob("*") if path.suffix in SUFFIXES)
        found += [
            (path, path.relative_to(place))
            for path in inside
            if path.suffix == ".gltf" or not path.with_suffix(".gltf").exists()
        ]
    stems = collections.Counter(inner.stem for _, inner in found)
    return [(path, name_of(inner, stems[inner.stem] == 1)) for path, inner in found]


def name_of(path: Path, is_alone: bool) -> str:
    """The name of a file, with that of the first folder where it is not alone with it."""
    return path.stem if is_alone else f"{path.parts[0]}/{path.stem}"


def listing(results: Iterable[Result], *, all_bodies: bool = False) -> Iterator[str]:
    """Each body that differs, or each that moves, in words."""
    for one in results:
        head = f"{one.file}, {TITLES[one.engine]}, {one.form}: "
        if one.problem:
            yield head + one.problem
            continue
        count = sum(not verdict.same for verdict in one.verdicts)
        yield f"{head}{count} of {len(one.verdicts)} differ"
        for verdict in one.verdicts:
            if all_bodies or not verdict.same:
                yield f"  {'same' if verdict.same else 'differs'}: {told(verdict)}"


def told(verdict: Verdict) -> str:
    """One body in words."""
    if verdict.kind == "missing":
        return f"{verdict.body}: moves in one of them only"
    words = f"{verdict.body}: {verdict.kind}"
    if verdict.kind == "chance":
        words += f" after {verdict.until:g} s"
    words += f" {verdict.off:.3f} of {verdict.allowed:.3f} m"
    if verdict.turned is not None:
        words += f", {math.degrees(verdict.turned):.0f}°"
    if verdict.spun is not None:
        words += f", {verdict.spun:.2f} rad/s"
    return words


def as_json(results: Iterable[Result]) -> list[dict[str, Any]]:
    """The results for a program."""
    return [
        {
            "file": one.file,
            "engine": one.engine,
            "form": one.form,
            "leftOut": list(one.left_out),
            "problem": one.problem,
            "same": one.same,
            "bodies": [verdict._asdict() for verdict in one.verdicts],
        }
        for one in results
    ]


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Compare the preview with engines that others wrote."
    )
    parser.add_argument("places", metavar="FOLDER|FILE", type=Path, nargs="+")
    parser.add_argument(
        "--clients",
        type=Path,
        default=os.environ.get("OMI_PHYSICS_CLIENTS"),
        help="folder of the engines; OMI_PHYSICS_CLIENTS when left out",
    )
    parser.add_argument(
        "--answers", type=Path, help="folder to keep the answers of the engines in, for next time"
    )
    parser.add_argument("--engine", choices=ENGINES, help="this one only")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--bodies", action="store_true", help="tell of the same bodies, too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--manual", metavar="PAGE.md", type=Path, help="write the table into this page"
    )
    background.add_blender_options(parser, omi_physics.ENVIRONMENTS)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    arguments = make_parser().parse_args(words)
    if arguments.clients is None:
        environment.say("error: no engines: give --clients, or set OMI_PHYSICS_CLIENTS")
        return jobs.BAD_INPUT
    missing = [place for place in arguments.places if not place.exists()]
    if missing:
        environment.say(f"error: there is no {missing[0]}")
        return jobs.BAD_INPUT
    command = background.worker_command(arguments, omi_physics.ENVIRONMENTS, WORKER)

    def rehearse(job: engine_jobs.Rehearse) -> jobs.Outcome:
        return background.run_worker(command, job)

    if arguments.answers:
        arguments.answers.mkdir(parents=True, exist_ok=True)
    engines = Engines(arguments.clients, arguments.answers)
    results: list[Result] = []
    try:
        for path, name in files_of(arguments.places):
            for engine in [arguments.engine] if arguments.engine else ENGINES:
                environment.say(f"{name}: {TITLES[engine]}")
                results += compare_file(
                    path.absolute(), name, engines, engine, rehearse, arguments.seconds
                )
    except MissingError as problem:
        environment.say(f"error: {problem}")
        return jobs.BAD_INPUT
    if arguments.json:
        print(json.dumps(as_json(results), indent=2, ensure_ascii=False))
    else:
        for line in listing(results, all_bodies=arguments.bodies):
            print(line)
    if arguments.manual:
        page = arguments.manual.read_text(encoding="utf-8")
        content = engine_table.table(results, WHY, REASONS)
        arguments.manual.write_text(engine_table.put(page, content), encoding="utf-8")
        for name in engine_table.stale(results, WHY):
            environment.say(f"no difference any more, but a reason: {name}")
    return jobs.DONE if all(one.same for one in results) else jobs.FAILED


if __name__ == "__main__":
    sys.exit(main())
