"""Plays scenes of our own with the reader of the page, and compares with the preview.

Each moving body keeps within `NEAR` and `SHARE` of its way to the preview at its finest, or
`NAMED` says why not.

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
from tools import environment
from tools.engines import acceptance, engine_batches
from tools.engines.scenes.building import Scene

RATE: Final = 240  # Steps per second of the page.
PAGE: Final = environment.ROOT / "docs" / "player.md"
BEGIN: Final = "<!-- Made by tools/engines/player_acceptance.py: begin -->"
END: Final = "<!-- Made by tools/engines/player_acceptance.py: end -->"
NAMED: Final = {
    "6-DOF with room to turn": "the page comes to rest where the ranges end; the preview swings on",
    "rope that pulls aside": "hits at the ends of three ranges at once; they part soon",
    "body below a turned and mirrored empty": (
        "the page is thrown aside by friction as it lands, as in Godot, Babylon.js and Rapier; "
        "the preview is not"
    ),
    "more than 32 collision systems": "a body falls on the very edge of the floor",
    **dict.fromkeys(
        ("khr", "everything", "planet", "rope_bridge"),
        "bodies bounce off and lean on each other, where small differences grow",
    ),
}


class Seen(NamedTuple):
    """How far the bodies of a scene are from the preview.

    Attributes:
        off: m, of the worst body.
        same: whether all are where they may be.
    """

    part: str
    name: str
    off: float
    same: bool


def compare(scenes: Sequence[Scene], folder: Path) -> list[Seen]:
    """Build scenes, play them by the preview and by the page, and compare.

    Raises:
        MissingError: what plays is not here.
        RuntimeError: it did not answer, or refused a file.
    """
    made = [acceptance.make(scene, folder) for scene in scenes]
    files = [each.files["SPECIFICATION OMI"] for each in made]
    runs = engine_batches.play(folder, "PLAYER", files, seconds=SECONDS, rate=RATE)
    found: list[Seen] = []
    for scene, each, run in zip(scenes, made, runs, strict=True):
        if run.error:
            raise RuntimeError(f"{scene.name}: {run.error}")
        last = acceptance.LAST if scene.rests else 0
        worst, same = 0.0, True
        for name, path in each.paths["OMI"].items():
            more = scene.beside[0]
            if each.coarse:
                more += acceptance.spread([path, each.coarse[name]])
            off, fits = acceptance.apart(path, run.bodies[name].places, last=last, more=more)
            worst, same = max(worst, off), same and fits
        found.append(Seen(scene.part, scene.name, worst, same))
    return found


def table(found: Sequence[Seen]) -> str:
    """What the page of the manual says."""
    parts = list(dict.fromkeys(each.part for each in found))
    lines = ["| Scenes | Same | Number | Farthest of the same |", "| --- | --- | --- | --- |"]
    for part in parts:
        own = [each for each in found if each.part == part]
        fits = [each.off for each in own if each.same]
        most = f"{max(fits, default=0.0):.3f} m"
        lines.append(f"| {part} | {len(fits)} | {len(own)} | {most} |")
    lines += ["", "These differ:", ""]
    lines += [
        f"- {each.name}, by {each.off:.2f} m: {NAMED.get(each.name, 'not known why')}."
        for each in found
        if not each.same
    ]
    return "\n".join(lines)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Play our scenes with the reader of the page.")
    parser.add_argument("--only", default="", help="scenes with these words in their names")
    parser.add_argument("--write", action="store_true", help="write the table of docs/player.md")
    arguments = parser.parse_args()
    acceptance.enable()
    every = [*acceptance.SCENES, *acceptance.EXAMPLES]
    chosen = [scene for scene in every if arguments.only in f"{scene.part}: {scene.name}"]
    with tempfile.TemporaryDirectory() as folder:
        found = compare(chosen, Path(folder))
    for each in found:
        print(f"{each.part}, {each.name}: {'same' if each.same else 'differs'}, {each.off:.3f} m")
    if arguments.write:
        text = PAGE.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        PAGE.write_text(f"{before}{BEGIN}\n\n{table(found)}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
