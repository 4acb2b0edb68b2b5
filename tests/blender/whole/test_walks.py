"""The walks of walk_scenes.py: by operators here, by clicks in a Blender with a window.

What they make is loaded by the engines of others, see clients.py.
"""

from __future__ import annotations

import ast
import json
import math
import re
from pathlib import Path
from typing import Any

import bpy
import pytest

import omi_physics_addon
from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.preview import player
from omi_physics_addon.engines import PLAYERS
from tests.blender.support import preview_scenes
from tests.blender.support.clients import runner
from tests.blender.support.gltf_files import read_glb, resolved
from tests.blender.support.screens import copy_project, run_in_window
from tools.examples import click_counts, walk_scenes

NAMES = tuple(walk_scenes.WALKS)
CLIENTS = tuple(walk_scenes.TARGETS)
SECONDS = 1800

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


def test_the_page_of_clicks_is_up_to_date():
    """A crate takes no more clicks than elsewhere, the rest at most half."""
    path = Path(__file__).resolve().parents[3] / "docs" / "clicks.md"
    assert path.read_text(encoding="utf-8") == click_counts.page()
    for task in click_counts.TASKS:
        ours = click_counts.total(task.ours)
        least = min(click_counts.total(task.blender), click_counts.total(task.godot))
        assert ours <= least if task.walk == "crate" else 2 * ours <= least, task.title


# README and the manual, sentence by sentence


ROOT = Path(__file__).resolve().parents[3]
PAGES = "\n".join(
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/manual.md")
)
# What they emphasise and is not a word of our interface: Blender's own, and titles.
NOT_OURS = {
    *("A car", "A door", "A planet", "Add", "Collection Properties", "Edit", "Exporters"),
    *("Get Extensions", "GPU Instances", "Install from Disk", "New", "Preferences", "Properties"),
    *("Renderable Objects", "Unit Scale", "Visible Objects"),
    *("Add-ons", "Apply", "Asset", "F1", "Instance", "Make Instances Real"),
    *("glTF 2.0", "glTF Separate", "body", "collision filters", "compound trigger"),
    *("Physics materials", "The tab OMI Physics in the sidebar of the 3D Viewport"),
    "Torus Gravity",  # The name of an object, which the walk below makes.
}


def emphasised() -> set[str]:
    """The words that they set in italics or bold."""
    found = re.findall(r"(?<![*\w])(\*{1,2})(?!\*)([^*]+?)\1(?!\*)", PAGES)
    return {" ".join(words.split()) for _, words in found}


def words_of_the_interface() -> set[str]:
    """All texts in the modules that Blender shows, and in those that name engines."""
    package = Path(omi_physics_addon.__file__).parent
    paths = (path for name in ("blender", "engines") for path in (package / name).rglob("*.py"))
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in paths)
    nodes = (
        node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)
    )
    buttons = {f"Play in {player.name}" for player in PLAYERS.values()}
    return buttons | {text.rstrip(".") for text in nodes if isinstance(text, str)}


def test_pages_name_things_as_the_interface_does():
    parts = {part for words in emphasised() for part in re.split(" > |: ", words)}
    assert len(parts) > 60
    assert parts - words_of_the_interface() - NOT_OURS == set()


def holds(sentence: str) -> None:
    """The walk that follows is the one that they tell."""
    assert sentence in " ".join(PAGES.split())


@pytest.mark.usefixtures("stopped_preview")
def test_the_car_of_readme(tmp_path):
    walk_scenes.clear()
    holds(
        "Model a chassis with its front toward -Y, four cylinders beside it as wheels, and a plane"
    )
    walk_scenes.model_car()
    holds("Select the four wheels, Shift-click the chassis, and press **Make Vehicle**")
    walk_scenes.select(*walk_scenes.WHEELS, "Chassis")
    bpy.ops.object.omi_physics_rig_vehicle()
    holds("Press **Make the Rest Solid**: the ground gets a collider.")
    bpy.ops.object.omi_physics_make_rest_solid()
    holds("drive with W, A, S and D. Esc stops, and everything is where it was.")
    places = {obj.name: obj.matrix_world.copy() for obj in bpy.data.objects}
    session = preview_scenes.play()
    preview_scenes.run(session, 0.5)
    start = preview_scenes.place(session, "Chassis")
    for key in "WASD":
        assert session.driver.key(key, is_down=True)
        preview_scenes.run(session, 0.5)
        assert session.driver.key(key, is_down=key in "W")
    assert start[1] - preview_scenes.place(session, "Chassis")[1] > 0.5
    player.stop()
    after = {obj.name: obj.matrix_world for obj in bpy.data.objects}
    assert after == places
    holds("The report tells what was written: 1 vehicle, 4 wheels, 2 colliders.")
    walk_scenes.export(tmp_path / "car.glb", "godot")
    written = reports.latest("EXPORT")
    assert written is not None
    told = written.headline()
    for words in ("1 vehicle", "4 wheels", "2 colliders"):
        assert words in told


