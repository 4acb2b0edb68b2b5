"""Bodies whose names Godot's editor reads as commands fall as all others; see programs.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import bpy
import pytest

from omi_physics_addon.engines.godot import names as godot_names
from tests.blender.engines.test_godot import load
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support.godot_names import LOOPS, WORDS
from tools.engines import godot_projects
from tools.programs import find_godot

NAMES = [f"X-{word}" for word in (*WORDS, "loop", "loop_mode", "cycle")]
TARGETS = ("GODOT_4", "SPECIFICATION")
STEPS, FALLS = 60, -4.0  # One second; m.


class Played(NamedTuple):
    """What Godot made of an export: its bodies by name, and what is told of animations."""

    bodies: dict[str, dict[str, Any]]
    loops: dict[str, bool]


def fill() -> None:
    """A body for each name, whose mesh has it too, and one that carries meshes with each."""
    for i, name in enumerate(NAMES):
        obj = add(name, cube_mesh(name), location=(3.0 * i, 0.0, 0.0))
        add_body(obj)
        add_collider(obj)
    car = add("Car", cube_mesh("Car"), location=(0.0, 9.0, 0.0))
    add_body(car)
    add_collider(car)
    for word in WORDS:
        add(f"Part_{word}", cube_mesh("Part"), parent=car)
    lift = add("Lift", cube_mesh("Lift"), location=(0.0, -9.0, 0.0))
    add_body(lift, "KINEMATIC")
    add_collider(lift)
    for name in LOOPS:
        lift.location.z = 0.0
        lift.keyframe_insert("location", frame=1)
        lift.location.z = 1.0
        lift.keyframe_insert("location", frame=20)
        action = lift.animation_data.action
        action.name = name
        track = lift.animation_data.nla_tracks.new()
        track.name = name
        track.strips.new(name, 1, action)
        lift.animation_data.action = None
    bpy.context.view_layer.update()


def export(target: str, folder: Path) -> Path:
    """The bodies for a target, in a folder of its own."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    fill()
    bpy.context.scene.omi_physics.export.target = target
    # Blender 4.2 has no such option, and merges tracks of one name only.
    has_merge = "export_merge_animation" in bpy.ops.export_scene.gltf.get_rna_type().properties
    apart = {"export_merge_animation": "NONE"} if has_merge else {}
    file = folder / target / "names.glb"
    file.parent.mkdir()
    bpy.ops.export_scene.gltf(filepath=str(file), export_animation_mode="NLA_TRACKS", **apart)
    return file


@pytest.fixture(scope="module")
def imported(_addon, tmp_path_factory) -> tuple[list[str], Path, dict[str, str]]:
    """Godot, a folder with a project in it, and the scene of each target there.

    Godot's editor imports both at once, as its start takes most of the time.
    """
    godot = find_godot()
    if godot is None:
        pytest.skip("no Godot here: set GODOT to its command, or put godot on PATH")
    folder: Path = tmp_path_factory.mktemp("names")
    files = [export(target, folder) for target in TARGETS]
    scenes = godot_projects.make(folder / "godot", godot, files)
    return godot, folder, dict(zip(TARGETS, scenes, strict=True))


@pytest.fixture(scope="module", params=TARGETS)
def played(request, imported) -> tuple[str, Played]:
    target: str = request.param
    godot, folder, scenes = imported
    project = folder / "godot" / "project"
    answer = load(godot, scenes[target], folder / target, project, steps=STEPS)
    bodies = {each["name"]: each for each in answer["bodies"]}
    return target, Played(bodies, answer["animations"])


def is_whole(played: Played, name: str) -> bool:
    """Whether a body is there with its shape alone, and falls."""
    words = {name, godot_names.safe(name, {})}
    found = [body for each, body in played.bodies.items() if each in words]
    return (
        len(found) == 1
        and found[0]["class"] == "RigidBody3D"
        and [shape["class"] for shape in found[0]["shapes"]] == ["BoxShape3D"]
        and found[0]["end"][1] < FALLS
    )


def test_bodies_have_their_shapes_and_fall(played):
    target, found = played
    broken = [name for name in (*NAMES, "Car") if not is_whole(found, name)]
    lost = {"X-noimp", "X-vehicle", "X-wheel"}
    assert set(broken) == (set() if target == "GODOT_4" else lost)


def test_no_name_makes_another_body(played):
    target, found = played
    count = len(NAMES) + len({"Car", "Lift"})
    assert (len(found.bodies) == count) is (target == "GODOT_4")


def test_animations_are_played_once(played):
    target, found = played
    # Where Godot takes words away, some names become equal, and it leaves one of the two out.
    assert len(found.loops) == len(LOOPS) or target != "GODOT_4"
    assert set(found.loops.values()) == {target != "GODOT_4"}
