"""Armatures whose bodies fall in Godot while their bones stay are told once, by name."""

from __future__ import annotations

from typing import Any

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.gltf.target_check import check_target
from omi_physics_addon.codec.rules import file_check
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issue_codes import Severity
from omi_physics_addon.issues import Issue, Issues
from tests.codec.targets.test_idle_skins import BODY, figure


def told(json: dict[str, Any], target: Any = "GODOT_4") -> list[Issue]:
    issues = Issues()
    rewriting.change(json, issues, WriteOptions(target=engine_of(target)))
    return [issue for issue in issues if issue.code == "X69"]


def test_an_armature_is_told_once_with_what_helps():
    json = figure(skin=1)
    json["nodes"][2]["extensions"] = json["nodes"][1]["extensions"]
    (issue,) = told(json)
    assert (issue.pointer, issue.severity) == ("/nodes/0", Severity.WARNING)
    assert "the 2 bodies but not the bones" in issue.message
    assert "Ragdolls in Godot" in issue.message


def test_each_armature_is_told():
    json = figure(skin=1)
    json["nodes"] += [
        {"name": "Other", "children": [6]},
        {"name": "Bone", "extensions": {BODY: {"motion": {"type": "dynamic"}}}},
        {"name": "Coat", "mesh": 0, "skin": 3},
    ]
    json["scenes"][0]["nodes"] += [5, 7]
    json["skins"].append({"joints": [6]})
    assert [issue.pointer for issue in told(json)] == ["/nodes/0", "/nodes/5"]


def test_bones_without_an_armature_are_told():
    json = figure(skin=1)
    json["scenes"][0]["nodes"] = [1, 3]
    json["nodes"][0] = {"name": "Nothing"}
    (issue,) = told(json)
    assert issue.pointer == "scene"
    assert "the body but not the bones" in issue.message


@pytest.mark.parametrize(
    ("json", "target"),
    [
        (figure(), "GODOT_4"),  # No mesh is bent.
        (figure(skin=0), "GODOT_4"),
        (figure(skin=1, kind="kinematic"), "GODOT_4"),
        (figure(skin=1), "BABYLON"),
        (figure(skin=1), "SPECIFICATION"),
    ],
)
def test_nothing_is_told_where_bones_move_with_their_bodies(json: dict[str, Any], target: str):
    assert told(json, target) == []


def test_a_check_for_godot_tells_it():
    json, issues = figure(skin=1), Issues()
    check_target(json, file_check.check_file(json, Issues()), engine_of("GODOT_4"), issues)
    assert [issue.pointer for issue in issues if issue.code == "X69"] == ["/nodes/0"]
