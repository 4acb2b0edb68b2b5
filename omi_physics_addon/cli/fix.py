"""Set right what is wrong with the physics of a glTF file, and say what was done.

Needs no Blender. All that is no physics stays as it was.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import convert, jobs, printing, pythons, side_paths, sources, staging

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..files.fixing import Fixed

DESCRIPTION = """\
Fix issues with the physics of a glTF, where one safe fix exists. The output has the current form
of the families in the file; everything except physics is kept.

Each fix is reported. A fix is kept only if its issue disappears and no equally severe issue is new.
Errors and warnings are fixed; with --all, infos too. Run `check` to list issues; docs/rules.md has
the fix of each code.

IN may be a folder, and OUT is one then: all .glb and .gltf files in it are fixed, as by
`batch fix`. With --in-place or --dry-run, IN may be a folder or a glob without OUT.

If errors remain, the file is written, and the exit code is 1.
"""
EXAMPLES = """\
examples:
  fix crate.glb --dry-run            report the fixes, and write nothing
  fix crate.glb fixed.glb            write the fixed file beside the old one
  fix crate.glb --in-place --all     fix the file itself, and infos too
  fix crate.glb fixed.glb --only C07 --only J15
  fix assets fixed                   every file of a folder
  fix "assets/**/*.glb" --dry-run    report the fixes of all files
"""


def add_command(commands: Any) -> None:
    """Add the sub-command `fix`."""
    parser = printing.add_command(
        commands, "fix", run, "fix issues with the physics of a glTF", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("source", metavar="IN.glb|.gltf", type=Path)
    parser.add_argument("output", metavar="OUT.glb|.gltf", type=Path, nargs="?")
    parser.add_argument("--in-place", action="store_true", help="write the file itself anew")
    parser.add_argument("--dry-run", action="store_true", help="write nothing, say what is done")
    parser.add_argument("--all", action="store_true", help="also fix infos")
    parser.add_argument(
        "--only", metavar="CODE", action="append", default=[], help="fix this code only"
    )
    side_paths.add_option(parser)
    printing.add_output_options(parser)


def run(arguments: argparse.Namespace, _environments: object) -> int:
    """Run the sub-command `fix`; returns the exit code."""
    pythons.check_version()
    word = str(arguments.source)
    if sources.is_wide(word) and arguments.output is None:
        outcome, output = fix_many(sources.named([word], convert.SUFFIXES), arguments), None
    else:
        outcome, output = fix(arguments), output_of(arguments)
    printing.show(outcome, arguments, output)
    return outcome.exit_code


def fix_many(names: Sequence[str], arguments: argparse.Namespace) -> jobs.Outcome:
    """Mend each file in its place, or say what would be done."""
    outcomes: dict[str, jobs.Outcome] = {}
    for name in names:
        own = argparse.Namespace(**{**vars(arguments), "source": Path(name)})
        outcomes[name] = fix(own)
    return printing.together(outcomes, "cannot be fixed")


def output_of(arguments: argparse.Namespace) -> Path | None:
    """The file to write; None for none."""
    if arguments.dry_run:
        return None
    path: Path | None = arguments.source if arguments.in_place else arguments.output
    return None if path is None else path.absolute()


def fix(arguments: argparse.Namespace) -> jobs.Outcome:
    """Read, mend and write the file."""
    from ..codec.gltf import containers
    from ..files import fixing, source

    output = output_of(arguments)
    try:
        _check_arguments(arguments, output)
        given = source.read(arguments.source, allow_outside=arguments.allow_outside)
        fixed = fixing.fix(given, infos=arguments.all, only=arguments.only)
        if output is not None:
            convert.check_kind(given.container, arguments.source, output)
            staging.write(output, containers.write(fixed.source.container, fixed.source.json))
    except (source.SourceError, jobs.InputError) as problem:
        return jobs.not_done(str(problem))
    except containers.ContainerError as problem:
        return jobs.not_done(f"{arguments.source}: {problem}")
    except OSError as problem:
        return jobs.not_done(f"cannot write {output}: {problem.strerror}")
    missing = (
        [] if output is None else convert.missing_files(given.container, arguments.source, output)
    )
    return summary(fixed, missing, is_dry=arguments.dry_run)


def _check_arguments(arguments: argparse.Namespace, output: Path | None) -> None:
    from ..issue_codes import CATALOGUE

    if output is None and not arguments.dry_run:
        raise jobs.InputError("name the file to write, or give --in-place or --dry-run")
    if arguments.in_place and arguments.output is not None:
        raise jobs.InputError("--in-place and a file to write exclude each other")
    strangers = [code for code in arguments.only if code not in CATALOGUE]
    if strangers:
        raise jobs.InputError(f"there is no code {', '.join(strangers)}; see docs/rules.md")
    if output is not None:
        convert.check_names(arguments.source, output)


def summary(fixed: Fixed, missing: list[str], *, is_dry: bool) -> jobs.Outcome:
    """What was done and what is left, for a person and for a program."""
    from ..issue_codes import Severity
    from ..issues import lines_of

    did = "would be fixed" if is_dry else "fixed"
    left = [issue for issue in fixed.left if issue.severity is not Severity.INFO]
    headline = f"{printing.counted(len(fixed.repairs), 'issue')} {did}, {len(left)} left"
    lines = [headline, *(f"  {repair}" for repair in fixed.repairs)]
    if left:
        lines += ["left:", *lines_of(left)]
    lines += [f"needs beside it: {name}" for name in missing]
    return jobs.Outcome(
        exit_code=jobs.FAILED if fixed.left.count(Severity.ERROR) else jobs.DONE,
        lines=tuple(lines),
        report={
            "fixes": [repair.to_json() for repair in fixed.repairs],
            "left": [issue.to_json() for issue in fixed.left],
            "missingFiles": missing,
        },
    )
