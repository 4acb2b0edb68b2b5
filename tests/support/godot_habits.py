"""Small glTF files that Godot 4 with its OMI add-on takes otherwise, and ones that it does not.

The pure tests look for the warning, the tests with engines for what Godot does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

Answer = dict[str, dict[str, Any]]
FALLS = -4.5  # How far down a body must be after a second of free fall, in metres.
BOX = {"type": "box", "box": {"size": [1, 1, 1]}}
FLAT = {"type": "box", "box": {"size": [10, 0.5, 10]}}
QUARTER = [0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)]  # A quarter turn about Z.
LOCKED = {"linearAxes": [0, 1, 2], "min": 0, "max": 0}
STIFF = {"angularAxes": [0, 1, 2], "min": 0, "max": 0}
SLIDES_ON_X = [{"linearAxes": [1, 2], "min": 0, "max": 0}, STIFF]


class Habit(NamedTuple):
    """A file, what Godot does otherwise with it as it stands, and as it is written for Godot.

    Attributes:
        codes: of what Godot does otherwise with the file as it stands, and the places.
        seen: what is true of Godot's answer to the file as it is written for Godot; takes Godot's
            nodes by name, after a second.
        left: the codes that are left when it is written for Godot; the same ones for None.
    """

    json: dict[str, Any]
    codes: list[tuple[str, str]]
    seen: Callable[[Answer], bool]
    left: list[tuple[str, str]] | None = None


def _node(name: str, *children: int, **members: Any) -> dict[str, Any]:
    out = {"name": name, **members}
    return {**out, "children": list(children)} if children else out


def _body(kind: str = "dynamic", shape: int | None = 0, **motion: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"motion": {"type": kind, "mass": 1, **motion}}
    if shape is not None:
        body["collider"] = {"shape": shape}
    return {"OMI_physics_body": body}


def _gltf(nodes: list[dict[str, Any]], **root: Any) -> dict[str, Any]:
    below = {child for node in nodes for child in node.get("children", ())}
    names = {name for node in nodes for name in node.get("extensions", {})}
    root = {"OMI_physics_shape": {"shapes": [BOX, FLAT]}, **root}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [i for i in range(len(nodes)) if i not in below]}],
        "nodes": nodes,
        "extensionsUsed": sorted(names | root.keys()),
        "extensions": root,
    }


_COLLIDER = {"OMI_physics_body": {"collider": {"shape": 0}}}
_TRIGGER = {"OMI_physics_body": {"trigger": {"shape": 0}}}


def _joint(
    limits: list[dict[str, Any]],
    *drives: dict[str, Any],
    at: dict[str, Any] | None = None,
    between: bool = False,
    **motion: Any,
) -> dict[str, Any]:
    """A static body, and a dynamic one that a joint ends on.

    Args:
        at: more extensions on the node of the joint.
        between: whether a node is between body and joint.
    """
    link = {"OMI_physics_joint": {"joint": 0, "connectedNode": 1}, **(at or {})}
    motion.setdefault("inertiaDiagonal", [1, 1, 1])
    nodes = [
        _node("Wall", 1, extensions=_body("static")),
        _node("End"),
        _node("Body", 3, extensions=_body(**motion)),
        _node("Joint", extensions=link),
    ]
    if between:
        nodes[2]["children"] = [4]
        nodes.append(_node("Between", 3))
    settings: dict[str, Any] = {"limits": limits}
    if drives:
        settings["drives"] = list(drives)
    return _gltf(nodes, OMI_physics_joint={"physicsJoints": [settings]})


def _apart(**placed: Any) -> dict[str, Any]:
    json = _joint([LOCKED, STIFF])
    json["nodes"][2] |= placed
    return json


def _hinge(axis: int, *more: Any, **motion: Any) -> dict[str, Any]:
    """A joint that turns about an axis; limits and drives of that axis follow."""
    fixed = {"angularAxes": [i for i in range(3) if i != axis], "min": 0, "max": 0}
    limits = [{"angularAxes": [axis], **row} for row in more if "mode" not in row]
    drives = [{"type": "angular", "axis": axis, **row} for row in more if "mode" in row]
    return _joint([LOCKED, fixed, *limits], *drives, **motion)


def _vehicle(part: str, settings: dict[str, Any], *, below: bool = False, body: Any = None) -> Any:
    """A vehicle above a floor, on four parts of a kind."""
    key = {"wheel": "wheels", "thruster": "thrusters", "hover_thruster": "hoverThrusters"}[part]
    word = {"hover_thruster": "hoverThruster"}.get(part, part)
    vehicle = {"OMI_vehicle_body": {"linearDampeners": True}} if body is None else body
    ground = {"motion": {"type": "static"}, "collider": {"shape": 1}}
    nodes = [
        _node("Floor", translation=[0, -2, 0], extensions={"OMI_physics_body": ground}),
        _node("Vehicle", extensions={**_body(mass=100), **vehicle}),
    ]
    tops: list[int] = []
    for x, z in ((-0.7, -0.7), (-0.7, 0.7), (0.7, -0.7), (0.7, 0.7)):
        extensions = {f"OMI_vehicle_{part}": {word: 0}}
        place = {"translation": [x, -0.9, z], "extensions": extensions}
        nodes.append(_node(f"Part {len(tops) + 1}", **place))
        if below:
            nodes.append(_node(f"Between {len(tops) + 1}", len(nodes) - 1))
        tops.append(len(nodes) - 1)
    nodes[1]["children"] = tops
    return _gltf(nodes, **{f"OMI_vehicle_{part}": {key: [settings]}})


def _height(name: str) -> Callable[[Answer], float]:
    return lambda nodes: nodes[name]["tT"]["position"][1]


def _falls(nodes: Answer) -> bool:
    return _height("Body")(nodes) < FALLS


def _rests(nodes: Answer) -> bool:
    return _height("Body")(nodes) > -0.6


def _turn(nodes: Answer) -> float:
    """How far the body has turned, in radians."""
    return 2.0 * math.asin(min(1.0, math.hypot(*nodes["Body"]["tT"]["rotation"][:3])))


def _spun(nodes: Answer, axis: int) -> float:
    """A member of the quaternion of the body, whose sign tells which way it has turned."""
    return nodes["Body"]["tT"]["rotation"][axis]


def _turned(low: float, high: float) -> Callable[[Answer], bool]:
    return lambda nodes: low <= _turn(nodes) <= high


def _is_lost(nodes: Answer) -> bool:
    return nodes["Body"]["tT"]["position"][0] == "nan"


def _on_x(low: float, high: float) -> Callable[[Answer], bool]:
    return lambda nodes: low <= nodes["Body"]["tT"]["position"][0] <= high


def _single(**motion: Any) -> dict[str, Any]:
    return _gltf([_node("Body", extensions=_body(**motion))])


def _nested(above: str, below: str) -> dict[str, Any]:
    child = _node("Body", translation=[5, 0, 0], extensions=_body(below))
    return _gltf([_node("Above", 1, extensions=_body(above)), child])


def _collider_below(kind: str, *, deep: bool) -> dict[str, Any]:
    nodes = [_node("Body", 1, extensions=_body(kind, None)), _node("Part", extensions=_COLLIDER)]
    if deep:
        nodes = [nodes[0], _node("Between", 2), nodes[1]]
    return _gltf(nodes)


def _surfaces(**shared: Any) -> dict[str, Any]:
    floor = {"motion": {"type": "static"}, "collider": {"shape": 0, **shared}}
    ball = {"motion": {"type": "dynamic", "mass": 1}, "collider": {"shape": 0, **shared}}
    lists = {
        "physicsMaterials": [{"restitution": 1, "restitutionCombine": "maximum"}],
        "collisionFilters": [{"collisionSystems": ["a"], "notCollideWithSystems": ["a"]}],
    }
    nodes = [
        _node("Body", extensions={"OMI_physics_body": ball}),
        _node("Floor", translation=[0, -1.5, 0], extensions={"OMI_physics_body": floor}),
    ]
    return _gltf(nodes, OMI_physics_body=lists)


def _gravity_volume() -> dict[str, Any]:
    pull = {"type": "directional", "gravity": 0, "stop": True}
    extensions = {**_TRIGGER, "OMI_physics_gravity": pull}
    return _gltf([_node("Zone", extensions=extensions), _node("Body", extensions=_body())])


_SPRING = {"mode": "force", "positionTarget": 1, "stiffness": 20, "damping": 5}
_STILL = {"mode": "force", "velocityTarget": 0, "damping": 0.1}
_SPINS_Y, _SPINS_Z = [0, 2, 0], [0, 0, 2]
_JOINT, _BODY, _PARTS = "/nodes/3", "/nodes/0", [f"/nodes/{i}" for i in range(2, 6)]
_OTHER_WAY = [("X36", _JOINT)]

HABITS: dict[str, Habit] = {
    # Bodies and colliders.
    "collider below": Habit(
        _collider_below("dynamic", deep=False), [], lambda n: len(n["Body"]["shapes"]) == 1
    ),
    "collider deep below": Habit(
        _collider_below("dynamic", deep=True),
        [("X21", "/nodes/2")],
        lambda n: len(n["Body"]["shapes"]) == 1,
        [],
    ),
    "collider deep below static": Habit(
        _collider_below("static", deep=True), [], lambda n: n["Part"]["class"] == "StaticBody3D"
    ),
    "dynamic in dynamic": Habit(
        _nested("dynamic", "dynamic"),
        [("X22", "/nodes/1")],
        lambda n: -6 < _height("Body")(n) < FALLS,
        [],
    ),
    "kinematic in dynamic": Habit(
        _nested("dynamic", "kinematic"), [("X22", "/nodes/1")], lambda n: not _falls(n), []
    ),
    "static in dynamic": Habit(_nested("dynamic", "static"), [], _falls),
    "dynamic in static": Habit(_nested("static", "dynamic"), [], _falls),
    "velocity": Habit(_single(linearVelocity=[1, 0, 0]), [], _on_x(0.9, 1.1)),
    "velocity, turned": Habit(
        _gltf([_node("Body", rotation=QUARTER, extensions=_body(linearVelocity=[1, 0, 0]))]),
        [("X23", _BODY)],
        _on_x(-0.1, 0.1),
        [],
    ),
    "velocity, turned above": Habit(
        _gltf(
            [
                _node("Above", 1, rotation=QUARTER),
                _node("Body", extensions=_body(linearVelocity=[1, 0, 0])),
            ]
        ),
        [("X23", "/nodes/1")],
        _on_x(-0.1, 0.1),
        [],
    ),
    "velocity along the axis of the turn": Habit(
        _gltf([_node("Body", rotation=QUARTER, extensions=_body(linearVelocity=[0, 0, 1]))]),
        [],
        lambda n: n["Body"]["tT"]["position"][2] > 0.9,
    ),
    "turned inertia": Habit(
        _single(inertiaDiagonal=[1, 2, 3], inertiaOrientation=QUARTER),
        [("X24", _BODY)],
        lambda n: n["Body"]["inertia"] == [1, 2, 3],
    ),
    "no gravity": Habit(_single(gravityFactor=0), [("X25", _BODY)], _falls),
    "material": Habit(_surfaces(physicsMaterial=0), [("X26", _BODY), ("X26", "/nodes/1")], _rests),
    "filter": Habit(_surfaces(collisionFilter=0), [("X26", _BODY), ("X26", "/nodes/1")], _rests),
    "gravity volume": Habit(_gravity_volume(), [("X27", _BODY)], _falls),
    "world gravity": Habit(
        _gltf([_node("Body", extensions=_body())], OMI_physics_gravity={"gravity": 1}),
        [("X27", "world gravity")],
        _falls,
    ),
    # Joints.
    "joint": Habit(_joint([LOCKED, STIFF]), [], _rests),
    "joint with a seat": Habit(
        _joint([LOCKED, STIFF], at={"OMI_seat": {k: [0, 0, 0] for k in ("back", "foot", "knee")}}),
        [],
        _rests,
    ),
    "joint with a collider": Habit(
        _joint([LOCKED, STIFF], at=_COLLIDER), [("X20", _JOINT)], _rests, []
    ),
    "joint with a trigger": Habit(
        _joint([LOCKED, STIFF], at=_TRIGGER), [("X20", _JOINT)], _rests, []
    ),
    "joint with a body": Habit(
        _joint([LOCKED, STIFF], at=_body()),
        [("X22", _JOINT), ("X20", _JOINT)],
        lambda n: abs(_height("Joint")(n)) < 0.1,
        [],
    ),
    "joint deep below": Habit(_joint([LOCKED, STIFF], between=True), [("X20", _JOINT)], _rests, []),
    "ends apart": Habit(
        _apart(translation=[0, -3, 0]),
        [("X30", _JOINT)],
        lambda n: abs(_height("Body")(n) + 3) < 0.1,
    ),
    "ends turned": Habit(
        _apart(rotation=[0, math.sin(0.25), 0, math.cos(0.25)]),
        [("X30", _JOINT)],
        _turned(0.49, 0.51),
    ),
    "hinge about Z": Habit(_hinge(2, angularVelocity=_SPINS_Z), [], _turned(1.9, 2.1)),
    "hinge about Z, stopped": Habit(
        _hinge(2, {"min": -0.2, "max": 0.2}, angularVelocity=_SPINS_Z), [], _turned(0.15, 0.21)
    ),
    "hinge about Z, one end": Habit(
        _hinge(2, {"max": 0.2}), [("X31", _JOINT), *_OTHER_WAY], _turned(0, 0.01), []
    ),
    "hinge about Y, one end": Habit(
        _hinge(1, {"max": 0.2}, angularVelocity=_SPINS_Y), _OTHER_WAY, _turned(1.9, 2.1), []
    ),
    "hinge about Z, spring": Habit(
        _hinge(2, _SPRING), [("X31", _JOINT), *_OTHER_WAY], lambda n: _spun(n, 2) < -0.25, []
    ),
    "hinge about Y, spring": Habit(
        _hinge(1, _SPRING), _OTHER_WAY, lambda n: _spun(n, 1) < -0.25, []
    ),
    "hinge about X": Habit(
        _hinge(0, angularVelocity=[2, 0, 0]), [("X32", _JOINT)], _turned(1.9, 2.1), []
    ),
    "hinge about Y, motor": Habit(
        _hinge(1, {"mode": "force", "velocityTarget": 0.5, "damping": 50}),
        [("X34", _JOINT), *_OTHER_WAY],
        lambda n: _spun(n, 1) < -0.2,
        [("X34", _JOINT)],
    ),
    "hinge about Y, soft": Habit(
        _hinge(1, {"min": -0.2, "max": 0.2, "stiffness": 0.5}, angularVelocity=_SPINS_Y),
        [("X33", _JOINT)],
        _turned(0.15, 0.21),
    ),
    "spring with a motor at rest": Habit(
        _hinge(1, {**_SPRING, "velocityTarget": 0}), _OTHER_WAY, lambda n: _spun(n, 1) < -0.25, []
    ),
    "hinge about Z, spring with a motor at rest": Habit(
        _hinge(2, {**_SPRING, "velocityTarget": 0}),
        [("X34", _JOINT), *_OTHER_WAY],
        lambda n: _spun(n, 2) < -0.25,
        [],
    ),
    "spring with a motor": Habit(
        _hinge(1, {**_SPRING, "velocityTarget": -2}),
        [("X34", _JOINT), *_OTHER_WAY],
        lambda n: _spun(n, 1) > 0.8,
        [("X34", _JOINT)],
    ),
    "still motor": Habit(
        _hinge(1, _STILL, angularVelocity=_SPINS_Y), [("X34", _JOINT)], _turned(0, 0.01)
    ),
    "still motor with a largest force": Habit(
        _hinge(1, {**_STILL, "maxForce": 0.5}, angularVelocity=_SPINS_Y), [], _turned(1.5, 1.9)
    ),
    "damping alone": Habit(
        _hinge(1, {"mode": "force", "damping": 5}, angularVelocity=_SPINS_Y),
        [("X34", _JOINT)],
        _turned(1.9, 2.1),
    ),
    "spring for any mass": Habit(
        _hinge(1, {**_SPRING, "mode": "acceleration"}, inertiaDiagonal=[100, 100, 100]),
        [("X35", _JOINT), *_OTHER_WAY],
        _turned(0.01, 0.3),
        [("X35", _JOINT)],
    ),
    "slider along X": Habit(
        _joint(
            [*SLIDES_ON_X, {"linearAxes": [0], "min": -0.3, "max": 0.3}], linearVelocity=[1, 0, 0]
        ),
        [],
        _on_x(0.25, 0.35),
    ),
    "slider along X, one end": Habit(
        _joint([*SLIDES_ON_X, {"linearAxes": [0], "max": 0.3}]),
        [("X31", _JOINT)],
        _on_x(-0.01, 0.01),
        [],
    ),
    # Vehicles.
    "wheels": Habit(_vehicle("wheel", {"radius": 0.3}), [], lambda n: _height("Vehicle")(n) > -1),
    "wheels deep below": Habit(
        _vehicle("wheel", {"radius": 0.3}, below=True),
        [("X28", f"/nodes/{i}") for i in range(2, 10, 2)],
        lambda n: _height("Vehicle")(n) > -1,
        [],
    ),
    "wheels of a plain body": Habit(
        _vehicle("wheel", {"radius": 0.3}, body={}),
        [("X28", part) for part in _PARTS],
        lambda n: _height("Vehicle")(n) < -1.2,
    ),
    "gimbal": Habit(
        _vehicle("thruster", {"maxForce": 100, "targetGimbalRatio": [0.1, 0.2]}),
        [("X29", part) for part in _PARTS],
        lambda n: n["Part 1"]["props"]["current_gimbal_ratio"] == [0, 0],
    ),
    "hovering": Habit(
        _vehicle("hover_thruster", {"maxHoverEnergy": 100, "targetHoverRatio": 0.5}),
        [("X29", part) for part in _PARTS],
        lambda n: n["Part 1"]["props"]["current_hover_ratio"] == 0,
    ),
}


def _links(nodes: Answer) -> set[str]:
    """The names of Godot's joints."""
    return {name for name, node in nodes.items() if "node_a" in node}
