"""Every rule over whole documents: a file that breaks it and no other, and one that breaks none."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.codec.rules import all_rules, file_check
from omi_physics_addon.codec.rules.subject import Subject
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.engines import TARGETS
from omi_physics_addon.issue_codes import Severity
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.document import PhysicsDocument
from tests.support import pace

BODY, SHAPE, JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
GRAVITY, VEHICLE, SEAT = "OMI_physics_gravity", "OMI_vehicle_body", "OMI_seat"
WHEEL, THRUSTER, HOVER = "OMI_vehicle_wheel", "OMI_vehicle_thruster", "OMI_vehicle_hover_thruster"

Json = dict[str, Any]
SHAPES = [
    {"type": "box", "box": {}},
    {"type": "trimesh", "trimesh": {"mesh": 0}},
    {"type": "sphere", "sphere": {"radius": 1.0}},
    {"type": "capsule", "capsule": {"height": 1.0, "radiusTop": 0.5, "radiusBottom": 0.5}},
    {"type": "convex", "convex": {"mesh": 0}},
]
BOX, TRIMESH, SPHERE, CAPSULE, CONVEX = range(5)
HINGE = {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
WELD = {"limits": [*HINGE["limits"], {"angularAxes": [0, 1, 2], "min": 0, "max": 0}]}


def node(*children: int, place: Json | None = None, **extensions: Any) -> Json:
    return {"children": list(children), "extensions": extensions, **(place or {})}


def body(*children: int, kind: str = "dynamic", place: Json | None = None, **more: Any) -> Json:
    """A body with a box of its own, unless its members say otherwise."""
    members = {"motion": {"type": kind, "mass": 1.0}, "collider": {"shape": BOX}}
    if kind == "static":
        del members["motion"]["mass"]
    members["motion"].update(more.pop("motion", {}))
    members.update(more.pop("members", {}))
    members = {key: value for key, value in members.items() if value is not None}
    return node(*children, place=place, **{BODY: members}, **more)


def solid(shape: int | None = BOX, *, place: Json | None = None, **members: Any) -> Json:
    collider = members if shape is None else {"shape": shape, **members}
    return node(place=place, **{BODY: {"collider": collider}})


def area(*children: int, place: Json | None = None, **more: Any) -> Json:
    return node(*children, place=place, **{BODY: {"trigger": {"shape": BOX}}}, **more)


def group(*nodes: int, children: tuple[int, ...] = (), **more: Any) -> Json:
    return node(*children, **{BODY: {"trigger": {"nodes": list(nodes)}}}, **more)


def file(*nodes: Json, triangles: int = 12, **root: Any) -> Json:
    """A glTF of these nodes, with the shapes it uses, and its extensions declared."""
    json: Json = {
        "nodes": copy.deepcopy(list(nodes)),
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"count": 3 * triangles}],
        "extensions": {SHAPE: {"shapes": copy.deepcopy(SHAPES)}, **copy.deepcopy(root)},
    }
    prune_shapes(json)
    names = {n for owner in (json, *json["nodes"]) for n in owner["extensions"]}
    json["extensionsUsed"] = sorted(names)
    return json


def listing(name: str) -> Json:
    """A file that says that it has one more extension."""
    json = file(solid())
    json["extensionsUsed"].append(name)
    return json


def prune_shapes(json: Json) -> None:
    """Leave out the shapes behind the last one that a node uses, and the mesh with them."""
    parts = [part for n in json["nodes"] for part in n["extensions"].get(BODY, {}).values()]
    used = [part["shape"] for part in parts if "shape" in part]
    shapes = json["extensions"][SHAPE]["shapes"]
    kept = [k for k in range(len(shapes)) if k in used or k == BOX]
    for part in parts:
        if "shape" in part:
            part["shape"] = kept.index(part["shape"])
    json["extensions"][SHAPE]["shapes"] = [shapes[k] for k in kept]


def material(**members: Any) -> Json:
    lists = {BODY: {"physicsMaterials": [members]}}
    return file(solid(physicsMaterial=0), **lists)


def filters(*rows: Any) -> Json:
    nodes = [solid(collisionFilter=k) for k in range(len(rows))]
    return file(*nodes, **{BODY: {"collisionFilters": list(rows)}})


def joined(settings: Json, *, ends: tuple[Json, Json] | None = None, **members: Any) -> Json:
    """Two bodies held together by a joint in the first one."""
    ends = ends or (body(2), body(3))
    joint = {"joint": 0, "connectedNode": 3, **members}
    lists = {JOINT: {"physicsJoints": [settings]}}
    return file(*ends, node(**{JOINT: joint}), node(), **lists)


def drive(**members: Any) -> Json:
    whole = {"type": "linear", "mode": "force", "axis": 1, **members}
    return joined({"drives": [whole]})


def well(**members: Any) -> Json:
    """A gravity volume."""
    whole = {"type": "point", "point": {"unitDistance": 1.0}, "gravity": 1.0, **members}
    whole = {key: value for key, value in whole.items() if value is not None}
    return file(area(**{GRAVITY: whole}))


def car(*, part: Json | None = None, place: Json | None = None, **members: Any) -> Json:
    """A vehicle with a wheel, and a seat that is not its pilot's unless said."""
    wheel = node(place=place, **(part or {WHEEL: {"wheel": 0}}))
    chair = seat_node()
    return file(
        body(1, 2, **{VEHICLE: {"maxSpeed": -1.0, **members}}),
        wheel,
        chair,
        **{WHEEL: {"wheels": [{"maxPropulsionForce": 10.0, "brakingForce": 20.0}]}},
    )


