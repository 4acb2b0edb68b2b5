"""Plays the examples with the page, in Chromium, and compares with the preview.

Scenes of our own are those of the measure, see `tools/measure/columns.py`. Each moving body of an
example keeps within `NEAR` and `SHARE` of its way to the preview at its finest, or `NAMED` says why
not.

    python tools/engines/player_acceptance.py [--only WORDS] [--write]

runs in a Python that has bpy, and needs what `npm ci` installs in `tools/page`. With --write the
table in docs/player.md is made anew.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from omi_physics_addon.model.tolerance import SECONDS
from tools import environment, marked_pages
from tools.engines import acceptance, player_pages
from tools.engines.engine_batches import PER_SECOND
from tools.engines.scenes.building import Scene

PAGE: Final = environment.ROOT / "docs" / "player.md"
BEGIN: Final = "<!-- Made by tools/engines/player_acceptance.py: begin -->"
END: Final = "<!-- Made by tools/engines/player_acceptance.py: end -->"
_GROWS: Final = "bodies bounce off and lean on each other, where small differences grow"
NAMED: Final[dict[str, str]] = {
    "khr": _GROWS,
    "everything": _GROWS,
    "planet": _GROWS,
    "rope_bridge": _GROWS,
}


class Seen(NamedTuple):
    """How far the bodies of an example are from the preview.

    Attributes:
        off: m, of the worst body.
        same: whether all are where they may be.
    """

    name: str
    off: float
    same: bool


def compare(scenes: Sequence[Scene], folder: Path) -> list[Seen]:
    """Export examples, play them by the preview and by the page, and compare.

    Raises:
        MissingError: what plays is not here.
        RuntimeError: it did not answer, or refused a file.
    """
    made = [acceptance.make(scene, folder) for scene in scenes]
    pages = [player_pages.make(each.files["SPECIFICATION OMI"], folder) for each in made]
    runs = player_pages.open_pages(pages, seconds=SECONDS, per_second=PER_SECOND)
    found: list[Seen] = []
    for scene, each, run in zip(scenes, made, runs, strict=True):
        if run.failed:
            raise RuntimeError(f"{scene.name}: {run.failed}")
        worst, same = 0.0, True
        for name, path in each.paths["OMI"].items():
            more = acceptance.spread([path, each.coarse[name]])
            off, fits = acceptance.apart(path, run.bodies[name], last=acceptance.LAST, more=more)
            worst, same = max(worst, off), same and fits
        found.append(Seen(scene.name, worst, same))
    return found


def table(found: Sequence[Seen]) -> str:
    """What the page of the manual says."""
    lines = ["| Example | In the page |", "| --- | --- |"]
    lines += [
        f"| {each.name} | {'same' if each.same else 'differs'}, {each.off:.2f} m |"
        for each in found
    ]
    lines += ["", "These differ:", ""]
    lines += [
        f"- {each.name}: {NAMED.get(each.name, 'not known why')}."
        for each in found
        if not each.same
    ]
    return "\n".join(lines)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Play the examples with the page.")
    parser.add_argument("--only", default="", help="examples with these words in their names")
    parser.add_argument("--write", action="store_true", help="write the table of docs/player.md")
    arguments = parser.parse_args()
    acceptance.enable()
    chosen = [scene for scene in acceptance.EXAMPLES if arguments.only in scene.name]
    with tempfile.TemporaryDirectory() as folder:
        found = compare(chosen, Path(folder))
    for each in found:
        print(f"{each.name}: {'same' if each.same else 'differs'}, {each.off:.3f} m")
    if arguments.write:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(marked_pages.put(text, BEGIN, END, table(found)), encoding="utf-8")


if __name__ == "__main__":
    main()
