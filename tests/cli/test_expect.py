"""The sub-command `expect`, with the add-on itself."""

import contextlib
import copy
import io
import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

from omi_physics_addon.cli import expect, jobs, main
from omi_physics_addon.codec.gltf import containers
from tests.cli.test_printing import VALIDATOR
from tools import environment

needs_bpy = pytest.mark.skipif(
    find_spec("bpy") is None or os.name == "nt", reason="needs bpy and a shell"
)
BODY, JOINT, SHAPE = "OMI_physics_body", "OMI_physics_joint", "OMI_physics_shape"


def gltf(place, motion, limits):
    """A body on a joint to the world's origin, which is a small static ball there."""
    motion = {"type": "dynamic", "mass": 10, "inertiaDiagonal": [1, 1, 1], **motion}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [BODY, JOINT, SHAPE],
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": "Post", "extensions": {BODY: {"motion": {"type": "static"}}}, "children": [3]},
            {
                "name": "Part",
                "translation": place,
                "children": [2],
                "extensions": {BODY: {"motion": motion, "collider": {"shape": 0}}},
            },
            {
                "name": "Joint",
                "translation": [-n for n in place],
                "extensions": {JOINT: {"joint": 0, "connectedNode": 3}},
            },
            {"name": "Anchor"},
        ],
        "extensions": {
            SHAPE: {"shapes": [{"type": "sphere", "sphere": {"radius": 0.1}}]},
            JOINT: {"physicsJoints": [{"limits": limits}]},
        },
    }


