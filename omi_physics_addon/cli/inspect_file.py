"""Tell what a file says about physics, as text, JSON or a page.

Files of glTF need no Blender, and nothing is written but the page.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import background, jobs, printing, pythons, side_paths, sources
from .pages import page_option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..files.source import Source
    from .pages.page_option import Told
    from .pythons import Environments

DESCRIPTION = """\
Tell what a glTF or a .blend file says about physics: its family and extensions, how many of what
there are, what that costs an engine, the tree of its nodes, and what is wrong with it. Of a .blend
file Blender makes the glTF that its export would write; it is thrown away again.

IN is a file, a folder with all files below it, or a glob; there may be several.
"""
EXAMPLES = """\
examples:
  inspect crate.glb                      for reading
  inspect crate.blend --json             for programs
  inspect crate.glb --html crate.html    a page with a drawing of all shapes, in one file
  inspect assets "more/**/*.glb" --json  a folder and a glob, for programs
"""


def add_command(commands: Any, environments: Environments | None = None) -> None:
    """Add the sub-command `inspect`."""
    parser = printing.add_command(
        commands, "inspect", run, "tell what a file says about physics", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("sources", metavar="IN", nargs="+", help="file, folder or glob")
    page_option.add_option(parser)
    background.add_blender_options(parser, environments)
    side_paths.add_option(parser)
    printing.add_output_options(parser)
    parser.set_defaults(source=None)


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `inspect`; returns the exit code."""
    words: Sequence[str] = arguments.sources
    arguments.source = " ".join(words)
    names = sources.named(words)

    def tell(path: Path) -> Told:
        return inspect(background.source_of(path, arguments, environments))

    if names == list(words) and len(names) == 1:
        path = Path(names[0])
        return page_option.run(arguments, [path], lambda _arguments: tell(path))
    pythons.check_version()
    if arguments.html is not None:
        raise jobs.InputError("--html is for one file")
    outcomes = {name: _one_of_many(Path(name), tell) for name in names}
    outcome = printing.together(outcomes, "cannot be read")
    printing.show(outcome, arguments)
    return outcome.exit_code


def _one_of_many(path: Path, tell: Callable[[Path], Told]) -> jobs.Outcome:
    from ..files import source

    try:
        outcome, _ = tell(path)
    except (source.SourceError, jobs.InputError) as problem:
        return jobs.not_done(str(problem))
    first, *more = outcome.lines
    return outcome._replace(lines=(first.removeprefix(f"{path.name}: "), *more, ""))


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
    return outcome, lambda: pages.inspection_page(found, drawing.draw(checked, given)).encode()
