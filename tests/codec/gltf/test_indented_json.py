"""The text is that of `json` for all values, and so are its errors."""

from __future__ import annotations

import json
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_physics_addon.codec.gltf import indented_json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
KEYS = st.text() | st.integers() | st.booleans() | st.none()
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(KEYS, inner, max_size=4)
    ),
)


class Encoder(json.JSONEncoder):
    """Knows one kind of values that `json` does not."""

    def default(self, o: Any) -> Any:
        return sorted(o) if isinstance(o, set) else super().default(o)


def both(value: Any, **options: Any) -> tuple[str, str]:
    encoder = Encoder(**options)
    return indented_json.encode(encoder, value), encoder.encode(value)


@given(
    VALUES,
    st.sampled_from(["\t", "", 0, 2, None]),
    st.sampled_from([(",", ":"), (", ", ": ")]),
    st.booleans(),
)
def test_the_text_is_the_same(value: Any, indent: Any, separators: Any, ensure_ascii: bool):
    ours, theirs = both(
        value, indent=indent, separators=separators, ensure_ascii=ensure_ascii, allow_nan=True
    )
    assert ours == theirs


@given(VALUES, st.sampled_from(["\t", None]))
def test_what_is_in_many_places_is_written_the_same(value: Any, indent: Any):
    once = {"a": value, "b": {}}
    whole = [once, {"deep": [once, once]}, once]
    encoder = Encoder(indent=indent)
    assert indented_json.encode(encoder, whole, {id(once), id(once["b"])}) == encoder.encode(whole)


class Word(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "something else"


class Number(IntEnum):
    TWO = 2


class Fraction(float):
    def __repr__(self) -> str:
        return "half"


@pytest.mark.parametrize(
    "value",
    [
        [Word("word"), {Word("key"): Number.TWO}, Fraction(0.5), {1.5: True, Number.TWO: None}],
        {"a": {3, 1, 2}, "b": [{4}]},
        [float("nan"), float("inf"), -float("inf"), 1e300, -0.0],
    ],
)
def test_kinds_of_kinds(value: Any):
    ours, theirs = both(value, indent="\t")
    assert ours == theirs


@pytest.mark.parametrize("value", [[float("nan")], {"a": float("inf")}, {"a": object()}, {(1,): 2}])
def test_errors_are_those_of_json(value: Any):
    encoder = Encoder(indent="\t", allow_nan=False)
    with pytest.raises((ValueError, TypeError)) as theirs:
        encoder.encode(value)
    with pytest.raises(theirs.type) as ours:
        indented_json.encode(encoder, value)
    assert str(theirs.value).startswith(str(ours.value))  # That number is named in one of them.


def test_what_is_deep_is_written_as_deep_as_json_goes():
    value: list[Any] = []
    for _ in range(600):
        value = [value]
    ours, theirs = both(value, indent="\t")
    assert ours == theirs


def test_what_is_inside_of_itself_ends():
    value: list[Any] = []
    value.append(value)
    with pytest.raises(ValueError, match="Circular"):
        indented_json.encode(Encoder(indent="\t"), value)
