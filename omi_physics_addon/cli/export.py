"""Writes a .blend file as glTF, by way of Blender."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engines import EXAMPLE, WORDS
from . import background, jobs, parts, printing, staging

if TYPE_CHECKING:
    from .pythons import Environments

# The formats each suffix can hold; the first is the one to use when none is asked for.
FORMATS = {".glb": ("glb",), ".gltf": ("separate", "embedded")}

DESCRIPTION = """\
Write a .blend file as glTF with its physics, by way of Blender.

IN may be a folder, and OUT is one then: all .blend files in it are written, as by `batch export`.
"""
EXAMPLES = f"""\
examples:
  export door.blend door.glb
  export door.blend door.gltf --target {EXAMPLE}    for one engine, with files beside it
  export doors.blend doors.glb --per object      doors/NAME.glb for each object
  export scenes built                            every file of a folder
"""


def add_command(commands: Any, environments: Environments | None) -> None:
    """Add the sub-command `export`."""
    parser = printing.add_command(
        commands, "export", run, "write a .blend file as glTF", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("source", metavar="IN.blend", type=Path)
    parser.add_argument("output", metavar="OUT.glb|.gltf", type=Path)
    parser.add_argument(
        "--target",
        choices=tuple(WORDS),
        help="what to write for; what the scene says when left out",
    )
    parser.add_argument("--selected", action="store_true", help="only the selected objects")
    parser.add_argument(
        "--allow-errors",
        action="store_true",
        help=(
            "write the file even if its physics has errors; when left out, such files are "
            "not written"
        ),
    )
    parser.add_argument(
        "--format",
        choices=("glb", "separate", "embedded"),
        help="glb for .glb and separate for .gltf when left out",
    )
    parser.add_argument(
        "--per",
        choices=parts.WAYS,
        default="file",
        help=(
            "write a file for each top-level collection, or each top-level object with its "
            "children, of the active scene, into a folder named like OUT: OUT/NAME.glb"
        ),
    )
    background.add_blender_options(parser, environments)
    printing.add_output_options(parser)


def format_of(output: Path, wanted: str | None) -> str:
    """The format to write, from the suffix and what was asked for.

    Raises:
        InputError: the suffix is unknown or does not go with the format.
    """
    suffix = output.suffix.lower()
    if suffix not in FORMATS:
        raise jobs.InputError(f"{output}: the name must end in .glb or .gltf")
    if wanted is None:
        return FORMATS[suffix][0]
    if wanted not in FORMATS[suffix]:
        raise jobs.InputError(f"{output}: --format {wanted} does not go with {suffix}")
    return wanted


def job_of(arguments: argparse.Namespace) -> jobs.Export:
    """The job that the command line asks for.

    Raises:
        InputError: a path or the format is wrong.
    """
    source = Path(arguments.source).absolute()
    output = Path(arguments.output).absolute()
    if not source.is_file():
        raise jobs.InputError(f"there is no file {arguments.source}")
    staging.check_target(output)
    return jobs.Export(
        source=str(source),
        output=str(output),
        format=format_of(output, arguments.format),
        target=arguments.target,
        selected=arguments.selected,
        allow_errors=arguments.allow_errors,
        per=arguments.per,
    )


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `export`; returns the exit code."""
    return background.run(job_of(arguments), arguments, environments)
