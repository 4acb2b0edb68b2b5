"""Meshes that shapes are made of, and what is wrong with them."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from omi_physics_addon.codec.rules import file_check
from omi_physics_addon.issues import Issues
from tests.support.documents import found

TRIANGLE = {"attributes": {"POSITION": 0}, "indices": 1}
AT = "/meshes/0/primitives/0"


def file(*primitives: Any, kind: str = "convex") -> dict[str, Any]:
    shape = {"type": kind, kind: {"mesh": 0}}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
        "nodes": [{"extensions": {"OMI_physics_body": {"collider": {"shape": 0}}}}] * 2,
        "extensions": {"OMI_physics_shape": {"shapes": [shape]}},
        "meshes": [{"primitives": list(primitives)}, {"primitives": [{"mode": 1}]}],
        "accessors": [
            {"count": 4, "type": "VEC3", "componentType": 5126, "bufferView": 0},
            {"count": 6, "type": "SCALAR", "componentType": 5123, "bufferView": 1, "byteOffset": 2},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48}],
        "buffers": [{"byteLength": 64}],
    }


def check(json: Any, *order: int) -> list[tuple[str, str]]:
    data = bytes(50) + struct.pack("<6H", *(order or (0, 1, 2, 1, 2, 3)))
    issues = Issues()
    file_check.check_file(json, issues, buffer={0: data}.get)
    return found(issues)


@pytest.mark.parametrize("kind", ["convex", "trimesh"])
def test_a_mesh_that_is_right(kind):
    assert check(file(TRIANGLE, kind=kind)) == []


@pytest.mark.parametrize(
    ("primitive", "expected"),
    [
        (TRIANGLE | {"mode": 0}, ("S16", AT)),
        (TRIANGLE | {"mode": 3}, ("S16", AT)),
        (TRIANGLE | {"mode": "x"}, ("S16", AT)),
        (TRIANGLE | {"mode": []}, ("S16", AT)),
        ({"attributes": {"NORMAL": 0}}, ("S13", AT)),
        ({}, ("S13", AT)),
        (None, ("S13", AT)),
        ({"attributes": {"POSITION": 5}}, ("G05", f"{AT}/attributes/POSITION")),
        (TRIANGLE | {"indices": -1}, ("G05", f"{AT}/indices")),
    ],
)
def test_a_mesh_that_is_wrong_is_told_once(primitive, expected):
    assert check(file(primitive)) == [expected]


def test_a_mesh_without_primitives():
    assert set(check(file())) >= {("S13", "/meshes/0")}


@pytest.mark.parametrize("view", [0, 1])
def test_an_index_beyond_the_positions(view):
    json = file(TRIANGLE)
    if view == 0:
        json["bufferViews"].reverse()
        for accessor, at in zip(json["accessors"], (1, 0), strict=True):
            accessor["bufferView"] = at
    assert check(json, 0, 1, 2, 3, 4, 0) == [("G05", f"{AT}/indices")]


@pytest.mark.parametrize(
    "change",
    [
        {"bufferView": 9}, {"bufferView": None}, {"count": 60}, {"count": -1}, {"count": "x"},
        {"componentType": 5126}, {"componentType": []}, {"byteOffset": -2}, {"sparse": {}},
    ],
)  # fmt: skip
def test_indices_that_cannot_be_read_are_left_alone(change):
    json = file(TRIANGLE)
    json["accessors"][1] |= change
    assert [code for code, _ in check(json) if code == "G05"] == []


def test_without_buffers_only_what_the_text_says_is_looked_at():
    issues = Issues()
    file_check.check_file(file(TRIANGLE | {"mode": 1}), issues)
    assert set(issues.codes()) == {"S16"}
