"""Lists of a document's extension object, and the members beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from ...issue_codes import Code
from . import carried
from .json_values import show
from .records import Reading

R = TypeVar("R")
ReadItem = Callable[[Any, str, Reading], Any]


def read_lists(
    extension: Any, pointer: str, reading: Reading, readers: Mapping[str, ReadItem]
) -> tuple[dict[str, list[Any]], str]:
    """The lists of a document's extension object by key, and the carried members beside them.

    Args:
        extension: JSON of the extension object.
        readers: key of a list → how to read one item of it.
    """
    lists: dict[str, list[Any]] = {key: [] for key in readers}
    if not isinstance(extension, Mapping):
        reading.issues.add(Code.TYPE_WRONG, pointer, f"{show(extension)} is not an object")
        return lists, ""
    rest: dict[str, Any] = {}
    for key, value in cast(Mapping[str, Any], extension).items():
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
    if not isinstance(value, list):
        reading.issues.add(Code.TYPE_WRONG, pointer, f"{show(value)} is not a list")
        return []
    items = cast(Sequence[Any], value)
    return [read(item, f"{pointer}/{i}", reading) for i, item in enumerate(items)]
