"""How worlds begin: overlaps, joints apart, hover thrusters too weak, an open order of gravity."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.issues import Issue, Issues
from omi_physics_addon.model.bodies import CollisionFilter
from omi_physics_addon.model.filters import meets
from omi_physics_addon.simulation import file_world
from omi_physics_addon.simulation.start import start_check, start_overlaps
from tests.support import pace

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
SLIDER = {
    "limits": [
        {"linearAxes": [1, 2], "min": 0, "max": 0},
        {"angularAxes": [0, 1, 2], "min": 0, "max": 0},
    ]
}
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
    start_check.check(world, document, "/nodes/{}".format, issues)
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
    assert first.message.startswith(
        "the body overlaps /nodes/1, /nodes/2, /nodes/3 and more at the start"
    )
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
        (HINGE, (0, 0, 0), EIGHTH, "rotated 45°"),
        (SLIDER, (1, 0, 0), EIGHTH, "rotated 45°"),
        (SLIDER, (1, 0, 0), None, ""),
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


def field(count: int) -> Json:
    """Boxes on a floor."""
    side = math.isqrt(count)
    boxes = [body(at=(1.5 * (k % side), 0.5, 1.5 * (k // side))) for k in range(side * side)]
    return file(floor(at=(0, -0.5, 0)), *boxes)


def crowd(count: int) -> Json:
    """All at one place, as in files whose transforms were applied."""
    return file(*(body(shape=k % 3) for k in range(count)))


def parted(count: int) -> Json:
    """The same of bodies that filters keep apart."""
    return file(*(body(collider={"collisionFilter": 0}) for _ in range(count)), **FILTERED)


def still(count: int) -> Json:
    """Many static ones around one that moves."""
    return file(body(at=(0, 9, 0)), *(body(kind="static") for _ in range(count)))


def nested(count: int) -> Json:
    """Gravity volumes inside of each other."""
    json = wells(0.0, stop=True)
    json["nodes"] = [copy.deepcopy(json["nodes"][0]) for _ in range(count)]
    return json


TOLD = {field: set[str](), crowd: {"B25"}, still: set[str](), nested: {"V14"}}


def seconds(make: Callable[[int], Json], count: int) -> float:
    """The time that the check of a start takes."""
    gltf = dialects.gltf_file(make(count))
    document = dialects.read(gltf, Issues())
    world = file_world.world_of(document, Tree.of(gltf), mesh)
    issues = Issues()
    start = time.thread_time()
    start_check.check(world, document, "/nodes/{}".format, issues)
    taken = time.thread_time() - start
    assert set(issues.codes()) == TOLD[make]
    return taken


@pytest.mark.parametrize("make", TOLD)
def test_the_time_grows_as_the_scene_does(make):
    seconds(make, 100)
    # A square would take 256.
    pace.check_growth(lambda count: seconds(make, count), 100, 1600, most=40.0)


@pytest.mark.parametrize("engine", ["OMI", "KHR"])
def test_filters_of_a_crowd_are_asked_for_each_pair(engine):
    words = ("collideWithSystems", "notCollideWithSystems")
    rows = [
        {"collisionSystems": [one], word: [other]}
        for word in words
        for one in "abc"
        for other in "abc"
    ]
    filters = [
        CollisionFilter(
            collision_systems=tuple(row["collisionSystems"]),
            collide_with_systems=tuple(row.get(words[0], ())),
            not_collide_with_systems=tuple(row.get(words[1], ())),
        )
        for row in rows
    ]
    nodes = [body(collider={"collisionFilter": k}) for k in range(len(rows))]
    issues = found(file(*nodes, **{BODY: {"collisionFilters": rows}}), engine)
    told = {issue.pointer for issue in issues}
    assert told == {
        f"/nodes/{i}"
        for i, one in enumerate(filters)
        if any(meets(one, other, engine) for other in filters[i + 1 :])
    }
    assert 0 < len(told) < len(rows)


def test_of_a_crowd_each_is_told_and_some_are_named():
    issues = found(crowd(50))
    assert [issue.pointer for issue in issues] == [f"/nodes/{k}" for k in range(49)]
    few = [issue.message for issue in issues[-3:]]
    assert "overlaps /nodes/47, /nodes/48, /nodes/49 at the start" in few[0]
    assert "overlaps /nodes/49 at the start" in few[2]
    assert all(" and more at the start" in issue.message for issue in issues[:-3])


def test_a_search_that_would_take_too_long_says_so(monkeypatch):
    monkeypatch.setattr(start_overlaps, "_LEAST", 0)
    monkeypatch.setattr(start_overlaps, "_EACH", 1)
    issues = found(parted(300))
    assert [issue.pointer for issue in issues] == ["/nodes/0"]
    why = "too many objects are close to this one and 299 others, so not all were compared"
    assert why in issues[0].message
    assert not codes(parted(3))


def test_a_compound_of_a_shape_beyond_all_numbers_is_checked() -> None:
    """Found by damaging files: its inertia has no number, and the check ended with an exception."""
    huge = {"type": "box", "box": {"size": [1e308, 1e308, 1e308]}}
    json = file(node(1, 2, **{BODY: {"motion": {"type": "dynamic", "mass": 3}}}))
    json["extensions"][SHAPE]["shapes"] = [huge, SHAPES[BALL]]
    for shape, x in ((0, -1.0), (1, 1.0)):
        json["nodes"].append(node(at=(x, 0, 0), **{BODY: {"collider": {"shape": shape}}}))
    assert not [issue for issue in found(json) if issue.code == "B25"]
