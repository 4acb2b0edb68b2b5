"""What every export says of the engines that nobody writes for."""

from __future__ import annotations

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.targets import engines
from omi_physics_addon.codec.values.node_tree import Tree
from omi_physics_addon.engines import TARGETS, engine_of
from omi_physics_addon.issue_codes import Severity
from omi_physics_addon.issues import Issues
from tests.engines.babylon.test_deviations import SOLID, gltf, node

MATERIAL = {"geometry": {"shape": 0}, "physicsMaterial": 0}
MATERIALS = {"physicsMaterials": [{}]}
MOTOR = {"type": "angular", "mode": "force", "axis": 1, "damping": 1, "velocityTarget": 1}
JOINTS = {"physicsJoints": [{"drives": [{**MOTOR, "maxForce": 10}]}]}
PLAIN = node("Floor", collider=MATERIAL)
HUNG = node("Door", 2, motion={"mass": 1}, collider=MATERIAL)
HINGE = node("Hinge", joint={"joint": 0, "connectedNode": 1})


def counted(_engine, taken):
    return f"{len(taken)} object{'s' * (len(taken) > 1)}" if taken else ""


def told(source, families=("KHR",)):
    file, issues = dialects.gltf_file(source), Issues()
    document = dialects.read(file, Issues())
    written = engines.Written(document)
    engines.tell_everybody(
        map(engine_of, TARGETS), written, families, Tree.of(file), counted, issues, "export"
    )
    return [(i.code, i.severity, i.pointer, i.message) for i in issues]


@pytest.mark.parametrize(
    ("source", "objects"),
    [
        (gltf(node("A", collider=SOLID)), "1 object"),
        (gltf(node("A", collider=SOLID), node("B", collider=SOLID)), "2 objects"),
        (gltf(PLAIN, node("Frame", collider=MATERIAL), HUNG | {"children": [3]}, HINGE,
              **MATERIALS, **JOINTS), "1 object"),
        (gltf(node("Zone", trigger=SOLID)), "1 object"),
    ],
    ids=["material of its own", "two", "motor that no repair helps", "trigger"],
)  # fmt: skip
def test_babylon_takes_objects_otherwise(source, objects):
    why = f"Babylon.js interprets {objects} differently; choose Target: Babylon.js"
    assert told(source) == [("X70", Severity.INFO, "export", why)]


def test_nothing_is_told_of_what_it_takes_as_it_is():
    assert told(gltf(PLAIN, **MATERIALS)) == []
