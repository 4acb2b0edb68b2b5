"""What the command line asks of its worker inside Blender, and what comes back.

Both travel as JSON files, because Blender writes what it likes to standard output.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ..files import locks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

# How all commands end; of several files, with the highest.
DONE = 0  # And nothing is wrong.
FAILED = 1  # Something is wrong with the physics, or differs.
BAD_INPUT = 2  # It was not done, whatever the physics is.
EXIT_CODES = """\
Exit codes: 0 done, and nothing is wrong; 1 something is wrong with the physics, or differs;
2 it was not done. Of several files the highest.
"""


class InputError(Exception):
    """The command line or its file is wrong; the message says what."""


class Export(NamedTuple):
    """Write a .blend file as glTF.

    Attributes:
        source: absolute path of the .blend file.
        output: absolute path of the .glb or .gltf file.
        format: "glb", "separate" or "embedded".
        target: one of `engines.WORDS`; None for what the scene says.
        selected: only the objects that are selected in the file.
        allow_errors: write the file, whatever is wrong; False for what the scene says.
        per: "file"; or "collection" or "object" for an output for each, in a folder that is named
            like the file to write.
    """

    source: str
    output: str
    format: str
    target: str | None
    selected: bool
    allow_errors: bool
    per: str = "file"


class Import(NamedTuple):
    """Read a glTF file into a .blend file.

    Attributes:
        source: absolute path of the .glb or .gltf file.
        output: absolute path of the .blend file.
        allow_outside: read files outside of the folder that the glTF names.
    """

    source: str
    output: str
    allow_outside: bool = False


class Simulate(NamedTuple):
    """Play the physics of a file and record where its bodies are.

    Attributes:
        source: absolute path of the .blend, .glb or .gltf file.
        output: absolute path of the .json or .csv file.
        seconds: how long.
        fps: frames per second, all of which are recorded.
        substeps: steps of the solver in each frame.
        allow_outside: read files outside of the folder that a glTF names.
    """

    source: str
    output: str
    seconds: float
    fps: int
    substeps: int
    allow_outside: bool = False


class Expect(NamedTuple):
    """Play files and tell whether they do what is expected of them.

    Attributes:
        files: absolute paths: each file and that of its expectations.
        allow_outside: read files outside of the folder that a glTF names.
    """

    files: Sequence[Sequence[str]]
    allow_outside: bool = False


class Check(NamedTuple):
    """Check the scenes of .blend files.

    Attributes:
        sources: absolute paths.
        target: as the command line has it; what the scenes say for "specification".
        strict: let warnings count as errors.
    """

    sources: Sequence[str]
    target: str
    strict: bool


class Colliders(NamedTuple):
    """Give every mesh of a file a collider, and write it as glTF.

    Attributes:
        source: absolute path of the .blend, .glb or .gltf file.
        output: absolute path of the .glb or .gltf file.
        format: "glb", "separate" or "embedded".
        target: one of `engines.WORDS`; None for what the scene says.
        allow_errors: write the file, whatever is wrong; False for what the scene says.
        plan: values of a `Plan` of the authoring.
        wish: values of a `Wish` of the authoring.
        allow_outside: read files outside of the folder that a glTF names.
    """

    source: str
    output: str
    format: str
    target: str | None
    allow_errors: bool
    plan: dict[str, Any]
    wish: dict[str, Any]
    allow_outside: bool = False


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


def not_done(why: str) -> Outcome:
    """The outcome of what could not be done, and a message that says why."""
    return Outcome(exit_code=BAD_INPUT, error=why)


def write_job(path: Path, job: NamedTuple) -> None:
    """Leave a job for a worker."""
    data = {"kind": type(job).__name__, "job": job._asdict()}
    path.write_text(json.dumps(data), encoding="utf-8")


def read_job(path: Path, kinds: Iterable[type]) -> Any:
    """Take up the job that was left, which is of one of these kinds."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    by_name = {kind.__name__: kind for kind in kinds}
    return by_name[data["kind"]](**data["job"])


def write_outcome(path: Path, outcome: Outcome) -> None:
    """Leave the outcome for the command line, as a whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(outcome._asdict()), encoding="utf-8")
    locks.replace(part, path)


def read_outcome(path: Path) -> Outcome:
    """Take up the outcome that the worker left."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Outcome(**data)
