"""Make a page that plays a file's physics in a browser.

Files of glTF need no Blender.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import background, jobs, printing, pythons, side_paths, staging
from . import page_option

if TYPE_CHECKING:
    from ..pythons import Environments
    from .page_option import Told

DESCRIPTION = """\
Make a page that plays the physics of a glTF or a .blend file in a browser. The page is one HTML
file with all that it needs in it. It opens by double-click, also without a network and without
this add-on, on a phone too.

Older forms of the extensions are written in their current form first.
"""
EXAMPLES = """\
examples:
  page crate.glb crate.html
  page car.blend car.html      by way of Blender
"""


def add_command(commands: Any, environments: Environments | None = None) -> None:
    """Add the sub-command `page`."""
    parser = printing.add_command(
        commands, "page", run, "make a page that plays a file in a browser", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("source", metavar="IN.glb|.gltf|.blend", type=Path)
    parser.add_argument("output", metavar="OUT.html", type=Path)
    background.add_blender_options(parser, environments)
    side_paths.add_option(parser)
    printing.add_output_options(parser)


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `page`; returns the exit code."""
    pythons.check_version()
    source, output = Path(arguments.source), Path(arguments.output)
    if output.suffix.lower() not in (".html", ".htm"):
        raise jobs.InputError(f"{output}: the name must end in .html")
    staging.check_target(output, [source])
    outcome = page_option.outcome_of(output, lambda: _tell(arguments, environments))
    printing.show(outcome, arguments, output)
    return outcome.exit_code


def _tell(arguments: argparse.Namespace, environments: Environments | None) -> Told:
    from ...files import playing

    given = background.source_of(arguments.source, arguments, environments)
    page = playing.player_page(given)
    cost, issues = page.found.cost, page.found.issues
    counts = ((cost.bodies, "body"), (cost.joints, "joint"), (len(issues), "issue"))
    lines = [", ".join(printing.counted(number, name) for number, name in counts)]
    lines += [f"missing: {name}" for name in page.missing]
    lines += side_paths.lines(given.beside.refused)
    report = {
        "bytes": len(page.content),
        "missingFiles": list(page.missing),
        "notRead": given.beside.refused,
        "issues": [issue.to_json() for issue in issues],
    }
    return jobs.Outcome(lines=tuple(lines), report=report), lambda: page.content
