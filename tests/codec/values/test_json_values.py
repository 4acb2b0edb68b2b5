"""One JSON value, read as the value of a field."""

from __future__ import annotations

import dataclasses
import math

import pytest

from omi_physics_addon.codec.values.json_values import BadValueError, convert, show
from omi_physics_addon.model.bodies import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_addon.model.fields import Field, FieldInfo, row
from omi_physics_addon.model.gravity import GravityVolume, WorldGravity
from omi_physics_addon.model.joints import JointDrive, JointLimit
from omi_physics_addon.model.shapes import Box, Sphere
from tests.support.documents import INDICES

COUNTS = dict.fromkeys(INDICES, 3)
MASS = row(Motion, "mass")
FACTOR = row(Motion, "gravity_factor")
TYPE = row(Motion, "type")
CENTER = row(Motion, "center_of_mass")
INERTIA = row(Motion, "inertia_diagonal")
TURN = row(Motion, "inertia_orientation")
DOWN = row(WorldGravity, "direction")
PRIORITY = row(GravityVolume, "priority")
AXIS = row(JointDrive, "axis")
AXES = row(JointLimit, "linear_axes")
SIZE = row(Box, "size")
RADIUS = row(Sphere, "radius")
INDEX = row(Collider, "shape")
NODES = row(Trigger, "nodes")
SYSTEMS = row(CollisionFilter, "collision_systems")
NAME = row(PhysicsMaterial, "name")
FLAG = FieldInfo("flag", "flag", bool, False, Field("A flag"))
RATIO = FieldInfo("ratio", "ratio", float, 0.0, Field("A ratio", minimum=-1.0, maximum=1.0))

HALF = math.sqrt(0.5)


def label(value: object) -> str:
    """A parameter in the name of a test."""
    if isinstance(value, FieldInfo):
        return value.name
    return "huge" if isinstance(value, int) and abs(value) >= 10**400 else repr(value)[:30]


@pytest.mark.parametrize(
    ("row", "raw", "value"),
    [
        (MASS, 2, 2.0),
        (MASS, 0, 0.0),
        (MASS, 1e308, 1e308),
        (MASS, 5e-324, 5e-324),
        (FACTOR, -1.5, -1.5),
        (TYPE, "kinematic", "kinematic"),
        (CENTER, [1, -2, 3.5], (1.0, -2.0, 3.5)),
        (INERTIA, [0, 1, 2], (0.0, 1.0, 2.0)),
        (TURN, [0, 0, HALF, HALF], (0.0, 0.0, HALF, HALF)),
        (TURN, [0, 0, 0.7071, 0.7071], (0.0, 0.0, 0.7071, 0.7071)),
        (TURN, [0, 0, 0, -1], (0.0, 0.0, 0.0, -1.0)),
        (TURN, [0, 0, 0, 1.0005], (0.0, 0.0, 0.0, 1.0005)),
        (DOWN, [0, -0.6, 0.8], (0.0, -0.6, 0.8)),
        (PRIORITY, -3.0, -3),
        (AXIS, 2.0, 2),
        (AXES, [2, 0], (2, 0)),
        (SIZE, [1, 2, 3], (1.0, 2.0, 3.0)),
        (INDEX, 0, 0),
        (INDEX, 2, 2),
        (INDEX, 1.0, 1),
        (NODES, [], ()),
        (NODES, [2, 0], (2, 0)),
        (SYSTEMS, ["a", "", "a"], ("a", "", "a")),
        (NAME, "ü\0🪢", "ü\0🪢"),
        (FLAG, True, True),
        (RATIO, -1, -1.0),
        (RATIO, 1, 1.0),
    ],
    ids=label,
)
def test_good_value(row, raw, value):
    got = convert(row, raw, COUNTS)
    assert got == value
    assert type(got) is type(value)


WRONG_FORM = [
    (field, raw, "F01", None, keep)
    for field, keep, raws in [
        (MASS, True, [None, True, "2", [2], {}]),
        (TYPE, True, [None, False, 1, ["static"], {"static": 1}]),
        (CENTER, True, [None, 1, "1 2 3", {"x": 1}, [1, 2, "3"], [1, None, 3], [True, 0, 0]]),
        (TURN, True, [None, 1, [0, 0, 0, "1"]]),
        (NAME, True, [None, 1, True, [], {}]),
        (FLAG, True, [None, 0, 1, "true", []]),
        (SYSTEMS, True, [None, "a", {"a": 1}]),
        (INDEX, False, [None, True, False, "0", 0.5, [0], {}, math.inf, math.nan]),
        (NODES, False, [None, 1, "0", {"0": 1}]),
    ]
    for raw in raws
]


