"""The option of commands that tell something of files, and write it as an HTML page, too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .. import jobs, printing, pythons, staging

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    # What is told, and what makes the page.
    Told = tuple[jobs.Outcome, Callable[[], bytes]]


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the page."""
    parser.add_argument("--html", metavar="PAGE.html", type=Path, help="write a page, too")


def run(
    arguments: argparse.Namespace, read: Sequence[Path], tell: Callable[[argparse.Namespace], Told]
) -> int:
    """Run a sub-command that has the option; returns the exit code.

    Args:
        read: the files that it is about.
        tell: may raise SourceError or InputError.

    Raises:
        InputError: the page cannot be written under its name.
    """
    pythons.check_version()
    if arguments.html is not None:
        staging.check_target(arguments.html, read)
    outcome = outcome_of(arguments.html, lambda: tell(arguments))
    printing.show(outcome, arguments, arguments.html)
    return outcome.exit_code


def outcome_of(page: Path | None, tell: Callable[[], Told]) -> jobs.Outcome:
    """What is told of files, or why it cannot be.

    Args:
        page: where the page goes; None for none.
        tell: may raise SourceError or InputError.
    """
    from ...files import source

    try:
        outcome, content = tell()
        if page is not None:
            staging.write(page, content())
    except (source.SourceError, jobs.InputError) as problem:
        return jobs.not_done(str(problem))
    except OSError as problem:
        return jobs.not_done(f"cannot write {page}: {problem.strerror}")
    return outcome