@pytest.mark.usefixtures("stopped_preview")
def test_the_door_of_readme():
    turned: list[float] = []
    for spin in (6.0, -6.0):
        walk_scenes.clear()
        holds("Model a post and a door beside it. Two cubes do.")
        walk_scenes.model_door()
        holds("Select the door, Shift-click the post, and press **Connect Selected**")
        holds("Tick *Limit Turn*, set *Min* to 0° and *Max* to 110°, and tick *Soft*")
        walk_scenes.act_door()
        holds("Both become bodies, with a hinge where they meet.")
        walk_scenes.check_door()
        named = walk_scenes.named
        assert all(named(name).omi_physics.use_collider for name in ("Door", "Post"))
        holds("at the ends a spring stops the door.")
        named("Door").omi_physics.motion.angular_velocity = (0.0, 0.0, spin)
        preview_scenes.gravity()
        session = preview_scenes.play()
        for _ in range(20):
            preview_scenes.run(session, 0.1)
            ahead = preview_scenes.axes(session, "Door")[:, 0]
            turned.append(math.degrees(math.atan2(ahead[1], ahead[0])))
        player.stop()
    # It opens one way, and gives a little at both ends.
    assert 100.0 < max(turned) - min(turned) < 130.0
    assert min(abs(max(turned)), abs(min(turned))) < 15.0


@pytest.mark.usefixtures("stopped_preview")
def test_the_planet_of_readme():
    walk_scenes.clear()
    preview_scenes.gravity()
    holds("a ball with a radius of 0.1 m half a metre below its middle, at Z -0.5 m.")
    walk_scenes.model_planet()
    holds("Press **Trimesh** in the section *Shapes*, and choose **Gravity > Torus**")
    holds("A new empty, *Torus Gravity*, pulls to the ring what is inside its dashed cylinder.")
    holds("tick *Ignore Lower Priority*: the gravity of the world ends there.")
    holds("Select the ball and press **Dynamic** in *Physics*. It gets a sphere as collider.")
    walk_scenes.act_planet()
    walk_scenes.check_planet()
    holds("the ball falls up, to the ring.")
    session = preview_scenes.play()
    preview_scenes.run(session, 0.2)
    assert preview_scenes.place(session, "Ball")[2] > -0.5
    preview_scenes.run(session, 1.8)
    place = preview_scenes.place(session, "Ball")
    beside = math.hypot(math.hypot(place[0], place[1]) - 1.0, place[2])
    assert beside < 0.25 + 0.1 + 0.05


@pytest.mark.usefixtures("stopped_preview")
def test_the_cellar_is_at_rest_until_somebody_comes():
    walk_scenes.clear()
    preview_scenes.gravity()
    walk_scenes.model_cellar()
    walk_scenes.act_cellar()
    session = preview_scenes.play()
    preview_scenes.run(session, 2.0)
    for name, where in (("Lid", walk_scenes.LID), ("Lamp", walk_scenes.LAMP)):
        assert preview_scenes.place(session, name) == pytest.approx(where, abs=0.02)
    player.stop()
    named = walk_scenes.named
    motion = named("Lid").omi_physics.motion
    motion.linear_velocity, motion.angular_velocity = (0.0, 0.3, 2.0), (-8.0, 0.0, 0.0)
    session = preview_scenes.play()
    highest = 0.0
    for _ in range(10):
        preview_scenes.run(session, 0.05)
        highest = max(highest, preview_scenes.place(session, "Lid")[2])
    assert highest > walk_scenes.LID[2] + 0.1  # It opens.


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
    # Files say how the post turns against the door.
    assert (turn["min"], turn["max"]) == pytest.approx((-math.radians(110.0), 0.0), abs=1e-5)
    assert turn["limitStiffness"] == 100.0
    assert {axis["mode"] for axis in joint["axes"].values()} == {"LOCKED"}
    assert len(joint["axes"]) == 3
    found = bodies(answer)
    # Its loader joins bodies only, so that the post is written as one that nothing moves.
    assert (found["Door"]["motionType"], found["Post"]["motionType"]) == ("DYNAMIC", "ANIMATED")
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
    # It stands as it was modeled, as in the preview, on a ground 2 cm thick.
    last, height = chassis["tT"], 0.01 + walk_scenes.WHEEL_RADIUS + 0.3
    assert last["position"][1] == pytest.approx(height, abs=0.005)
    assert last["linear_velocity"] == pytest.approx([0.0, 0.0, 0.0], abs=0.05)
    assert last["rotation"] == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=0.01)


@pytest.mark.parametrize("client", CLIENTS)
def test_cellar_in_the_engines(loaded, client):
    """The lamp hangs on its chain, the lid lies on the chest, and the floor holds."""
    found = loaded["cellar", client]
    ends = nodes(found) if client == "godot" else bodies(found)
    for name in ("Lid", "Lamp"):
        start, end = (ends[name][time]["position"] for time in ("t0", "tT"))
        assert start == pytest.approx(end, abs=0.03), name
    if client == "godot":
        assert ends["Zone"]["class"] == "Area3D"


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
    clicks = json.loads((folder / "walks.json").read_text(encoding="utf-8"))
    assert list(clicks) == list(NAMES), said
    for name in ("door", "car", "room"):
        assert (folder / "docs" / "images" / f"walk_{name}.png").stat().st_size > 10_000


def test_clicks_are_as_many_as_the_manual_says(clicked):
    folder, said = clicked
    assert (folder / "walks.json").is_file(), said
    clicks = json.loads((folder / "walks.json").read_text(encoding="utf-8"))
    told = {task.walk: click_counts.total(task.ours) for task in click_counts.TASKS}
    assert {name: clicks[name] for name in told} == told


@pytest.mark.parametrize("name", NAMES)
def test_clicks_make_what_operators_make(name, clicked, files):
    """The same file for each engine, in what it says of physics."""
    folder, said = clicked
    for client in CLIENTS:
        path = folder / f"{name}.{client}.glb"
        assert path.is_file(), said
        found, wanted = (resolved(read_glb(each)[0]) for each in (path, files[name, client]))
        assert found["physics"] == wanted["physics"]
