"""Runs engines of others over a glTF file, and says where they take its bodies.

The folder with the engines holds commands for Node.js, `babylon/load.mjs` (Babylon.js with Havok)
and `godot/load.mjs` (Godot with Jolt and the OMI add-on), each of which loads a file, simulates
it, and prints one JSON object.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import subprocess
import tempfile
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tools.engines import engine_files
from tools.engines.engine_paths import Path

if TYPE_CHECKING:
    from collections.abc import Iterator

Engine = Literal["babylon", "godot"]

ENGINES: tuple[Engine, ...] = ("babylon", "godot")
TITLES: dict[Engine, str] = {"babylon": "Babylon.js, Havok", "godot": "Godot, Jolt"}
PER_SECOND = 10  # Places that are recorded.
PATIENCE = 480.0  # s.
NOT_SET_UP = 2
_MOTIONS = {"DYNAMIC": "dynamic", "ANIMATED": "kinematic", "STATIC": "static"}
_CLASSES = {
    "RigidBody3D": "dynamic",
    "VehicleBody3D": "dynamic",
    "AnimatableBody3D": "kinematic",
    "StaticBody3D": "static",
}


class MissingError(Exception):
    """There are no such engines here; the message says what is missing."""


class RefusalError(Exception):
    """An engine cannot simulate the file; the message is the engine's."""


def command(folder: FilePath, engine: Engine) -> list[str]:
    """What starts an engine, up to the name of the file.

    Raises:
        MissingError: it is not here.
    """
    node, script = shutil.which("node"), folder / engine / "load.mjs"
    if node is None:
        raise MissingError("there is no Node.js: put node on PATH")
    if not script.is_file():
        raise MissingError(f"{folder} has no {engine}/load.mjs")
    return [node, str(script)]


class Engines(NamedTuple):
    """Where the engines are.

    Attributes:
        folder: has their commands.
        answers: keeps what they said, so that nobody waits for the same answer twice; None for
            nowhere.
    """

    folder: FilePath
    answers: FilePath | None = None


def run(
    engines: Engines, engine: Engine, file: FilePath, seconds: float, rate: int
) -> dict[str, Path]:
    """Have an engine simulate a file; the paths of its bodies by the name of their node.

    Args:
        rate: its steps per second.

    Raises:
        MissingError: the engine is not here, or not set up.
        RefusalError: it cannot simulate the file.
    """
    options = {"seconds": seconds, "hz": rate, "samples": round(seconds * PER_SECOND)}
    words = [word for name, value in options.items() for word in (f"--{name}", f"{value:g}")]
    kept = None
    if engines.answers is not None:
        asked = " ".join([engine, *words, engine_files.digest(file)])
        kept = engines.answers / f"{hashlib.sha256(asked.encode()).hexdigest()}.json"
    text = None
    with contextlib.suppress(FileNotFoundError):
        text = kept.read_text(encoding="utf-8") if kept else None
    if text is None:
        text = _ask(engines.folder, engine, [str(file), *words])
        if kept:
            kept.write_text(text, encoding="utf-8")
    said: dict[str, Any] = json.loads(text)
    if not said["ok"]:
        raise RefusalError(str(said["error"]))
    return dict(_babylon(said) if engine == "babylon" else _godot(said))


def _ask(folder: FilePath, engine: Engine, words: list[str]) -> str:
    # Not a pipe: the engines may end before all of a long answer has gone through one.
    with tempfile.TemporaryFile() as answer:
        done = subprocess.run(
            [*command(folder, engine), *words, "--compact"],
            stdin=subprocess.DEVNULL,
            stdout=answer,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
        )
        answer.seek(0)
        text = answer.read().decode("utf-8")
    if done.returncode == NOT_SET_UP:
        raise MissingError(done.stderr.decode("utf-8", "replace").strip())
    return text


def _babylon(said: dict[str, Any]) -> Iterator[tuple[str, Path]]:
    for body in said["bodies"]:
        start, end = body["t0"], body["tT"]
        yield (
            body["node"],
            _path(_MOTIONS[body["motionType"]], body, start, end, end["angularVelocity"]),
        )


def _godot(said: dict[str, Any]) -> Iterator[tuple[str, Path]]:
    for node in said["nodes"]:
        kind = _CLASSES.get(node["class"])
        if kind is not None:
            end = node["tT"]
            spin = end.get("angular_velocity", (0.0, 0.0, 0.0))
            yield node["name"], _path(kind, node, node["t0"], end, spin)


def _path(kind: str, body: Any, start: Any, end: Any, spin: Any) -> Path:
    rows: list[list[float]] = [[0.0, *start["position"]]]
    rows += [row for row in body["track"] if row[0] > 0.0]
    return Path(
        kind,
        times=[row[0] for row in rows],
        places=[tuple(row[1:]) for row in rows],
        turn=tuple(end["rotation"]),
        spin=tuple(spin),
    )