def seat_node(place: Json | None = None, **members: Any) -> Json:
    whole = {"back": [0, 0, 0], "knee": [0, 0, 0.5], "foot": [0, -0.5, 0.5], **members}
    return area(place=place, **{SEAT: whole})


def thruster(**members: Any) -> Json:
    parts = {THRUSTER: {"thrusters": [{"maxForce": 10.0, **members}]}}
    return file(
        body(1, **{VEHICLE: {"maxSpeed": -1.0}}), node(**{THRUSTER: {"thruster": 0}}), **parts
    )


def animated(json: Json, at: int) -> Json:
    target = {"node": at, "path": "rotation"}
    return json | {"animations": [{"channels": [{"sampler": 0, "target": target}]}]}


def with_parts(json: Json, at: int, **extensions: Any) -> Json:
    json["nodes"][at]["extensions"] |= extensions
    return json


DOUBLE = {"scale": [2, 2, 2]}
SQUASHED = {"scale": [1, 2, 1]}
TURNED = {"rotation": [0, 0, math.sin(math.pi / 8), math.cos(math.pi / 8)]}

BROKEN: dict[str, Callable[[], Json]] = {
    "G05": lambda: with_mesh({"attributes": {"POSITION": 9}}),
    "F01": lambda: file(body()) | {"extensionsRequired": [[]]},
    "B03": lambda: file(body(members={"collider": None})),
    "B04": lambda: file(body(1), body()),
    "B06": lambda: file(body(kind="static", motion={"mass": 5.0})),
    "B09": lambda: file(body(motion={"inertiaDiagonal": [1, 1, 3]})),
    "B14": lambda: file(body(kind="static", motion={"linearVelocity": [1, 0, 0]})),
    "B15": lambda: file(body(kind="kinematic", motion={"angularVelocity": [1, 0, 0]})),
    "B18": lambda: animated(file(body()), 0),
    "B19": lambda: file(body(1, place=DOUBLE, members={"collider": None}), solid(None) | half()),
    "B22": lambda: file(body(1, members={"collider": None}), area()),
    "B24": lambda: joined(
        HINGE, ends=(body(2, motion={"mass": 1.0}), body(3, motion={"mass": 200.0}))
    ),
    "C01": lambda: file(solid(None)),
    "C03": lambda: file(node(**{BODY: {"collider": {"shape": 0}, "trigger": {"shape": 0}}})),
    "C05": lambda: material(restitution=1.5),
    "C07": lambda: material(staticFriction=0.1, dynamicFriction=0.2),
    "C09": lambda: filters({}),
    "C10": lambda: filters({"collisionSystems": ["a"], "collideWithSystems": ["b"]}),
    "C11": lambda: filters({"collisionSystems": ["Big Car"]}, {"collisionSystems": ["bigcar"]}),
    "C13": lambda: file(solid(), **{BODY: {"collisionFilters": [{"collisionSystems": ["a"]}]}}),
    "C14": lambda: filters({"collisionSystems": [f"system {i}" for i in range(33)]}),
    "E03": lambda: file(seat_node(foot=[0, 0, 1.0])),
    "E04": lambda: file(seat_node(angle=4.0)),
    "E05": lambda: file(node(**{SEAT: seat_node()["extensions"][SEAT]})),
    "E06": lambda: file(seat_node(foot=[0, -5.0, 0.5])),
    "E07": lambda: file(
        group(1, children=(1,), **{SEAT: seat_node()["extensions"][SEAT]}) | DOUBLE,
        area(place={"scale": [0.5] * 3}),
    ),
    "G01": lambda: file(solid()) | {"extensionsUsed": [SHAPE]},
    "G02": lambda: file(solid()) | {"extensionsUsed": [BODY, SHAPE, SEAT]},
    "G03": lambda: file(solid()) | {"extensionsRequired": [BODY]},
    "G10": lambda: file(solid(), **{JOINT: {"physicsJoints": []}}),
    "H01": lambda: with_parts(car(), 0, **{BODY: {"collider": {"shape": 0}}}),
    "H02": lambda: with_parts(car(), 0, **body(kind="kinematic")["extensions"]),
    "H03": lambda: car(pilotSeat=1),
    "H04": lambda: with_parts(
        car(pilotSeat=2), 2, **seat_node(knee=[0, 0, -0.5], foot=[0, -0.5, -0.5])["extensions"]
    ),
    "H06": lambda: car(linearActivation=[0, 2, 0]),
    "H07": lambda: car(angularActivation=[0, 0.5, 0]),
    "H08": lambda: car(maxSpeed=0.0),
    "H10": lambda: powerless(),
    "H11": lambda: file(body(**{VEHICLE: {"maxSpeed": -1.0}})),
    "J03": lambda: joined(HINGE, ends=(body(2, kind="static"), body(3))),
    "J04": lambda: joined(HINGE, ends=(body(2), node(3))),
    "J05": lambda: joined(HINGE, ends=(body(2, 3), node())),
    "J06": lambda: joined(HINGE, ends=(body(2, kind="static"), body(3, kind="kinematic"))),
    "J07": lambda: with_parts(joined(HINGE), 2, **{BODY: {"collider": {"shape": 0}}}),
    "J08": lambda: joined(HINGE, connectedNode=2),
    "J09": lambda: with_parts(joined(HINGE), 3, **{JOINT: {"joint": 0, "connectedNode": 2}}),
    "J16": lambda: joined({"limits": [{"linearAxes": [0, 1], "max": -1.0}]}),
    "J16i": lambda: joined({"limits": [{"linearAxes": [0, 1], "min": -1.0, "max": 1.0}]}),
    "J17": lambda: joined({"limits": [{"angularAxes": [0], "max": 90.0}]}),
    "J20": lambda: joined({"limits": [{"linearAxes": [0], "max": 1.0, "damping": 1.0}]}),
    "J21": lambda: joined(
        {"limits": [{"linearAxes": [0], "max": 1.0}, {"linearAxes": [0], "min": 0.0}]}
    ),
    "J25": lambda: drive(positionTarget=1.0),
    "J26": lambda: drive(stiffness=1.0),
    "J27": lambda: drive(velocityTarget=1.0),
    "J28": lambda: joined(
        {
            "limits": [{"linearAxes": [1], "max": 1.0}],
            "drives": drive(stiffness=1.0, positionTarget=2.0)["extensions"][JOINT][
                "physicsJoints"
            ][0]["drives"],
        }
    ),
    "J29": lambda: joined(
        {
            "limits": [{"linearAxes": [1], "min": 0.0, "max": 0.0}],
            "drives": drive(damping=1.0, velocityTarget=2.0)["extensions"][JOINT]["physicsJoints"][
                0
            ]["drives"],
        }
    ),
    "J30": lambda: joined({"drives": [{"type": "linear", "mode": "force", "axis": 1}] * 2}),
    "J31": lambda: drive(maxForce=0.0),
    "J33": lambda: joined(WELD, ends=(body(2), body(3, place={"translation": [0, 1, 0]}))),
    "J34": lambda: with_place(joined(HINGE), 2, DOUBLE),
    "J36": lambda: file(solid(), **{JOINT: {"physicsJoints": [HINGE]}}),
    "J38": lambda: animated(joined(HINGE), 3),
    "J40": lambda: joined(
        HINGE, ends=(body(2, motion={"mass": 1.0}), body(3, motion={"mass": 11.0}))
    ),
    "R01z": lambda: thruster(maxForce=0.0),
    "R07": lambda: thruster(gimbalChangeRate=0.0, maxGimbal=1.0),
    "S09": lambda: with_shape({"type": "capsule", "capsule": {"radiusTop": 0.2}}),
    "S10": lambda: with_shape({"type": "capsule", "capsule": {"height": 0.2, "radiusTop": 0.1}}),
    "S13": lambda: file(solid(CONVEX), triangles=0),
    "S17": lambda: file(body(members={"collider": {"shape": TRIMESH}})),
    "S18": lambda: file(node(**{BODY: {"trigger": {"shape": TRIMESH}}})),
    "S19": lambda: file(body(kind="kinematic", members={"collider": {"shape": TRIMESH}})),
    "S20": lambda: file(solid(place=DOUBLE)),
    "S21": lambda: file(solid(SPHERE, place=SQUASHED)),
    "S22": lambda: file(solid(place={"scale": [1, 0, 1]})),
    "S23": lambda: file(solid(place={"scale": [-1, 1, 1]})),
    "S31": lambda: file(solid(TRIMESH), triangles=10_001),
    "S33": lambda: plane_on_a_body(),
    "T03": lambda: file(group(1, 2, children=(1,)), area(), area()),
    "T04": lambda: file(group(1, 2, children=(1, 2)), area(), node()),
    "T07": lambda: file(group(1, children=(1,)), group(2, children=(2,)), area()),
    "T08": lambda: file(group(0, 1, children=(1,)), area()),
    "T09": lambda: file(group(1, children=(1, 2)), area(), area()),
    "V01": lambda: file(node(**well()["nodes"][0]["extensions"] | {BODY: {}})),
    "V02": lambda: file(
        group(1, children=(1,), **{GRAVITY: pull()}) | trigger_and_collider(), area()
    ),
    "V03": lambda: file(group(1, children=(1,)), area(**{GRAVITY: pull()})),
    "V12": lambda: well(
        type="line", point=None, line={"unitDistance": 1, "points": [0, 0, 0, 0, 0, 0]}
    ),
    "V18": lambda: file(
        group(1, children=(1,), **{GRAVITY: pull()}) | DOUBLE, area(place={"scale": [0.5] * 3})
    ),
    "V19": lambda: well(stop=True, priority=-1),
    "V20": lambda: well(point={"unitDistance": 0.0}),
    "V21": lambda: well(stop=True, replace=True),
    "V22": lambda: well(gravity=0.0),
    "W01": lambda: file(
        node(**{WHEEL: {"wheel": 0}}), **{WHEEL: {"wheels": [{"brakingForce": 9.0}]}}
    ),
    "W02": lambda: file(
        body(**{VEHICLE: {"maxSpeed": -1}, WHEEL: {"wheel": 0}}),
        **{WHEEL: {"wheels": [{"brakingForce": 9.0}]}},
    ),
    "W08": lambda: file(
        body(1, **{VEHICLE: {"maxSpeed": -1, "gyroTorque": [1, 1, 1]}}),
        node(2),
        body(3),
        node(**{WHEEL: {"wheel": 0}}),
        **{WHEEL: {"wheels": [{"brakingForce": 9.0}]}},
    ),
    "W09": lambda: car(place=DOUBLE),
    "B16": lambda: file(body(motion={"centerOfMass": [0, 1, 0]})),
    "B17": lambda: file(body(motion={"gravityFactor": 0.5})),
    "B20": lambda: khr(motion={}),
    "B21": lambda: file(node(1), body()) | {"skins": [{"joints": [0]}]},
    "C12": lambda: filters({"collisionSystems": ["a"], "collideWithSystems": []}),
    "H05": lambda: with_parts(car(pilotSeat=3), 2, **seat_node()["extensions"]) | pilot_apart(),
    "J04k": lambda: khr_joined(),
    "J27b": lambda: drive(damping=1.0),
    "J32": lambda: drive(mode="acceleration"),
    "J35": lambda: joined({"limits": [{"linearAxes": [0, 1], "max": 1.0}]}),
    "S11": lambda: with_shape({"type": "cylinder", "cylinder": {}}),
    "S14": lambda: file(solid(CONVEX)) | {"arrays": {0: ball(300)}},
    "S15": lambda: with_primitives(2),
    "S16": lambda: with_primitives(1, mode=1),
    "S25": lambda: file(solid()) | unused_shape(),
    "S27": lambda: file(solid(), solid(SPHERE)) | twice(BOX),
    "S34": lambda: khr(place=DOUBLE, collider={"geometry": {"shape": 0}}),
    "S35": lambda: file(solid(CONVEX)) | {"arrays": {0: flat()}},
    "S37": lambda: file(solid(TRIMESH)) | {"arrays": {0: tetrahedron(inward=True)}},
    "V23": lambda: file(body(), **{GRAVITY: {"gravity": 9.8}}),
    "V24": lambda: file(group(1, children=(1,), **{GRAVITY: pull()}), area()),
    "W11": lambda: braking({"maxPropulsionForce": 10.0, "maxForce": 10.0, "brakingForce": 1}),
    "W12": lambda: braking({"maxPropulsionForce": 10.0}),
    "W13": lambda: two_families(friction=0.5),
    "X03": lambda: listing("BLENDER_physics"),
    "W10": lambda: car(place={"rotation": [0, math.sqrt(0.5), 0, math.sqrt(0.5)]}),
}
# Codes that come with another one by their nature.
COMPANIONS = {
    "B19": {"S20", "C01"},
    "W08": {"B04"},
    "V02": {"C03", "V24"},
    "V18": {"V24"},
    "S33": {"B20"},
    "V23": {"G02"},
}

