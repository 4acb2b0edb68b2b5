"""Triangle meshes that bodies come to from behind, as they are written for Godot."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import containers, mesh_data, rewriting, target_check
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues
from tests.codec.rules.test_all_rules import tetrahedron
from tests.files.test_fixing import TRIMESH, arrays, with_mesh
from tests.geometry.test_mesh_sides import box, flip, joined, sheet

Json = dict[str, Any]


def reader(json: Json) -> Any:
    return mesh_data.of_file(containers.Container(json), lambda _uri: None).triangles


def change(json: Json, target: Any = "GODOT_4") -> tuple[Json, Issues]:
    issues = Issues()
    options = WriteOptions(target=engine_of(target))
    return rewriting.change(json, issues, options, read_mesh=reader(json)).json, issues


def written(json: Json) -> Json:
    return change(json)[0]


def given(mesh: Any, **node: Any) -> Json:
    """A static trimesh in today's form."""
    json = with_mesh(TRIMESH, *arrays(mesh))
    json |= {"asset": {"version": "2.0"}}
    json["nodes"][0].update(node)
    return change(json, "SPECIFICATION")[0]


def mesh_at(json: Json, node: int = 0) -> tuple[Any, Any]:
    """The corners and triangles of the trimesh of a node."""
    collider = json["nodes"][node]["extensions"]["OMI_physics_body"]["collider"]
    shape = json["extensions"]["OMI_physics_shape"]["shapes"][collider["shape"]]
    return reader(json)(shape["trimesh"]["mesh"])


def seen(mesh: tuple[Any, Any]) -> list[Any]:
    """Where the corners of triangles are, whatever order they are in."""
    corners, faces = mesh
    turns = (min(row[k:] + row[:k] for k in range(3)) for row in corners[faces].tolist())
    return sorted(turns)


@pytest.mark.parametrize(
    "mesh",
    [
        box(),
        joined(box(3.0), (box()[0], flip(box()[1]))),
        joined(sheet(1), (sheet(1)[0], flip(sheet(1)[1]))),
    ],
    ids=["box", "hollow", "both"],
)
def test_what_holds_on_its_front_stays_as_it_is(mesh):
    json = given(mesh)
    blind = rewriting.change(json, Issues(), WriteOptions(target=engine_of("GODOT_4"))).json
    assert written(json) == blind
    assert blind["meshes"] == json["meshes"]


@pytest.mark.parametrize(
    ("mesh", "backs"),
    [
        ((box()[0], flip(box()[1])), range(12)),
        ((box()[0], flip(box()[1], 3)), [3]),
        (sheet(2), range(8)),
        ((sheet(2)[0], flip(sheet(2)[1])), range(8)),
        (joined(box(), (sheet(1)[0] + 5.0, sheet(1)[1])), [12, 13]),
    ],
    ids=["inside_out", "one", "sheet", "sheet_down", "box_and_sheet"],
)
def test_what_bodies_can_meet_from_behind_gets_its_backs(mesh, backs):
    corners, faces = mesh
    json = given(mesh)
    ours = written(json)
    assert seen(mesh_at(ours)) == seen((corners, [*faces, *faces[list(backs)][:, ::-1]]))
    assert ours["meshes"][0] == json["meshes"][0]
    assert ours["meshes"][1]["name"].endswith("Both Sides")
    assert written(ours) == ours
    assert change(ours, "SPECIFICATION")[0] == json


def test_a_mirrored_box_has_both_sides_for_the_engine_that_turns_it():
    ours = written(given(box(), scale=[-1, 1, 1]))
    assert len(mesh_at(ours)[1]) == 24
    assert len(mesh_at(written(given(box(), scale=[-1, -1, 1])))[1]) == 12


def test_nodes_share_the_new_mesh():
    json = given(sheet(1))
    json["nodes"].append({**copy.deepcopy(json["nodes"][0]), "translation": [5.0, 0.0, 0.0]})
    ours = written(json)
    assert len(ours["meshes"]) == 2
    assert len(mesh_at(ours)[1]) == len(mesh_at(ours, 1)[1]) == 4


def test_triggers_stay():
    json = given(sheet(1))
    body = json["nodes"][0]["extensions"]["OMI_physics_body"]
    body["trigger"] = body.pop("collider")
    assert len(written(json)["meshes"]) == 1


def test_a_mesh_that_cannot_be_read_stays_and_is_told():
    json = given(sheet(1))
    json["buffers"][0] = {"byteLength": json["buffers"][0]["byteLength"], "uri": "none.bin"}
    ours, issues = change(json)
    assert [i.pointer for i in issues if i.code == "X67"] == ["/nodes/0"]
    assert ours["meshes"] == json["meshes"]


def told(json: Json) -> list[str]:
    issues, file = Issues(), dialects.gltf_file(json)
    document = dialects.read(file, Issues())
    target_check.check_target(json, document, engine_of("GODOT_4"), issues, reader(json))
    return [issue.code for issue in issues]


def test_the_check_for_godot_tells_of_it():
    json = given(tetrahedron(inward=True))
    assert told(json) == ["X51"]
    assert told(written(json)) == []
    assert told(given(tetrahedron())) == []