def door(low, high):
    """A door whose ends in the file are those of the connected part, so with the other sign."""
    held = [
        {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
        {"angularAxes": [0, 2], "min": 0, "max": 0},
    ]
    swing = {"angularAxes": [1], "min": -high, "max": -low}
    turning = {"angularVelocity": [0, 2, 0], "linearVelocity": [0, 0, -1], "gravityFactor": 0}
    return gltf([0.5, 0, 0], turning, [*held, swing])


def rope(length):
    free = {"linearAxes": [0, 1, 2], "min": 0, "max": length}
    return gltf([0, -0.5, 0], {}, [free])


def car(force):
    """The vehicles of our examples, with wheels that push by this."""
    path = environment.ROOT / "examples" / "vehicles.glb"
    container = containers.read(path.read_bytes())
    changed = copy.deepcopy(container.json)
    for wheel in changed["extensions"]["OMI_vehicle_wheel"]["wheels"]:
        if wheel.get("maxPropulsionForce"):
            wheel["maxPropulsionForce"] = force
    return containers.write(container, changed)


DOOR = (
    '[[expect]]\njoint="Joint"\nangle_deg={min=-1,max=111}\n'
    '[[expect]]\njoint="Joint"\nangle_deg={min=60}\nwithin_s=2\n'
)
ROPE = '[[expect]]\nbody="Part"\nmoved_m={min=1.4}\nwithin_s=2\n'
CAR = (
    '[[input]]\nvehicle="Car"\nthrottle=1\n[[expect]]\nbody="Car"\n'
    "speed_m_per_s={min=3}\nwithin_s=2\n"
)

DRIVEN = """
[[input]]
vehicle = "Car"
throttle = 1
steering = 1
[[input]]
vehicle = "Hovercraft"
angular_y = 0.5
[[input]]
vehicle = "Rocket"
linear_y = 1
[[expect]]
body = "Car"
velocity_m_per_s = { min = [2, -9, 1], max = [9, 9, 9] }
at_s = 2
[[expect]]
body = "Hovercraft"
turned_deg = { min = 60 }
at_s = 2
[[expect]]
body = "Rocket"
moved_m = { min = 1 }
at_s = 2
"""
SERVOS = """
[[input]]
joint = "Waist Joint"
target_deg = 20
[[input]]
joint = "Grip Left"
target_m = 0.02
[[input]]
joint = "Turntable Joint"
target_deg_per_s = -60
[[expect]]
joint = "Waist Joint"
angle_deg = { is = 20, tolerance = 2 }
at_s = 2
[[expect]]
joint = "Grip Left"
slide_m = { is = 0.02, tolerance = 0.005 }
at_s = 2
[[expect]]
body = "Turntable"
spin_deg_per_s = { is = 60, tolerance = 2 }
at_s = 2
"""


def untold(text):
    """The same expectations without the inputs."""
    return "\n".join("[[expect]]" + part for part in text.split("[[expect]]")[1:])


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Good and bad files, played by one worker: the outcome and the JUnit XML."""
    folder = tmp_path_factory.mktemp("expect")
    files = {
        "door": (json.dumps(door(0, 1.92)).encode(), DOOR),
        "door_wrong": (json.dumps(door(-1.92, 0)).encode(), DOOR),
        "rope": (json.dumps(rope(2)).encode(), ROPE),
        "rope_short": (json.dumps(rope(1)).encode(), ROPE),
        "stranger": (json.dumps(rope(1)).encode(), ROPE.replace("Part", "Pert")),
    }
    for name, (content, wanted) in files.items():
        (folder / f"{name}.gltf").write_bytes(content)
        (folder / f"{name}.expect.toml").write_text("seconds = 2\nfps = 30\n" + wanted)
    cars = {"car": car(4000), "car_idle": car(0)}
    for name, content in cars.items():
        (folder / f"{name}.glb").write_bytes(content)
        (folder / f"{name}.expect.toml").write_text("seconds = 2\nfps = 30\n" + CAR)
    examples = environment.ROOT / "examples"
    told_to = {"vehicles": DRIVEN, "robot": SERVOS}
    for name, wanted in told_to.items():
        for kind, text in (("told", wanted), ("untold", untold(wanted))):
            shutil.copy(examples / f"{name}.glb", folder / f"{name}_{kind}.glb")
            rates = "seconds = 2\nfps = 30\n"
            (folder / f"{name}_{kind}.expect.toml").write_text(rates + text)
            cars[f"{name}_{kind}"] = b""
    names = [*(f"{name}.gltf" for name in files), *(f"{name}.glb" for name in cars)]
    paths = [str(folder / name) for name in names]
    out = folder / "out.xml"
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        code = main.main(["expect", *paths, "--junit", str(out), "--json"])
    told = json.loads(text.getvalue())
    VALIDATOR.validate(told)
    found = {Path(one["source"]).stem: one for one in told["report"]["played"]}
    return code, found, ElementTree.parse(out).getroot()


def failures(played, name):
    return [text for each in played[1][name]["verdicts"] for text in each["failures"]]


@needs_bpy
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("door_wrong", "Joint: angle"),
        ("rope_short", "Part: moved came nearest with"),
        ("car_idle", "Car: speed came nearest with"),
    ],
)
def test_what_is_wrong_is_found(played, name, message):
    good = name.partition("_")[0]
    assert played[1][good]["error"] == played[1][name]["error"] == ""
    assert failures(played, good) == []
    assert failures(played, name)
    assert message in failures(played, name)[0]


@needs_bpy
@pytest.mark.parametrize("name", ["vehicles", "robot"])
def test_pilots_and_servos_do_what_they_are_told(played, name):
    """Steering, raw activations and targets of joints; without them, nothing of it happens."""
    assert failures(played, f"{name}_told") == []
    assert len(failures(played, f"{name}_untold")) == 3


@pytest.mark.parametrize("name", ["a.gltf", "a.expect.toml"])
def test_what_is_read_is_not_written_over(tmp_path, capsys, name):
    wanted = '[[expect]]\nbody = "Part"\nspeed_m_per_s = { max = 1 }\n'
    (tmp_path / "a.gltf").write_text(json.dumps(rope(1.0)))
    (tmp_path / "a.expect.toml").write_text(wanted)
    before = (tmp_path / name).read_bytes()
    words = ["expect", str(tmp_path / "a.gltf"), "--junit", str(tmp_path / name)]
    assert main.main(words) == jobs.BAD_INPUT
    assert "is the file that is read" in capsys.readouterr().err
    assert (tmp_path / name).read_bytes() == before


@needs_bpy
def test_the_examples_do_what_is_expected_of_them(capfd):
    assert main.main(["expect", str(environment.ROOT / "examples" / "*.glb")]) == jobs.DONE
    assert capfd.readouterr().out.count(" hold, ") == 10


@needs_bpy
def test_unknown_names_do_not_end_the_others(played):
    code, found, root = played
    assert code == jobs.BAD_INPUT
    assert found["stranger"]["error"].endswith("there is no body Pert; did you mean Part or Post?")
    assert root.attrib["errors"] == "1"
    assert int(root.attrib["failures"]) >= 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "crate.expect.toml, which says what is expected"),
        ("[[expect]]\nbodi='A'\n", "crate.expect.toml:2: [[expect]] 1: there is no key bodi"),
        ("[[expect", "this is no TOML"),
    ],
)
def test_wrong_files_are_told_before_anything_plays(tmp_path, capsys, text, message):
    (tmp_path / "crate.gltf").write_text("{}")
    if text is not None:
        (tmp_path / "crate.expect.toml").write_text(text)
    assert main.main(["expect", str(tmp_path / "crate.gltf")]) == jobs.BAD_INPUT
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["folder", *["pipe"] * hasattr(os, "mkfifo")])
def test_expectations_that_are_no_file_are_told(tmp_path, capsys, kind):
    """A pipe would be waited for without end."""
    (tmp_path / "crate.gltf").write_text("{}")
    path = tmp_path / "crate.expect.toml"
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    assert main.main(["expect", str(tmp_path / "crate.gltf")]) == jobs.BAD_INPUT
    assert f"there is no file {path}, which says" in capsys.readouterr().err


def test_every_example_says_what_is_expected_of_it():
    folder = environment.ROOT / "examples"
    wanted = {path.name.partition(".")[0] for path in folder.glob("*.expect.toml")}
    assert wanted == {path.stem for path in folder.glob("*.glb")}
    for name in wanted:
        expect.check_expectations(folder / f"{name}.expect.toml")
