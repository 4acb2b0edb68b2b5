"""Check the physics of a glTF file against the rules, and say what is wrong where.

Needs no Blender, and writes nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import jobs, printing, pythons, side_paths
from .convert import TARGETS

if TYPE_CHECKING:
    from ..files.beside import Beside
    from ..issues import Issues

DESCRIPTION = """\
Check the physics of a glTF: that it can be read, that its references lead somewhere, and the
rules of the specifications over bodies, shapes, joints, triggers, gravity, vehicles and seats;
whether hulls are solid, and whether bodies overlap or joints are apart at the start.

Each finding has a severity, a code, a JSON pointer into the file and a sentence; "(derived)"
marks what no specification states, but mechanics and the practice of engines do:

    ERROR    a rule is broken, or the thing cannot work
    WARNING  legal or disputed; some reader will do something else
    INFO     worth knowing

With --target, also what that engine makes otherwise of the file as it stands.

With --json, standard output is one object, as report.schema.json beside this command describes
it: "error" (why the file could not be used, or ""), "exitCode", and "report" with "families",
"counts" of errors, warnings and infos, and "issues", a list of objects with "code", "severity",
"pointer" and "message".

Exit codes: 0 no error was found, 1 there are errors, 2 the file cannot be used.
Warnings and infos alone do not change the exit code; --strict lets warnings count as errors.
"""


def add_command(commands: Any) -> None:
    """Add the sub-command `check`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "check",
        help="say what is wrong with the physics of a glTF",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="IN.glb|.gltf", type=Path)
    parser.add_argument(
        "--target",
        choices=tuple(TARGETS),
        default="specification",
        help="tell what this engine makes otherwise of the file, too",
    )
    parser.add_argument(
        "--strict", action="store_true", help="let warnings count as errors in the exit code"
    )
    side_paths.add_option(parser)
    printing.add_output_options(parser)
    parser.set_defaults(run=run, command="check")


def run(arguments: argparse.Namespace, _environments: object) -> int:
    """Run the sub-command `check`; returns the exit code."""
    pythons.check_version()
    outcome = check(arguments)
    printing.show(outcome, arguments)
    return outcome.exit_code


def check(arguments: argparse.Namespace) -> jobs.Outcome:
    """What is wrong with the physics of the file."""
    from ..files import checking, source

    try:
        file = source.read(Path(arguments.source), allow_outside=arguments.allow_outside)
        target: Any = TARGETS[arguments.target]
        found = checking.check(file, target)
    except source.SourceError as problem:
        return jobs.Outcome(exit_code=jobs.BAD_INPUT, error=str(problem))
    return summary(found.families, found.issues, file.beside, strict=arguments.strict)


def summary(
    families: tuple[str, ...], issues: Issues, beside: Beside, *, strict: bool
) -> jobs.Outcome:
    """What was found, for a person and for a program."""
    from ..issue_codes import Severity

    counts = {severity.value.lower() + "s": issues.count(severity) for severity in Severity}
    told = [printing.counted(n, name[:-1]) for name, n in counts.items() if n]
    headline = f"{' and '.join(families) or 'no physics'}: {', '.join(told) or 'nothing wrong'}"
    bad = issues.count(Severity.ERROR) + (strict and issues.count(Severity.WARNING))
    worst_first = sorted(issues, key=lambda issue: list(Severity).index(issue.severity))
    return jobs.Outcome(
        exit_code=jobs.FAILED if bad else jobs.DONE,
        lines=(
            headline,
            *side_paths.lines(beside.refused),
            *(f"  {issue}" for issue in worst_first),
        ),
        report={
            "families": list(families),
            "counts": counts,
            "notRead": beside.refused,
            "issues": [issue.to_json() for issue in worst_first],
        },
    )
