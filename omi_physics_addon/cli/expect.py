"""Plays files and tells whether they do what files of expectations beside them say."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import background, jobs, printing, pythons, side_paths, sources, staging
from .simulate import PLAYED

if TYPE_CHECKING:
    from .pythons import Environments

ENDING = ".expect.toml"
DESCRIPTION = """\
Play the physics of files without a window, and tell whether they do what is expected of them.
What is expected of crate.glb, crate.gltf or crate.blend stands in crate.expect.toml beside it, in
tables such as

    [[expect]]
    joint = "Door Hinge"
    angle_deg = { min = 0, max = 110 }

IN is a file, a folder with all files below it, or a glob; there may be several. Of folders and
globs those files are played that have such a file beside them.

docs/commands/expect.md has all keys. Failures are reported with the measured value and time.
"""
EXAMPLES = """\
examples:
  expect door.glb                                   by door.expect.toml
  expect door.blend door.glb --junit report.xml     for a server that reads JUnit XML
  expect car.glb --expectations tests/car.toml      by another file
  expect assets "more/**/*.glb"                     all that have expectations beside them
"""


def add_command(commands: Any, environments: Environments | None) -> None:
    """Add the sub-command `expect`."""
    parser = printing.add_command(
        commands,
        "expect",
        run,
        "play files and tell whether they do what is expected",
        DESCRIPTION,
        EXAMPLES,
    )
    parser.add_argument("sources", metavar="IN", nargs="+", help="file, folder or glob")
    parser.add_argument(
        "--expectations", metavar="FILE.toml", type=Path, help="for all files, in place of theirs"
    )
    parser.add_argument("--junit", metavar="OUT.xml", type=Path, help="write JUnit XML, too")
    background.add_blender_options(parser, environments)
    side_paths.add_option(parser)
    printing.add_output_options(parser)
    parser.set_defaults(source=None)


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `expect`; returns the exit code."""
    pythons.check_version()
    arguments.source = " ".join(arguments.sources)
    names = files_of(arguments)
    job = job_of(names, arguments)
    if arguments.junit is not None:
        read = [Path(path) for pair in job.files for path in pair]
        staging.check_target(arguments.junit.absolute(), read)
    command = background.worker_command(arguments, environments)
    done = background.run_worker(command, job)
    if done.report is None:
        outcome = done
    else:
        outcome = summary(done.report["played"], names)
        if arguments.junit is not None:
            outcome = write_junit(arguments.junit, outcome)
    printing.show(outcome, arguments, arguments.junit)
    return outcome.exit_code


def files_of(arguments: argparse.Namespace) -> list[Path]:
    """The files to play; those of folders and globs only where something is expected of them.

    Raises:
        InputError: there are none.
    """
    words: list[str] = arguments.sources
    names = [Path(name) for name in sources.named(words, PLAYED)]
    if arguments.expectations is None:
        own = {Path(word) for word in words}
        names = [path for path in names if path in own or path.with_suffix(ENDING).is_file()]
    if not names:
        raise jobs.InputError(f"nothing in {arguments.source} has a file {ENDING} beside it")
    return names


def job_of(names: list[Path], arguments: argparse.Namespace) -> jobs.Expect:
    """The job that the command line asks for.

    Raises:
        InputError: a file is missing, or a file of expectations is wrong.
    """
    pairs: list[tuple[str, str]] = []
    for path in names:
        if path.suffix.lower() not in PLAYED:
            raise jobs.InputError(f"{path}: the name must end in .blend, .glb or .gltf")
        if not path.is_file():
            raise jobs.InputError(f"there is no file {path}")
        wanted = arguments.expectations or path.with_suffix(ENDING)
        check_expectations(wanted)
        pairs.append((str(path.absolute()), str(wanted.absolute())))
    return jobs.Expect(files=pairs, allow_outside=arguments.allow_outside)


def check_expectations(path: Path) -> None:
    """Make sure that a file of expectations can be read, before anything is played.

    Raises:
        InputError: it cannot.
    """
    from ..expectations import reading, records

    if not path.is_file():
        raise jobs.InputError(f"there is no file {path}, which says what is expected")
    try:
        reading.read(path.read_text(encoding="utf-8"), str(path))
    except OSError as problem:
        raise jobs.InputError(f"cannot read {path}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise jobs.InputError(f"{path}: this is no UTF-8 text") from problem
    except records.ExpectationError as problem:
        raise jobs.InputError(str(problem)) from problem


def summary(played: list[dict[str, Any]], names: list[Path]) -> jobs.Outcome:
    """What came of all files, for a person and for a program."""
    lines: list[str] = []
    errors: list[str] = []
    bad = 0
    for one, name in zip(played, names, strict=True):
        verdicts = one["verdicts"]
        if one["error"]:
            errors.append(f"{name}: {one['error']}")
            continue
        good = sum(verdict["holds"] for verdict in verdicts)
        bad += len(verdicts) - good
        count = printing.counted(len(verdicts), "expectation")
        lines.append(f"{name}: {good} of {count} hold, {one['seconds']:g} s")
        for verdict in verdicts:
            if not verdict["holds"]:
                where = f"{Path(one['expectations']).name}:{verdict['line']}"
                lines.append(f"  {where}: {verdict['text']}")
                lines += printing.first(verdict["failures"], "    ")
    code = jobs.BAD_INPUT if errors else jobs.FAILED if bad else jobs.DONE
    return jobs.Outcome(code, "\n".join(errors), tuple(lines), {"played": played})


def write_junit(path: Path, outcome: jobs.Outcome) -> jobs.Outcome:
    """Write what came of all files as JUnit XML; returns the outcome."""
    from ..files import junit

    assert outcome.report is not None
    suites = [
        junit.Suite(
            one["source"],
            one["seconds"],
            [junit.Case(each["text"], "\n".join(each["failures"])) for each in one["verdicts"]],
            one["error"],
        )
        for one in outcome.report["played"]
    ]
    try:
        staging.write(path.absolute(), junit.to_xml(suites).encode())
    except OSError as problem:
        why = f"cannot write {path}: {problem.strerror}"
        return outcome._replace(exit_code=jobs.BAD_INPUT, error=why)
    return outcome
