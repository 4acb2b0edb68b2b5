"""Files that have some of each family: each is given what only the other says."""

from __future__ import annotations

from typing import Any

import pytest

from omi_physics_addon.codec.dialects import Family, WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.rules import file_check
from omi_physics_addon.issues import Issues
from tests.support.documents import DATA, load

OMI, OMI_SHAPE, OMI_JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
KHR, KHR_SHAPE = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
BOX, BALL = {"type": "box", "box": {"size": [1, 1, 1]}}, {"type": "sphere", "sphere": {"radius": 2}}
Json = dict[str, Any]


def convert(json: Json, *families: Family) -> tuple[Json, Issues]:
    issues = Issues()
    return rewriting.change(json, issues, WriteOptions(), families).json, issues


def file(*nodes: Json, **lists: Any) -> Json:
    below = {child for node in nodes for child in node.get("children", ())}
    extensions = {OMI_SHAPE: {"shapes": [BOX]}, KHR_SHAPE: {"shapes": [BALL]}, **lists}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [OMI, KHR, *extensions],
        "extensions": extensions,
        "nodes": list(nodes),
        "scenes": [{"nodes": [i for i in range(len(nodes)) if i not in below]}],
    }


def omi(**members: Any) -> Json:
    return {"extensions": {OMI: members}}


def khr(**members: Any) -> Json:
    return {"extensions": {KHR: members}}


BODY = {"type": "dynamic", "mass": 5}
COLLIDER = {"geometry": {"shape": 0}}


def test_each_gets_what_the_other_has():
    json = file(omi(motion=BODY, collider={"shape": 0}), khr(collider=COLLIDER))
    both, _ = convert(json, "OMI", "KHR")
    first, second = (node["extensions"] for node in both["nodes"])
    assert first[KHR]["motion"]["mass"] == 5
    shapes = both["extensions"][KHR_SHAPE]["shapes"]
    assert shapes[first[KHR]["collider"]["geometry"]["shape"]] == BOX
    shapes = both["extensions"][OMI_SHAPE]["shapes"]
    assert shapes[second[OMI]["collider"]["shape"]] == BALL
    assert second[KHR] == json["nodes"][1]["extensions"][KHR]


def test_parts_of_one_node_are_completed_too():
    node = {"extensions": {OMI: {"motion": BODY}, KHR: {"collider": COLLIDER}}}
    both, _ = convert(file(node), "OMI", "KHR")
    assert both["nodes"][0]["extensions"][OMI].keys() == {"motion", "collider"}
    assert both["nodes"][0]["extensions"][KHR].keys() == {"motion", "collider"}


def test_what_only_khr_can_scale_comes_on_a_node_of_its_own():
    large = khr(motion={"mass": 2}, collider=COLLIDER) | {"scale": [2, 2, 2]}
    both, _ = convert(file(omi(collider={"shape": 0}), large), "OMI", "KHR")
    new = both["nodes"][2]
    assert both["nodes"][1]["children"] == [2]
    assert new["scale"] == [0.5, 0.5, 0.5]
    shape = new["extensions"][OMI]["collider"]["shape"]
    assert both["extensions"][OMI_SHAPE]["shapes"][shape]["sphere"]["radius"] == 4
    assert KHR not in new["extensions"]


def test_without_being_asked_for_nothing_is_added():
    json = file(omi(collider={"shape": 0}), khr(collider=COLLIDER))
    same, _ = convert(json)
    assert [set(node["extensions"]) for node in same["nodes"]] == [{OMI}, {KHR}]


FILES = sorted((DATA / "dialects").glob("*.expected.gltf"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_of_both_is_complete(path):
    both, _ = convert(load(path), "OMI", "KHR")
    again, _ = convert(both, "OMI", "KHR")
    assert again == both


@pytest.mark.parametrize(("above", "told"), [(3.0, ["G08"]), (0.0, [])])
def test_a_center_of_mass_that_engines_compute_elsewhere_is_told(above, told):
    body: Json = {"extensions": {OMI: {"motion": BODY}, KHR: {"motion": {"mass": 5}}}}
    solid = {"extensions": {OMI: {"collider": {"shape": 0}}, KHR: {"collider": COLLIDER}}}
    json = file(body | {"children": [1]}, solid | {"translation": [0, above, 0]})
    issues = Issues()
    file_check.check_file(json, issues)
    found = [issue for issue in issues if issue.pointer == "/nodes/0"]
    assert [issue.code for issue in found] == told
    assert all(f"(0.0, {above}, 0.0)" in issue.message for issue in found)
