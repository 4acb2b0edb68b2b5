"""A .blend file in a Godot project, which its editor imports by calling Blender; see programs.py.

The three settings are those of docs/engines.md: the extension in the Blender that Godot calls, the
path of that Blender in Godot, and for joints the OMI add-on, which is taken from the folder with
the engines of others, see clients.py.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import pytest

from omi_physics_addon.model.joint_kinds import JointKind
from tests.blender.engines.test_godot import load
from tests.blender.support import screens
from tools import build_extension, programs
from tools.engines import acceptance, godot_projects
from tools.engines.scenes.building import body, floor, joint, wall
from tools.programs import find_godot

SECONDS = 480
STEPS = 180  # Three seconds, of which the preview plays as many.
NEAR = 0.1  # m.


class Played(NamedTuple):
    """What Godot made of the file, and what the preview does.

    Attributes:
        bodies: Godot's objects by name.
        ends: where moving bodies are at last in the preview, in glTF's axes.
    """

    bodies: dict[str, dict[str, Any]]
    ends: dict[str, tuple[float, ...]]
    has_add_on: bool


def fill() -> None:
    """Bodies that Godot takes otherwise unless the file is written for it."""
    floor()
    body("Crate", (0.0, 4.0, 1.3), scale=2.0)
    body("Barrel", (4.0, 0.0, 0.9), "CAPSULE", size={"height": 0.8})
    fast = {"linear_velocity": (1.0, 0.0, 0.0)}
    body("Ball", (-4.0, 0.0, 30.0), "SPHERE", turn=(0.0, 0.0, 1.5), **fast)
    body("Steering_Wheel", (4.0, 4.0, 1.3))
    stand = wall((0.0, 0.0, 2.0))
    door = body("Door", (0.8, 0.0, 2.0), size={"size": (0.4, 0.3, 0.2)})
    hinge = JointKind(kind="hinge", axis=1, turn_min=-0.3, turn_max=1.0)
    joint(hinge, door, stand, (0.0, 0.0, 2.0))


def install(blender: list[str], folder: Path) -> Path:
    """A Blender with the extension, as one file that Godot can call."""
    build_extension.build(folder)
    settings = folder / "settings"
    settings.mkdir()
    around = {**os.environ, "BLENDER_USER_RESOURCES": str(settings)}
    zipped = str(folder / build_extension.zip_name())
    options = ["--command", "extension", "install-file", "--repo", "user_default", "--enable"]
    command = [*blender, *options, zipped]
    programs.run(command, folder, around, seconds=SECONDS)
    script = folder / "blender"
    inside = f"export BLENDER_USER_RESOURCES={shlex.quote(str(settings))}"
    # Seen from here, as it may run in another system that sees this folder alone.
    called = f'cd {shlex.quote(str(folder))} && {inside} && exec {shlex.join(blender)} "$@"'
    script.write_text(f"#!/bin/sh\n{called}\n", encoding="utf-8")
    script.chmod(0o755)
    return script


@pytest.fixture(scope="module")
def played(_addon: None, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Save a scene into a project, have the editor import it, and play what came of it."""
    blender, godot = screens.blender(), find_godot()
    if godot is None:
        pytest.skip("no Godot here: set GODOT to its command, or put godot on PATH")
    folder = tmp_path_factory.mktemp("blend")
    acceptance.empty()
    fill()
    bpy.context.view_layer.update()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"))
    paths = acceptance.played(bpy.context.scene, "OMI", STEPS / 60.0)
    (scene,) = godot_projects.make(
        folder / "godot",
        godot,
        [folder / "scene.blend"],
        add_on=godot_projects.find_add_on(),
        blender=install(blender, folder),
    )
    answer = load(godot, scene, folder, folder / "godot" / "project", steps=STEPS)
    bodies = {each["name"]: each for each in answer["bodies"]}
    return Played(
        bodies,
        {name: path[-1][:3] for name, path in paths.items()},
        godot_projects.find_add_on() is not None,
    )


def test_bodies_have_their_shapes(played: Played) -> None:
    shapes = {n: [s["class"] for s in b["shapes"]] for n, b in played.bodies.items()}
    assert shapes["Floor"] == shapes["Crate"] == shapes["Door"] == ["BoxShape3D"]
    assert (shapes["Barrel"], shapes["Ball"]) == (["CapsuleShape3D"], ["SphereShape3D"])
    (capsule,) = played.bodies["Barrel"]["shapes"]
    assert (capsule["height"], capsule["radius"]) == pytest.approx((1.8, 0.5))
    classes = {name: each["class"] for name, each in played.bodies.items()}
    assert classes["Crate"] == classes["Ball"] == "RigidBody3D"
    assert classes["Floor"] == classes["Wall"] == "StaticBody3D"


def test_names_are_no_commands(played: Played) -> None:
    wheel = played.bodies["Steering Wheel"]
    assert (wheel["class"], len(wheel["shapes"])) == ("RigidBody3D", 1)
    assert wheel["end"] == pytest.approx(played.ends["Steering_Wheel"], abs=NEAR)


def test_they_move_as_in_the_preview(played: Played) -> None:
    for name in ("Crate", "Barrel", "Ball"):
        assert played.bodies[name]["end"] == pytest.approx(played.ends[name], abs=NEAR)


def test_a_joint_holds_with_the_add_on(played: Played) -> None:
    if not played.has_add_on:
        pytest.skip("no OMI add-on for Godot: set OMI_PHYSICS_CLIENTS to a folder that has it")
    assert played.bodies["Door"]["end"] == pytest.approx(played.ends["Door"], abs=NEAR)
