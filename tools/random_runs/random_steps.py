"""The steps of random_run.py, inside Blender, with or without a window.

Those that need windows or real events are left out where there are none.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
# Blender does not put a script's own folder on the path.
sys.path.insert(0, str(ROOT))

import bpy as stubbed_bpy  # noqa: TID251

from tools.pictures import blender_window
from tools.random_runs import random_scene
from tools.random_runs.blender_dump import dump
from tools.random_runs.random_exchange import bring_in, edit_lists, export
from tools.random_runs.random_inside import (
    ADDON,
    BY_WINDOWS,
    HAS_WINDOW,
    Run,
    Step,
    Steps,
    module,
    override,
    patch,
    send,
    view,
    waiting,
    window,
)

bpy: Any = stubbed_bpy
addon_utils: Any = importlib.import_module("addon_utils")  # The bpy module brings it along.

KEYS: Final = "WASDQERFIJKL"
ENTRIES: Final = "/node_groups/"
# What saving changes of a file.
BY_SAVING: Final = (
    "/version: 0 ->",
    "/version: only after",
    "library_weak_reference/filepath",
    "_bookmarks/",
)
# Blender sees later where children are now, and to which caches that matters. The Properties editor
# goes to another tab when the active object is gone.
BY_DELETING: Final = ("/matrix_", "/is_outdated", "/outliner_index", "/camera", "/screens")
BY_SELECTING: Final = ("/objects/itself/selected/", "/objects/itself/active", "/view of ")
# What undo leaves alone while a preview runs; it evaluates animation and caches anew.
BY_UNDO: Final = ("/omi_physics/motion", "/omi_physics/collider", ": only ")
CALLED: Final = "INVOKE_DEFAULT" if HAS_WINDOW else "EXEC_DEFAULT"
# Of Blender, with the keys that go with them; a popup closes by the next event.
SHORTCUTS: Final[tuple[tuple[str, dict[str, bool]], ...]] = (
    ("A", {}),
    ("X", {}),
    ("G", {}),
    ("H", {}),
    ("H", {"alt": True}),
    ("N", {}),
    ("M", {}),
    ("TAB", {}),
    ("HOME", {}),
    ("D", {"shift": True}),
    ("A", {"shift": True}),
    ("NUMPAD_0", {}),
    ("NUMPAD_SLASH", {}),
    ("LEFT_ARROW", {}),
    ("RIGHT_ARROW", {"shift": True}),
    ("I", {}),
)


class InjectedError(Exception):
    """Raised on purpose in a frame of a preview."""


# --- while a preview runs ---


def wait(run: Run) -> Steps:
    """Only look on."""
    yield run.chance.uniform(0.1, 1.5)


def pause(run: Run) -> Steps:
    """Hold it, or let it go on."""
    if HAS_WINDOW:
        yield from run.press(run.chance.choice(("P", "SPACE")))
        return
    if run.is_held:
        module("player").toggle()
    run.is_held = not run.is_held
    yield 0.1


def drive(run: Run) -> Steps:
    """Hold down some keys of driving; those that drive nothing are Blender's."""
    run.ignored += ("/workspaces",)
    for _ in range(3):
        key = run.chance.choice(KEYS)
        if HAS_WINDOW:
            yield from _pressed(run, key)
            continue
        for is_down in (True, False):
            session = module("player").running()
            if session is not None:
                session.driver.key(key, is_down=is_down)
            yield 0.1


def drag(run: Run) -> Steps:
    """Pull at what is below the pointer; where nothing can be pulled, Blender selects by that."""
    place = run.place()
    run.ignored += ("/screens",)  # There may be a handle that turns the view.
    run.ignored += BY_SELECTING
    send("MOUSEMOVE", "NOTHING", place)
    yield 0.05
    send("LEFTMOUSE", "PRESS", place)
    for _ in range(4):
        yield 0.1
        send("MOUSEMOVE", "NOTHING", place := run.place())
    if run.chance.random() < 0.8:  # Else it goes on holding.
        send("LEFTMOUSE", "RELEASE", place)
    yield 0.1


def escape(run: Run) -> Steps:
    """Stop by the key."""
    yield from run.press("ESC")


def stop(run: Run) -> Steps:
    """Stop by the button."""
    with override():
        bpy.ops.scene.omi_physics_preview_stop()
    yield 0.1


