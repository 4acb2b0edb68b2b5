"""What test_in_window.py lets a Blender with a window do, one case after the other.

Writes to the file given after `--`, as JSON, what was wrong with each case: nothing, or the error.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import sys
import tempfile
import traceback
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

import bpy  # noqa: E402

from tests.blender.support import asset_drags, library_checks  # noqa: E402
from tools.pictures import blender_window  # noqa: E402
from tools.pictures.blender_window import Buttons, area_of, run, shown  # noqa: E402
from tools.random_runs import random_scene  # noqa: E402
from tools.random_runs.blender_dump import differences, dump  # noqa: E402
from tools.random_runs.random_inside import ADDON, module, override, view, waiting, window  # noqa: E402

Steps = Iterator[float]
CASES: dict[str, Callable[[], Steps]] = {}
LATE = 400  # Looks at whether something has happened, until it is too late.


def case(function: Callable[[], Steps]) -> Callable[[], Steps]:
    """Make a function one of the cases."""
    CASES[function.__name__] = function
    return function


def until(happened: Callable[[], Any], what: str) -> Steps:
    for _ in range(LATE):
        if happened():
            return
        yield 0.05
    raise AssertionError(f"never: {what}")


def middle(of: Any = None) -> tuple[int, int]:
    area = view(of)
    return area.x + area.width // 2, area.y + area.height // 2


def key(kind: str, value: str = "", of: Any = None, at: Any = None) -> Steps:
    """Press and release a key, or one of the two, over the 3D Viewport of a window."""
    shown_in = of or window()
    x, y = at or middle(shown_in)
    shown_in.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.1
    for each in (value,) if value else ("PRESS", "RELEASE"):
        shown_in.event_simulate(type=kind, value=each, x=x, y=y)
    yield 0.2


def running() -> Any:
    return module("player").running()


def play(of: Any = None) -> Steps:
    with override(of):
        bpy.ops.scene.omi_physics_preview_start("INVOKE_DEFAULT")
    yield from until(lambda: running() is not None and running().frame > 3, "it plays")


def ended() -> Steps:
    """Wait for the end, and let those who listened notice it."""
    yield from until(lambda: running() is None, "it ends")
    for x in (30, 40):
        for each in bpy.context.window_manager.windows:
            each.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=30)
        yield 0.2
    assert not module("stage.stage").is_left()
    assert waiting() == []


def unchanged(before: Any) -> None:
    found = differences(before, dump())
    assert found == [], found[:9]


def second_window(scene: str = "") -> Any:
    with override():
        bpy.ops.wm.window_new_main() if scene else bpy.ops.wm.window_new()
    yield 1.0
    made = window(1)
    if scene:
        made.scene = bpy.data.scenes[scene]
    else:
        made.screen.areas[0].type = "VIEW_3D"
    yield 0.5
    return made


# The file


@case
def the_file_is_the_same_with_two_windows() -> Steps:
    """With an own rigid-body world, a baked cache, animation and another scene in a window."""
    yield from second_window("Other")
    scene = bpy.context.scene
    assert scene.rigidbody_world.point_cache.is_baked
    assert {each.scene.name for each in bpy.context.window_manager.windows} == {"Scene", "Other"}
    before = dump()
    yield from play()
    start = running().poses().position
    yield from until(lambda: running().frame > 120, "120 frames")
    moved = running().poses().position - start
    yield from key("ESC")
    yield from ended()
    assert abs(moved).max() > 1.0
    unchanged(before)


@case
def the_file_is_the_same_with_the_scene_in_two_windows() -> Steps:
    yield from second_window()
    before = dump()
    yield from play(window(1))
    stages = {each.scene.name for each in bpy.context.window_manager.windows}
    assert stages == {running().seen}
    yield from until(lambda: running().frame > 30, "30 frames")
    with override():
        bpy.ops.scene.omi_physics_preview_stop()
    yield from ended()
    unchanged(before)


# Keys


@case
def keys_pause_drive_and_stop() -> Steps:
    yield from play()
    player = module("player")
    assert player.is_playing()
    yield from key("P")
    assert not player.is_playing()
    yield from key("P")
    assert player.is_playing()
    driver = running().driver
    yield from key("W", "PRESS")
    assert driver.pressed == {"W"}
    yield from key("W", "RELEASE")
    assert driver.pressed == set()
    yield from key("ESC")
    yield from ended()


@case
def keys_are_heard_in_every_window() -> Steps:
    """In those that are opened while it plays, too."""
    second = yield from second_window()
    yield from play()
    yield from key("P", of=second)
    assert not module("player").is_playing()
    yield from key("P", of=second)
    assert module("player").is_playing()
    yield from key("W", "PRESS", of=second)
    assert running().driver.pressed == {"W"}
    yield from key("W", "RELEASE", of=second)
    assert running().driver.pressed == set()
    yield from key("ESC", of=second)
    yield from ended()
    with bpy.context.temp_override(window=second):
        bpy.ops.wm.window_close()
    yield from play()
    second = yield from second_window()
    yield from key("ESC", of=second)
    yield from ended()


@case
def an_old_listener_leaves_the_next_preview_alone() -> Steps:
    """No event has come to the other window between the two."""
    second = yield from second_window()
    yield from play()
    with override():
        bpy.ops.scene.omi_physics_preview_stop()
    yield from play()
    yield from key("P", of=second)
    assert not module("player").is_playing()
    yield from key("ESC", of=second)
    yield from ended()


@case
def the_mouse_pulls() -> Steps:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    random_scene.body("Box", (0.0, 0.0, 0.0)).omi_physics.motion.gravity_factor = 0.0
    region = view().spaces.active.region_3d
    region.view_location = (0.0, 0.0, 0.0)
    region.view_distance = 10.0
    yield 0.3
    yield from play()
    grab = running().grab
    x, y = middle()
    yield from key("LEFTMOUSE", "PRESS")
    assert grab.body == 0
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + 150, y=y)
    yield from until(lambda: running().poses().position[0][0] > 0.5, "it follows")
    yield from key("LEFTMOUSE", "RELEASE", at=(x + 150, y))
    assert grab.body == -1
    yield from key("ESC")
    yield from ended()


@case
def drags_that_miss_bodies_select_nothing() -> Steps:
    """Clicks do, by what is seen."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    body = random_scene.body("Box", (0.0, 0.0, 0.0))
    body.omi_physics.motion.gravity_factor = 0.0
    body.select_set(True)
    region = view().spaces.active.region_3d
    region.view_location, region.view_distance = (0.0, 0.0, 0.0), 10.0
    yield 0.3
    yield from play()
    x, y = middle()
    x, y = x - 300, y - 200
    yield from key("LEFTMOUSE", "PRESS", at=(x, y))
    for i in range(10):
        window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + 8 * i, y=y + 4 * i)
        yield 0.05
    assert not any("select" in each.bl_idname.lower() for each in window().modal_operators)
    yield from key("LEFTMOUSE", "RELEASE", at=(x + 80, y + 40))
    assert body.select_get()
    yield from key("ESC")
    yield from ended()


