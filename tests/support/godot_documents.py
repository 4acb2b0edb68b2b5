"""Documents of glTF that say each thing that our reader for Godot reads, written by hand."""

from __future__ import annotations

import base64
import struct
from typing import Any, Final

Json = dict[str, Any]

_HALF_TURN: Final = [0.0, 1.0, 0.0, 0.0]
_CORNERS: Final = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
_FACES: Final = (0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2)
OMI_BODIES: Final = 14
# The acceleration at (0, 3, 0) of a volume of each kind, m/s².
PULLS: Final = {
    "directional": (2.0, 0.0, 0.0),
    "point": (0.0, -2.0 * (2.0 / 3.0) ** 2, 0.0),
    "disc": (0.0, -2.0, 0.0),
    "torus": (0.0, -2.0, 0.0),
    "line": (0.0, -2.0, 0.0),
    "shaped": (0.0, -2.0, 0.0),
}


def _mesh() -> Json:
    """A tetrahedron, in a buffer of its own."""
    points = b"".join(struct.pack("<3f", *corner) for corner in _CORNERS)
    corners = struct.pack(f"<{len(_FACES)}H", *_FACES)
    data = base64.b64encode(points + corners).decode("ascii")
    return {
        "buffers": [
            {
                "uri": f"data:application/octet-stream;base64,{data}",
                "byteLength": len(points) + len(corners),
            }
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(corners)},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": len(_CORNERS),
                "type": "VEC3",
                "min": [0.0, 0.0, 0.0],
                "max": [1.0, 1.0, 1.0],
            },
            {"bufferView": 1, "componentType": 5123, "count": len(_FACES), "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    }


def _document(nodes: list[Json], extensions: Json) -> Json:
    used = set(extensions).union(*(node.get("extensions", {}) for node in nodes))
    below = {child for node in nodes for child in node.get("children", ())}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [i for i in range(len(nodes)) if i not in below]}],
        "nodes": nodes,
        "extensions": extensions,
        "extensionsUsed": sorted(used),
        **_mesh(),
    }


def _body(name: str, motion: Json | None, at: float = 0.0, **more: Any) -> Json:
    """A node of OMI with a body at x = `at`, whose collider has the shape that `more` names."""
    collider = {
        key: more.pop(key) for key in ("shape", "physicsMaterial", "collisionFilter") if key in more
    }
    body: Json = {} if motion is None else {"motion": motion}
    if collider:
        body["collider"] = collider
    node: Json = {"name": name, "translation": [at, 0.0, 0.0], **more}
    node.setdefault("extensions", {})["OMI_physics_body"] = body
    return node


def _dynamic(**more: Any) -> Json:
    return {"type": "dynamic", **more}


def _omi() -> Json:
    motion = _dynamic(
        mass=3.0,
        centerOfMass=[0.1, 0.0, 0.1],
        inertiaDiagonal=[1.0, 2.0, 4.0],
        linearVelocity=[1.0, 2.0, 3.0],
        angularVelocity=[0.0, 0.5, 0.0],
        gravityFactor=-0.5,
    )
    nodes = [
        _body("Crate", motion, shape=0, mesh=0, scale=[2.0, 2.0, 6.0], children=[1]),
        _body("Below", _dynamic(), 2.0, shape=1),
        _body("Sphere", _dynamic(), 10.0, shape=1),
        _body("Capsule", _dynamic(), 20.0, shape=2),
        _body("Older Capsule", _dynamic(), 30.0, shape=3),
        _body("Cylinder", _dynamic(), 40.0, shape=4),
        _body("Taper", _dynamic(), 50.0, shape=5),
        _body("Hull", _dynamic(), 60.0, shape=6),
        _body("Ground", None, 70.0, shape=7, physicsMaterial=0),
        _body(
            "Thrown", _dynamic(linearVelocity=[2.0, 0.0, 0.0]), 80.0, rotation=_HALF_TURN, shape=1
        ),
        _body("Lift", {"type": "kinematic", "linearVelocity": [0.0, 0.5, 0.0]}, 90.0, shape=0),
        _body("Ice", _dynamic(), 100.0, shape=1, physicsMaterial=1),
        _body("Ghost", _dynamic(), 110.0, shape=1, collisionFilter=0),
        _body("Wall", None, 120.0, shape=1, collisionFilter=1),
        {"name": "Zone", "extensions": {"OMI_physics_body": {"trigger": {"shape": 0}}}},
        {
            "name": "Compound",
            "children": [16, 17],
            "extensions": {"OMI_physics_body": {"trigger": {"nodes": [16, 17]}}},
        },
        {"name": "Part 1", "extensions": {"OMI_physics_body": {"trigger": {"shape": 0}}}},
        {"name": "Part 2", "extensions": {"OMI_physics_body": {"trigger": {"shape": 1}}}},
        {
            "name": "Seat",
            "extensions": {
                "OMI_seat": {
                    "back": [0.0, 0.0, -0.2],
                    "foot": [0.0, -0.5, 0.3],
                    "knee": [0.0, 0.0, 0.3],
                    "angle": 1.7,
                }
            },
        },
        _body("Steering_Wheel", _dynamic(), 130.0, shape=1),
        _body("Still", _dynamic(gravityFactor=0.0), 140.0, shape=1),
        _body("Older Crate", _dynamic(), 150.0, shape=0),
    ]
    return _document(
        nodes,
        {
            "OMI_physics_shape": {
                "shapes": [
                    {"type": "box", "box": {"size": [1.0, 1.0, 1.0]}},
                    {"type": "sphere", "sphere": {"radius": 0.4}},
                    {
                        "type": "capsule",
                        "capsule": {"height": 1.5, "radiusBottom": 0.25, "radiusTop": 0.25},
                    },
                    {"type": "capsule", "capsule": {"height": 1.4, "radius": 0.2}},
                    {
                        "type": "cylinder",
                        "cylinder": {"height": 0.8, "radiusBottom": 0.3, "radiusTop": 0.3},
                    },
                    {
                        "type": "capsule",
                        "capsule": {"height": 1.0, "radiusBottom": 0.4, "radiusTop": 0.1},
                    },
                    {"type": "convex", "convex": {"mesh": 0}},
                    {"type": "trimesh", "trimesh": {"mesh": 0}},
                ]
            },
            "OMI_physics_body": {
                "physicsMaterials": [
                    {
                        "dynamicFriction": 0.5,
                        "restitution": 0.8,
                        "frictionCombine": "multiply",
                        "restitutionCombine": "maximum",
                    },
                    {
                        "dynamicFriction": 0.1,
                        "restitution": 0.2,
                        "frictionCombine": "multiply",
                        "restitutionCombine": "maximum",
                    },
                ],
                "collisionFilters": [
                    {"collisionSystems": ["ghosts"], "notCollideWithSystems": ["walls"]},
                    {"collisionSystems": ["walls"]},
                ],
            },
            "OMI_physics_gravity": {"gravity": 1.62},
        },
    )


