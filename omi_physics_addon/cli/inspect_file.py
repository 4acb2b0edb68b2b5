"""Tell what a file says about physics, as text, JSON or a page.

Files of glTF need no Blender, and nothing is written but the page.
"""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import background, jobs, page_option, printing, side_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..files.source import Source
    from .page_option import Told
    from .pythons import Environments

DESCRIPTION = """\
Tell what a glTF or a .blend file says about physics: its family and extensions, how many of what
there are, what that costs an engine, the tree of its nodes, and what is wrong with it. Of a .blend
file Blender makes the glTF that its export would write; it is thrown away again.

Exit codes: 0 it has no error, 1 it has errors, 2 it cannot be read or the page not be written.
"""
EXAMPLES = """\
examples:
  inspect crate.glb                      for reading
  inspect crate.blend --json             for programs
  inspect crate.glb --html crate.html    a page with a drawing of all shapes, in one file
"""


def add_command(commands: Any, environments: Environments | None = None) -> None:
    """Add the sub-command `inspect`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "inspect",
        help="tell what a file says about physics",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="IN.glb|.gltf|.blend", type=Path)
    page_option.add_option(parser)
    background.add_blender_options(parser, environments)
    side_paths.add_option(parser)
    printing.add_output_options(parser)
    parser.set_defaults(run=run, command="inspect")


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `inspect`; returns the exit code."""

    def tell(_arguments: argparse.Namespace) -> Told:
        from ..files import source

        path: Path = arguments.source
        if path.suffix.lower() == ".blend":
            return inspect(as_gltf(path, background.worker_command(arguments, environments)))
        return inspect(source.read(path, allow_outside=arguments.allow_outside))

    return page_option.run(arguments, tell)


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
        done = background.run_worker(command, job)
        if not output.is_file():
            raise jobs.InputError(done.error or f"{path} was not exported")
        return dataclasses.replace(source.read(output), path=path)


def inspect(given: Source) -> Told:
    """What a file that was read says."""
    from ..files import drawing, inspecting, pages
    from ..issue_codes import Severity

    found, checked = inspecting.inspect(given)
    outcome = jobs.Outcome(
        exit_code=jobs.FAILED if checked.issues.count(Severity.ERROR) else jobs.DONE,
        lines=tuple(found.lines()),
        report=found.to_json(),
    )
    return outcome, lambda: pages.inspection_page(found, drawing.draw(checked, given))
