"""Takes the first steps of walk_scenes.py by mouse and keyboard, in a Blender with a window.

From the command line:

    blender --factory-startup --enable-event-simulate --window-geometry 0 0 1600 1000 \
        --python tools/examples/walks.py -- FOLDER [door] [car] [room] ...

What is modelled is so by operators; physics is made by clicks on our buttons and menus, and by
values typed into the redo panel. Every scene is checked and written into the folder for each
engine; those of README and the manual are pictured in docs/images as `walk_….png`. `walks.json`
in the folder has the clicks of each that went well: every press of a mouse button, every value
typed and every key that selects is one, where objects are selected by clicks, too. Blender closes
itself at the end.
Needs what blender_window.py needs.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
# Blender does not put a script's own folder on the path.
sys.path.insert(0, str(ROOT))

import bpy as stubbed_bpy  # noqa: TID251
from bpy_extras import view3d_utils
from mathutils import Euler, Vector  # noqa: TID251

from tools.examples import walk_scenes as scenes
from tools.pictures.blender_window import (
    SOON,
    Buttons,
    Steps,
    area_of,
    click,
    enable_addons,
    move,
    press,
    region_of,
    run,
    save,
    shown,
    write,
)

bpy: Any = stubbed_bpy
OBJECT: Final = "object.omi_physics_{}"
CONNECT: Final = "OBJECT_OT_omi_physics_connect_selected.{}"
# Where the view looks, from how far, m, from which side and from how high above, degrees.
VIEWS: Final = {
    "door": ((0.45, 0.0, 1.1), 3.9, 145.0, 40.0),
    "car": ((0.0, 0.0, 0.3), 7.5, 45.0, 30.0),
    "room": ((0.3, 0.0, 3.4), 19.0, 45.0, 30.0),
    "planet": ((0.0, 0.0, 0.0), 6.0, 45.0, 30.0),
    "cellar": ((0.0, 0.0, 1.0), 9.0, 20.0, 25.0),
    "crate": ((0.0, 0.0, 1.5), 6.0, 45.0, 30.0),
    "rigged_car": ((0.0, 0.0, 0.3), 12.0, 45.0, 30.0),
    "ragdoll": ((0.0, 0.0, 1.0), 4.0, 0.0, 10.0),
    "level": ((0.0, 0.0, 1.0), 40.0, 45.0, 50.0),
}
PICTURED: Final = ("door", "car", "room")  # What README and the manual show.
CLOSED: Final = 60  # Height below which there is only the title of the redo panel, pixels.


def prepare() -> Steps:
    """Enable the add-on, and open the sidebar as an artist does."""
    enable_addons()
    smooth(is_on=False)
    yield SOON
    yield from press("N", *_middle())
    yield 2 * SOON
    sidebar = region_of(area_of("VIEW_3D"), "UI")
    scenes.expect(sidebar.width > 1, "N did not open the sidebar")
    sidebar.active_panel_category = "OMI Physics"
    yield SOON


def _middle() -> tuple[int, int]:
    region = region_of(area_of("VIEW_3D"))
    return region.x + region.width // 2, region.y + region.height // 2


class Hand(Buttons):
    """A hand that counts its clicks."""

    clicks = 0
    has_opened = False  # The section below the first one.

    def click(self, wanted: str, across: float = 0.5, *, last: bool = False) -> Steps:
        """Click a button."""
        Hand.clicks += 1
        yield from super().click(wanted, across, last=last)

    def choose(self, wanted: str, across: float, beside: float, letter: str) -> Steps:
        """Open a menu and take an entry."""
        Hand.clicks += 2
        yield from super().choose(wanted, across, beside, letter)

    def enter(self, wanted: str, text: str, across: float = 0.75) -> Steps:
        """Type a value."""
        Hand.clicks += 1
        yield from super().enter(wanted, text, across)


def sidebar() -> Hand:
    """The buttons of our tab."""
    return Hand(area_of("VIEW_3D"), "UI")


def pick(name: str, at: tuple[float, float, float] | None = None, *, more: bool = False) -> Steps:
    """Click an object in the viewport, with Shift for one more.

    Args:
        at: where on it, in the world; None for its origin.
    """
    Hand.clicks += 1
    area = area_of("VIEW_3D")
    region = region_of(area)
    place = Vector(at or scenes.named(name).matrix_world.translation)
    found: Any = view3d_utils.location_3d_to_region_2d(region, area.spaces.active.region_3d, place)
    x, y = region.x + round(found.x), region.y + round(found.y)
    yield from press("LEFTMOUSE", x, y, shift=more)
    yield SOON
    active = bpy.context.view_layer.objects.active
    scenes.expect(active == scenes.named(name), f"the click found {active}, not {name}")


def redo() -> Generator[float, None, Hand]:
    """The values of the last operator, in a panel that is closed at first."""
    yield SOON
    buttons = Hand(area_of("VIEW_3D"), "HUD")
    region = buttons.region
    scenes.expect(region.height > 1, "there is no redo panel")
    if region.height < CLOSED:
        Hand.clicks += 1
        yield from click(region.x + region.width // 3, region.y + region.height // 2)
        yield SOON
    return buttons


def open_create() -> Steps:
    """Open the section below the first one, which is closed at first, or close it again."""
    x, y = yield from sidebar().find("scene.omi_physics_check", 0.25)
    Hand.clicks += 1
    Hand.has_opened = not Hand.has_opened
    yield from click(x, y - int(42 * bpy.context.preferences.system.ui_scale))
    yield 2 * SOON


def add_new(words: str) -> Steps:
    """Shift A, then the beginning of a name."""
    yield from press("A", *_middle(), shift=True)
    yield SOON
    yield from write(words, *_middle())
    yield SOON


def select(*names: str) -> Steps:
    """Select, and let Blender remember it: values in the redo panel start from there."""
    scenes.select(*names)
    bpy.ops.ed.undo_push(message="Select")
    yield SOON


def door() -> Steps:
    """Connect Selected, then the ends of the turn."""
    yield from pick("Door")
    yield from pick("Post", (-0.09, 0.1, 1.9), more=True)
    yield from sidebar().click(OBJECT.format("connect_selected"), 0.4)
    panel = yield from redo()
    yield from panel.click(CONNECT.format("use_turn"), 0.6)
    yield from panel.enter(CONNECT.format("min_angle"), "0")
    yield from panel.enter(CONNECT.format("max_angle"), "110")
    yield from panel.click(CONNECT.format("is_soft"), 0.6)


def car() -> Steps:
    """Two buttons."""
    yield from select(*scenes.WHEELS, "Chassis")
    yield from sidebar().click(OBJECT.format("rig_vehicle"), 0.4)
    yield from sidebar().click(OBJECT.format("make_rest_solid"))


def room() -> Steps:
    """Buttons for what is there, the Add menu for what is not."""
    yield from select(*scenes.WALLS)
    yield from sidebar().click(OBJECT.format("fit_shape"), 0.25)
    yield from select("Planet")
    yield from sidebar().click(OBJECT.format("fit_shape"), 0.75, last=True)
    yield from open_create()
    yield from sidebar().choose(OBJECT.format("add_joint"), 0.5, 0.8, "T")
    yield from select("Ball", "Moon")
    yield from sidebar().click(OBJECT.format("fit_shape"), 0.75)
    yield from sidebar().click(OBJECT.format("add_motion"), 0.15)
    yield from add_new("point grav")
    panel = yield from redo()
    yield from panel.enter("OBJECT_OT_omi_physics_new.factor", "0.4")
    bpy.context.scene.cursor.location = scenes.ZONE
    yield from add_new("trigger")


def planet() -> Steps:
    """Two buttons and a menu; a tick in Properties is for those who look for it."""
    yield from select("Torus")
    yield from sidebar().click(OBJECT.format("fit_shape"), 0.75, last=True)
    yield from open_create()
    yield from sidebar().choose(OBJECT.format("add_joint"), 0.5, 0.8, "T")
    scenes.named("Torus Gravity").omi_physics.gravity.stop = True
    yield from open_create()  # Closes it.
    yield from select("Ball")
    yield from sidebar().click(OBJECT.format("add_motion"), 0.15)


def cellar() -> Steps:
    """Connect Selected with its limits, Connect in a Row, Trigger, Make the Rest Solid."""
    yield from pick("Lid")
    yield from pick("Chest", (1.2, -1.75, 0.25), more=True)
    yield from sidebar().click(OBJECT.format("connect_selected"), 0.4)
    panel = yield from redo()
    yield from panel.click(CONNECT.format("use_turn"), 0.6)
    yield from panel.enter(CONNECT.format("min_angle"), "0")
    yield from panel.enter(CONNECT.format("max_angle"), "110")
    yield from select("Lamp", *(f"Link {i + 1}" for i in range(scenes.LINKS)), "Hook")
    yield from sidebar().click(OBJECT.format("connect_row"))
    yield from select("Zone")
    yield from sidebar().click(OBJECT.format("add_trigger"), 0.85)
    yield from sidebar().click(OBJECT.format("make_rest_solid"))


def crate() -> Steps:
    """One button."""
    yield from pick("Crate")
    yield from sidebar().click(OBJECT.format("add_motion"), 0.15)


def rigged_car() -> Steps:
    """Two buttons."""
    yield from pick("Chassis")
    yield from sidebar().click(OBJECT.format("rig_vehicle"), 0.4)
    yield from sidebar().click(OBJECT.format("make_rest_solid"))


def ragdoll() -> Steps:
    """One button."""
    yield from pick("Skeleton", (0.0, 0.0, 1.3))
    yield from sidebar().click(OBJECT.format("make_ragdoll"))


def level() -> Steps:
    """A button for the hall, and one for all the rest."""
    yield from pick("Level", (9.0, 6.0, 0.0))
    yield from sidebar().click(OBJECT.format("fit_shape"), 0.75, last=True)
    yield from press("I", *_middle(), ctrl=True)
    Hand.clicks += 1
    yield SOON
    yield from sidebar().click(OBJECT.format("add_motion"), 0.15)


HANDS: Final[dict[str, Callable[[], Steps]]] = {
    "door": door,
    "car": car,
    "room": room,
    "planet": planet,
    "cellar": cellar,
    "crate": crate,
    "rigged_car": rigged_car,
    "ragdoll": ragdoll,
    "level": level,
}


def aim(name: str) -> None:
    """Look at a scene from above, without what has nothing to do with it."""
    space = area_of("VIEW_3D").spaces.active
    place, distance, side, height = VIEWS[name]
    view = space.region_3d
    view.view_location, view.view_distance = place, distance
    turn = Euler((math.radians(90.0 - height), 0.0, math.radians(side)))
    view.view_rotation = turn.to_quaternion()
    space.show_gizmo = space.show_region_toolbar = False
    space.overlay.show_text = space.overlay.show_cursor = False
    space.overlay.show_relationship_lines = False


def close_report() -> Steps:
    """Close the dialog that tells what an engine takes otherwise, where there is one."""
    yield SOON
    yield from press("ESC", *_middle())
    yield SOON


def smooth(*, is_on: bool) -> None:
    """Switch smooth edges of the viewport; a processor draws everything eight times for them."""
    bpy.context.preferences.system.viewport_aa = "8" if is_on else "OFF"


def picture(name: str) -> Steps:
    """The viewport, with the sidebar and the redo panel."""
    smooth(is_on=True)
    yield from move(*_middle())  # What is below the pointer looks otherwise.
    yield 3 * SOON
    save(shown(area_of("VIEW_3D")), f"walk_{name}")
    smooth(is_on=False)


def walks() -> Steps:
    """Those that are named on the command line, or all."""
    given = sys.argv[sys.argv.index("--") + 1 :]
    folder, names = Path(given[0]), given[1:] or list(scenes.WALKS)
    yield from prepare()
    # What a beginner needs is seen without scrolling, play and all that comes before it.
    yield from sidebar().find("scene.omi_physics_preview_start")
    done: dict[str, int] = {}
    for name in names:
        walk = scenes.WALKS[name]
        scenes.clear()
        walk.model()
        aim(name)
        yield SOON
        Hand.clicks = 0
        yield from HANDS[name]()
        clicks = Hand.clicks
        if Hand.has_opened:
            yield from open_create()
        if name in PICTURED:
            yield from picture(name)
        walk.check()
        for client in scenes.TARGETS:
            scenes.export(folder / f"{name}.{client}.glb", client)
            yield from close_report()
        done[name] = clicks
        (folder / "walks.json").write_text(json.dumps(done), encoding="utf-8")


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    run(walks)