@case
def objects_are_seen_in_their_scene_where_bodies_are() -> Steps:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    body = random_scene.body("Box", (0.0, 0.0, 20.0))
    scene = window().scene
    scene.omi_physics.preview.place = "SCENE"
    yield 0.5  # Blender shows the box, and an editor turns to what is active.
    before = dump()
    yield from play()
    yield from until(lambda: running().frame > 30, "30 frames")
    module("player").pause()
    yield 0.5
    assert window().scene == scene
    assert scene.frame_current == 1
    seen_at = body.evaluated_get(window().view_layer.depsgraph).matrix_world.translation.z
    assert seen_at < 19.5, seen_at
    told: list[float] = []
    # Behind the timer that looks after the objects, as events are.
    bpy.app.timers.register(lambda: told.append(body.matrix_world.translation.z))
    yield from until(lambda: told, "the timer")
    assert told == [20.0], told
    body.location.x = 1.0
    yield 0.5
    assert body.evaluated_get(window().view_layer.depsgraph).matrix_world.translation.z == seen_at
    body.location.x = 0.0
    yield 0.5
    yield from key("ESC")
    yield from ended()
    yield 0.3
    assert body.evaluated_get(window().view_layer.depsgraph).matrix_world.translation.z == 20.0
    unchanged(before)


@case
def menus_work_from_where_objects_are() -> Steps:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    body = random_scene.body("Box", (0.0, 0.0, 20.0))
    child = random_scene.add("Child", None, (3.0, 0.0, 1.0))
    yield from play()
    yield from until(lambda: running().frame > 30, "30 frames")
    for obj in (child, body):
        obj.select_set(True)
    window().view_layer.objects.active = body
    x, y = middle()
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.1
    for value in ("PRESS", "RELEASE"):
        window().event_simulate(type="P", value=value, x=x, y=y, ctrl=True)
    yield 0.5
    frame = running().frame
    yield 0.5
    assert running().frame == frame, "it waits"
    yield from key("RET")
    yield from key("ESC")
    yield from ended()
    window().view_layer.update()
    assert child.parent == body
    assert tuple(child.matrix_world.translation) == (3.0, 0.0, 1.0)


@case
def a_copy_plays_as_before() -> Steps:
    bpy.context.scene.omi_physics.preview.place = "COPY"
    yield 0.2
    before = dump()
    yield from play()
    assert window().scene.name == running().stage
    yield from until(lambda: running().frame > 30, "30 frames")
    yield from key("ESC")
    yield from ended()
    unchanged(before)


@case
def closing_the_window_that_listens_stops() -> Steps:
    second = yield from second_window()
    yield from play(second)
    with bpy.context.temp_override(window=second):
        bpy.ops.wm.window_close()
    yield from ended()


@case
def the_info_editor_tells_nothing_of_it() -> Steps:
    area = area_of("VIEW_3D")
    area.type = "INFO"
    yield 0.2
    with blender_window.override(area):
        bpy.ops.info.select_all(action="SELECT")
        bpy.ops.info.report_delete()
    area.type = "VIEW_3D"
    yield 0.2
    yield from play()
    with override():
        bpy.ops.scene.omi_physics_preview_stop("INVOKE_DEFAULT")
    yield from ended()
    area.type = "INFO"
    yield 0.2
    bpy.context.window_manager.clipboard = ""
    with blender_window.override(area):
        bpy.ops.info.select_all(action="SELECT")
        bpy.ops.info.report_copy()
    area.type = "VIEW_3D"
    yield 0.2
    assert "rigidbody" not in bpy.context.window_manager.clipboard


