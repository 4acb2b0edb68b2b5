"""Which vehicles are named that Godot drives and brakes otherwise along their way."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues

BODY, SHAPE = "OMI_physics_body", "OMI_physics_shape"
VEHICLE, WHEEL, THRUSTER = "OMI_vehicle_body", "OMI_vehicle_wheel", "OMI_vehicle_thruster"
MOTOR = {"maxPropulsionForce": 1000.0, "radius": 0.35}
FREE = {**MOTOR, "brakingForce": 0.0}
DRAGGED = {**MOTOR, "maxPropulsionForce": 0.0, "brakingForce": 900.0}
TILT = [math.sin(0.05), 0.0, 0.0, math.cos(0.05)]  # About X by 0.1 rad.
AHEAD = {"linearActivation": [0, 0, 0.5]}


def a_car(speed=0.0, vehicle=None, wheel=None, turn=(0, 0, 0, 1), thruster=False):
    """A car of 900 kg on four wheels, as the engines were given it, which starts along +Z."""
    motion: dict[str, Any] = {"type": "dynamic", "mass": 900}
    if speed:
        motion["linearVelocity"] = [0, 0, speed]
    parts: dict[str, Any] = {
        BODY: {"motion": motion, "collider": {"shape": 0}},
        VEHICLE: {"linearDampeners": True, **(vehicle or {})},
    }
    places = [(x, -0.1, z) for x in (-0.8, 0.8) for z in (-1.2, 1.2)]
    wheels = [{"translation": list(p), "extensions": {WHEEL: {"wheel": 0}}} for p in places]
    if thruster:
        wheels.append({"extensions": {THRUSTER: {"thruster": 0}}})
    children = list(range(1, len(wheels) + 1))
    car = {"extensions": parts, "children": children, "rotation": list(turn)}
    used = [BODY, SHAPE, VEHICLE, WHEEL, *([THRUSTER] if thruster else [])]
    root: dict[str, Any] = {
        SHAPE: {"shapes": [{"type": "box", "box": {"size": [1.6, 0.5, 3.0]}}]},
        WHEEL: {"wheels": [wheel or MOTOR]},
    }
    if thruster:
        root[THRUSTER] = {"thrusters": [{"maxForce": 10.0}]}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [car, *wheels],
        "extensionsUsed": used,
        "extensions": root,
    }


def told(source, target="GODOT_4"):
    issues = Issues()
    ours = rewriting.change(
        copy.deepcopy(source), issues, WriteOptions(target=engine_of(target))
    ).json
    return [i.message for i in issues if i.code == "X75"], ours


@pytest.mark.parametrize(
    ("how", "is_named"),
    [
        ({"speed": 10.0}, True),  # Seen: 12.3 m in the preview, 4.2 m in Godot.
        ({"speed": 3.0}, True),  # 1.3 and 0.9 m.
        ({}, False),  # It stands.
        ({"turn": TILT}, True),  # It creeps 0.6 m down the slope.
        ({"turn": TILT, "vehicle": {"linearDampeners": False}}, False),  # 4.38 m in both.
        ({"speed": 10.0, "vehicle": {"linearDampeners": False}}, False),  # 30 m in both.
        ({"speed": 10.0, "wheel": FREE}, False),  # Written so that it rolls on.
        ({"speed": 10.0, "wheel": {**FREE, "maxPropulsionForce": 0.0}}, False),
        (
            {"speed": 10.0, "wheel": DRAGGED},
            True,
        ),
        ({"speed": 10.0, "wheel": FREE, "thruster": True}, True),  # Its dampeners stay.
        ({"vehicle": AHEAD}, False),  # 9.4 m in both.
        ({"vehicle": {**AHEAD, "maxSpeed": 3.0}}, True),  # 6.6 and 9.4 m.
        ({"vehicle": {**AHEAD, "maxSpeed": 30.0}}, False),
        ({"vehicle": {**AHEAD, "maxSpeed": 3.0, "useThrottle": True}}, False),  # 3.4 m in both.
        ({"speed": -4.0, "vehicle": AHEAD}, True),  # Brakes against: 2.2 and -2.6 m.
        ({"vehicle": AHEAD, "wheel": {**MOTOR, "propulsionForceChangeRate": 200.0}}, True),
        ({"vehicle": AHEAD, "wheel": {**MOTOR, "propulsionForceChangeRate": 1e6}}, False),
    ],
)
def test_a_vehicle_is_named_that_godot_moves_elsewhere_along_its_way(how, is_named) -> None:
    assert len(told(a_car(**how))[0]) == is_named
    assert told(a_car(**how), "BABYLON")[0] == []


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"speed": 10.0}, "turn off Dampeners > Linear"),
        ({"vehicle": {**AHEAD, "maxSpeed": 3.0}}, "turn on Control > Throttle"),
        ({"speed": -4.0, "vehicle": AHEAD}, "does not brake a vehicle that drives against"),
        (
            {"vehicle": AHEAD, "wheel": {**MOTOR, "propulsionForceChangeRate": 200.0}},
            "applies the full force immediately",
        ),
    ],
)
def test_it_is_said_why_and_what_helps(how, words) -> None:
    (message,) = told(a_car(**how))[0]
    assert words in message


def test_it_is_said_how_far_elsewhere_it_is() -> None:
    (message,) = told(a_car(speed=10.0))[0]
    assert "after 3 s the vehicle is about 8 m away" in message


@pytest.mark.parametrize(
    ("how", "dampens"),
    [
        ({"wheel": FREE}, False),
        ({"wheel": MOTOR}, True),
        ({"wheel": FREE, "thruster": True}, True),
        ({"wheel": FREE, "vehicle": {**AHEAD, "maxSpeed": 3.0, "useThrottle": True}}, True),
    ],
)
def test_what_has_no_brakes_rolls_on_in_godot(how, dampens) -> None:
    _, ours = told(a_car(speed=10.0, **how))
    written = ours["nodes"][0]["extensions"][VEHICLE].get("linearDampeners", True)
    assert written == dampens
    back = rewriting.change(ours, Issues(), WriteOptions()).json
    plain = rewriting.change(a_car(speed=10.0, **how), Issues(), WriteOptions()).json
    assert back["nodes"] == plain["nodes"]
