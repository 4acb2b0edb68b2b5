"""OMI Physics on the command line.

For example:

    python3 tools/omi_physics.py export scene.blend scene.glb
    python3 tools/omi_physics.py export scene.blend scene.gltf --target godot4 --json
    python3 tools/omi_physics.py convert omi.glb khr.glb --family khr
    python3 tools/omi_physics.py simulate scene.blend --seconds 5 --out poses.json
    python3 tools/omi_physics.py check scene.glb

Exit codes: 0 done, 1 failed, 2 the command or its input is wrong; `check` fails where it finds
errors.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import checking, conversion, environment, jobs

if TYPE_CHECKING:
    from collections.abc import Sequence

WORKER = environment.ROOT / "tools" / "headless.py"
# The formats each suffix can hold; the first is the one to use when none is asked for.
FORMATS = {".glb": ("glb",), ".gltf": ("separate", "embedded")}
PLAYED = (".blend", ".glb", ".gltf")
RECORDED = (".json", ".csv")
MOST_SECONDS = 3600
MOST_FPS = 960
MOST_SUBSTEPS = 1000
NOISE_LINES = 20


class UsageError(Exception):
    """The command line asks for something that cannot be; the message says what."""


def add_blender_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the Blender to work with."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--blender", metavar="PATH", help="use this Blender program")
    choice.add_argument(
        "--bpy",
        choices=environment.NAMES,
        help="use this release of the bpy module; the newest that fits when left out",
    )


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose what is printed."""
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument(
        "--json", action="store_true", help="print the report as JSON on standard output"
    )


def add_export(commands: Any) -> None:
    """Add the sub-command `export`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "export", help="write a .blend file as glTF", description="Write a .blend file as glTF."
    )
    parser.add_argument("source", metavar="IN.blend", type=Path)
    parser.add_argument("output", metavar="OUT.glb|.gltf", type=Path)
    parser.add_argument(
        "--target",
        choices=("specification", "godot4"),
        help="what to write for; what the scene says when left out",
    )
    parser.add_argument("--selected", action="store_true", help="only the selected objects")
    parser.add_argument(
        "--format",
        choices=("glb", "separate", "embedded"),
        help="glb for .glb and separate for .gltf when left out",
    )
    add_blender_options(parser)
    add_output_options(parser)
    parser.set_defaults(run=export)


def add_simulate(commands: Any) -> None:
    """Add the sub-command `simulate`."""
    text = "Play the physics of a file and record where all bodies are, in glTF's axes."
    parser: argparse.ArgumentParser = commands.add_parser(
        "simulate", help="play the physics of a file and record the poses", description=text
    )
    parser.add_argument("source", metavar="IN.blend|.glb|.gltf", type=Path)
    parser.add_argument("--out", metavar="POSES.json|.csv", type=Path, required=True, dest="output")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long; 5 when left out")
    parser.add_argument(
        "--fps", type=int, default=60, help="frames per second, all recorded; 60 when left out"
    )
    parser.add_argument(
        "--substeps", type=int, default=4, help="solver steps per frame; 4 when left out"
    )
    add_blender_options(parser)
    add_output_options(parser)
    parser.set_defaults(run=simulate)


def format_of(output: Path, wanted: str | None) -> str:
    """The format to write, from the suffix and what was asked for.

    Raises:
        UsageError: the suffix is unknown or does not go with the format.
    """
    suffix = output.suffix.lower()
    if suffix not in FORMATS:
        raise UsageError(f"{output}: the name must end in .glb or .gltf")
    if wanted is None:
        return FORMATS[suffix][0]
    if wanted not in FORMATS[suffix]:
        raise UsageError(f"{output}: --format {wanted} does not go with {suffix}")
    return wanted


def export_job(arguments: argparse.Namespace) -> jobs.Export:
    """The job that the command line asks for.

    Raises:
        UsageError: a path or the format is wrong.
    """
    source = Path(arguments.source).absolute()
    output = Path(arguments.output).absolute()
    if not source.is_file():
        raise UsageError(f"there is no file {arguments.source}")
    if not output.parent.is_dir():
        raise UsageError(f"there is no folder {output.parent}")
    return jobs.Export(
        source=str(source),
        output=str(output),
        format=format_of(output, arguments.format),
        target=arguments.target,
        selected=arguments.selected,
    )


def simulate_job(arguments: argparse.Namespace) -> jobs.Simulate:
    """The job that the command line asks for.

    Raises:
        UsageError: a path or a number is wrong.
    """
    source = Path(arguments.source).absolute()
    output = Path(arguments.output).absolute()
    if source.suffix.lower() not in PLAYED:
        raise UsageError(f"{arguments.source}: the name must end in .blend, .glb or .gltf")
    if output.suffix.lower() not in RECORDED:
        raise UsageError(f"{arguments.output}: the name must end in .json or .csv")
    if not source.is_file():
        raise UsageError(f"there is no file {arguments.source}")
    if not output.parent.is_dir():
        raise UsageError(f"there is no folder {output.parent}")
    if not 0.0 < arguments.seconds <= MOST_SECONDS:
        raise UsageError(f"--seconds must be above 0 and at most {MOST_SECONDS}")
    if not 1 <= arguments.fps <= MOST_FPS:
        raise UsageError(f"--fps must be 1 to {MOST_FPS}")
    if not 1 <= arguments.substeps <= MOST_SUBSTEPS:
        raise UsageError(f"--substeps must be 1 to {MOST_SUBSTEPS}")
    return jobs.Simulate(
        source=str(source),
        output=str(output),
        seconds=arguments.seconds,
        fps=arguments.fps,
        substeps=arguments.substeps,
    )


def worker_command(arguments: argparse.Namespace, worker: Path = WORKER) -> list[str]:
    """The command that starts a worker, up to its own arguments."""
    if arguments.blender is None:
        python = environment.ensure(environment.choose(arguments.bpy))
        return [str(python), str(worker), "--"]
    options = ["--background", "--factory-startup", "--python-exit-code", "1"]
    return [arguments.blender, *options, "--python", str(worker), "--"]


def run_worker(command: Sequence[str], job: NamedTuple) -> jobs.Outcome:
    """Have a job done inside Blender, whose own chatter is kept unless it dies.

    Raises:
        UsageError: there is no such program.
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
            raise UsageError(f"cannot start {command[0]}: {error.strerror}") from error
        if outcome_path.exists():
            return jobs.read_outcome(outcome_path)
    noise = done.stdout.decode("utf-8", "replace").splitlines()[-NOISE_LINES:]
    message = f"Blender stopped with exit code {done.returncode} before the end. It said:"
    return jobs.Outcome(exit_code=jobs.FAILED, error="\n".join([message, *noise]))


