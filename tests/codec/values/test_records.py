"""One record, read and written by its field table."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from omi_physics_addon.codec.values.records import (
    merge_carried,
    read_record,
    with_carried,
    write_record,
)
from omi_physics_addon.model.bodies import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_addon.model.fields import (
    Carried,
    Field,
    FilterIndex,
    NodeIndex,
    ShapeIndex,
    described,
    meaning,
)
from omi_physics_addon.model.shapes import Box, Cylinder, Sphere
from tests.support.documents import found, reading, writing


@dataclasses.dataclass(frozen=True, kw_only=True)
class Needy:
    """A record that cannot be made without one member."""

    force: float = dataclasses.field(metadata=meaning(Field("A force", "N")))
    rate: float = described(1.0, "A rate")
    carried: Carried = ""


RECORDS: list[tuple[Any, dict[str, Any]]] = [
    (
        Motion(
            type="kinematic",
            mass=2.5,
            center_of_mass=(1.0, -2.0, 3.0),
            inertia_diagonal=(1.0, 2.0, 2.5),
            inertia_orientation=(0.6, 0.0, 0.0, 0.8),
            linear_velocity=(0.0, 0.5, 0.0),
            angular_velocity=(0.0, 0.0, -7.0),
            gravity_factor=-0.5,
        ),
        {
            "type": "kinematic",
            "mass": 2.5,
            "centerOfMass": [1, -2, 3],
            "inertiaDiagonal": [1, 2, 2.5],
            "inertiaOrientation": [0.6, 0, 0, 0.8],
            "linearVelocity": [0, 0.5, 0],
            "angularVelocity": [0, 0, -7],
            "gravityFactor": -0.5,
        },
    ),
    (Motion(), {}),
    (
        Collider(shape=ShapeIndex(0), collision_filter=FilterIndex(4)),
        {"shape": 0, "collisionFilter": 4},
    ),
    (Trigger(nodes=(NodeIndex(3), NodeIndex(1))), {"nodes": [3, 1]}),
    (
        PhysicsMaterial(restitution=1.25, friction_combine="multiply", name="Eis"),
        {"restitution": 1.25, "frictionCombine": "multiply", "name": "Eis"},
    ),
    (
        CollisionFilter(collision_systems=("a", "b"), not_collide_with_systems=("c",)),
        {"collisionSystems": ["a", "b"], "notCollideWithSystems": ["c"]},
    ),
    (Box(size=(1.0, 2.0, 3.0)), {"size": [1, 2, 3]}),
    (Sphere(radius=0.1), {"radius": 0.1}),
    (
        Sphere(carried='{"extensions":{"VENDOR_x":{}},"extras":{"a":[1]},"mystery":"m"}'),
        {"extras": {"a": [1]}, "extensions": {"VENDOR_x": {}}, "mystery": "m"},
    ),
]
IDS = [f"{type(record).__name__} {i}" for i, (record, _) in enumerate(RECORDS)]


@pytest.mark.parametrize(("record", "json"), RECORDS, ids=IDS)
def test_read(record, json):
    assert read_record(type(record), json, "", reading(5)) == record


@pytest.mark.parametrize(("record", "json"), RECORDS, ids=IDS)
def test_write_leaves_defaults_out(record, json):
    assert write_record(record, "", writing()) == json


def test_spelling_out_writes_defaults_but_no_absent_index():
    assert write_record(Collider(), "", writing(), spell_out=True) == {}
    assert write_record(Cylinder(), "", writing(), spell_out=True) == {
        "height": 2,
        "radiusBottom": 0.5,
        "radiusTop": 0.5,
    }


def test_named_fields_are_always_written():
    assert write_record(Motion(), "", writing(), always=("type",)) == {"type": "dynamic"}


def test_defaults_of_a_dialect_stand_for_absent_members():
    defaults = {"radius": 0.25}
    assert read_record(Sphere, {}, "", reading(), defaults=defaults) == Sphere(radius=0.25)
    assert write_record(Sphere(radius=0.25), "", writing(), defaults=defaults) == {}
    assert write_record(Sphere(), "", writing(), defaults=defaults) == {"radius": 0.5}


def test_indices_are_written_as_the_host_wants_them():
    refs = dataclasses.replace(writing(), refs={ShapeIndex: "shape {}".format})
    assert write_record(Collider(shape=ShapeIndex(3)), "", refs) == {"shape": "shape 3"}


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (2.0, "2"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e14, f"1{14 * '0'}"),
        (1e15, f"1{15 * '0'}.0"),
    ],
)
def test_whole_numbers_are_written_without_a_fraction(value, json):
    assert repr(write_record(Motion(mass=value), "", writing())["mass"]) == json


def test_order_of_members_is_that_of_the_record_whatever_the_file_says():
    json = {"linearVelocity": [1, 0, 0], "extras": {"a": 1}, "mass": 3, "type": "static"}
    again = write_record(read_record(Motion, json, "", reading()), "", writing())
    assert list(again) == ["type", "mass", "linearVelocity", "extras"]


def test_record_without_what_it_needs_is_none():
    with pytest.raises(ValueError, match="/thrusters/0 lacks force"):
        read_record(Needy, {"rate": 2}, "/thrusters/0", reading())


def test_what_a_record_needs_is_always_written():
    assert write_record(Needy(force=0.0), "", writing()) == {"force": 0}


@pytest.mark.parametrize("json", [None, 1, "box", [1], True])
def test_anything_but_an_object_gives_the_defaults(json):
    state = reading()
    assert read_record(Box, json, "/x", state) == Box()
    assert found(state.issues) == [("F01", "/x")]


@pytest.mark.parametrize(
    ("record", "json", "fields", "issue"),
    [
        (Box, {"size": [1, 2]}, {}, ("B13", "/x/size")),
        (Box, {"size": "big"}, {}, ("F01", "/x/size")),
        (Box, {"size": [-1, 2, 3]}, {"size": (1.0, 2.0, 3.0)}, ("S04", "/x/size")),
        (Sphere, {"radius": 0}, {}, ("S05", "/x/radius")),
        (Motion, {"mass": -3}, {"mass": 3.0}, ("B05", "/x/mass")),
        (Motion, {"mass": "heavy"}, {}, ("F01", "/x/mass")),
        (Motion, {"type": "Static"}, {"type": "static"}, ("B02", "/x/type")),
        (PhysicsMaterial, {"name": 5}, {}, ("F01", "/x/name")),
        (PhysicsMaterial, {"restitution": {"a": 1}}, {}, ("F01", "/x/restitution")),
        (PhysicsMaterial, {"frictionCombine": "MAXIMUM"}, {"friction_combine": "maximum"},
         ("C06", "/x/frictionCombine")),
    ],
)  # fmt: skip
class TestFault:
    def test_is_reported_and_repaired(self, record, json, fields, issue):
        state = reading()
        got = read_record(record, json, "/x", state)
        assert found(state.issues) == [issue]
        assert dataclasses.replace(got, carried="") == record(**fields)

    def test_is_written_back_as_long_as_the_field_has_the_repaired_value(
        self, record, json, fields, issue
    ):
        state = writing()
        got = read_record(record, json, "/x", reading())
        assert write_record(got, "place", state) == json
        assert found(state.issues) == [("X08", "place")]

    def test_is_not_written_back_by_request(self, record, json, fields, issue):
        state = writing(repair=True)
        got = read_record(record, json, "/x", reading())
        plain = write_record(record(**fields), "", writing())
        assert write_record(got, "", state) == plain
        assert not len(state.issues)


def test_a_changed_field_wins_over_the_original():
    got = read_record(Motion, {"mass": -3, "gravityFactor": "x"}, "", reading())
    changed = dataclasses.replace(got, mass=4.0)
    assert write_record(changed, "", writing()) == {"mass": 4, "gravityFactor": "x"}


def test_rounding_to_32_bit_is_no_change():
    got = read_record(Motion, {"mass": -0.1}, "", reading())
    assert write_record(dataclasses.replace(got, mass=0.10000000149011612), "", writing()) == {
        "mass": -0.1
    }


def test_original_of_a_dialects_default_is_written_back():
    defaults = {"mass": 1.0}
    got = read_record(Motion, {"mass": "heavy"}, "", reading(), defaults=defaults)
    assert got.mass == 1.0
    assert write_record(got, "", writing(), defaults=defaults) == {"mass": "heavy"}


def test_member_that_was_absent_stays_absent():
    motion = Motion(carried='{"type":null}')
    assert write_record(motion, "", writing(), always=("type",)) == {}
    assert write_record(motion, "", writing(repair=True), always=("type",)) == {"type": "dynamic"}


@pytest.mark.parametrize(
    ("json", "code"),
    [
        ({"shape": -1}, "G06"),
        ({"shape": True}, "F01"),
        ({"shape": None}, "F01"),
    ],
    ids=["minus one", "flag", "null"],
)
def test_an_unusable_index_is_dropped_for_good(json, code):
    state = reading(3)
    got = read_record(Collider, json, "", state)
    assert got == Collider()
    assert [issue.code for issue in state.issues] == [code]
    assert write_record(got, "", writing()) == {}


@pytest.mark.parametrize("raw", [7, 7.0])
def test_an_index_that_leads_nowhere_comes_back_while_it_does(raw):
    state = reading(3)
    got = read_record(Collider, {"shape": raw}, "", state)
    assert (got.shape, [issue.code for issue in state.issues]) == (None, ["G05"])
    for count, out, code in ((7, {"shape": raw}, "X08"), (8, {}, "X17")):
        target = writing()
        target.counts[ShapeIndex] = count
        assert write_record(got, "", target) == out
        assert [issue.code for issue in target.issues] == [code]
    target = writing(repair=True)
    target.counts[ShapeIndex] = 3
    assert (write_record(got, "", target), len(target.issues)) == ({}, 0)
    assert write_record(got, "", writing()) == {}  # How long the list is is not known.


def test_indices_in_members_that_travelled_are_never_written():
    assert write_record(Trigger(carried='{"shape":9,"nodes":[1],"a":1}'), "", writing()) == {"a": 1}


def test_numbers_that_no_json_can_hold_are_dropped():
    state = reading()
    got = read_record(Motion, {"mass": math.inf, "extras": {"a": math.nan}}, "/m", state)
    assert got == Motion()
    assert found(state.issues) == [("G04", "/m/mass"), ("G04", "/m/extras")]


def test_keys_read_by_hand_do_not_travel():
    state = reading()
    assert read_record(Box, {"name": "a"}, "", state, by_hand=("name",)) == Box()
    assert not len(state.issues)


def test_with_carried_adds_members():
    assert with_carried(Box(carried='{"a":1}'), {"b": 2}) == Box(carried='{"a":1,"b":2}')


def test_merge_carried_does_not_replace():
    out: dict[str, Any] = {"a": 1}
    merge_carried(out, '{"a":2,"b":3}')
    assert out == {"a": 1, "b": 3}
