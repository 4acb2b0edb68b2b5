"""The time of checks and conversions grows as their files do, however these are made."""

from __future__ import annotations

import copy
import gc
import time
from collections.abc import Callable
from typing import Any

import pytest

from omi_physics_addon.codec.dialects import Family, WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.rules import file_check
from omi_physics_addon.issues import Issues

BODY, SHAPE, JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
KHR, KHR_SHAPE = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
Json = dict[str, Any]

FEW, MANY = 200, 1200
# Linear work takes 6 times as long, a square 36 times.
MOST = (MANY / FEW) ** 1.5
BOXES = {"shapes": [{"type": "box", "box": {}}]}
HINGE = {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
LARGE = {"scale": [2, 2, 2]}


def file(nodes: list[Json], **extensions: Any) -> Json:
    below = {child for node in nodes for child in node.get("children", ())}
    used = {name for node in nodes for name in node.get("extensions", {})} | extensions.keys()
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": sorted(used),
        "extensions": extensions,
        "nodes": nodes,
        "scenes": [{"nodes": [i for i in range(len(nodes)) if i not in below]}],
    }


def nested(count: int, node: Json, **extensions: Any) -> Json:
    """Equal nodes, each below the one before."""
    nodes = [copy.deepcopy(node) for _ in range(count)]
    for i in range(count - 1):
        nodes[i]["children"] = [i + 1]
    return file(nodes, **extensions)


def node(name: str, **members: Any) -> Json:
    return {"extensions": {name: members}}


def one_joint(count: int) -> Json:
    """One joint with many limits and drives."""
    limit = {"linearAxes": [0], "min": 0, "max": 0}
    drive = {"type": "linear", "mode": "force", "axis": 0}
    settings = {"limits": [limit] * count, "drives": [drive] * count}
    nodes = [node(BODY, motion={"type": "dynamic"}), node(JOINT, joint=0, connectedNode=0)]
    return file(nodes, **{JOINT: {"physicsJoints": [settings]}})


def scaled_triggers(count: int, *, listed: bool) -> Json:
    """Triggers on scaled nodes, listed by one compound trigger above them or not."""
    triggers = [LARGE | node(KHR, trigger={"geometry": {"shape": 0}}) for _ in range(count)]
    if listed:
        parts = list(range(count))
        triggers.append(node(KHR, trigger={"nodes": parts}) | {"children": parts})
    return file(triggers, **{KHR_SHAPE: BOXES})


def groups(count: int) -> Json:
    """Colliders that group others, nested; each hands its material down."""
    group = node(BODY, collider={"physicsMaterial": 0})
    json = nested(count, group, **{SHAPE: BOXES, BODY: {"physicsMaterials": [{}]}})
    json["nodes"][-1]["extensions"][BODY]["collider"]["shape"] = 0
    return json


def compounds(count: int) -> Json:
    """Compound triggers, nested, each of which lists the trigger at the end."""
    json = nested(count, node(BODY, trigger={"nodes": [count - 1]}), **{SHAPE: BOXES})
    json["nodes"][-1] = node(BODY, trigger={"shape": 0})
    return json


def wheels(count: int) -> Json:
    """Vehicles without end, nested wheels."""
    json = nested(count, node("OMI_vehicle_wheel", wheel=0), OMI_vehicle_wheel={"wheels": [{}]})
    json["nodes"][0] = node(BODY, motion={"type": "dynamic"}) | {"children": [1]}
    json["nodes"][0]["extensions"]["OMI_vehicle_body"] = {"maxSpeed": 1.0}
    return json


def systems(count: int) -> Json:
    """Filters whose systems have names that are alike."""
    rows = [{"collisionSystems": [f"{'S' if i % 2 else 's'}{i // 2}"]} for i in range(count)]
    users = [node(BODY, collider={"shape": 0, "collisionFilter": i}) for i in range(count)]
    return file(users, **{BODY: {"collisionFilters": rows}, SHAPE: BOXES})


def joints(count: int, name: str) -> Json:
    """Nested nodes, each joined to the first."""
    root = JOINT if name == BODY else KHR
    part = {"joint": 0, "connectedNode": 0}
    json = nested(count, node(JOINT, **part) if name == BODY else node(KHR, joint=part))
    json["extensions"] = {root: {"physicsJoints": [HINGE]}}
    return json


def static_bodies(count: int) -> Json:
    return nested(count, node(BODY, motion={"type": "static"}))


def colliders(count: int) -> Json:
    return nested(count, node(BODY, collider={"shape": 0}), **{SHAPE: BOXES})


def bodies(count: int) -> Json:
    part = node(KHR, motion={}, collider={"geometry": {"shape": 0}})
    return nested(count, LARGE | part | {"scale": [1, 1, 1.0]}, **{KHR_SHAPE: BOXES})


CASES: dict[str, tuple[Callable[[int], Json], tuple[Family, ...] | None]] = {
    "check of limits": (one_joint, None),
    "scaled triggers to OMI": (lambda n: scaled_triggers(n, listed=False), ("OMI",)),
    "listed triggers to OMI": (lambda n: scaled_triggers(n, listed=True), ("OMI",)),
    "groups to KHR": (groups, ("KHR",)),
    "static bodies to KHR": (static_bodies, ("KHR",)),
    "check of static bodies": (static_bodies, None),
    "check of colliders": (colliders, None),
    "colliders to OMI": (colliders, ("OMI",)),
    "check of joints": (lambda n: joints(n, BODY), None),
    "joints to KHR": (lambda n: joints(n, BODY), ("KHR",)),
    "joints to both": (lambda n: joints(n, KHR), ("OMI", "KHR")),
    "bodies to OMI": (bodies, ("OMI",)),
    "check of compounds": (compounds, None),
    "check of wheels": (wheels, None),
    "check of systems": (systems, None),
}


def seconds(json: Json, families: tuple[Family, ...] | None) -> float:
    """The time of the processor that a check takes, or a conversion."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    try:
        if families is None:
            file_check.check_file(json, Issues())
        else:
            rewriting.change(json, Issues(), WriteOptions(), families)
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.mark.parametrize("name", CASES)
def test_the_time_grows_as_the_file_does(name):
    make, families = CASES[name]
    more = 3 if "triggers" in name else 1  # So that a square shows beside what each takes.
    few, many = make(FEW * more), make(MANY * more)
    seconds(few, families)
    base = max(seconds(few, families) for _ in range(2))
    # What another program has done to the caches it does not do each time.
    assert any(seconds(many, families) < MOST * base for _ in range(2)), name
