"""Turn one JSON value into the value of a field, or say what is wrong with it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ...issue_codes import Code
from ...model.fields import AxisIndex, FieldInfo, Quantity

Counts = Mapping[Any, int]  # Index type → length of the list it points into.
_SHOWN = 60  # Letters of a value in a message.
_LARGEST = 1 << 53  # Of the whole numbers that all programs read alike.
_USUAL = 1e15  # Smaller numbers are taken without a closer look.
_LENGTH_TOLERANCE = 1e-3  # Of quaternions and directions, which may be written with few digits.


class BadValueError(Exception):
    """A value that cannot be taken as it is.

    Attributes:
        code: of the issue.
        repaired: what to use instead; None for the field's default.
        keep: whether the original may be written back.
    """

    def __init__(self, code: Code, why: str, repaired: Any = None, keep: bool = True) -> None:
        super().__init__(why)
        self.code = code
        self.repaired = repaired
        self.keep = keep


def convert(row: FieldInfo, raw: Any, counts: Counts) -> Any:
    """The value of field `row` that the JSON value `raw` stands for.

    Raises:
        BadValueError: it has the wrong type, length, sign or size, or points beyond its list.
    """
    return converter(row)(raw, counts)


@functools.cache
def converter(row: FieldInfo) -> Callable[[Any, Counts], Any]:
    """The function by which `convert` reads one field."""
    if row.type is float:
        return _of_number(row)
    if row.type is int:
        return lambda raw, _: _whole(row, raw)
    if row.type is AxisIndex:
        return lambda raw, _: _axis(row, raw)
    if row.item is AxisIndex:
        axis = functools.partial(_axis, row)
        return lambda raw, _: _distinct(row, _list(raw, "axes"), axis, "axis ")
    if row.type is bool:
        return lambda raw, _: _flag(raw)
    if row.type is str:
        return lambda raw, _: _text(raw)
    words = row.words
    if words:
        return lambda raw, _: raw if raw in words else _word(row, raw)
    if row.field.quantity is Quantity.ROTATION:
        zero = "rotation is a zero quaternion"
        faults = (Code.ORIENTATION_ZERO, Code.ORIENTATION_NOT_UNIT)
        return lambda raw, _: _of_length_1(_numbers(row, raw), zero, *faults)
    if row.field.quantity is Quantity.DIRECTION:
        zero = "direction is a zero vector"
        return lambda raw, _: _of_length_1(_numbers(row, raw), zero, row.fault, row.fault)
    if row.length:
        return _of_vector(row)
    if row.item is str:
        return lambda raw, _: _texts(raw)
    if row.item is not None:
        return lambda raw, counts: _indices(row, raw, counts)
    return _of_index(row.type)


# The fast paths, for the values of nearly all files; the functions below judge all others.


def _of_number(row: FieldInfo) -> Callable[[Any, Counts], float]:
    accepts = _range(row)

    def of_number(raw: Any, _counts: Counts) -> float:
        kind = raw.__class__
        if (kind is float or kind is int) and accepts(raw):
            return float(raw)
        return _bounded(row, _number(raw))

    return of_number


def _of_vector(row: FieldInfo) -> Callable[[Any, Counts], tuple[float, ...]]:
    length, accepts = row.length, _range(row)

    def of_vector(raw: Any, _counts: Counts) -> tuple[float, ...]:
        if raw.__class__ is list and len(raw) == length:
            for item in raw:
                kind = item.__class__
                if not ((kind is float or kind is int) and accepts(item)):
                    break
            else:
                return tuple(map(float, raw))
        return _vector(row, raw)

    return of_vector


def _range(row: FieldInfo) -> Callable[[float], bool]:
    """The test whether a number is surely within the bounds of a field and finite."""
    lowest, above, highest = row.field.minimum, row.field.above, row.field.maximum
    low = -_USUAL if lowest is None else lowest
    high = _USUAL if highest is None else highest
    if above is None:
        return lambda number: low <= number <= high
    return lambda number: low <= number <= high and number > above


def _of_index(kind: Any) -> Callable[[Any, Counts], int]:
    def of_index(raw: Any, counts: Counts) -> int:
        count = counts[kind]
        return raw if raw.__class__ is int and 0 <= raw < count else _index(raw, count)

    return of_index


def show(raw: Any) -> str:
    """A JSON value in a message, cut short."""
    if isinstance(raw, dict):
        return f"an object of {len(cast(dict[str, Any], raw))} members"
    if isinstance(raw, (list, tuple)):
        items = cast(Sequence[Any], raw)
        if len(items) > 4 or any(isinstance(item, (dict, list)) for item in items):
            return f"a list of {len(items)} items"
        return _cut(f"[{', '.join(map(show, items))}]")
    if isinstance(raw, str):
        return _cut(repr(raw[:_SHOWN]))
    if isinstance(raw, int) and not is_finite(raw):
        return "a number too large to show"  # Python refuses to print thousands of digits.
    return _cut(repr(raw))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def is_finite(number: float) -> bool:
    """Whether a number, which may be a whole one of any size, is one that floats can hold."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def is_text(raw: Any) -> bool:
    """Whether a JSON value is a string that can be stored; half a surrogate pair cannot."""
    if not isinstance(raw, str):
        return False
    try:
        raw.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _number(raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, (int, float)):
        raise BadValueError(Code.TYPE_WRONG, f"{show(raw)} is not a number")
    if not is_finite(raw):
        raise BadValueError(
            Code.NUMBER_NOT_FINITE, "the number is not finite or too large", keep=False
        )
    return float(raw)