def restart(run: Run) -> Steps:
    """Begin again; what was animated meanwhile counts then."""
    with override():
        bpy.ops.scene.omi_physics_preview_restart()
    yield 0.2


def change_values(run: Run) -> Steps:
    """Change numbers that count while it runs, or after a pause."""
    body = run.one(lambda obj: obj.omi_physics.use_motion)
    scene = run.artist()
    if body is None or scene is None:
        return

    def change() -> None:
        body.omi_physics.motion.mass = run.chance.uniform(0.5, 20.0)
        for entry in scene.omi_physics.joint_settings:
            for each in entry.drives:
                each.position_angle = run.chance.uniform(-0.9, 0.9)
            if len(entry.limits) == 3:
                entry.limits[2].max_angle = run.chance.uniform(0.5, 1.5)

    run.edit(change)
    yield 0.1


def change_structure(run: Run) -> Steps:
    """Change what only a restart shows."""
    body = run.one(lambda obj: obj.omi_physics.use_collider)
    if body is None:
        return
    kind = run.chance.choice(("BOX", "SPHERE", "CONVEX"))
    run.edit(lambda: setattr(body.omi_physics.collider.shape, "type", kind))
    yield 0.1


def delete(run: Run) -> Steps:
    """Remove an object of the artist's."""
    obj = run.one()
    if obj is not None:
        run.note(f"  {obj.name}")
        run.edit(lambda: bpy.data.objects.remove(obj))
        run.ignored += BY_DELETING
    yield 0.1


def delete_group(run: Run) -> Steps:
    """Remove a collection of the artist's."""
    group = bpy.data.collections.get("Crate")
    if group is not None:
        run.edit(lambda: bpy.data.collections.remove(group))
    yield 0.1


def create(run: Run) -> Steps:
    """Add a body to the artist's scene."""
    scene = run.artist()
    if scene is None:
        return

    def change() -> None:
        obj = random_scene.body("New", (run.chance.uniform(-5, 5), 0.0, 6.0))
        for group in obj.users_collection:
            group.objects.unlink(obj)
        scene.collection.objects.link(obj)

    run.edit(change)
    run.ignored += ("/objects/New",)  # Nobody has asked Blender yet where they are.
    yield 0.1


def add_by_operator(run: Run) -> Steps:
    """Add an object where the preview is shown."""
    with override():
        bpy.ops.object.add(type="EMPTY")
        bpy.ops.ed.undo_push(message="Add")
    run.forget()
    yield 0.1


def rename(run: Run) -> Steps:
    """Give the artist's scene another name."""
    scene = run.artist()
    if scene is not None:
        name = f"Scene {run.chance.randrange(100)}"
        run.edit(lambda: setattr(scene, "name", name))
        run.forget()  # The dump goes by names.
    yield 0.1


def _crashes_by_undo() -> bool:
    """Whether Blender crashes by itself after an undo, as a scene has rigid bodies of its own.

    Undo reads a changed object again, and frees its old body. Where nothing else of the scene has
    changed, the scene keeps its world, which has that body still; Blender crashes when it frees
    the world. Without the add-on, in 4.2, 5.0 and 5.2: play some rigid bodies, show their names,
    then show them in front, each as a step of undo, undo once, and play again.
    """
    artists = [scene for scene in bpy.data.scenes if not scene.get("omi_physics_preview")]
    return any(scene.rigidbody_world for scene in artists)


def press_undo(run: Run) -> Steps:
    """Undo by keys."""
    if _crashes_by_undo():
        return
    run.only = BY_UNDO
    yield from run.press("Z", ctrl=True)
    yield 0.3


def undo(run: Run) -> Steps:
    """Undo by the menu."""
    if _crashes_by_undo():
        return
    run.only = BY_UNDO
    with override():
        bpy.ops.ed.undo()
    yield 0.3


def redo(run: Run) -> Steps:
    """Redo by the menu."""
    if _crashes_by_undo():
        return
    run.forget()
    with override():
        bpy.ops.ed.redo()
    yield 0.3


def save(run: Run) -> Steps:
    """Save the file."""
    run.ignored += BY_SAVING
    with override():
        bpy.ops.wm.save_as_mainfile(filepath=str(run.saved), check_existing=False)
    yield 0.3


