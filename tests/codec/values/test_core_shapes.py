"""Versions of glTF, and shapes in the core of a file."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.values import core_shapes, listed_shapes
from omi_physics_addon.issues import Issues
from omi_physics_addon.model import fields
from omi_physics_addon.model.shapes import Box, Capsule, Convex, Cylinder, Plane, Sphere, Trimesh
from tests.support.animations import value_at
from tests.support.documents import DATA, found, load, read

KHR, LIST = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
ALL = DATA / "gltf_2_1" / "khr" / "core_shapes.gltf"
Json = dict[str, Any]

# Word → key → default and lowest number, and whether that is allowed.
# Source: schemas of the draft, commit 726e078d of KhronosGroup/glTF.
DRAFT: dict[str, dict[str, tuple[Any, float, bool]]] = {
    "box": {"size": ((1.0, 1.0, 1.0), 0.0, False)},
    "sphere": {"radius": (0.5, 0.0, False)},
    "capsule": {
        "height": (1.0, 0.0, False),
        "radiusBottom": (0.5, 0.0, True),
        "radiusTop": (0.5, 0.0, True),
    },
    "cylinder": {
        "height": (2.0, 0.0, False),
        "radiusBottom": (0.5, 0.0, True),
        "radiusTop": (0.5, 0.0, True),
    },
    "plane": {"sizeX": (None, 0.0, False), "sizeZ": (None, 0.0, False)},
}
NOT_IN_CORE = {"doubleSided"}


def crate(shape: int = 0, **asset: Any) -> Json:
    """A file with a box in its core that a body refers to."""
    collider = {"geometry": {"shape": shape}}
    return {
        "asset": {"version": "2.1", **asset},
        "extensionsUsed": [KHR],
        "nodes": [{"extensions": {KHR: {"motion": {"mass": 2}, "collider": collider}}}],
        "shapes": [{"type": "box", "box": {"size": [1, 2, 3]}}],
    }


def written(json: Json, geometry: Any = "MESH", *families: Any) -> Json:
    options = WriteOptions(geometry=geometry)
    return rewriting.change(json, Issues(), options, families).json


@pytest.mark.parametrize("word", DRAFT)
def test_records_have_what_the_draft_says(word):
    rows = {row.key: row for row in fields.table(listed_shapes.CORE.types[word])}
    assert rows.keys() - NOT_IN_CORE == DRAFT[word].keys()
    for key, (default, lowest, is_allowed) in DRAFT[word].items():
        field = rows[key].field
        assert rows[key].default == default
        assert (field.minimum if is_allowed else field.above) == lowest
        assert (field.above if is_allowed else field.minimum) is None


def test_every_shape_of_the_draft_is_read():
    document, issues = read(load(ALL))
    assert found(issues) == [("G11", "/shapes"), ("S01", "/shapes/14/type")]
    shapes = [document.shapes[p.collider.shape] for p in document.nodes.values() if p.collider]
    kinds = [type(shape.geometry) for shape in shapes]
    assert kinds[:9] == [Box, Box, Capsule, Capsule, Cylinder, Cylinder, Plane, Plane, Sphere]
    assert kinds[9:13] == [Convex, Trimesh, Convex, Trimesh]
    assert shapes[1].geometry == Box(size=(1.0, 1.0, 1.0))
    assert shapes[3].geometry == Capsule(height=1.0, radius_bottom=0.5, radius_top=0.5)
    assert shapes[10].name == "shell"
    assert document.nodes[14].trigger is not None


def test_a_list_of_the_family_comes_before_that_of_the_core():
    json = crate() | {"extensions": {LIST: {"shapes": [{"type": "sphere", "sphere": {}}]}}}
    document, issues = read(json)
    assert [type(shape.geometry) for shape in document.shapes] == [Sphere]
    assert found(issues) == [("G11", "/asset/version")]


def test_an_index_beyond_the_core_is_told_with_its_place():
    _, issues = read(crate(shape=1))
    where = f"/nodes/0/extensions/{KHR}/collider/geometry/shape"
    assert found(issues) == [("G11", "/shapes"), ("G05", where)]
    assert written(crate(shape=1))["nodes"] == crate(shape=1)["nodes"]


@pytest.mark.parametrize(
    ("asset", "told"),
    [
        ({"version": "2.0"}, []),
        ({}, []),
        ({"version": "2.1"}, [("G11", "/asset/version")]),
        ({"version": "2.2"}, [("G12", "/asset/version")]),
        ({"version": 2.0}, [("G12", "/asset/version")]),
        ({"version": "2.00"}, [("G12", "/asset/version")]),
        ({"version": "2.1", "minVersion": "2.1"}, [("G11", "/asset/version")]),
        ({"version": "2.0", "minVersion": "2.9"}, [("G12", "/asset/minVersion")]),
    ],
)
def test_versions(asset, told):
    assert found(read({"asset": asset})[1]) == told


@pytest.mark.parametrize(
    ("asset", "is_readable"),
    [
        ({"version": "2.0"}, True),
        ({"version": "2.1"}, True),
        ({"version": "2.17"}, True),
        ({"version": "2.17", "minVersion": "2.2"}, False),
        ({"version": "2.1", "minVersion": "2.1"}, True),
        ({"version": "3.0"}, False),
        ({"version": "2.01"}, False),
        ({"version": 2.1}, False),
        (None, True),
    ],
)
def test_which_versions_the_host_may_read(asset, is_readable):
    assert core_shapes.is_readable(asset) is is_readable


def test_shapes_move_from_the_core_and_back():
    plain = written(crate())
    assert "shapes" not in plain
    assert plain["asset"] == {"version": "2.0"}
    assert plain["extensions"][LIST]["shapes"] == crate()["shapes"]
    core = written(plain, "CORE")
    assert core["asset"] == {"version": "2.1"}
    assert "extensions" not in core
    assert (core["shapes"], core["nodes"]) == (crate()["shapes"], crate()["nodes"])
    assert written(core) == plain


def test_a_file_that_asks_for_the_draft_stays_one():
    assert written(crate(minVersion="2.1"))["asset"] == {"version": "2.1", "minVersion": "2.1"}


def test_bodies_of_omi_find_shapes_of_the_core():
    json = crate()
    json["nodes"] = [{"extensions": {"OMI_physics_body": {"collider": {"shape": 0}}}}]
    assert read(json)[0].shapes[0].geometry == Box(size=(1.0, 2.0, 3.0))
    plain = written(json)
    assert plain["extensions"]["OMI_physics_shape"]["shapes"] == json["shapes"]
    assert "shapes" not in plain


@pytest.mark.parametrize(
    "other",
    [
        {"boundingVolume": {"shape": 0}},
        {"extensions": {"EXT_volume": {"deep": [{"boundingVolume": {"shape": 0}}]}}},
        {"extensions": {"EXT_sound": {"shape": 0}}},
    ],
)
def test_shapes_that_others_refer_to_stay_where_they_are(other):
    json = crate()
    json["nodes"].append(other)
    json["shapes"].append({"type": "sphere"})
    plain = written(json)
    assert (plain["shapes"], plain["asset"]) == (json["shapes"], json["asset"])
    assert plain["nodes"][1] == other
    core = written(plain, "CORE")
    assert core["shapes"] == json["shapes"]  # The box is there already.
    assert core["nodes"] == json["nodes"]
    plain["extensions"][LIST]["shapes"][0]["box"]["size"] = [9, 9, 9]
    core = written(plain, "CORE")
    assert core["shapes"][:2] == json["shapes"]
    assert value_at(core, f"/nodes/0/extensions/{KHR}/collider/geometry/shape") == 2


def test_shapes_stay_in_a_file_whose_physics_has_none_of_them():
    json = crate() | {"nodes": [{"name": "Empty"}], "extensionsUsed": ["EXT_other"]}
    assert written(json) == json


def test_a_plane_with_two_sides_keeps_its_word():
    json = crate() | {"shapes": [{"type": "plane", "plane": {"doubleSided": True}}]}
    issues = Issues()
    core = rewriting.change(json, issues, WriteOptions(geometry="CORE")).json
    assert core["shapes"] == json["shapes"]
    assert ("L27", "shape 0") in found(issues)
    one_sided = crate() | {"shapes": [{"type": "plane", "plane": {"sizeX": 2}}]}
    assert written(one_sided, "CORE")["shapes"] == one_sided["shapes"]


def test_a_list_that_is_none_is_told_and_kept():
    json = crate() | {"shapes": {"type": "box"}}
    issues = Issues()
    result = rewriting.change(json, issues, WriteOptions()).json
    assert ("F01", "/shapes") in found(issues)
    assert result["shapes"] == json["shapes"]


def test_animations_follow_a_size():
    def pointing(pointer: str) -> Json:
        target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
        return {"channels": [{"sampler": 0, "target": target}], "samplers": [{}]}

    json = crate() | {"animations": [pointing("/shapes/0/box/size")]}
    plain = written(json)
    assert plain["animations"] == [pointing(f"/extensions/{LIST}/shapes/0/box/size")]
    assert written(plain, "CORE")["animations"] == json["animations"]
    json["nodes"].append({"boundingVolume": {"shape": 0}})
    assert written(json)["animations"] == json["animations"]  # Of the shape that stays.


def test_engines_get_no_core():
    options = WriteOptions(geometry="CORE")
    assert (options.form, options.as_authored().geometry) == ("CORE", "CORE")
    from omi_physics_addon.engines import TARGETS

    for row in TARGETS.values():
        for_engine = WriteOptions(geometry="CORE", target=row.load())
        assert (for_engine.form, for_engine.as_authored().geometry) == ("MESH", "MESH")


def test_what_is_read_is_left_as_it_was():
    json = load(ALL)
    before = copy.deepcopy(json)
    written(json, "CORE")
    written(json, "MESH", "OMI", "KHR")
    assert json == before
    assert dialects.reads_core(dialects.gltf_file(json))
