"""Names of joints: settings by name, names of settings, and both in words."""

from __future__ import annotations

import dataclasses
import json
import math
import random
from pathlib import Path

import pytest

from omi_physics_addon.axes import Axes
from omi_physics_addon.model import joint_words as words
from omi_physics_addon.model.joint_kinds import KINDS, JointKind, make, recognize
from omi_physics_addon.model.joints import JointDrive, JointLimit, JointSettings

ROOT = Path(__file__).resolve().parents[2]
SOFT = {"stiffness": 60.0, "damping": 6.0}
SERVO = JointDrive(type="angular", position_target=0.5, stiffness=90.0, damping=4.0)
MOTOR = JointDrive(type="angular", velocity_target=2.0, damping=40.0, max_force=50.0)
PUSH = JointDrive(type="linear", velocity_target=0.5, mode="acceleration", damping=3.0)

JOINTS = [
    JointKind(kind="fixed"),
    JointKind(kind="fixed", **SOFT),
    JointKind(kind="ball"),
    JointKind(kind="ball", stiffness=60.0),
    *(JointKind(kind="hinge", axis=axis) for axis in range(3)),
    *(JointKind(kind="hinge", axis=axis, turn_min=-0.5, turn_max=2.0) for axis in range(3)),
    JointKind(kind="hinge", axis=2, turn_min=-0.5, **SOFT),
    JointKind(kind="hinge", axis=2, turn_max=0.5, stiffness=0.0),
    *(JointKind(kind="slider", axis=axis, min=-1.0, max=0.25) for axis in range(3)),
    JointKind(kind="slider", axis=1),
    JointKind(kind="slider", min=0.1, **SOFT),
    JointKind(kind="piston", axis=1, min=0.0, max=1.0),
    JointKind(kind="piston", axis=2, min=0.0, max=1.0, turn_min=-0.3, turn_max=0.2, **SOFT),
    JointKind(kind="piston"),
    JointKind(kind="rope", max=1.5),
    JointKind(kind="rope", min=0.5, max=1.5, **SOFT),
    JointKind(kind="rope", min=1.5, max=1.5),
    *(
        JointKind(kind="cone_twist", axis=axis, swing=0.7, turn_min=-0.2, turn_max=0.3)
        for axis in range(3)
    ),
    JointKind(kind="cone_twist", axis=2, swing=0.7, **SOFT),
    JointKind(kind="six_dof", min=-0.1, max=0.1, turn_min=-0.5, turn_max=0.5),
    JointKind(kind="six_dof", min=-0.1, max=0.1, **SOFT),
    JointKind(kind="six_dof", min=0.0, max=0.0, turn_min=-0.4, turn_max=0.4),
    JointKind(kind="servo", axis=0, drive=SERVO),
    JointKind(kind="servo", axis=0, drive=SERVO, turn_min=-1.0, turn_max=1.0, **SOFT),
    JointKind(kind="motor", axis=0, drive=MOTOR),
    JointKind(kind="motor", axis=0, drive=PUSH, min=-0.5, max=0.5),
]
IDS = [f"{i}-{joint.kind}" for i, joint in enumerate(JOINTS)]


def test_there_is_a_joint_of_every_kind_among_these():
    assert {joint.kind for joint in JOINTS} == set(KINDS)


@pytest.mark.parametrize("joint", JOINTS, ids=IDS)
def test_what_is_made_of_a_name_has_it(joint):
    assert recognize(make(joint)) == joint


@pytest.mark.parametrize("joint", JOINTS, ids=IDS)
def test_neither_the_order_of_limits_nor_their_division_matters(joint):
    settings = make(joint)
    parts = []
    for limit in settings.limits:
        held = limit.min == 0.0 == limit.max
        for axes in ("linear_axes", "angular_axes"):
            several = getattr(limit, axes)
            pieces = [(axis,) for axis in several] if held else [several] if several else []
            bare = dataclasses.replace(limit, linear_axes=(), angular_axes=())
            parts += [dataclasses.replace(bare, **{axes: piece}) for piece in pieces]
    random.Random(1).shuffle(parts)
    assert recognize(dataclasses.replace(settings, limits=tuple(parts))) == joint