@case
def undo_ends_it_and_what_listens() -> Steps:
    for how in ("keys", "menu"):
        for other in (False, True):
            with override():
                bpy.ops.ed.undo_push(message="Before")
            second = yield from second_window()
            yield from play()
            if other:
                with bpy.context.temp_override(window=second):
                    bpy.ops.wm.window_close()
                yield 0.5
            if how == "keys":
                window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=300, y=300)
                for value in ("PRESS", "RELEASE"):
                    window().event_simulate(type="Z", value=value, x=300, y=300, ctrl=True)
            else:
                with override():
                    bpy.ops.ed.undo()
            yield from ended()
            if not other:
                with bpy.context.temp_override(window=window(1)):
                    bpy.ops.wm.window_close()
                yield 0.5


# What is shown


def seen() -> set[str]:
    """The names of what the 3D Viewport shows, without numbers."""
    layer, space = window().view_layer, view().spaces.active
    shown_there = [o for o in layer.objects if o.visible_get(view_layer=layer, viewport=space)]
    return {(obj.data or obj).name.partition(".")[0] for obj in shown_there}


@case
def local_view_counts_from_every_editor() -> Steps:
    with override():
        bpy.ops.object.select_all(action="DESELECT")
        for name in ("Box 1", "Lamp"):
            bpy.data.objects[name].select_set(True)
        bpy.ops.view3d.localview(frame_selected=False)
    yield 0.3
    assert seen() == {"Box 1", "Lamp"}
    before = dump()
    for kind in ("VIEW_3D", "PROPERTIES"):
        area = next(each for each in window().screen.areas if each.type == kind)
        region = next(each for each in area.regions if each.type == "WINDOW")
        with bpy.context.temp_override(window=window(), area=area, region=region):
            bpy.ops.scene.omi_physics_preview_start("INVOKE_DEFAULT")
        yield from until(lambda: running().frame > 3, "it plays")
        assert seen() == {"Box 1", "Lamp"}, (kind, seen())
        yield from key("ESC")
        yield from ended()
        unchanged(before)
        assert seen() == {"Box 1", "Lamp"}


@case
def a_view_beside_a_local_one_shows_all() -> Steps:
    second = yield from second_window()
    everything = seen()
    with override():
        bpy.ops.object.select_all(action="DESELECT")
        bpy.data.objects["Box 1"].select_set(True)
    with override(second):
        bpy.ops.view3d.localview(frame_selected=False)
    yield 0.3
    yield from play(second)
    missing = everything - seen() - {"Camera", "Nozzle", "Zone", "Hinge", "Hinge Post", "Instance"}
    assert missing == set()
    yield from key("ESC")
    yield from ended()


# What is drawn


def colored(test: Callable[[Any], Any]) -> int:
    """How many pixels of the 3D Viewport pass a test of (…, 3) colours."""
    region = next(each for each in view().regions if each.type == "WINDOW")
    return int(test(shown(region)[..., :3]).sum())


def _pink(pixels: Any) -> Any:
    red, green, blue = (pixels[..., i] for i in range(3))
    return (red > 0.6) & (green < 0.55) & (blue > 0.5) & (red > green + 0.2)


def _green(pixels: Any) -> Any:
    red, green, blue = (pixels[..., i] for i in range(3))
    return (green > 0.7) & (red < 0.55) & (blue < 0.5)


