"""OMI_physics_shape: the list of shapes, its older forms, and what other readers make of it."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from omi_physics_addon.model.document import PhysicsDocument
from omi_physics_addon.model.fields import MeshIndex
from omi_physics_addon.model.shapes import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    OtherGeometry,
    Shape,
    Sphere,
    Trimesh,
)
from tests.support.documents import SHAPE, differences, found, gltf, read, shaped, write

AT = f"/extensions/{SHAPE}/shapes/0"


def read_one(json: Any) -> tuple[Shape, list[tuple[str, str]]]:
    """The shape that an entry stands for, and the issues by their place in the entry."""
    document, issues = read(shaped(json, mesh_count=3))
    (shape,) = document.shapes
    return shape, [(code, pointer.removeprefix(AT)) for code, pointer in found(issues)]


def write_one(shape: Shape, **options: Any) -> tuple[dict[str, Any], list[str]]:
    """The entry of a shape, and the codes of the issues."""
    encoded, issues = write(PhysicsDocument(shapes=[shape]), **options)
    (json,) = encoded.root[SHAPE]["shapes"]
    return json, [issue.code for issue in issues]


TODAY = [
    (Box(size=(1.0, 2.0, 3.0)), {"type": "box", "box": {"size": [1, 2, 3]}}, []),
    (Box(), {"type": "box", "box": {"size": [1, 1, 1]}}, []),
    (Sphere(radius=0.25), {"type": "sphere", "sphere": {"radius": 0.25}}, []),
    (
        Capsule(height=3.0, radius_bottom=0.5, radius_top=0.25),
        {"type": "capsule", "capsule": {"height": 3, "radiusBottom": 0.5, "radiusTop": 0.25}},
        ["X01"],
    ),
    (
        Cylinder(height=3.0, radius_bottom=0.5, radius_top=0.25),
        {"type": "cylinder", "cylinder": {"height": 3, "radiusBottom": 0.5, "radiusTop": 0.25}},
        [],
    ),
    (
        Cylinder(height=3.0, radius_bottom=0.25, radius_top=0.25),
        {
            "type": "cylinder",
            "cylinder": {"height": 3, "radiusBottom": 0.25, "radiusTop": 0.25, "radius": 0.25},
        },
        [],
    ),
    (Convex(mesh=MeshIndex(2)), {"type": "convex", "convex": {"mesh": 2}}, []),
    (Trimesh(mesh=MeshIndex(0)), {"type": "trimesh", "trimesh": {"mesh": 0}}, []),
]
KINDS = [type(geometry).__name__ for geometry, _, _ in TODAY]


@pytest.mark.parametrize(("geometry", "json", "codes"), TODAY, ids=KINDS)
class TestTodaysForm:
    def test_read(self, geometry, json, codes):
        assert read_one(json) == (Shape(geometry=geometry), [])

    def test_write_spells_every_dimension_out(self, geometry, json, codes):
        assert write_one(Shape(geometry=geometry)) == (json, codes)

    def test_everything_else_in_the_objects_survives(self, geometry, json, codes):
        word = json["type"]
        full: dict[str, Any] = {
            **json,
            word: {**json[word], "extras": {"a": 1}, "mystery": [1]},
            "name": "Näme",
            "extras": {"b": [2]},
            "extensions": {"VENDOR_x": {"c": 3}},
            "unheard/of": 4,
        }
        shape, issues = read_one(full)
        assert issues == [("G07", f"/{word}/mystery"), ("G07", "/unheard~1of")]
        assert dataclasses.replace(shape.geometry, carried="") == geometry
        assert write_one(shape)[0] == full


CAPSULES = [
    ("nothing", {}, Capsule(), []),
    ("height alone is that of the middle", {"height": 3}, Capsule(height=3.0), []),
    (
        "one radius means the whole height",
        {"height": 3, "radius": 0.25},
        Capsule(height=2.5, radius_bottom=0.25, radius_top=0.25),
        [("S24", "")],
    ),
    (
        "one radius and the height of then",
        {"radius": 0.25},
        Capsule(height=1.5, radius_bottom=0.25, radius_top=0.25),
        [("S24", "")],
    ),
    (
        "no longer than wide",
        {"height": 1, "radius": 0.5},
        Capsule(height=1e-6, radius_bottom=0.5, radius_top=0.5),
        [("S24", "")],
    ),
    (
        "one radius beside two is for older readers",
        {"height": 3, "radius": 9, "radiusBottom": 0.5, "radiusTop": 0.25},
        Capsule(height=3.0, radius_bottom=0.5, radius_top=0.25),
        [],
    ),
    (
        "one radius beside the lower",
        {"height": 3, "radius": 9, "radiusBottom": 0.25},
        Capsule(height=3.0, radius_bottom=0.25),
        [],
    ),
    (
        "one radius beside the upper",
        {"radius": 9, "radiusTop": 0.25},
        Capsule(radius_top=0.25),
        [],
    ),
]
CYLINDERS = [
    ("nothing", {}, Cylinder(), []),
    (
        "one radius",
        {"height": 3, "radius": 0.25},
        Cylinder(height=3.0, radius_bottom=0.25, radius_top=0.25),
        [("S24", "")],
    ),
    ("one radius alone", {"radius": 0.25}, Cylinder(radius_bottom=0.25, radius_top=0.25),
     [("S24", "")]),
    (
        "one radius beside two",
        {"height": 3, "radius": 9, "radiusBottom": 0.5, "radiusTop": 0.25},
        Cylinder(height=3.0, radius_bottom=0.5, radius_top=0.25),
        [],
    ),
]  # fmt: skip
ROUND = [("capsule", *row) for row in CAPSULES] + [("cylinder", *row) for row in CYLINDERS]


@pytest.mark.parametrize(
    ("word", "json", "geometry", "issues"),
    [(word, json, geometry, issues) for word, _, json, geometry, issues in ROUND],
    ids=[f"{word}: {what}" for word, what, *_ in ROUND],
)
def test_forms_of_capsule_and_cylinder(word, json, geometry, issues):
    shape, got = read_one({"type": word, word: json})
    assert got == [(code, f"/{word}{pointer}") for code, pointer in issues]
    assert not list(differences(dataclasses.asdict(shape.geometry), dataclasses.asdict(geometry)))


FLAT = [
    ({"type": "box", "size": [1, 2, 3]}, Box(size=(1.0, 2.0, 3.0)), []),
    ({"type": "sphere", "radius": 2}, Sphere(radius=2.0), []),
    (
        {"type": "capsule", "radius": 0.25, "height": 3},
        Capsule(height=2.5, radius_bottom=0.25, radius_top=0.25),
        ["S24"],
    ),
    ({"type": "capsule", "height": 3}, Capsule(height=2.0), ["S24"]),
    ({"type": "capsule", "radius": 0.25}, Capsule(height=1.5, radius_bottom=0.25, radius_top=0.25),
     ["S24"]),
    (
        {"type": "cylinder", "radius": 0.25, "height": 3},
        Cylinder(height=3.0, radius_bottom=0.25, radius_top=0.25),
        ["S24"],
    ),
    ({"type": "hull", "mesh": 1}, Convex(mesh=MeshIndex(1)), []),
    ({"type": "hull", "hull": {"mesh": 1}}, Convex(mesh=MeshIndex(1)), []),
    ({"type": "convex", "mesh": 1}, Convex(mesh=MeshIndex(1)), []),
    ({"type": "trimesh", "mesh": 2}, Trimesh(mesh=MeshIndex(2)), []),
    ({"type": "box"}, Box(), ["S02"]),
    ({"type": "capsule"}, Capsule(), ["S02"]),
    ({"type": "trimesh"}, Trimesh(), ["S12"]),
    ({"type": "hull"}, Convex(), ["S12"]),
]  # fmt: skip


@pytest.mark.parametrize(("json", "geometry", "codes"), FLAT, ids=lambda value: str(value)[:40])
def test_flat_form(json, geometry, codes):
    shape, issues = read_one(json)
    assert shape == Shape(geometry=geometry)
    assert [code for code, _ in issues] == codes


@pytest.mark.parametrize(
    ("json", "issues"),
    [
        ({"capsule": {"radius": -0.25, "height": 3}}, [("S07", "/radius"), ("S24", "")]),
        ({"capsule": {"radius": "wide"}}, [("F01", "/radius"), ("S24", "")]),
        ({"capsule": {"radius": 0.25, "height": -3}}, [("S06", "/height"), ("S24", "")]),
        ({"capsule": {"radius": 0}}, [("S24", ""), ("S08", "")]),
        ({"capsule": {"radiusBottom": 0, "radiusTop": 0}}, [("S08", "")]),
        ({"capsule": 5}, [("F01", "")]),
    ],
    ids=["negative radius", "no radius", "negative height", "no width", "no widths", "no object"],
)
def test_faults_of_round_shapes(json, issues):
    got = read_one({"type": "capsule", **json})[1]
    assert got == [(code, f"/capsule{pointer}") for code, pointer in issues]


def test_whole_height_that_was_faulty_does_not_become_a_middle_one():
    shape, _ = read_one({"type": "capsule", "capsule": {"radius": 0.25, "height": -3}})
    json, _ = write_one(shape)
    assert json["capsule"] == {"height": 2.5, "radiusBottom": 0.25, "radiusTop": 0.25}


@pytest.mark.parametrize(
    "json",
    [
        {"type": "cone", "cone": {"height": 1}, "name": "Cone", "extras": {"a": 1}},
        {"type": "Box", "box": {"size": [1, 2, 3]}},
        {"type": "\ud800"},
        {"type": 5, "name": 6, "size": [1]},
        {"type": ["box"]},
        {"type": {}},
        {"box": {"size": [1, 2, 3]}},
        {},
    ],
    ids=["cone", "capital", "surrogate", "number", "list", "object", "none", "empty"],
)
def test_unknown_type_travels_through(json):
    shape, issues = read_one(json)
    assert isinstance(shape.geometry, OtherGeometry)
    assert issues == [("S01", "/type")]
    assert write_one(shape)[0] == json
    assert shape.geometry.type.encode("utf-8") is not None


def test_entry_that_is_no_object_keeps_the_place_of_the_others():
    document, issues = read(shaped(5, {"type": "sphere", "sphere": {"radius": 2}}))
    assert [type(shape.geometry) for shape in document.shapes] == [OtherGeometry, Sphere]
    assert found(issues) == [("F01", AT)]


def test_object_of_another_type_travels_through():
    json = {"type": "sphere", "sphere": {"radius": 2}, "box": {"size": [1, 2, 3]}}
    shape, issues = read_one(json)
    assert issues == [("S03", "/box")]
    assert write_one(shape)[0] == json


@pytest.mark.parametrize(("value", "code"), [(1e400, "G04"), (None, None)], ids=["1e400", "null"])
def test_object_of_another_type_that_no_file_can_hold_is_dropped(value, code):
    json = {"type": "sphere", "sphere": {"radius": 2}, "box": value}
    shape, issues = read_one(json)
    assert shape == Shape(geometry=Sphere(radius=2.0))
    assert issues == [("S03", "/box"), *([(code, "/box")] if code else [])]


@pytest.mark.parametrize(
    ("repair", "name"), [(False, {"name": 5}), (True, {})], ids=["as it was", "repaired"]
)
def test_name_that_is_no_text(repair, name):
    shape, issues = read_one({"type": "box", "box": {"size": [1, 1, 1]}, "name": 5})
    assert shape.name == ""
    assert issues == [("F01", "/name")]
    assert write_one(shape, repair=repair)[0] == {"type": "box", "box": {"size": [1, 1, 1]}, **name}


@pytest.mark.parametrize("word", ["convex", "trimesh"])
@pytest.mark.parametrize(
    ("json", "code"),
    [({}, None), ({"mesh": -1}, "G06"), ({"mesh": 3}, "G05"), ({"mesh": "a"}, "F01")],
    ids=["none", "minus one", "beyond", "text"],
)
def test_mesh_that_is_not_there(word, json, code):
    shape, issues = read_one({"type": word, word: json})
    kept = '{"mesh":3}' if code == "G05" else ""
    assert shape.geometry in (Convex(carried=kept), Trimesh(carried=kept))
    expected = [(code, f"/{word}/mesh")] if code else []
    assert issues == [*expected, ("S12", f"/{word}")]
    assert write_one(shape)[0] == {"type": word, word: {}}


@pytest.mark.parametrize(
    ("extension", "pointer"),
    [(5, ""), (None, ""), ([], ""), ({"shapes": {}}, "/shapes"), ({"shapes": None}, "/shapes")],
)
def test_list_that_is_no_list(extension, pointer):
    document, issues = read(gltf(OMI_physics_shape=extension))
    assert document == PhysicsDocument()
    assert found(issues) == [("F01", f"/extensions/{SHAPE}{pointer}")]


def test_members_beside_the_list_survive():
    extension = {
        "shapes": [{"type": "box", "box": {"size": [1, 1, 1]}}],
        "extras": {"a": 1},
        "extensions": {"VENDOR_x": {}},
        "mystery": 2,
    }
    document, issues = read(gltf(OMI_physics_shape=extension))
    assert found(issues) == [("G07", f"/extensions/{SHAPE}/mystery")]
    assert write(document)[0].root == {SHAPE: extension}


def test_empty_list_is_not_written():
    document, _ = read(gltf(OMI_physics_shape={"shapes": [], "extras": {"a": 1}}))
    assert write(document)[0].root == {}


GODOT = [
    (
        Capsule(height=2.0, radius_bottom=0.25, radius_top=0.25),
        {"height": 2.5, "radius": 0.25},
        ["X01"],
    ),
    (
        Capsule(height=1.5, radius_bottom=0.25, radius_top=0.25),
        {"height": 2, "radius": 0.25},
        ["X01"],
    ),
    (
        Capsule(height=2.0, radius_bottom=0.25, radius_top=0.5),
        {"height": 2, "radiusBottom": 0.25, "radiusTop": 0.5},
        ["X02"],
    ),
    (
        Capsule(height=1e308, radius_bottom=1e308, radius_top=1e308),
        {"height": 1e308, "radiusBottom": 1e308, "radiusTop": 1e308},
        ["X02"],
    ),
]


@pytest.mark.parametrize(("capsule", "json", "codes"), GODOT, ids=["even", "whole", "tapered", "∞"])
def test_capsules_for_godot(capsule, json, codes):
    got, issues = write_one(Shape(geometry=capsule), target="GODOT_4")
    assert got == {"type": "capsule", "capsule": json}
    assert repr(got["capsule"]["height"]) == repr(json["height"])
    assert issues == codes


def test_tapered_cylinders_for_godot_have_the_wider_radius_too():
    cylinder = Cylinder(height=2.0, radius_bottom=0.25, radius_top=0.75)
    sizes = {"height": 2, "radiusBottom": 0.25, "radiusTop": 0.75, "radius": 0.75}
    json = {"type": "cylinder", "cylinder": sizes}
    assert write_one(Shape(geometry=cylinder), target="GODOT_4") == (json, ["X02"])
    assert read_one(json) == (Shape(geometry=cylinder), [])


@pytest.mark.parametrize(
    "geometry",
    [Box(), Sphere(), Cylinder(), Convex(mesh=MeshIndex(0))],
    ids=lambda geometry: type(geometry).__name__,
)
def test_other_shapes_are_the_same_for_godot(geometry):
    shape = Shape(geometry=geometry)
    assert write_one(shape, target="GODOT_4") == write_one(shape)


def test_capsule_for_godot_is_read_as_the_same():
    capsule = Capsule(height=1.5, radius_bottom=0.25, radius_top=0.25)
    json, _ = write_one(Shape(geometry=capsule), target="GODOT_4")
    assert read_one(json)[0].geometry == capsule


def test_originals_do_not_get_into_what_is_computed():
    cylinder = {"radiusBottom": "wide", "radiusTop": 0.5, "height": 3}
    shape, _ = read_one({"type": "cylinder", "cylinder": cylinder})
    assert write_one(shape)[0]["cylinder"] == {**cylinder, "radius": 0.5}
    capsule = {"radiusBottom": "wide", "radiusTop": 0.5, "height": 3}
    shape, _ = read_one({"type": "capsule", "capsule": capsule})
    json, _ = write_one(shape, target="GODOT_4")
    assert json["capsule"] == {"height": 4, "radius": 0.5}