@pytest.mark.parametrize("joint", JOINTS, ids=IDS)
def test_the_name_survives_the_axes_of_gltf(joint):
    axes = Axes()
    settings = make(joint)
    turned = JointSettings(
        limits=tuple(axes.limit_to_gltf(limit) for limit in settings.limits),
        drives=tuple(axes.drive_to_gltf(drive) for drive in settings.drives),
    )
    there = recognize(turned)
    assert there is not None
    assert there.kind == joint.kind
    if joint.axis == 2:
        assert there.axis == 1
    back = JointSettings(
        limits=tuple(p for x in turned.limits for p in axes.limit_to_blender(x, per_axis=False)),
        drives=tuple(axes.drive_to_blender(drive) for drive in turned.drives),
    )
    assert recognize(back) == joint


@pytest.mark.parametrize("joint", [j for j in JOINTS if j.min is None or j.kind != "rope"])
def test_joints_made_by_name_mean_the_same_to_readers_that_hold_each_axis(joint):
    axes = Axes()
    for limit in make(joint).limits:
        (back,) = axes.limit_to_blender(axes.limit_to_gltf(limit), per_axis=True)
        assert back == limit


def limit(kind: str, axes: tuple[int, ...], low: float | None, high: float | None, **more: float):
    return JointLimit(**{f"{kind}_axes": axes}, min=low, max=high, **more)


STILL = limit("linear", (0, 1, 2), 0.0, 0.0)


@pytest.mark.parametrize(
    "settings",
    [
        JointSettings(),
        JointSettings(limits=(limit("linear", (0,), 0.0, 0.0),)),
        JointSettings(limits=(STILL, limit("linear", (0,), -1.0, 1.0))),
        JointSettings(limits=(STILL, limit("angular", (0, 1), -1.0, 0.5))),
        JointSettings(limits=(limit("linear", (0, 1), None, 1.0),)),
        JointSettings(limits=(limit("linear", (0, 1, 2), 0.5, None),)),
        JointSettings(limits=(limit("linear", (0, 1, 2), -0.5, 1.0),)),
        JointSettings(limits=(STILL,), drives=(MOTOR,)),
        JointSettings(limits=make(JOINTS[4]).limits, drives=(MOTOR, MOTOR)),
        JointSettings(limits=make(JOINTS[5]).limits, drives=(MOTOR,)),
        JointSettings(
            limits=make(JOINTS[4]).limits, drives=(JointDrive(type="angular", damping=1.0),)
        ),
        JointSettings(limits=(STILL, limit("angular", (0, 1, 2), 0.0, 0.0, stiffness=5.0))),
    ],
)
def test_other_settings_have_no_name(settings):
    assert recognize(settings) is None


def test_a_limit_without_ends_changes_nothing():
    joint = JointKind(kind="ball")
    settings = make(joint)
    more = (*settings.limits, limit("angular", (0, 1), None, None))
    assert recognize(dataclasses.replace(settings, limits=more)) == joint


def test_the_damping_of_hard_ends_changes_nothing():
    settings = JointSettings(limits=(dataclasses.replace(STILL, damping=3.0),))
    assert recognize(settings) == JointKind(kind="ball")


TOLD = {
    "Fixed": JointKind(kind="fixed"),
    "Ball, soft": JointKind(kind="ball", stiffness=5.0),
    "Hinge about Z, 0° … 110°, soft": JointKind(
        kind="hinge", axis=2, turn_min=0.0, turn_max=math.radians(110.0), stiffness=9.0
    ),
    "Hinge about X": JointKind(kind="hinge"),
    "Slider along Y, from -0.5 m": JointKind(kind="slider", axis=1, min=-0.5),
    "Piston along X, 0 … 1 m, turning -90° … 90°": JointKind(
        kind="piston", min=0.0, max=1.0, turn_min=-math.pi / 2.0, turn_max=math.pi / 2.0
    ),
    "Rope, up to 1.5 m": JointKind(kind="rope", max=1.5),
    "Rope, held at 1.5 m": JointKind(kind="rope", min=1.5, max=1.5),
    "Cone-Twist about Z, swing 45°, twist up to 30°": JointKind(
        kind="cone_twist", axis=2, swing=math.pi / 4.0, turn_max=math.pi / 6.0
    ),
    "6-DOF, -0.1 … 0.1 m": JointKind(kind="six_dof", min=-0.1, max=0.1),
    "Servo about Z, to 90°, up to 180°": JointKind(
        kind="servo",
        axis=2,
        turn_max=math.pi,
        drive=JointDrive(type="angular", position_target=math.pi / 2.0, stiffness=5.0),
    ),
    "Motor along X, 0.5 m/s, max 50 N": JointKind(
        kind="motor", drive=JointDrive(velocity_target=0.5, max_force=50.0)
    ),
}