def load(run: Run) -> Steps:
    """Open the file that was saved, or an example."""
    found = [*(ROOT / "examples").glob("*.blend")]
    path = run.saved if run.saved.is_file() and run.chance.random() < 0.6 else None
    path = path or run.chance.choice(sorted(found))
    run.note(f"  {path.name}")
    run.forget()
    with override():
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=run.chance.random() < 0.3)
    random_scene.render_quickly()
    yield 0.5


def renew(run: Run) -> Steps:
    """Begin a new file."""
    run.forget()
    yield from run.new_file()
    yield 0.3


def switch_scene(run: Run) -> Steps:
    """Show another scene in a window."""
    shown = run.chance.choice(list(bpy.context.window_manager.windows))
    shown.scene = run.chance.choice(list(bpy.data.scenes))
    run.note(f"  {shown.scene.name}")
    if run.is_playing:
        run.ignored += BY_WINDOWS
        run.ignore_animated()
    yield 0.2


def open_window(run: Run) -> Steps:
    """Open another window."""
    if len(bpy.context.window_manager.windows) > 2:
        return
    run.ignored += BY_WINDOWS
    with override():
        operator = (
            bpy.ops.wm.window_new_main if run.chance.random() < 0.5 else bpy.ops.wm.window_new
        )
        operator()
    yield 0.6


def close_window(run: Run) -> Steps:
    """Close another window; or the first one, which may listen to keys."""
    windows = list(bpy.context.window_manager.windows)
    if len(windows) < 2:
        return
    run.ignored += BY_WINDOWS
    with bpy.context.temp_override(window=run.chance.choice(windows)):
        bpy.ops.wm.window_close()
    yield 0.6


def start_in_other_window(run: Run) -> Steps:
    """Play from another window, if there is one."""
    windows = list(bpy.context.window_manager.windows)
    yield from start(run, windows[-1])


def look_back(run: Run) -> Steps:
    """Go to an earlier frame of the preview."""
    session = module("player").running()
    if session is not None and session.is_whole:
        module("player").pause()
        session.scene.frame_set(run.chance.randrange(1, session.frame + 1))
    yield 0.2


def go_to_frame(run: Run) -> Steps:
    """Go to another frame of the artist's scene."""
    scene = run.artist()
    if scene is not None:
        run.forget()
        scene.frame_set(run.chance.randrange(1, 50))
    yield 0.2


def fail(run: Run) -> Steps:
    """Let the next frame fail."""
    session = module("player").running()

    def fails(*_args: object) -> None:
        raise InjectedError("on purpose")

    if session is not None:
        session.is_failing = True
        session._animate = fails
        if not module("player").is_playing():
            with override():
                bpy.ops.scene.omi_physics_preview_pause()
    yield 1.0


def damage(run: Run) -> Steps:
    """Remove something that the preview needs.

    Where the artist has a rigid-body world, no bodies: Blender takes those that are deleted by hand
    out of the worlds of all scenes, harms the ones that come before their own, and may crash.
    """
    session = module("player").running()
    if session is None or not session.is_whole:
        return
    scene = session.scene
    world = scene.rigidbody_world
    what = run.chance.randrange(4)
    others = [each for each in bpy.data.scenes if each != scene]
    if what < 2 and any(each.rigidbody_world for each in others):
        what += 2
    run.note(f"  {('body', 'constraint', 'collection', 'scene')[what]}")
    if what == 0:
        bpy.data.objects.remove(run.chance.choice(list(world.collection.objects)))
    elif what == 1 and len(world.constraints.objects):
        bpy.data.objects.remove(run.chance.choice(list(world.constraints.objects)))
    elif what == 2:
        bpy.data.collections.remove(world.collection)
    elif what == 3:
        run.ignored += BY_WINDOWS
        with override():  # Without a window Blender 4.2 crashes by that.
            bpy.data.scenes.remove(scene)
    yield 0.8


def delete_all(run: Run) -> Steps:
    """Delete all that can be selected where the preview is shown."""
    session = module("player").running()
    if session is None or window().scene.name != session.seen:
        return

    def delete() -> None:
        with override():
            bpy.ops.object.select_all(action="SELECT")
            bpy.ops.object.delete()

    if session.display is None:
        delete()
    else:
        run.edit(delete)  # They are the artist's own.
        run.ignored += BY_DELETING
    yield 0.2


def shortcut(run: Run) -> Steps:
    """Press what Blender listens to; in the artist's own scene that is an edit."""
    key, more = run.chance.choice(SHORTCUTS)
    run.note(f"  {key} {' '.join(more)}")
    run.ignored += ("/screens", "/workspaces")
    yield from _pressed(run, key, "ESC", **more)