KHR_BODY, KHR_SHAPE = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"


def khr(*, place: Json | None = None, **members: Any) -> Json:
    """A node of KHR."""
    json = {
        "nodes": [node(place=place, **{KHR_BODY: members})],
        "extensions": {KHR_SHAPE: {"shapes": [{"type": "box", "box": {}}]}},
        "extensionsUsed": [KHR_BODY, KHR_SHAPE],
    }
    members.setdefault("collider", {"geometry": {"shape": 0}})
    return json


def khr_joined(*, other: Json | None = None) -> Json:
    """A body of KHR on a hinge that hangs on a plain node, unless said."""
    json = khr(motion={"mass": 1.0}, joint={"joint": 0, "connectedNode": 1})
    json["nodes"].append(other or node())
    json["extensions"][KHR_BODY] = {"physicsJoints": [copy.deepcopy(HINGE)]}
    return json


def pilot_apart() -> Json:
    """A seat that is not below the car, for `|`."""
    json = car(pilotSeat=3)
    return {"nodes": [*json["nodes"], seat_node()]}


def unused_shape() -> Json:
    shapes = [{"type": "box", "box": {}}, {"type": "sphere", "sphere": {"radius": 2.0}}]
    return {"extensions": {SHAPE: {"shapes": shapes}}, "looks_at_lists": True}


