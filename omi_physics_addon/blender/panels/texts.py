"""Sentences in panels, in as many lines as their editor needs."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, Final, cast

from bpy.app import translations

pgettext_iface: Final[Callable[[str], str]] = cast("Any", translations).pgettext_iface

_LETTER: Final = 6.0  # Width of a letter, in pixels at scale 1.
_MARGIN: Final = 50.0  # Of an editor around a text, in the same pixels.
_ICON: Final = 4  # Letters that an icon takes the place of.
_NARROW: Final = 24  # Letters that a line has at least.
_WIDTH: Final = 34  # Letters of a line where there is no region to ask.
_LINE_HEIGHT: Final = 0.75


def draw_text(context: Any, layout: Any, text: str, icon: str = "NONE", alert: bool = False) -> Any:
    """Draw a sentence in as many lines as the region needs; returns their column."""
    return draw_lines(layout, wrapped(context, text, icon), icon, alert)


def wrapped(context: Any, text: str, icon: str = "NONE") -> list[str]:
    """The lines of a sentence that fit the region, beside an icon."""
    width = letters(context) - (0 if icon == "NONE" else _ICON)
    return textwrap.wrap(text, width) or [""]


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
