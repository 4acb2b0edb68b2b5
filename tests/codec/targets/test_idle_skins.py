"""Skins that bend nothing and whose bones are bodies are left out for Godot, and come back."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.targets import authored, idle_skins
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues

BODY = "OMI_physics_body"


def figure(*, skin: int | None = None, kind: str = "dynamic") -> dict[str, Any]:
    """Three skins: of bones that nothing moves, of a body and its mesh below, and of another."""
    body = {BODY: {"motion": {"type": kind, "mass": 2.0}}}
    nodes: list[dict[str, Any]] = [
        {"name": "Rig", "children": [1, 3, 4]},
        {"name": "Hips", "extensions": body, "children": [2]},
        {"name": "Tail"},
        {"name": "Skin", "mesh": 0, **({} if skin is None else {"skin": skin})},
        {"name": "Still"},
    ]
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "meshes": [{"primitives": []}],
        "skins": [
            {"joints": [4]},
            {"joints": [1, 2], "name": "Rig"},
            {"joints": [4], "name": "Still"},
        ],
        "extensionsUsed": [BODY],
    }


def test_only_idle_skins_of_bodies_are_taken_and_others_get_new_numbers():
    json = figure(skin=2)
    before = copy.deepcopy(json)
    whole = dict(json)
    taken = idle_skins.take(whole, [1])
    assert taken == {"1": {"joints": [1, 2], "name": "Rig"}}
    assert whole["skins"] == [{"joints": [4]}, {"joints": [4], "name": "Still"}]
    assert whole["nodes"][3]["skin"] == 1
    assert json == before  # Its lists were replaced.
    idle_skins.put_back(whole, taken)
    assert whole == before


def test_a_skin_that_bends_a_mesh_stays():
    json = figure(skin=1)
    assert idle_skins.take(json, [1]) == {}
    assert len(json["skins"]) == 3


def test_no_list_of_skins_stays_empty():
    json = figure() | {"skins": [{"joints": [1]}]}
    taken = idle_skins.take(json, [1])
    assert "skins" not in json
    idle_skins.put_back(json, taken)
    assert json["skins"] == [{"joints": [1]}]


@pytest.mark.parametrize("skins", [{}, [3, None], [{"joints": 7}], [{"joints": [[], "a"]}]])
def test_odd_skins_are_left_alone(skins: Any):
    json = figure() | {"skins": skins}
    json["nodes"][3]["skin"] = []
    assert idle_skins.take(json, [1]) == {}
    assert json["skins"] == skins


@pytest.mark.parametrize(
    ("target", "kind", "count"),
    [
        ("GODOT_4", "dynamic", 2),
        ("GODOT_4", "kinematic", 3),
        ("BABYLON", "dynamic", 3),
        ("SPECIFICATION", "dynamic", 3),
    ],
)
def test_files_for_godot_leave_them_out_and_come_back(target: Any, kind: str, count: int):
    json = figure(kind=kind)
    written = rewriting.change(json, Issues(), WriteOptions(target=engine_of(target))).json
    assert len(written["skins"]) == count
    back = authored.restore(written, Issues()).json
    assert back["skins"] == json["skins"]
    again = rewriting.change(written, Issues(), WriteOptions(target=engine_of(target))).json
    assert again == written
