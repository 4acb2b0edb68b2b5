"""Runs one command over many files: folders and globs into a folder that mirrors them."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .. import background, jobs, parts, printing, pythons, sources
from . import SERVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..pythons import Environments
    from .ledger import Entry
    from .plan import Task

COMMANDS = ("export", "import", "convert", "check", "fix", "colliders", "simulate")
# What is no option of the command that a file is given to.
_OURS = (*("source", "output", "run", "command", "verify"), *("quiet", "json", "blender", "bpy"))
DESCRIPTION = """\
Run a command over many files, with several processes that live for many files each. What is
written goes into a folder that mirrors the sources, with batch.json, batch.xml (JUnit) and
batch.html, which say what came of each file.

What is done is remembered by content: a second run does only what is missing or has changed,
also after a run was stopped or killed. A process that dies costs its file only, which is tried
once more.
"""
EXAMPLES = """\
examples:
  batch export scenes --into built
  batch check "assets/**/*.glb" --into checked --options="--strict"
  batch convert assets --into khr --jobs 4 --options="--family khr"
  batch export scenes --into built --scheduler tcp://farm:8786
"""


def add_command(commands: Any, environments: Environments | None) -> None:
    """Add the sub-command `batch`."""
    parser = printing.add_command(
        commands, "batch", run, "run a command over many files", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("job", choices=COMMANDS, help="what to do with each file")
    parser.add_argument("sources", metavar="IN", nargs="+", help="file, folder or glob")
    parser.add_argument("--into", metavar="FOLDER", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes")
    parser.add_argument(
        "--scheduler", metavar="tcp://HOST:PORT", help="let the workers of this Dask cluster do it"
    )
    parser.add_argument(
        "--part", metavar="K/N", help="only the K-th of N parts; a run without it sums up"
    )
    parser.add_argument("--options", default="", help="options of the command, as one word")
    parser.add_argument(
        "--suffix",
        choices=(".glb", ".gltf", ".json", ".csv"),
        help="of what export, colliders and simulate write",
    )
    parser.add_argument("--per", choices=parts.WAYS, default="file", help="for export")
    parser.add_argument("--renew", type=int, default=200, help="files for one process")
    parser.add_argument("--memory", type=int, default=2000, help="megabytes for one process")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one file")
    background.add_blender_options(parser, environments)
    printing.add_output_options(parser)
    parser.set_defaults(source=None)


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `batch`; returns the exit code."""
    pythons.check_version()
    arguments.source = " ".join(arguments.sources)
    try:
        outcome = batch(arguments, environments)
    except KeyboardInterrupt:
        outcome = jobs.not_done("stopped; the same command goes on from here")
    except OSError as problem:
        outcome = jobs.not_done(f"cannot write into {arguments.into}: {problem.strerror}")
    printing.show(outcome, arguments, arguments.into)
    return outcome.exit_code


def is_over_many(arguments: argparse.Namespace) -> bool:
    """Whether a command reads a folder or a glob, and writes a folder."""
    return (
        arguments.command in COMMANDS
        and getattr(arguments, "output", None) is not None
        and sources.is_wide(str(arguments.source))
    )


