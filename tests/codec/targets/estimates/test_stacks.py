"""Which stacks are named as engines shift them at their usual steps."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.gltf.target_check import check_target
from omi_physics_addon.codec.rules import file_check
from omi_physics_addon.codec.targets.estimates import stacks
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues

BODY, SHAPE, JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
BOX = {"type": "box", "box": {"size": [0.5, 0.5, 0.5]}}
CYLINDER = {"type": "cylinder", "cylinder": {"radius": 0.25, "height": 0.5}}
SPHERE = {"type": "sphere", "sphere": {"radius": 0.25}}


def a_tower(number: int, shape: Any = BOX, *, step: float = 0.502, aside: float = 0.02, **motion):
    """Bodies above each other on a floor."""
    fall = {"type": "dynamic", "mass": 2, **motion}
    nodes: list[Any] = [
        {
            "name": f"Box {i}",
            "translation": [aside * (i % 2), 0.251 + i * step, 0],
            "extensions": {BODY: {"motion": fall, "collider": {"shape": 0}}},
        }
        for i in range(number)
    ]
    floor = {"motion": {"type": "static"}, "collider": {"shape": 1}}
    nodes.append({"name": "Floor", "translation": [0, -0.5, 0], "extensions": {BODY: floor}})
    ground = {"type": "box", "box": {"size": [60, 1, 60]}}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "extensionsUsed": [BODY, SHAPE],
        "extensions": {SHAPE: {"shapes": [shape, ground]}},
    }


def told(source: Any, target: str = "GODOT_4") -> list[tuple[str, str]]:
    issues = Issues()
    rewriting.change(copy.deepcopy(source), issues, WriteOptions(target=engine_of(target)))
    return [(i.pointer, i.message) for i in issues if i.code == "X86"]


@pytest.mark.parametrize("target", ["GODOT_4", "BABYLON"])
@pytest.mark.parametrize("shape", [BOX, CYLINDER], ids=["boxes", "cylinders"])
def test_stacks_of_ten_are_named_once_at_their_top(target: str, shape: Any):
    assert told(a_tower(9, shape), target) == []
    ((pointer, message),) = told(a_tower(14, shape), target)
    assert (pointer, "a stack of 14 bodies" in message) == ("/nodes/13", True)
    assert [pointer for pointer, _ in told(a_tower(10, shape), target)] == ["/nodes/9"]


def test_a_check_for_an_engine_tells_it_of_any_file():
    source, issues = a_tower(10), Issues()
    document = file_check.check_file(source, Issues())
    check_target(source, document, engine_of("GODOT_4"), issues)
    assert [i.pointer for i in issues if i.code == "X86"] == ["/nodes/9"]


@pytest.mark.parametrize(
    "source",
    [
        a_tower(14, step=0.6),  # Which fall one after the other.
        a_tower(14, aside=0.6),  # Two towers of seven.
        a_tower(14, gravityFactor=0),
        a_tower(14, SPHERE),
        a_tower(14, type="kinematic"),
    ],
    ids=["apart", "two", "no gravity", "spheres", "kinematic"],
)
def test_others_are_not_named(source: Any):
    assert told(source) == []


def test_chains_of_joints_are_not_named():
    source = a_tower(14)
    pin = {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
    source["extensions"][JOINT] = {"physicsJoints": [pin]}
    source["extensionsUsed"].append(JOINT)
    for i in range(13):
        source["nodes"][i]["extensions"][JOINT] = {"joint": 0, "connectedNode": i + 1}
    assert told(source) == []


def test_a_stack_is_found_among_scaled_and_compound_bodies():
    source = a_tower(12)
    for node in source["nodes"][:12]:
        node["translation"] = [10.0 + each for each in node["translation"]]
        part = {"extensions": {BODY: {"collider": node["extensions"][BODY].pop("collider")}}}
        node["children"] = [len(source["nodes"])]
        node["scale"] = [2, 1, 2]
        source["nodes"].append(part)
    assert len(told(source)) == 1


def test_levels_are_counted_along_what_meets():
    """A pyramid of three rows, and one body that stands alone."""
    middles = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0.5, 1, 0), (1.5, 1, 0), (1, 2, 0), (9, 1, 0)]
    middle = np.array(middles, dtype=float)
    levels = stacks.stacked(middle - 0.5, middle + 0.5)
    assert levels.tolist() == [1, 1, 1, 2, 2, 3, 1]