def twice(shape: int) -> Json:
    return {"extensions": {SHAPE: {"shapes": [copy.deepcopy(SHAPES[shape])] * 2}}}


def with_primitives(count: int, **members: Any) -> Json:
    json = file(solid(CONVEX))
    json["meshes"][0]["primitives"] = [{"attributes": {"POSITION": 0}, **members}] * count
    return json


def braking(wheel: Json) -> Json:
    json = car()
    json["extensions"][WHEEL]["wheels"] = [wheel]
    return json


def two_families(**other: Any) -> Json:
    """A car whose wheel has material 0, which is another one in KHR."""
    json = braking({"brakingForce": 1.0, "maxPropulsionForce": 1.0, "physicsMaterial": 0})
    material = {"staticFriction": 0.6, "dynamicFriction": 0.6, "restitution": 0.0}
    words = {"frictionCombine": "average", "restitutionCombine": "average"}
    ours = material | words
    theirs = ours | ({"restitution": other["friction"]} if other else {})
    for at in (0, 1):
        json["nodes"].append(solid(physicsMaterial=at))
        theirs_on = {"collider": {"geometry": {"shape": 0}, "physicsMaterial": at}}
        json["nodes"].append(node(**{KHR_BODY: theirs_on}))
    more = ours | {"staticFriction": 0.7}
    json["extensions"] |= {
        BODY: {"physicsMaterials": [ours, more]},
        KHR_BODY: {"physicsMaterials": [theirs, more]},
        KHR_SHAPE: {"shapes": [{"type": "box", "box": {}}]},
    }
    json["extensionsUsed"] += [KHR_BODY, KHR_SHAPE]
    return json


