"""What can roll, and is slowed in Babylon.js."""

from __future__ import annotations

import pytest

from tests.engines.babylon.test_deviations import JOINED, MOTION, gltf, node, written

BOX = {"type": "box", "box": {"size": [9, 1, 9]}}
BALL = {"type": "sphere", "sphere": {"radius": 0.4}}
DRUM = {"type": "cylinder", "cylinder": {"height": 1, "radiusTop": 0.4, "radiusBottom": 0.4}}
GROUND = {"geometry": {"shape": 0}}
ROUND = {"geometry": {"shape": 1}}
LEANS = {"rotation": [0, 0, 0.1, 0.995]}
TURNED = {"rotation": [0, 0.6, 0, 0.8]}
PUSHED = {**MOTION, "linearVelocity": [1, 0, 0]}
DROPPED = {**MOTION, "linearVelocity": [0, -3, 0]}


def told(*nodes, shape=BALL, **lists):
    source = gltf(*nodes, shapes=[BOX, shape], **lists)
    return [pointer for code, pointer in written(source)[1] if code == "X42"]


@pytest.mark.parametrize("shape", [BALL, DRUM])
@pytest.mark.parametrize(
    ("ground", "motion", "collider", "is_told"),
    [
        (LEANS, MOTION, ROUND, True),
        ({}, MOTION, ROUND, False),
        (TURNED, MOTION, ROUND, False),
        ({"rotation": [0.7071068, 0, 0, 0.7071068]}, MOTION, ROUND, False),  # On its side.
        ({}, PUSHED, ROUND, True),
        ({}, DROPPED, ROUND, False),
        (LEANS, MOTION, GROUND, False),
        (LEANS, {**MOTION, "gravityFactor": 0}, ROUND, False),
        (LEANS, {**MOTION, "isKinematic": True}, ROUND, False),
    ],
)
def test_what_can_roll_is_told(shape, ground, motion, collider, is_told):
    nodes = node("Hill", below=ground, collider=GROUND), node("A", motion=motion, collider=collider)
    assert told(*nodes, shape=shape) == (["/nodes/1"] if is_told else [])


def test_it_is_told_of_each_and_of_spins_and_joints_as_before():
    hill = node("Hill", below=LEANS, collider=GROUND)
    balls = [node(f"Ball {i}", motion=MOTION, collider=ROUND) for i in range(3)]
    assert told(hill, *balls) == ["/nodes/1", "/nodes/2", "/nodes/3"]
    spinning = node("Spun", motion={**MOTION, "angularVelocity": [1, 0, 0]}, collider=ROUND)
    assert told(hill, spinning) == ["/nodes/1"]
    hung = node("Hung", motion=MOTION, collider=ROUND, **JOINED)
    ball = {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
    assert told(hill, hung, physicsJoints=[ball]) == ["/nodes/1"]


def test_a_round_part_of_a_body_counts():
    hill = node("Hill", below=LEANS, collider=GROUND)
    whole = node("Whole", 2, motion=MOTION, collider=GROUND)
    assert told(hill, whole, node("Part", collider=ROUND)) == ["/nodes/1"]