def run_many(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run a command over all files of a folder or glob, with its options; returns the exit code.

    Args:
        arguments: those of the command, with a folder or glob as source, and a folder as output.
    """
    if hasattr(arguments, "verify"):
        arguments.verify(arguments)
    words = [arguments.command, str(arguments.source), "--into", str(arguments.output)]
    words.append(f"--options={shlex.join(words_of(arguments))}")
    words += [f"--{name}" for name in ("quiet", "json") if getattr(arguments, name)]
    if getattr(arguments, "format", None) in ("separate", "embedded"):
        words.append("--suffix=.gltf")
    for name in ("blender", "bpy"):
        value = getattr(arguments, name, None)
        words += [] if value is None else [f"--{name}={value}"]
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers(), environments)
    parsed = parser.parse_args(["batch", *words])
    parsed.command = arguments.command
    return run(parsed, environments)


def words_of(arguments: argparse.Namespace) -> list[str]:
    """The words that say again which options a command was given."""
    words: list[str] = []
    for name, value in vars(arguments).items():
        option = f"--{name.replace('_', '-')}"
        if name in _OURS or value is None or value is False:
            continue
        if value is True:
            words.append(option)
        else:
            values = cast("list[Any]", value) if isinstance(value, list) else [value]
            words += [f"{option}={each}" for each in values]
    return words


def batch(arguments: argparse.Namespace, environments: Environments | None) -> jobs.Outcome:
    """Do all that is missing.

    Raises:
        InputError: there is nothing to do, or no way to do it.
    """
    from . import farm, ledger, pages, plan, pool

    for name in ("jobs", "renew", "memory", "timeout"):
        if getattr(arguments, name) <= 0:
            raise jobs.InputError(f"--{name} must be above 0")
    command = server_command(arguments, environments)
    options = options_of(arguments)
    folder: Path = arguments.into.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    program = f"{plan.version()} {identity(command)}"
    part = None if arguments.part is None else plan.part_of(arguments.part)
    suffixes = plan.WRITTEN.get(arguments.job, (".glb", ".gltf"))
    suffix = arguments.suffix or suffixes[0]
    if suffix not in suffixes:
        raise jobs.InputError(f"{arguments.job} writes no {suffix}")
    tasks = plan.tasks(arguments.job, arguments.sources, folder, suffix, options, program, part)
    if not tasks and part is None:
        raise jobs.InputError(f"there are no files for {arguments.job} in {arguments.source}")
    limits = pool.Limits(arguments.renew, arguments.memory, arguments.timeout)
    with contextlib.ExitStack() as stack:  # Old Pythons must be able to read it.
        stack.enter_context(ledger.only_one(folder, part))
        book = stack.enter_context(contextlib.closing(ledger.Ledger(folder, part)))
        results: dict[str, tuple[Task, Entry]] = {}
        now = 0

        def missing() -> Iterator[Task]:
            """What is not done yet, found while what came first is under way."""
            for task in tasks:
                entry = book.done(task)
                if entry is None:
                    yield task
                else:
                    results[task.name] = task, entry

        if arguments.scheduler is None:
            count = min(arguments.jobs, len(tasks))
            running = pool.run(missing(), command, count, limits, folder)
        else:
            running = farm.run(list(missing()), command, arguments.scheduler, limits, folder)
        with contextlib.closing(running):
            for task, entry in running:
                book.add(entry)
                results[task.name] = task, entry
                now += 1
                if not arguments.quiet:
                    progress(len(results), len(tasks), task, entry)
        report = pages.report([results[name] for name in tasks.sources])
        pages.write(folder, report, arguments.job, f"batch{part or ''}")
    outcome = summary(report, len(tasks) - now)
    return outcome if part is None else outcome._replace(exit_code=jobs.DONE)


def options_of(arguments: argparse.Namespace) -> Sequence[str]:
    """The options of the command itself, which are known to be right.

    Raises:
        InputError: the command does not know them.
    """
    from . import plan, server

    suffix = plan.WRITTEN.get(arguments.job, (".glb",))[0]
    output = None if arguments.job == "check" else f"out{suffix}"
    told = io.StringIO()
    try:
        options = shlex.split(arguments.options)
        if arguments.per != "file" and arguments.job != "export":
            raise jobs.InputError("--per is for export")
        if arguments.per != "file":
            options += ["--per", arguments.per]
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(told):
            server.parsed(arguments.job, "in.glb", output, options)
    except SystemExit as end:
        why = told.getvalue().strip().rpartition("error: ")[2]
        raise jobs.InputError(f"--options: {why}") from end
    except ValueError as problem:
        raise jobs.InputError(f"--options: {problem}") from problem
    return options


def server_command(arguments: argparse.Namespace, environments: Environments | None) -> list[str]:
    """The command that starts a process that does files."""
    from . import plan

    running: str = getattr(getattr(sys.modules.get("bpy"), "app", None), "binary_path", "")
    if arguments.job in plan.WRITTEN or running:
        return background.worker_command(arguments, environments, SERVER)
    return [sys.executable, str(SERVER), "--"]


def identity(command: Sequence[str]) -> str:
    """What tells the program of a command from another release of it."""
    import shutil

    from . import plan

    found = Path(shutil.which(command[0]) or command[0])
    if not found.is_file():
        raise jobs.InputError(f"cannot start {command[0]}: the program does not exist")
    state = found.stat()
    return f"{found} {state.st_size} {state.st_mtime_ns} {plan.bpy_release()}"


def progress(done: int, count: int, task: Task, entry: Entry) -> None:
    """Tell that a file is done: on one line of a terminal, on lines elsewhere."""
    word = "failed" if entry.outcome.exit_code else "done"
    if printing.progress(done, count, task.name):
        if done == count or entry.outcome.exit_code:
            printing.say(f" {word}")
    else:
        printing.say(f"{done}/{count} {word} {printing.on_one_line(task.name)}")


def summary(report: dict[str, Any], before: int) -> jobs.Outcome:
    """What came of all files."""
    counts = report["counts"]
    lines = [
        f"{printing.counted(counts['files'], 'file')}, {counts['failed']} failed, "
        f"{before} done before"
    ]
    for file in report["files"]:
        if file["exitCode"]:
            why = file["error"] or "there are errors, see batch.html"
            first = printing.on_one_line(file["source"], why).splitlines()[0]
            lines.append(f"  {printing.on_one_line(file['source'])}: {first}")
    return jobs.Outcome(
        exit_code=jobs.FAILED if counts["failed"] else jobs.DONE, lines=tuple(lines), report=report
    )
