"""What the field table says about the records, and what every record must say."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import typing
from typing import Literal

import pytest

from omi_physics_addon import model
from omi_physics_addon.model import bodies, document, fields, shapes
from omi_physics_addon.model.bodies import Collider, CollisionFilter, Motion, Trigger
from omi_physics_addon.model.fields import (
    Field,
    FilterIndex,
    MeshIndex,
    NodeIndex,
    Quantity,
    Quaternion,
    ShapeIndex,
    Vector3,
    camel,
    described,
    meaning,
    row,
    table,
)
from omi_physics_addon.model.gravity import PointGravity
from omi_physics_addon.model.shapes import Box, Capsule, Convex

# For the fields without a default.
NEEDED = {
    "geometry": Box(),
    "field": PointGravity(),
    **dict.fromkeys(("back", "foot", "knee"), (0.0, 0.0, 0.0)),
}
NO_RECORDS = {"compounds", "document", "fields", "joint_kinds", "joint_words", "rules", "targets"}
RECORDS = [
    record
    for item in pkgutil.iter_modules(model.__path__)
    if item.name not in NO_RECORDS
    for module in [importlib.import_module(f"{model.__name__}.{item.name}")]
    for _, record in inspect.getmembers(module, dataclasses.is_dataclass)
    if record.__module__ == module.__name__
]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sample:
    needed: float = dataclasses.field(metadata=meaning(Field("A number that must be there", "m")))
    word: Literal["one", "two"] = described("one", "A word")
    maybe: Vector3 | None = described(None, "Three numbers")
    bare: float = 0.0


def test_table_has_one_row_for_each_described_field_in_order():
    assert [info.name for info in table(Sample)] == ["needed", "word", "maybe"]


def test_a_field_without_default_is_required():
    assert [info.name for info in table(Sample) if info.required] == ["needed"]


@pytest.mark.parametrize(
    ("record", "name", "type_", "words", "length", "item"),
    [
        (Motion, "mass", float, (), 0, None),
        (Motion, "type", bodies.MotionType, ("static", "kinematic", "dynamic"), 0, None),
        (Motion, "center_of_mass", Vector3, (), 3, None),
        (Motion, "inertia_orientation", Quaternion, (), 4, None),
        (Box, "size", Vector3, (), 3, None),
        (Collider, "shape", ShapeIndex, (), 0, None),
        (Collider, "collision_filter", FilterIndex, (), 0, None),
        (Convex, "mesh", MeshIndex, (), 0, None),
        (Trigger, "nodes", tuple[NodeIndex, ...], (), 0, NodeIndex),
        (CollisionFilter, "collision_systems", tuple[str, ...], (), 0, str),
    ],
)
def test_row_knows_the_form_of_its_values(record, name, type_, words, length, item):
    info = row(record, name)
    assert (info.type, info.words, info.length, info.item) == (type_, words, length, item)


def test_row_of_an_unknown_field_is_an_error():
    with pytest.raises(KeyError, match="Motion has no field weight"):
        row(Motion, "weight")


@pytest.mark.parametrize(
    ("name", "key"),
    [("mass", "mass"), ("center_of_mass", "centerOfMass"), ("radius_top", "radiusTop")],
)
def test_key_of_a_field(name, key):
    assert camel(name) == key


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
class TestEveryRecord:
    def test_is_hashable_with_its_defaults(self, record):
        fields_ = dataclasses.fields(record)
        needed = {f.name: NEEDED[f.name] for f in fields_ if f.default is dataclasses.MISSING}
        assert hash(record(**needed)) == hash(record(**needed))

    def test_has_members_that_travel_through(self, record):
        carried = {field.name: field for field in dataclasses.fields(record)}["carried"]
        assert carried.default == ""

    def test_describes_each_field_for_a_tooltip(self, record):
        for info in table(record):
            assert info.field.text[0].isupper()
            assert not info.field.text.endswith(".")

    def test_has_defaults_within_its_bounds(self, record):
        for info in table(record):
            values = info.default if isinstance(info.default, tuple) else (info.default,)
            for value in values:
                if info.field.minimum is not None and value is not None:
                    assert value >= info.field.minimum
                if info.field.above is not None and value is not None:
                    assert value > info.field.above

    def test_turns_what_has_a_direction(self, record):
        triples = {Quantity.VECTOR, Quantity.DIRECTION, Quantity.EXTENT}
        turning = {3: triples, 4: {Quantity.ROTATION}}
        for info in table(record):
            assert info.field.quantity in turning.get(info.length, {Quantity.SCALAR})

    def test_names_the_rule_of_each_bound(self, record):
        for info in table(record):
            bounds = (info.field.minimum, info.field.above, info.field.maximum)
            assert info.field.rule or bounds == (None, None, None)


@pytest.mark.parametrize(
    ("record", "defaults"),
    [
        (Box, {"size": (1.0, 1.0, 1.0)}),
        (shapes.Sphere, {"radius": 0.5}),
        (Capsule, {"height": 1.0, "radius_bottom": 0.5, "radius_top": 0.5}),
        (shapes.Cylinder, {"height": 2.0, "radius_bottom": 0.5, "radius_top": 0.5}),
        (Convex, {"mesh": None}),
        (shapes.Trimesh, {"mesh": None}),
        (
            bodies.PhysicsMaterial,
            {
                "static_friction": 0.6,
                "dynamic_friction": 0.6,
                "restitution": 0.0,
                "friction_combine": "average",
                "restitution_combine": "average",
                "name": "",
            },
        ),
        (
            Motion,
            {
                "type": "dynamic",
                "mass": None,
                "center_of_mass": None,
                "inertia_diagonal": None,
                "inertia_orientation": (0.0, 0.0, 0.0, 1.0),
                "linear_velocity": (0.0, 0.0, 0.0),
                "angular_velocity": (0.0, 0.0, 0.0),
                "gravity_factor": 1.0,
            },
        ),
        (Collider, {"shape": None, "physics_material": None, "collision_filter": None}),
        (Trigger, {"shape": None, "nodes": (), "collision_filter": None}),
        (
            CollisionFilter,
            {
                "collision_systems": (),
                "collide_with_systems": (),
                "not_collide_with_systems": (),
                "name": "",
            },
        ),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_defaults_are_those_of_omi(record, defaults):
    rows = [info for info in table(record) if not info.field.unpublished]
    assert {info.name: info.default for info in rows} == defaults


class TestInterned:
    def test_equal_records_share_an_index(self):
        target: list[Box] = []
        interned = document.Interned(target)
        one, two = Box(size=(1.0, 2.0, 3.0)), Box(size=(1.0, 2.0, 4.0))
        assert [interned.index(box) for box in (one, two, Box(size=(1.0, 2.0, 3.0)))] == [0, 1, 0]
        assert target == [one, two]

    def test_what_travels_with_a_record_is_part_of_it(self):
        target: list[Box] = []
        interned = document.Interned(target)
        assert interned.index(Box()) != interned.index(Box(carried='{"extras":1}'))

    def test_records_of_two_kinds_differ(self):
        interned = document.Interned([])
        assert interned.index(Convex()) != interned.index(shapes.Trimesh())


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({}, False),
        ({"motion": Motion()}, True),
        ({"collider": Collider()}, True),
        ({"trigger": Trigger()}, True),
        ({"carried": (("OMI_physics_body", '{"extras":1}'),)}, True),
    ],
    ids=["nothing", "motion", "collider", "trigger", "carried"],
)
def test_whether_a_node_has_physics(parts, says):
    assert bool(document.NodePhysics(**parts)) is says


def test_two_documents_share_nothing():
    document.PhysicsDocument().shapes.append(shapes.Shape(geometry=Box()))
    assert document.PhysicsDocument() == document.PhysicsDocument(nodes={}, shapes=[], carried={})


def test_every_index_type_is_known():
    indices = {value for value in vars(fields).values() if isinstance(value, typing.NewType)}
    assert indices == {*fields.INDEX_TYPES, fields.AxisIndex}  # An axis is in no list.
