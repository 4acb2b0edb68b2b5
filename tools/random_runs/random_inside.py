"""One random run inside Blender: takes step after step, and judges what each has left.

Every step is told in steps.log before it is taken; what is wrong is printed as a FAULT.
"""

from __future__ import annotations

import importlib
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, cast

import bpy as stubbed_bpy  # noqa: TID251

from tools.random_runs import random_scene
from tools.random_runs.blender_dump import Dump, differences, dump, is_computed

bpy: Any = stubbed_bpy
addon_utils: Any = importlib.import_module("addon_utils")  # The bpy module brings it along.
Steps = Iterator[float]
Step = Callable[["Run"], Steps]

ADDON: Final = "omi_physics_addon"
PREVIEW: Final = f"{ADDON}.blender.preview"
# What other windows change.
BY_WINDOWS: Final = ("/window", "/screens", "/workspaces", "/outliner_index")
SHOWN: Final = 20  # Differences that are told.
HAS_WINDOW: Final = not bpy.app.background
LETTING_GO: Final = (
    ("ESC", "PRESS"),
    ("ESC", "RELEASE"),
    ("LEFTMOUSE", "RELEASE"),
    ("MOUSEMOVE", "NOTHING"),
    ("MOUSEMOVE", "NOTHING"),
)
# Blender stops looking through the camera while it shows a scene without one. Undo may bring back
# the scene before, but Blender looks through its camera only when it next shows a scene.
PERSPECTIVE: Final = "view_perspective: 'PERSP' -> 'CAMERA'"
THROUGH_CAMERA: Final = f"/region_3d/{PERSPECTIVE}"
NEAR: Final = 2e-6  # Relative and in m, what numbers of matrices may differ by.
OWN: Final = 0.5  # Of the scenes have rigid bodies of Blender's own; nothing is undone there.
COPIED: Final = 0.3  # Of the scenes, the share that previews show in a copy.
MOST: Final = 30  # Frames that a wait makes where nobody plays them.


def module(name: str) -> Any:
    """A module of the add-on's preview, which may have been loaded anew."""
    return sys.modules[f"{PREVIEW}.{name}"]


def window(at: int = 0) -> Any:
    """One of the windows."""
    return bpy.context.window_manager.windows[at]


def view(of: Any = None) -> Any:
    """The largest 3D Viewport of a window, None where it has none."""
    areas = [area for area in (of or window()).screen.areas if area.type == "VIEW_3D"]
    return max(areas, key=lambda area: area.width * area.height, default=None)


def override(of: Any = None) -> Any:
    """The context of a 3D Viewport, for operators."""
    shown = of or window()
    area = view(shown) or shown.screen.areas[0]
    region = next(each for each in area.regions if each.type == "WINDOW")
    return bpy.context.temp_override(window=shown, area=area, region=region)


def waiting() -> list[str]:
    """The operators that wait for events in any window."""
    windows = bpy.context.window_manager.windows
    return [each.bl_idname for one in windows for each in one.modal_operators if each]


def send(kind: str, value: str, place: tuple[int, int], **keys: bool) -> None:
    """Let Blender take an event for one of the mouse or the keyboard."""
    window().event_simulate(type=kind, value=value, x=place[0], y=place[1], **keys)


def patch(expected: Dump, before: Dump, after: Dump) -> None:
    """Do to one dump what leads from another one to a third; counts of users go up and down."""
    for key in {**before, **after}:
        if key not in after:
            expected.pop(key, None)
        elif key not in before:
            expected[key] = after[key]
        elif before[key] != after[key]:
            old, new, mine = before[key], after[key], expected.get(key)
            if all(isinstance(each, dict) for each in (old, new, mine)):
                patch(cast(Dump, mine), old, new)
            elif key == "users" and mine is not None:
                expected[key] = mine + new - old
            elif key in expected:  # Else it is the preview's own.
                expected[key] = new


