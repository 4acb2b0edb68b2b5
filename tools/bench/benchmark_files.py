"""Measures how checks and conversions grow with the files that they are given.

From the command line:

    .venv/bpy-5.0/bin/python tools/bench/benchmark_files.py
    .venv/bpy-5.0/bin/python tools/bench/benchmark_files.py 500 1000 2000 --only "static bodies"
    .venv/bpy-5.0/bin/python tools/bench/benchmark_files.py --check 100000

Everything is CPU time in one process, the least of three runs. Exit code 1: something grows faster
than allowed, or takes more time or memory.
"""

from __future__ import annotations

import argparse
import copy
import gc
import math
import sys
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from omi_physics_addon.codec.dialects import Family, WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.rules import file_check
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues
from tools.bench import benchmark_codec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


COUNTS: Final = (1000, 8000)
STEEPEST: Final = 1.15  # Exponent of the time by the number: 1 is linear, 2 quadratic.
RUNS: Final = 3
CHECKED: Final = 100_000  # Nodes.
SECONDS: Final = 5.0  # That their check may take.
MEMORY: Final = 1e9  # Bytes.

BODY, SHAPE, JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
KHR, KHR_SHAPE = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
Json = dict[str, Any]

BOXES: Json = {"shapes": [{"type": "box", "box": {}}]}
HINGE = {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
LARGE = {"scale": [2, 2, 2]}


def _file(nodes: list[Json], **extensions: Any) -> Json:
    below = {child for node in nodes for child in node.get("children", ())}
    used = {name for node in nodes for name in node.get("extensions", {})} | extensions.keys()
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": sorted(used),
        "extensions": extensions,
        "nodes": nodes,
        "scenes": [{"nodes": [i for i in range(len(nodes)) if i not in below]}],
    }


def _nested(count: int, node: Json, **extensions: Any) -> Json:
    """Equal nodes, each below the one before."""
    nodes = [copy.deepcopy(node) for _ in range(count)]
    for i in range(count - 1):
        nodes[i]["children"] = [i + 1]
    return _file(nodes, **extensions)


def _node(name: str, **members: Any) -> Json:
    return {"extensions": {name: members}}


def one_joint(count: int) -> Json:
    """One joint with many limits and drives."""
    limit = {"linearAxes": [0], "min": 0, "max": 0}
    drive = {"type": "linear", "mode": "force", "axis": 0}
    settings = {"limits": [limit] * count, "drives": [drive] * count}
    nodes = [_node(BODY, motion={"type": "dynamic"}), _node(JOINT, joint=0, connectedNode=0)]
    return _file(nodes, **{JOINT: {"physicsJoints": [settings]}})


def scaled_triggers(count: int, *, listed: bool) -> Json:
    """Triggers on scaled nodes, listed by one compound trigger above them or not."""
    triggers = [LARGE | _node(KHR, trigger={"geometry": {"shape": 0}}) for _ in range(count)]
    if listed:
        parts = list(range(count))
        triggers.append(_node(KHR, trigger={"nodes": parts}) | {"children": parts})
    return _file(triggers, **{KHR_SHAPE: BOXES})


def groups(count: int) -> Json:
    """Colliders that group others, nested; each hands its material down."""
    group = _node(BODY, collider={"physicsMaterial": 0})
    json = _nested(count, group, **{SHAPE: BOXES, BODY: {"physicsMaterials": [{}]}})
    json["nodes"][-1]["extensions"][BODY]["collider"]["shape"] = 0
    return json


def compounds(count: int) -> Json:
    """Compound triggers, nested, each of which lists the trigger at the end."""
    json = _nested(count, _node(BODY, trigger={"nodes": [count - 1]}), **{SHAPE: BOXES})
    json["nodes"][-1] = _node(BODY, trigger={"shape": 0})
    return json


def wheels(count: int) -> Json:
    """Vehicles without end, nested wheels."""
    json = _nested(count, _node("OMI_vehicle_wheel", wheel=0), OMI_vehicle_wheel={"wheels": [{}]})
    json["nodes"][0] = _node(BODY, motion={"type": "dynamic"}) | {"children": [1]}
    json["nodes"][0]["extensions"]["OMI_vehicle_body"] = {"maxSpeed": 1.0}
    return json


def systems(count: int) -> Json:
    """Filters whose systems have names that are alike."""
    rows = [{"collisionSystems": [f"{'S' if i % 2 else 's'}{i // 2}"]} for i in range(count)]
    users = [_node(BODY, collider={"shape": 0, "collisionFilter": i}) for i in range(count)]
    return _file(users, **{BODY: {"collisionFilters": rows}, SHAPE: BOXES})


def joints(count: int, name: str) -> Json:
    """Nested nodes, each joined to the first."""
    root = JOINT if name == BODY else KHR
    part = {"joint": 0, "connectedNode": 0}
    json = _nested(count, _node(JOINT, **part) if name == BODY else _node(KHR, joint=part))
    json["extensions"] = {root: {"physicsJoints": [HINGE]}}
    return json