def _alone() -> Any:
    """Only a trigger, and a body that is away from it."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    space = view().spaces.active
    space.show_gizmo = space.overlay.show_axis_x = space.overlay.show_axis_y = False
    zone = random_scene.add("Zone")
    zone.omi_physics.use_trigger = True
    zone.omi_physics.trigger.shape.type = "BOX"
    zone.omi_physics.trigger.shape.box.size = (3.0, 3.0, 3.0)
    body = random_scene.body("Box", (50.0, 0.0, 0.0))
    body.omi_physics.motion.gravity_factor = 0.0
    return body


@case
def triggers_are_drawn_and_show_who_is_in_them() -> Steps:
    body = _alone()
    yield from play()
    yield 0.5
    assert colored(_pink) > 200
    green = colored(_green)
    view().spaces.active.overlay.show_overlays = False
    yield 0.5
    assert colored(_pink) == 0
    view().spaces.active.overlay.show_overlays = True
    yield from key("ESC")
    yield from ended()
    body.location.x = 0.0
    yield from play()
    yield 0.5
    assert colored(_green) > green + 200
    assert colored(_pink) == 0
    yield from key("ESC")
    yield from ended()
    yield 0.5
    assert colored(_green) <= green


@case
def nothing_is_drawn_of_a_damaged_preview() -> Steps:
    """Whoever listens has not ended it yet."""
    zone = random_scene.add("Moving Zone", None, (0.0, 0.0, 0.0), bpy.data.objects["Box 1"])
    zone.omi_physics.use_trigger = True
    yield from play()
    module("player").pause()
    yield 0.3
    session = running()
    bpy.data.collections.remove(session.scene.rigidbody_world.collection)
    drawing = module("drawing")
    with override():
        assert drawing._shown(bpy.context) is None
    view().tag_redraw()
    yield from ended()


@case
def drawing_keeps_no_preview_alive() -> Steps:
    _alone().location.x = 0.0  # The overlay draws triggers in which nothing is.
    yield from play()
    yield 0.5
    drawing, session = module("drawing"), weakref.ref(running())
    assert len(drawing._batches) == 1
    yield from key("ESC")
    yield from ended()
    gc.collect()
    assert session() is None
    assert len(drawing._batches) == 0


@case
def keys_of_a_vehicle_are_written_and_lit() -> Steps:
    for obj in list(bpy.data.objects):
        if obj.name not in {"Ship", "Nozzle"}:
            bpy.data.objects.remove(obj)
    view().spaces.active.show_region_tool_header = False
    yield from play()
    yield 0.5
    dark = colored(_green)
    yield from key("W", "PRESS")
    yield 0.4
    assert colored(_green) > dark + 5
    yield from key("W", "RELEASE")
    yield 0.4
    assert colored(_green) == dark
    yield from key("ESC")
    yield from ended()


# Reports


def click(place: Any) -> Steps:
    """Click somewhere of the window."""
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=place[0], y=place[1])
    yield 0.2
    for value in ("PRESS", "RELEASE"):
        window().event_simulate(type="LEFTMOUSE", value=value, x=place[0], y=place[1])
    yield 0.5


def alone(name: str) -> Any:
    """The only object of the scene: a cube with edges of 2 m and a dynamic body."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    mesh = bpy.data.meshes.new(name)
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], sides)
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.omi_physics.use_motion = True
    obj.omi_physics.motion.type = "DYNAMIC"
    return obj


def told(kind: str) -> set[str]:
    """The codes of a report but for its remarks, which are about the lists of the scene."""
    reports: Any = importlib.import_module("omi_physics_addon.blender.base.reports")
    issues = reports.of_scene(kind, window().scene).issues
    return {issue.code for issue in issues if issue.severity.value != "INFO"}


def issues_of() -> str:
    return window().scene.omi_physics.sidebar.issues_of


def export(folder: str) -> Steps:
    """Export with the mouse in the middle of the view, where the dialog opens."""
    x, y = middle()
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.2
    with override():
        bpy.ops.export_scene.gltf(filepath=f"{folder}/level.glb")
    yield 0.5


def press_fix(happened: Callable[[], Any], label: str) -> Steps:
    """Press the second button of the only group of the dialog.

    The dialog opens with its title below the mouse and the right half of its buttons below that;
    clicks on texts do nothing.
    """
    x, y = middle()
    scale = bpy.context.preferences.system.ui_scale
    for down in range(40, 200, 8):
        yield from click((x, y - int(down * scale)))
        if happened():
            return
    raise AssertionError(f"no button {label}")


@case
def a_scaled_car_is_told_and_set_right_by_a_click() -> Steps:
    car = alone("Chassis")
    car.scale = (0.8, 1.6, 0.3)
    group = car.omi_physics
    group.use_collider = True
    group.collider.shape.type = "BOX"
    group.collider.shape.box.size = (2.0, 2.0, 2.0)
    with tempfile.TemporaryDirectory() as folder:
        yield from export(folder)
        assert told("EXPORT") == {"B19", "S20"}
        yield from until(lambda: issues_of() == "EXPORT", "it comes to the front")
        yield 0.5
        yield from press_fix(lambda: car.scale[0] == 1.0, "Bake Scale into Shape")
        assert tuple(car.scale) == (1.0, 1.0, 1.0)
        assert [round(size, 4) for size in group.collider.shape.box.size] == [1.6, 3.2, 0.6]
        assert told("EXPORT") == set()
        yield from key("ESC")
        yield from export(folder)
        assert told("EXPORT") == set()


@case
def a_body_that_touches_nothing_is_told_and_set_right_by_a_click() -> Steps:
    ghost = alone("Ghost")
    with tempfile.TemporaryDirectory() as folder:
        yield from export(folder)
        assert told("EXPORT") == {"B03"}
        yield from until(lambda: issues_of() == "EXPORT", "it comes to the front")
        yield 0.5
        yield from press_fix(lambda: ghost.omi_physics.use_collider, "Fit Simplest Shape")
        shape = ghost.omi_physics.collider.shape
        assert [round(size, 4) for size in shape.box.size] == [2.0, 2.0, 2.0]
        yield from key("ESC")
        yield from export(folder)
        assert told("EXPORT") == set()


def sections() -> list[Any]:
    """The sections of our tab in the sidebar, those that others stand in first."""
    registration: Any = importlib.import_module(f"{ADDON}.blender.registration")
    return [each for each in registration.CLASSES if getattr(each, "bl_region_type", "") == "UI"]


