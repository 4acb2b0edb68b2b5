"""The examples as Blender, Godot and Babylon.js show them, for docs/engines.md."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Final

from tools import environment, marked_pages
from tools.examples import make_examples
from tools.pictures import seen_judge, seen_runs
from tools.pictures.seen_babylon import TARGET, babylon
from tools.pictures.silhouettes import write_png

PAGE: Final = environment.ROOT / "docs" / "engines.md"
IMAGES: Final = environment.ROOT / "docs" / "images"
DIGESTS: Final = IMAGES / "seen.json"
BEGIN: Final = "<!-- Made by tools/pictures/seen.py --write: begin -->\n"
END: Final = "<!-- Made by tools/pictures/seen.py --write: end -->\n"
WORDS: Final = {
    "blender": "Blender",
    "GODOT_4": "Godot",
    "BABYLON": "Babylon.js",
}


def image(name: str) -> Path:
    """The picture of an example."""
    return IMAGES / f"seen_{name}.png"


def digest(name: str) -> str:
    """What changes with the export of an example."""
    return hashlib.sha256((make_examples.EXAMPLES / f"{name}.glb").read_bytes()).hexdigest()


def outdated() -> list[str]:
    """The examples whose exports have changed since their pictures were taken."""
    kept = json.loads(DIGESTS.read_text(encoding="utf-8"))
    return [name for name in make_examples.ALL if kept.get(name) != digest(name)]


def section() -> str:
    """What the page shows, between its marks."""
    programs = ", ".join(WORDS.values())
    rows = [
        f"![{name} in {programs}, at the start and after two seconds](images/{image(name).name})"
        for name in make_examples.ALL
    ]
    return "\n" + "\n\n".join(rows) + "\n\n"


def write() -> None:
    """Take all pictures, and put them into the page.

    Raises:
        MissingError: a program is not here.
        RuntimeError: an engine did not answer, or refused an example.
    """
    with tempfile.TemporaryDirectory(prefix="seen_") as place:
        folder = Path(place)
        seen_runs.needed(pictures=True)
        made = seen_runs.blender([*make_examples.ALL], folder, pictures=True)
        seen_runs.godot(made, folder, pictures=True)
        refused = babylon(made, folder)
        if refused:
            raise RuntimeError(str(refused))
        for each in made:
            write_png(image(each.name), seen_judge.sheet(each, (seen_runs.TARGETS[0], TARGET)))
    digests = {name: digest(name) for name in make_examples.ALL}
    DIGESTS.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    before, after = marked_pages.around(PAGE.read_text(encoding="utf-8"), BEGIN, END)
    PAGE.write_text(before + BEGIN + section() + END + after, encoding="utf-8")
