"""What came of many files, as JSON, as JUnit XML and as one HTML page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...files import junit, pages
from .. import printing
from .ledger import told

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .ledger import Entry
    from .plan import Task


def report(results: Sequence[tuple[Task, Entry]]) -> dict[str, Any]:
    """The summary for a program; the same files give the same."""
    files = [
        printing.file_as_json(task.name, entry.outcome, entry.outputs, crashed=entry.crashed)
        for task, entry in results
    ]
    failed = sum(each["exitCode"] != 0 for each in files)
    return {"counts": {"files": len(files), "failed": failed}, "files": files}


def xml(report: dict[str, Any], command: str) -> str:
    """The summary as JUnit XML: a test for each file."""
    cases = [
        junit.Case(file["source"], told(file) or "failed" if file["exitCode"] else "")
        for file in report["files"]
    ]
    return junit.to_xml([junit.Suite(command, None, cases)])


def html(report: dict[str, Any], command: str) -> str:
    """The summary as one page that needs nothing else; what failed comes first."""
    counts = report["counts"]
    files = sorted(report["files"], key=lambda file: file["exitCode"] == 0)
    rows = [
        ("failed" if file["exitCode"] else "done", file["source"], told(file)) for file in files
    ]
    classes = ["ERROR" if file["exitCode"] else "" for file in files]
    return pages.page(
        f"batch {command}",
        [
            f"<h1>batch {command}</h1>",
            f"<p>{counts['files']} files, {counts['failed']} failed</p>",
            pages.table(("Result", "File", "Said"), rows, classes),
        ],
    )


def write(folder: Path, report: dict[str, Any], command: str, name: str) -> None:
    """Write all three into the output folder under a name, each as a whole.

    Raises:
        InputError: a link would lead one out of the folder.
    """
    from .. import staging

    as_text = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
    texts = {"json": as_text, "xml": xml(report, command), "html": html(report, command)}
    for suffix, text in texts.items():
        page = folder / f"{name}.{suffix}"
        staging.check_inside(page, folder)
        staging.write(page, text.encode("utf-8", "backslashreplace"))