@pytest.mark.parametrize("text", TOLD)
def test_joints_in_words(text):
    settings = make(TOLD[text])
    assert words.joint(settings) == text
    assert words.kind(settings) == text.split(",")[0].split(" a")[0]


def test_joints_without_a_name_in_words():
    assert words.joint(JointSettings()) == "Free, no axis is limited"
    assert words.kind(JointSettings()) == "Free"
    one = JointSettings(limits=(limit("linear", (0,), 0.0, 1.0),))
    assert words.joint(one) == "Custom, 1 limit"
    assert words.kind(one) == "Custom"
    assert words.joint(JointSettings(drives=(MOTOR, PUSH))) == "Custom, 2 drives"


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("Angle X -90° … 0°, soft", limit("angular", (0,), -math.pi / 2, 0.0, stiffness=1.0)),
        ("Distance XYZ fixed", STILL),
        ("Distance XY up to 2 m", limit("linear", (1, 0), None, 2.0)),
        ("Distance Z from -0.25 m", limit("linear", (2,), -0.25, None)),
        ("Angle Y held at 30°", limit("angular", (1,), math.pi / 6.0, math.pi / 6.0)),
        ("Angle Y free", limit("angular", (1,), None, None)),
        ("No axes", JointLimit(min=0.0, max=1.0)),
        (
            "Distance X fixed, Angle Z fixed",
            JointLimit(linear_axes=(0,), angular_axes=(2,), min=0.0, max=0.0),
        ),
    ],
)
def test_limits_in_words(text, record):
    assert words.limit(record) == text


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("Motor about X 114.6°/s, max 50 N m", MOTOR),
        ("Motor along X 0.5 m/s", PUSH),
        ("Spring about X to 28.65°", SERVO),
        (
            "Spring along Z to 1 m 2 m/s",
            JointDrive(axis=2, position_target=1.0, velocity_target=2.0),
        ),
        ("Drive along Y without target", JointDrive(axis=1, damping=2.0)),
        ("Drive of type magnetic", JointDrive(type="magnetic")),
        ("Drive of type ?", JointDrive(type="")),
    ],
)
def test_drives_in_words(text, record):
    assert words.drive(record) == text


def test_numbers_and_words_are_told_as_asked():
    german = {"Motor": "Antrieb", "{drive} about {axis}": "{drive} um {axis}", "soft": "weich"}
    speech = words.Speech(
        lambda value, unit: f"<{value:g} {unit}>", lambda text: german.get(text, text)
    )
    soft = limit("angular", (0,), -1.0, 2.0, stiffness=1.0)
    assert words.limit(soft, speech) == "Angle X <-1 rad> … <2 rad>, weich"
    assert words.drive(MOTOR, speech) == "Antrieb um X <2 rad/s>, max <50 N m>"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Hinge with Soft Stop", "Hinge about Y, -100° … 100°, soft"),
        ("Slider", "Slider along Z, -0.6 … 0 m"),
        ("Ball", "Ball"),
        ("Motor", "Motor about Z, 114.6°/s, max 200 N m"),
    ],
)
def test_the_joints_of_the_example_are_known_by_name(name, told):
    data = (ROOT / "examples" / "joints.glb").read_bytes()
    gltf = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    lists = gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]
    (found,) = [each for each in lists if each["name"] == name]
    assert words.joint(_record(found)) == told


def _record(json_object: dict) -> JointSettings:
    keys = {
        "linearAxes": "linear_axes",
        "angularAxes": "angular_axes",
        "maxForce": "max_force",
        "positionTarget": "position_target",
        "velocityTarget": "velocity_target",
    }

    def fields(values: dict) -> dict:
        return {
            keys.get(key, key): tuple(value) if isinstance(value, list) else value
            for key, value in values.items()
        }

    return JointSettings(
        limits=tuple(JointLimit(**fields(each)) for each in json_object["limits"]),
        drives=tuple(JointDrive(**fields(each)) for each in json_object.get("drives", [])),
    )
