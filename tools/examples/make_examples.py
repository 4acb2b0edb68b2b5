"""Makes the examples in `examples`: .blend files, and the .glb files that they export to.

From the command line:

    python3 tools/examples/make_examples.py
    python3 tools/examples/make_examples.py joints gravity --output FOLDER

The scenes are saved by the oldest Blender we support, so that all others can open them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools import environment, omi_physics
from tools.examples import (
    example_car,
    example_everything,
    example_gravity,
    example_joints,
    example_khr,
    example_planet,
    example_robot,
    example_rope_bridge,
    example_shapes,
    example_vehicles,
)
from tools.examples.example_stage import Stage, set_up_screens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EXAMPLES = environment.ROOT / "examples"
OLDEST = environment.RELEASES[0].bpy


class Example(NamedTuple):
    """One scene.

    Attributes:
        exhibits: what adds its parts, in this order.
        frames: of its animation.
    """

    title: str
    exhibits: tuple[Callable[[Stage], None], ...]
    frames: int = 1


# By the names of their files.
ALL: dict[str, Example] = {
    "shapes_and_bodies": Example(
        "Shapes and Bodies", example_shapes.EXHIBITS, example_shapes.FRAMES
    ),
    "joints": Example("Joints", example_joints.EXHIBITS),
    "gravity": Example("Gravity", example_gravity.EXHIBITS),
    "vehicles": Example("Vehicles", example_vehicles.EXHIBITS),
    "khr": Example("KHR", example_khr.EXHIBITS),
    "everything": Example("Everything", example_everything.EXHIBITS),
    "car": Example("Car", example_car.EXHIBITS),
    "planet": Example("Planet", example_planet.EXHIBITS),
    "robot": Example("Robot", example_robot.EXHIBITS),
    "rope_bridge": Example("Rope Bridge", example_rope_bridge.EXHIBITS),
}


def build(bpy: Any, name: str) -> None:
    """Fill Blender's empty scene with an example; our add-on must be enabled."""
    example = ALL[name]
    stage = Stage(bpy)
    stage.scene.name = example.title
    stage.scene.frame_start, stage.scene.frame_end = 1, example.frames
    for add in example.exhibits:
        add(stage)
    set_up_screens(stage)
    stage.scene.frame_set(1)


def save(name: str, blend: Path) -> None:
    """Build an example in this Python's `bpy` and save it."""
    from omi_physics_addon.cli.inside import addons

    bpy: Any = addons.bpy
    addons.start_addons()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    build(bpy, name)
    # A copy, because the file would otherwise name the folder it was saved in.
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), compress=True, copy=True)
    # The bpy module may crash (4.2) or hang (4.5) while it tidies up behind itself.
    os._exit(0)


def make(name: str, folder: Path) -> int:
    """Make both files of an example; returns the exit code."""
    python = environment.ensure(environment.choose(OLDEST))
    blend = folder / f"{name}.blend"
    blend.unlink(missing_ok=True)  # Or Blender would keep it as a backup.
    command = [python, __file__, name, "--save", blend]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    glb = str(blend.with_suffix(".glb"))
    return omi_physics.main(["export", str(blend), glb, "--bpy", OLDEST])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Make the example scenes and their exports.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"all when left out: {', '.join(ALL)}"
    )
    parser.add_argument(
        "--output", type=Path, default=EXAMPLES, metavar="FOLDER", help="examples when left out"
    )
    parser.add_argument("--save", type=Path, help=argparse.SUPPRESS)
    parsed = parser.parse_args(arguments)
    unknown = [name for name in parsed.names if name not in ALL]
    if unknown:
        parser.error(f"there is no example {', '.join(unknown)}")
    if parsed.save:
        save(parsed.names[0], parsed.save)
        return 0
    try:
        folder = parsed.output.absolute()
        folder.mkdir(parents=True, exist_ok=True)  # Blender 4.2 crashes where it is missing.
        return max(make(name, folder) for name in parsed.names or ALL)
    except environment.SetupError as problem:
        environment.say(f"error: {problem}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
