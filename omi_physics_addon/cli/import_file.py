"""Reads a glTF file into a .blend file, by way of Blender."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import background, jobs, printing, side_paths, staging

if TYPE_CHECKING:
    from .pythons import Environments

READ = (".glb", ".gltf")
DESCRIPTION = """\
Import a glTF file into an empty .blend file, with its physics, by way of Blender, and tell what was
read and what is wrong with it. Pictures are packed into the .blend file.

IN may be a folder, and OUT is one then: all .glb and .gltf files in it are read, as by
`batch import`.
"""
EXAMPLES = """\
examples:
  import crate.glb crate.blend
  import crate.glb crate.blend --json     what was read, for programs
  import assets scenes                    every file of a folder
"""


def add_command(commands: Any, environments: Environments | None) -> None:
    """Add the sub-command `import`."""
    parser = printing.add_command(
        commands, "import", run, "read a glTF into a .blend file", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("source", metavar="IN.glb|.gltf", type=Path)
    parser.add_argument("output", metavar="OUT.blend", type=Path)
    background.add_blender_options(parser, environments)
    side_paths.add_option(parser)
    printing.add_output_options(parser)


def job_of(arguments: argparse.Namespace) -> jobs.Import:
    """The job that the command line asks for.

    Raises:
        InputError: a path is wrong.
    """
    source, output = Path(arguments.source).absolute(), Path(arguments.output).absolute()
    if source.suffix.lower() not in READ:
        raise jobs.InputError(f"{arguments.source}: the name must end in .glb or .gltf")
    if output.suffix.lower() != ".blend":
        raise jobs.InputError(f"{arguments.output}: the name must end in .blend")
    if not source.is_file():
        raise jobs.InputError(f"there is no file {arguments.source}")
    staging.check_target(output)
    return jobs.Import(str(source), str(output), arguments.allow_outside)


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `import`; returns the exit code."""
    return background.run(job_of(arguments), arguments, environments)
