"""Turn one JSON value into the value of a field, or say what is wrong with it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, cast

from ..model.fields import FieldInfo, Quantity

Counts = Mapping[Any, int]  # Index type → length of the list it points into.
_ROUNDING = 1e-3  # How far a quaternion written with few digits may be from unit length.


class BadValueError(Exception):
    """A value that cannot be taken as it is.

    Attributes:
        code: of the issue.
        repaired: what to use instead; None for the field's default.
        keep: whether the original may be written back.
    """

    def __init__(self, code: str, why: str, repaired: Any = None, keep: bool = True) -> None:
        super().__init__(why)
        self.code = code
        self.repaired = repaired
        self.keep = keep


def convert(row: FieldInfo, raw: Any, counts: Counts) -> Any:
    """The value of field `row` that the JSON value `raw` stands for.

    Raises:
        BadValueError: it has the wrong type, length, sign or size, or points beyond its list.
    """
    return _converter(row)(raw, counts)


@functools.cache
def _converter(row: FieldInfo) -> Callable[[Any, Counts], Any]:
    if row.type is float:
        return lambda raw, _: _bounded(row, _number(raw))
    if row.type is bool:
        return lambda raw, _: _flag(raw)
    if row.type is str:
        return lambda raw, _: _text(raw)
    words = row.words
    if words:
        return lambda raw, _: raw if raw in words else _word(row, raw)
    if row.field.quantity is Quantity.ROTATION:
        return lambda raw, _: _rotation(_numbers(row, raw))
    if row.length:
        return lambda raw, _: _vector(row, raw)
    if row.item is str:
        return lambda raw, _: _texts(raw)
    if row.item is not None:
        return lambda raw, counts: _indices(row, raw, counts)
    return lambda raw, counts: _index(raw, counts[row.type])


def show(raw: Any) -> str:
    """A JSON value in a message, cut short."""
    if isinstance(raw, dict):
        return f"an object of {len(cast(dict[str, Any], raw))} members"
    if isinstance(raw, list):
        items = cast(list[Any], raw)
        return f"a list of {len(items)} items" if len(items) > 4 else _cut(repr(items))
    return _cut(repr(raw))


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _number(raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, (int, float)):
        raise BadValueError("F01", f"{show(raw)} is not a number")
    try:
        value = float(raw)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise BadValueError("G04", "the number is not finite or too large", keep=False)
    return value


def _bounded(row: FieldInfo, value: float) -> float:
    lowest, above, highest = row.field.minimum, row.field.above, row.field.maximum
    if highest is not None and value > highest:
        raise BadValueError(row.field.rule or "F02", f"{value:g} is above {highest:g}", highest)
    if _low(lowest, above, value):
        # The sign is the usual mistake; anything else falls back to the default.
        repaired = None if _low(lowest, above, abs(value)) else abs(value)
        limit = f"at least {lowest:g}" if above is None else f"above {above:g}"
        raise BadValueError(row.field.rule or "F02", f"{value:g} is not {limit}", repaired)
    return value


def _low(lowest: float | None, above: float | None, value: float) -> bool:
    return (lowest is not None and value < lowest) or (above is not None and value <= above)


def _flag(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise BadValueError("F01", f"{show(raw)} is neither true nor false")
    return raw


def _text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise BadValueError("F01", f"{show(raw)} is not a string")
    return raw


def _word(row: FieldInfo, raw: Any) -> str:
    """For a word that is not one of the allowed ones, unless it is not even a word."""
    word = _text(raw)
    lower = word.lower() if word.lower() in row.words else None
    why = f"{show(word)} is not one of {', '.join(row.words)}"
    raise BadValueError(row.field.rule or "F02", why, lower)


def _numbers(row: FieldInfo, raw: Any) -> tuple[float, ...]:
    if not isinstance(raw, list):
        raise BadValueError("F01", f"{show(raw)} is not a list of numbers")
    items = cast(list[Any], raw)
    if len(items) != row.length:
        raise BadValueError("B13", f"{len(items)} numbers instead of {row.length}")
    return tuple([_number(item) for item in items])


def _vector(row: FieldInfo, raw: Any) -> tuple[float, ...]:
    values = _numbers(row, raw)
    if row.field.minimum is None and row.field.above is None:
        return values
    lowest, above = row.field.minimum, row.field.above
    if any(_low(lowest, above, value) for value in values):
        sizes = tuple(abs(value) for value in values)
        repaired = None if any(_low(lowest, above, size) for size in sizes) else sizes
        raise BadValueError(row.field.rule or "F02", f"{show(raw)} is out of bounds", repaired)
    return values


def _rotation(values: tuple[float, ...]) -> tuple[float, ...]:
    length = math.hypot(*values)
    if length == 0.0:
        raise BadValueError("B23", "a zero quaternion is no rotation")
    if abs(length - 1.0) > _ROUNDING:
        unit = tuple(value / length for value in values)
        if not all(math.isfinite(value) for value in unit):
            raise BadValueError("B11", "too large for a unit quaternion")
        raise BadValueError("B11", f"its length is {length:g} instead of 1", unit)
    return values


def _texts(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list):
        raise BadValueError("F01", f"{show(raw)} is not a list of strings")
    items = cast(list[Any], raw)
    texts = tuple(item for item in items if isinstance(item, str))
    if len(texts) != len(items):
        raise BadValueError("F01", "not every item is a string", texts)
    return texts


def _index(raw: Any, count: int) -> int:
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise BadValueError("F01", f"{show(raw)} is not an index", keep=False)
    if raw == -1:
        raise BadValueError("G06", "-1 stands for nothing; the key is better left out", keep=False)
    if not 0 <= raw < count:
        why = f"index {show(raw)} points beyond a list of {count}"
        raise BadValueError("G05", why, keep=False)
    return raw


def _indices(row: FieldInfo, raw: Any, counts: Counts) -> tuple[int, ...]:
    if not isinstance(raw, list):
        raise BadValueError("F01", f"{show(raw)} is not a list of indices", keep=False)
    found: list[int] = []
    worst: BadValueError | None = None
    for item in cast(list[Any], raw):
        try:
            index = _index(item, counts[row.item])
        except BadValueError as error:
            worst = error
            continue
        if index in found:
            worst = BadValueError(row.field.rule or "F02", f"{index} is listed twice", keep=False)
        else:
            found.append(index)
    if worst is not None:
        raise BadValueError(worst.code, str(worst), tuple(found), keep=False)
    return tuple(found)
