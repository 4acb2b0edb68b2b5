"""Every record against the schemas that its extensions have published, in both families."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from omi_physics_addon.codec.khr import khr_shapes
from omi_physics_addon.model import gravity, shapes
from omi_physics_addon.model.bodies import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_addon.model.fields import INDEX_TYPES, AxisIndex, FieldInfo, row, table
from omi_physics_addon.model.gravity import (
    DirectionalGravity,
    DiscGravity,
    GravityVolume,
    LineGravity,
    PointGravity,
    ShapedGravity,
    TorusGravity,
    WorldGravity,
)
from omi_physics_addon.model.joints import (
    DRIVE_MODES,
    DRIVE_TYPES,
    Joint,
    JointDrive,
    JointLimit,
    JointSettings,
)
from omi_physics_addon.model.seats import Seat
from omi_physics_addon.model.shapes import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Plane,
    Shape,
    Sphere,
    Trimesh,
)
from omi_physics_addon.model.vehicles import (
    HoverThruster,
    HoverThrusterPart,
    Thruster,
    ThrusterPart,
    VehicleBody,
    Wheel,
    WheelPart,
)
from tests.spec.corpus import CORPUS, FREE, needs_corpus, schema, schemas
from tests.spec.corpus import table as facts_of_all
from tools import schema_facts


@dataclass(frozen=True)
class Case:
    """A record and what one extension says of it.

    Attributes:
        defaults: those of the dialect where it disagrees with the record.
    """

    record: type
    schema: str
    defaults: Mapping[str, object] = field(default_factory=dict)


OMI_SHAPE, OMI_BODY = "glTF.OMI_physics_shape.shape", "OMI_physics_body"
KHR_SHAPE, KHR_BODY = "glTF.KHR_implicit_shapes.shape", "KHR_physics_rigid_bodies"
GRAVITY = "node.OMI_physics_gravity"
CASES: dict[str, Case] = {
    "OMI Shape": Case(Shape, OMI_SHAPE),
    "OMI Box": Case(Box, f"{OMI_SHAPE}.box"),
    "OMI Sphere": Case(Sphere, f"{OMI_SHAPE}.sphere"),
    "OMI Capsule": Case(Capsule, f"{OMI_SHAPE}.capsule"),
    "OMI Cylinder": Case(Cylinder, f"{OMI_SHAPE}.cylinder"),
    "OMI Convex": Case(Convex, f"{OMI_SHAPE}.convex"),
    "OMI Trimesh": Case(Trimesh, f"{OMI_SHAPE}.trimesh"),
    "OMI Motion": Case(Motion, f"node.{OMI_BODY}.motion"),
    "OMI Collider": Case(Collider, f"node.{OMI_BODY}.collider"),
    "OMI Trigger": Case(Trigger, f"node.{OMI_BODY}.trigger"),
    "OMI PhysicsMaterial": Case(PhysicsMaterial, f"glTF.{OMI_BODY}.material"),
    "OMI CollisionFilter": Case(CollisionFilter, f"glTF.{OMI_BODY}.collision_filter"),
    "OMI JointSettings": Case(JointSettings, "glTF.OMI_physics_joint.joint"),
    "OMI JointLimit": Case(JointLimit, "glTF.OMI_physics_joint.joint.limit"),
    "OMI JointDrive": Case(JointDrive, "glTF.OMI_physics_joint.joint.drive"),
    "OMI Joint": Case(Joint, "node.OMI_physics_joint"),
    "OMI WorldGravity": Case(WorldGravity, "glTF.OMI_physics_gravity"),
    "OMI GravityVolume": Case(GravityVolume, GRAVITY),
    "OMI DirectionalGravity": Case(DirectionalGravity, f"{GRAVITY}.directional"),
    "OMI PointGravity": Case(PointGravity, f"{GRAVITY}.point"),
    "OMI DiscGravity": Case(DiscGravity, f"{GRAVITY}.disc"),
    "OMI TorusGravity": Case(TorusGravity, f"{GRAVITY}.torus"),
    "OMI LineGravity": Case(LineGravity, f"{GRAVITY}.line"),
    "OMI ShapedGravity": Case(ShapedGravity, f"{GRAVITY}.shaped"),
    "OMI VehicleBody": Case(VehicleBody, "node.OMI_vehicle_body"),
    "OMI Wheel": Case(Wheel, "glTF.OMI_vehicle_wheel.wheel"),
    "OMI WheelPart": Case(WheelPart, "node.OMI_vehicle_wheel"),
    "OMI Thruster": Case(Thruster, "glTF.OMI_vehicle_thruster.thruster"),
    "OMI ThrusterPart": Case(ThrusterPart, "node.OMI_vehicle_thruster"),
    "OMI HoverThruster": Case(HoverThruster, "glTF.OMI_vehicle_hover_thruster.thruster"),
    "OMI HoverThrusterPart": Case(HoverThrusterPart, "node.OMI_vehicle_hover_thruster"),
    "OMI Seat": Case(Seat, "node.OMI_seat"),
    "KHR Shape": Case(Shape, KHR_SHAPE),
    "KHR Box": Case(Box, f"{KHR_SHAPE}.box"),
    "KHR Sphere": Case(Sphere, f"{KHR_SHAPE}.sphere"),
    "KHR Capsule": Case(Capsule, f"{KHR_SHAPE}.capsule", khr_shapes.DEFAULTS[Capsule]),
    "KHR Cylinder": Case(Cylinder, f"{KHR_SHAPE}.cylinder", khr_shapes.DEFAULTS[Cylinder]),
    "KHR Plane": Case(Plane, f"{KHR_SHAPE}.plane"),
    "KHR Convex": Case(Convex, "geometry"),
    "KHR Trimesh": Case(Trimesh, "geometry"),
    "KHR Motion": Case(Motion, f"node.{KHR_BODY}.motion"),
    "KHR Collider": Case(Collider, f"node.{KHR_BODY}.collider"),
    "KHR Trigger": Case(Trigger, f"node.{KHR_BODY}.trigger"),
    "KHR PhysicsMaterial": Case(PhysicsMaterial, f"glTF.{KHR_BODY}.material"),
    "KHR CollisionFilter": Case(CollisionFilter, f"glTF.{KHR_BODY}.collision_filter"),
    "KHR JointSettings": Case(JointSettings, f"glTF.{KHR_BODY}.joint"),
    "KHR JointLimit": Case(JointLimit, f"glTF.{KHR_BODY}.joint.limit"),
    "KHR JointDrive": Case(JointDrive, f"glTF.{KHR_BODY}.joint.drive"),
    "KHR Joint": Case(Joint, f"node.{KHR_BODY}.joint"),
}
# Schemas of objects that are no records: lists of records, which codecs read by hand.
CONTAINERS = {
    "glTF.OMI_physics_shape",
    "glTF.OMI_physics_body",
    "node.OMI_physics_body",
    "glTF.OMI_physics_joint",
    "glTF.OMI_vehicle_wheel",
    "glTF.OMI_vehicle_thruster",
    "glTF.OMI_vehicle_hover_thruster",
    "glTF.KHR_implicit_shapes",
    "glTF.KHR_physics_rigid_bodies",
    "node.KHR_physics_rigid_bodies",
}

# Members of a schema that no field of the record has, and who reads them.
BY_HAND = {
    ("OMI Shape", "type"): "the class of the geometry says it",
    ("KHR Shape", "type"): "the class of the geometry says it",
    **{("KHR Shape", word): "the geometry itself" for word in shapes.KHR_TYPES},
    ("KHR Convex", "convexHull"): "the class says it",
    ("KHR Convex", "shape"): "of an implicit shape; the geometry is looked up",
    ("KHR Trimesh", "convexHull"): "the class says it",
    ("KHR Trimesh", "shape"): "of an implicit shape; the geometry is looked up",
    ("KHR Motion", "isKinematic"): "the type of the motion says it",
    ("KHR Collider", "geometry"): "khr_geometry makes a shape of it",
    ("KHR Trigger", "geometry"): "khr_geometry makes a shape of it",
    ("OMI JointSettings", "limits"): "a list of records",
    ("OMI JointSettings", "drives"): "a list of records",
    ("KHR JointSettings", "limits"): "a list of records",
    ("KHR JointSettings", "drives"): "a list of records",
    ("OMI GravityVolume", "type"): "the class of the field says it",
    ("OMI LineGravity", "points"): "flat in JSON, triples in the record",
}
# Fields that a schema does not name.
NOT_PUBLISHED = {
    ("KHR Motion", "type"): "KHR has a flag for kinematic, and no static motion",
    ("KHR Collider", "shape"): "the geometry says it",
    ("KHR Trigger", "shape"): "the geometry says it",
    **{
        (name, "name"): "every entry of a list may have one; this schema forgot its base"
        for name in ("OMI Wheel", "OMI Thruster", "OMI HoverThruster")
    },
    **{
        (name, info.name): info.field.unpublished
        for name, case in CASES.items()
        for info in table(case.record)
        if info.field.unpublished
    },
}
OTHER_DEFAULTS = {
    ("OMI Motion", "mass"): "None leaves it to the engine; the codec puts OMI's 1.0 in its place",
    ("OMI Motion", "center_of_mass"): "None leaves it to the engine; the codec has OMI's zero",
    ("OMI Motion", "inertia_diagonal"): "None is what OMI says with zero",
}
# Where the schema gives none: the text does, or nothing at all is what absence says.
NO_DEFAULTS = {
    ("OMI Motion", "type"),
    ("OMI Convex", "mesh"),
    ("OMI Trimesh", "mesh"),
    ("OMI Trigger", "nodes"),
    ("OMI Trigger", "collision_filter"),
    *((f"OMI {name}", "name") for name in ("Shape", "PhysicsMaterial", "CollisionFilter")),
    *((f"KHR {name}", "name") for name in ("Shape", "PhysicsMaterial", "CollisionFilter")),
    ("OMI JointSettings", "name"),
    ("KHR JointSettings", "name"),
    *(
        (f"{family} {record}", name)
        for family in ("OMI", "KHR")
        for record, names in {
            "PhysicsMaterial": ("friction_combine", "restitution_combine"),
            "CollisionFilter": (
                "collision_systems",
                "collide_with_systems",
                "not_collide_with_systems",
            ),
            "JointLimit": ("linear_axes", "angular_axes", "min", "max", "stiffness"),
            "JointDrive": (
                "type",
                "mode",
                "axis",
                "max_force",
                "position_target",
                "velocity_target",
            ),
            "Joint": ("joint", "connected_node"),
        }.items()
        for name in names
    ),
    ("OMI WorldGravity", "gravity"),
    ("OMI GravityVolume", "gravity"),
    ("OMI ShapedGravity", "shape"),
    ("OMI WheelPart", "wheel"),
    ("OMI Thruster", "max_force"),
    ("OMI ThrusterPart", "thruster"),
    ("OMI HoverThruster", "max_hover_energy"),
    ("OMI HoverThrusterPart", "hover_thruster"),
    *(("OMI Seat", name) for name in ("back", "foot", "knee")),
    ("KHR Plane", "size_x"),
    ("KHR Plane", "size_z"),
    ("KHR Convex", "mesh"),
    ("KHR Trimesh", "mesh"),
    *(
        ("KHR Motion", name)
        for name in ("mass", "center_of_mass", "inertia_diagonal", "inertia_orientation")
    ),
    ("KHR Collider", "physics_material"),
    ("KHR Collider", "collision_filter"),
    ("KHR Trigger", "nodes"),
    ("KHR Trigger", "collision_filter"),
}
# What a schema requires and a record has a default for: a file without it is read all the same,
# told of, and written as it was.
NOT_REQUIRED = {
    ("OMI Motion", "type"): "a motion without one is read as dynamic, as files of others need it",
    ("OMI Shape", "type"): "the class of the geometry says it",
    ("KHR Shape", "type"): "the class of the geometry says it",
    ("KHR Collider", "geometry"): "a collider without one is told of (C02)",
    ("OMI Joint", "joint"): "a joint without settings is told of (J01)",
    ("OMI Joint", "connectedNode"): "a joint to nothing is told of (J02)",
    ("KHR Joint", "joint"): "a joint without settings is told of (J01)",
    ("KHR Joint", "connectedNode"): "a joint to nothing is told of (J02)",
    **{
        (f"{family} JointDrive", key): "a drive without it is told of (J22)"
        for family in ("OMI", "KHR")
        for key in ("type", "mode", "axis")
    },
    ("OMI WorldGravity", "gravity"): "Earth's is taken and told of (V16)",
    ("OMI GravityVolume", "gravity"): "Earth's is taken and told of (V05)",
    ("OMI GravityVolume", "type"): "the class of the field says it",
    ("OMI LineGravity", "points"): "a line of nothing is told of (V11)",
    ("OMI ShapedGravity", "shape"): "gravity of no shape is told of (V13)",
    ("OMI WheelPart", "wheel"): "settings on the node, or none, are read as well",
    ("OMI ThrusterPart", "thruster"): "settings on the node, or none, are read as well",
    ("OMI HoverThrusterPart", "hoverThruster"): "settings on the node, or none, are read as well",
    ("OMI Thruster", "maxForce"): "zero is taken and told of (R01)",
    ("OMI HoverThruster", "maxHoverEnergy"): "zero is taken and told of (R01)",
}
OTHER_TYPES = {
    ("OMI GravityVolume", "priority"): "the schema says number, the text says integer",
}
OTHER_BOUNDS = {
    ("OMI Motion", "mass"): "the schema has none; KHR's forbids negative ones",
    ("OMI Motion", "inertia_diagonal"): "the schema has none; KHR's forbids negative ones",
    ("OMI Sphere", "radius"): "the schema allows zero, which is no shape",
    ("KHR Motion", "mass"): "the text has zero for infinity, the schema forbids it",
    ("KHR Motion", "inertia_diagonal"): "the text has zero for infinity, the schema forbids it",
    **{
        (f"OMI {record}", name): "the schema has none; a size below zero is none"
        for record, name in (
            ("PointGravity", "unit_distance"),
            ("DiscGravity", "unit_distance"),
            ("TorusGravity", "unit_distance"),
            ("LineGravity", "unit_distance"),
            ("ShapedGravity", "unit_distance"),
            ("DiscGravity", "radius"),
            ("TorusGravity", "radius"),
        )
    },
    ("OMI VehicleBody", "gyro_torque"): "the schema has none; a torque below zero would not brake",
    ("OMI Thruster", "target_gimbal_ratio"): "the codec looks at its length, not at each number",
    (
        "OMI HoverThruster",
        "target_gimbal_ratio",
    ): "the codec looks at its length, not at each number",
}
OTHER_LENGTHS = {
    **{
        ("OMI Motion", name): "the schema says only array; the text gives three or four numbers"
        for name in (
            "inertia_diagonal",
            "inertia_orientation",
            "linear_velocity",
            "angular_velocity",
        )
    },
    **{
        ("OMI Seat", name): "the schema says only array; the text gives three numbers"
        for name in ("back", "foot", "knee")
    },
}
# Words that a schema gives as examples beside any other string.
OPEN_WORDS = {"type": DRIVE_TYPES, "mode": DRIVE_MODES}


def properties(name: str) -> dict[str, Any]:
    """What a schema and those it builds on say of each member."""
    out: dict[str, Any] = {}
    pending = [schema(CASES[name].schema)]
    while pending:
        found = pending.pop()
        out |= found.get("properties", {})
        pending += [schema(part["$ref"]) for part in found.get("allOf", []) if "$ref" in part]
    return {key: value for key, value in out.items() if key not in FREE}


def of(name: str, exceptions: Any) -> set[str]:
    return {key for owner, key in exceptions if owner == name}


ROWS = [
    (name, info.name)
    for name, case in CASES.items()
    for info in table(case.record)
    if (name, info.name) not in NOT_PUBLISHED
]


@pytest.mark.parametrize("name", CASES)
def test_keys(name):
    ours = {info.key for info in table(CASES[name].record)}
    hidden = {row(CASES[name].record, field).key for field in of(name, NOT_PUBLISHED)}
    named_by_all = set() if "name" in ours else {"name"}
    published = properties(name).keys() - named_by_all
    assert hidden.isdisjoint(published)
    assert of(name, BY_HAND).isdisjoint(ours)
    assert ours - hidden | of(name, BY_HAND) == published, (
        "a field that no schema has says so: Field(..., unpublished=why)"
    )


@pytest.mark.parametrize("name", CASES)
def test_required(name):
    ours = {info.key for info in table(CASES[name].record) if info.required}
    excused = of(name, NOT_REQUIRED)
    assert ours.isdisjoint(excused)
    assert ours | excused == set(schema(CASES[name].schema).get("required", []))


def row_and_property(name: str, field_name: str) -> tuple[FieldInfo, dict[str, Any]]:
    info, published = row(CASES[name].record, field_name), properties(name)
    assert info.key in published, f"no schema has {info.key}: Field(..., unpublished=why)"
    return info, published[info.key]


def is_index(published: dict[str, Any]) -> bool:
    base = {"$ref": "glTFid"}
    return published.get("allOf") == [base] or published.get("$ref") == base["$ref"]


@pytest.mark.parametrize(("name", "field_name"), ROWS, ids=lambda part: part.replace(" ", "-"))
class TestField:
    def test_default(self, name, field_name):
        info, published = row_and_property(name, field_name)
        assert ("default" in published) is not ((name, field_name) in NO_DEFAULTS)
        default = CASES[name].defaults.get(field_name, info.default)
        ours = list(default) if isinstance(default, tuple) else default
        theirs = published.get("default", -1 if info.type in INDEX_TYPES else ours)
        # -1 is what the text calls no index, and its own schema forbids.
        same = ours is None and theirs == -1 if info.type in INDEX_TYPES else ours == theirs
        assert same is not ((name, field_name) in OTHER_DEFAULTS)

    def test_type(self, name, field_name):
        info, published = row_and_property(name, field_name)
        kind = published.get("type")
        if info.type in INDEX_TYPES:
            assert is_index(published)
            return
        if info.item in INDEX_TYPES:
            assert is_index(published["items"])
        if info.item is AxisIndex:
            assert published["items"]["type"] == "integer"
        if info.words or info.type is str:
            assert kind in ("string", None)  # glTF's own schema of names says any.
            return
        words = {float: "number", bool: "boolean", int: "integer", AxisIndex: "integer"}
        same = kind == words.get(info.type, "array")
        assert same is not ((name, field_name) in OTHER_TYPES)

    def test_words(self, name, field_name):
        info, published = row_and_property(name, field_name)
        examples = [part["const"] for part in published.get("anyOf", []) if "const" in part]
        assert list(info.words) == published.get("enum", [])
        assert examples == list(OPEN_WORDS[field_name] if examples else ())

    def test_bounds(self, name, field_name):
        info, published = row_and_property(name, field_name)
        of_items = published.get("items", {}) if published.get("type") == "array" else published
        ours = (info.field.minimum, info.field.above, info.field.maximum)
        if AxisIndex in (info.type, info.item):
            ours = (0, None, 2)
        theirs = tuple(of_items.get(key) for key in ("minimum", "exclusiveMinimum", "maximum"))
        assert (ours == theirs) is not ((name, field_name) in OTHER_BOUNDS)

    def test_length(self, name, field_name):
        info, published = row_and_property(name, field_name)
        lengths = {published.get("minItems"), published.get("maxItems")}
        if info.length:
            assert (lengths == {info.length}) is not ((name, field_name) in OTHER_LENGTHS)
        elif info.item is AxisIndex:
            assert published["maxItems"] == 3
            assert published["uniqueItems"]
        else:
            assert lengths <= {None, 1}  # A list of some.


def test_every_type_of_shape_has_a_record():
    words = schema(OMI_SHAPE)["properties"]["type"]["enum"]
    assert [f"OMI {shapes.TYPES[word].__name__}" for word in words] == list(CASES)[1:7]
    assert words == list(shapes.TYPES)
    open_ = [part.get("const") for part in schema(KHR_SHAPE)["properties"]["type"]["anyOf"]]
    assert set(open_) - {None} == shapes.KHR_TYPES.keys()


def test_every_type_of_gravity_has_a_record():
    published = schema(GRAVITY)
    words = {part["properties"]["type"]["const"] for part in published["oneOf"]}
    assert words == gravity.TYPES.keys()
    assert words == set(published["properties"]["type"]["enum"])
    for word, record in gravity.TYPES.items():
        assert CASES[f"OMI {record.__name__}"].schema == f"{GRAVITY}.{word}"


def test_every_schema_has_a_record():
    published = schemas().keys() - facts_of_all()["glTF"].keys()
    assert published == {case.schema for case in CASES.values()} | CONTAINERS


@needs_corpus
def test_the_table_says_what_the_schemas_say():
    assert CORPUS is not None
    assert facts_of_all() == schema_facts.read_schemas(CORPUS)


def test_the_table_has_no_texts():
    """But for the pattern of a URI, a string in it is a word or a name."""
    for text in strings_in(facts_of_all()):
        assert re.fullmatch(r"[\w.]*", text), text


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key.removeprefix("$")
            yield from strings_in(item)


@pytest.mark.parametrize(
    ("published", "facts"),
    [
        ({"title": "Wheel", "type": "object"}, {"type": "object"}),
        (
            {"properties": {"title": {"type": "string", "description": "What it is called."}}},
            {"properties": {"title": {"type": "string"}}},
        ),
        (
            {"items": {"$comment": "any", "$ref": "glTFid.schema.json"}},
            {"items": {"$ref": "glTFid"}},
        ),
        (
            {"anyOf": [{"const": "force", "description": "A force."}]},
            {"anyOf": [{"const": "force"}]},
        ),
        ({"exclusiveMinimum": 0.0, "default": 1.0}, {"exclusiveMinimum": 0.0, "default": 1.0}),
    ],
)
def test_facts_of_a_schema(published, facts):
    assert schema_facts.facts(published) == facts


def test_an_unknown_word_of_a_schema_is_no_fact():
    with pytest.raises(ValueError, match="minLenght is no known word"):
        schema_facts.facts({"properties": {"name": {"minLenght": 1}}})


def test_the_script_writes_the_table(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "schemas" / "OMI_seat"
    folder.mkdir(parents=True)
    of_seat = {"title": "Seat", "properties": {"back": {"type": "array"}}}
    (folder / "node.OMI_seat.schema.json").write_text(json.dumps(of_seat))
    table_path = tmp_path / "facts.json"
    monkeypatch.setattr(schema_facts, "TABLE", table_path)
    monkeypatch.setattr(schema_facts, "ROOT", tmp_path)
    monkeypatch.setenv(schema_facts.CORPUS, str(tmp_path))
    assert schema_facts.main() == 0
    written = json.loads(table_path.read_text())
    assert written["OMI_seat"] == {
        "node.OMI_seat": {"properties": {"back": {"type": "array"}}},
    }
    monkeypatch.delenv(schema_facts.CORPUS)
    assert schema_facts.main() == 1
    assert "set OMI_PHYSICS_CORPUS" in capsys.readouterr().err


EXCEPTIONS = {
    "BY_HAND": BY_HAND,
    "NOT_PUBLISHED": NOT_PUBLISHED,
    "OTHER_DEFAULTS": OTHER_DEFAULTS,
    "NO_DEFAULTS": NO_DEFAULTS,
    "NOT_REQUIRED": NOT_REQUIRED,
    "OTHER_TYPES": OTHER_TYPES,
    "OTHER_BOUNDS": OTHER_BOUNDS,
    "OTHER_LENGTHS": OTHER_LENGTHS,
}


@pytest.mark.parametrize("exceptions", EXCEPTIONS.values(), ids=EXCEPTIONS)
def test_exceptions_are_of_records_that_are_there(exceptions):
    assert {owner for owner, _ in exceptions} <= CASES.keys()
