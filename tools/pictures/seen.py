"""Says how much of our scenes is seen in engines of others, and pictures it.

From the command line:

    python3 tools/pictures/seen.py                    the examples, counted in Godot
    python3 tools/pictures/seen.py --all              all scenes, counted and pictured in Blender,
                                                      Godot and Babylon.js; takes minutes
    python3 tools/pictures/seen.py --pictures car     some scenes
    python3 tools/pictures/seen.py --write            the gallery in docs/engines.md

Counted is every visible object of Blender that has faces, and every instance of one: it is seen
where the engine has something of the same size in the same place. Files are written for Godot and
for everybody, and go through the import of Godot's editor. In pictures every object has a flat
colour, the camera is the same for all, and they are compared pixel by pixel at the start and after
two seconds of play. Where one differs from Blender's, all pictures of the scene are kept as one.
The last line says how many were seen; the exit code is 1 where something was not.

Programs are found as programs.py says; for Babylon.js see seen_babylon.py.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools import environment

KEPT: Final = environment.ROOT / "dist" / "pictures"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Say what of our scenes is seen in engines.")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="the examples when left out")
    parser.add_argument("--all", action="store_true", help="every scene, with pictures")
    parser.add_argument("--pictures", action="store_true", help="compare pictures, too")
    parser.add_argument("--write", action="store_true", help="make the gallery in docs/engines.md")
    parser.add_argument(
        "--output",
        type=Path,
        default=KEPT,
        metavar="FOLDER",
        help=f"of pictures that differ; {KEPT}",
    )
    parsed = parser.parse_args(arguments)
    from tools.engines.engine_clients import MissingError
    from tools.examples import make_examples
    from tools.pictures import seen_gallery

    scenes = all_scenes() if parsed.all else parsed.scenes or [*make_examples.ALL]
    try:
        if parsed.write:
            seen_gallery.write()
            return 0
        return look(scenes, parsed.output, pictures=parsed.pictures or parsed.all)
    except MissingError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2


def all_scenes() -> list[str]:
    """The names of the examples and of all generated scenes."""
    from tools.examples import make_examples
    from tools.pictures import seen_scenes

    return [*make_examples.ALL, *(pair.name for pair in seen_scenes.choose())]


def look(scenes: Sequence[str], kept: Path, *, pictures: bool) -> int:
    """Look at scenes in all engines and print what was found; returns the exit code.

    Args:
        kept: gets the pictures of scenes that differ.
    """
    from tools.pictures import seen_judge, seen_runs
    from tools.pictures.seen_babylon import TARGET, babylon

    begin, bad = time.monotonic(), False
    with tempfile.TemporaryDirectory(prefix="seen_") as place:
        folder = Path(place)
        seen_runs.needed(pictures=pictures)
        made = seen_runs.blender(scenes, folder, pictures=pictures)
        boxes = seen_runs.godot(made, folder, pictures=pictures)
        counts = seen_judge.count(made, boxes)
        for line in counts.lines:
            print(line)
        if pictures:
            refused = babylon(made, folder)
            found = seen_judge.compare(made, (seen_runs.TARGETS[0], TARGET), refused, kept)
            for line in found:
                print(line)
            bad = bool(found)
    print(f"{len(scenes)} scenes in {time.monotonic() - begin:.0f} s")
    for target, (seen, of) in counts.totals.items():
        print(f"{target}: seen {seen} of {of}")
    return int(bad or any(seen < of for seen, of in counts.totals.values()))


if __name__ == "__main__":
    if importlib.util.find_spec("bpy") is None:
        python = environment.ensure(environment.choose())
        sys.exit(subprocess.call([python, __file__, *sys.argv[1:]]))
    sys.exit(main())
