"""Compare the physics of two glTF files by what it means.

Needs no Blender, and writes nothing but the page.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import jobs, page_option, printing, side_paths

if TYPE_CHECKING:
    from .page_option import Told

DESCRIPTION = """\
Compare the physics of two glTF files by what it means. Nodes are matched by their names and
places in the tree; in which order lists have their entries, which form or family of extensions
says it, and what is written out or left to its default makes no difference. Numbers that differ
by less than the tolerance count as equal.

Exit codes: 0 they mean the same, 1 they differ, 2 one cannot be read or the page not be written.
"""
EXAMPLES = """\
examples:
  diff golden.glb new.glb                     for reading
  diff golden.glb new.glb --json              for programs
  diff golden.glb new.glb --html review.html  a page for reviews
  diff golden.glb new.glb --tolerance 0.001   where rounding is not meant
"""


def add_command(commands: Any) -> None:
    """Add the sub-command `diff`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "diff",
        help="compare the physics of two glTF files",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="BEFORE.glb|.gltf", type=Path)
    parser.add_argument("after", metavar="AFTER.glb|.gltf", type=Path)
    page_option.add_option(parser)
    parser.add_argument(
        "--tolerance",
        metavar="SHARE",
        type=float,
        default=1e-5,
        help="by which numbers may differ, relative to the larger one; 0.00001 when left out",
    )
    side_paths.add_option(parser)
    printing.add_output_options(parser)
    parser.set_defaults(run=run, command="diff")


def run(arguments: argparse.Namespace, _environments: object) -> int:
    """Run the sub-command `diff`; returns the exit code."""
    return page_option.run(arguments, diff)


def diff(arguments: argparse.Namespace) -> Told:
    """Read and compare both files.

    Raises:
        SourceError: one is no glTF.
        InputError: the tolerance is none.
    """
    from ..files import differences, source

    if not 0.0 <= arguments.tolerance < 1.0:
        raise jobs.InputError("--tolerance must be at least 0 and below 1")
    before, after = (
        source.read(path, allow_outside=arguments.allow_outside)
        for path in (arguments.source, arguments.after)
    )
    found = differences.compare(before, after, arguments.tolerance)
    outcome = jobs.Outcome(
        exit_code=jobs.FAILED if found.changes else jobs.DONE,
        lines=tuple(found.lines()),
        report=found.to_json(),
    )
    return outcome, lambda: differences.page(found)