def ball(count: int) -> tuple[Any, Any]:
    """So many points on a ball, which are all corners of their hull."""
    k = np.arange(count) + 0.5
    up, around = 1.0 - 2.0 * k / count, math.pi * (1.0 + math.sqrt(5.0)) * k
    out = np.sqrt(1.0 - up * up)
    points = np.stack([out * np.cos(around), up, out * np.sin(around)], axis=1)
    return points, np.arange(count).reshape(-1, 3)


def flat() -> tuple[Any, Any]:
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], dtype=float)
    return points, np.array([[0, 1, 2], [0, 2, 3]])


def tetrahedron(*, inward: bool = False) -> tuple[Any, Any]:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    return points, faces[:, ::-1] if inward else faces


# What is as near to a fault as can be and none, by the code that it does not raise.
NEIGHBOURS: dict[str, Callable[[], Json]] = {
    "X03": lambda: listing("EXT_mesh_gpu_instancing"),
    "B03": lambda: khr_joined(  # It does nothing but hold the joint.
        other=node(
            **{
                KHR_BODY: {
                    "motion": {"isKinematic": True},
                    "joint": {"connectedNode": 0, "joint": 0},
                }
            }
        )
    ),
    "B06": lambda: file(body(kind="static")),
    "B16": lambda: file(body(motion={"centerOfMass": [0, 0, 0]})),
    "B17": lambda: file(body(motion={"gravityFactor": 1.0})),
    "B20": lambda: khr(motion={"mass": 1.0}),
    "B21": lambda: file(node(1), body(kind="kinematic")) | {"skins": [{"joints": [0]}]},
    "C12": lambda: filters({"collisionSystems": ["a"], "collideWithSystems": ["a"]}),
    "H05": lambda: car(pilotSeat=2),
    "J04k": lambda: khr_joined(other=node(**{KHR_BODY: {"motion": {"isKinematic": True}}})),
    "J27b": lambda: drive(damping=1.0, velocityTarget=0.0),
    "J32": lambda: drive(mode="force"),
    "J35": lambda: joined({"limits": [{"linearAxes": [0, 1], "min": 0.0, "max": 0.0}]}),
    "J40": lambda: joined(
        HINGE, ends=(body(2, motion={"mass": 1.0}), body(3, motion={"mass": 9.9}))
    ),
    "S11": lambda: with_shape({"type": "capsule", "capsule": {}}),
    "S14": lambda: file(solid(CONVEX)) | {"arrays": {0: ball(255)}},
    "S15": lambda: with_primitives(1),
    "S16": lambda: with_primitives(1, mode=4),
    "S25": lambda: file(solid()) | {"looks_at_lists": True},
    "S27": lambda: file(solid(), solid(SPHERE)),
    "S34": lambda: khr(collider={"geometry": {"shape": 0}}),
    "S35": lambda: file(solid(CONVEX)) | {"arrays": {0: tetrahedron(inward=True)}},
    "S37": lambda: file(solid(TRIMESH)) | {"arrays": {0: tetrahedron()}},
    "V23": lambda: file(body(), solid(), **{GRAVITY: {"gravity": 9.8}}),
    "V24": lambda: well(),
    "W11": lambda: braking({"maxPropulsionForce": 10.0, "brakingForce": 1}),
    "W12": lambda: braking({"maxPropulsionForce": 10.0, "brakingForce": 0.0}),
    "W13": lambda: two_families(),
}