@pytest.mark.parametrize(
    ("row", "raw", "code", "repaired", "keep"),
    [
        *WRONG_FORM,
        (MASS, -2, "B05", 2.0, True),
        (RADIUS, 0, "S05", None, True),
        (RADIUS, -0.25, "S05", 0.25, True),
        (MASS, math.nan, "G04", None, False),
        (MASS, math.inf, "G04", None, False),
        (MASS, 10**400, "G04", None, False),
        (MASS, -(10**5000), "G04", None, False),
        (CENTER, [0, math.inf, 0], "G04", None, False),
        (CENTER, [0, 10**400, 0], "G04", None, False),
        (CENTER, [], "B13", None, True),
        (CENTER, [1, 2], "B13", None, True),
        (CENTER, [1, 2, 3, 4], "B13", None, True),
        (TURN, [0, 0, 0], "B13", None, True),
        (INERTIA, [1, -2, 3], "B08", (1.0, 2.0, 3.0), True),
        (SIZE, [1, 0, 3], "S04", None, True),
        (SIZE, [-1, 2, -3], "S04", (1.0, 2.0, 3.0), True),
        (TURN, [0, 0, 0, 0], "B23", None, True),
        (TURN, [0, 0, 0, 2], "B11", (0.0, 0.0, 0.0, 1.0), True),
        (TURN, [0, 0, 0, 1.002], "B11", (0.0, 0.0, 0.0, 1.0), True),
        (DOWN, [0, -1.002, 0], "V17", (0.0, -1.0, 0.0), True),
        (DOWN, [0, 1e308, 1e308], "V17", (0.0, HALF, HALF), True),
        (DOWN, [0, 0, 0], "V17", None, True),
        (PRIORITY, 1.75, "V15", 2, True),
        (PRIORITY, True, "F01", None, True),
        (AXIS, 3, "J24", None, True),
        (AXIS, True, "J24", None, True),
        (AXES, [0, 3, 0, 2], "J13", (0, 2), True),
        (AXES, 1, "F01", None, True),
        (TURN, [3, 0, 0, 4], "B11", (0.6, 0.0, 0.0, 0.8), True),
        (TURN, [1e308] * 4, "B11", (0.5, 0.5, 0.5, 0.5), True),
        (TURN, [5e-324, 5e-324, 0, 0], "B11", (HALF, HALF, 0.0, 0.0), True),
        (TYPE, "STATIC", "B02", "static", True),
        (TYPE, "floating", "B02", None, True),
        (TYPE, "", "B02", None, True),
        (SYSTEMS, ["a", 1, None, "b"], "F01", ("a", "b"), True),
        (SYSTEMS, ["a", "\ud800"], "F01", ("a",), True),
        (NAME, "\ud800", "F01", None, True),
        (INDEX, -1, "G06", None, False),
        (INDEX, -1.0, "G06", None, False),
        (INDEX, -2, "G05", None, False),
        (INDEX, 3, "G05", None, True),
        (INDEX, 10**400, "G05", None, False),
        (INDEX, 10**5000, "G05", None, False),
        (INDEX, 1e300, "G05", None, False),
        (NODES, [0, 3, 1], "G05", (0, 1), False),
        (NODES, [0, -1], "G06", (0,), False),
        (NODES, [0, "1", 2], "F01", (0, 2), False),
        (NODES, [1, 0, 1], "T06", (1, 0), False),
        (RATIO, 1.5, "F02", 1.0, True),
        (RATIO, -1.5, "F02", None, True),
    ],
    ids=label,
)
def test_bad_value(row, raw, code, repaired, keep):
    with pytest.raises(BadValueError) as caught:
        convert(row, raw, COUNTS)
    error = caught.value
    assert (error.code, error.keep) == (code, keep)
    assert error.repaired == (repaired if repaired is None else pytest.approx(repaired))


def test_bound_above():
    above = FieldInfo("x", "x", float, 1.0, Field("", above=0.0))
    assert convert(above, 5e-324, {}) == 5e-324
    with pytest.raises(BadValueError, match="0 is not above 0"):
        convert(above, 0, {})


def test_bounded_field_takes_the_rule_of_its_own():
    ruled = dataclasses.replace(RATIO, field=dataclasses.replace(RATIO.field, rule="W06"))
    with pytest.raises(BadValueError) as caught:
        convert(ruled, 2, {})
    assert caught.value.code == "W06"


def test_long_list_of_nodes_is_read_in_one_pass():
    many = 200_000
    assert len(convert(NODES, list(range(many)), dict.fromkeys(INDICES, many))) == many


def deep(depth: int) -> object:
    value: object = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (None, "None"),
        (1.5, "1.5"),
        ("a", "'a'"),
        ([1, "b"], "[1, 'b']"),
        ([1, 2, 3, 4, 5], "a list of 5 items"),
        ({"a": 1}, "an object of 1 members"),
        ([{"a": 1}], "a list of 1 items"),
        ("x" * 100, "'" + "x" * 56 + "..."),
        ("\ud800", r"'\ud800'"),
    ],
    ids=["null", "number", "text", "list", "long list", "object", "nested", "long", "surrogate"],
)
def test_value_in_a_message(raw, text):
    assert show(raw) == text


@pytest.mark.parametrize(
    "raw",
    [deep(100_000), ["x" * 10**6] * 4, 10**5000, [10**5000]],
    ids=["deep", "long texts", "long number", "long number in a list"],
)
def test_any_value_is_short_in_a_message(raw):
    assert len(show(raw)) <= 60
