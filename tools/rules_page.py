"""Writes docs/rules.md from the catalogue of checks.

From the command line:

    .venv/bpy-5.0/bin/python tools/rules_page.py --write
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from omi_physics_addon import engines
from omi_physics_addon.files.fixes import FIXES
from omi_physics_addon.issue_codes import CATALOGUE, Severity

assert engines.TARGETS  # Whose codes are in the catalogue by now.
PAGE: Final = ROOT / "docs" / "rules.md"
PARTS: Final = {
    "G": "Files",
    "F": "Values",
    "S": "Shapes",
    "B": "Bodies",
    "C": "Colliders, materials and filters",
    "T": "Triggers",
    "J": "Joints",
    "V": "Gravity",
    "H": "Vehicles",
    "W": "Wheels and parts of vehicles",
    "R": "Thrusters",
    "E": "Seats",
    "L": "What is lost on the way to another family",
    "X": "Exports, imports and engines",
}
HEAD: Final = """\
# What is checked

*Check Scene*, every export and import, and the command `check` report issues with these codes. An
**error** breaks a rule of the specifications, or the physics cannot work. A **warning** is legal or
disputed, and some importers interpret the file differently. An **info** is good to know.

*Derived* rules come from mechanics and the practice of engines; no specification states them. The
command line marks these issues with "(derived)".

*Fix* is what the command [fix](commands/fix.md) does in files. Values out of bounds, unknown words,
lists of extensions and older forms need no fix: writing the file again corrects them.

*Check Scene* and `check`, but not exports, report how bodies start (B25, J39, R02, V14) and what is
wrong with meshes (S14, S35, S37). S37 is an info if an open mesh faces down, and a warning if
triangles oppose their neighbors or face into the volume they enclose; a closed part inside
another one is a cavity. Two bodies overlap if they still do so without the outer fiftieth of their
sizes; a trimesh has no inside. Overlapping gravity volumes of one priority are reported only if
one of them stops or replaces others, because sums have no order. Hover thrusters are too weak if
they hold the vehicle lower than its parts below them need.

Three severities differ from the table of the specifications. J03 is a warning, because official
files have the joint on either side. J35 is an info, because both specifications define a limit
over several axes as a distance or a cone; engines that deviate have a check of their own. V24 is an
info, because OMI asks for exactly that if a trigger has several parts.
"""


def page() -> str:
    """The page as it should be."""
    parts = [HEAD]
    codes = sorted(CATALOGUE.values(), key=lambda code: code.value)
    for letter, title in PARTS.items():
        rows = [code for code in codes if code.value[0] == letter]
        parts.append(f"## {letter}. {title}\n")
        lines = ["| Code | Severity | What is wrong | Fix | |", "| --- | --- | --- | --- | --- |"]
        for code in rows:
            severity = Severity(code.severity).value.capitalize()
            derived = "derived" if code.is_derived else ""
            words = FIXES[code].words if code in FIXES else ""
            lines.append(f"| {code.value} | {severity} | {code.text} | {words} | {derived} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write docs/rules.md from the catalogue.")
    parser.add_argument("--write", action="store_true", help="write the page, and do not print it")
    if parser.parse_args(arguments).write:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
