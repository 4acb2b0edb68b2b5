"""Has an engine of others play many glTF files in one go, and says where it takes their bodies.

Starting an engine takes longer than playing a small scene, so that `engine_clients`, which starts
one for each file, would take minutes for what this does in seconds. The folder with the engines is
the same.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.engines.engine_clients import MissingError

HERE = Path(__file__).resolve().parent
PER_SECOND = 20  # Places that are recorded.
PATIENCE = 300.0  # s.

Place = tuple[float, ...]
_GODOT_HOME = ("data", "config", "cache")
_LIBRARIES = "usr/lib/x86_64-linux-gnu"


class Body(NamedTuple):
    """A body that an engine made of a node.

    Attributes:
        name: that of the node.
        moves: whether forces move it.
        places: of its origin, from the start on; not finite where the engine lost it.
    """

    name: str
    moves: bool
    places: list[Place]


class Played(NamedTuple):
    """What an engine made of a file.

    Attributes:
        error: why it refused it; else empty.
    """

    error: str
    bodies: dict[str, Body]


def play(
    folder: Path,
    target: str,
    files: Sequence[Path],
    *,
    seconds: float,
    rate: int,
    add_on: bool = True,
    physics: str = "jolt",
) -> list[Played]:
    """Have an engine play files.

    Args:
        target: what the files are written for; "RAPIER" for three.js with Rapier.
        folder: has the engines.
        rate: its steps per second.
        add_on: whether Godot has its OMI add-on.
        physics: which of Godot's physics engines plays: "jolt", or "godot" for GodotPhysics3D.

    Raises:
        MissingError: the engine is not here, or not set up.
        RuntimeError: it did not answer.
    """
    with tempfile.TemporaryDirectory() as place:
        job, out = Path(place) / "job.json", Path(place) / "out.json"
        said: dict[str, Any] = {
            "files": [str(file) for file in files],
            "seconds": seconds,
            "hz": rate,
            "every": rate // PER_SECOND,
            "omi": add_on,
            "physics": physics,
            "out": str(out),
        }
        job.write_text(json.dumps(said), encoding="utf-8")
        starts = {"BABYLON": _babylon, "RAPIER": _rapier, "GODOT_4": _godot}
        command, environment = starts[target](folder, job)
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
        )
        if not out.is_file():
            words = done.stderr.decode("utf-8", "replace").strip()[-500:]
            raise RuntimeError(f"the engine ended with {done.returncode}: {words}")
        answers = json.loads(out.read_text(encoding="utf-8"))
    return [
        Played(each["error"], {b["name"]: _body(b) for b in each["bodies"]}) for each in answers
    ]


def _body(said: dict[str, Any]) -> Body:
    places = [tuple(math.nan if x == "nan" else float(x) for x in row) for row in said["track"]]
    return Body(said["name"], said["class"] in ("RigidBody3D", "VehicleBody3D"), places)


def _babylon(folder: Path, job: Path) -> tuple[list[str], dict[str, str]]:
    return _node("batch_babylon.mjs", folder / "babylon", "client-mesh.mjs", job)


def _rapier(folder: Path, job: Path) -> tuple[list[str], dict[str, str]]:
    return _node("batch_rapier.mjs", folder / "rapier", "client.mjs", job)


def _node(script: str, home: Path, client: str, job: Path) -> tuple[list[str], dict[str, str]]:
    node = shutil.which("node")
    if node is None:
        raise MissingError("there is no Node.js: put node on PATH")
    if not (home / "build" / client).is_file():
        raise MissingError(f"{home} is not set up")
    return [node, str(HERE / script), str(home), str(job)], dict(os.environ)


def _godot(folder: Path, job: Path) -> tuple[list[str], dict[str, str]]:
    said = json.loads(job.read_text(encoding="utf-8"))
    project, hz = folder / "godot" / "run" / said["physics"], said["hz"]
    if not (project / ".godot").is_dir():
        raise MissingError(f"{project} is not set up")
    options = ["--headless", "--audio-driver", "Dummy", "--fixed-fps", str(hz)]
    script = ["--path", str(project), "-s", str(HERE / "batch_godot.gd"), "--", str(job)]
    home = folder / "godot" / "run" / "home"
    places = {f"XDG_{name.upper()}_HOME": str(home / name) for name in _GODOT_HOME}
    return [*_godot_command(), *options, *script], {**os.environ, **places}


def _godot_command() -> list[str]:
    if "GODOT" in os.environ:
        return os.environ["GODOT"].split()
    found = shutil.which("godot")
    if found:
        return [found]
    cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    root = Path(os.environ.get("DESKTOP_ROOT", f"{cache}/desktop-root"))
    if not (root / "usr/bin/godot").is_file():
        raise MissingError("there is no Godot: set GODOT to its command")
    libraries = root / _LIBRARIES
    loader = [str(libraries / "ld-linux-x86-64.so.2"), "--library-path"]
    return [*loader, f"{libraries}:{libraries}/pulseaudio", str(root / "usr/bin/godot")]