def _gravity(kind: str) -> Json:
    own: Json = {
        "directional": {"direction": [1.0, 0.0, 0.0]},
        "point": {"unitDistance": 2.0},
        "disc": {"radius": 1.0},
        "torus": {"radius": 2.0},
        "line": {"points": [-5.0, 0.0, 0.0, 5.0, 0.0, 0.0]},
        "shaped": {"shape": 0},
    }[kind]
    volume = {
        "name": "Volume",
        "extensions": {
            "OMI_physics_body": {"trigger": {"shape": 1}},
            "OMI_physics_gravity": {
                "type": kind,
                "gravity": 2.0,
                "priority": 7,
                "stop": True,
                kind: own,
            },
        },
    }
    if kind == "torus":  # Upright, so that one of its points is nearest.
        volume["rotation"] = [0.5**0.5, 0.0, 0.0, 0.5**0.5]
    moon = _body("Moon", _dynamic(), shape=2)
    moon["translation"] = [0.0, 3.0, 0.0]
    return _document(
        [volume, moon],
        {
            "OMI_physics_shape": {
                "shapes": [
                    {"type": "box", "box": {"size": [2.0, 2.0, 2.0]}},
                    {"type": "sphere", "sphere": {"radius": 40.0}},
                    {"type": "sphere", "sphere": {"radius": 0.1}},
                ]
            }
        },
    )


def _joint_node(name: str, joint: int, connected: int, **more: Any) -> Json:
    said = {"joint": joint, "connectedNode": connected, **more}
    return {"name": name, "extensions": {"OMI_physics_joint": said}}


