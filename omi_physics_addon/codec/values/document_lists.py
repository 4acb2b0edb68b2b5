"""Lists of a document's extension object, and the members beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from . import carried
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
