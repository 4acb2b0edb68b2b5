"""Who hits whom, against the meaning that each family's text gives to filters."""

from __future__ import annotations

import itertools

import pytest

from omi_physics_addon.model.bodies import CollisionFilter
from omi_physics_addon.model.filters import (
    allows,
    meaning,
    meeting,
    meets,
    members,
    mode_of,
    systems_of,
    with_meeting,
)


def row(systems: str = "", only: str = "", but: str = "", name: str = "") -> CollisionFilter:
    """A filter; systems are letters."""
    return CollisionFilter(
        collision_systems=tuple(systems),
        collide_with_systems=tuple(only),
        not_collide_with_systems=tuple(but),
        name=name,
    )


# Filter, the other's systems, whether OMI lets them meet, whether KHR's text does.
TABLE = [
    (row(), "", True, True),
    (row(), "ab", True, True),
    (row(only="a"), "a", True, True),
    (row(only="a"), "b", False, False),
    (row(only="a"), "ab", True, False),  # Any of them, or all of them.
    (row(only="ab"), "ab", True, True),
    (row(only="ab"), "a", True, True),
    (row(only="a"), "", False, True),  # No system: none is listed, and none is not.
    (row(but="a"), "a", False, False),
    (row(but="a"), "b", True, True),
    (row(but="a"), "ab", False, False),
    (row(but="a"), "", True, True),
    (row(only="a", but="a"), "a", True, True),  # A fault: the list of the met counts.
    (row(only="a", but="b"), "c", False, False),
]


@pytest.mark.parametrize(("own", "other", "omi", "khr"), TABLE)
def test_what_a_filter_allows(own, other, omi, khr):
    assert allows(own, row(other), "OMI") is omi
    assert allows(own, row(other), "KHR") is khr


def test_no_filter_meets_all_that_do_not_refuse_it():
    assert meets(None, None)
    assert meets(None, row("a"))
    assert meets(None, row("a", but="b"))
    assert not meets(None, row("a", only="b"))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (row("a"), row("b"), True),
        (row("a", only="b"), row("b"), True),
        (row("a", only="b"), row("b", but="a"), False),  # One side agrees.
        (row("a", but="b"), row("b", only="a"), False),
        (row("a", only="b"), row("b", only="a"), True),
        (row("a", but="a"), row("a", but="a"), False),
    ],
)
def test_both_sides_must_agree(one, other, expected):
    for family in ("OMI", "KHR"):
        assert meets(one, other, family) is expected
        assert meets(other, one, family) is expected


def test_meeting_is_the_same_from_both_sides():
    letters = ("", "a", "b", "ab")
    rows = [row(s, o, b) for s, o, b in itertools.product(letters, repeat=3)]
    for one, other in itertools.combinations(rows, 2):
        assert meets(one, other) == meets(other, one)


def test_systems_are_listed_once_in_order():
    assert systems_of([row("ba", "c"), row("a", but="d"), row("")]) == list("bacd")
    assert systems_of([]) == []


def test_members_of_a_system():
    rows = [row("a", name="1"), row("ab", name="2"), row("b", name="3")]
    assert [r.name for r in members(rows, "a")] == ["1", "2"]
    assert members(rows, "z") == [row("z")]


def test_meeting_of_systems():
    rows = [row("a"), row("b", but="a"), row("c"), row("c", but="a")]
    assert meeting(rows, "a", "a") == "ALL"
    assert meeting(rows, "a", "b") == meeting(rows, "b", "a") == "NONE"
    assert meeting(rows, "a", "c") == meeting(rows, "c", "a") == "SOME"
    assert meeting(rows, "a", "nobody's") == "ALL"


def test_a_system_that_does_not_meet_itself():
    assert meeting([row("a", but="a")], "a", "a") == "NONE"


def test_two_filters_of_one_system_meet_each_other_too():
    rows = [row("a", but="b", name="1"), row("ab", name="2")]
    assert meeting(rows, "a", "a") == "SOME"


ALL = tuple("abc")


@pytest.mark.parametrize("hits", [False, True])
@pytest.mark.parametrize("other", ALL)
@pytest.mark.parametrize(
    "start", [row("a"), row("a", but="b"), row("a", but="bc"), row("a", only="b"), row("a", "ab")]
)
def test_with_meeting_changes_one_answer_only(start, other, hits):
    changed = with_meeting(start, other, hits, ALL)
    assert allows(changed, row(other), "OMI") is hits
    for third in set(ALL) - {other}:
        assert allows(changed, row(third), "OMI") == allows(start, row(third), "OMI")
    assert changed.collision_systems == start.collision_systems


def test_the_last_system_that_was_met_goes():
    assert with_meeting(row("a", only="b"), "b", False, ALL) == row("a", but="abc")


def test_the_last_system_that_was_not_met_comes_back():
    changed = with_meeting(row("a", but="b"), "b", True, ALL)
    assert changed == row("a")
    assert mode_of(changed) == "ALL"


def test_a_filter_with_both_lists_is_cleaned():
    assert mode_of(row("a", only="b", but="b")) == "ONLY"
    changed = with_meeting(row("a", only="b", but="b"), "c", True, ALL)
    assert changed == row("a", only="bc")


def test_the_same_meaning():
    assert meaning(row("ab", only="ba", name="x")) == meaning(row("bba", only="ab"))
    assert meaning(row("a")) != meaning(row("b"))
    assert meaning(row("a", only="b")) != meaning(row("a", but="b"))
