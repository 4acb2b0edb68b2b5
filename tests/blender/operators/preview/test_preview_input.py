"""Where keys and the mouse go while a preview runs.

Areas and views are those of Blender; events are made up, as nobody presses keys here.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from bpy_extras import view3d_utils
from mathutils import Vector

from omi_physics_addon.axes import TO_GLTF
from omi_physics_addon.blender.operators.preview import preview_input, watching
from omi_physics_addon.blender.operators.preview.preview import OMIPHYSICS_OT_preview_listen
from omi_physics_addon.blender.operators.preview.preview_input import handled, pauses
from omi_physics_addon.blender.preview import player
from tests.blender.preview.interaction.test_interaction import ship
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, gravity, play


@pytest.fixture(autouse=True)
def _begin(stopped_preview: None) -> None:
    gravity()


def area(kind: str = "VIEW_3D") -> Any:
    return next(each for each in bpy.context.window.screen.areas if each.type == kind)


def region(kind: str, of: str = "VIEW_3D") -> Any:
    return next(each for each in area(of).regions if each.type == kind)


def middle(part: Any) -> tuple[int, int]:
    return part.x + part.width // 2, part.y + part.height // 2


def event(kind: str, value: str = "PRESS", at: tuple[int, int] | None = None, **more: Any) -> Any:
    """An event; in the middle of the 3D Viewport unless told otherwise."""
    x, y = at or middle(region("WINDOW"))
    plain = dict.fromkeys(("ctrl", "alt", "shift", "oskey", "is_repeat"), False)
    values = {**plain, "type": kind, "value": value, "mouse_x": x, "mouse_y": y, **more}
    return SimpleNamespace(**values)


def driving() -> Any:
    """A preview with a vehicle that is driven."""
    gravity(0.0)
    ship()
    return play()


# Keys


def test_keys_go_to_the_vehicle_over_the_view_only() -> None:
    session = driving()
    driver = session.driver
    assert not handled(bpy.context, event("W", at=middle(area("PROPERTIES"))), session)
    assert not handled(bpy.context, event("W", at=middle(region("TOOLS"))), session)
    assert driver.pressed == set()
    assert handled(bpy.context, event("W"), session)
    assert driver.pressed == {"W"}
    assert handled(bpy.context, event("W", "RELEASE", at=middle(area("PROPERTIES"))), session)
    assert driver.pressed == set()


def test_keys_of_nobody_pass() -> None:
    """Else Blender would not see that a key was released that it saw pressed."""
    session = driving()
    assert not handled(bpy.context, event("W", "RELEASE"), session)
    assert not handled(bpy.context, event("N"), session)
    for name in ("ctrl", "alt", "oskey"):
        assert not handled(bpy.context, event("S", **{name: True}), session)
    assert session.driver.pressed == set()


def test_the_throttle_takes_ctrl() -> None:
    session = driving()
    session.forces.vehicles.vehicles.use_throttle[0] = True
    assert handled(bpy.context, event("LEFT_CTRL", ctrl=True), session)
    assert handled(bpy.context, event("S", ctrl=True), session)
    assert session.driver.pressed == {"CTRL", "S"}


def test_another_scene_in_the_window_gets_its_keys() -> None:
    """The artist may look at another scene while the preview runs."""
    session = driving()
    bpy.context.window.scene = bpy.data.scenes[session.artist]
    assert not handled(bpy.context, event("W"), session)
    assert not handled(bpy.context, event("LEFTMOUSE"), session)
    assert session.grab.body == -1


def test_leaving_the_window_lets_go() -> None:
    session = driving()
    handled(bpy.context, event("W"), session)
    session.grab.take(0, np.zeros(3))
    assert not handled(bpy.context, event("WINDOW_DEACTIVATE", "NOTHING"), session)
    assert session.driver.pressed == set()
    assert session.grab.body == -1


# The mouse


def test_drags_that_miss_bodies_do_nothing() -> None:
    """Blender would draw a box to select by."""
    session = driving()
    assert handled(bpy.context, event("LEFTMOUSE", "CLICK_DRAG"), session)
    assert not handled(bpy.context, event("LEFTMOUSE", "CLICK_DRAG", alt=True), session)
    assert not handled(bpy.context, event("MIDDLEMOUSE", "CLICK_DRAG"), session)
    outside = middle(area("PROPERTIES"))
    assert not handled(bpy.context, event("LEFTMOUSE", "CLICK_DRAG", at=outside), session)


def test_what_may_call_operators() -> None:
    driving()
    header = middle(region("HEADER"))
    for each in (event("P", ctrl=True), event("RIGHTMOUSE"), event("LEFTMOUSE", at=header)):
        assert preview_input.may_call(bpy.context, each)
    for each in (
        event("LEFTMOUSE"),
        event("LEFTMOUSE", at=middle(area("PROPERTIES"))),
        event("MIDDLEMOUSE"),
        event("WHEELUPMOUSE"),
        event("NUMPAD_1"),
        event("MOUSEMOVE", "NOTHING"),
        event("LEFT_CTRL"),
        event("P", "RELEASE"),
    ):
        assert not preview_input.may_call(bpy.context, each)


# Pause


def test_p_and_space_pause() -> None:
    body("box")
    play()
    for key in ("P", "SPACE"):
        assert pauses(bpy.context, event(key))
        assert pauses(bpy.context, event(key, at=middle(area("DOPESHEET_EDITOR"))))
        assert not pauses(bpy.context, event(key, "RELEASE"))
        assert not pauses(bpy.context, event(key, is_repeat=True)), "a key that is held down"
        for name in ("ctrl", "alt", "oskey"):
            assert not pauses(bpy.context, event(key, **{name: True}))
    assert not pauses(bpy.context, event("W"))


@pytest.mark.parametrize("kind", ["TEXT_EDITOR", "CONSOLE"])
def test_letters_are_written_where_texts_are(kind: str) -> None:
    body("box")
    play()
    other = area("PROPERTIES")
    other.type = kind
    try:
        assert not pauses(bpy.context, event("P", at=middle(other)))
        assert not pauses(bpy.context, event("SPACE", at=middle(other)))
    finally:
        other.type = "PROPERTIES"


def test_space_stops_a_vehicle_first() -> None:
    session = driving()
    assert handled(bpy.context, event("SPACE"), session)


# The mouse


def look(
    monkeypatch: pytest.MonkeyPatch, perspective: str = "ORTHO", *, is_perspective: bool = False
) -> None:
    """Look along +Y, with 10 m across the view's width and 100 m deep around Y = -20."""
    window = region("WINDOW")
    across, up = 5.0, 5.0 * window.height / window.width
    matrix = np.zeros((4, 4))
    matrix[0, 0], matrix[1, 2], matrix[3, 3] = 1.0 / across, 1.0 / up, 1.0
    matrix[2, 1], matrix[2, 3] = 1.0 / 50.0, 20.0 / 50.0
    turn = np.eye(4)
    turn[:3, :3] = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]
    from mathutils import Matrix

    data = SimpleNamespace(
        view_perspective=perspective,
        is_perspective=is_perspective,
        perspective_matrix=Matrix(matrix.tolist()),
        view_matrix=Matrix(turn.tolist()),
    )
    shown = preview_input._view

    def seen(*args: Any) -> Any:
        found = shown(*args)
        return found and (found[0], data, found[2])

    monkeypatch.setattr(preview_input, "_view", seen)


