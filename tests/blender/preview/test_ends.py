"""What has to happen at the end of a preview happens, whoever ends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.preview import player, session
from omi_physics_addon.blender.preview.stage import stage
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support.preview_scenes import body, gravity, play


def _undo(_path: Path) -> None:
    bpy.ops.ed.undo_push(message="x")
    bpy.ops.ed.undo_push(message="y")
    bpy.ops.ed.undo()


def _disable(_path: Path) -> None:
    player.unregister()
    player.register()


WAYS: dict[str, Callable[[Path], Any]] = {
    "stop": lambda _path: player.stop(),
    "start": lambda _path: player.start(bpy.data.scenes["Scene"]),
    "save": lambda path: bpy.ops.wm.save_as_mainfile(filepath=str(path / "a.blend")),
    "new": lambda _path: bpy.ops.wm.read_homefile(use_empty=True),
    "undo": _undo,
    "disable": _disable,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_waits_for_the_end_is_called_once(way: str, tmp_path: Path) -> None:
    body("box")
    play()
    called: list[bool] = []
    player.at_stop(lambda: called.append(stage.is_left()))
    WAYS[way](tmp_path)
    assert called == [False]
    player.stop()
    assert len(called) == 1


def test_a_restart_is_not_the_end() -> None:
    body("box")
    play()
    called: list[bool] = []
    player.at_stop(lambda: called.append(True))
    player.restart()
    assert called == []
    player.stop()
    assert called == [True]


def test_a_restart_that_fails_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    body("box")
    play()
    called: list[bool] = []
    player.at_stop(lambda: called.append(True))

    def fails(*_args: Any) -> None:
        raise ValueError("of all things")

    monkeypatch.setattr(session.scene_input, "read", fails)
    with pytest.raises(ValueError, match="of all things"):
        player.restart()
    assert called == [True]


def test_what_fails_at_the_end_holds_nothing_else_up() -> None:
    body("box")
    play()
    called: list[bool] = []
    player.at_stop(lambda: called.append(True))

    def fails() -> None:
        raise ZeroDivisionError("of all things")

    player.at_stop(fails)
    player.at_stop(lambda: called.append(True))
    with pytest.raises(ZeroDivisionError):
        player.stop()
    assert called == [True, True]
    assert player.running() is None


class Animated:
    """Things with keys at the frames 1 and 9, whose values were changed at frame 1 since then."""

    def __init__(self) -> None:
        gravity()
        self.box = body("box")
        self.lamp = bpy.data.lights.new("lamp", "POINT")
        self.speaker = bpy.data.speakers.new("speaker")
        for data in (self.lamp, self.speaker):
            bpy.context.scene.collection.objects.link(bpy.data.objects.new(data.name, data))
        for frame, values in ((1, (0.0, 10.0, 1.0)), (9, (8.0, 90.0, 2.0))):
            self.set(*values)
            for owner, name in ((self.box, "location"), (self.lamp, "energy")):
                owner.keyframe_insert(name, frame=frame)
            self.speaker.keyframe_insert("pitch", frame=frame)
        bpy.context.view_layer.update()
        self.set(4.5, 77.0, 1.5)

    def set(self, x: float, energy: float, pitch: float) -> None:
        self.box.location.x, self.lamp.energy, self.speaker.pitch = x, energy, pitch

    def values(self) -> tuple[float, float, float]:
        return self.box.location.x, self.lamp.energy, self.speaker.pitch


def test_values_without_keys_stay_through_pauses() -> None:
    animated = Animated()
    session = player.start(bpy.context.scene, PreviewOptions())
    assert animated.values() == (4.5, 77.0, 1.5)
    session.step(5)
    player.toggle()
    assert animated.box.location.x == 4.5
    session.step(5)
    player.stop()
    bpy.context.view_layer.update()
    assert animated.values() == (4.5, 77.0, 1.5)


def test_another_frame_of_the_artists_scene_counts_afterwards() -> None:
    animated = Animated()
    scene: Any = bpy.context.scene
    session = player.start(scene, PreviewOptions())
    session.step(5)
    scene.frame_set(9)
    player.stop()
    bpy.context.view_layer.update()
    assert scene.frame_current == 9
    assert animated.values() == (8.0, 90.0, 2.0)


def test_a_preview_does_not_go_on_beyond_its_time() -> None:
    body("box")
    session = player.start(bpy.context.scene, PreviewOptions(seconds=1.0))
    session.step(session.options.frames - 1)
    assert session.is_over
    player.toggle()
    assert session.scene.frame_current == session.options.frames
    assert player.running() is session


def test_messages_end_with_the_file() -> None:
    body("box")
    play()
    bpy.ops.ed.undo_push(message="x")
    bpy.ops.ed.undo_push(message="y")
    bpy.ops.ed.undo()
    assert player.message
    bpy.ops.wm.read_homefile(use_empty=True)
    assert player.message == ""
