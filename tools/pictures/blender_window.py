"""A Blender with a window: its areas and buttons, mouse and keyboard, and pictures of it.

For scripts that Blender runs with --enable-event-simulate. What takes time is an iterator of the
seconds to wait until Blender has drawn. Pictures need X, Blender's window at its lower left, and
ImageMagick.
"""

from __future__ import annotations

import importlib
import subprocess
import traceback
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Final, cast

import bpy as stubbed_bpy  # noqa: TID251
import numpy as np
from numpy.typing import NDArray

IMAGES: Final = Path(__file__).resolve().parents[2] / "docs" / "images"
SOON: Final = 0.4  # Until Blender has drawn what changed, s.
AT_ONCE: Final = 0.05  # Until it has noticed the pointer, s.
PATIENCE: Final = (1.0, 4.0)  # How much longer it may take while a computer has much to do.
SLIDE: Final = 0.15  # Until a section has slid a little, s.
REST: Final = 4.0  # How much longer the pointer rests where a button was found.
_LEAVING: Final = 5  # Times that the pointer is moved until it is on no button.
STEP: Final = 8  # Between places where a button is looked for, less than its height, pixels.
MARGIN: Final = 8  # Around what is cut out, pixels.
PAGES: Final = 20  # Of one region, at most.
SPECKS: Final = 40  # Pixels of a row or column that may change by themselves.
COLORS: Final = 128  # Of a picture; fewer make smaller files.
KEYS: Final = {
    **{
        str(i): word
        for i, word in enumerate(
            ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
        )
    },
    " ": "SPACE",
    "-": "MINUS",
    ".": "PERIOD",
}

bpy: Any = stubbed_bpy
Pixels = NDArray[np.float32]
Steps = Iterator[float]


def enable_addons() -> None:
    """Enable Blender's glTF add-on and ours."""
    import addon_utils

    enable = cast("Callable[..., object]", addon_utils.enable)
    enable("io_scene_gltf2", default_set=True)
    enable("omi_physics_addon", default_set=True)


def window() -> Any:
    """The one window."""
    return bpy.context.window_manager.windows[0]


def area_of(kind: str) -> Any:
    """The largest area of a type."""
    areas = [area for area in window().screen.areas if area.type == kind]
    return max(areas, key=lambda area: area.width * area.height)


def region_of(area: Any, kind: str = "WINDOW") -> Any:
    """The region of a type in an area."""
    return next(region for region in area.regions if region.type == kind)


def override(area: Any) -> Any:
    """The context of an area, for operators."""
    return bpy.context.temp_override(window=window(), area=area, region=region_of(area))


def move(x: int, y: int) -> Steps:
    """Put the pointer there."""
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield AT_ONCE


def click(x: int, y: int) -> Steps:
    """Press and release the left button there."""
    simulate = window().event_simulate
    simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.1
    simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
    simulate(type="LEFTMOUSE", value="RELEASE", x=x, y=y)
    yield SOON
    simulate(type="MOUSEMOVE", value="NOTHING", x=5, y=5)
    yield SOON


def shown(part: Any) -> Pixels:
    """What an area or region shows, (height, width, 4), bottom row first."""
    # Blender's own screenshots are black where no graphics card draws; X has the picture.
    command = ["import", "-window", "root", "-depth", "8", "ppm:-"]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    width, height = map(int, found[:40].split()[1:3])
    screen = np.frombuffer(found[-3 * width * height :], np.uint8).reshape(height, width, 3)[::-1]
    pixels = np.ones((part.height, part.width, 4), dtype=np.float32)
    pixels[..., :3] = screen[part.y : part.y + part.height, part.x : part.x + part.width] / 255.0
    return pixels


