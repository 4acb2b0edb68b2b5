"""Compare the physics of two files, or of all files of two folders, by what it means.

Files of glTF need no Blender, and nothing is written but the page.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import background, jobs, printing, pythons, side_paths, sources
from .pages import page_option

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from .pages.page_option import Told
    from .pythons import Environments

DESCRIPTION = """\
Compare the physics of two glTF or .blend files by what it means; of a .blend file, what its export
would write. Of two folders or globs each file is compared with the one of its name, or of its name
but for the suffix. Nodes are matched by their names and places in the tree; in which order lists
have their entries, which form or family of extensions says it, and what is written out or left to
its default makes no difference. Numbers that differ by less than the tolerance count as equal.
"""
EXAMPLES = """\
examples:
  diff golden.glb new.glb                     for reading
  diff golden.glb new.glb --json              for programs
  diff golden.glb new.glb --html review.html  a page for reviews
  diff golden.glb new.glb --tolerance 0.001   where rounding is not meant
  diff door.blend door.glb                    whether an export is up to date
  diff golden built                           all files of two folders
"""


def add_command(commands: Any, environments: Environments | None = None) -> None:
    """Add the sub-command `diff`."""
    parser = printing.add_command(
        commands, "diff", run, "compare the physics of two files or folders", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("source", metavar="BEFORE", type=Path)
    parser.add_argument("after", metavar="AFTER", type=Path)
    page_option.add_option(parser)
    parser.add_argument(
        "--tolerance",
        metavar="SHARE",
        type=float,
        default=1e-5,
        help="by which numbers may differ, relative to the larger one; 0.00001 when left out",
    )
    background.add_blender_options(parser, environments)
    side_paths.add_option(parser)
    printing.add_output_options(parser)


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `diff`; returns the exit code."""
    if not 0.0 <= arguments.tolerance < 1.0:
        raise jobs.InputError("--tolerance must be at least 0 and below 1")
    words = str(arguments.source), str(arguments.after)
    if not any(map(sources.is_wide, words)):
        read = (arguments.source, arguments.after)
        return page_option.run(arguments, read, lambda given: diff(given, environments))
    if not all(map(sources.is_wide, words)):
        raise jobs.InputError("a file and a folder cannot be compared: name two of a kind")
    pythons.check_version()
    if arguments.html is not None:
        raise jobs.InputError("--html is for two files")
    outcome = diff_folders(arguments, environments)
    printing.show(outcome, arguments)
    return outcome.exit_code


def diff(arguments: argparse.Namespace, environments: Environments | None) -> Told:
    """Read and compare both files.

    Raises:
        SourceError: one is no glTF.
        InputError: one cannot be opened or exported.
    """
    from ..files import differences

    before, after = (
        background.source_of(path, arguments, environments)
        for path in (arguments.source, arguments.after)
    )
    found = differences.compare(before, after, arguments.tolerance)
    outcome = jobs.Outcome(
        exit_code=jobs.FAILED if found.changes else jobs.DONE,
        lines=tuple(found.lines()),
        report=found.to_json(),
    )
    return outcome, lambda: differences.page(found).encode("utf-8")


def diff_folders(arguments: argparse.Namespace, environments: Environments | None) -> jobs.Outcome:
    """Compare the files of two folders or globs, each with its own.

    Raises:
        InputError: there are none.
    """
    from ..files import source

    words = str(arguments.source), str(arguments.after)
    before, after = (
        {name: path for path, name in sources.found(word, sources.SUFFIXES)} for word in words
    )
    outcomes: dict[str, jobs.Outcome] = {}
    for name, (one, other) in sorted(pairs(before, after).items()):
        if one is None or other is None:
            why = f"only in {words[one is None]}"
            outcomes[name] = jobs.Outcome(exit_code=jobs.FAILED, lines=(why,), error=why)
            continue
        two = argparse.Namespace(**{**vars(arguments), "source": one, "after": other})
        try:
            told, _ = diff(two, environments)
        except (source.SourceError, jobs.InputError) as problem:
            outcomes[name] = jobs.not_done(str(problem))
        else:
            first, *more = told.lines
            short = first.replace(f"{one.name} and {other.name} ", "they ")
            outcomes[name] = told._replace(lines=(short, *more))
    if not outcomes:
        raise jobs.InputError(f"there is nothing to compare in {words[0]} and {words[1]}")
    return printing.together(outcomes, "cannot be compared")


def pairs(
    before: Mapping[str, Path], after: Mapping[str, Path]
) -> dict[str, tuple[Path | None, Path | None]]:
    """Which file belongs to which: by name, else by what comes before the suffix.

    Args:
        before, after: the files by their paths below what was named, with slashes.
    """
    found: dict[str, tuple[Path | None, Path | None]] = {
        name: (before[name], after[name]) for name in before.keys() & after.keys()
    }
    ours, theirs = (_by_stem(each, found) for each in (before, after))
    for stem in ours.keys() | theirs.keys():
        one, other = ours.get(stem, []), theirs.get(stem, [])
        if len(one) == len(other) == 1:
            found[one[0]] = before[one[0]], after[other[0]]
            continue
        found |= {name: (before[name], None) for name in one}
        found |= {name: (None, after[name]) for name in other}
    return found


def _by_stem(files: Iterable[str], but: Container[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in files:
        if name not in but:
            found.setdefault(name.rpartition(".")[0], []).append(name)
    return found
