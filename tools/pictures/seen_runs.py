"""Has Blender and Godot make and show many scenes in one go; Babylon.js is in seen_babylon.py.

The folder that all are given is one that programs in another system can see: what they write and
read lies below it.
"""

from __future__ import annotations

import functools
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools import environment, programs
from tools.engines import godot_projects
from tools.engines.engine_clients import MissingError
from tools.pictures import seen_files
from tools.pictures.seen_files import Box, Made
from tools.pictures.silhouettes import SIZE

TARGETS: Final = ("GODOT_4", "SPECIFICATION")  # What Godot is given.
# What programs write says how it went.
_run = functools.partial(programs.run, seconds=1200.0, may_fail=True)
_WORKER: Final = "tools/pictures/seen_worker.py"


def blender(scenes: Sequence[str], folder: Path, *, pictures: bool) -> list[Made]:
    """Build and export scenes; with pictures, in a Blender with a window.

    Raises:
        MissingError: there is no Blender, or no screen.
        RuntimeError: something failed in there.
    """
    job = folder / "job.json"
    said = {"scenes": scenes, "folder": str(folder), "pictures": pictures}
    job.write_text(json.dumps({**said, "seconds": seen_files.SECONDS}), encoding="utf-8")
    if pictures:
        words = _in_window(folder, job)
    else:
        worker = [sys.executable, str(environment.ROOT / _WORKER), "--", str(job)]
        words = _run(worker, folder)
    failed = job.with_suffix(".failed")
    if failed.exists():
        raise RuntimeError(failed.read_text(encoding="utf-8"))
    if not (folder / f"{scenes[-1]}.json").exists():
        raise RuntimeError(f"Blender did not answer: {words[-2000:]}")
    return [seen_files.read(folder, name) for name in scenes]


def _in_window(folder: Path, job: Path) -> str:
    command = programs.find_blender()
    if command is None:
        raise MissingError("no Blender here: set BLENDER to its command, or put blender on PATH")
    project = folder / "project"
    programs.copy_project(project, "examples")
    size = ["--factory-startup", "--window-geometry", "0", "0", "1200", "800"]
    with programs.screen(folder) as around:
        script = ["--python", str(project / _WORKER), "--", str(job)]
        return _run([*command, *size, *script], folder, around)


def needed(*, pictures: bool) -> tuple[list[str], Path | None]:
    """The command of Godot and the folder of its OMI add-on; Blender need not draw without them.

    Raises:
        MissingError: there is no Godot, or, for pictures, no OMI add-on.
    """
    command = programs.find_godot_with_window() if pictures else programs.find_godot()
    if command is None:
        raise MissingError("no Godot here: set GODOT to its command, or put godot on PATH")
    add_on = godot_projects.find_add_on()
    if pictures and add_on is None:
        raise MissingError(
            "no OMI add-on for Godot here, without which it reads neither joints nor vehicles: set"
            " OMI_PHYSICS_CLIENTS to a folder that has it"
        )
    return command, add_on


def godot(
    made: Sequence[Made], folder: Path, *, pictures: bool
) -> dict[tuple[str, str], list[Box] | None]:
    """What is seen of scenes, by name and target, once Godot's editor has imported them.

    None is for a file that the editor did not import. Pictures are taken of what is written for
    Godot.

    Raises:
        MissingError: as `needed`, or there is no screen for pictures.
        RuntimeError: it did not answer.
    """
    command, add_on = needed(pictures=pictures)
    place, keys = folder / "godot", [(each, target) for each in made for target in TARGETS]
    project = place / "project"
    scenes = godot_projects.make(
        place, command, [each.file(target) for each, target in keys], add_on=add_on
    )
    files = [
        {
            **each.asked(),
            "target": target,
            "scene": scene,
            "pictures": pictures and target == TARGETS[0],
        }
        for (each, target), scene in zip(keys, scenes, strict=True)
    ]
    job = {"files": files, "steps": seen_files.STEPS}
    (project / "job.json").write_text(json.dumps(job), encoding="utf-8")
    _play(place, command, pictures=pictures)
    for picture in project.glob("*.rgb"):
        picture.replace(made[0].folder / picture.name)
    said = json.loads((project / "answer.json").read_text(encoding="utf-8"))
    answers = {(each.name, target): said[f"{each.name}.{target}"] for each, target in keys}
    return {
        key: None if boxes is None else list(map(Box.of, boxes)) for key, boxes in answers.items()
    }


def _play(place: Path, command: Sequence[str], *, pictures: bool) -> None:
    """Have the script beside this one look at what a project has."""
    project = place / "project"
    shutil.copy(Path(__file__).with_name("seen_godot.gd"), project)
    basic = [*command, "--audio-driver", "Dummy", "--path", str(project)]
    script = ["--fixed-fps", str(seen_files.RATE), "--script", "seen_godot.gd"]
    around = godot_projects.homes(place)
    if pictures:
        shape = ["--rendering-driver", "opengl3", "--resolution", "{}x{}".format(*SIZE)]
        with programs.screen(place) as shown:
            words = _run([*basic, *shape, *script], place, {**around, **shown})
    else:
        words = _run([*basic, "--headless", *script], place, around)
    if not (project / "answer.json").exists():
        raise RuntimeError(f"Godot did not answer: {words[-2000:]}")