def open_check() -> Steps:
    """Show our tab of the sidebar with nothing but the section Check; returns its buttons."""
    for each in reversed(sections()):
        bpy.utils.unregister_class(each)
    (check,) = [each for each in sections() if each.bl_label == "Check"]
    check.bl_options = set()
    bpy.utils.register_class(check)
    check.bl_options = {"DEFAULT_CLOSED"}
    area = view()
    area.spaces.active.show_region_ui = True
    yield 0.5
    buttons = Buttons(area, "UI")
    buttons.region.active_panel_category = "OMI Physics"
    yield 1.0
    return buttons


def close_check() -> None:
    """Have all sections again."""
    (check,) = [each for each in sections() if each.bl_label == "Check"]
    bpy.utils.unregister_class(check)
    for each in sections():
        bpy.utils.register_class(each)


@case
def an_issue_is_selected_fixed_undone_and_ignored_by_clicks() -> Steps:
    ghost = alone("Ghost")
    ghost.location = (30.0, 0.0, 0.0)
    ghost.select_set(False)
    bpy.context.view_layer.objects.active = None
    with override():
        bpy.ops.ed.undo_push(message="Made")
    reports: Any = importlib.import_module(f"{ADDON}.blender.base.reports")
    try:
        buttons = yield from open_check()
        ghost.omi_physics.motion.mass = 3.0
        yield from until(lambda: reports.of_scene("CHECK", window().scene), "an edit is checked")
        yield from until(lambda: "B03" in told("CHECK"), "it is told")
        with override():
            bpy.ops.ed.undo_push(message="Heavier")
        yield 0.5
        yield from buttons.click("object.omi_physics_select_issue", across=0.25)
        yield from until(ghost.select_get, "it is selected")
        assert bpy.context.view_layer.objects.active == ghost
        framed = view().spaces.active.region_3d
        yield from until(lambda: abs(framed.view_location.x - 30) < 0.1, "it is framed")
        yield from buttons.click("object.omi_physics_fix_issue", across=0.75)
        yield from until(lambda: bpy.data.objects["Ghost"].omi_physics.use_collider, "it is fixed")
        assert "B03" not in told("CHECK")
        yield from with_control("Z")
        yield from until(
            lambda: not bpy.data.objects["Ghost"].omi_physics.use_collider, "that is undone"
        )
        yield from until(lambda: "B03" in told("CHECK"), "it is told again")
        yield 0.5
        x, y = yield from buttons.find("object.omi_physics_fix_issue", across=0.25)
        scale = bpy.context.preferences.system.ui_scale
        yield from click((x, y - int(32 * scale)))  # Where and Why, in the row below
        yield from buttons.click("object.omi_physics_ignore_issue", across=0.75)
        yield from until(lambda: "B03" not in told("CHECK"), "it counts for nothing")
        found = reports.of_scene("CHECK", window().scene)
        assert [issue.code for issue in found.ignored] == ["B03"]
        assert bpy.data.objects["Ghost"].omi_physics.ignored_issues
    finally:
        close_check()


@case
def fix_all_says_what_it_will_do_and_is_one_step_of_undo() -> Steps:
    ghost = alone("Ghost")
    car = bpy.data.objects.new("Car", ghost.data)
    bpy.context.scene.collection.objects.link(car)
    car.location = (9.0, 0.0, 0.0)
    car.omi_physics.use_motion = car.omi_physics.use_collider = True
    car.omi_physics.motion.type = "STATIC"
    car.omi_physics.motion.linear_velocity = (1.0, 0.0, 0.0)
    try:
        buttons = yield from open_check()
        with override():
            bpy.ops.scene.omi_physics_check()
            bpy.ops.ed.undo_push(message="Made")
        assert {"B03", "B14"} <= told("CHECK")
        yield 0.5
        yield from buttons.click("object.omi_physics_fix_all")
        yield 0.5
        assert {"B03", "B14"} <= told("CHECK")  # It waits for an answer.
        yield from key("RET")
        yield from until(lambda: not {"B03", "B14"} & told("CHECK"), "all is set right")
        assert bpy.data.objects["Ghost"].omi_physics.use_collider
        assert tuple(bpy.data.objects["Car"].omi_physics.motion.linear_velocity) == (0.0, 0.0, 0.0)
        yield from with_control("Z")
        yield from until(
            lambda: not bpy.data.objects["Ghost"].omi_physics.use_collider, "all of it is undone"
        )
        assert tuple(bpy.data.objects["Car"].omi_physics.motion.linear_velocity) == (1.0, 0.0, 0.0)
    finally:
        close_check()


@case
def an_import_brings_its_report_forward_and_is_not_outdated_by_itself() -> Steps:
    alone("Ghost").omi_physics.motion.mass = 2.0
    with tempfile.TemporaryDirectory() as folder:
        with override():
            bpy.ops.export_scene.gltf(
                filepath=f"{folder}/level.gltf", export_format="GLTF_SEPARATE"
            )
        yield 0.5
        yield from key("ESC")
        path = Path(folder) / "level.gltf"
        path.write_text(path.read_text().replace('"mass":2', '"mass":-2'))
        with override():
            bpy.ops.import_scene.gltf(filepath=str(path))
        yield from until(lambda: issues_of() == "IMPORT", "it comes to the front")
        assert "B05" in told("IMPORT")
        yield 1.5
        age: Any = importlib.import_module("omi_physics_addon.blender.scene.report_age")
        reports: Any = importlib.import_module("omi_physics_addon.blender.base.reports")
        report = reports.of_scene("IMPORT", window().scene)
        assert not age.is_outdated(report)
        yield from key("ESC")
        with override():
            bpy.ops.transform.translate(value=(1.0, 0.0, 0.0))
        yield from until(lambda: age.is_outdated(report), "moving outdates it")


