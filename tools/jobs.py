"""What the command line asks of its worker inside Blender, and what comes back.

Both travel as JSON files, because Blender writes what it likes to standard output.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DONE = 0
FAILED = 1
BAD_INPUT = 2


class Export(NamedTuple):
    """Write a .blend file as glTF.

    Attributes:
        source: absolute path of the .blend file.
        output: absolute path of the .glb or .gltf file.
        format: "glb", "separate" or "embedded".
        target: "specification" or "godot4"; None for what the scene says.
        selected: only the objects that are selected in the file.
    """

    source: str
    output: str
    format: str
    target: str | None
    selected: bool


class Simulate(NamedTuple):
    """Play the physics of a file and record where its bodies are.

    Attributes:
        source: absolute path of the .blend, .glb or .gltf file.
        output: absolute path of the .json or .csv file.
        seconds: how long.
        fps: frames per second, all of which are recorded.
        substeps: steps of the solver in each frame.
    """

    source: str
    output: str
    seconds: float
    fps: int
    substeps: int


class Rehearse(NamedTuple):
    """Play a glTF file as an engine of others understands it, and export it for that engine.

    Attributes:
        source: absolute path of the .glb or .gltf file.
        engine: "babylon" or "godot".
        poses: absolute path of the .json file to write.
        exported: absolute path of the .glb file to write.
        seconds, fps, substeps: as in `Simulate`.
    """

    source: str
    engine: str
    poses: str
    exported: str
    seconds: float
    fps: int
    substeps: int


Job = Export | Simulate | Rehearse

# One line per kind of job that needs Blender.
KINDS: dict[str, type[Export] | type[Simulate] | type[Rehearse]] = {
    "export": Export,
    "simulate": Simulate,
    "rehearse": Rehearse,
}


class Outcome(NamedTuple):
    """How a job ended.

    Attributes:
        exit_code: DONE, FAILED or BAD_INPUT.
        error: one message for the user; empty when all went well.
        lines: the summary for a person.
        report: the summary for a program; None when there is none.
    """

    exit_code: int = DONE
    error: str = ""
    lines: Sequence[str] = ()
    report: dict[str, Any] | None = None


def write_job(path: Path, kind: str, job: Job) -> None:
    """Leave a job for the worker."""
    path.write_text(json.dumps({"kind": kind, "job": job._asdict()}), encoding="utf-8")


def read_job(path: Path) -> tuple[str, Job]:
    """Take up the job that the command line left."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data["kind"], KINDS[data["kind"]](**data["job"])


def write_outcome(path: Path, outcome: Outcome) -> None:
    """Leave the outcome for the command line."""
    path.write_text(json.dumps(outcome._asdict()), encoding="utf-8")


def read_outcome(path: Path) -> Outcome:
    """Take up the outcome that the worker left."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Outcome(**data)
