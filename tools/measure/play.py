"""Has an engine play scenes of the measure, and writes the poses as the measure wants them.

    python tools/measure/play.py ENGINE JOB.json

`suite/run.py` starts it, as it does with loaders of others. Where the engine is not here it ends
with 2, and says what is missing; the folder with the engines of others is that in
OMI_PHYSICS_CLIENTS. For the preview it runs in a Python that has bpy.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.engines import engine_batches, player_pages
from tools.engines.engine_batches import PER_SECOND, Godot
from tools.engines.engine_clients import MissingError

RATE: Final = 480  # Steps per second of engines; what is left to their size counts nothing then.
CLIENTS: Final = "OMI_PHYSICS_CLIENTS"


class Job(NamedTuple):
    """What is asked: the poses of the bodies in files."""

    files: list[Path]
    seconds: float
    per_second: int
    out: Path


def read(path: Path) -> Job:
    """The job that `suite/run.py` has written."""
    said: Any = json.loads(path.read_text(encoding="utf-8"))
    files = [Path(file) for file in said["files"]]
    return Job(files, said["seconds"], said["perSecond"], Path(said["out"]))


def preview(job: Job) -> list[dict[str, Any]]:
    """What the preview of Blender does with files that it imports."""
    import bpy

    from tools.engines import acceptance

    acceptance.enable()
    answers: list[dict[str, Any]] = []
    for file in job.files:
        acceptance.empty()
        acceptance.import_file(file)
        family = "KHR" if file.parent.name == "khr" else "OMI"
        scene: Any = bpy.context.scene
        found = acceptance.played(scene, family, job.seconds, kinds=("dynamic", "kinematic"))
        every = PER_SECOND // job.per_second
        answers.append({"bodies": {name: poses[::every] for name, poses in found.items()}})
    return answers


def page(job: Job) -> list[dict[str, Any]]:
    """What the page does in Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        pages = [player_pages.make(file, Path(folder)) for file in job.files]
        opened = player_pages.open_pages(pages, seconds=job.seconds, per_second=job.per_second)
    return [{"error": one.failed or "; ".join(one.errors), "bodies": one.bodies} for one in opened]


def other(target: str, godot: Godot = engine_batches.AS_USERS) -> Callable[[Job], Any]:
    """What an engine of `engine_batches` does."""

    def play(job: Job) -> list[dict[str, Any]]:
        clients = os.environ.get(CLIENTS)
        if clients is None and target not in ("GODOT_4", "GODOT_READER"):
            raise MissingError(f"there are no engines of others: set {CLIENTS} to their folder")
        runs = engine_batches.play(
            Path(clients or "."), target, job.files, seconds=job.seconds, rate=RATE, godot=godot
        )
        every = PER_SECOND // job.per_second
        return [
            {
                "error": run.error,
                "bodies": {name: body.poses[::every] for name, body in run.bodies.items()},
            }
            for run in runs
        ]

    return play


ENGINES: Final[dict[str, Callable[[Job], Any]]] = {
    "preview": preview,
    "godot": other("GODOT_4", Godot(add_on=False)),
    "godot-importer": other("GODOT_READER", Godot(reader=True)),
    "babylon": other("BABYLON"),
    "rapier": other("RAPIER"),
    "page": page,
}


def main(words: Sequence[str]) -> int:
    """Run from the command line; returns the exit code."""
    if len(words) != 2 or words[0] not in ENGINES:
        print(f"usage: play.py {'|'.join(ENGINES)} JOB.json", file=sys.stderr)
        return 2
    job = read(Path(words[1]))
    try:
        answers = ENGINES[words[0]](job)
    except MissingError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    job.out.write_text(json.dumps(answers), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
