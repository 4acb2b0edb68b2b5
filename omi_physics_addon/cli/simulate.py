"""Plays the physics of a file and records where its bodies are, by way of Blender."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import background, jobs, printing, side_paths, staging

if TYPE_CHECKING:
    from .pythons import Environments

PLAYED = (".blend", ".glb", ".gltf")
RECORDED = (".json", ".csv")
MOST_SECONDS = 3600
MOST_FPS = 960
MOST_SUBSTEPS = 1000

DESCRIPTION = """\
Play the physics of a file and record where all bodies are, in glTF's axes, by way of Blender.
"""
EXAMPLES = """\
examples:
  simulate door.glb --out poses.json
  simulate car.blend --seconds 10 --substeps 10 --out poses.csv    a table for spreadsheets
"""


def add_command(commands: Any, environments: Environments | None) -> None:
    """Add the sub-command `simulate`."""
    parser = printing.add_command(
        commands,
        "simulate",
        run,
        "play the physics of a file and record the poses",
        DESCRIPTION,
        EXAMPLES,
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
    background.add_blender_options(parser, environments)
    side_paths.add_option(parser)
    printing.add_output_options(parser)


def job_of(arguments: argparse.Namespace) -> jobs.Simulate:
    """The job that the command line asks for.

    Raises:
        InputError: a path or a number is wrong.
    """
    source = Path(arguments.source).absolute()
    output = Path(arguments.output).absolute()
    if source.suffix.lower() not in PLAYED:
        raise jobs.InputError(f"{arguments.source}: the name must end in .blend, .glb or .gltf")
    if output.suffix.lower() not in RECORDED:
        raise jobs.InputError(f"{arguments.output}: the name must end in .json or .csv")
    if not source.is_file():
        raise jobs.InputError(f"there is no file {arguments.source}")
    staging.check_target(output)
    if not 0.0 < arguments.seconds <= MOST_SECONDS:
        raise jobs.InputError(f"--seconds must be above 0 and at most {MOST_SECONDS}")
    if not 1 <= arguments.fps <= MOST_FPS:
        raise jobs.InputError(f"--fps must be 1 to {MOST_FPS}")
    if not 1 <= arguments.substeps <= MOST_SUBSTEPS:
        raise jobs.InputError(f"--substeps must be 1 to {MOST_SUBSTEPS}")
    return jobs.Simulate(
        source=str(source),
        output=str(output),
        seconds=arguments.seconds,
        fps=arguments.fps,
        substeps=arguments.substeps,
        allow_outside=arguments.allow_outside,
    )


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `simulate`; returns the exit code."""
    return background.run(job_of(arguments), arguments, environments)
