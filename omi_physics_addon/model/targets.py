"""Whom files are written for: everybody, by the specifications, or one engine as it reads them.

Command lines load this in whatever Python they are started with, so it needs nothing of newer ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

    Target = Literal["SPECIFICATION", "GODOT_4", "BABYLON"]
else:
    Target = str

# By the words of command lines.
TARGETS: dict[str, Target] = {
    "specification": "SPECIFICATION",
    "godot4": "GODOT_4",
    "babylon": "BABYLON",
}


def word_of(target: Target) -> str:
    """What command lines call a target."""
    return next(word for word, each in TARGETS.items() if each == target)
