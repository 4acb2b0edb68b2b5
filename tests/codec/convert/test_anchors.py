"""Static bodies with joints are bodies for readers of KHR, and static again for us."""

from __future__ import annotations

import copy

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.issues import Issues
from tests.support.godot_habits import HABITS

KHR, BODY = "KHR_physics_rigid_bodies", "OMI_physics_body"
SOURCE = HABITS["joint"].json  # A joint below Body (2) that is connected to End (1) below Wall (0).


def written(source, *families):
    return rewriting.change(source, Issues(), WriteOptions(), families).json


def test_readers_of_khr_find_a_body_at_both_ends():
    nodes = written(SOURCE, "KHR")["nodes"]
    assert nodes[0]["extensions"][KHR]["motion"] == {"isKinematic": True}
    assert nodes[0]["extras"] == {"omi_physics_addon": "static"}
    assert "isKinematic" not in nodes[2]["extensions"][KHR]["motion"]


def test_static_bodies_without_joints_stay_colliders_alone():
    source = copy.deepcopy(SOURCE)
    source["nodes"][3].pop("extensions")
    wall = written(source, "KHR")["nodes"][0]
    assert "motion" not in wall["extensions"][KHR]
    assert "extras" not in wall


@pytest.mark.parametrize("families", [("KHR",), ("OMI", "KHR")])
def test_they_come_back_as_static(families):
    there = written(SOURCE, *families)
    again = written(there, "OMI")
    assert again["nodes"][0]["extensions"][BODY]["motion"]["type"] == "static"
    assert written(there, *families) == there


def test_a_role_that_another_program_made_move_is_believed_no_more():
    there = written(SOURCE, "KHR")
    there["nodes"][0]["extensions"][KHR]["motion"]["linearVelocity"] = [1, 0, 0]
    again = written(there, "OMI")
    assert again["nodes"][0]["extensions"][BODY]["motion"]["type"] == "kinematic"


def test_nodes_of_others_stay_as_they_are():
    there = written(SOURCE, "KHR")
    wall = there["nodes"][0]
    del wall["extras"], wall["extensions"][KHR]["motion"]
    assert "motion" not in written(there, "KHR")["nodes"][0]["extensions"][KHR]
