"""Which motors and springs are named as Godot makes them stronger."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues

BODY, SHAPE, JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
UP, ACROSS = {"linearAxes": [0, 2], "min": 0, "max": 0}, {"linearAxes": [1, 2], "min": 0, "max": 0}
STILL = {"angularAxes": [0, 1, 2], "min": 0, "max": 0}
PIN = {"linearAxes": [0, 1, 2], "min": 0, "max": 0}
HINGE = [PIN, {"angularAxes": [0, 1], "min": 0, "max": 0}]
LIFT = {"type": "linear", "mode": "force", "axis": 1, "velocityTarget": 0.5, "maxForce": 2000}
ARM = {"type": "angular", "mode": "force", "axis": 2, "velocityTarget": 1.0, "maxForce": 200}
QUARTER = [math.sqrt(0.5), 0, 0, math.sqrt(0.5)]  # About X: Z stands up.
ASIDE = [0.4, 0, 0]


def a_file(drive, limits, *, at=(0, 0, 0), turn=(0, 0, 0, 1), motion=None, static_first=False):
    """A body of 80 kg, and a post that a joint in its middle connects it to."""
    heavy: dict[str, Any] = {"type": "dynamic", "mass": 80, **(motion or {})}
    body = {"motion": heavy, "collider": {"shape": 0}}
    post = {"motion": {"type": "static"}}
    first, second = (post, body) if static_first else (body, post)
    hung = {"connectedNode": 1, "joint": 0}
    back = [-each for each in at]
    nodes = [
        {"extensions": {BODY: first}, "children": [2], "translation": [0, 0, 0]},
        {"extensions": {BODY: second}, "translation": [0, 0, 0]},
        {"extensions": {JOINT: hung}, "rotation": list(turn), "translation": [0, 0, 0]},
    ]
    nodes[1 if static_first else 0]["translation"] = list(at)
    if not static_first:
        nodes[2]["translation"] = back
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": nodes,
        "extensionsUsed": [BODY, SHAPE, JOINT],
        "extensions": {
            SHAPE: {"shapes": [{"type": "box", "box": {"size": [0.2, 0.2, 0.2]}}]},
            JOINT: {"physicsJoints": [{"limits": limits, "drives": [drive]}]},
        },
    }


def told(source, target="GODOT_4", code="X71"):
    issues = Issues()
    rewriting.change(copy.deepcopy(source), issues, WriteOptions(target=engine_of(target)))
    return [i.message for i in issues if i.code == code]


@pytest.mark.parametrize("static_first", [False, True])
@pytest.mark.parametrize(
    ("drive", "limits", "how", "is_named"),
    [
        ({**LIFT, "damping": 5000}, [UP, STILL], {}, True),  # 785 N / 5000 of 0.5 m/s.
        ({**LIFT, "damping": 80000}, [UP, STILL], {}, False),  # 2 % is 78 500.
        ({**LIFT, "damping": 77000}, [UP, STILL], {}, True),
        ({**LIFT, "damping": 0}, [UP, STILL], {}, True),
        ({**LIFT, "damping": 5000, "axis": 0}, [ACROSS, STILL], {}, False),
        ({**LIFT, "damping": 5000}, [UP, STILL], {"turn": QUARTER}, False),  # Y lies.
        ({**LIFT, "damping": 5000}, [UP, STILL], {"motion": {"gravityFactor": 0}}, False),
        ({**LIFT, "damping": 5000, "mode": "acceleration"}, [UP, STILL], {}, False),
        ({**LIFT, "damping": 90, "mode": "acceleration"}, [UP, STILL], {}, True),
        ({**LIFT, "damping": 5000, "velocityTarget": 0}, [UP, STILL], {}, False),
        ({**LIFT, "damping": 5000, "positionTarget": 1, "stiffness": 9}, [UP, STILL], {}, False),
        ({**LIFT, "damping": 5000, "maxForce": None}, [UP, STILL], {}, False),  # X34 tells it.
        ({**ARM, "damping": 10000}, HINGE, {"at": ASIDE}, True),  # 314 N m.
        ({**ARM, "damping": 16000}, HINGE, {"at": ASIDE}, False),
        ({**ARM, "damping": 100}, HINGE, {}, False),  # It balances.
        ({**ARM, "damping": 100}, HINGE, {"at": ASIDE, "turn": QUARTER}, False),  # Flat.
    ],
)
def test_a_motor_is_named_that_its_load_slows_by_2_percent(
    drive, limits, how, is_named, static_first
) -> None:
    drive = {key: value for key, value in drive.items() if value is not None}
    found = told(a_file(drive, limits, static_first=static_first, **how))
    assert len(found) == is_named
    assert told(a_file(drive, limits, **how), "BABYLON") == []


def test_it_is_said_by_how_much() -> None:
    (message,) = told(a_file({**LIFT, "damping": 5000}, [UP, STILL]))
    assert "slows it by 0.16 m/s" in message
    (message,) = told(a_file({**LIFT, "damping": 1000}, [UP, STILL]))
    assert "stops or reverses it" in message


SERVO = {"type": "angular", "mode": "force", "axis": 2, "stiffness": 30000, "positionTarget": -0.9}


@pytest.mark.parametrize(
    ("change", "is_named"),
    [
        ({"maxForce": 20000}, True),  # The spring would pull with 27 000 N m.
        ({"maxForce": 27000}, False),
        ({"maxForce": 20000, "stiffness": 20000}, False),
        ({}, False),
        ({"maxForce": 20000, "mode": "acceleration"}, False),  # X35 tells of that.
        ({"maxForce": 20000, "velocityTarget": 1}, False),  # Godot takes the speed alone.
    ],
)
def test_a_spring_is_named_that_its_maximum_force_holds_back(change, is_named) -> None:
    source = a_file({**SERVO, **change}, HINGE, at=ASIDE)
    found = [each for each in told(source, code="X34") if "maximum force of" in each]
    assert len(found) == is_named
    assert all(
        "up to 27000 N m and not 20000 N m; lower its stiffness to 22222" in each for each in found
    )
    assert told(source, "BABYLON", "X34") == []


def test_of_two_that_move_the_lighter_load_counts() -> None:
    """A wheel that balances on its axle is no load of the motor that turns it."""
    source = a_file({**ARM, "damping": 100}, HINGE, at=ASIDE)
    wheel = {"motion": {"type": "dynamic", "mass": 5}, "collider": {"shape": 0}}
    source["nodes"][1]["extensions"][BODY] = wheel
    assert told(source) == []