def _joints() -> Json:
    held = {"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0}
    nodes = [
        _body("Door", _dynamic(), shape=0, children=[1]),
        _joint_node("Hinge", 0, 2, enableCollision=True),
        _body("Post", {"type": "static"}),
        _body("Piston", _dynamic(gravityFactor=0.0), 10.0, shape=0, children=[4]),
        _joint_node("Slide", 1, 5),
        _body("Frame", {"type": "static"}, 10.0),
        _body("Soft", _dynamic(), 20.0, shape=0, children=[7]),
        _joint_node("Cushion", 2, 8),
        _body("Ceiling", {"type": "static"}, 20.0),
    ]
    turn = {"type": "angular", "mode": "force", "axis": 1, "velocityTarget": 3.0, "damping": 5.0}
    push = {"type": "linear", "mode": "force", "axis": 0, "positionTarget": 0.3}
    settings = [
        {
            "limits": [
                held,
                {"angularAxes": [0, 2], "min": 0.0, "max": 0.0},
                {"angularAxes": [1], "min": -0.2, "max": 0.7},
            ],
            "drives": [turn],
        },
        {
            "limits": [
                {"linearAxes": [1, 2], "min": 0.0, "max": 0.0},
                {"angularAxes": [0, 1, 2], "min": 0.0, "max": 0.0},
            ],
            "drives": [{**push, "stiffness": 200.0, "damping": 28.0}],
        },
        {
            "limits": [
                {"linearAxes": [0, 2], "min": 0.0, "max": 0.0},
                {"angularAxes": [0, 1, 2], "min": 0.0, "max": 0.0},
                {"linearAxes": [1], "min": 0.0, "max": 0.0, "stiffness": 10.0, "damping": 6.0},
            ]
        },
    ]
    return _document(
        nodes,
        {
            "OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [0.4, 0.3, 0.2]}}]},
            "OMI_physics_joint": {"physicsJoints": settings},
            "OMI_physics_gravity": {"gravity": 1.62},
        },
    )


def _vehicle() -> Json:
    places = [[x, -0.2, z] for x in (-0.7, 0.7) for z in (-1.0, 1.0)]
    wheels = [
        {
            "name": f"Wheel {i}",
            "translation": place,
            "extensions": {"OMI_vehicle_wheel": {"wheel": 0}},
        }
        for i, place in enumerate(places)
    ]
    car = _body("Car", _dynamic(mass=400.0), shape=0, children=[*range(1, 8)])
    car["translation"] = [0.0, 0.8, 0.0]
    car["extensions"]["OMI_vehicle_body"] = {
        "linearActivation": [0.0, 0.0, 1.0],
        "gyroTorque": [1.0, 2.0, 3.0],
        "maxSpeed": 30.0,
        "linearDampeners": False,
        "pilotSeat": 5,
    }
    seat = {"back": [0.0, 0.0, 0.0], "foot": [0.0, -0.5, 0.5], "knee": [0.0, 0.0, 0.5]}
    nodes = [
        car,
        *wheels,
        {"name": "Pilot", "extensions": {"OMI_seat": seat}},
        {"name": "Jet", "extensions": {"OMI_vehicle_thruster": {"thruster": 0}}},
        {"name": "Hover", "extensions": {"OMI_vehicle_hover_thruster": {"hoverThruster": 0}}},
        _body("Ground", None, shape=1),
    ]
    nodes[-1]["translation"] = [0.0, -0.5, 0.0]
    wheel = {
        "maxPropulsionForce": 500.0,
        "brakingForce": 900.0,
        "radius": 0.3,
        "suspensionTravel": 0.2,
        "physicsMaterial": 0,
    }
    material = {"staticFriction": 1.1, "dynamicFriction": 0.9}
    return _document(
        nodes,
        {
            "OMI_physics_shape": {
                "shapes": [
                    {"type": "box", "box": {"size": [1.2, 0.4, 2.4]}},
                    {"type": "box", "box": {"size": [200.0, 1.0, 200.0]}},
                ]
            },
            "OMI_physics_body": {"physicsMaterials": [material]},
            "OMI_vehicle_wheel": {"wheels": [wheel]},
            "OMI_vehicle_thruster": {"thrusters": [{"maxForce": 50.0}]},
            "OMI_vehicle_hover_thruster": {"hoverThrusters": [{"maxHoverEnergy": 0.0}]},
        },
    )


def _khr() -> Json:
    def node(name: str, at: float, **parts: Any) -> Json:
        own = {"KHR_physics_rigid_bodies": parts}
        return {"name": name, "translation": [at, 0.0, 0.0], "extensions": own}

    nodes = [
        node("Crate", 0.0, motion={}, collider={"geometry": {"shape": 0}}),
        node("Heavy", 10.0, motion={"mass": 0.0}, collider={"geometry": {"shape": 0}}),
        node("Ground", 20.0, collider={"geometry": {"shape": 1}}),
        node("Plate", 30.0, collider={"geometry": {"shape": 2}}),
        node(
            "Door",
            40.0,
            motion={"mass": 1.0},
            collider={"geometry": {"mesh": 0, "convexHull": True}},
            joint={"joint": 0, "connectedNode": 3},
        ),
    ]
    shapes = [
        {"type": "box", "box": {"size": [1.0, 1.0, 2.0]}},
        {"type": "plane", "plane": {}},
        {"type": "plane", "plane": {"sizeX": 4.0, "sizeZ": 2.0, "doubleSided": True}},
    ]
    limit = {"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0}
    return _document(
        nodes,
        {
            "KHR_implicit_shapes": {"shapes": shapes},
            "KHR_physics_rigid_bodies": {"physicsJoints": [{"limits": [limit]}]},
        },
    )


DOCUMENTS: Final[dict[str, Json]] = {
    "omi": _omi(),
    "joints": _joints(),
    "vehicle": _vehicle(),
    "khr": _khr(),
    **{f"gravity {kind}": _gravity(kind) for kind in PULLS},
}