def _pressed(run: Run, key: str, then: str = "", **more: bool) -> Steps:
    """Press a key that may be an edit, and another one behind it."""
    session = module("player").running()
    edits = session is not None and session.display is not None and run.expected is not None
    before = dump() if edits else {}
    yield from run.press(key, **more)
    if then:
        yield from run.press(then)
    yield 0.2
    for _ in range(20):  # An operator that waits for the mouse may not have seen the key yet.
        if not any("_OT_omi_" not in each for each in waiting()):
            break
        yield from run.press("ESC")
    else:
        run.forget()
    if edits and run.expected is not None:
        patch(run.expected, before, dump())
        run.ignored += ("/matrix_", "/is_outdated", "/users")


def render(run: Run) -> Steps:
    """Try to render the preview; in the artist's own scene that renders the scene as it is."""
    session = module("player").running()
    if session is None:
        return
    if session.display is not None:
        run.ignored += ("/images/Render Result", "/screens", "/workspaces")
        yield from run.press("F12")
    elif window().scene.name == session.seen:
        yield from run.press("F12")
        if bpy.app.is_job_running("RENDER"):
            run.blame("a preview is rendered")
    yield 0.1


def toggle_addon(run: Run) -> Steps:
    """Disable the add-on, and enable it again: the entries of lists get their types back."""
    expected = run.expected
    # Blender forgets which of the add-on's panels were open.
    run.ignored += ("/omi_physics", "/handlers/", ENTRIES)
    addon_utils.disable(ADDON, default_set=True)
    yield 0.3
    yield from run.settle()
    run.judge()
    addon_utils.enable(ADDON, default_set=True)
    run.expected, run.only = expected, (ENTRIES,)
    run.ignored = ("/users", "/is_evaluated")
    yield 0.3


def leave(run: Run) -> Steps:
    """Quit Blender."""
    bpy.ops.wm.quit_blender()
    yield 5.0


# --- while none runs ---


def start(run: Run, shown: Any = None) -> Steps:
    """Play."""
    with override():
        bpy.ops.ed.undo_push(message="Before")
    run.expect()
    if HAS_WINDOW and shown is None and run.chance.random() < 0.3:
        yield from run.press("P", ctrl=True, alt=True)
    else:
        with override(shown):
            bpy.ops.scene.omi_physics_preview_start(CALLED)
    yield 0.3


def move(run: Run) -> Steps:
    """Move an object."""
    obj = run.one(lambda obj: obj.name in window().view_layer.objects)
    if obj is not None:
        obj.location.x += run.chance.uniform(-1.0, 1.0)
        with override():
            bpy.ops.ed.undo_push(message="Move")
    yield 0.1


def select(run: Run) -> Steps:
    """Select something, and make it the active one."""
    layer = window().view_layer
    for obj in layer.objects:
        obj.select_set(run.chance.random() < 0.3)
    if len(layer.objects):
        layer.objects.active = run.chance.choice(list(layer.objects))
    yield 0.1


def edit_mode(run: Run) -> Steps:
    """Go into Edit Mode and try to play there, then come back."""
    with override():
        if bpy.context.object is None or bpy.context.object.type != "MESH":
            return
        bpy.ops.object.mode_set(mode="EDIT")
    yield 0.2
    with override():
        if bpy.ops.scene.omi_physics_preview_start.poll():
            run.blame("a preview can be started in Edit Mode")
        bpy.ops.object.mode_set(mode="OBJECT")
    yield 0.1


def change_view(run: Run) -> Steps:
    """Look through the camera, at less, in another way, or in four views."""
    area = view()
    if area is None:
        return
    space, what = area.spaces.active, run.chance.randrange(4)
    run.ignored += ("/screens",)
    with override():
        if what == 0:
            bpy.ops.view3d.view_camera()
        elif what == 1:
            bpy.ops.view3d.localview(frame_selected=False)
        elif what == 2:
            space.shading.type = run.chance.choice(("WIREFRAME", "SOLID"))
        else:
            bpy.ops.screen.region_quadview()
    yield 0.5


def change_layer(run: Run) -> Steps:
    """Show another view layer."""
    window().view_layer = run.chance.choice(list(window().scene.view_layers))
    yield 0.2


