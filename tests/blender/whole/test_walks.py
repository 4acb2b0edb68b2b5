"""The walks of walk_scenes.py: by operators here, by clicks in a Blender with a window.

What they make is loaded by the engines of others, see clients.py.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.blender.support.clients import runner
from tests.blender.support.gltf_files import read_glb, resolved
from tests.blender.support.screens import copy_project, run_in_window
from tools.examples import walk_scenes

NAMES = tuple(walk_scenes.WALKS)
CLIENTS = tuple(walk_scenes.TARGETS)
SECONDS = 400

Files = dict[tuple[str, str], Path]


@pytest.fixture(scope="module")
def files(tmp_path_factory, _addon) -> Files:
    """What each walk writes for each engine, by operators."""
    folder = tmp_path_factory.mktemp("walks")
    found: Files = {}
    for name, walk in walk_scenes.WALKS.items():
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
        walk_scenes.clear()
        walk.model()
        walk.act()
        walk.check()
        for client in CLIENTS:
            found[name, client] = folder / f"{name}.{client}.glb"
            walk_scenes.export(found[name, client], client)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_walk_is_checked(name):
    """Without what is done to it, no scene passes."""
    walk = walk_scenes.WALKS[name]
    walk_scenes.clear()
    walk.model()
    with pytest.raises(AssertionError):
        walk.check()


# In the engines


@pytest.fixture(scope="module")
def loaded(files) -> dict[tuple[str, str], dict[str, Any]]:
    """What the engines say of the files."""
    run = runner()
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for (name, client), path in files.items():
        answer = run(f"{client}/load.mjs", path)
        assert answer["ok"], answer["error"]
        assert [m for m in answer["messages"] if m["level"] in ("error", "printed")] == []
        found[name, client] = answer
    return found


def nodes(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {node["name"]: node for node in answer["nodes"]}


def bodies(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {body["node"]: body for body in answer["bodies"]}


def test_door_in_godot(loaded):
    """Godot takes the soft ends for hard ones, and says so in the report of the export."""
    found = nodes(loaded["door", "godot"])
    (joint,) = [node for node in found.values() if "node_a" in node]
    assert (joint["node_a"], joint["node_b"]) == ("Door", "Post")
    assert joint["t0"]["position"] == pytest.approx([0.1, 1.1, 0.0], abs=1e-5)
    props = joint["props"]
    assert props["angular_limit_y/upper_angle"] == pytest.approx(math.radians(110.0), abs=1e-5)
    assert props["angular_limit_y/lower_angle"] == pytest.approx(0.0, abs=1e-5)
    for axis in ("angular_limit_x", "angular_limit_z", "linear_limit_x", "linear_limit_y"):
        unit = "angle" if "angular" in axis else "distance"
        assert props[f"{axis}/lower_{unit}"] == props[f"{axis}/upper_{unit}"] == 0.0
    assert (found["Door"]["class"], found["Post"]["class"]) == ("RigidBody3D", "StaticBody3D")


def test_door_in_babylon(loaded):
    answer = loaded["door", "babylon"]
    (joint,) = answer["joints"]
    assert (joint["a"], joint["b"]) == ("Door", "Post")
    assert joint["pivotA"] == pytest.approx([-0.5, 0.0, 0.0], abs=1e-5)
    assert joint["pivotB"] == pytest.approx([0.1, 0.0, 0.0], abs=1e-5)
    turn = joint["axes"].pop("ANGULAR_Y")
    assert (turn["min"], turn["max"]) == pytest.approx((0.0, math.radians(110.0)), abs=1e-5)
    assert turn["limitStiffness"] == 100.0
    assert {axis["mode"] for axis in joint["axes"].values()} == {"LOCKED"}
    assert len(joint["axes"]) == 3
    found = bodies(answer)
    assert (found["Door"]["motionType"], found["Post"]["motionType"]) == ("DYNAMIC", "STATIC")
    # It hangs where it is.
    places = [found["Door"][time]["position"] for time in ("t0", "tT")]
    assert places[0] == pytest.approx(places[1], abs=0.01)


def test_car_in_godot(loaded):
    found = nodes(loaded["car", "godot"])
    chassis = found["Chassis"]
    assert chassis["class"] == "VehicleBody3D"
    wheels = {name: n for name, n in found.items() if n["class"] == "VehicleWheel3D"}
    assert wheels.keys() == {f"{name} Wheel" for name in walk_scenes.WHEELS}
    for name, wheel in wheels.items():
        front = "Front" in name
        assert wheel["props"]["wheel_radius"] == pytest.approx(walk_scenes.WHEEL_RADIUS)
        steering, force = (wheel["props"][key] for key in ("max_steering_angle", "max_force"))
        assert steering == pytest.approx(math.radians(35.0) if front else 0.0, abs=1e-5)
        assert (force == 0.0) is front
        assert (wheel["position"][2] > 0.0) is front  # The front of a vehicle is +Z in glTF.
    # It sinks into its springs, and its hull stays above the ground.
    last = chassis["tT"]
    assert 0.25 < last["position"][1] < chassis["t0"]["position"][1]
    assert last["linear_velocity"] == pytest.approx([0.0, 0.0, 0.0], abs=0.05)
    assert last["rotation"] == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=0.01)


def test_room_in_godot(loaded, files):
    """Godot has the volumes as areas, and leaves their gravity to scripts."""
    found = nodes(loaded["room", "godot"])
    assert {name for name, node in found.items() if node["class"] == "Area3D"} == {
        "Planet Gravity",
        "Point Gravity",
        "Trigger",
    }
    for name in (*walk_scenes.WALLS, "Planet"):
        assert found[name]["class"] == "StaticBody3D"
    for name in ("Ball", "Moon"):
        assert found[name]["class"] == "RigidBody3D"
        assert found[name]["tT"]["position"][1] < found[name]["t0"]["position"][1]
    # The moon lies on the ring, and the ball on the floor.
    assert found["Moon"]["tT"]["position"][1] == pytest.approx(7.6, abs=0.05)
    assert found["Ball"]["tT"]["position"][1] == pytest.approx(0.3, abs=0.02)
    physics = resolved(read_glb(files["room", "godot"])[0])["physics"]["OMI"]["nodes"]
    kinds = {
        name: node["gravity"]["field"]["record"]
        for name, node in physics.items()
        if node["gravity"]
    }
    assert kinds == {"Planet Gravity": "TorusGravity", "Point Gravity": "PointGravity"}


def test_room_in_babylon(loaded):
    found = bodies(loaded["room", "babylon"])
    moving = {name for name, body in found.items() if body["motionType"] == "DYNAMIC"}
    assert moving == {"Ball", "Moon"}
    assert found.keys() >= {*walk_scenes.WALLS, "Planet"}


# By clicks


@pytest.fixture(scope="module")
def clicked(tmp_path_factory) -> tuple[Path, str]:
    """The folder of what the walks wrote by clicks, and what Blender said."""
    folder = tmp_path_factory.mktemp("clicks")
    copy_project(folder)
    return folder, run_in_window(folder, "tools/examples/walks.py", ".", seconds=SECONDS)


def test_every_walk_can_be_clicked(clicked):
    folder, said = clicked
    assert (folder / "walks.json").is_file(), said
    assert json.loads((folder / "walks.json").read_text(encoding="utf-8")) == list(NAMES), said
    for name in NAMES:
        assert (folder / "docs" / "images" / f"walk_{name}.png").stat().st_size > 10_000


@pytest.mark.parametrize("name", NAMES)
def test_clicks_make_what_operators_make(name, clicked, files):
    """The same file for each engine, in what it says of physics."""
    folder, said = clicked
    for client in CLIENTS:
        path = folder / f"{name}.{client}.glb"
        assert path.is_file(), said
        found, wanted = (resolved(read_glb(each)[0]) for each in (path, files[name, client]))
        assert found["physics"] == wanted["physics"]
