"""Names of the left and the right side."""

from __future__ import annotations

import re
from typing import Final

_SWAPPED: Final = {"left": "right", "right": "left", "l": "r", "r": "l"}
_BREAK: Final = r"[ ._\-]"
# What names a side: a word, a letter at the end or the beginning, a corner of a car.
_SIDES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![A-Za-z])(?P<side>left|right|LEFT|RIGHT)(?![A-Za-z])",
        r"(?<![A-Z])(?P<side>Left|Right)(?![a-z])",
        r"(?<![A-Za-z])(?P<side>left|right)(?=[A-Z])",
        rf"(?<={_BREAK})(?P<side>[LRlr])(?=(?:\.\d+)?$)",
        rf"^(?P<side>[LRlr])(?={_BREAK})",
        rf"(?:^|(?<={_BREAK}))[FBR](?P<side>[LR])(?=$|{_BREAK}|\d)",
        rf"(?:^|(?<={_BREAK}))[fbr](?P<side>[lr])(?=$|{_BREAK}|\d)",
    )
)
_MIRRORED: Final = " Mirrored"
_TO: Final = " to "  # Between the names of the two that a joint holds.


def flipped(name: str) -> str:
    """The name of what is on the other side; the same where a name tells no side."""
    if _TO in name:
        return _TO.join(map(flipped, name.split(_TO)))
    for pattern in _SIDES:
        found = pattern.search(name)
        if found is not None:
            side = found["side"]
            other = _SWAPPED[side.lower()]
            if side.isupper():
                other = other.upper()
            elif side[0].isupper():
                other = other.title()
            return name[: found.start("side")] + other + name[found.end("side") :]
    return name


def mirrored_name(name: str) -> str:
    """The name of a mirror image: of the other side, or marked as one, and back again."""
    stem = name.removesuffix(_MIRRORED)
    if stem != name and flipped(stem) == stem:
        return stem
    other = flipped(name)
    return name + _MIRRORED if other == name else other


def name_in_whole(name: str) -> str:
    """The name of a mirror image whose original has a partner that is mirrored with it."""
    stem = name.removesuffix(_MIRRORED)
    return flipped(stem) if stem != name else flipped(name) + _MIRRORED


def cut_name(name: str, longest: int) -> str:
    """The name of a mirror image with as many bytes as Blender has room for; the mark stays."""
    mark = _MIRRORED if name.endswith(_MIRRORED) else ""
    room = longest - len(mark.encode())
    return name.removesuffix(mark).encode()[:room].decode(errors="ignore") + mark