def show(outcome: jobs.Outcome, arguments: argparse.Namespace, output: str) -> None:
    """Print an outcome the way the command line asks for."""
    if arguments.json:
        data = {"output": output, "error": outcome.error, "report": outcome.report}
        print(json.dumps(data, indent=2, ensure_ascii=False))
    elif not arguments.quiet:
        for line in outcome.lines:
            print(line)
    if outcome.error:
        environment.say(f"error: {outcome.error}")


def export(arguments: argparse.Namespace) -> int:
    """Run the sub-command `export`; returns the exit code."""
    job = export_job(arguments)
    outcome = run_worker(worker_command(arguments), job)
    show(outcome, arguments, job.output)
    return outcome.exit_code


def simulate(arguments: argparse.Namespace) -> int:
    """Run the sub-command `simulate`; returns the exit code."""
    job = simulate_job(arguments)
    outcome = run_worker(worker_command(arguments), job)
    show(outcome, arguments, job.output)
    return outcome.exit_code


def convert(arguments: argparse.Namespace) -> int:
    """Run the sub-command `convert`; returns the exit code."""
    if not conversion.is_python_enough():
        return conversion.run_elsewhere()
    sys.path.insert(0, str(environment.ROOT))
    try:
        outcome = conversion.convert(arguments)
    except ModuleNotFoundError as missing:
        # Only masses and old inertia tensors need it; most files do without.
        if missing.name != "numpy":
            raise
        return conversion.run_elsewhere()
    show(outcome, arguments, str(Path(arguments.output).absolute()))
    return outcome.exit_code


def check(arguments: argparse.Namespace) -> int:
    """Run the sub-command `check`; returns the exit code."""
    if not conversion.is_python_enough():
        return conversion.run_elsewhere()
    sys.path.insert(0, str(environment.ROOT))
    try:
        outcome = checking.check(arguments)
    except ModuleNotFoundError as missing:
        # Only old inertia tensors need it.
        if missing.name != "numpy":
            raise
        return conversion.run_elsewhere()
    checking.show(outcome, arguments)
    return outcome.exit_code


def make_parser() -> argparse.ArgumentParser:
    """The command line and its sub-commands."""
    parser = argparse.ArgumentParser(description="Physics in glTF files, on the command line.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    add_export(commands)
    add_simulate(commands)
    conversion.add_command(commands, add_output_options)
    commands.choices["convert"].set_defaults(run=convert)
    checking.add_command(commands, add_output_options)
    commands.choices["check"].set_defaults(run=check)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parsed = make_parser().parse_args(arguments)
    try:
        return parsed.run(parsed)
    except UsageError as problem:
        environment.say(f"error: {problem}")
        return jobs.BAD_INPUT
    except environment.SetupError as problem:
        environment.say(f"error: {problem}")
        return jobs.FAILED


if __name__ == "__main__":
    sys.exit(main())