def out_of_place(shown: set[str]) -> list[str]:
    """Objects and bones that are elsewhere as soon as Blender computes anew, and where.

    What is in several scenes is where the last of them has it, each by a frame of its own.

    Args:
        shown: scenes that windows showed. After an undo Blender has computed neither the others,
            nor those that no window shows any more.
    """
    windows = bpy.context.window_manager.windows
    shown = shown & {each.scene.name for each in windows}
    scenes: dict[Any, int] = {}
    for scene in bpy.data.scenes:
        for obj in scene.objects:
            scenes[obj] = scenes.get(obj, 0) + 1
    seen = (obj for scene in bpy.data.scenes if scene.name in shown for obj in scene.objects)
    alone = [obj for obj in seen if scenes[obj] == 1]
    before = {obj: _matrices(obj) for obj in alone}
    for obj in before:
        # Not its animation, which forgets unkeyed values.
        obj.update_tag(refresh={"OBJECT", "DATA"} if obj.pose else {"OBJECT"})
    for each in windows:
        each.view_layer.update()  # In others the animation may never have been computed.
    found: list[str] = []
    for obj, matrices in before.items():
        for name, matrix in _matrices(obj).items():
            old = matrices[name]
            if any(
                abs(one - other) > NEAR * (1.0 + abs(one))
                for rows in zip(old, matrix, strict=True)
                for one, other in zip(*rows, strict=True)
            ):
                now = tuple(matrix.translation)
                found.append(f"{name}, at {tuple(old.translation)} for {now},")
    return found


def _matrices(obj: Any) -> dict[str, Any]:
    """Where an object and the bones of its pose are, by their names."""
    bones = obj.pose.bones if obj.pose is not None else ()
    posed = {f"{bone.name} of {obj.name}": bone.matrix.copy() for bone in bones}
    return {obj.name: obj.matrix_world.copy(), **posed}


