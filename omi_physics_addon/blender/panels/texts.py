"""Sentences in panels, in as many lines as their editor needs."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from typing import Any, Final

from ..translations import pgettext_iface

_LETTER: Final = 6.0  # Width of a letter, in pixels at scale 1.
_MARGIN: Final = 50.0  # Of an editor around a text, in the same pixels.
_ICON: Final = 4  # Letters that an icon takes the place of.
_NARROW: Final = 24  # Letters that a line has at least.
_WIDTH: Final = 34  # Letters of a line where there is no region to ask.
_LINE_HEIGHT: Final = 0.75
_MARKS: Final = "、。，；：！？）」』"  # noqa: RUF001 - No line begins with one.
# A word of narrow letters with the space before it, or one letter.
_PARTS: Final = re.compile(r"\s*[\x21-\u024f]+|.", re.DOTALL)


def draw_text(context: Any, layout: Any, text: str, icon: str = "NONE", alert: bool = False) -> Any:
    """Draw a sentence, translated, in as many lines as the region needs; returns their column."""
    return draw_lines(layout, wrapped(context, pgettext_iface(text), icon), icon, alert)


def wrapped(context: Any, text: str, icon: str = "NONE") -> list[str]:
    """The lines of a sentence that fit the region, beside an icon."""
    return broken(text, letters(context) - (0 if icon == "NONE" else _ICON))


def broken(text: str, width: int) -> list[str]:
    """A sentence in lines of so many letters; those of Chinese and Japanese count twice.

    Their sentences have no spaces, so they break between any two letters, but not before a mark.
    """
    if not any(map(_is_wide, text)):
        return textwrap.wrap(text, width) or [""]
    lines, used = [""], 0
    for part in _PARTS.findall(text):
        size = width_of(part)
        if used and used + size > width and part not in _MARKS:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
            used, part = 0, part.lstrip()
        lines[-1] += part
        used += size
    return lines


def width_of(text: str) -> int:
    """How many letters a text is wide; those of Chinese and Japanese count twice."""
    return sum(2 if _is_wide(letter) else 1 for letter in text)


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "FW"


def and_more(count: int) -> str:
    """How many entries of a long list are not shown."""
    return pgettext_iface("… and {count} more").format(count=count)


def draw_lines(layout: Any, lines: list[str], icon: str = "NONE", alert: bool = False) -> Any:
    """Draw lines that belong together, with an icon before the first one."""
    column = layout.column(align=True)
    column.scale_y = _LINE_HEIGHT if len(lines) > 1 else 1.0
    column.alert = alert
    for i, line in enumerate(lines):
        shown = icon if i == 0 or icon == "NONE" else "BLANK1"
        column.label(text=line, icon=shown, translate=False)
    return column


def letters(context: Any) -> int:
    """How many letters a line of the region holds."""
    region = getattr(context, "region", None)
    if region is None:
        return _WIDTH
    scale = context.preferences.system.ui_scale
    return max(int((region.width / scale - _MARGIN) / _LETTER), _NARROW)
