"""JSON as text that is easy to read: short things on one line, long ones indented."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, cast

INDENT: Final = "  "


def pretty(value: Any, width: int) -> str:
    """JSON text whose objects and lists stand on one line where that is not longer than `width`."""
    return "\n".join(_lines(value, "", "", width))


def _lines(value: Any, indent: str, key: str, width: int) -> Iterator[str]:
    flat = json.dumps(value, ensure_ascii=False)
    items = _items(value)
    fits = len(indent) + len(key) + len(flat) < width and not _is_nested(value)
    if not items or fits:
        yield f"{indent}{key}{flat}"
        return
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    yield f"{indent}{key}{opening}"
    for i, (name, item) in enumerate(items):
        *lines, last = _lines(item, indent + INDENT, name, width)
        yield from lines
        yield last + ("," if i < len(items) - 1 else "")
    yield f"{indent}{closing}"


def _items(value: Any) -> list[tuple[str, Any]]:
    """The members of an object with their keys, the items of a list without; none for others."""
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        return [(f"{json.dumps(k, ensure_ascii=False)}: ", item) for k, item in members.items()]
    if isinstance(value, list):
        return [("", item) for item in cast(list[Any], value)]
    return []


def _is_nested(value: Any) -> bool:
    """Whether something in an object is an object again, which is easier to read on its own."""
    if not isinstance(value, dict):
        return any(isinstance(item, (dict, list)) for _, item in _items(value))
    return any(isinstance(item, dict) for _, item in _items(value))