class Run:
    """One run in one Blender."""

    def __init__(self, folder: Path, seed: int, seconds: float, most: int) -> None:
        """Take how long it runs, and how many steps it may take."""
        self.folder, self.chance = folder, random.Random(seed)
        self.end, self.most = time.monotonic() + seconds, most
        self.saved = folder / "saved.blend"
        self.expected: Dump | None = None  # What has to be when the preview has stopped.
        self.shown: set[str] = set()  # The scenes in windows when it started.
        self.ignored: tuple[str, ...] = ()  # In the places of differences that are none.
        self.only: tuple[str, ...] = ()  # In the places of those that are, unless empty.
        self.last = ""
        self.is_held = False  # Where no window plays and this has to go on frame by frame.

    # --- the course of it ---

    def steps(self, playing: list[Step], idle: list[Step], last: Step) -> Steps:
        """All steps, chosen by chance from those for a preview that runs, and for none.

        Args:
            last: how to stop a preview at the end.
        """
        bpy.context.preferences.view.show_splash = False
        bpy.context.preferences.system.viewport_aa = "OFF"  # Else all is drawn eight times.
        addon_utils.enable(ADDON, default_set=True)
        yield from self.new_file()
        yield 0.5
        for _ in range(self.most):
            if time.monotonic() >= self.end:
                break
            yield from self.step(self.chance.choice(playing if self.is_playing else idle))
        if self.is_playing:
            yield from self.step(last)
        self.note("  the end")

    def step(self, action: Step) -> Steps:
        """One step, and a look at what it has left."""
        self.note(action.__name__)
        self.last = action.__name__
        try:
            yield from action(self)
        except RuntimeError as error:  # Operators refuse what makes no sense now.
            if "Traceback" in str(error):
                self.blame(str(error))
            self.note(f"  refused: {str(error).strip()}")
        yield 0.1
        if not self.is_playing:
            self.is_held = False
            yield from self.settle()
        self.judge()

    def settle(self) -> Steps:
        """Let waiting operators see that the preview has ended, and Blender draw.

        No hand holds the mouse for ever, either: a selection of Blender's waits for its release, or
        for Esc, and operators of the preview wait behind that.
        """
        if HAS_WINDOW:
            for x, (kind, value) in enumerate(LETTING_GO, 30):
                for each in bpy.context.window_manager.windows:
                    each.event_simulate(type=kind, value=value, x=x, y=30)
                yield 0.15

    def go_on(self, seconds: float) -> None:
        """Let time pass where no window does that."""
        session = module("player").running() if self.is_playing else None
        if session is None:
            return
        for _ in range(min(int(seconds * session.options.rate), MOST)):
            if self.is_held or session.error or not session.is_whole or session.is_over:
                break
            session.step()
        if session.error or not session.is_whole:
            module("player").stop(session.error or "Something was removed")

    def new_file(self) -> Steps:
        """Open an empty file and fill it."""
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=False, load_ui=False)
        yield 0.3
        bpy.context.preferences.system.viewport_aa = "OFF"  # Most of the time where a CPU draws.
        for obj in list(bpy.data.objects):
            bpy.data.objects.remove(obj)
        if not self.is_enabled:
            addon_utils.enable(ADDON, default_set=True)
        with override():
            needs_copies = self.chance.random() < COPIED
            has_own_world = self.chance.random() < OWN
            self.note(f"  a scene that needs {'' if needs_copies else 'no '}copies")
            self.note(f"  with {'' if has_own_world else 'no '}rigid bodies of its own")
            random_scene.fill(needs_copies=needs_copies, has_own_world=has_own_world)
            bpy.ops.ed.undo_push(message="Filled")
        self.forget()

    def note(self, text: str) -> None:
        """Tell in the log."""
        with (self.folder / "steps.log").open("a", encoding="utf-8") as file:
            file.write(text + "\n")

    # --- the look at it ---

    @property
    def is_enabled(self) -> bool:
        """Whether the add-on is."""
        return hasattr(bpy.types.Scene, "omi_physics")

    @property
    def is_playing(self) -> bool:
        """Whether a preview runs, held or not."""
        return self.is_enabled and module("player").running() is not None

    def expect(self, *ignored: str) -> None:
        """Note that all has to be as it is now after the next stop.

        Undo leaves a window with another scene than the window that it was opened from; Blender
        gives both one scene as soon as any is set.
        """
        windows = bpy.context.window_manager.windows
        if any(each.parent is not None and each.scene != each.parent.scene for each in windows):
            ignored += BY_WINDOWS
        self.expected, self.ignored, self.only = dump(), ignored, ()
        self.shown = {each.scene.name for each in windows}

    def forget(self) -> None:
        """Expect nothing, as nobody can say what has to be."""
        self.expected = None

    def ignore_animated(self) -> None:
        """Whoever shows a scene or a frame anew forgets values of animated objects without keys."""
        animated = (obj.name for obj in bpy.data.objects if obj.animation_data)
        self.ignored += tuple(f"/objects/{name}/" for name in animated)

    def edit(self, change: Callable[[], Any]) -> None:
        """Change the artist's data while a preview may run, as a button does."""
        if self.expected is None:
            change()
        else:
            before = dump()
            change()
            unkeyed = module("stage.unkeyed").UnkeyedValues.take()
            for scene in bpy.data.scenes:  # What no window shows forgets objects only then.
                for layer in scene.view_layers:
                    layer.update()
            unkeyed.restore()
            patch(self.expected, before, dump())
        with override():
            bpy.ops.ed.undo_push(message="Random Edit")

    def blame(self, text: str) -> None:
        """Tell that something is wrong."""
        print(f"FAULT after {self.last}: {text}", flush=True)

    def judge(self) -> None:
        """Print what is wrong after a step."""
        if self.is_playing:
            return
        found: list[str] = []
        if self.is_enabled:
            module("stage.removal").remove_rest()  # More than 500 objects wait until it is idle.
            if module("stage.stage").is_left():
                found.append("something of a preview is left")
        scenes = [each.name for each in bpy.data.scenes if each.get("omi_physics_preview")]
        found += [f"the scene {name} is left" for name in scenes]
        found += [f"{each} waits for ever" for each in waiting() if "omi_physics_preview" in each]
        if self.expected is not None:
            # While it plays an edit meets the poses that are shown, which nobody is to keep.
            told = [e for e in differences(self.expected, dump()) if not is_computed(e)]
            views = [e.removesuffix(PERSPECTIVE) for e in told if e.endswith(THROUGH_CAMERA)]
            self.ignored += tuple(views)
            told = [each for each in told if not any(one in each for one in self.ignored)]
            told += [f"{words} is not where its place says" for words in out_of_place(self.shown)]
            found += [e for e in told if not self.only or any(one in e for one in self.only)]
            self.note(f"  compared: {len(found)} differences")
        self.forget()
        for each in found[:SHOWN]:
            self.blame(f"{each[:300]}, waiting: {waiting()}")

    # --- what steps need ---

    def place(self) -> tuple[int, int]:
        """Somewhere in the 3D Viewport."""
        area = view() or window().screen.areas[0]
        across, up = (self.chance.uniform(0.3, 0.7) for _ in range(2))
        return area.x + int(across * area.width), area.y + int(up * area.height)

    def press(self, key: str, **keys: bool) -> Steps:
        """Press and release a key over the 3D Viewport."""
        place = self.place()
        send("MOUSEMOVE", "NOTHING", place)
        yield 0.05
        send(key, "PRESS", place, **keys)
        yield self.chance.uniform(0.02, 0.4)
        send(key, "RELEASE", place, **keys)
        yield 0.1

    def artist(self) -> Any:
        """The scene that is previewed, or shown."""
        if self.is_playing:
            return module("player").running().artist_scene
        return window().scene

    def one(self, test: Callable[[Any], bool] = lambda _obj: True) -> Any:
        """An object of the artist's scene; None where there is none of that kind."""
        scene = self.artist()
        found = [] if scene is None else [obj for obj in scene.objects if test(obj)]
        return self.chance.choice(found) if found else None
