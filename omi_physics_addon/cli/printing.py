"""What the commands print."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from ..issues import Issue
    from .jobs import Outcome

SHOWN = 20  # Findings of one kind that are written out; the rest is counted.


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose what is printed."""
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument(
        "--json", action="store_true", help="print the report as JSON on standard output"
    )


def say(message: str) -> None:
    """Tell the person at the terminal; standard output belongs to what was asked for."""
    print(message, file=sys.stderr, flush=True)


def show(outcome: Outcome, arguments: argparse.Namespace, output: str) -> None:
    """Print an outcome the way the command line asks for."""
    if arguments.json:
        data = {"output": output, "error": outcome.error, "report": outcome.report}
        print(json.dumps(data, indent=2, ensure_ascii=False))
    elif not arguments.quiet:
        for line in outcome.lines:
            print(line)
    if outcome.error:
        say(f"error: {outcome.error}")


def counted(number: int, name: str) -> str:
    """A number of things."""
    if number == 1:
        return f"1 {name}"
    return f"{number} {name[:-1]}ies" if name.endswith("y") else f"{number} {name}s"


def issue_lines(issues: Iterable[Issue]) -> list[str]:
    """The findings, worst first; many of one kind are counted."""
    by_severity: dict[str, list[str]] = {"ERROR": [], "WARNING": [], "INFO": []}
    for issue in issues:
        by_severity[issue.severity.value].append(f"  {issue}")
    lines: list[str] = []
    for severity, found in by_severity.items():
        lines += found[:SHOWN]
        if len(found) > SHOWN:
            lines.append(f"  … and {len(found) - SHOWN} more of severity {severity}")
    return lines
