"""Values of handles as text: what the header shows, and what an artist types."""

from __future__ import annotations

import math
from typing import Any, Final

from .handle import Handle

_LETTERS: Final = frozenset("0123456789.,-")


def in_words(scene: Any, handle: Handle, value: float, typed: str = "") -> str:
    """What a handle has made of its value, in the units of the scene.

    Args:
        typed: what the artist has typed in its place, empty for nothing.
    """
    if typed:
        return f"{handle.label}: [{typed}|]"
    from ...authoring import joint_texts

    units = scene.unit_settings
    if handle.center is None:
        text = joint_texts.length(value, units, precision=4)
    elif units.system_rotation == "RADIANS":
        text = f"{value:.4g} rad"
    else:
        text = f"{round(math.degrees(value), 3):g}°"
    return f"{handle.label}: {text}"


def edited(typed: str, kind: str, letter: str) -> str | None:
    """A typed text after a key was pressed; None where the key has nothing to do with it.

    Args:
        kind: the type of the event.
        letter: what the key writes.
    """
    if kind == "BACK_SPACE":
        return typed[:-1]
    if len(letter) == 1 and letter in _LETTERS:
        if letter == "-":  # It changes the sign wherever it is typed, as in Blender.
            return typed[1:] if typed.startswith("-") else f"-{typed}"
        return typed + letter.replace(",", ".")
    return None


def number(scene: Any, handle: Handle, typed: str) -> float | None:
    """What a typed text means in the units of the value; None where it is no number yet."""
    from ...authoring import joint_texts

    try:
        value = float(typed)
    except ValueError:
        return None
    units = scene.unit_settings
    if handle.center is not None:
        return value if units.system_rotation == "RADIANS" else math.radians(value)
    return joint_texts.typed_length(value, units)
