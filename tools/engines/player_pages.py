"""Has a browser without a window and without a network open pages that play, and use them.

The browser is Chromium; what npm has is installed by `npm ci` in `tools/page`.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from omi_physics_addon.files import playing, source
from tools import environment, programs
from tools.engines.engine_clients import MissingError

HOME: Final = environment.ROOT / "tools" / "page"
DESKTOP, PHONE = (1280, 800), (390, 844)  # Pixels.
SECONDS: Final = 3.0


class Opened(NamedTuple):
    """What came of a page.

    Attributes:
        failed: why it told that it cannot play; else empty.
        errors: what the browser told of it.
        requests: addresses that it asked for, but for its own.
        wrong: controls that did something else than they should.
        bodies: by name, their poses at the start, on the way and in the end: place, m, and
            rotation x, y, z, w.
        load: s, until it plays.
        frame: s, that a picture takes; None where that was not asked for.
        text: what can be read on it.
    """

    failed: str
    errors: list[str]
    requests: list[str]
    wrong: list[str]
    bodies: dict[str, list[tuple[float, ...]]]
    load: float
    frame: float | None
    text: str


def set_up() -> Path:
    """The folder of the sources, with what npm installed there.

    Raises:
        MissingError: Node.js or what npm has is not here.
    """
    if shutil.which("node") is None:
        raise MissingError("there is no Node.js: put node on PATH")
    if not (HOME / "node_modules" / "jolt-physics").is_dir():
        raise MissingError("what the page is made of is not here: run npm ci in tools/page")
    return HOME


def make(file: Path, folder: Path) -> Path:
    """The page of a file.

    Raises:
        SourceError: it cannot be read.
    """
    page = folder / f"{file.parent.name} {file.name}.html"
    page.write_bytes(playing.player_page(source.read(file)).content)
    return page


def open_pages(
    pages: Sequence[Path],
    *,
    size: tuple[int, int] = DESKTOP,
    controls: bool = False,
    frames: int = 0,
    pictures: Path | None = None,
    seconds: float = SECONDS,
    per_second: int = 0,
) -> list[Opened]:
    """Open pages, play each from the start, and use its controls.

    Args:
        size: of the window; narrow ones are touched instead of clicked.
        controls: whether controls are used.
        frames: how many pictures are timed in the place of playing.
        pictures: folder for a picture of each.
        per_second: how many poses are recorded; with 0 those of the start and of the end.

    Raises:
        MissingError: the browser or Node.js is not here.
        RuntimeError: it did not answer.
    """
    home, browser = set_up(), programs.find_browser()
    if browser is None:
        raise MissingError("no browser here: set CHROMIUM to its command, or install chromium")
    is_phone = size[0] < size[1]
    with tempfile.TemporaryDirectory() as name:
        job, answer = Path(name) / "job.json", Path(name) / "answer.json"
        said: dict[str, Any] = {
            "browser": browser[0],
            "width": size[0],
            "height": size[1],
            "touch": is_phone,
            "scheme": "dark" if is_phone else "light",
            "seconds": seconds,
            "perSecond": per_second,
            "controls": controls,
            "answer": str(answer),
            "pages": [
                {
                    "name": page.name,
                    "path": str(page),
                    "frames": frames,
                    "shot": str(pictures / f"{page.stem}.png") if pictures else "",
                }
                for page in pages
            ],
        }
        job.write_text(json.dumps(said), encoding="utf-8")
        programs.run(["node", str(home / "play_pages.mjs"), str(job)], Path(name))
        found = json.loads(answer.read_text(encoding="utf-8"))
    return [
        Opened(
            each.get("failed", ""),
            each["errors"],
            each["requests"],
            each["wrong"],
            {name: [tuple(pose) for pose in poses] for name, poses in each["bodies"].items()},
            each["loadTime"] / 1000.0,
            None if each["frameTime"] is None else each["frameTime"] / 1000.0,
            each.get("text", ""),
        )
        for each in found
    ]