def test_the_mouse_pulls_what_it_was_pressed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    gravity(0.0)
    body("box")
    session = play()
    session.step(2)
    look(monkeypatch)
    window = region("WINDOW")
    x, y = middle(window)
    grab = session.grab
    assert not handled(bpy.context, event("LEFTMOUSE", at=(window.x + 200, y)), session)
    assert not handled(bpy.context, event("MOUSEMOVE", "NOTHING"), session)
    assert not handled(bpy.context, event("LEFTMOUSE", "RELEASE"), session)
    assert handled(bpy.context, event("LEFTMOUSE"), session)
    assert grab.body == 0
    assert grab.to @ TO_GLTF == pytest.approx([0.0, -0.5, 0.0], abs=0.02)
    right = event("MOUSEMOVE", "NOTHING", at=(x + window.width // 5, y))
    assert handled(bpy.context, right, session)
    assert grab.to @ TO_GLTF == pytest.approx([2.0, -0.5, 0.0], abs=0.02)
    session.step(120)
    assert (session.poses().position[0] @ TO_GLTF)[0] == pytest.approx(2.0, abs=0.1)
    assert handled(bpy.context, event("LEFTMOUSE", "RELEASE"), session)
    assert grab.body == -1


def test_what_is_near_the_eye_of_a_flat_camera_can_be_pulled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Blender's own line into such a view begins in the middle of what the camera sees."""
    body("box", (0.0, -60.0, 0.0))
    session = play()
    look(monkeypatch, "CAMERA")
    view = preview_input._view(bpy.context, event("LEFTMOUSE"), session)
    assert view is not None
    plain = view3d_utils.region_2d_to_origin_3d(*view)
    assert plain.y > -60.0, "so that this tests something"
    origin, direction = preview_input._ray(*view)
    assert origin.y == pytest.approx(-70.0, abs=0.01)
    assert Vector(direction).dot((0.0, 1.0, 0.0)) == pytest.approx(1.0)
    assert handled(bpy.context, event("LEFTMOUSE"), session)
    assert session.grab.body == 0


def test_a_drag_out_of_the_view_holds_on(monkeypatch: pytest.MonkeyPatch) -> None:
    gravity(0.0)
    body("box")
    session = play()
    look(monkeypatch)
    handled(bpy.context, event("LEFTMOUSE"), session)
    before = session.grab.to.copy()
    away = middle(area("PROPERTIES"))
    assert handled(bpy.context, event("MOUSEMOVE", "NOTHING", at=away), session)
    assert (session.grab.to == before).all()
    assert handled(bpy.context, event("LEFTMOUSE", "RELEASE", at=away), session)


# What cannot start


@pytest.mark.parametrize(
    "operator", ["scene.omi_physics_preview_start", "object.omi_physics_bake", "record"]
)
def test_nothing_starts_while_a_picture_is_rendered(
    operator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body("box")
    space, _, name = operator.rpartition(".")
    found = getattr(
        getattr(bpy.ops, space or "scene"), name.replace("record", "omi_physics_record")
    )
    assert found.poll()
    monkeypatch.setattr(watching, "is_rendering", lambda: True)
    assert not found.poll()


def test_a_scene_in_another_mode_does_not_start() -> None:
    obj = scenes.add("mesh", scenes.cube_mesh())
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    assert not bpy.ops.scene.omi_physics_preview_start.poll()
    assert not bpy.ops.object.omi_physics_bake.poll()
    assert not bpy.ops.scene.omi_physics_record.poll()
    bpy.ops.object.mode_set(mode="OBJECT")


# In other windows


def listener(*beside: str) -> Any:
    """What listens in another window, called by hand; events reach it in a window only.

    Args:
        beside: names of other operators that wait for events there.
    """
    made = SimpleNamespace(_end=watching.End())
    found = [SimpleNamespace(bl_idname=name) for name in beside]
    context = Over(lambda: bpy.context)
    context.window = Over(lambda: bpy.context.window)
    context.window.modal_operators = found
    made.modal = lambda happened: OMIPHYSICS_OT_preview_listen.modal(made, context, happened)
    return made


class Over:
    """Something of Blender, some values of which are others."""

    def __init__(self, real: Callable[[], Any]) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value


def test_only_a_running_preview_is_listened_to() -> None:
    body("box")
    assert not bpy.ops.scene.omi_physics_preview_listen.poll()
    play()
    assert bpy.ops.scene.omi_physics_preview_listen.poll()


def test_other_windows_drive_and_stop() -> None:
    session = driving()
    other = listener()
    assert other.modal(event("MOUSEMOVE", "NOTHING")) == {"PASS_THROUGH"}
    assert other.modal(event("W")) == {"RUNNING_MODAL"}
    assert session.driver.pressed == {"W"}
    assert other.modal(event("ESC")) == {"FINISHED"}
    assert player.running() is None
    assert other.modal(event("W")) == {"FINISHED", "PASS_THROUGH"}


def test_who_listened_to_the_last_preview_hears_keys_of_the_next_one() -> None:
    """Where no event has come to its window between the two."""
    driving()
    other = listener()
    player.stop()
    session = play()
    assert other.modal(event("P")) == {"RUNNING_MODAL"}
    assert player.running() is session
    assert other.modal(event("ESC")) == {"FINISHED"}
    assert player.running() is None


def test_who_listened_leaves_a_preview_to_what_started_it_in_the_same_window() -> None:
    driving()
    other = listener("SCENE_OT_omi_physics_preview_start")
    player.stop()
    session = play()
    assert other.modal(event("ESC")) == {"FINISHED", "PASS_THROUGH"}
    assert player.running() is session
