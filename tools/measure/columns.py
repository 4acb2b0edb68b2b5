"""Holds our loaders and those of others to the measure, and writes what came of it.

    python tools/measure/columns.py [--only WORDS] [--column TITLE ...] [--write]

runs in a Python that has bpy. A loader whose engine is not here is told and left out. With --write
the results are kept in docs/measure.json, and the table of docs/engines.md is made of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools import environment, marked_pages
from tools.measure import causes
from tools.measure.suite import run as judging

PAGE: Final = environment.ROOT / "docs" / "engines.md"
RESULTS: Final = environment.ROOT / "docs" / "measure.json"
BEGIN: Final = "<!-- Made by tools/measure/columns.py: begin -->"
END: Final = "<!-- Made by tools/measure/columns.py: end -->"
PLAY: Final = Path(__file__).resolve().parent / "play.py"
PATIENCE: Final = 1800.0  # s, for all scenes of a loader.
MISSING: Final = "ended with 2: error: "

Results = list[dict[str, Any]]


class Column(NamedTuple):
    """A loader.

    Attributes:
        engine: as `play.py` calls it.
        families: of the files that it reads, those that it gets first.
    """

    engine: str
    families: tuple[str, ...]


COLUMNS: Final = {
    "Preview": Column("preview", ("OMI", "KHR")),
    "Godot": Column("godot", ("OMI",)),
    "Godot, our importer": Column("godot-importer", ("OMI", "KHR")),
    "Babylon.js": Column("babylon", ("KHR",)),
    "three.js, Rapier": Column("rapier", ("KHR",)),
    "Page": Column("page", ("OMI", "KHR")),
}


class MissingError(Exception):
    """An engine is not here; the message says what is missing."""


def measure(title: str, words: str = "") -> Results:
    """Hold a loader to the measure.

    Args:
        words: scenes with these in their names alone.

    Raises:
        MissingError: its engine is not here.
        InputError: no scene has these words.
    """
    column = COLUMNS[title]
    program = [sys.executable, str(PLAY), column.engine, judging.JOB]
    found = judging.measure(program, column.families, words=words, patience=PATIENCE)
    for one in found:
        _, missing, what = one.get("why", "").partition(MISSING)
        if missing:
            raise MissingError(what)
    return found


def with_causes(title: str, results: Sequence[Mapping[str, Any]]) -> Results:
    """Results whose cells tell their causes."""
    found: Results = []
    for one in results:
        cause = None if one["state"] == "same" else causes.cause_of(title, one)
        found.append({**one, "cause": cause.name} if cause else {**one})
    return found


def content(columns: Mapping[str, Results]) -> str:
    """All that stands between the marks of the page."""
    told = {title: with_causes(title, results) for title, results in columns.items()}
    blocks = [judging.table(told)]
    for title, results in told.items():
        used = {one["cause"] for one in results if "cause" in one}
        lines = [
            f"- *{each.name}*: {each.text}" for each in causes.CAUSES[title] if each.name in used
        ]
        if lines:
            blocks += [f"Why {title} differs:", "\n".join(lines)]
    return "\n\n".join(blocks)


def put(page: str, text: str) -> str:
    """The page with that between its marks.

    Raises:
        PageError: it has not both marks, once.
    """
    return marked_pages.put(page, BEGIN, END, text)


def kept() -> dict[str, Results]:
    """The results that the page is made of, by the title of a column."""
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}


def keep(found: Mapping[str, Results]) -> None:
    """Write results and page; what was not played keeps what it had."""
    said, before, after = judging.read(judging.HERE), kept(), dict[str, Results]()
    for title, column in COLUMNS.items():
        results = [*before.get(title, ()), *found.get(title, ())]
        by_name = {one["name"]: one for one in results}
        chosen = (scene["name"] for scene, _ in judging.choose(said, column.families, ""))
        after[title] = [by_name[name] for name in chosen if name in by_name]
    RESULTS.write_text(json.dumps(after, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(put(page, content(after)), encoding="utf-8")


def main() -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Hold loaders to the measure.")
    parser.add_argument("--only", default="", help="scenes with these words in their names")
    parser.add_argument("--column", action="append", choices=COLUMNS, help="this one; all if none")
    parser.add_argument("--write", action="store_true", help="keep the results in the manual")
    arguments = parser.parse_args()
    found: dict[str, Results] = {}
    for title in arguments.column or COLUMNS:
        try:
            found[title] = measure(title, arguments.only)
        except MissingError as problem:
            environment.say(f"{title} is left out: {problem}")
    print(content(found))
    if arguments.write:
        keep(found)
    unknown = [
        f"{title}, {one['name']}"
        for title, results in found.items()
        for one in results
        if one["state"] != "same" and causes.cause_of(title, one) is None
    ]
    for each in unknown:
        environment.say(f"it is not said why this differs: {each}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
