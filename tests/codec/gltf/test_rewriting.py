"""Files that are written anew: what is strange in them does no harm."""

from __future__ import annotations

from typing import Any

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.gltf.rewriting import Converted
from omi_physics_addon.codec.rules import file_check
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues

KHR, KHR_SHAPE = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
OMI, OMI_SHAPE = "OMI_physics_body", "OMI_physics_shape"


def khr(*nodes: Any, shape: Any = None) -> dict[str, Any]:
    shapes = [shape or {"type": "box", "box": {}}]
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [KHR, KHR_SHAPE],
        "nodes": list(nodes),
        "extensions": {KHR_SHAPE: {"shapes": shapes}},
    }


def part(**members: Any) -> dict[str, Any]:
    return {"extensions": {KHR: members}}


def change(json: Any, *families: Any) -> tuple[Converted, Issues]:
    issues = Issues()
    return rewriting.change(json, issues, WriteOptions(), families), issues


@pytest.mark.parametrize("key", ["extensionsUsed", "extensionsRequired"])
@pytest.mark.parametrize("odd", [[], {}, 3, None])
def test_a_listed_name_that_is_none_stays_and_is_told(key, odd):
    json = khr(part(collider={"geometry": {"shape": 0}}))
    json[key] = [*json.get(key, ()), odd]
    issues = Issues()
    file_check.check_file(json, issues)
    place = f"/{key}/{len(json[key]) - 1}"
    assert [(issue.code, issue.pointer) for issue in issues] == [("F01", place)]
    converted, _ = change(json, "OMI")
    assert odd in converted.json[key]


def test_a_list_of_names_that_is_none_is_told():
    issues = Issues()
    file_check.check_file({"asset": {}, "extensionsRequired": {}}, issues)
    assert [(issue.code, issue.pointer) for issue in issues] == [("F01", "/extensionsRequired")]


@pytest.mark.parametrize("radius", [1e40, 1e103, 1e300])
def test_a_shape_too_large_to_have_a_mass(radius):
    shape = {"type": "sphere", "sphere": {"radius": radius}}
    _, issues = change(
        khr(part(motion={}, collider={"geometry": {"shape": 0}}), shape=shape), "OMI"
    )
    assert {"L04", "L05"} <= set(issues.codes())


@pytest.mark.parametrize("index", ["²", "9" * 5000, "00", "-1", ""])
def test_animations_of_no_node(index):
    json = khr(part(collider={"geometry": {"shape": 0}}))
    pointer = f"/nodes/{index}/extensions/{KHR}/collider/x"
    target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
    json["animations"] = [{"channels": [{"target": target}]}]
    converted, issues = change(json, "OMI")
    assert converted.json["animations"] == json["animations"]
    assert "L26" not in issues.codes()


@pytest.mark.parametrize("scenes", [-1, "none", {"0": {}}], ids=str)
def test_scenes_that_are_no_list_stay_as_they_are(scenes):
    converted, _ = change(
        {**khr(part(collider={"geometry": {"shape": 0}})), "scenes": scenes}, "OMI"
    )
    assert converted.json["scenes"] == scenes


@pytest.mark.parametrize("last", [True, False])
def test_a_compound_lists_the_nodes_that_its_scaled_triggers_moved_to(last):
    trigger = {"scale": [2, 2, 2], **part(trigger={"geometry": {"shape": 0}})}
    first = 0 if last else 1
    compound = part(trigger={"nodes": [first, first + 1]}) | {"children": [first, first + 1]}
    nodes = [trigger, trigger, compound] if last else [compound, trigger, trigger]
    converted, _ = change(khr(*nodes), "OMI")
    at = nodes.index(compound)
    listed = converted.json["nodes"][at]["extensions"][OMI]["trigger"]["nodes"]
    assert listed == [3, 4]
    assert all("trigger" in converted.json["nodes"][i]["extensions"][OMI] for i in listed)