def half() -> Json:
    return {"scale": [0.5, 0.5, 0.5], **{"extensions": {BODY: {"collider": {"shape": BOX}}}}}


def pull() -> Json:
    return well()["nodes"][0]["extensions"][GRAVITY]


def powerless() -> Json:
    json = car(useThrottle=True)
    json["extensions"][WHEEL]["wheels"][0]["maxPropulsionForce"] = 0.0
    return json


def with_place(json: Json, at: int, place: Json) -> Json:
    json["nodes"][at] |= place
    return json


def with_shape(shape: Json) -> Json:
    json = file(solid())
    json["extensions"][SHAPE]["shapes"][BOX] = shape
    return json


def with_mesh(primitive: Json) -> Json:
    json = file(solid(TRIMESH))
    json["meshes"] = [{"primitives": [primitive]}]
    return json


def trigger_and_collider() -> Json:
    both = {"trigger": {"nodes": [1]}, "collider": {"shape": BOX}}
    return {"extensions": {BODY: both, GRAVITY: pull()}}


def plane_on_a_body() -> Json:
    body_name, shape_name = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
    ours = {"motion": {}, "collider": {"geometry": {"shape": 0}}}
    return {
        "nodes": [{"extensions": {body_name: ours}}],
        "extensions": {shape_name: {"shapes": [{"type": "plane", "plane": {}}]}},
        "extensionsUsed": [body_name, shape_name],
    }


def codes(json: Json) -> set[str]:
    issues = Issues()
    file_check.check_file(json, issues, mesh_of(json))
    found = set(issues.codes())
    # Shape 0 stands in every file, for those that nodes get later.
    return found - {"S25"} if not json.get("looks_at_lists") else found


def mesh_of(json: Json) -> Callable[[int], Any]:
    """What reads the meshes that a file of these tests brings along, as arrays."""
    return lambda mesh: json.get("arrays", {}).get(mesh)


def raised() -> set[str]:
    """The codes that stand in the rules and in the check of a whole file."""
    from tests.test_issues import PACKAGE, named_in

    folder = PACKAGE / "codec" / "rules"
    paths = [*folder.glob("*_rules.py"), folder / "file_check.py"]
    return {code for path in paths for code in named_in(path)[1]}


def test_every_rule_has_a_file():
    assert raised() == BROKEN.keys()


@pytest.mark.parametrize("code", BROKEN)
def test_a_broken_rule_is_found_and_no_other(code):
    found = codes(BROKEN[code]())
    assert found - COMPANIONS.get(code, set()) == {code}


@pytest.mark.parametrize("code", NEIGHBOURS)
def test_what_is_nearly_a_fault_is_none(code):
    assert code in BROKEN
    assert code not in codes(NEIGHBOURS[code]())


def looking(mesh: Any, **members: Any) -> list[tuple[str, str]]:
    """The severity and the message of S37 about a trimesh."""
    json = file(solid(TRIMESH, **members)) | {"arrays": {0: mesh}}
    issues = Issues()
    file_check.check_file(json, issues, mesh_of(json))
    return [(i.severity.value, i.message) for i in issues if i.code == "S37"]


def test_triangles_that_look_away_are_told():
    corners, faces = tetrahedron()
    ((severity, why),) = looking((corners, np.array([faces[0][::-1], *faces[1:]])))
    assert (severity, why) == (
        "WARNING",
        "1 of 4 triangles looks the wrong way, so bodies may pass through there; flip it",
    )
    ((severity, why),) = looking((corners, faces[:, ::-1]))
    assert severity == "WARNING"
    assert "inward" in why