def play_animation(run: Run) -> Steps:
    """Play the animation of the artist's scene for a while, and perhaps begin a preview in it."""
    with override():
        bpy.ops.screen.animation_play()
    yield run.chance.uniform(0.2, 1.0)
    if run.chance.random() < 0.5:
        with override():
            bpy.ops.screen.animation_cancel(restore_frame=False)
        return
    run.forget()
    with override():
        bpy.ops.scene.omi_physics_preview_start(CALLED)
    yield 0.3


def bake(run: Run) -> Steps:
    """Bake by the dialog, and press Esc at times."""
    run.expect()
    frames = run.chance.randrange(5, 60)
    if not HAS_WINDOW:
        with override():
            bpy.ops.object.omi_physics_bake(start=1, end=frames)
            bpy.ops.ed.undo_push(message="Bake")  # As the interface does behind an operator.
        run.forget()
        return
    done = _bakes()
    with override():
        bpy.ops.object.omi_physics_bake("INVOKE_DEFAULT", start=1, end=frames)
    yield 0.5
    yield from run.press("RET")
    if run.chance.random() < 0.6:
        yield run.chance.uniform(0.0, 0.4)
        if run.is_playing:
            yield from run.press("ESC")
            yield from run.settle()
            is_over = not any(w.modal_operators for w in bpy.context.window_manager.windows)
            if is_over and _bakes() <= done:  # Else the last frame came before the key.
                return
    for _ in range(200):
        if not run.is_playing:
            break
        yield 0.1
    run.forget()


def _bakes() -> set[int]:
    """The bakes that Blender remembers as done, by where they are in memory."""
    operators = bpy.context.window_manager.operators
    name = "OBJECT_OT_omi_physics_bake"
    return {each.as_pointer() for each in operators if each.bl_idname == name}


def remove_bake(run: Run) -> Steps:
    """Remove what was baked."""
    with override():
        bpy.ops.object.select_all(action="SELECT")
        bpy.ops.object.omi_physics_remove_bake()
        bpy.ops.ed.undo_push(message="Remove Bake")
    yield 0.1


def record(run: Run) -> Steps:
    """Record to a file."""
    run.expect()
    with override():
        path = str(run.folder / "poses.json")
        bpy.ops.scene.omi_physics_record(filepath=path, seconds=0.3)
    yield 0.1


def recover(run: Run) -> Steps:
    """Open what the last Blender left when it quit, which may have played then."""
    run.forget()
    with override():
        bpy.ops.wm.recover_last_session()
    yield 0.5


def often(count: int, *steps: Step) -> list[Step]:
    """Steps that are taken so often, relative to others."""
    return list(steps) * count


def possible(steps: list[Step], windowed: list[Step]) -> list[Step]:
    """Those that need no window, and the others where there is one."""
    return [*steps, *windowed] if HAS_WINDOW else steps


PLAYING: Final = possible(
    [
        *often(6, wait),
        *often(3, pause, drive, change_values),
        *often(2, stop, restart, look_back, undo, export, edit_lists),
        *often(1, change_structure, delete, delete_group, create, add_by_operator, rename, redo),
        *often(1, save, load, renew, switch_scene, go_to_frame, fail, damage, delete_all),
        *often(1, toggle_addon, bring_in),
    ],
    [
        *often(3, drag),
        *often(2, escape, press_undo, shortcut),
        *often(1, open_window, close_window, render, change_view, leave),
    ],
)
IDLE: Final = possible(
    [
        *often(20, start),
        *often(2, move, select, undo, redo, bake, switch_scene),
        *often(1, delete, create, edit_mode, save, load, renew, record),
        *often(1, change_layer, remove_bake, toggle_addon, go_to_frame, edit_lists, export),
    ],
    [
        *often(2, start_in_other_window, change_view),
        *often(1, open_window, close_window, play_animation, press_undo, recover),
    ],
)


def main() -> None:
    """Run as Blender's script, or with the bpy module."""
    folder, seed, seconds, most = sys.argv[sys.argv.index("--") + 1 :]
    run = Run(Path(folder), int(seed), float(seconds), int(most))
    steps = run.steps(PLAYING, IDLE, stop)
    if not HAS_WINDOW:
        for delay in steps:
            run.go_on(delay)
        sys.stdout.flush()
        os._exit(0)  # Not every release of the module survives its own tidying up.

    def failed() -> None:
        run.blame("the run itself failed")
        traceback.print_exc()

    blender_window.run(lambda: steps, failed)


main()
