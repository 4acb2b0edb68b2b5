"""Measures the codec alone, without Blender: the physics of many nodes, read and written again.

Run by `benchmark.py --codec N`; every measurement has a process of its own.
"""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FAMILIES = ("OMI", "KHR")
# Seconds of CPU time for reading and writing together, and the most memory on the way.
SECONDS = 3.0
MEMORY = 500e6
NODES = 100_000

BODY = "OMI_physics_body"
RIGID = "KHR_physics_rigid_bodies"
MESHES = 16
KINDS = 16  # Entries in each list that nodes share.

Node = dict[str, Any]


class Cost(NamedTuple):
    """What one family takes: seconds of CPU time, and bytes at most while both happen."""

    family: str
    read: float
    write: float
    memory: float

    @property
    def seconds(self) -> float:
        """Reading and writing together."""
        return self.read + self.write


def omi_node(number: int, shapes: int) -> Node:
    """One of ten kinds of nodes, in turn; `shapes` is how many there are."""
    kind, near = number % 10, number - number % 10
    shared = number // 10 % KINDS
    collider = {"shape": number % shapes, "physicsMaterial": shared, "collisionFilter": shared}
    velocity = [0.5, 0.25 * shared, 0.0]
    dynamic = {"type": "dynamic", "mass": 1.5 + shared, "centerOfMass": [0.0, 0.125, 0.0]}
    rows: tuple[Node, ...] = (
        {BODY: {"motion": dynamic, "collider": collider}},
        {BODY: {"motion": {"type": "static"}, "collider": {"shape": number % shapes}}},
        {BODY: {"motion": {"type": "kinematic", "linearVelocity": velocity}}},
        {BODY: {"collider": collider}},
        {
            BODY: {"trigger": {"shape": number % shapes}},
            "OMI_physics_gravity": {"type": "point", "gravity": 9.5, "point": {"unitDistance": 2}},
        },
        {BODY: {"trigger": {"nodes": [near + 4]}}},
        {"OMI_physics_joint": {"joint": shared, "connectedNode": near}},
        {"OMI_vehicle_wheel": {"wheel": shared}},
        {
            BODY: {"motion": {**dynamic, "inertiaDiagonal": [0.5, 0.75, 0.5]}},
            "OMI_vehicle_body": {"maxSpeed": 30.5, "pilotSeat": near + 9},
        },
        {"OMI_seat": {"back": [0, 0, -0.25], "foot": [0, -0.5, 0.25], "knee": [0, 0, 0.25]}},
    )
    return rows[kind]


def khr_node(number: int, shapes: int) -> Node:
    """One of ten kinds of nodes, in turn; `shapes` is how many there are."""
    kind, near = number % 10, number - number % 10
    shared = number // 10 % KINDS
    geometry = {"shape": number % shapes}
    hull = {"mesh": number % MESHES, "convexHull": True}
    collider = {"geometry": geometry, "physicsMaterial": shared, "collisionFilter": shared}
    dynamic = {"mass": 1.5 + shared, "centerOfMass": [0.0, 0.125, 0.0]}
    rows: tuple[Node, ...] = (
        {RIGID: {"motion": dynamic, "collider": collider}},
        {RIGID: {"collider": {"geometry": {"mesh": number % MESHES}}}},
        {RIGID: {"motion": {"isKinematic": True, "linearVelocity": [0.5, 0.25 * shared, 0.0]}}},
        {RIGID: {"collider": collider}},
        {RIGID: {"trigger": {"geometry": geometry, "collisionFilter": shared}}},
        {RIGID: {"trigger": {"nodes": [near + 4]}}},
        {RIGID: {"joint": {"joint": shared, "connectedNode": near}}},
        {RIGID: {"motion": {"gravityFactor": 0.5}, "collider": {"geometry": hull}}},
        {RIGID: {"motion": {**dynamic, "inertiaDiagonal": [0.5, 0.75, 0.5]}}},
        {"OMI_seat": {"back": [0, 0, -0.25], "foot": [0, -0.5, 0.25], "knee": [0, 0, 0.25]}},
    )
    return rows[kind]