def test_an_open_trimesh_that_looks_down_is_worth_knowing():
    corners, faces = flat()
    down = corners, faces if looking((corners, faces)) else faces[:, ::-1]
    up = corners, down[1][:, ::-1]
    ((severity, why),) = looking(down)
    assert severity == "INFO"
    assert "down" in why
    assert looking(up) == []
    half_a_turn = {"rotation": [1.0, 0.0, 0.0, 0.0]}
    assert looking(down, place=half_a_turn) == []
    assert looking(up, place=half_a_turn) != []
    assert looking(up, place={"rotation": [math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]}) == []
    # Readers turn the triangles of what is mirrored.
    assert looking(up, place={"scale": [-1, 1, 1]}) == []
    assert looking(up, place={"scale": [1, -1, 1]}) != []


def test_hulls_are_looked_at_once_for_each_mesh():
    json = file(*(solid(CONVEX) for _ in range(5))) | {"arrays": {0: ball(300)}}
    read: list[int] = []

    def reader(mesh: int) -> Any:
        read.append(mesh)
        return mesh_of(json)(mesh)

    issues = Issues()
    file_check.check_file(json, issues, reader)
    assert (issues.codes()["S14"], read) == (5, [0])


def test_joined_masses_are_told_with_both_bodies_and_their_ratio():
    ends = (body(2, motion={"mass": 24.0}), body(3, motion={"mass": 0.5}))
    issues = Issues()
    file_check.check_file(joined(HINGE, ends=ends), issues, mesh_of({}))
    (issue,) = (issue for issue in issues if issue.code == "J40")
    assert issue.severity is Severity.INFO
    assert "connects /nodes/1, 0.5 kg, to /nodes/0, 48 times as heavy" in issue.message


@pytest.mark.parametrize(
    "ends",
    [
        (body(2, motion={"mass": 24.0}), body(3, kind="kinematic", motion={"mass": 0.5})),
        (body(2, motion={"mass": 24.0}), body(3, motion={"mass": 0.0})),
    ],
)
def test_joined_masses_are_not_told_where_one_does_not_count(ends):
    assert "J40" not in codes(joined(HINGE, ends=ends))


@pytest.mark.parametrize(("reach", "told"), [(1.45, False), (1.5, False), (1.55, True)])
def test_legs_longer_than_three_meters_are_unusual(reach: float, told: bool):
    points = {"back": [0, 0, 0], "knee": [0, -reach, 0.1], "foot": [0, -2.0 * reach, 0]}
    found = codes(file(body(1), seat_node(**points)))
    assert ("E06" in found) is told


@pytest.mark.parametrize(("foot", "told"), [([0, 0.5, 0.5], False), ([0, 1, 1], True)])
def test_a_seat_above_the_origin_of_its_node_is_looked_at_alike(foot: Any, told: bool):
    found = codes(file(body(1), seat_node(back=[0, 1, 0], knee=[0, 1, 0.5], foot=foot)))
    assert found & {"E03", "E06"} == ({"E03"} if told else set())


def test_shapes_of_two_families_are_in_no_order_of_one_list():
    """So that entries which nothing uses, or which are alike, cannot be pointed at."""
    omi = file(solid())
    omi["extensions"][SHAPE]["shapes"] += [SHAPES[SPHERE]] * 2
    assert codes({**omi, "looks_at_lists": True}) == {"S25", "S27"}
    khr = "KHR_implicit_shapes"
    both = copy.deepcopy(omi)
    both["extensions"][khr] = {"shapes": [{"type": "sphere", "sphere": {}}]}
    body_of_khr = {"collider": {"geometry": {"shape": 0}}}
    both["nodes"].append({"extensions": {"KHR_physics_rigid_bodies": body_of_khr}})
    assert not codes({**both, "looks_at_lists": True}) & {"S25", "S27"}


def test_cylinders_are_told_once():
    json = with_shape({"type": "cylinder", "cylinder": {}})
    json["nodes"] = json["nodes"] * 3
    issues = Issues()
    file_check.check_file(json, issues)
    (issue,) = (issue for issue in issues if issue.code == "S11")
    assert issue.pointer == "/nodes/0"
    assert "this shape and 2 more" in issue.message


GOOD: list[Json] = [
    file(body(), solid(TRIMESH), area()),
    file(body(1), solid(CONVEX)),
    file(body(1, members={"collider": None}), solid(None) | {"children": [2]}, solid()),
    joined(HINGE),
    joined(WELD),
    joined(HINGE, ends=(body(2), body(3, kind="static"))),
    drive(stiffness=1.0, positionTarget=0.0, damping=1.0, velocityTarget=1.0),
    well(),
    well(gravity=0.0, stop=True),
    car(pilotSeat=2),
    file(group(1, children=(1,)), area()),
    file(seat_node()),
    thruster(),
    material(),
    filters({"collisionSystems": ["a"], "collideWithSystems": ["a"]}),
    {},
]


