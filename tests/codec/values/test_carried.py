"""Members that travel through, and what may not."""

from __future__ import annotations

import json
import math

import pytest

from omi_physics_addon.codec.values import carried
from omi_physics_addon.issues import Issues
from tests.support.documents import found


def nested(depth: int, value: object = 1) -> object:
    """`value` inside `depth` lists."""
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"extras": {"a": [1, 2.5, True, None, "ü"]}},
        {"": "", "a/b": 1, "a~b": 2},
        {"lone": "\ud800", "nul": "\0", "control": "\x1b", "emoji": "🪢"},
    ],
    ids=["none", "extras", "odd keys", "odd texts"],
)
def test_members_come_back(members):
    assert carried.unpack(carried.pack(members)) == members


def test_no_members_are_no_text():
    assert carried.pack({}) == ""


def test_text_can_be_stored_as_utf_8():
    assert carried.pack({"\udfff": "\ud800"}).encode("utf-8")


def test_order_of_members_makes_no_difference():
    assert carried.pack({"b": 1, "a": {"d": 1, "c": 2}}) == '{"a":{"d":1,"c":2},"b":1}'


@pytest.mark.parametrize("text", ["[]", "1", '"a"', "null"])
def test_text_of_another_value_is_an_error(text):
    with pytest.raises(ValueError, match="not a JSON object"):
        carried.unpack(text)


def test_text_that_is_no_json_is_an_error():
    with pytest.raises(json.JSONDecodeError):
        carried.unpack("{")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (nested(carried.DEEPEST - 1), None),
        (nested(carried.DEEPEST), "F03"),
        (nested(100_000), "F03"),
        ({"a": {"b": nested(carried.DEEPEST)}}, "F03"),
        (math.inf, "G04"),
        (-math.inf, "G04"),
        ([{"a": math.nan}], "G04"),
        (10**400, "G04"),
        ([-(10**5000)], "G04"),
        (10**300, None),
        (1.7e308, None),
        ("a" * 10**6, None),
        ([], None),
        ({}, None),
        (False, None),
    ],
    ids=[
        "as deep as allowed",
        "a level too deep",
        "very deep",
        "deep in objects",
        "infinite",
        "minus infinite",
        "nan",
        "whole number beyond all floats",
        "whole number too long to print",
        "large whole number",
        "largest numbers",
        "long text",
        "empty list",
        "empty object",
        "false",
    ],
)
def test_keep_takes_what_a_file_can_hold(value, code):
    issues = Issues()
    members: dict[str, object] = {}
    carried.add(members, "a/b", value, "/nodes/0", issues)
    assert found(issues) == ([] if code is None else [(code, "/nodes/0/a~1b")])
    assert members == ({"a/b": value} if code is None else {})


def test_null_says_nothing_and_is_not_kept():
    members: dict[str, object] = {}
    carried.add(members, "a", None, "", Issues())
    assert members == {}


@pytest.mark.parametrize(
    ("key", "value", "issues", "members"),
    [
        ("mystery", 1, [("G07", "/n/mystery")], {"mystery": 1}),
        ("a/b~c", 1, [("G07", "/n/a~1b~0c")], {"a/b~c": 1}),
        ("extras", {"a": 1}, [], {"extras": {"a": 1}}),
        ("extensions", {"VENDOR_x": {}}, [], {"extensions": {"VENDOR_x": {}}}),
        ("extras", {}, [], {}),
        ("extras", math.nan, [("G04", "/n/extras")], {}),
    ],
    ids=["unknown", "odd key", "extras", "foreign extension", "empty extras", "not a number"],
)
def test_unknown_members(key, value, issues, members):
    got, out = Issues(), {}
    carried.add_unknown(out, key, value, "/n", got)
    assert (found(got), out) == (issues, members)


def test_message_about_a_long_key_is_short():
    issues = Issues()
    carried.add_unknown({}, "k" * 10_000, 1, "", issues)
    assert len(next(iter(issues)).message) < 200


@pytest.mark.parametrize(
    ("key", "step"), [("a", "a"), ("a/b", "a~1b"), ("~", "~0"), ("~1", "~01"), ("", "")]
)
def test_escape(key, step):
    assert carried.escape(key) == step