def test_groups_hand_their_materials_down_to_the_next_body():
    group = {"extensions": {OMI: {"collider": {"physicsMaterial": 0}}}, "children": [1, 2]}
    inner = {"extensions": {OMI: {"collider": {"collisionFilter": 0}}}, "children": [3, 4]}
    leaf = {"extensions": {OMI: {"collider": {"shape": 0}}}}
    own = {"extensions": {OMI: {"collider": {"shape": 0, "physicsMaterial": 1}}}}
    body = {"extensions": {OMI: {"motion": {"type": "dynamic"}, "collider": {"shape": 0}}}}
    json = {
        "asset": {"version": "2.0"},
        "nodes": [group, inner, body | {"children": [5]}, leaf, own, leaf],
        "extensions": {
            OMI: {
                "physicsMaterials": [{}, {"restitution": 0.5}],
                "collisionFilters": [{"collisionSystems": ["a"]}],
            },
            OMI_SHAPE: {"shapes": [{"type": "box", "box": {}}]},
        },
    }
    document = change(json, "KHR")[0].document
    got = {
        i: (physics.collider.physics_material, physics.collider.collision_filter)
        for i, physics in document.nodes.items()
        if physics.collider is not None
    }
    assert got == {2: (None, None), 3: (0, 0), 4: (1, 0), 5: (None, None)}


@pytest.mark.parametrize(
    ("size", "far"), [([1e-20, 1e20, 3], [1, 2, 3]), ([1, 1, 1], [1e8, 2e8, 3e8])], ids=str
)
def test_a_center_of_mass_at_the_origin_of_a_body_far_away_is_no_estimate(size, far):
    body = part(motion={"mass": 1}, collider={"geometry": {"shape": 0}})
    place = {"translation": far, "rotation": [0.1, 0.2, 0.3, 0.92736185]}
    converted, issues = change(
        khr(place | body, shape={"type": "box", "box": {"size": size}}), "OMI"
    )
    assert [issue.code for issue in issues] == []
    assert "centerOfMass" not in converted.json["nodes"][0]["extensions"][OMI]["motion"]


def body(**members: Any) -> dict[str, Any]:
    motion = {"type": "dynamic", "mass": 1}
    return {"extensions": {OMI: {"motion": motion, "collider": {"shape": 0}}}, **members}


def for_engine(target: Any, nodes: list[Any], scenes: Any, *families: Any) -> dict[str, Any]:
    json = {
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "scenes": scenes,
        "extensions": {OMI_SHAPE: {"shapes": [{"type": "box", "box": {}}]}},
    }
    return rewriting.change(json, Issues(), WriteOptions(target=engine_of(target)), families).json


ENGINES = [("GODOT_4", "OMI"), ("BABYLON", "KHR")]
BODIES = {"OMI": "OMI_physics_body", "KHR": "KHR_physics_rigid_bodies"}


@pytest.mark.parametrize(("target", "family"), ENGINES)
@pytest.mark.parametrize("families", [(), ("OMI",), ("KHR",)], ids=str)
def test_files_for_an_engine_are_in_the_family_that_it_reads(target, family, families):
    written = for_engine(target, [body()], [{"nodes": [0]}], *families)
    assert [name for name in BODIES.values() if name in written["extensionsUsed"]] == [
        BODIES[family]
    ]


@pytest.mark.parametrize(("target", "family"), ENGINES)
def test_bodies_in_a_circle_do_not_hold_the_conversion_up(target, family):
    nodes = [body(children=[1], scale=[2, 2, 2]), body(children=[0])]
    assert len(for_engine(target, nodes, [{"nodes": [0]}], family)["nodes"]) >= 2


@pytest.mark.parametrize("odd", [[], None, 1.5, "0"], ids=str)
@pytest.mark.parametrize(("target", "family"), ENGINES)
def test_odd_scenes_and_children_stay_beside_bodies_that_move(target, family, odd):
    nodes = [body(children=[1, odd, {}]), body()]
    written = for_engine(target, nodes, [odd, {"nodes": [0, odd]}], family)
    assert written["nodes"][0]["children"] == [odd, {}]
    assert written["scenes"] == [odd, {"nodes": [0, odd, 1]}]


@pytest.mark.parametrize(("target", "family"), ENGINES)
def test_bodies_that_move_need_no_scene(target, family):
    written = for_engine(target, [body(children=[1]), body()], [], family)
    assert "children" not in written["nodes"][0]


def test_bodies_below_bodies_hang_beside_the_topmost_one():
    nodes = [{"children": [1]}, body(children=[2]), {"children": [3]}, body(children=[4]), body()]
    written = for_engine("BABYLON", nodes, [{"nodes": [0]}], "KHR")
    assert written["nodes"][0]["children"] == [1, 3, 4]