@case
def edits_in_panels_outdate_and_looking_does_not() -> Steps:
    """Edits by Blender's own ways, which tell it what Python does not."""
    crate = alone("Crate")
    with override():
        bpy.ops.scene.omi_physics_check()
    age: Any = importlib.import_module("omi_physics_addon.blender.scene.report_age")
    reports: Any = importlib.import_module("omi_physics_addon.blender.base.reports")
    report = reports.of_scene("CHECK", window().scene)
    with override():
        bpy.ops.object.select_all(action="SELECT")
        bpy.ops.object.select_all(action="DESELECT")
    yield 0.3
    crate.select_set(True)
    bpy.context.view_layer.objects.active = crate
    yield from play()
    yield from key("ESC")
    yield from ended()
    with override():
        bpy.ops.screen.animation_play()
    yield 0.5
    with override():
        bpy.ops.screen.animation_cancel()
    yield 0.3
    assert not age.is_outdated(report)
    with override():
        bpy.ops.transform.translate(value=(1.0, 0.0, 0.0))
    yield from until(lambda: age.is_outdated(report), "moving outdates it")


# Other files


def with_control(kind: str) -> Steps:
    """Press a key with Ctrl over the 3D Viewport."""
    x, y = middle()
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.1
    for value in ("PRESS", "RELEASE"):
        window().event_simulate(type=kind, value=value, x=x, y=y, ctrl=True)
    yield 0.3


def rubber_crate() -> Any:
    """A crate, alone in the file, with a physics material."""
    crate = alone("Crate")
    entry = bpy.context.scene.omi_physics.physics_materials.add("Rubber")
    entry.restitution = 0.8
    crate.omi_physics.use_collider = True
    crate.omi_physics.collider.physics_material = entry.name
    crate.select_set(True)
    return crate


def rubber_crates(count: int) -> Steps:
    """Wait for so many crates, which share one material that the scene lists."""
    yield from until(lambda: len(bpy.data.objects) == count, f"{count} objects")
    yield 0.3
    for obj in bpy.data.objects:
        entry = obj.omi_physics.collider.physics_material_entry.data
        assert (entry.name, round(entry.restitution, 3)) == ("Rubber", 0.8)
    listed = bpy.context.scene.omi_physics.physics_materials
    assert [entry.name for entry in listed] == ["Rubber"]
    assert len(bpy.data.node_groups) == 1


@case
def paste_brings_what_objects_share() -> Steps:
    """Into a file that has nothing of it, and into one that has the same."""
    rubber_crate()
    yield from with_control("C")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=False, load_ui=True)
    yield 0.5
    bpy.context.preferences.system.viewport_aa = "OFF"  # Which takes most of the time of a CPU.
    importlib.import_module("addon_utils").enable(ADDON, default_set=True)
    bpy.data.batch_remove(list(bpy.data.objects))
    with override():
        bpy.ops.ed.undo_push(message="Empty")
    yield from with_control("V")
    yield from rubber_crates(1)
    yield from with_control("V")
    yield from rubber_crates(2)
    yield from with_control("Z")
    yield from rubber_crates(1)


@case
def asset_drags_bring_what_objects_share() -> Steps:
    """An object by each way the browser has, and a collection; exported as they were."""
    rubber_crate()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = exported(folder)
        bpy.data.objects["Crate"].asset_mark()
        (folder / "library").mkdir()
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "library" / "kit.blend"))
        yield from crate_dragged(folder, before, "APPEND", "LINK", "PACK")
        bpy.ops.wm.open_mainfile(filepath=str(folder / "library" / "kit.blend"))
        yield 0.5
        bpy.data.objects["Crate"].asset_clear()
        kit = bpy.data.collections.new("Kit")
        kit.objects.link(bpy.data.objects["Crate"])
        kit.asset_mark()
        bpy.ops.wm.save_mainfile()
        yield from crate_dragged(folder, before, "LINK")
    asset_drags.remove_library()


def crate_dragged(folder: Path, before: Any, *methods: str) -> Steps:
    """Drag the one asset of a library into an empty file, once by each of the methods."""
    for method in methods:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=False, load_ui=True)
        yield 0.5
        importlib.import_module("addon_utils").enable(ADDON, default_set=True)
        bpy.data.batch_remove(list(bpy.data.objects))
        asset_drags.add_library(folder / "library")
        yield from asset_drags.drag_first(method)
        yield from until(lambda: len(bpy.data.objects), f"something is dragged by {method}")
        yield 0.3
        crate = bpy.data.objects["Crate"]
        assert (crate.library is not None) == (method == "LINK"), method
        listed = bpy.context.scene.omi_physics.physics_materials
        names = [entry.name.partition(" [")[0] for entry in listed]  # Linked ones with their file.
        assert names == ["Rubber"], method
        assert exported(folder) == before, method


