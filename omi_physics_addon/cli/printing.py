"""What the commands print."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TextIO

    from .jobs import Outcome

# What moves the cursor, clears the screen or turns what follows round: C0 but tab and newline, DEL,
# C1, and the marks for the direction of text.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
SHOWN = 20  # Findings of one kind that are written out; the rest is counted.


def add_command(
    commands: Any, name: str, run: Callable[..., int], help_: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """Add a sub-command, still without options.

    Args:
        run: gets the arguments and the Pythons of the project; returns the exit code.
    """
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run, command=name)
    return parser


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose what is printed."""
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument(
        "--json", action="store_true", help="print the report as JSON on standard output"
    )


def say(message: str) -> None:
    """Tell the person at the terminal; standard output belongs to what was asked for."""
    put(sys.stderr, message)


def put(stream: TextIO | None, text: str) -> None:
    """Print a line, with codes for what the console cannot show, and for what would steer it.

    Args:
        stream: None where whoever started this program closed it.

    Raises:
        SystemExit: standard output cannot be written.
    """
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    shown = harmless(text).encode(encoding, "backslashreplace").decode(encoding)
    try:
        print(shown, file=stream, flush=True)
    except OSError as problem:
        # Python would stumble again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if stream is sys.stdout and not isinstance(problem, BrokenPipeError):
            say(f"error: cannot print: {problem.strerror}")
            raise SystemExit(jobs.BAD_INPUT) from problem


def harmless(text: str) -> str:
    """`text` with codes for what steers a terminal, which keys and names in files may have."""
    # As JSON has it, which is printed, too.
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def on_one_line(path: str, text: str = "") -> str:
    """What is told of a file, in which its path can begin no line of its own.

    Args:
        text: what is told; the path itself where it is empty.
    """
    told = text or path
    for name in Path(path).parts:
        told = told.replace(name, name.replace("\n", "\\u000a"))
    return told


def put_json(value: Any) -> None:
    """Print a value as JSON, whatever the console can show."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    put(sys.stdout, text)


def show(outcome: Outcome, arguments: argparse.Namespace, output: Path | None = None) -> None:
    """Print an outcome the way the command line asks for.

    Args:
        output: the file to write; None for none.
    """
    if arguments.json:
        written = None if output is None else str(output.absolute())
        put_json(as_json(outcome, arguments.command, str(arguments.source), written))
    elif not arguments.quiet:
        for line in outcome.lines:
            put(sys.stdout, line)
    if outcome.error:
        say(f"error: {outcome.error}")


def progress(done: int, count: int, name: str) -> bool:
    """Keep a terminal informed, on one line; whether there is one."""
    is_terminal = _has_terminal()
    if is_terminal:
        _on_line(f"{done}/{count} {harmless(on_one_line(name)[-60:])}")
    return is_terminal


def end_progress() -> None:
    """Take the line of a terminal away."""
    if _has_terminal():
        _on_line("")


def _has_terminal() -> bool:
    stream: TextIO | None = sys.stderr  # None where it was closed.
    return stream is not None and stream.isatty()


def _on_line(text: str) -> None:
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def as_json(
    outcome: Outcome, command: str | None, source: str | None = None, output: str | None = None
) -> dict[str, Any]:
    """An outcome for a program, as `report.schema.json` describes it."""
    return {
        "command": command,
        "source": source,
        "output": output,
        "exitCode": outcome.exit_code,
        "error": outcome.error,
        "report": outcome.report,
    }


def file_as_json(
    source: str, outcome: Outcome, outputs: Iterable[str] = (), *, crashed: bool = False
) -> dict[str, Any]:
    """What came of one of several files, for a program."""
    return {
        "source": source,
        "outputs": sorted(outputs),
        "exitCode": outcome.exit_code,
        "error": outcome.error,
        "crashed": crashed,
        "report": outcome.report,
    }


def together(outcomes: Mapping[str, Outcome], failure: str) -> Outcome:
    """The outcomes of several files as one.

    Args:
        failure: what is told of a file without a report, such as "cannot be checked".
    """
    counts = {"files": len(outcomes), "failed": 0}
    lines: list[str] = []
    for name, outcome in outcomes.items():
        counts["failed"] += bool(outcome.exit_code)
        for severity, number in _severities(outcome.report).items():
            counts[severity] = counts.get(severity, 0) + number
        error = on_one_line(name, outcome.error)
        first, *more = outcome.lines or [f"{failure}: {error}"]
        lines += [f"{on_one_line(name)}: {first}", *more]
    told = [counted(n, key[:-1]) for key, n in counts.items() if n and key != "failed"]
    return jobs.Outcome(
        exit_code=max(outcome.exit_code for outcome in outcomes.values()),
        lines=(*lines, f"{', '.join(told)}; {counts['failed']} failed"),
        report={"counts": counts, "files": [file_as_json(*each) for each in outcomes.items()]},
    )


def _severities(report: dict[str, Any] | None) -> dict[str, int]:
    """How many errors, warnings and infos a file has, or has left; nothing without a report."""
    if report is None or "changes" in report:
        return {}
    from ..issue_codes import Severity

    issues: list[dict[str, Any]] = report["left"] if "left" in report else report["issues"]
    found = [issue["severity"] for issue in issues]
    return {f"{each.value.lower()}s": found.count(each.value) for each in Severity}


def counted(number: int, name: str) -> str:
    """A number of things."""
    if number == 1:
        return f"1 {name}"
    return f"{number} {name[:-1]}ies" if name.endswith("y") else f"{number} {name}s"


def first(lines: Sequence[str], indent: str = "") -> list[str]:
    """As many lines as are shown, and how many more there are."""
    found = [f"{indent}{line}" for line in lines[:SHOWN]]
    more = len(lines) - len(found)
    return [*found, f"{indent}… and {more} more"] if more else found
