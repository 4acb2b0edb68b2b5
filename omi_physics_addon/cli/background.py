"""Has jobs done in a Blender without a window, or by a Python that has the `bpy` module."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from . import jobs, printing, staging

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..files.source import Source
    from .pythons import Environments

    # Jobs that write a file, or a file and others beside it.
    Written = jobs.Export | jobs.Import | jobs.Simulate | jobs.Colliders

WORKER = Path(__file__).resolve().with_name("worker.py")
NOISE_LINES = 20


def add_blender_options(parser: argparse.ArgumentParser, environments: Environments | None) -> None:
    """Add the options that choose the Blender to work with."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--blender", metavar="PATH", help="use this Blender program")
    if environments is not None:
        choice.add_argument(
            "--bpy",
            choices=environments.names,
            help="use this release of the bpy module; the newest that fits when left out",
        )


def worker_command(
    arguments: argparse.Namespace, environments: Environments | None, worker: Path = WORKER
) -> list[str]:
    """The command that starts a worker, up to its own arguments.

    Raises:
        InputError: no Blender was given, and there is none here.
    """
    if arguments.blender is not None:
        return blender_command(arguments.blender, worker)
    if environments is not None:
        return [str(environments.python(arguments.bpy)), str(worker), "--"]
    # Inside Blender its own Python has no way to start; the bpy module names no program.
    running: str = getattr(getattr(sys.modules.get("bpy"), "app", None), "binary_path", "")
    if running:
        return blender_command(running, worker)
    if find_spec("bpy"):
        return [sys.executable, str(worker), "--"]
    raise jobs.InputError("there is no Blender here: name the program with --blender")


def blender_command(blender: str, worker: Path) -> list[str]:
    """The command that starts a worker in a Blender program, without the user's settings."""
    options = ["--background", "--factory-startup", "--python-exit-code", "1"]
    return [blender, *options, "--python", str(worker), "--"]


def run_worker(command: Sequence[str], job: NamedTuple) -> jobs.Outcome:
    """Have a job done inside Blender, whose own chatter is kept unless it dies.

    Raises:
        InputError: there is no such program.
    """
    with tempfile.TemporaryDirectory() as folder:
        job_path, outcome_path = Path(folder) / "job.json", Path(folder) / "outcome.json"
        jobs.write_job(job_path, job)
        try:
            done = subprocess.run(
                [*command, str(job_path), str(outcome_path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            raise jobs.InputError(f"cannot start {command[0]}: {error.strerror}") from error
        if outcome_path.exists():
            return jobs.read_outcome(outcome_path)
    noise = done.stdout.decode("utf-8", "replace").splitlines()[-NOISE_LINES:]
    message = f"Blender stopped with exit code {done.returncode} before the end. It said:"
    return jobs.not_done("\n".join([message, *noise]))


def run(job: Written, arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Have a job done and print what came of it; returns the exit code."""
    command = worker_command(arguments, environments)
    try:
        outcome = staged(command, job)
    except OSError as problem:
        outcome = jobs.not_done(f"cannot write {job.output}: {problem.strerror}")
    printing.show(outcome, arguments, Path(job.output))
    return outcome.exit_code


def staged(command: Sequence[str], job: Written) -> jobs.Outcome:
    """Have a job done whose files replace the old ones when all of them are written."""
    with staging.Staging(Path(job.output)) as place:
        outcome = run_worker(command, job._replace(output=str(place.path)))
        if outcome.exit_code == jobs.DONE:
            place.put()
        # Nobody knows the folder in which the files were made.
        shown = outcome.error.replace(str(place.path), job.output)
        return outcome._replace(error=shown)


def source_of(
    path: Path, arguments: argparse.Namespace, environments: Environments | None
) -> Source:
    """A glTF, or what the export of a .blend file would write.

    Raises:
        SourceError: it is no glTF.
        InputError: it cannot be opened or exported, or there is no Blender.
    """
    from ..files import source

    if path.suffix.lower() == ".blend":
        return as_gltf(path, worker_command(arguments, environments))
    return source.read(path, allow_outside=arguments.allow_outside)


def as_gltf(path: Path, command: Sequence[str]) -> Source:
    """What the export of a .blend file would write.

    Raises:
        InputError: it cannot be opened or exported.
    """
    from ..files import source

    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "scene.glb"
        whole = str(path.absolute())
        job = jobs.Export(whole, str(output), "glb", None, selected=False, allow_errors=True)
        done = run_worker(command, job)
        if not output.is_file():
            raise jobs.InputError(done.error or f"{path} was not exported")
        return dataclasses.replace(source.read(output), path=path)