@case
def assets_of_the_sample_library_are_dragged() -> Steps:
    """By turns as objects and as an instance; they play and export as in their own scene."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bpy.ops.wm.open_mainfile(filepath=str(library_checks.FILE))
        yield 0.5
        sources: dict[str, library_checks.Seen] = {}
        for title in library_checks.TITLES:
            window().scene = bpy.data.scenes[title]
            yield 0.2
            sources[title] = library_checks.seen(folder, f"{title}.glb")
        yield from ended()
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=False, load_ui=True)
        yield 0.5
        bpy.context.preferences.system.viewport_aa = "OFF"
        importlib.import_module("addon_utils").enable(ADDON, default_set=True)
        assert bpy.ops.scene.omi_physics_add_sample_library() == {"FINISHED"}
        browser = yield from asset_drags.open_browser(library_checks.NAME, "FOLLOW_PREFS")
        for number, title in enumerate(library_checks.TITLES):
            yield from asset_dragged(browser, title, folder, sources[title], number % 2)
        yield from ended()
        assert bpy.ops.scene.omi_physics_remove_sample_library() == {"FINISHED"}


def asset_dragged(
    browser: Any, title: str, folder: Path, source: library_checks.Seen, instances: int
) -> Steps:
    """Drag an asset into a scene without objects, and compare it with its source."""
    bpy.data.batch_remove([*bpy.data.objects, *bpy.data.collections, *bpy.data.meshes])
    browser.spaces[0].params.instance_collections_on_append = bool(instances)
    yield from asset_drags.drag(browser, title)
    yield from until(lambda: len(bpy.data.objects), f"{title} is dragged")
    yield 0.3
    empties = [obj for obj in bpy.data.objects if obj.instance_collection is not None]
    assert len(empties) == instances, title
    start, file, end = library_checks.seen_at(folder, source)
    assert start < library_checks.CLOSE, f"{title}: {start} m from its source at the start"
    assert file == [], f"{title}: {file[:3]}"
    assert end < library_checks.NEAR, f"{title}: {end} m from its source at the end"


def exported(folder: Path) -> Any:
    """What an export says of the crate, and of what it shares."""
    bpy.ops.export_scene.gltf(filepath=str(folder / "out.gltf"), export_format="GLTF_SEPARATE")
    gltf = json.loads((folder / "out.gltf").read_text(encoding="utf-8"))
    (crate,) = [node["extensions"] for node in gltf["nodes"] if node["name"] == "Crate"]
    return crate, gltf["extensions"]


# An artist's work while it plays


def playing_for_a_while() -> Steps:
    """Play until bodies are elsewhere; it goes on."""
    yield from play()
    yield from until(lambda: running().frame > 30, "30 frames")


def stopped() -> Steps:
    """Stop what is still playing, by its key."""
    assert running() is not None, "it has stopped by itself"
    frame = running().frame
    yield from until(lambda: running().frame > frame + 3, "it goes on")
    yield from key("ESC")
    yield from ended()


def browser() -> Any:
    """The window of the file browser that is open, None without one."""
    for each in bpy.context.window_manager.windows:
        if any(area.type == "FILE_BROWSER" for area in each.screen.areas):
            return each
    return None


def accept_in_browser() -> Steps:
    """Wait for the file browser, and press Return in it."""
    yield from until(browser, "the file browser opens")
    yield 1.0
    shown_in = browser()
    area = next(each for each in shown_in.screen.areas if each.type == "FILE_BROWSER")
    place = area.x + area.width // 2, area.y + area.height // 2
    yield from key("RET", of=shown_in, at=place)
    yield from until(lambda: browser() is None, "the file browser closes")
    yield 0.5
    yield from key("ESC")  # What is told of it may be open, and would take the next key.


def export_by_browser(path: Path) -> Steps:
    """Export as File > Export does, with the settings that the browser shows."""
    with override():
        bpy.ops.export_scene.gltf(
            "INVOKE_DEFAULT", filepath=str(path), export_format="GLTF_SEPARATE"
        )
    yield from accept_in_browser()
    yield from until(path.exists, f"{path.name} is written")


def file_of(path: Path) -> Any:
    """A glTF file as JSON, without the names of files beside it."""
    gltf = json.loads(path.read_text(encoding="utf-8"))
    for buffer in gltf.get("buffers", ()):
        del buffer["uri"]
    return gltf


@case
def exports_while_it_plays_are_those_without() -> Steps:
    for place in ("SCENE", "COPY"):
        window().scene.omi_physics.preview.place = place
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            yield from export_by_browser(folder / "without.gltf")
            before = dump()
            yield from playing_for_a_while()
            yield from export_by_browser(folder / "playing.gltf")
            yield from ended()
            unchanged(before)
            assert file_of(folder / "playing.gltf") == file_of(folder / "without.gltf"), place


@case
def imports_while_it_plays_keep_their_joints_and_are_undone() -> Steps:
    """With their settings in the list of the artist's scene."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "level.gltf"
        yield from export_by_browser(path)
        objects = len(bpy.data.objects)
        joints = joints_of_scene()
        assert joints
        with override():
            bpy.ops.ed.undo_push(message="Before")
        yield from playing_for_a_while()
        with override():
            bpy.ops.import_scene.gltf("INVOKE_DEFAULT", filepath=str(path))
        yield 0.5
        yield from key("RET")  # In the dialog, as a file has one that is dropped on the window.
        yield from until(lambda: len(bpy.data.objects) > objects, "something is imported")
        yield from ended()
        both = joints_of_scene()
        assert len(both) == 2 * len(joints)
        assert sorted(each[1:] for each in both) == sorted(2 * [each[1:] for each in joints])
        yield from key("ESC")  # What the report says may be open.
        names = {each.name for each in bpy.data.scenes}
        assert names == {"Scene", "Other", "Other.001"}, names
        yield from with_control("Z")
        yield from until(lambda: joints_of_scene() == joints, "the import is undone")


