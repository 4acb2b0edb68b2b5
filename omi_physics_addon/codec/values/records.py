"""Read and write records by their field tables."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeVar, cast

from ...issue_codes import Code
from ...issues import Issues
from ...model import fields
from ...model.fields import INDEX_TYPES, Carried, FieldInfo
from . import carried
from .json_values import BadValueError, Counts, convert, converter, show

R = TypeVar("R")
_NONE: Mapping[str, object] = MappingProxyType({})
_SINGLE_PRECISION: Final = 1e-6  # Relative difference after a trip through 32-bit numbers.
_WHOLE: Final = 1e15  # Beyond this a whole number says more than a 64-bit number knows.


@dataclass(frozen=True)
class Reading:
    """What reading needs: where findings go, and how long the lists are that indices point into."""

    issues: Issues
    counts: Counts

    def mapping(
        self, json: Any, pointer: str, *, then: str = ", so it is ignored"
    ) -> Mapping[str, Any] | None:
        """A JSON object; None for anything else, which is told.

        Args:
            then: what is told to become of it.
        """
        if isinstance(json, Mapping):
            return cast(Mapping[str, Any], json)
        self.issues.add(Code.TYPE_WRONG, pointer, f"{show(json)} is not an object{then}")
        return None

    def sequence(
        self, json: Any, pointer: str, *, then: str = ", so it is ignored"
    ) -> Sequence[Any]:
        """The items of a JSON list; none for anything else, which is told; see `mapping`."""
        if isinstance(json, list):
            return cast(Sequence[Any], json)
        self.issues.add(Code.TYPE_WRONG, pointer, f"{show(json)} is not a list{then}")
        return ()

    def with_counts(self, counts: Counts) -> Reading:
        """The same with the lengths of more lists."""
        return Reading(self.issues, {**self.counts, **counts})


@dataclass(frozen=True)
class Writing:
    """What writing needs.

    Attributes:
        issues: where findings go.
        refs: index type → function that gives what to write for an index.
        repair: write repaired values where an imported fault is still unchanged.
        alike: what functions wrote for records, as most are like others.
        counts: lengths of the lists in what is written; none for those that are not known.
    """

    issues: Issues
    refs: Mapping[Any, Callable[[int], Any]]
    repair: bool = False
    alike: dict[Any, dict[str, Any]] = dataclasses.field(default_factory=dict[Any, dict[str, Any]])
    counts: dict[Any, int] = dataclasses.field(default_factory=dict[Any, int])

    def once(
        self, record: Any, place: str, write: Callable[[Any, str, Writing], dict[str, Any]]
    ) -> dict[str, Any]:
        """What `write` makes of a record, asked once for all that are equal and carry nothing.

        The caller may add to it, but not to what is inside. What is told of one is told of each.
        """
        if record.carried:
            return write(record, place, self)
        found = self.alike.get((write, record))
        if found is None:
            told = len(self.issues)
            found = write(record, place, self)
            if len(self.issues) == told:
                self.alike[write, record] = found
        return dict(found)


def read_record(
    record: type[R],
    json: Any,
    pointer: str,
    reading: Reading,
    *,
    by_hand: Collection[str] = (),
    defaults: Mapping[str, object] = _NONE,
) -> R:
    """The record that the JSON value `json` stands for.

    Faults are reported and the field's default, or a repaired value, is taken; the original
    stands in `carried` with all unknown members.

    Args:
        by_hand: keys that the caller reads.
        defaults: those of a dialect that disagrees with the record, by field name.

    Raises:
        ValueError: `json` lacks a member without which there is no such record.
    """
    values: dict[str, Any] = dict(defaults)
    members: dict[str, Any] = {}
    rows, counts = _converters(record), reading.counts
    for key, raw in (reading.mapping(json, pointer, then="") or {}).items():
        row = rows.get(key)
        if row is not None:
            name, converted, info = row
            try:
                values[name] = converted(raw, counts)
            except BadValueError as error:
                _repair_field(info, error, raw, pointer, reading, values, members)
        elif key not in by_hand:
            carried.add_unknown(members, key, raw, pointer, reading.issues)
    if members:
        values["carried"] = carried.pack(members)
    return _make(record, values, pointer)


def _make(record: type[R], values: dict[str, Any], pointer: str) -> R:
    required = _required(record)
    if required:
        missing = [row.key for row in required if row.name not in values]
        if missing:
            raise ValueError(f"{pointer} lacks {', '.join(missing)}")
    return record(**values)


@functools.cache
def _required(record: type) -> tuple[FieldInfo, ...]:
    return tuple(row for row in fields.table(record) if row.required)


@functools.cache
def _converters(record: type) -> dict[str, tuple[str, Callable[[Any, Counts], Any], FieldInfo]]:
    return {row.key: (row.name, converter(row), row) for row in fields.table(record)}


def _repair_field(
    row: FieldInfo,
    error: BadValueError,
    raw: Any,
    pointer: str,
    reading: Reading,
    values: dict[str, Any],
    members: dict[str, Any],
) -> None:
    used = "the default" if error.repaired is None else show(error.repaired)
    reading.issues.add(error.code, f"{pointer}/{row.key}", f"{error}; {used} is used")
    if error.repaired is not None:
        values[row.name] = error.repaired
    if error.keep:
        carried.add(members, row.key, raw, pointer, reading.issues)


def write_record(
    record: Any,
    place: str,
    writing: Writing,
    *,
    always: Collection[str] = (),
    spell_out: bool = False,
    defaults: Mapping[str, object] = _NONE,
) -> dict[str, Any]:
    """The JSON object of `record`: what is required and what differs from the defaults.

    Args:
        place: where the record is, for messages.
        always: names of fields to write even if they have the default.
        spell_out: write every field that has a value.
        defaults: those of a dialect that disagrees with the record, by field name.

    A number that JSON cannot hold, as it became too large on its way, is told and left out.
    """
    out: dict[str, Any] = {}
    for name, key, default, required, plain in _plain_rows(record.__class__):
        value = getattr(record, name)
        if value is None:
            continue
        if (
            spell_out
            or required
            or value != (defaults.get(name, default) if defaults else default)
            or name in always
        ):
            try:
                out[key] = plain(value, writing)
            except OverflowError as error:
                why = f"'{key}' is {error}, which no file can hold; it is left out"
                writing.issues.add(Code.NUMBER_NOT_FINITE, place, why)
                if spell_out and default is not None:  # Readers need the member.
                    out[key] = plain(default, writing)
    if record.carried:
        _restore(record, out, place, writing, defaults)
    return out


def merge_carried(out: dict[str, Any], text: Carried) -> None:
    """Add the members that `text` carries and `out` does not have."""
    for key, value in carried.unpack(text).items():
        if value is not None:
            out.setdefault(key, value)


def with_carried(record: R, members: Mapping[str, Any]) -> R:
    """`record` with more carried members."""
    old = carried.unpack(cast(Any, record).carried)
    return dataclasses.replace(cast(Any, record), carried=carried.pack({**old, **members}))


@functools.cache
def _plain_rows(
    record: type,
) -> tuple[tuple[str, str, Any, bool, Callable[[Any, Writing], Any]], ...]:
    """Name, key, default of each field of a record, if it is required, how to put it in JSON."""
    return tuple(
        (row.name, row.key, row.default, row.required, _plain(row)) for row in fields.table(record)
    )


def _plain(row: FieldInfo) -> Callable[[Any, Writing], Any]:
    if row.item in INDEX_TYPES:
        return lambda value, writing: [writing.refs[row.item](item) for item in value]
    if row.type in INDEX_TYPES:
        return lambda value, writing: writing.refs[row.type](value)
    if row.item is not None:
        return lambda value, _: list(value)
    if row.length:
        return lambda value, _: [number(item) for item in value]
    if row.type is float:
        return lambda value, _: number(value)
    return lambda value, _: value


def number(value: float) -> float | int:
    """A whole number without a fraction, as people write it.

    Raises:
        OverflowError: it is no number, or infinite.
    """
    if value.is_integer():
        return int(value) if abs(value) < _WHOLE else value
    if not math.isfinite(value):
        raise OverflowError(str(value))
    return value


def _restore(
    record: Any, out: dict[str, Any], place: str, writing: Writing, defaults: Mapping[str, object]
) -> None:
    rows = _converters(record.__class__)
    for key, raw in carried.unpack(record.carried).items():
        row = rows[key][2] if key in rows else None
        if row is None:
            out.setdefault(key, raw)
        elif row.item in INDEX_TYPES:
            continue  # Indices into the lists of a file that is no longer at hand.
        elif row.type in INDEX_TYPES:
            if getattr(record, row.name) is not None or row.type not in writing.counts:
                continue
            if leads_nowhere(key, raw, writing.counts[row.type], place, writing):
                out[key] = raw
        elif not writing.repair and _same(
            _repaired(row, raw, defaults.get(row.name, row.default)), getattr(record, row.name)
        ):
            if raw is None:
                out.pop(key, None)
            else:
                out[key] = raw
            report_original(key, raw, place, writing)


def leads_nowhere(key: str, raw: Any, count: int, place: str, writing: Writing) -> bool:
    """Whether an index that led nowhere when it was imported is written again, which is told.

    Args:
        count: of the list that it points into, as it is written.
    """
    if writing.repair or raw.__class__ not in (int, float):
        return False
    if raw < count:
        why = (
            f"'{key}' was {raw}, which led nowhere in the imported file and is another entry now, "
            "so it is left out"
        )
        writing.issues.add(Code.REFERENCE_LEFT_OUT, place, why)
        return False
    report_original(key, raw, place, writing)
    return True


def report_original(key: str, raw: Any, place: str, writing: Writing) -> None:
    """Say that a fault of the imported file is written again."""
    why = f"'{key}' is {show(raw)}, as in the imported file"
    writing.issues.add(Code.FAULT_WRITTEN_BACK, place, why)


def _repaired(row: FieldInfo, raw: Any, default: Any) -> Any:
    """What reading `raw` gives; null stands for an absent member."""
    if raw is None:
        return default
    try:
        return convert(row, raw, {})
    except BadValueError as error:
        return default if error.repaired is None else error.repaired


def _same(first: Any, second: Any) -> bool:
    """Equality, but for the rounding of a trip through Blender's 32-bit numbers."""
    if isinstance(first, float) and isinstance(second, float):
        return abs(first - second) <= _SINGLE_PRECISION * max(abs(first), abs(second))
    if isinstance(first, tuple) and isinstance(second, tuple):
        pairs = zip(cast(tuple[Any, ...], first), cast(tuple[Any, ...], second), strict=False)
        return len(cast(tuple[Any, ...], first)) == len(cast(tuple[Any, ...], second)) and all(
            _same(a, b) for a, b in pairs
        )
    return first == second


def read_lists(
    extension: Any,
    pointer: str,
    reading: Reading,
    readers: Mapping[str, Callable[[Any, str, Reading], Any]],
) -> tuple[dict[str, list[Any]], str]:
    """The lists of a document's extension object by key, and the carried members beside them.

    Args:
        extension: JSON of the extension object.
        readers: key of a list → how to read one item of it.
    """
    lists: dict[str, list[Any]] = {key: [] for key in readers}
    rest: dict[str, Any] = {}
    for key, value in (reading.mapping(extension, pointer, then="") or {}).items():
        where = f"{pointer}/{carried.escape(key)}"
        if key in readers:
            lists[key] = read_items(value, where, reading, readers[key])
        else:
            carried.add_unknown(rest, key, value, pointer, reading.issues)
    return lists, carried.pack(rest)


def read_items(
    value: Any, pointer: str, reading: Reading, read: Callable[[Any, str, Reading], R]
) -> list[R]:
    """The items of a JSON list, in its order; empty when it is no list."""
    items = reading.sequence(value, pointer, then="")
    return [read(item, f"{pointer}/{i}", reading) for i, item in enumerate(items)]
