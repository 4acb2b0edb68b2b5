"""The tables of the manual that say what engines do with our scenes, made of kept results."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from omi_physics_addon.issue_codes import CATALOGUE
from tools import environment, marked_pages

if TYPE_CHECKING:
    from tools.engines.scenes.building import Scene

PAGE: Final = environment.ROOT / "docs" / "engines.md"
RESULTS: Final = environment.ROOT / "docs" / "engines.json"
BEGIN: Final = "<!-- Made by tools/engines/acceptance.py: begin -->"
END: Final = "<!-- Made by tools/engines/acceptance.py: end -->"


class Column(NamedTuple):
    """A column of the table.

    Attributes:
        engine: as in `engine_batches.play`.
        add_on: whether Godot has its add-on.
    """

    engine: str
    add_on: bool = True


COLUMNS: Final = {
    "Godot": Column("GODOT_4"),
    "Godot, our importer": Column("GODOT_READER"),
    "Godot without add-on": Column("GODOT_4", add_on=False),
    "Babylon.js": Column("BABYLON"),
}


def cell(found: dict[str, Any]) -> str:
    """What an engine did with a scene, in words."""
    if found["state"] == "refused":
        return f"refused: {found['why']}"
    off = "not there" if found["off"] is None else f"{found['off']:.2f} m"
    if found["state"] == "named":
        some = f"{found['named']} of {found['bodies']} " if found["bodies"] > 1 else ""
        return f"{some}named {', '.join(found['codes'])}: {off}"
    return f"{found['state']}, {off}"


def table(results: dict[str, Any]) -> str:
    """All that stands between the marks of the page."""
    blocks: list[str] = []
    for part, rows in itertools.groupby(results["scenes"], lambda row: row["part"]):
        lines = [f"| {part} | {' | '.join(COLUMNS)} |", "| --- |" + " --- |" * len(COLUMNS)]
        lines += [
            f"| {row['name']} | {' | '.join(cell(row[column]) for column in COLUMNS)} |"
            for row in rows
        ]
        blocks.append("\n".join(lines))
    codes = sorted(
        {c for row in results["scenes"] for name in COLUMNS for c in row[name].get("codes", ())}
    )
    blocks.append("What the codes say:")
    blocks.append("\n".join(f"- **{code}**: {CATALOGUE[code].text}." for code in codes))
    blocks.append("Why finer steps, the place at rest or more room count:")
    reasons = results["reasons"].items()
    blocks.append("\n".join(f"- {why}: {', '.join(names)}." for why, names in reasons))
    return "\n\n".join(blocks)


def reasons(scenes: Sequence[Scene]) -> dict[str, list[str]]:
    """Why scenes are compared otherwise than step by step, with their names."""
    found: dict[str, list[str]] = {}
    for scene in scenes:
        for why in dict.fromkeys([*scene.steps.values(), scene.rests, scene.beside[1]]):
            if why:
                found.setdefault(why, []).append(scene.name)
    return found


def put(page: str, content: str) -> str:
    """The page with that between its marks.

    Raises:
        PageError: it has not both marks, once.
    """
    return marked_pages.put(page, BEGIN, END, content)


def keep(rows: list[dict[str, Any]], scenes: Sequence[Scene]) -> None:
    """Write results and page; scenes that were not played keep what they had.

    Args:
        scenes: all that there are, in the order of the page.
    """
    before = json.loads(RESULTS.read_text(encoding="utf-8"))["scenes"]
    found = {(row["part"], row["name"]): row for row in (*before, *rows)}
    played = [found[s.part, s.name] for s in scenes if (s.part, s.name) in found]
    results = {"scenes": played, "reasons": reasons(scenes)}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(put(page, table(results)), encoding="utf-8")
