"""Every record against the schemas that its extension has published."""

from __future__ import annotations

from typing import Any

import pytest

from omi_physics_addon.model.bodies import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_addon.model.fields import INDEX_TYPES, FieldInfo, row, table
from omi_physics_addon.model.shapes import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Shape,
    Sphere,
    Trimesh,
)
from tests.spec.corpus import FREE, needs_corpus, schema

pytestmark = needs_corpus

RECORDS: dict[type, str] = {
    Shape: "glTF.OMI_physics_shape.shape",
    Box: "glTF.OMI_physics_shape.shape.box",
    Sphere: "glTF.OMI_physics_shape.shape.sphere",
    Capsule: "glTF.OMI_physics_shape.shape.capsule",
    Cylinder: "glTF.OMI_physics_shape.shape.cylinder",
    Convex: "glTF.OMI_physics_shape.shape.convex",
    Trimesh: "glTF.OMI_physics_shape.shape.trimesh",
    Motion: "node.OMI_physics_body.motion",
    Collider: "node.OMI_physics_body.collider",
    Trigger: "node.OMI_physics_body.trigger",
    PhysicsMaterial: "glTF.OMI_physics_body.material",
    CollisionFilter: "glTF.OMI_physics_body.collision_filter",
}
ROWS = [(record, info.name) for record in RECORDS for info in table(record)]

# What the schema says otherwise, and why we disagree.
BY_HAND = {
    (Shape, "type"): "the class of the geometry says it",
}
OTHER_DEFAULTS = {
    (Motion, "mass"): "None leaves it to the engine; the codec puts OMI's 1.0 in its place",
    (Motion, "center_of_mass"): "None leaves it to the engine; the codec has OMI's zero",
    (Motion, "inertia_diagonal"): "None is what OMI says with zero",
}
# Where the schema gives none: the text does, or nothing at all is what absence says.
NO_DEFAULTS = {
    (Motion, "type"),
    (Convex, "mesh"),
    (Trimesh, "mesh"),
    (Trigger, "nodes"),
    (Trigger, "collision_filter"),
    (PhysicsMaterial, "friction_combine"),
    (PhysicsMaterial, "restitution_combine"),
    (CollisionFilter, "collision_systems"),
    (CollisionFilter, "collide_with_systems"),
    (CollisionFilter, "not_collide_with_systems"),
    *((record, "name") for record in (Shape, PhysicsMaterial, CollisionFilter)),
}
NOT_REQUIRED = {
    (Motion, "type"): "a motion without one is read as dynamic, as files of others need it",
    (Shape, "type"): "the class of the geometry says it",
}
OTHER_BOUNDS = {
    (Motion, "mass"): "the schema has none; KHR's forbids negative ones",
    (Motion, "inertia_diagonal"): "the schema has none; KHR's forbids negative ones",
    (Sphere, "radius"): "the schema allows zero, which is no shape",
}
OTHER_LENGTHS = {
    (Motion, name): "the schema says only array; the text gives three or four numbers"
    for name in (
        "inertia_diagonal",
        "inertia_orientation",
        "linear_velocity",
        "angular_velocity",
    )
}


def named(record: type) -> str:
    return record.__name__


def properties(record: type) -> dict[str, Any]:
    """What a schema and those it builds on say of each member."""
    out: dict[str, Any] = {}
    pending = [schema(RECORDS[record])]
    while pending:
        found = pending.pop()
        out |= found.get("properties", {})
        pending += [schema(part["$ref"]) for part in found.get("allOf", []) if "$ref" in part]
    return {key: value for key, value in out.items() if key not in FREE}


def row_and_property(record: type, name: str) -> tuple[FieldInfo, dict[str, Any]]:
    info = row(record, name)
    return info, properties(record)[info.key]


@pytest.mark.parametrize("record", RECORDS, ids=named)
def test_keys(record):
    by_hand = {key for owner, key in BY_HAND if owner is record}
    named_by_all = {} if "name" in {info.key for info in table(record)} else {"name"}
    published = properties(record).keys() - named_by_all
    assert {info.key for info in table(record)} | by_hand == published


@pytest.mark.parametrize("record", RECORDS, ids=named)
def test_required(record):
    ours = {info.key for info in table(record) if info.required}
    excused = {name for owner, name in NOT_REQUIRED if owner is record}
    assert ours | excused == set(schema(RECORDS[record]).get("required", []))


@pytest.mark.parametrize(("record", "name"), ROWS, ids=lambda part: getattr(part, "__name__", part))
class TestField:
    def test_default(self, record, name):
        info, published = row_and_property(record, name)
        assert ("default" in published) is not ((record, name) in NO_DEFAULTS)
        ours = list(info.default) if isinstance(info.default, tuple) else info.default
        default = published.get("default", -1 if info.type in INDEX_TYPES else ours)
        # -1 is what the text calls no index, and its own schema forbids.
        same = ours is None and default == -1 if info.type in INDEX_TYPES else ours == default
        assert same is not ((record, name) in OTHER_DEFAULTS)

    def test_type(self, record, name):
        info, published = row_and_property(record, name)
        kind = published.get("type")
        if info.type in INDEX_TYPES:
            assert published["allOf"] == [{"$ref": "glTFid.schema.json"}]
        elif info.words or info.type is str:
            assert kind in ("string", None)  # glTF's own schema of names says any.
        else:
            assert kind == ("number" if info.type is float else "array")

    def test_words(self, record, name):
        info, published = row_and_property(record, name)
        assert list(info.words) == published.get("enum", [])

    def test_bounds(self, record, name):
        info, published = row_and_property(record, name)
        of_items = published.get("items", {}) if published.get("type") == "array" else published
        ours = (info.field.minimum, info.field.above, info.field.maximum)
        theirs = tuple(of_items.get(key) for key in ("minimum", "exclusiveMinimum", "maximum"))
        assert (ours == theirs) is not ((record, name) in OTHER_BOUNDS)

    def test_length(self, record, name):
        info, published = row_and_property(record, name)
        lengths = {published.get("minItems"), published.get("maxItems")}
        if info.length:
            assert (lengths == {info.length}) is not ((record, name) in OTHER_LENGTHS)
        else:
            assert lengths <= {None, 1}  # A list of some.


def test_every_type_of_shape_has_a_record():
    words = schema("glTF.OMI_physics_shape.shape")["properties"]["type"]["enum"]
    assert [RECORDS[record].rpartition(".")[2] for record in list(RECORDS)[1:7]] == words
