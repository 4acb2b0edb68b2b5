"""Meshes that are added for an engine leave all that a file has as it is, and can go again."""

from __future__ import annotations

import copy

import pytest

from omi_physics_addon.codec.targets import added_meshes
from omi_physics_addon.model.document import NewMesh

CORNERS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
MESH = NewMesh("One", CORNERS, ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
LARGE = NewMesh("Large", CORNERS * 20000, ((0, 1, 79999),))
FILE = {
    "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36, "uri": "beside.bin"}],
}


@pytest.mark.parametrize("file", [FILE, {"asset": {}}])
@pytest.mark.parametrize("meshes", [[MESH], [MESH, LARGE], []])
def test_what_was_added_can_go_again(file, meshes):
    json = copy.deepcopy(file)
    added = added_meshes.append(json, meshes)
    assert len(added) == len(meshes)
    for name, before in file.items():
        if isinstance(before, list):
            assert json[name][: len(before)] == before
    added_meshes.remove(json, added)
    assert json == file


def test_many_corners_need_wider_numbers():
    json = {}
    added_meshes.append(json, [MESH, LARGE])
    assert [json["accessors"][i]["componentType"] for i in (1, 3)] == [5123, 5125]
    places = [view["byteOffset"] for view in json["bufferViews"]]
    assert places == sorted(places)
    assert all(place % 4 == 0 for place in places)


def spoiled(change):
    json = copy.deepcopy(FILE)
    added = added_meshes.append(json, [MESH])
    change(json)
    before = copy.deepcopy(json)
    added_meshes.remove(json, added)
    return before, json


def test_what_another_program_uses_stays():
    before, after = spoiled(lambda json: json["nodes"].append({"mesh": 1}))
    assert after == before
    before, after = spoiled(lambda json: json["meshes"].append({"primitives": []}))
    assert after == before
    shared = {"primitives": [{"attributes": {"POSITION": 2}}]}
    before, after = spoiled(lambda json: json["meshes"].__setitem__(0, shared))
    assert after["meshes"] == before["meshes"][:1]
    assert after["accessors"] == before["accessors"]
    shares = {"bufferView": 2, "componentType": 5123, "count": 3, "type": "SCALAR"}
    before, after = spoiled(lambda json: json["accessors"].insert(0, shares))
    assert after["bufferViews"] == before["bufferViews"]
    before, after = spoiled(lambda json: json.update(images=[{"bufferView": 1}]))
    assert after["bufferViews"] == before["bufferViews"][:2]
    assert after["buffers"] == before["buffers"]


def test_a_buffer_beside_the_text_stays():
    """A program that packed all numbers into one file has ours in there, too."""
    before, after = spoiled(lambda json: json["buffers"][1].update(uri="packed.bin"))
    assert len(after["meshes"]) == 1
    assert after["buffers"] == before["buffers"]
