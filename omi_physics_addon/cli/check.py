"""Check the physics of files against the rules, and say what is wrong where.

Files of glTF need no Blender, and nothing is written.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engines import WORDS
from . import background, jobs, printing, pythons, side_paths, sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..issues import Issue
    from .pythons import Environments

DESCRIPTION = """\
Check the physics of files: that it can be read, that its references lead somewhere, and the
rules of the specifications over bodies, shapes, joints, triggers, gravity, vehicles and seats;
whether hulls are solid, and whether bodies overlap or joints are apart at the start.

Each finding has a severity, a code, a JSON pointer into the file and a sentence; "(derived)"
marks what no specification states, but mechanics and the practice of engines do:

    ERROR    a rule is broken, or the thing cannot work
    WARNING  legal or disputed; some importer may interpret it differently
    INFO     worth knowing

With --target, also what that engine interprets differently in the file.

IN is a file, a folder with all files below it, or a glob; there may be several. Of a .blend file
Blender checks the scenes, as the button in the sidebar does, and findings name objects; glTF needs
no Blender. For thousands of files, "batch check" has several processes and remembers what is done.

With --json, standard output is one object, as report.schema.json beside this command describes
it: "error" (why the file could not be used, or ""), "exitCode", and "report" with "families",
"counts" of errors, warnings and infos, and "issues", a list of objects with "code", "severity",
"pointer" and "message". Of several files, "report" has the sums in "counts", and "files", each
with "source", "exitCode", "error" and its "report".

Warnings and infos alone do not change the exit code; --strict lets warnings count as errors.
"""
EXAMPLES = """\
examples:
  check crate.glb                         one file
  check assets "more/**/*.glb" --strict   a folder and a glob; warnings count
  check door.blend --json                 the scenes of a file of Blender, for programs
"""


def add_command(commands: Any, environments: Environments | None = None) -> None:
    """Add the sub-command `check`."""
    parser = printing.add_command(
        commands, "check", run, "say what is wrong with the physics of files", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("sources", metavar="IN", nargs="+", help="file, folder or glob")
    parser.add_argument(
        "--target",
        choices=tuple(WORDS),
        default="specification",
        help="also report what this engine interprets differently",
    )
    parser.add_argument(
        "--strict", action="store_true", help="let warnings count as errors in the exit code"
    )
    side_paths.add_option(parser)
    background.add_blender_options(parser, environments)
    printing.add_output_options(parser)
    parser.set_defaults(source=None)


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `check`; returns the exit code."""
    pythons.check_version()
    arguments.source = " ".join(arguments.sources)
    outcome = check(arguments, environments)
    printing.show(outcome, arguments)
    return outcome.exit_code


def check(arguments: argparse.Namespace, environments: Environments | None = None) -> jobs.Outcome:
    """What is wrong with the physics of a file, or of many."""
    words: Sequence[str] = arguments.sources
    names = sources.named(words)
    outcomes = dict(_outcomes(names, arguments, environments))
    if names == list(words) and len(names) == 1:
        return outcomes[names[0]]
    return printing.together({name: outcomes[name] for name in names}, "cannot be checked")


def _outcomes(
    names: Sequence[str], arguments: argparse.Namespace, environments: Environments | None
) -> Iterator[tuple[str, jobs.Outcome]]:
    """What is wrong with each file; those of Blender come last."""
    scenes = [name for name in names if Path(name).suffix.lower() == ".blend"]
    files = [name for name in names if Path(name).suffix.lower() != ".blend"]
    is_told = len(names) > 1 and not arguments.quiet
    for done, name in enumerate(files, 1):
        yield name, _of_gltf(Path(name), arguments)
        if is_told:
            printing.progress(done, len(names), name)
    if is_told:
        printing.end_progress()
    if scenes:
        try:
            command = background.worker_command(arguments, environments)
            yield from _of_scenes(scenes, arguments, command)
        except jobs.InputError as problem:
            for name in scenes:
                yield name, jobs.not_done(f"{name}: {problem}")


def _of_gltf(path: Path, arguments: argparse.Namespace) -> jobs.Outcome:
    from ..files import checking, source

    try:
        file = source.read(path, allow_outside=arguments.allow_outside)
        found = checking.check(file, WORDS[arguments.target])
    except source.SourceError as problem:
        return jobs.not_done(str(problem))
    return summary(found.families, list(found.issues), file.beside.refused, strict=arguments.strict)


def _of_scenes(
    names: Sequence[str], arguments: argparse.Namespace, command: Sequence[str]
) -> Iterator[tuple[str, jobs.Outcome]]:
    """One Blender checks all; where it dies, each file gets one of its own."""
    paths = [str(Path(name).absolute()) for name in names]
    done = background.run_worker(command, jobs.Check(paths, arguments.target, arguments.strict))
    if done.report is not None:
        for name, told in zip(names, done.report["files"], strict=True):
            yield name, jobs.Outcome(**told)
    elif len(names) == 1:
        yield names[0], done
    else:
        for name in names:
            yield from _of_scenes([name], arguments, command)


def summary(
    families: Sequence[str], issues: Sequence[Issue], refused: list[str], *, strict: bool
) -> jobs.Outcome:
    """What was found, for a person and for a program.

    Args:
        refused: files beside it that were not read.
    """
    from ..issue_codes import Severity
    from ..issues import lines_of

    order = [severity.value for severity in Severity]
    worst_first = sorted(issues, key=lambda issue: order.index(issue.severity.value))
    found = [issue.severity.value for issue in issues]
    counts = {value.lower() + "s": found.count(value) for value in order}
    told = [printing.counted(n, name[:-1]) for name, n in counts.items() if n]
    headline = f"{' and '.join(families) or 'no physics'}: {', '.join(told) or 'nothing wrong'}"
    bad = counts["errors"] + (strict and counts["warnings"])
    return jobs.Outcome(
        exit_code=jobs.FAILED if bad else jobs.DONE,
        lines=(
            headline,
            *side_paths.lines(refused),
            *lines_of(issues, dict.fromkeys(_fixable(), "omi-physics fix") if issues else {}),
        ),
        report={
            "families": list(families),
            "counts": counts,
            "notRead": refused,
            "issues": [issue.to_json() for issue in worst_first],
        },
    )


def _fixable() -> Iterable[str]:
    """The codes that `fix` mends, of which a file without issues needs none."""
    from ..files.fixes import FIXES

    return FIXES