def joints_of_scene() -> list[tuple[str, int, int]]:
    """The joints of the artist's scene: names, and how many limits and drives they have."""
    return sorted(
        (obj.name, len(entry.limits), len(entry.drives))
        for obj in bpy.data.scenes["Scene"].objects
        if obj.omi_physics.use_joint
        for entry in [obj.omi_physics.joint.settings_entry.data]
    )


@case
def files_saved_while_it_plays_have_nothing_of_it() -> Steps:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "level.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
        yield 0.5
        before, written = dump(), path.stat().st_mtime_ns
        yield from playing_for_a_while()
        yield from with_control("S")
        yield from until(lambda: path.stat().st_mtime_ns > written, "it is saved")
        yield from ended()
        unchanged(before)
        yield from with_control("S")
        bpy.ops.wm.open_mainfile(filepath=str(path))
        yield 0.5
        stopped_dump = dump()
        bpy.ops.wm.open_mainfile(filepath=str(path) + "1")
        yield 0.5
        # A Properties editor turns back to its tab only when it is drawn next.
        ignored = ("/session_uid: ", "/icon_id: ", "/active/context: ")
        found = differences(stopped_dump, dump())
        found = [each for each in found if not any(one in each for one in ignored)]
        assert found == [], found[:9]


@case
def entries_added_while_it_plays_stay_and_are_undone() -> Steps:
    alone("Crate").omi_physics.motion.gravity_factor = 0.01
    listed = [entry.name for entry in window().scene.omi_physics.physics_materials]
    with override():
        bpy.ops.ed.undo_push(message="Before")
    yield from playing_for_a_while()
    with blender_window.override(area_of("PROPERTIES")):
        bpy.ops.scene.omi_physics_add_physics_material("INVOKE_DEFAULT")  # As its button does.
    yield 0.3
    yield from stopped()
    found = [entry.name for entry in bpy.data.scenes["Scene"].omi_physics.physics_materials]
    assert found[: len(listed)] == listed
    assert len(found) == len(listed) + 1
    yield from with_control("Z")
    yield from until(
        lambda: [e.name for e in window().scene.omi_physics.physics_materials] == listed,
        "the entry is undone",
    )


# All of them


def prepare() -> Steps:
    """An empty file with the random scene in it, in one window."""
    while len(bpy.context.window_manager.windows) > 1:
        with bpy.context.temp_override(window=window(1)):
            bpy.ops.wm.window_close()
        yield 0.3
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=False, load_ui=True)
    yield 0.5
    bpy.context.preferences.system.viewport_aa = "OFF"  # Which takes most of the time of a CPU.
    importlib.import_module("addon_utils").enable(ADDON, default_set=True)
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    with override():
        random_scene.fill()
        bpy.ops.ed.undo_push(message="Filled")
    yield 0.3


def all_cases(found: dict[str, str], wanted: list[str], write: Callable[[], object]) -> Steps:
    bpy.context.preferences.view.show_splash = False
    for name in wanted or CASES:
        said = io.StringIO()
        try:
            yield from prepare()
            # Blender tells there what went wrong in handlers and operators.
            steps = CASES[name]()
            while True:
                with contextlib.redirect_stderr(said):
                    try:
                        delay = next(steps)
                    except StopIteration:
                        break
                sys.stderr, before = said, sys.stderr
                yield delay
                sys.stderr = before
            found[name] = said.getvalue() if "Traceback" in said.getvalue() else ""
        except Exception:  # noqa: BLE001 - the next case comes all the same.
            found[name] = said.getvalue() + traceback.format_exc()
            sys.stderr = sys.__stderr__
            if running() is not None:
                module("player").stop()
        write()


def main() -> None:
    path, *wanted = sys.argv[sys.argv.index("--") + 1 :]
    found: dict[str, str] = {}

    def write() -> None:
        Path(path).write_text(json.dumps(found), encoding="utf-8")

    run(
        lambda: all_cases(found, wanted, write),
        failed=lambda: found.update(itself=traceback.format_exc()),
        ended=write,
    )


if __name__ == "__main__":
    main()
