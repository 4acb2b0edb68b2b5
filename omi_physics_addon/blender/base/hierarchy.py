"""The ancestors of an object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def ancestors(obj: Any) -> Iterator[Any]:
    """The parent of an object, the parent of that, and so on."""
    while obj.parent is not None:
        obj = obj.parent
        yield obj


def depth(obj: Any) -> int:
    """How many ancestors an object has."""
    return sum(1 for _ in ancestors(obj))
