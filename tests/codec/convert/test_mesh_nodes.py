"""What nodes with physics show is on children of their own in OMI, and comes back from there."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from omi_physics_addon.codec.convert import mesh_nodes
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.issues import Issues
from tests.blender.support.gltf_files import folded
from tests.support.documents import how

Json = dict[str, Any]
BODY, SHAPE, KHR = "OMI_physics_body", "OMI_physics_shape", "KHR_physics_rigid_bodies"
BOX: Json = {"type": "box", "box": {"size": [1, 1, 1]}}


def crate(**members: Any) -> Json:
    """A file of KHR with a dynamic crate that shows a mesh."""
    motion = {"motion": {"mass": 2}, "collider": {"geometry": {"shape": 0}}}
    node = {"name": "Crate", "mesh": 0, "extensions": {KHR: motion}}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [KHR, "KHR_implicit_shapes"],
        "extensions": {"KHR_implicit_shapes": {"shapes": [BOX]}},
        "meshes": [{"name": "Cube", "primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [node],
        "scenes": [{"nodes": [0]}],
        **members,
    }


def written(json: Json, *families: Any, **options: Any) -> Json:
    given = copy.deepcopy(json)
    done = rewriting.change(json, Issues(), how(**options), families).json
    assert json == given
    return done


@pytest.mark.parametrize("families", [("OMI",), ("OMI", "KHR")])
@pytest.mark.parametrize("target", ["SPECIFICATION", "GODOT_4"])
def test_a_mesh_moves_to_a_child(families: Any, target: str) -> None:
    nodes = written(crate(), *families, target=target)["nodes"]
    assert [node["name"] for node in nodes] == ["Crate", "Crate Mesh"]
    assert "mesh" not in nodes[0]
    assert nodes[0]["children"] == [1]
    assert nodes[1] == {"name": "Crate Mesh", "mesh": 0}


def test_files_of_khr_keep_it() -> None:
    assert written(crate(), "KHR")["nodes"] == crate()["nodes"]


@pytest.mark.parametrize("target", ["SPECIFICATION", "GODOT_4"])
def test_writing_it_again_changes_nothing(target: str) -> None:
    once = written(crate(), "OMI", target=target)
    assert written(once, "OMI", target=target) == once


def test_a_child_whose_extensions_are_no_object_stays() -> None:
    json = crate()
    json["nodes"][0].pop("mesh")
    json["nodes"][0]["children"] = [1]
    json["nodes"].append({"name": "Odd", "mesh": 0, "extensions": 5})
    assert written(json, "KHR")["nodes"][1]["extensions"] == 5


def test_what_was_written_for_an_engine_goes_back() -> None:
    for_godot = written(crate(), "OMI", target="GODOT_4")
    (node,) = written(for_godot, "KHR")["nodes"]
    assert (node["name"], node["mesh"], "children" in node) == ("Crate", 0, False)


def test_skins_weights_cameras_and_lights_go_along_and_extras_stay() -> None:
    light = "KHR_lights_punctual"
    json = crate()
    more = {"skin": 0, "weights": [0.5], "camera": 0, "extras": {"tag": 1}}
    json["nodes"][0] |= more
    json["nodes"][0]["extensions"] |= {light: {"light": 0}, "EXT_foreign": {"stays": True}}
    body, child = written(json, "OMI")["nodes"]
    assert child == {
        "name": "Crate Mesh",
        **{name: more[name] for name in ("skin", "weights", "camera")},
        "mesh": 0,
        "extensions": {light: {"light": 0}},
    }
    assert body["extras"] == {"tag": 1}
    assert body["extensions"].keys() == {BODY, "EXT_foreign"}


def test_animations_of_weights_move_the_child_and_others_the_body() -> None:
    pointer = {"pointer": "/nodes/0/weights/1"}
    targets: list[Json] = [
        {"node": 0, "path": "translation"},
        {"node": 0, "path": "weights"},
        {"path": "pointer", "extensions": {"KHR_animation_pointer": pointer}},
    ]
    channels = [{"sampler": 0, "target": target} for target in targets]
    json = crate(animations=[{"samplers": [{}], "channels": channels}])
    place, weights, pointed = written(json, "OMI")["animations"][0]["channels"]
    assert place["target"]["node"] == 0
    assert weights["target"]["node"] == 1
    there = pointed["target"]["extensions"]["KHR_animation_pointer"]["pointer"]
    assert there == "/nodes/1/weights/1"
    for_godot = written(json, "OMI", target="GODOT_4")
    assert written(for_godot, "KHR")["animations"] == json["animations"]


def test_khr_beside_it_finds_the_mesh_of_a_shape_on_the_child() -> None:
    json = crate()
    collider = {"geometry": {"mesh": 0, "convexHull": True}}
    json["nodes"][0]["extensions"][KHR]["collider"] = collider
    done = written(json, "OMI", "KHR", geometry="NODE")
    said = done["nodes"][0]["extensions"][KHR]["collider"]["geometry"]
    assert done["nodes"][said["node"]]["mesh"] == 0


@pytest.mark.parametrize(
    "child",
    [
        {"translation": [0, 1, 0]},
        {"rotation": [0, 1, 0, 0]},
        {"scale": [2, 1, 1]},
        {"matrix": [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]},
        {"children": [2]},
        {"extras": {"note": 1}},
        {"extensions": {"EXT_foreign": {}}},
    ],
    ids=lambda child: next(iter(child)),
)
def test_a_child_with_something_of_its_own_stays(child: Json) -> None:
    assert _folded({"mesh": 0}) == {1: 0}
    assert _folded({"mesh": 0, **child}) == {}


def test_a_child_that_something_moves_or_refers_to_stays() -> None:
    assert _folded({"mesh": 0}, taken={1}) == {}
    assert _folded({"mesh": 0}, bones={1}) == {}
    assert _folded({"mesh": 0}, bones={0}) == {}


@pytest.mark.parametrize(
    ("target", "node"),
    [
        (("translation", 1, None), 1),
        (("weights", 1, None), -1),
        (("pointer", None, {"KHR_animation_pointer": {"pointer": "/nodes/1/scale"}}), 1),
        (("pointer", None, {"KHR_animation_pointer": {"pointer": "/nodes/1/weights/0"}}), -1),
        (("pointer", None, {"KHR_animation_pointer": {"pointer": "/materials/1/x"}}), -1),
        (("pointer", None, {}), -1),
    ],
)
def test_what_an_animation_moves_otherwise_than_by_weights(target: Any, node: int) -> None:
    assert mesh_nodes.moved_by(*target) == node


def test_places_that_say_nothing_count_as_none() -> None:
    still = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}
    assert _folded({"mesh": 0, **still}) == {1: 0}


def test_of_several_children_the_noted_one_is_folded() -> None:
    assert _folded({"mesh": 0}, {"mesh": 1}) == {}
    note = {"extras": {mesh_nodes.ROLE_KEY: mesh_nodes.ROLE}}
    assert _folded({"mesh": 0}, {"mesh": 1, **note}) == {2: 0}
    own = {"extras": {mesh_nodes.ROLE_KEY: mesh_nodes.OWN_ROLE}}
    assert _folded({"mesh": 0, **own}) == {}
    assert _folded({"mesh": 0, **own}, {"mesh": 1}) == {2: 0}


def test_what_is_found_otherwise_is_noted() -> None:
    seen = _nodes([{"children": [1, 2]}, {"mesh": 0}, {"mesh": 1}])
    assert seen.roles([0], {0: 2}) == {2: mesh_nodes.ROLE}
    seen = _nodes([{"children": [1]}, {"mesh": 0}])
    assert seen.roles([0], {0: 1}) == {}
    assert seen.roles([0], {}) == {1: mesh_nodes.OWN_ROLE}


def test_the_tests_of_others_can_take_it_back() -> None:
    done = written(crate(), "OMI")
    assert [node["name"] for node in folded(done)["nodes"]] == ["Crate"]
    assert folded(done)["nodes"][0]["mesh"] == 0


def test_references_of_physics_are_found_but_for_meshes_of_shapes() -> None:
    extensions = {
        "OMI_physics_joint": {"connectedNode": 4, "joint": 9},
        BODY: {"trigger": {"nodes": [5, 6]}},
        KHR: {"collider": {"geometry": {"node": 7}}},
        "OMI_vehicle_body": {"pilotSeat": 8},
    }
    assert sorted(mesh_nodes.referred(extensions)) == [4, 5, 6, 8]


def _folded(*children: Json, taken: Any = (), bones: Any = ()) -> dict[int, int]:
    above = {"children": list(range(1, len(children) + 1))}
    return _nodes([above, *children, {"name": "other"}], taken, bones).folded([0])


def _nodes(nodes: list[Json], taken: Any = (), bones: Any = ()) -> mesh_nodes.Nodes:
    below = [node.get("children", []) for node in nodes]
    return mesh_nodes.Nodes(lambda i, name: nodes[i].get(name), below, bones, taken)