def _bounded(row: FieldInfo, value: float) -> float:
    lowest, above, highest = row.field.minimum, row.field.above, row.field.maximum
    if highest is not None and value > highest:
        raise BadValueError(row.fault, f"{value:g} is above {highest:g}", highest)
    if _low(lowest, above, value):
        # The sign is the usual mistake; anything else falls back to the default.
        size = abs(value)
        fits = not _low(lowest, above, size) and (highest is None or size <= highest)
        repaired = size if fits and not row.field.negative_is_none else None
        limit = f"at least {lowest:g}" if above is None else f"above {above:g}"
        raise BadValueError(row.fault, f"{value:g} is not {limit}", repaired)
    return value


def _low(lowest: float | None, above: float | None, value: float) -> bool:
    return (lowest is not None and value < lowest) or (above is not None and value <= above)


def _whole(row: FieldInfo, raw: Any) -> int:
    value = _number(raw)
    if not value.is_integer():
        raise BadValueError(row.fault, f"{value:g} is not a whole number", round(value))
    return int(value)


def _axis(row: FieldInfo, raw: Any) -> int:
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    if isinstance(raw, bool) or raw not in (0, 1, 2):
        raise BadValueError(row.fault, f"{show(raw)} is not an axis: 0, 1 or 2")
    return raw


def _list(raw: Any, what: str, keep: bool = True) -> list[Any]:
    if not isinstance(raw, list):
        raise BadValueError(Code.TYPE_WRONG, f"{show(raw)} is not a list of {what}", keep=keep)
    return cast(list[Any], raw)


def _distinct(
    row: FieldInfo, items: list[Any], take: Callable[[Any], int], word: str = "", keep: bool = True
) -> tuple[int, ...]:
    """The numbers that items of a list are, of which none may be there twice."""
    found: dict[int, None] = {}
    worst: BadValueError | None = None
    for item in items:
        try:
            number = take(item)
        except BadValueError as error:
            worst = error
            continue
        if number in found:
            worst = BadValueError(row.fault, f"{word}{number} is listed twice")
        found[number] = None
    if worst is not None:
        raise BadValueError(worst.code, str(worst), tuple(found), keep)
    return tuple(found)


def _flag(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise BadValueError(Code.TYPE_WRONG, f"{show(raw)} is not true or false")
    return raw


def _text(raw: Any) -> str:
    if not is_text(raw):
        raise BadValueError(Code.TYPE_WRONG, f"{show(raw)} is not a string")
    return raw


def _word(row: FieldInfo, raw: Any) -> str:
    """Raise the error for a value that is none of the allowed words."""
    word = _text(raw)
    lower = word.lower() if word.lower() in row.words else None
    why = f"{show(word)} is not one of {', '.join(row.words)}"
    raise BadValueError(row.fault, why, lower)


def _numbers(row: FieldInfo, raw: Any) -> tuple[float, ...]:
    items = _list(raw, "numbers")
    if len(items) != row.length:
        raise BadValueError(row.field.length_rule, f"{len(items)} numbers instead of {row.length}")
    return tuple([_number(item) for item in items])


def _vector(row: FieldInfo, raw: Any) -> tuple[float, ...]:
    values = _numbers(row, raw)
    if row.field.minimum is None and row.field.above is None:
        return values
    lowest, above = row.field.minimum, row.field.above
    if any(_low(lowest, above, value) for value in values):
        sizes = tuple(abs(value) for value in values)
        repaired = None if any(_low(lowest, above, size) for size in sizes) else sizes
        raise BadValueError(row.fault, f"{show(raw)} is out of bounds", repaired)
    return values


def _of_length_1(
    values: tuple[float, ...], zero: str, if_zero: Code, if_other: Code
) -> tuple[float, ...]:
    length = math.hypot(*values)
    if length == 0.0:
        raise BadValueError(if_zero, f"the {zero}, which has no direction")
    if abs(length - 1.0) > _LENGTH_TOLERANCE:
        raise BadValueError(if_other, f"the length is {length:g} instead of 1", _unit(values))
    return values


def _unit(values: tuple[float, ...]) -> tuple[float, ...]:
    """`values` at length 1, of any other length but 0."""
    # The largest becomes 1 first: the length may be beyond the largest float, or among the
    # smallest, which have few digits.
    largest = max(map(abs, values))
    scaled = [value / largest for value in values]
    length = math.hypot(*scaled)
    return tuple(value / length for value in scaled)


def _texts(raw: Any) -> tuple[str, ...]:
    items = _list(raw, "strings")
    texts = tuple(item for item in items if is_text(item))
    if len(texts) != len(items):
        raise BadValueError(Code.TYPE_WRONG, "not every item is a string", texts)
    return texts


def _index(raw: Any, count: int) -> int:
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise BadValueError(Code.TYPE_WRONG, f"{show(raw)} is not an index", keep=False)
    if raw == -1:
        raise BadValueError(
            Code.INDEX_MINUS_ONE,
            "an index of -1 means none in older files; leave the key out",
            keep=False,
        )
    if not 0 <= raw < count:
        why = f"index {show(raw)} points beyond a list of {count}"
        raise BadValueError(Code.INDEX_BEYOND_ARRAY, why, keep=0 <= raw < _LARGEST)
    return raw


def _indices(row: FieldInfo, raw: Any, counts: Counts) -> tuple[int, ...]:
    items = _list(raw, "indices", keep=False)
    return _distinct(row, items, lambda item: _index(item, counts[row.item]), keep=False)
