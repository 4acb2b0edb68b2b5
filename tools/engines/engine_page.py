"""Writes what engines do with our small scenes and examples into docs/engines.md.

From the command line:

    python3 tools/engines/engine_page.py --write

What engines do is in `docs/engine_runs`; `tests/blender/engines/test_same_in_engines.py`
adds what it sees to the folder that OMI_PHYSICS_ENGINE_NOTES names.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from omi_physics_addon.issue_codes import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "engines.md"
RUNS: Final = ROOT / "docs" / "engine_runs"
BEGIN: Final = "<!-- tables: tools/engines/engine_page.py --write -->\n"
END: Final = "<!-- end of the tables -->\n"
CLIENTS: Final = {"godot": "Godot 4", "babylon": "Babylon.js"}
GENERAL: Final = ("X45", "X49")  # Told of every file.


class Case(NamedTuple):
    """How far the worst body of a scene is off, m, and what the report names of its bodies."""

    off: float
    codes: tuple[str, ...]

    def __str__(self) -> str:
        if self.off <= 0.0:
            return "same"
        how_far = "lost" if self.off > 100.0 else f"{self.off:.2f} m"
        return " ".join([how_far, *self.codes])


def runs(client: str, folder: Path = RUNS) -> dict[str, Case]:
    """What was seen of each scene; of several runs the last."""
    found: dict[str, Case] = {}
    for line in (folder / f"{client}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        bodies: list[tuple[float, list[str]]] = [tuple(each) for each in row["bodies"].values()]
        off = max((by for by, _ in bodies), default=0.0)
        codes = {code for by, named in bodies if by > 0.0 for code in named}
        found[row["case"]] = Case(off, tuple(sorted(codes)))
    return found


def tables(folder: Path = RUNS) -> str:
    """The tables, as Markdown."""
    found = {client: runs(client, folder) for client in CLIENTS}
    first = found["godot"]
    lines = ["", f"| Scene | {' | '.join(CLIENTS.values())} |", "| --- |" + " --- |" * len(CLIENTS)]
    for name in sorted(first, key=lambda case: (case.startswith("example"), case.lower())):
        cells = [str(found[client][name]) for client in CLIENTS]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += [
        "",
        *_meanings({code for rows in found.values() for c in rows.values() for code in c.codes}),
    ]
    return "\n".join(lines) + "\n"


def _meanings(codes: set[str]) -> Iterator[str]:
    yield "| Code | What the report says |"
    yield "| --- | --- |"
    for code in sorted(codes):
        yield f"| {code} | {CATALOGUE[code].text} |"
    yield ""


def with_tables(text: str, folder: Path = RUNS) -> str:
    """The page with the tables as the runs say."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}{tables(folder)}{END}{rest.partition(END)[2]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Make tables of what engines do.")
    parser.add_argument("--write", action="store_true", help="put them into docs/engines.md")
    parsed = parser.parse_args(arguments)
    if parsed.write:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(tables())
    return 0


if __name__ == "__main__":
    sys.exit(main())
