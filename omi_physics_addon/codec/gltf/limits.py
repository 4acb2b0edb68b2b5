"""How large a file may be, so that none can take all time and memory of the machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..values.json_members import as_list, member
from ..values.node_tree import from_above

MOST_BYTES: Final = 2_000_000_000  # Of a file.
MOST_ITEMS: Final = 1_000_000  # Of a list of the root: nodes, meshes, accessors.
MOST_LEVELS: Final = 8_192  # Of nodes below nodes.
MOST_NUMBERS: Final = 16_000_000  # Of all accessors of collision meshes together.


class LimitError(Exception):
    """A file is too large; the message says what of it, how large, and what is the most."""


def check_size(size: int) -> None:
    """Make sure that a file is not too large to read.

    Raises:
        LimitError: it is.
    """
    if size > MOST_BYTES:
        raise LimitError(f"the file has {size} bytes; {MOST_BYTES} are the most")


def check(json: Mapping[str, Any]) -> None:
    """Make sure that a parsed glTF is not too large to work with.

    Raises:
        LimitError: it is.
    """
    for key, value in json.items():
        if len(as_list(value)) > MOST_ITEMS:
            raise LimitError(f"it has {len(value)} {key}; {MOST_ITEMS} are the most")
    levels = depth(json) if len(as_list(json.get("nodes"))) > MOST_LEVELS else 0
    if levels > MOST_LEVELS:
        raise LimitError(f"its nodes are nested {levels} deep; {MOST_LEVELS} is the most")


def depth(json: Mapping[str, Any]) -> int:
    """How many nodes are below each other; one where none is below another."""
    parents: dict[int, int] = {}
    nodes = as_list(json.get("nodes"))
    for i, node in enumerate(nodes):
        for child in as_list(member(node, "children")):
            if isinstance(child, int) and 0 <= child < len(nodes):
                parents[child] = i
    known: dict[int, int] = {}

    def level(node: int) -> int:
        return from_above(node, known, lambda at: parents.get(at, -1), 0, lambda _, up: up + 1)

    return max(map(level, parents), default=1)
