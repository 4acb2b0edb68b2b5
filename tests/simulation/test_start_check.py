"""How worlds begin: overlaps, joints apart, hover thrusters too weak, an open order of gravity."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.issues import Issue, Issues
from omi_physics_addon.simulation import file_world, start_check

BODY, SHAPE, JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
GRAVITY, HOVER, WHEEL = "OMI_physics_gravity", "OMI_vehicle_hover_thruster", "OMI_vehicle_wheel"
Json = dict[str, Any]
BOX, BALL, CAPSULE, FLOOR, TRIMESH, CONVEX = range(6)
SHAPES = [
    {"type": "box", "box": {}},
    {"type": "sphere", "sphere": {"radius": 0.5}},
    {"type": "capsule", "capsule": {"height": 1.0, "radiusTop": 0.5, "radiusBottom": 0.5}},
    {"type": "box", "box": {"size": [50, 1, 50]}},
    {"type": "trimesh", "trimesh": {"mesh": 0}},
    {"type": "convex", "convex": {"mesh": 0}},
]
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
FACES = np.array([[0, 1, 2], [1, 3, 2], [4, 6, 5], [5, 6, 7], [0, 4, 1], [1, 4, 5]])
EIGHTH = [0, 0, math.sin(math.pi / 8), math.cos(math.pi / 8)]
PIN = {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
HINGE = {"limits": [*PIN["limits"], {"angularAxes": [1, 2], "min": 0, "max": 0}]}
ROPE = {"limits": [{"linearAxes": [0, 1, 2], "max": 2.0}]}


def node(*children: int, at: Any = (0, 0, 0), turn: Any = None, **extensions: Any) -> Json:
    place = {"translation": list(at)} | ({"rotation": turn} if turn else {})
    return {"children": list(children), "extensions": extensions, **place}


def body(
    *children: int, at: Any = (0, 0, 0), kind: str = "dynamic", shape: int = BOX, **more: Any
) -> Json:
    collider = {"shape": shape, **more.pop("collider", {})}
    motion = {"type": kind} | more.pop("motion", {})
    return node(*children, at=at, **{BODY: {"motion": motion, "collider": collider}}, **more)


def floor(at: Any = (0, -1, 0)) -> Json:
    return node(at=at, **{BODY: {"collider": {"shape": FLOOR}}})


def file(*nodes: Json, **root: Any) -> Json:
    return {
        "nodes": list(nodes),
        "meshes": [{}],
        "extensions": {SHAPE: {"shapes": SHAPES}, **root},
    }


def joined(settings: Json, offset: Any, turn: Any = None, **members: Any) -> Json:
    """Two bodies, 3 m apart, with a joint whose other end is where `offset` says."""
    return file(
        body(1),
        node(**{JOINT: {"joint": 0, "connectedNode": 3, **members}}),
        body(3, at=(3, 0, 0)),
        node(at=(offset[0] - 3, *offset[1:]), turn=turn),
        **{JOINT: {"physicsJoints": [settings]}},
    )


def hovering(energy: float, *, mass: float = 10.0, more: tuple[Json, ...] = ()) -> Json:
    """A box of 1 m with a hover thruster in its middle, half a metre above its bottom."""
    parts = node(**{HOVER: {"hoverThruster": 0}})
    children = range(1, 2 + len(more))
    lists = {HOVER: {"hoverThrusters": [{"maxHoverEnergy": energy}]}, WHEEL: {"wheels": [{}]}}
    return file(body(*children, motion={"mass": mass}), parts, *more, **lists)


def wells(distance: float, *, priority: int = 0, **members: Any) -> Json:
    well = {"type": "point", "point": {"unitDistance": 1}, "gravity": 1, **members}
    trigger = {"trigger": {"shape": BALL}}
    first = node(**{BODY: trigger, GRAVITY: well})
    second = node(at=(distance, 0, 0), **{BODY: trigger, GRAVITY: well | {"priority": priority}})
    return file(first, second)


# By code: a file that starts badly, and one that is as near to it as can be and does not.
STARTING_BADLY: dict[str, tuple[Callable[[], Json], Callable[[], Json]]] = {
    "B25": (
        lambda: file(body(), body(at=(0.9, 0, 0))),
        lambda: file(body(), body(at=(1.0, 0, 0))),
    ),
    "J39": (lambda: joined(PIN, (0.01, 0, 0)), lambda: joined(PIN, (0.0005, 0, 0))),
    # 10 kg half a metre above the ground need 49.03 J.
    "R02": (lambda: hovering(48.5), lambda: hovering(49.5)),
    "V14": (lambda: wells(0.9, stop=True), lambda: wells(1.1, stop=True)),
}


def mesh(index: int) -> Any:
    return (CORNERS, FACES) if index == 0 else None


def found(json: Json, engine: Any = "OMI") -> list[Issue]:
    gltf, issues = dialects.gltf_file(json), Issues()
    document = dialects.read(gltf, Issues())
    world = file_world.world_of(document, Tree.of(gltf), mesh, engine=engine)
    start_check.check(world, document, "/nodes/{}".format, issues, engine=engine)
    return list(issues)


def codes(json: Json, engine: Any = "OMI") -> set[str]:
    return {issue.code for issue in found(json, engine)}


@pytest.mark.parametrize("code", STARTING_BADLY)
def test_a_bad_start_is_told_and_its_neighbour_is_none(code):
    bad, good = STARTING_BADLY[code]
    assert codes(bad()) == {code}
    assert codes(good()) == set()


ALONE = {"collisionSystems": ["a"], "notCollideWithSystems": ["a"]}
FILTERED = {BODY: {"collisionFilters": [ALONE]}}


@pytest.mark.parametrize(
    ("json", "told"),
    [
        (file(body(kind="static"), body(kind="kinematic")), []),  # Nothing is thrown.
        (file(floor(), body(at=(0, 0, 0))), []),  # It rests on the floor.
        (file(floor(), body(at=(0, -0.2, 0))), ["/nodes/1"]),
        (file(floor(), body(at=(0, -0.01, 0))), []),  # Less than a fiftieth.
        (file(body(shape=CAPSULE), body(shape=BALL, at=(0, 1.2, 0))), ["/nodes/0"]),
        (file(body(shape=CAPSULE), body(shape=BALL, at=(1.2, 0, 0))), []),
        (file(body(shape=BALL), body(shape=CONVEX, at=(1.2, 0, 0))), ["/nodes/0"]),
        (file(body(shape=BALL), body(kind="static", shape=TRIMESH)), []),  # It has no inside.
        (file(*(body(collider={"collisionFilter": 0}) for _ in "ab"), **FILTERED), []),
        (file(body(1), node(**{BODY: {"collider": {"shape": BALL}}})), []),  # One body.
    ],
)
def test_overlaps(json, told):
    assert [issue.pointer for issue in found(json)] == told


def test_an_overlap_is_told_once_with_its_names():
    issues = found(file(*(body(at=(0.1 * k, 0, 0)) for k in range(6))))
    (first,) = (issue for issue in issues if issue.pointer == "/nodes/0")
    assert first.message.startswith("it starts inside /nodes/1, /nodes/2, /nodes/3 and 2 more")
    assert len({issue.pointer for issue in issues}) == len(issues) == 5


def test_what_is_joined_may_overlap_unless_it_may_collide():
    json = joined(PIN, (0, 0, 0))
    json["nodes"][2]["translation"] = [0.3, 0, 0]
    json["nodes"][3]["translation"] = [-0.3, 0, 0]
    assert codes(json) == set()
    json["nodes"][1]["extensions"][JOINT]["enableCollision"] = True
    assert codes(json) == {"B25"}


def test_filters_are_those_of_the_family():
    # In one of two systems that it is to collide with: OMI says yes, the text of KHR no.
    rows = [
        {"collisionSystems": ["a", "b"]},
        {"collisionSystems": ["a"], "collideWithSystems": ["a"]},
    ]
    nodes = [body(collider={"collisionFilter": k}) for k in range(2)]
    json = file(*nodes, **{BODY: {"collisionFilters": rows}})
    assert (codes(json, "OMI"), codes(json, "KHR")) == ({"B25"}, set())


@pytest.mark.parametrize(
    ("settings", "offset", "turn", "message"),
    [
        (ROPE, (1.9, 0, 0), None, ""),
        (ROPE, (0, 0, 2.5), None, "0.5 m further apart"),
        (HINGE, (0, 0, 0), [math.sin(0.3), 0, 0, math.cos(0.3)], ""),  # About the free axis.
        (HINGE, (0, 0, 0), EIGHTH, "turned 45°"),
        ({"limits": [{"linearAxes": [0], "min": 0.5}]}, (0.2, 9, 9), None, "0.3 m further"),
        ({"limits": [{"linearAxes": [0], "max": 0, "stiffness": 5}]}, (2, 0, 0), None, ""),
    ],
)
def test_joints(settings, offset, turn, message):
    issues = [issue for issue in found(joined(settings, offset, turn)) if issue.code == "J39"]
    assert [issue.pointer for issue in issues] == (["/nodes/1"] if message else [])
    assert all(message in issue.message for issue in issues)


def test_hover_thrusters_on_wheels_need_not_lift():
    assert codes(hovering(1.0, more=(node(**{WHEEL: {"wheel": 0}}),))) == set()


def test_hover_thrusters_lift_less_where_gravity_is_strong():
    json = hovering(49.5)
    json["extensions"][GRAVITY] = {"gravity": 20.0, "direction": [0, -1, 0]}
    assert codes(json) == {"R02"}


@pytest.mark.parametrize(
    "json",
    [wells(0.9), wells(0.9, stop=True, priority=1)],
    ids=["adds up in any order", "another priority"],
)
def test_order_of_gravity_that_is_clear(json):
    assert codes(json) == set()


def seconds(count: int) -> float:
    """The time that a field of boxes on a floor takes."""
    side = math.isqrt(count)
    boxes = [body(at=(1.5 * (k % side), 0.5, 1.5 * (k // side))) for k in range(side * side)]
    gltf = dialects.gltf_file(file(floor(at=(0, -0.5, 0)), *boxes))
    document = dialects.read(gltf, Issues())
    world = file_world.world_of(document, Tree.of(gltf), mesh)
    issues = Issues()
    start = time.thread_time()
    start_check.check(world, document, "/nodes/{}".format, issues)
    assert not issues.codes()
    return time.thread_time() - start


def test_the_time_grows_as_the_scene_does():
    seconds(100)
    assert seconds(1600) < 40 * min(seconds(100) for _ in range(3))  # A square would take 256.