def file_of(family: str, number: int) -> dict[str, Any]:
    """A glTF of `number` nodes with physics of a family, as a parser gives it."""
    shapes = max(1, number // 10)
    write = omi_node if family == "OMI" else khr_node
    listed = [
        {"type": "box", "box": {"size": [1.0 + 0.5 * (i % 7), 2.0, 0.5 + i]}} for i in range(shapes)
    ]
    lists: dict[str, Any] = {
        "physicsMaterials": [
            {
                "staticFriction": i / KINDS,
                "frictionCombine": "maximum",
                "restitutionCombine": "average",
            }
            for i in range(KINDS)
        ],
        "collisionFilters": [{"collisionSystems": [f"system {i}"]} for i in range(KINDS)],
    }
    limit = {"linearAxes": [0, 1, 2], "min": 0, "max": 0}
    joints = {"physicsJoints": [{"limits": [limit]}] * KINDS}
    extensions = (
        {
            "OMI_physics_shape": {"shapes": listed},
            BODY: lists,
            "OMI_physics_joint": joints,
            "OMI_vehicle_wheel": {"wheels": [{"radius": 0.25 + i / 8} for i in range(KINDS)]},
        }
        if family == "OMI"
        else {"KHR_implicit_shapes": {"shapes": listed}, RIGID: {**lists, **joints}}
    )
    nodes: list[Node] = [{"extensions": write(i, shapes)} for i in range(number)]
    for i in range(5, number, 10):
        nodes[i]["children"] = [i - 1]  # A trigger is made up of what is below it.
    file: dict[str, Any] = {"nodes": nodes, "meshes": [{}] * MESHES, "extensions": extensions}
    return json.loads(json.dumps(file))


def cpu_time(call: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of CPU time that a call takes, and what it gives."""
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def measure(family: str, number: int, *, memory: bool) -> Cost:
    """Read and write once in this process.

    Args:
        memory: watch the memory, which takes time of its own; else it is left at zero.
    """
    from omi_physics_addon.codec import dialects
    from omi_physics_addon.issues import Issues

    written: tuple[dialects.Family, ...] = ("OMI",) if family == "OMI" else ("KHR",)
    if memory:
        tracemalloc.start()
    file, issues = file_of(family, number), Issues()
    gc.collect()
    gc.freeze()  # The parser's objects are not the codec's to look after.
    if memory:
        tracemalloc.reset_peak()  # What it took to make the file up does not count.
    reading, document = cpu_time(lambda: dialects.read(dialects.gltf_file(file), issues))
    writer = dialects.Writer(issues, dialects.WriteOptions(families=written))
    writing, encoded = cpu_time(lambda: writer.document(document))
    gc.unfreeze()
    peak = tracemalloc.get_traced_memory()[1] if memory else 0
    if len(issues) or len(encoded.nodes) != number:
        raise ValueError(f"the content for {family} is at fault: {list(issues)[:3]}")
    return Cost(family, reading, writing, float(peak))


def exceeded(costs: Iterable[Cost]) -> list[str]:
    """What takes more than it may, in words."""
    found: list[str] = []
    for cost in costs:
        if cost.seconds > SECONDS:
            found.append(f"{cost.family}: {cost.seconds:.2f} s, {SECONDS:g} s are allowed")
        if cost.memory > MEMORY:
            allowed = f"{MEMORY / 1e6:.0f} MB are allowed"
            found.append(f"{cost.family}: {cost.memory / 1e6:.0f} MB, {allowed}")
    return found


def table(number: int, costs: Sequence[Cost]) -> list[str]:
    """The lines of the table."""
    lines = [f"{'nodes':>8}  {'':6}  {'read':>9}  {'write':>9}  {'both':>9}  {'memory':>9}"]
    lines += [
        f"{number:>8}  {cost.family:6}  {cost.read:>7.3f} s  {cost.write:>7.3f} s"
        f"  {cost.seconds:>7.3f} s  {cost.memory / 1e6:>6.0f} MB"
        for cost in costs
    ]
    return lines
