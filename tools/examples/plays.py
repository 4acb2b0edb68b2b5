"""Plays four of the examples in a Blender with a window, checks them, and takes pictures.

From the command line:

    blender --factory-startup --enable-event-simulate --window-geometry 0 0 1280 800 \
        --python tools/examples/plays.py -- [--plain | --moving] [car] [rope_bridge] [planet] \
        [robot]

It presses Play as an artist does, then the keys that play_scenes.py tells. The pictures of each go
into docs/images as one, `play_….png`, and where all bodies were into docs/plays. What was measured
is printed. With --plain the pictures have no light and shadow, which take a processor a minute.
With --moving there is a moving picture instead, `play_….gif`, of the seconds that are worth it, and
nothing is recorded. Blender closes itself at the end. Needs what blender_window.py needs.
"""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

ROOT: Final = Path(__file__).resolve().parents[2]
# Blender does not put a script's own folder on the path.
sys.path.insert(0, str(ROOT))

import bpy as stubbed_bpy  # noqa: TID251
import numpy as np
from mathutils import Euler  # noqa: TID251

from tools.examples import play_scenes as scenes
from tools.pictures.blender_window import (
    AT_ONCE,
    IMAGES,
    SOON,
    Pixels,
    Steps,
    area_of,
    enable_addons,
    move,
    override,
    press,
    region_of,
    run,
    save,
    shown,
    window,
)

if TYPE_CHECKING:
    from omi_physics_addon.blender.preview.recorder import Recorder

bpy: Any = stubbed_bpy
EXAMPLES: Final = ROOT / "examples"
RECORDINGS: Final = ROOT / "docs" / "plays"
EVERY: Final = 12  # Frames from one that is recorded to the next.
SMALL: Final = 4  # How many times smaller the other pictures below a large one are.
GAP: Final = 6  # Between them, pixels.
NOWHERE: Final = (0.0, 0.0, 5000.0)
SAMPLES: Final = 6  # Of each pixel.
LOOK: Final = 3.0  # Between looks whether a view is drawn in full, s.
LOOKS: Final = 40
ARGUMENTS: Final = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
MOVING: Final = "--moving" in ARGUMENTS
PLAIN: Final = MOVING or "--plain" in ARGUMENTS
PER_SECOND: Final = 10  # Pictures of a moving one,
WIDE: Final = 400  # which is so many pixels wide,
FEW: Final = 32  # and has so many colours.


def prepare() -> Steps:
    """Enable the add-on; leave nothing but the 3D Viewport."""
    enable_addons()
    bpy.context.preferences.system.viewport_aa = "OFF"
    yield SOON
    with override(area_of("VIEW_3D")):
        bpy.ops.screen.screen_full_area(use_hide_panels=True)
    yield 2 * SOON


def middle() -> tuple[int, int]:
    """Of the 3D Viewport, in pixels of the window."""
    region = region_of(area_of("VIEW_3D"))
    return region.x + region.width // 2, region.y + region.height // 2


def show(name: str) -> Steps:
    """Open an example, with a view that tells of nothing but what plays."""
    path = str(EXAMPLES / f"{name}.blend")
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    yield 2 * SOON
    space = area_of("VIEW_3D").spaces.active
    space.show_gizmo = space.show_region_toolbar = space.show_region_ui = False
    space.show_region_header = space.show_region_tool_header = False
    overlay = space.overlay
    overlay.show_overlays = scenes.PLAYS[name].shows_keys and not MOVING
    overlay.show_text = overlay.show_cursor = overlay.show_floor = False
    overlay.show_axis_x = overlay.show_axis_y = False
    overlay.show_extras = overlay.show_relationship_lines = False
    space.lens = 50.0
    bpy.context.scene.omi_physics.preview.seconds = scenes.PLAYS[name].seconds + 5.0
    yield SOON


def aim(view: scenes.View | None) -> None:
    """Look at what plays, with light and shadow; or at nothing, which is drawn faster."""
    space = area_of("VIEW_3D").spaces.active
    space.shading.type = "RENDERED" if view and not PLAIN else "SOLID"
    data, view = space.region_3d, view or scenes.View(NOWHERE, 1.0, 0.0, 0.0)
    data.view_perspective = "PERSP"
    data.view_location, data.view_distance = view.place, view.distance
    turn = Euler((math.radians(90.0 - view.height), 0.0, math.radians(view.side)))
    data.view_rotation = turn.to_quaternion()


def shot(same: int = 1) -> Generator[float, None, Pixels]:
    """What the 3D Viewport shows once it is drawn in full, and is the same at some more looks."""
    area, before, found = area_of("VIEW_3D"), None, 0
    for _ in range(LOOKS):
        yield SOON if PLAIN else LOOK
        pixels = shown(area)
        found = found + 1 if before is not None and np.array_equal(pixels, before) else 0
        if found == same:
            return pixels
        before = pixels
    raise TimeoutError("the view is never drawn in full")


def warm_up(view: scenes.View) -> Steps:
    """Let Blender prepare what it draws light and shadow with; it shows nothing until then."""
    area = area_of("VIEW_3D")
    aim(view)
    yield SOON
    plain = shown(area)
    for _ in range(LOOKS):
        yield LOOK
        if not np.array_equal(shown(area), plain):
            break
    yield from shot(same=3)
    aim(None)
    yield SOON


def panel(*, is_open: bool) -> Steps:
    """Open or close the sidebar as an artist does."""
    region = region_of(area_of("VIEW_3D"), "UI")
    if (region.width > 1) is not is_open:
        yield from press("N", *middle())
        yield 2 * SOON
    if is_open:
        region.active_panel_category = "OMI Physics"
        yield SOON