@pytest.mark.parametrize("json", GOOD, ids=range(len(GOOD)))
def test_what_is_right_breaks_no_rule(json):
    assert codes(json) == set()


def test_places_are_what_the_caller_says():
    json = BROKEN["S17"]()
    issues = Issues()
    document = file_check.check_file(json, Issues())
    tree = Tree([[]], [None])
    all_rules.check(Subject(document, tree, issues, place="Object {}".format))
    assert [issue.pointer for issue in issues] == ["Object 0"]


@pytest.mark.parametrize(("end", "who"), [(2, "the joint's axes"), (3, "the axes of /nodes/3")])
def test_joints_that_an_uneven_scale_shears_are_told(end, who):
    json = joined(HINGE)
    json["nodes"].append(node(end, place=SQUASHED))
    json["nodes"][end - 2]["children"] = [4]
    assert codes(json) == ({"J34"} if end == 2 else set())  # An uneven scale, and no shear yet.
    json["nodes"][end] |= TURNED
    issues = Issues()
    file_check.check_file(json, issues)
    (issue,) = issues
    assert (issue.code, issue.pointer) == ("J34", "/nodes/2")
    assert issue.message.startswith(f"{who} are sheared")


@pytest.mark.parametrize("code", ["S20", "S34"])
@pytest.mark.parametrize("target", ["SPECIFICATION", *TARGETS])
def test_engines_play_scaled_shapes_as_they_are_seen(code, target):
    """As the table of docs/engines.md measures; only what others read may lose its scale."""
    issues = Issues()
    file_check.check_file(BROKEN[code](), issues, target=target)
    assert (code in issues.codes()) is (target == "SPECIFICATION")


@pytest.mark.parametrize("code", ["S20", "J03", "J07"])
def test_rules_of_one_family_are_silent_for_the_other(code):
    json = BROKEN[code]()
    issues = Issues()
    document = file_check.check_file(json, Issues())
    tree = Tree([n["children"] for n in json["nodes"]], [None] * len(json["nodes"]))
    if code == "S20":
        tree.matrices = [tuple(2.0 * (i % 5 == 0) for i in range(15)) + (1.0,)]
    all_rules.check(Subject(document, tree, issues, families=("KHR",)))
    assert code not in issues.codes()


def test_a_joint_with_its_ends_swapped_may_still_work():
    issues = Issues()
    document = file_check.check_file(BROKEN["J03"](), issues)
    nodes = BROKEN["J03"]()["nodes"]
    tree = Tree([n.get("children", ()) for n in nodes], [None] * len(nodes))
    all_rules.check(Subject(document, tree, issues, families=("OMI",)))
    assert {i.severity for i in issues if i.code == "J03"} == {Severity.WARNING}


def seconds(count: int) -> float:
    """The time that rules take over cars and compound triggers."""
    nodes: list[Json] = []
    for _ in range(count):
        first = len(nodes)
        nodes += [body(first + 1, **{VEHICLE: {"maxSpeed": -1.0}}), node(**{WHEEL: {"wheel": 0}})]
        nodes += [group(first + 3, children=(first + 3,)), area()]
    json = file(*nodes, **{WHEEL: {"wheels": [{"maxPropulsionForce": 1.0, "brakingForce": 1.0}]}})
    document = file_check.check_file(json, Issues())
    tree = Tree([n["children"] for n in nodes], [None] * len(nodes))
    issues = Issues()
    start = time.thread_time()
    all_rules.check(Subject(document, tree, issues))
    assert not issues.codes()
    return time.thread_time() - start


def test_the_time_grows_as_the_scene_does():
    seconds(50)
    pace.check_growth(seconds, 200, 2000, most=40.0)  # A square would take 100.


def test_an_empty_document_is_fine():
    issues = Issues()
    all_rules.check(Subject(PhysicsDocument(), Tree([], []), issues))
    assert not len(issues)


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        ("BLENDER_physics", True),
        ("ULTRA_RigidBodyColliders", True),
        ("KHR_materials_unlit", False),
        ("KHR_physics_rigid_bodies", False),
    ],
)
def test_physics_that_is_not_read_is_told(name, is_told):
    """A gate that lets such a file pass would let an asset pass that arrives without physics."""
    issues = Issues()
    file_check.check_file({"asset": {"version": "2.0"}, "extensionsUsed": [name]}, issues)
    found = [issue for issue in issues if issue.code == "X03"]
    assert [issue.pointer for issue in found] == ["/extensionsUsed"] * is_told
    assert all(name in issue.message for issue in found)
