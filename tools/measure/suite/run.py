"""Says whether a program that loads glTF files moves their bodies as the files say.

    python3 run.py [options] -- PROGRAM [WORD ...]

starts the program with each scene and compares the poses that it prints with `expected.json`.
README.md beside this file says what it is to print. Python 3.10 or newer is enough.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

HERE = Path(__file__).resolve().parent
FAMILIES = ("KHR", "OMI")
PASSED, FAILED, BAD_INPUT = 0, 1, 2
MOST_BYTES = 100_000_000  # That a program may print.
NUMBERS = 7  # Of a pose: place x, y, z and rotation x, y, z, w.
SEEN = math.radians(0.5)  # The least rotation that a table shows.
LONGEST = 200  # Characters of a reason.
MOST = 1e100  # m; what is farther away is lost.
UNIT = 0.01  # How far the length of a rotation may be from 1.
FILE, JOB = "{file}", "{job}"

Pose = Sequence[float]
Answer = str | Mapping[str, Any]  # A failure in words, or poses by body.


class Judged(NamedTuple):
    """What became of a scene.

    Attributes:
        state: "same" or "differs", or what failed: "hung", "crashed", "silent", "refused",
            "missing", "frames" or "nan".
        off: m, how far the worst body was away; None where no pose is there.
        turned: rad, the same of rotations; None where none is expected.
        why: what failed, in words.
    """

    state: str
    off: float | None = None
    turned: float | None = None
    why: str = ""


class InputError(Exception):
    """The measure cannot be run; the message says why."""


# Comparing


def angle(one: Pose, other: Pose) -> float:
    """The angle, in rad, between two rotations x, y, z, w of length 1."""
    difference = math.dist(one, other)
    total = math.hypot(*(a + b for a, b in zip(one, other, strict=True)))
    # Both signs are the same rotation; the arc cosine would lose small angles.
    return 4.0 * math.atan2(min(difference, total), max(difference, total))


def apart(
    path: Sequence[Pose],
    other: Sequence[Pose],
    *,
    near: float,
    share: float,
    first: int = 0,
    metric: Any = None,
) -> tuple[float, bool]:
    """How far one path is from another where that is worst, and whether that is allowed.

    Args:
        path, other: as many places, or rotations.
        near: what is allowed everywhere, m or rad.
        share: what is allowed beside, of the way until there.
        first: number of the first that counts.
        metric: the distance of two; that of places when left out.

    Raises:
        ValueError: they are not as many.
    """
    if len(path) != len(other):
        raise ValueError(f"{len(other)} poses, not {len(path)}")
    measure = metric or math.dist
    worst, way = (0.0, 0.0), 0.0
    for i, (here, there) in enumerate(zip(path, other, strict=True)):
        way += measure(path[max(i - 1, 0)], here)
        off = measure(here, there)
        if not math.isfinite(off):
            return math.inf, False
        if i >= first:
            worst = max(worst, (off / (near + share * way), off))
    return worst[1], worst[0] <= 1.0


def judge(scene: Mapping[str, Any], said: Answer, times: Sequence[float]) -> Judged:
    """What became of a scene.

    Args:
        scene: its entry in expected.json.
        said: what a program says of it: "bodies" by name, or an "error"; a text is a failure,
            as `failure` makes it.
        times: s, of the poses.
    """
    if isinstance(said, str):
        state, _, why = said.partition(": ")
        return Judged(state, why=why)
    if said.get("error"):
        return Judged("refused", why=str(said["error"]))
    bodies: Any = said.get("bodies")
    if not isinstance(bodies, dict):
        return Judged("silent", why='the answer has no object "bodies"')
    found: list[Judged] = []
    for name, path in scene["bodies"].items():
        rows: Any = cast("dict[str, Any]", bodies).get(name)
        problem = _problem(name, rows, times)
        found.append(problem or _judge_body(scene, path, rows, times))
    offs = [one.off for one in found if one.off is not None]
    turns = [one.turned for one in found if one.turned is not None]
    bad = next((one for one in found if one.state not in ("same", "differs")), None)
    if bad:
        return bad
    state = "same" if all(one.state == "same" for one in found) else "differs"
    return Judged(state, max(offs), max(turns) if turns else None)


def _judge_body(
    scene: Mapping[str, Any], path: Sequence[Pose], rows: Sequence[Pose], times: Sequence[float]
) -> Judged:
    allowed = scene["tolerance"]
    first = next(i for i, when in enumerate(times) if when >= scene["from"] - 1e-6)
    share = allowed["share"]
    off, same = apart(
        [row[:3] for row in path],
        [row[:3] for row in rows],
        near=allowed["place"],
        share=share,
        first=first,
    )
    turned = None
    if len(path[0]) == NUMBERS:
        turned, alike = apart(
            [row[3:] for row in path],
            [row[3:] for row in rows],
            near=allowed["angle"],
            share=share,
            first=first,
            metric=angle,
        )
        same = same and alike
    return Judged("same" if same else "differs", off, turned)


def _problem(name: str, rows: Any, times: Sequence[float]) -> Judged | None:
    """Why the poses of a body cannot be compared; None where they can."""
    if rows is None:
        return Judged("missing", why=f"there is no body {name!r}")
    if not isinstance(rows, list) or len(cast("list[Any]", rows)) != len(times):
        count = len(cast("list[Any]", rows)) if isinstance(rows, list) else "no list of"
        return Judged("frames", why=f"{name}: {count} poses instead of {len(times)}")
    for i, row in enumerate(cast("list[Any]", rows)):
        if not isinstance(row, list) or len(cast("list[Any]", row)) != NUMBERS:
            return Judged("frames", why=f"{name}: pose {i} is not {NUMBERS} numbers")
        for number in cast("list[Any]", row):
            is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
            if not is_number or not abs(number) < MOST:
                told = repr(number)[:40]
                return Judged("nan", why=f"{name}: pose {i} has {told} for a number")
        length = math.hypot(*cast("list[float]", row)[3:])
        if abs(length - 1.0) > UNIT:
            return Judged("nan", why=f"{name}: the rotation of pose {i} has the length {length:g}")
    return None


# Asking a program


def failure(state: str, why: str) -> str:
    """A failure, as `judge` takes it."""
    return f"{state}: {why}"


def start(words: Sequence[str], patience: float) -> tuple[str, str]:
    """Run a program to its end, and everything that it started; what it printed, and a failure.

    Args:
        patience: s, how long it may take.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as told:
        try:
            process = subprocess.Popen(
                list(words),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=told,
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise InputError(f"cannot start {words[0]}: {error.strerror or error}") from error
        problem, until = "", time.monotonic() + patience
        while not problem:
            try:
                process.wait(0.02 if until - time.monotonic() > patience - 1.0 else 0.2)
                break
            except subprocess.TimeoutExpired:
                if time.monotonic() > until:
                    problem = failure("hung", f"no answer within {patience:g} s")
                elif os.fstat(out.fileno()).st_size > MOST_BYTES:
                    problem = failure("hung", f"printed more than {MOST_BYTES} bytes")
        _end(process)
        if not problem and process.returncode:
            told.seek(0)
            last = told.read().decode("utf-8", "replace").strip().splitlines()[-1:]
            words_of_it = f": {last[0][:LONGEST]}" if last else ""
            problem = failure("crashed", f"ended with {process.returncode}{words_of_it}")
        out.seek(0)
        return out.read(MOST_BYTES).decode("utf-8", "replace"), problem


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program, and what it started where the system can."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):  # All of them have ended.
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()


def ask(
    program: Sequence[str],
    files: Sequence[Path],
    seconds: float,
    per_second: int,
    patience: float,
) -> list[Answer]:
    """What a program says of each file: poses by body, or a failure in words.

    Raises:
        InputError: it cannot be started.
    """
    if any(JOB in word for word in program):
        return _ask_at_once(program, files, seconds, per_second, patience)
    if not any(FILE in word for word in program):
        program = [*program, FILE]
    answers: list[Answer] = []
    for file in files:
        said, problem = start([word.replace(FILE, str(file)) for word in program], patience)
        answers.append(problem or _answer(said))
    return answers


def _ask_at_once(
    program: Sequence[str],
    files: Sequence[Path],
    seconds: float,
    per_second: int,
    patience: float,
) -> list[Answer]:
    with tempfile.TemporaryDirectory() as folder:
        job, out = Path(folder) / "job.json", Path(folder) / "answers.json"
        asked = {"files": [str(file) for file in files], "seconds": seconds}
        asked |= {"perSecond": per_second, "out": str(out)}
        job.write_text(json.dumps(asked), encoding="utf-8")
        words = [word.replace(JOB, str(job)) for word in program]
        _, problem = start(words, patience)
        if not problem and not out.is_file():
            problem = failure("silent", f"the program wrote no {out.name}")
        if problem:
            return [problem] * len(files)
        text = out.read_text(encoding="utf-8", errors="replace")
    try:
        answers: Any = json.loads(text)
    except ValueError as error:
        return [failure("silent", f"the answers are not JSON: {error}")] * len(files)
    if not isinstance(answers, list) or len(cast("list[Any]", answers)) != len(files):
        return [failure("silent", f"not a list of {len(files)} answers")] * len(files)
    wrong = failure("silent", "the answer is not an object")
    return [one if isinstance(one, dict) else wrong for one in cast("list[Any]", answers)]


def _answer(said: str) -> Answer:
    """The answer in what a program printed: its last line that begins as JSON objects do."""
    lines = [line for line in said.splitlines() if line.lstrip().startswith("{")]
    for text in (said, *reversed(lines)):
        try:
            found: Any = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return cast("dict[str, Any]", found)
    return failure("silent", "the program printed no JSON object")


# Reports


def result(scene: Mapping[str, Any], found: Judged) -> dict[str, Any]:
    """What became of a scene, for a report."""
    off, turned = (
        None if one is None or math.isinf(one) else round(one, 3)
        for one in (found.off, found.turned)
    )
    said = {"part": scene["part"], "name": scene["name"], "state": found.state}
    said |= {"off": off, "turned": turned}
    return {**said, "why": found.why} if found.why else said


def cell(one: Mapping[str, Any]) -> str:
    """What became of a scene, in words, with the "cause" that a result may have."""
    more = f" ({one['cause']})" if "cause" in one else ""
    if one["state"] not in ("same", "differs"):
        said = f"{one['state']}: {one.get('why', '')}{more}"
        return said.replace("|", "\\|").replace("\n", " ")
    words = f"{one['state']}, " + ("lost" if one["off"] is None else f"{one['off']:.2f} m")
    if one["turned"] is not None and one["turned"] >= SEEN:
        words += f", {math.degrees(one['turned']):.0f}°"
    return words + more


def table(columns: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """A Markdown table of results by the name of the loader.

    A scene that a loader was not asked for is "-".
    """
    by_scene: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for name, results in columns.items():
        for one in results:
            by_scene.setdefault((one["part"], one["name"]), {})[name] = one
    lines: list[str] = []
    last = ""
    for (part, scene), cells in by_scene.items():
        if part != last:
            lines += [""] if lines else []
            lines += [f"| {part} | {' | '.join(columns)} |", "| --- |" + " --- |" * len(columns)]
            last = part
        row = (cell(cells[name]) if name in cells else "-" for name in columns)
        lines.append(f"| {scene} | {' | '.join(row)} |")
    lines += ["", f"| | {' | '.join(columns)} |", "| --- |" + " --- |" * len(columns)]
    lines.append(f"| same | {' | '.join(_count(results) for results in columns.values())} |")
    return "\n".join(lines)


def _count(results: Sequence[Mapping[str, Any]]) -> str:
    return f"{sum(one['state'] == 'same' for one in results)} of {len(results)}"


# The command line


def read(folder: Path) -> dict[str, Any]:
    """What is expected.

    Raises:
        InputError: there is nothing to read.
    """
    path = folder / "expected.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def choose(
    expected: Mapping[str, Any], families: Sequence[str], words: str
) -> list[tuple[dict[str, Any], str]]:
    """The scenes with these words in part and name, and the file of each.

    Args:
        families: of extensions; the first that a scene has counts, others are left out.
    """
    pattern = re.compile(re.escape(words), re.IGNORECASE)
    found: list[tuple[dict[str, Any], str]] = []
    for scene in expected["scenes"]:
        files = [scene["files"][family] for family in families if family in scene["files"]]
        if files and pattern.search(f"{scene['part']}: {scene['name']}"):
            found.append((scene, files[0]))
    return found


def times_of(expected: Mapping[str, Any]) -> list[float]:
    """The times of poses, s."""
    count = round(expected["seconds"] * expected["perSecond"])
    return [i / expected["perSecond"] for i in range(count + 1)]


def measure(
    program: Sequence[str],
    families: Sequence[str],
    *,
    folder: Path = HERE,
    words: str = "",
    patience: float = 60.0,
) -> list[dict[str, Any]]:
    """Run a program over all scenes, or some; the results for a report.

    Args:
        families, words: see `choose`.
        patience: s, for each start of the program.

    Raises:
        InputError: there are no such scenes, or the program cannot be started.
    """
    expected = read(folder)
    chosen = choose(expected, families, words)
    if not chosen:
        raise InputError(f"no scene of {' or '.join(families)} has {words!r} in its name")
    files = [folder / file for _, file in chosen]
    said = ask(program, files, expected["seconds"], expected["perSecond"], patience)
    times = times_of(expected)
    results = [
        result(scene, judge(scene, one, times))
        for (scene, _), one in zip(chosen, said, strict=True)
    ]
    for one in results:
        if "why" in one:  # Without the folder, which is not the same everywhere.
            one["why"] = one["why"].replace(str(folder) + os.sep, "")[:LONGEST]
    return results


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Compare the poses that a loader prints with those expected.",
        epilog="The words {file} and {job} stand for a scene, and for a file with all of them; "
        "without either, the scene is the last word.",
    )
    parser.add_argument("program", nargs="+", metavar="PROGRAM WORD")
    parser.add_argument(
        "--family",
        type=_families,
        default=["KHR"],
        help="KHR, OMI, or both with a comma: the first that a scene has; KHR when left out",
    )
    parser.add_argument("--only", default="", metavar="WORDS", help="scenes with these in the name")
    parser.add_argument("--patience", type=float, default=60.0, help="s, for each start; 60")
    parser.add_argument("--name", default="", help="of the loader, for the report")
    parser.add_argument("--report", type=Path, help="writes REPORT.md and REPORT.json")
    return parser


def _families(said: str) -> list[str]:
    found = said.split(",")
    if not set(found) <= set(FAMILIES):
        raise argparse.ArgumentTypeError(f"{said!r} is not of {', '.join(FAMILIES)}")
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    arguments = make_parser().parse_args(words)
    try:
        if not arguments.patience > 0.0:
            raise InputError("--patience must be above 0")
        results = measure(
            arguments.program,
            arguments.family,
            words=arguments.only,
            patience=arguments.patience,
        )
        name = arguments.name or Path(arguments.program[0]).name
        text = table({name: results})
        print(text)
        if arguments.report:
            whole = {"loader": name, "families": arguments.family, "scenes": results}
            page, data = (arguments.report.with_name(arguments.report.name + s) for s in _SUFFIXES)
            page.write_text(text + "\n", encoding="utf-8")
            data.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    except (InputError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return BAD_INPUT
    return PASSED if all(one["state"] == "same" for one in results) else FAILED


_SUFFIXES = (".md", ".json")

if __name__ == "__main__":
    sys.exit(main())