class Camera:
    """Records a preview that a window plays, and stops it at the times of pictures."""

    def __init__(self, times: tuple[float, ...], seconds: float) -> None:
        from omi_physics_addon.blender.preview import player, recorder

        self._player, self._recorder = player, recorder
        self._times = [*times, seconds]
        self.recorder: recorder.Recorder | None = None
        self.problem: Exception | None = None
        bpy.app.handlers.frame_change_post.append(self._after_frame)

    def close(self) -> None:
        """Record no more."""
        bpy.app.handlers.frame_change_post.remove(self._after_frame)

    @property
    def session(self) -> Any:
        """The preview; fails where it has ended."""
        if self.problem is not None:
            raise self.problem
        found = self._player.running()
        scenes.expect(found is not None, f"the preview ended: {self._player.message}")
        return found

    @property
    def is_playing(self) -> bool:
        """Whether the window plays."""
        return self._player.is_playing()

    @property
    def has_time(self) -> bool:
        """Whether it is time for a picture, or for the end."""
        return self.session.time >= self._times[0]

    def taken(self) -> bool:
        """Wait for the next time; says whether that was the last."""
        del self._times[0]
        return not self._times

    def _after_frame(self, *_args: Any) -> None:
        session = self._player.running()
        if session is None or session.frame < session.begin:
            return
        try:
            recorder = self.recorder or self._recorder.Recorder(session, EVERY)
            self.recorder = recorder
            recorder.watch()
        except Exception as error:  # noqa: BLE001 - Blender would only print it, at every frame.
            self.problem = error
        if self.problem is not None or session.time >= self._times[0]:
            self._player.pause()


def hold(wanted: scenes.Keys, held: scenes.Keys) -> scenes.Keys:
    """Press and release keys so that these are held down."""
    x, y = middle()
    for key in sorted(held - wanted):
        window().event_simulate(type=key, value="RELEASE", x=x, y=y)
    for key in sorted(wanted - held):
        window().event_simulate(type=key, value="PRESS", x=x, y=y)
    return wanted


def film(name: str) -> Steps:
    """Play one, take its pictures, check it, and keep what was recorded."""
    play = scenes.PLAYS[name]
    times = moving_times(play) if MOVING else play.pictures
    camera, pictures, held = Camera(times, play.seconds), list[Pixels](), scenes.NOTHING
    try:
        yield from press("P", *middle(), ctrl=True, alt=True)
        bpy.data.scenes[camera.session.seen].eevee.taa_samples = SAMPLES
        while True:
            while camera.is_playing:
                held = hold(play.hands(camera.session), held)
                yield 0.0
            scenes.expect(camera.has_time, "the preview stands still")
            if camera.taken():
                break
            with_panel = play.shows_panel and len(pictures) == play.best and not MOVING
            yield from panel(is_open=with_panel)
            aim(play.view(camera.session))
            yield from move(*middle())
            pictures.append((yield from shot()))
            aim(None)
            yield from panel(is_open=False)
            yield from press("P", *middle())
            yield AT_ONCE
        hold(scenes.NOTHING, held)
        joints = camera.session.world.joints
        yield from press("ESC", *middle())
        yield SOON
    finally:
        camera.close()
    if MOVING:
        save_moving(pictures, f"play_{name}")
        return
    save(together(pictures, play.best), f"play_{name}")
    scenes.expect(camera.recorder is not None, "nothing was recorded")
    text = scenes.text_of(cast("Recorder", camera.recorder))
    RECORDINGS.mkdir(exist_ok=True)
    (RECORDINGS / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{name}: {json.dumps(play.check(scenes.Film(text, joints)))}", flush=True)


def moving_times(play: scenes.Play) -> tuple[float, ...]:
    """When the pictures of a moving one are taken, s."""
    first, last = (round(PER_SECOND * time) for time in play.moving)
    return tuple(number / PER_SECOND for number in range(first, last))


def save_moving(pictures: list[Pixels], name: str) -> None:
    """Write a moving picture as GIF, small and with few colours."""
    with tempfile.TemporaryDirectory() as folder:
        for number, pixels in enumerate(pictures):
            save(pixels, f"{number:03d}", Path(folder))
        frames = sorted(map(str, Path(folder).glob("*.png")))
        timing = ["-delay", str(100 // PER_SECOND), "-loop", "0"]
        smaller = ["-resize", str(WIDE), "-dither", "None", "-colors", str(FEW), "+map"]
        alike = ["-fuzz", "3%", "-layers", "OptimizeTransparency"]
        target = str(IMAGES / f"{name}.gif")
        subprocess.run(["convert", *timing, *frames, *smaller, *alike, target], check=True)


def together(pictures: list[Pixels], best: int) -> Pixels:
    """One picture, and below it the others, small, from left to right; bottom row first."""
    height, width, parts = pictures[best].shape
    height, width = height - height % SMALL, width - width % SMALL
    low, across = height // SMALL, width // SMALL
    whole = np.ones((height + low + GAP, width, parts), np.float32)
    whole[low + GAP :] = pictures[best][:height, :width]
    others = [picture for number, picture in enumerate(pictures) if number != best]
    for left, picture in zip(range(0, width, across), others, strict=True):
        blocks = picture[:height, :width].reshape(low, SMALL, across, SMALL, parts)
        until = left + across - (GAP if left + across < width else 0)
        whole[:low, left:until] = blocks.mean(axis=(1, 3))[:, : until - left]
    return whole


def plays() -> Steps:
    """Those that are named on the command line, or all."""
    names = [each for each in ARGUMENTS if not each.startswith("--")]
    yield from prepare()
    for name in names or scenes.PLAYS:
        yield from show(name)
        if PLAIN:
            aim(None)
        else:
            yield from warm_up(scenes.PLAYS[name].view(None))
        yield from film(name)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    run(plays)
