"""OMI_physics_body as it is written since 2023-09: nodes, materials and filters."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from omi_physics_addon.codec.dialects import WriteOptions, Writer
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import (
    FilterIndex,
    MaterialIndex,
    MeshIndex,
    NodeIndex,
    ShapeIndex,
)
from omi_physics_addon.model.shapes import Box, Shape, Trimesh
from tests.support.documents import (
    BODY,
    SHAPE,
    body,
    found,
    gltf,
    read,
    shaped,
    through_text,
    write,
)

AT = f"/nodes/0/extensions/{BODY}"
BOX = {"type": "box", "box": {"size": [1, 1, 1]}}
LISTS = {
    SHAPE: {"shapes": [BOX, BOX]},
    BODY: {"physicsMaterials": [{}, {}], "collisionFilters": [{}, {}]},
}
Found = list[tuple[str, str]]


def read_body(**members: Any) -> tuple[NodePhysics, Found]:
    """The physics of the first of four nodes, and the issues by their place in its object."""
    document, issues = read(gltf(body(1, 2, **members), {}, {}, {}, **LISTS))
    found_there = [(code, at.removeprefix(AT)) for code, at in found(issues)]
    return document.nodes.get(0, NodePhysics()), found_there


def write_body(physics: NodePhysics, **options: Any) -> tuple[dict[str, Any], list[str]]:
    """The object of a node, and the codes of the issues."""
    encoded, issues = write(PhysicsDocument(nodes={0: physics}), **options)
    return encoded.nodes[0][BODY], [issue.code for issue in issues]


def motion(**fields: Any) -> Motion:
    """A motion as it is read where the file is silent."""
    return Motion(**{"mass": 1.0, "center_of_mass": (0.0, 0.0, 0.0), **fields})


GOOD = [
    (
        "static",
        {"motion": {"type": "static"}},
        NodePhysics(motion=motion(type="static")),
    ),
    (
        "heavy static",
        {"motion": {"type": "static", "mass": 5}},
        NodePhysics(motion=motion(type="static", mass=5.0)),
    ),
    (
        "kinematic",
        {"motion": {"type": "kinematic", "mass": 1}},
        NodePhysics(motion=motion(type="kinematic")),
    ),
    (
        "dynamic",
        {
            "motion": {
                "type": "dynamic",
                "mass": 2.5,
                "centerOfMass": [1, -2, 3],
                "inertiaDiagonal": [1, 2, 2.5],
                "inertiaOrientation": [0.6, 0, 0, 0.8],
                "linearVelocity": [0, 0.5, 0],
                "angularVelocity": [0, 0, -7],
                "gravityFactor": -0.5,
            }
        },
        NodePhysics(
            motion=Motion(
                mass=2.5,
                center_of_mass=(1.0, -2.0, 3.0),
                inertia_diagonal=(1.0, 2.0, 2.5),
                inertia_orientation=(0.6, 0.0, 0.0, 0.8),
                linear_velocity=(0.0, 0.5, 0.0),
                angular_velocity=(0.0, 0.0, -7.0),
                gravity_factor=-0.5,
            )
        ),
    ),
    (
        "collider",
        {"collider": {"shape": 1, "physicsMaterial": 0, "collisionFilter": 1}},
        NodePhysics(
            collider=Collider(
                shape=ShapeIndex(1),
                physics_material=MaterialIndex(0),
                collision_filter=FilterIndex(1),
            )
        ),
    ),
    ("grouping collider", {"collider": {}}, NodePhysics(collider=Collider())),
    (
        "trigger",
        {"trigger": {"shape": 0, "collisionFilter": 0}},
        NodePhysics(trigger=Trigger(shape=ShapeIndex(0), collision_filter=FilterIndex(0))),
    ),
    (
        "compound trigger",
        {"trigger": {"nodes": [2, 1]}},
        NodePhysics(trigger=Trigger(nodes=(NodeIndex(2), NodeIndex(1)))),
    ),
    (
        "all on one node",
        {
            "motion": {"type": "dynamic", "mass": 1},
            "collider": {"shape": 0},
            "trigger": {"shape": 1},
        },
        NodePhysics(
            motion=motion(),
            collider=Collider(shape=ShapeIndex(0)),
            trigger=Trigger(shape=ShapeIndex(1)),
        ),
    ),
]


@pytest.mark.parametrize(
    ("json", "physics"), [row[1:] for row in GOOD], ids=[row[0] for row in GOOD]
)
class TestNode:
    def test_read(self, json, physics):
        assert read_body(**json) == (physics, [])

    def test_write(self, json, physics):
        assert write_body(physics) == (json, [])

    def test_everything_else_in_the_objects_survives(self, json, physics):
        more = {"extras": {"a": [1]}, "extensions": {"VENDOR_x": {"b": 2}}, "my/stery": "?"}
        full = {key: {**value, **more} for key, value in json.items()} | more
        got, issues = read_body(**full)
        places = [*(f"/{key}/my~1stery" for key in json), "/my~1stery"]
        assert issues == [("G07", place) for place in places]
        assert write_body(got)[0] == full


@pytest.mark.parametrize(
    ("json", "is_read_as"),
    [
        ({}, {}),
        ({"mass": 1, "centerOfMass": [0, 0, 0], "gravityFactor": 1}, {}),
        ({"inertiaDiagonal": [0, 0, 0]}, {}),
        ({"inertiaOrientation": [0, 0, 0, 1]}, {}),
    ],
    ids=["nothing", "defaults", "no inertia", "no rotation"],
)
def test_defaults_of_a_motion(json, is_read_as):
    physics, issues = read_body(motion={"type": "dynamic", **json})
    assert physics.motion == motion(**is_read_as)
    assert issues == []
    assert write_body(physics)[0] == {"motion": {"type": "dynamic", "mass": 1}}


def test_what_is_left_to_the_engine_is_written_as_omi_has_it():
    assert write_body(NodePhysics(motion=Motion()))[0] == {"motion": {"type": "dynamic", "mass": 1}}


MOTION_FAULTS = [
    ({}, [("B01", "")], {}),
    ({"type": None}, [("F01", "/type"), ("B01", "")], {}),
    ({"type": "floating"}, [("B02", "/type")], {}),
    ({"type": "KINEMATIC"}, [("B02", "/type")], {"type": "kinematic"}),
    ({"type": 3}, [("F01", "/type")], {}),
    ({"type": "dynamic", "mass": -2}, [("B05", "/mass")], {"mass": 2.0}),
    ({"type": "dynamic", "mass": "2"}, [("F01", "/mass")], {}),
    ({"type": "dynamic", "centerOfMass": [1, 2]}, [("B13", "/centerOfMass")], {}),
    ({"type": "dynamic", "inertiaDiagonal": [1, 2]}, [("B13", "/inertiaDiagonal")], {}),
    (
        {"type": "dynamic", "inertiaDiagonal": [-1, 2, 3]},
        [("B08", "/inertiaDiagonal")],
        {"inertia_diagonal": (1.0, 2.0, 3.0)},
    ),
    (
        {"type": "dynamic", "inertiaDiagonal": [0, 2, 3]},
        [("B10", "")],
        {"inertia_diagonal": (0.0, 2.0, 3.0)},
    ),
    (
        {"type": "dynamic", "inertiaOrientation": [0.6, 0, 0, 0.8]},
        [("B12", "")],
        {"inertia_orientation": (0.6, 0.0, 0.0, 0.8)},
    ),
    (
        {"type": "dynamic", "inertiaOrientation": [0, 0, 0, 2]},
        [("B11", "/inertiaOrientation"), ("B12", "")],
        {},
    ),
    (
        {
            "type": "dynamic",
            "inertiaDiagonal": [1, 2, 3],
            "inertiaOrientation": [0, 0, 0, 0],
        },
        [("B23", "/inertiaOrientation")],
        {"inertia_diagonal": (1.0, 2.0, 3.0)},
    ),
    ({"type": "dynamic", "linearVelocity": [1]}, [("B13", "/linearVelocity")], {}),
    ({"type": "dynamic", "gravityFactor": False}, [("F01", "/gravityFactor")], {}),
]


@pytest.mark.parametrize(
    ("json", "issues", "fields"), MOTION_FAULTS, ids=[str(row[0]) for row in MOTION_FAULTS]
)
class TestFaultyMotion:
    def test_is_reported_and_repaired(self, json, issues, fields):
        physics, got = read_body(motion=json)
        assert got == [(code, f"/motion{at}") for code, at in issues]
        assert physics.motion is not None
        assert dataclasses.replace(physics.motion, carried="") == motion(**fields)

    def test_is_written_back(self, json, issues, fields):
        physics, _ = read_body(motion=json)
        absent = {key for key, value in json.items() if value is None}
        expected = {key: value for key, value in json.items() if key not in absent}
        again = write_body(physics)[0]["motion"]
        assert {**again, **expected} == again
        assert again.keys() - expected.keys() <= {"mass"}

    def test_is_written_repaired_by_request(self, json, issues, fields):
        physics, _ = read_body(motion=json)
        again, codes = write_body(physics, repair=True)
        assert "X08" not in codes
        assert through_text(again) == write_body(NodePhysics(motion=motion(**fields)))[0]


@pytest.mark.parametrize(
    ("word", "today"), [("rigid", "dynamic"), ("character", "kinematic"), ("vehicle", "dynamic")]
)
def test_words_of_2022_are_read(word, today):
    physics, issues = read_body(motion={"type": word})
    assert physics.motion == motion(type=today)
    assert issues == [("B02", "/motion/type")]


@pytest.mark.parametrize(
    ("trigger", "issues"),
    [
        ({}, [("T01", "")]),
        ({"nodes": []}, [("T01", "")]),
        ({"shape": -1}, [("G06", "/shape"), ("T01", "")]),
        ({"shape": 9}, [("G05", "/shape"), ("T01", "")]),
        ({"shape": 0, "nodes": [1]}, [("T02", "")]),
        ({"nodes": [1], "collisionFilter": 0}, [("T05", "")]),
        ({"nodes": [1, 1]}, [("T06", "/nodes")]),
        ({"nodes": [1, 9]}, [("G05", "/nodes")]),
        ({"nodes": [1, -1]}, [("G06", "/nodes")]),
        ({"nodes": 1}, [("F01", "/nodes"), ("T01", "")]),
        ({"collisionFilter": -1, "shape": 0}, [("G06", "/collisionFilter")]),
    ],
    ids=str,
)
def test_faulty_trigger(trigger, issues):
    assert read_body(trigger=trigger)[1] == [(code, f"/trigger{at}") for code, at in issues]


def test_trigger_of_neither_shape_nor_nodes_is_written_as_it_was():
    physics, _ = read_body(trigger={})
    assert physics.trigger == Trigger()
    assert write_body(physics)[0] == {"trigger": {}}


@pytest.mark.parametrize(
    "json",
    [
        {"collider": {"shape": -1, "physicsMaterial": -1, "collisionFilter": -1}},
        {"trigger": {"shape": -1, "collisionFilter": -1, "nodes": [-1]}},
    ],
    ids=["collider", "trigger"],
)
def test_minus_one_is_no_index_and_never_written(json):
    physics, issues = read_body(**json)
    (part,) = json
    assert {code for code, _ in issues} - {"T01"} == {"G06"}
    assert write_body(physics) == ({part: {}}, [])


@pytest.mark.parametrize("value", [5, "static", [], True])
@pytest.mark.parametrize("part", ["motion", "collider", "trigger"])
class TestPartThatIsNoObject:
    def test_travels_through(self, part, value):
        physics, issues = read_body(**{part: value})
        assert issues == [("F01", f"/{part}")]
        assert write_body(physics) == ({part: value}, ["X08"])

    def test_is_dropped_by_request(self, part, value):
        document, _ = read(gltf(body(**{part: value})))
        assert write(document, repair=True)[0].nodes == {}


@pytest.mark.parametrize("value", [5, "static", [], True, None])
@pytest.mark.parametrize("place", ["node", "root"])
def test_extension_that_is_no_object(place, value):
    if place == "node":
        json, pointer = gltf({"extensions": {BODY: value}}), AT
    else:
        json, pointer = gltf(OMI_physics_body=value), f"/extensions/{BODY}"
    document, issues = read(json)
    assert document == PhysicsDocument()
    assert found(issues) == [("F01", pointer)]


ENTRIES = [
    (
        "physicsMaterials",
        {"staticFriction": 0.1, "dynamicFriction": 0.2, "restitution": 0.3, "name": "Ice",
         "frictionCombine": "minimum", "restitutionCombine": "maximum"},
        PhysicsMaterial(static_friction=0.1, dynamic_friction=0.2, restitution=0.3, name="Ice",
                        friction_combine="minimum", restitution_combine="maximum"),
    ),
    (
        "physicsMaterials",
        {"staticFriction": 0.6, "dynamicFriction": 0.6, "restitution": 0,
         "frictionCombine": "average", "restitutionCombine": "average"},
        PhysicsMaterial(),
    ),
    (
        "collisionFilters",
        {"collisionSystems": ["a"], "collideWithSystems": ["b", "c"], "name": "Only"},
        CollisionFilter(
            collision_systems=("a",), collide_with_systems=("b", "c"), name="Only"
        ),
    ),
    ("collisionFilters", {"notCollideWithSystems": ["d"]},
     CollisionFilter(not_collide_with_systems=("d",))),
    ("collisionFilters", {}, CollisionFilter()),
]  # fmt: skip


def entry(document: PhysicsDocument, key: str) -> Any:
    """The only entry of a list of the document."""
    lists = {
        "physicsMaterials": document.physics_materials,
        "collisionFilters": document.collision_filters,
    }
    (only,) = lists[key]
    return only


@pytest.mark.parametrize(("key", "json", "record"), ENTRIES, ids=lambda v: str(v)[:24])
class TestEntry:
    def test_there_and_back(self, key, json, record):
        document, issues = read(gltf(OMI_physics_body={key: [json]}))
        assert not len(issues)
        assert entry(document, key) == record
        assert write(document)[0].root == {BODY: {key: [json]}}

    def test_everything_else_survives(self, key, json, record):
        more = {"extras": {"a": [1]}, "extensions": {"VENDOR_x": {"b": 2}}, "mystery": "?"}
        root = {BODY: {key: [{**json, **more}], **more}}
        document, issues = read(gltf(**root))
        places = [f"/extensions/{BODY}/{key}/0/mystery", f"/extensions/{BODY}/mystery"]
        assert found(issues) == [("G07", place) for place in places]
        assert write(document)[0].root == root


@pytest.mark.parametrize(
    ("key", "json", "issue"),
    [
        ("physicsMaterials", {"staticFriction": -0.5}, ("C04", "/staticFriction")),
        ("physicsMaterials", {"dynamicFriction": "slippery"}, ("F01", "/dynamicFriction")),
        ("physicsMaterials", {"restitution": [1]}, ("F01", "/restitution")),
        ("physicsMaterials", {"frictionCombine": "AVERAGE"}, ("C06", "/frictionCombine")),
        ("physicsMaterials", {"restitutionCombine": "sum"}, ("C06", "/restitutionCombine")),
        ("physicsMaterials", {"name": 5}, ("F01", "/name")),
        ("collisionFilters", {"name": {}}, ("F01", "/name")),
        ("collisionFilters", {"collisionSystems": "all"}, ("F01", "/collisionSystems")),
        ("collisionFilters", {"collideWithSystems": ["a", 1]}, ("F01", "/collideWithSystems")),
        (
            "collisionFilters",
            {"collideWithSystems": ["a"], "notCollideWithSystems": ["b"]},
            ("C08", ""),
        ),
    ],
    ids=str,
)
def test_faulty_entry_is_written_back(key, json, issue):
    document, issues = read(gltf(OMI_physics_body={key: [json]}))
    code, at = issue
    assert found(issues) == [(code, f"/extensions/{BODY}/{key}/0{at}")]
    (again,) = write(document)[0].root[BODY][key]
    assert {**again, **json} == again


@pytest.mark.parametrize("key", ["physicsMaterials", "collisionFilters"])
class TestList:
    @pytest.mark.parametrize("value", [5, {}, None])
    def test_that_is_no_list(self, key, value):
        document, issues = read(gltf(OMI_physics_body={key: value}))
        assert document == PhysicsDocument()
        assert found(issues) == [("F01", f"/extensions/{BODY}/{key}")]

    def test_entry_that_is_no_object_keeps_the_place_of_the_others(self, key):
        document, issues = read(gltf(OMI_physics_body={key: [5, {"name": "second"}]}))
        items = document.physics_materials or document.collision_filters
        assert [item.name for item in items] == ["", "second"]
        assert found(issues) == [("F01", f"/extensions/{BODY}/{key}/0")]

    def test_of_nothing_is_not_written(self, key):
        document, issues = read(gltf(OMI_physics_body={key: []}))
        assert not len(issues)
        assert write(document)[0].root == {}


def full_document() -> PhysicsDocument:
    """A document with something of everything."""
    return PhysicsDocument(
        nodes={
            0: NodePhysics(motion=motion(), collider=Collider(shape=ShapeIndex(1))),
            1: NodePhysics(trigger=Trigger(nodes=(NodeIndex(2),))),
            2: NodePhysics(trigger=Trigger(shape=ShapeIndex(0))),
        },
        shapes=[Shape(geometry=Box(), name="a"), Shape(geometry=Trimesh(mesh=MeshIndex(1)))],
        physics_materials=[PhysicsMaterial()],
        collision_filters=[CollisionFilter(collision_systems=("x",))],
    )


def test_empty_document_is_nothing():
    encoded, issues = write(PhysicsDocument())
    assert (encoded.root, encoded.nodes, len(issues)) == ({}, {}, 0)


def test_writer_never_requires_an_extension():
    encoded, _ = write(full_document())
    assert {*encoded.root, *(name for node in encoded.nodes.values() for name in node)} == {
        BODY,
        SHAPE,
    }
    assert "extensionsRequired" not in repr(encoded)


def test_same_document_gives_the_same_text():
    first, second = (write(full_document())[0] for _ in range(2))
    assert repr(first) == repr(second)


def test_host_says_what_indices_of_nodes_and_meshes_become():
    writer = Writer(Issues(), WriteOptions(), node_ref="node {}".format, mesh_ref="mesh {}".format)
    encoded = writer.document(full_document())
    assert encoded.nodes[1][BODY] == {"trigger": {"nodes": ["node 2"]}}
    assert encoded.root[SHAPE]["shapes"][1]["trimesh"] == {"mesh": "mesh 1"}
    assert encoded.nodes[0][BODY]["collider"] == {"shape": 1}


def test_host_says_how_nodes_are_called_in_messages():
    document, _ = read(shaped(BOX, nodes=[body(motion={"type": "dynamic", "mass": -1})]))
    issues = Issues()
    Writer(issues, WriteOptions(), place="object {}".format).document(document)
    assert found(issues) == [("X08", "object 0")]
