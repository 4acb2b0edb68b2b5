"""An asset browser in a Blender with a window, and drags out of it by events of the mouse."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, Final

import bpy

from tools.random_runs.random_inside import override, view, window

Steps = Iterator[float]

_TILE: Final = 50  # From the corner of the list to the middle of its first asset, pixels.
_MOVES: Final = 6  # Blender takes a press for a drag once the mouse has moved a little.
_PAUSE: Final = 0.15
_PATIENCE: Final = 300  # Looks at whether the browser or its list is there.


def add_library(folder: Path) -> None:
    """Make a folder the only library of assets."""
    libraries: Any = bpy.context.preferences.filepaths.asset_libraries
    for each in list(libraries):
        libraries.remove(each)
    libraries.new(name="Kit", directory=str(folder))


def remove_library() -> None:
    """Forget the library again."""
    libraries: Any = bpy.context.preferences.filepaths.asset_libraries
    for each in list(libraries):
        libraries.remove(each)


def drag_first(method: str) -> Steps:
    """Drag the first asset of the library into the 3D Viewport.

    Args:
        method: how the browser imports it, such as APPEND.
    """
    browser = yield from open_browser("Kit", method)
    yield from drag(browser)


def open_browser(library: str, method: str) -> Generator[float, None, Any]:
    """An Asset Browser in half of the 3D Viewport that shows a library."""
    known = {area.as_pointer() for area in window().screen.areas}
    with override():
        bpy.ops.screen.area_split(direction="VERTICAL", factor=0.5)
    yield 0.3
    browser: Any = next(a for a in window().screen.areas if a.as_pointer() not in known)
    browser.ui_type = "ASSETS"
    for _ in range(_PATIENCE):
        if browser.spaces[0].params is not None:
            break
        yield 0.1
    params = browser.spaces[0].params
    params.asset_library_reference, params.import_method = library, method
    params.display_size_discrete = "LARGE"
    return browser


def drag(browser: Any, name: str = "") -> Steps:
    """Drag the asset of a name, or the first one, into the 3D Viewport."""
    browser.spaces[0].params.filter_search = name
    region = next(each for each in browser.regions if each.type == "WINDOW")
    at = (region.x + _TILE, region.y + region.height - _TILE)
    yield from _wait_for_list(browser, region, at, name)
    area = view()
    to = (area.x + area.width // 2, area.y + area.height // 3)
    _send("PRESS", at)
    yield 2 * _PAUSE
    for i in range(1, _MOVES + 1):
        _send("", (at[0] + 4 * i, at[1] - 2 * i))
        yield _PAUSE
    for i in range(1, _MOVES + 1):
        share = i / _MOVES
        _send("", tuple(int(a + (b - a) * share) for a, b in zip(at, to, strict=True)))
        yield _PAUSE
    _send("RELEASE", to)
    yield 0.5


def _wait_for_list(browser: Any, region: Any, at: tuple[int, ...], name: str) -> Steps:
    for _ in range(_PATIENCE):
        browser.tag_redraw()
        for value in ("", "PRESS", "RELEASE"):
            _send(value, at)
            yield 0.1
        with bpy.context.temp_override(window=window(), area=browser, region=region):
            asset: Any = bpy.context.asset
            if asset is not None and name in ("", asset.name):
                yield 0.6  # So that the next press is none of a double click.
                return
    raise AssertionError("never: the asset is listed")


def _send(value: str, at: tuple[int, ...]) -> None:
    kind = "LEFTMOUSE" if value else "MOUSEMOVE"
    window().event_simulate(type=kind, value=value or "NOTHING", x=at[0], y=at[1])