def save(pixels: Pixels, name: str, folder: Path = IMAGES) -> None:
    """Write a picture as PNG with few colours."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new(name, width, height)
    image.colorspace_settings.name = "sRGB"
    image.pixels.foreach_set(np.ascontiguousarray(pixels, dtype=np.float32).ravel())
    folder.mkdir(parents=True, exist_ok=True)
    path = str(folder / f"{name}.png")
    image.filepath_raw, image.file_format = path, "PNG"
    image.save()
    bpy.data.images.remove(image)
    few = ["-dither", "None", "-colors", str(COLORS), "-strip"]
    subprocess.run(["convert", path, *few, f"png8:{path}"], check=True)


def cut(region: Any) -> Pixels:
    """What a region shows, without the empty rows below it."""
    part = shown(region)
    middle = part[:, MARGIN:-MARGIN]
    plain = np.ptp(middle, axis=1).max(axis=1) < 0.02
    used = np.flatnonzero(~plain)
    low = max(int(used[0]) - MARGIN, 0) if len(used) else 0
    return part[low:]


def difference(before: Pixels, after: Pixels) -> Pixels:
    """The part of a picture that is new, such as a popup.

    Raises:
        LookupError: nothing is new.
    """
    changed = np.abs(before - after).max(axis=2) > 0.02
    rows = np.flatnonzero(changed.sum(axis=1) > SPECKS)
    columns = np.flatnonzero(changed.sum(axis=0) > SPECKS)
    if not len(rows) or not len(columns):
        raise LookupError("nothing has opened")
    return after[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def pages(area: Any, kind: str) -> Generator[float, None, list[Pixels]]:
    """What a region shows from its top to its end, one page after the other."""
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=5, y=5)
    region, found = region_of(area, kind), list[Pixels]()
    place = {"window": window(), "area": area, "region": region}
    with bpy.context.temp_override(**place):
        for _ in range(PAGES):
            bpy.ops.view2d.scroll_up(page=True)
    while len(found) < PAGES:
        for _ in range(4):  # Sections slide to their places.
            region.tag_redraw()
            yield SLIDE
        page = cut(region)
        if found and np.array_equal(page, found[-1]):
            break
        found.append(page)
        if len(page) < region.height:
            break  # There is room below the last section.
        with bpy.context.temp_override(**place):
            bpy.ops.view2d.scroll_down(page=True)
    return found


def press(key: str, x: int, y: int, **how: Any) -> Steps:
    """Press and release a key with the pointer there."""
    simulate = window().event_simulate
    simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield AT_ONCE
    simulate(type=key, value="PRESS", x=x, y=y, **how)
    how.pop("unicode", None)
    simulate(type=key, value="RELEASE", x=x, y=y, **how)
    yield AT_ONCE


def write(text: str, x: int, y: int) -> Steps:
    """Type a text and confirm it."""
    for i, letter in enumerate(text):
        yield from press(KEYS.get(letter, letter.upper()), x, y, unicode=letter)
        if not i:  # The first one may open a search.
            yield SOON
    yield SOON
    yield from press("RET", x, y)
    yield SOON


class Buttons:
    """The buttons of a region, found as a person finds them: with the pointer.

    Blender tells of the button below the pointer what F1 would open the manual for.
    """

    def __init__(self, area: Any, kind: str = "WINDOW") -> None:
        self._area, self._kind = area, kind
        self._told: list[str] = []
        # Instead of opening a browser.
        cast("Any", importlib.import_module("bl_operators.wm"))._wm_doc_get_id = self._tell

    def _tell(self, name: str, **_: Any) -> None:
        self._told.append(name)

    @property
    def region(self) -> Any:
        """The region; its place changes with the window."""
        return region_of(self._area, self._kind)

    def below(self, x: int, y: int, patience: float = 1.0) -> Iterator[float]:
        """Go there; then `name` says what is there."""
        window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
        yield patience * AT_ONCE
        self._told.clear()
        place = {"window": window(), "area": self._area, "region": self.region}
        with bpy.context.temp_override(**place):
            bpy.ops.wm.doc_view_manual_ui_context()

    @property
    def name(self) -> str:
        """An operator, `object.…`, or a property, `CLASS.…`; empty for none."""
        return self._told[-1] if self._told else ""

    def find(
        self, wanted: str, across: float = 0.5, *, last: bool = False
    ) -> Generator[float, None, tuple[int, int]]:
        """Look for a button from top to bottom.

        A computer that has much to do draws and notices the pointer late: what is not found at
        once, or is no longer there, is looked for again, more slowly.

        Args:
            across: where in the width of the region, as a part of it.
            last: the lowest of several below each other.

        Raises:
            LookupError: there is none.
        """
        seen = dict[str, None]()
        for patience in PATIENCE:
            region, rows = self.region, list[int]()
            x = region.x + int(across * region.width)
            yield from self._leave(patience)
            for y in range(region.y + region.height - STEP // 2, region.y, -STEP):
                yield from self.below(x, y, patience)
                seen[self.name] = None
                if self.name == wanted:
                    rows.append(y)
                if rows and (not last or self.name != wanted):
                    break
            if rows:
                y = rows[-2:][0]  # Not at the lower edge.
                yield from self._leave(patience)
                yield from self.below(x, y, REST * patience)
                if self.name == wanted:
                    return x, y
        if wanted in seen:
            raise LookupError(f"button {wanted} was not where it was found")
        raise LookupError(f"no button {wanted} there, only {', '.join(filter(None, seen))}")

    def _leave(self, times: float) -> Steps:
        """Go to where no button is; what was below the pointer before is told for a while."""
        region = self.region
        for _ in range(_LEAVING):
            yield from self.below(region.x + region.width // 2, region.y + region.height - 1, times)
            if not self.name:
                break

    def click(self, wanted: str, across: float = 0.5, *, last: bool = False) -> Steps:
        """Click a button."""
        x, y = yield from self.find(wanted, across, last=last)
        yield from click(x, y)

    def choose(self, wanted: str, across: float, beside: float, letter: str) -> Steps:
        """Open the menu in one row with a button, and take the entry with a letter underlined.

        Menus have no name of their own.
        """
        _, y = yield from self.find(wanted, across)
        region = self.region
        x, y = region.x + int(beside * region.width), y - STEP // 2
        yield from press("LEFTMOUSE", x, y)
        yield SOON
        yield from press(letter, x, y)
        yield SOON

    def enter(self, wanted: str, text: str, across: float = 0.75) -> Steps:
        """Type a number into a field."""
        x, y = yield from self.find(wanted, across)
        yield from press("RET", x, y)
        yield SOON
        yield from write(text, x, y)


def run(
    steps_of: Callable[[], Steps],
    failed: Callable[[], object] = traceback.print_exc,
    ended: Callable[[], object] = lambda: None,
) -> None:
    """Go through the steps while Blender draws, then quit.

    Args:
        failed: tells what failed, while it is being handled.
        ended: what is done last, also where something failed.
    """
    steps = steps_of()

    def step() -> float | None:
        try:
            return next(steps)
        except StopIteration:
            pass
        except Exception:  # noqa: BLE001 - a timer would swallow it and leave Blender open.
            failed()
        ended()
        bpy.ops.wm.quit_blender()
        return None

    # Opening a file ends timers that are not persistent.
    bpy.app.timers.register(step, first_interval=1.0, persistent=True)