def static_bodies(count: int) -> Json:
    """Static bodies, nested."""
    return _nested(count, _node(BODY, motion={"type": "static"}))


def colliders(count: int) -> Json:
    """Colliders, nested, that belong to no body."""
    return _nested(count, _node(BODY, collider={"shape": 0}), **{SHAPE: BOXES})


def bodies(count: int) -> Json:
    """Moving bodies, nested."""
    part = _node(KHR, motion={}, collider={"geometry": {"shape": 0}})
    return _nested(count, LARGE | part | {"scale": [1, 1, 1.0]}, **{KHR_SHAPE: BOXES})


def old_joints(count: int) -> Json:
    """Joints of 2023, nested, between the first node and the one above."""
    json = _nested(count, {}, **{JOINT: {"constraints": [{"linearAxes": [0]}]}})
    for i, node in enumerate(json["nodes"]):
        node["extensions"] = {JOINT: {"constraints": [0], "nodeA": 0, "nodeB": max(i - 1, 0)}}
    return json


CASES: Final[dict[str, tuple[Callable[[int], Json], tuple[Family, ...] | None, str]]] = {
    "check of limits": (one_joint, None, "SPECIFICATION"),
    "scaled triggers to OMI": (
        lambda n: scaled_triggers(n, listed=False),
        ("OMI",),
        "SPECIFICATION",
    ),
    "listed triggers to OMI": (
        lambda n: scaled_triggers(n, listed=True),
        ("OMI",),
        "SPECIFICATION",
    ),
    "groups to KHR": (groups, ("KHR",), "SPECIFICATION"),
    "static bodies to KHR": (static_bodies, ("KHR",), "SPECIFICATION"),
    "check of static bodies": (static_bodies, None, "SPECIFICATION"),
    "check of colliders": (colliders, None, "SPECIFICATION"),
    "colliders to OMI": (colliders, ("OMI",), "SPECIFICATION"),
    "check of joints": (lambda n: joints(n, BODY), None, "SPECIFICATION"),
    "joints to KHR": (lambda n: joints(n, BODY), ("KHR",), "SPECIFICATION"),
    "joints to both": (lambda n: joints(n, KHR), ("OMI", "KHR"), "SPECIFICATION"),
    "bodies to OMI": (bodies, ("OMI",), "SPECIFICATION"),
    "check of compounds": (compounds, None, "SPECIFICATION"),
    "check of wheels": (wheels, None, "SPECIFICATION"),
    "check of systems": (systems, None, "SPECIFICATION"),
    "bodies to Godot": (bodies, ("OMI",), "GODOT_4"),
    "bodies to Babylon.js": (bodies, ("KHR",), "BABYLON"),
    "check of old joints": (old_joints, None, "SPECIFICATION"),
}


def measure(
    json: Json, families: tuple[Family, ...] | None, target: str = "SPECIFICATION"
) -> float:
    """Seconds of the processor that a check takes, or a conversion."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    try:
        if families is None:
            file_check.check_file(json, Issues())
        else:
            rewriting.change(json, Issues(), WriteOptions(target=engine_of(target)), families)
        return time.process_time() - start
    finally:
        gc.enable()


def measure_case(name: str, count: int, runs: int = RUNS) -> float:
    """The least time of a case; see `CASES`."""
    make, families, target = CASES[name]
    json = make(count)
    return min(measure(json, families, target) for _ in range(runs))


def exponent(points: Sequence[tuple[int, float]]) -> float:
    """The power of the number with which the time grows from the first point to the last."""
    (few, first), (many, last) = points[0], points[-1]
    return math.log(last / first) / math.log(many / few)


def measure_check(number: int) -> tuple[float, float]:
    """Seconds and bytes that the check of a file of so many nodes takes; the worse family."""
    seconds = memory = 0.0
    for family in benchmark_codec.FAMILIES:
        json = benchmark_codec.file_of(family, number)
        seconds = max(seconds, measure(json, None))
        tracemalloc.start()
        file_check.check_file(json, Issues())
        memory = max(memory, tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return seconds, memory


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("counts", nargs="*", type=int, help=f"{COUNTS} when left out")
    parser.add_argument("--only", choices=CASES, help="one case")
    parser.add_argument("--check", type=int, help="measure only the check of so many nodes")
    options = parser.parse_args(arguments)
    if options.check:
        seconds, memory = measure_check(options.check)
        print(f"check of {options.check} nodes: {seconds:.2f} s, {memory / 1e6:.0f} MB more")
        return 1 if seconds > SECONDS or memory > MEMORY else 0
    steep = False
    for name in [options.only] if options.only else CASES:
        points = [(count, measure_case(name, count)) for count in options.counts or COUNTS]
        power = exponent(points)
        steep |= power > STEEPEST
        times = "  ".join(f"{seconds:8.3f} s" for _, seconds in points)
        print(f"{name:28}  {times}  n^{power:.2f}", flush=True)
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
