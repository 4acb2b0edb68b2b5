"""Tell what a glTF file says about physics, as text, JSON or a page.

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
Tell what a glTF says about physics: its family and extensions, how many of what there are, what
that costs an engine, the tree of its nodes, and what is wrong with it.

Exit codes: 0 it has no error, 1 it has errors, 2 it cannot be read or the page not be written.
"""
EXAMPLES = """\
examples:
  inspect crate.glb                      for reading
  inspect crate.glb --json               for programs
  inspect crate.glb --html crate.html    a page with a drawing of all shapes, in one file
"""


def add_command(commands: Any) -> None:
    """Add the sub-command `inspect`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "inspect",
        help="tell what a glTF says about physics",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="IN.glb|.gltf", type=Path)
    page_option.add_option(parser)
    side_paths.add_option(parser)
    printing.add_output_options(parser)
    parser.set_defaults(run=run, command="inspect")


def run(arguments: argparse.Namespace, _environments: object) -> int:
    """Run the sub-command `inspect`; returns the exit code."""
    return page_option.run(arguments, inspect)


def inspect(arguments: argparse.Namespace) -> Told:
    """Read the file; raises SourceError where it is no glTF."""
    from ..files import drawing, inspecting, pages, source
    from ..issue_codes import Severity

    given = source.read(arguments.source, allow_outside=arguments.allow_outside)
    found, checked = inspecting.inspect(given)
    outcome = jobs.Outcome(
        exit_code=jobs.FAILED if checked.issues.count(Severity.ERROR) else jobs.DONE,
        lines=tuple(found.lines()),
        report=found.to_json(),
    )
    return outcome, lambda: pages.inspection_page(found, drawing.draw(checked, given))
