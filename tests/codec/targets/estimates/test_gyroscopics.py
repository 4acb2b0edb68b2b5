"""Which bodies are named as engines leave their gyroscopic torque out."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.gltf.target_check import check_target
from omi_physics_addon.codec.rules import file_check
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues

PIN = {"linearAxes": [0, 1, 2], "min": 0, "max": 0}
BALL = {"limits": [PIN]}
HINGE = {"limits": [PIN, {"angularAxes": [0, 1], "min": 0, "max": 0}]}
CONE = {"limits": [PIN, {"angularAxes": [0, 1, 2], "min": -0.1, "max": 0.1}]}
SLIDER = {"limits": [{"linearAxes": [1, 2], "min": 0, "max": 0}]}
SPRING = {"type": "angular", "mode": "force", "axis": 0, "stiffness": 5, "positionTarget": 0}
SPRUNG = {"limits": [PIN], "drives": [SPRING]}
OMI = ("OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint")
FREE = {"angularVelocity": [1, 2, 0]}
FALLING: dict[str, Any] = {}
EVEN = {"inertiaDiagonal": [0.2, 0.2, 0.2], "centerOfMass": [0, 0, 0], **FREE}
TOP = {"angularVelocity": [0, 60, 0], "centerOfMass": [0, 0, 0]}


def a_file(motion, joint=None, *, size=(0.8, 0.3, 0.1), place=(0.4, -0.5, 0.3), more=()):
    """A body on a box with a joint to a post, if any; others beside it."""
    body = {"motion": {"type": "dynamic", "mass": 2, **motion}, "collider": {"shape": 0}}
    nodes: list[Any] = [
        {"name": "Body", "translation": list(place), "extensions": {OMI[0]: body}, "children": []},
        {"name": "Post", "extensions": {OMI[0]: {"motion": {"type": "static"}}}},
    ]
    for settings in () if joint is None else (joint, *more):
        hung = {"connectedNode": 1, "joint": int(settings is not joint)}
        away = [-each for each in place]
        nodes[0]["children"].append(len(nodes))
        nodes.append({"name": "Joint", "translation": away, "extensions": {OMI[2]: hung}})
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": nodes,
        "extensionsUsed": list(OMI),
        "extensions": {
            OMI[1]: {"shapes": [{"type": "box", "box": {"size": list(size)}}]},
            OMI[2]: {"physicsJoints": [BALL if joint is None else joint, *more]},
        },
    }


def told(source, target="GODOT_4"):
    issues = Issues()
    rewriting.change(copy.deepcopy(source), issues, WriteOptions(target=engine_of(target)))
    return [(i.pointer, i.message) for i in issues if i.code == "X72"]


@pytest.mark.parametrize("about", ["x", "y", "z"])
def test_of_a_moment_that_is_zero_nothing_is_known(about) -> None:
    moments = [0.0 if axis == about else 0.1 + 0.1 * (axis == "z") for axis in "xyz"]
    assert told(a_file({**EVEN, "inertiaDiagonal": moments})) == []


@pytest.mark.parametrize("target", ["GODOT_4", "BABYLON"])
@pytest.mark.parametrize(
    ("motion", "joint", "is_named"),
    [
        (FREE, None, True),
        (FALLING, None, False),
        (EVEN, None, False),
        ({"angularVelocity": [0, 0, 9]}, None, False),  # About a principal axis.
        (FALLING, BALL, True),
        (FREE, BALL, True),
        (FREE, HINGE, False),
        (FREE, SLIDER, False),
        (FREE, SPRUNG, False),
        (FALLING, CONE, False),  # It is at its end before.
        ({"gravityFactor": 0}, BALL, False),
        ({"type": "kinematic", **FREE}, None, False),
    ],
)
def test_what_turns_about_several_axes_is_named(target, motion, joint, is_named) -> None:
    found = told(a_file(motion, joint), target)
    assert [pointer for pointer, _ in found] == (["/nodes/0"] if is_named else [])
    assert all(engine_of(target).name in message for _, message in found)


def test_it_is_said_how_far_it_strays() -> None:
    """A top of 60 rad/s, its arm level, stays up by its torque, and falls without it."""
    ((_, message),) = told(a_file(TOP, BALL, size=(0.5, 0.1, 0.5), place=(0.0, 0.4, 0.0001)))
    assert "in 3 s" in message


def test_a_body_between_two_joints_is_left_alone() -> None:
    assert told(a_file(FREE, BALL, more=(dict(BALL, name="Other"),))) == []


def test_given_moments_count_in_place_of_those_of_the_shape() -> None:
    given = {"inertiaDiagonal": [0.05, 0.1, 0.2], "centerOfMass": [0, 0, 0], **FREE}
    assert told(a_file({**FREE}, size=(1, 1, 1))) == []
    assert told(a_file(given, size=(1, 1, 1)))
    aside = {"centerOfMass": [0.4, 0.1, 0], **FREE}
    assert told(a_file(aside, size=(1, 1, 1)))


def test_check_tells_of_it_too() -> None:
    source, issues = a_file(FALLING, BALL), Issues()
    document = file_check.check_file(source, Issues())
    check_target(source, document, engine_of("GODOT_4"), issues)
    assert [i.pointer for i in issues if i.code == "X72"] == ["/nodes/0"]
