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

from omi_physics_addon.files.fixes import FIXES
from omi_physics_addon.issue_codes import Code, Severity

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

*Check Scene*, every export and import, and the command `check` tell what is wrong by these codes.
An **error** breaks a rule of the specifications, or the thing cannot work. A **warning** is legal
or disputed, and some reader will do something else. An **info** is worth knowing.

*Derived* are those that no sentence of a specification states, but mechanics and the practice of
engines do; the command line ends their sentences with "(derived)".

*Fix* is what the command [fix](commands/fix.md) does about it in files. Values out of their bounds,
wrong words, lists of extensions and old forms need none: they are set right where the file is
written anew.

How bodies begin (B25, J39, R02, V14) and what meshes are (S14, S35, S37) is told by *Check Scene*
and `check`, not by exports. S37 is an info where an open mesh looks down, and a warning where
triangles are against their neighbours or look into what they enclose; a closed part inside another
is a cavity. Bodies overlap when what is left of both without the outer fiftieth of their sizes
does; a trimesh has no inside. Volumes of one priority are told where one of them stops or replaces
others, as sums have no order. Hover thrusters are too weak when the height to which they hold their
vehicle is less than what it has below them.

Three differ from the table of the specifications' readers. J03 is a warning, as official files have
it both ways. J35 is an info, as ropes and cones are what both specifications make of several axes;
where an engine takes them otherwise, its own check says so. V24 is one, as OMI asks for just that
where a trigger has parts.
"""


def page() -> str:
    """The page as it should be."""
    parts = [HEAD]
    codes = sorted(Code, key=lambda code: code.value)
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
