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
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools import programs
from tools.engines import godot_projects
from tools.engines.engine_clients import MissingError

HERE = Path(__file__).resolve().parent
PER_SECOND = 20  # Poses that are recorded.

Pose = tuple[float, ...]  # Place, m, and rotation x, y, z, w.


class Body(NamedTuple):
    """A body that an engine made of a node.

    Attributes:
        name: that of the node.
        moves: whether forces move it.
        poses: of its node, from the start on; not finite where the engine lost it.
    """

    name: str
    moves: bool
    poses: list[Pose]


class Played(NamedTuple):
    """What an engine made of a file.

    Attributes:
        error: why it refused it; else empty.
    """

    error: str
    bodies: dict[str, Body]


class Godot(NamedTuple):
    """How Godot plays.

    Attributes:
        add_on: whether it has its OMI add-on.
        reader: whether it has our reader instead.
        physics: which of its physics engines plays: "jolt", or "godot" for GodotPhysics3D.
        is_imported: its editor imports the files first; else it loads them at run time.
        blender: what it calls for .blend files.
    """

    add_on: bool = True
    physics: str = "jolt"
    is_imported: bool = True
    blender: Path | None = None
    reader: bool = False


AS_USERS = Godot()


def play(
    folder: Path,
    target: str,
    files: Sequence[Path],
    *,
    seconds: float,
    rate: int,
    godot: Godot = AS_USERS,
) -> list[Played]:
    """Have an engine play files.

    Args:
        folder: has the engines.
        target: what the files are written for; "RAPIER" for three.js with Rapier.
        rate: its steps per second.
        godot: how it plays them, if it is that one.

    Raises:
        MissingError: the engine is not here, or not set up.
        RuntimeError: it did not answer.
    """
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        job, out = place / "job.json", place / "out.json"
        said: dict[str, Any] = {
            "files": [str(file) for file in files],
            "seconds": seconds,
            "hz": rate,
            "every": rate // PER_SECOND,
            "out": str(out),
        }
        if target in ("GODOT_4", "GODOT_READER"):
            command, environment = _godot(folder, place, said, files, godot)
        else:
            command, environment = _NODE[target](folder, job)
        job.write_text(json.dumps(said), encoding="utf-8")
        words = programs.run(command, place, environment, may_fail=True)
        if not out.is_file():
            raise RuntimeError(f"the engine did not answer: {words.strip()[-500:]}")
        answers = json.loads(out.read_text(encoding="utf-8"))
    return [
        Played(each["error"], {b["name"]: _body(b) for b in each["bodies"]}) for each in answers
    ]


def _body(said: dict[str, Any]) -> Body:
    poses = [tuple(math.nan if x == "nan" else float(x) for x in row) for row in said["track"]]
    return Body(said["name"], said["class"] in ("RigidBody3D", "VehicleBody3D"), poses)


def _babylon(folder: Path, job: Path) -> tuple[list[str], dict[str, str]]:
    return _node("batch_babylon.mjs", folder / "babylon", "client-mesh.mjs", job)


def _rapier(folder: Path, job: Path) -> tuple[list[str], dict[str, str]]:
    return _node("batch_rapier.mjs", folder / "rapier", "client.mjs", job)


_NODE: Final = {"BABYLON": _babylon, "RAPIER": _rapier}


def _node(script: str, home: Path, client: str, job: Path) -> tuple[list[str], dict[str, str]]:
    node = shutil.which("node")
    if node is None:
        raise MissingError("there is no Node.js: put node on PATH")
    if not (home / "build" / client).is_file():
        raise MissingError(f"{home} is not set up")
    return [node, str(HERE / script), str(home), str(job)], dict(os.environ)


def _godot(
    folder: Path, place: Path, said: dict[str, Any], files: Sequence[Path], how: Godot
) -> tuple[list[str], dict[str, str]]:
    """What starts Godot; the job gets the places of files that its editor has imported."""
    project, command = folder / "godot" / "run" / how.physics, programs.find_godot()
    if command is None:
        raise MissingError("there is no Godot: set GODOT to its command")
    needs_project = not how.reader and (how.add_on or not how.is_imported)
    if needs_project and not (project / ".godot").is_dir():
        raise MissingError(f"{project} is not set up")
    said["omi"] = how.add_on and not how.reader and not how.is_imported  # Else the project has it.
    said["reader"] = how.reader and not how.is_imported
    if how.is_imported or how.reader:
        add_on = project / godot_projects.ADD_ON if how.add_on else None
        add_on = godot_projects.READER if how.reader else add_on
        found = godot_projects.make(
            place,
            command,
            files if how.is_imported else [],
            add_on=add_on,
            physics=how.physics,
            blender=how.blender,
        )
        said["files"] = found if how.is_imported else said["files"]
        project = place / "project"
    options = ["--headless", "--audio-driver", "Dummy", "--fixed-fps", str(said["hz"])]
    script = ["-s", str(HERE / "batch_godot.gd"), "--", str(place / "job.json")]
    return [*command, *options, "--path", str(project), *script], godot_projects.homes(place)
