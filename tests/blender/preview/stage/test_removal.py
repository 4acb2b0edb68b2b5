"""Many objects of a preview go while Blender is idle, and are in nobody's way until then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.stage import removal, stage
from omi_physics_addon.blender.preview.stage.windows import windows
from tests.blender.preview.test_speed import in_volume
from tests.blender.support.preview_scenes import body, of, play
from tools.random_runs.blender_dump import differences, dump


@pytest.fixture(autouse=True)
def _idle_later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take six objects for many, and this for a Blender with a window."""
    monkeypatch.setattr(removal, "_FEW", 6)
    monkeypatch.setattr(removal, "never_idle", False)
    yield
    player.stop()
    removal.remove_rest()


def left() -> list[Any]:
    return stage.tagged("objects")


def stopped() -> None:
    in_volume(3)
    play(place="SCENE").step(3)
    player.stop()
    assert len(left()) > 6


def idle() -> None:
    for _ in range(100):
        if removal.remove_some() is None:
            return
    raise AssertionError("it has no end")


def test_what_is_left_is_used_by_nothing_and_uses_nothing() -> None:
    stopped()
    assert not any(obj.users or obj.parent for obj in left())
    held = [obj.rigid_body_constraint for obj in left() if obj.rigid_body_constraint]
    assert held
    assert not any(each.object1 or each.object2 for each in held)
    assert not stage.tagged("scenes")
    assert not stage.tagged("collections")


def test_it_is_gone_when_blender_was_idle() -> None:
    in_volume(3)
    context: Any = bpy.context
    context.view_layer.update()
    before = dump()
    play(place="SCENE").step(3)
    player.stop()
    assert stage.is_left()
    idle()
    assert not stage.is_left()
    assert differences(before, dump()) == []


def test_a_window_shows_the_scene_of_the_artist_after_all_that_is_removed() -> None:
    """Blender builds what depends on what anew after each removal, and windows need it once."""
    in_volume(3)
    window = windows()[0]
    scene = window.scene
    play(show=True).step(3)
    assert window.scene != scene
    player.stop()
    assert window.scene == scene
    empty = [each for each in bpy.data.scenes if each != scene]
    assert [each.name for each in empty] == ["Empty"]
    assert not any(len(each.objects) for each in empty)
    assert empty == stage.tagged("scenes")
    play(show=True).step(3)  # What waits is in nobody's way.
    player.stop()
    idle()
    assert list(bpy.data.scenes) == [scene]
    assert not stage.is_left()


def test_the_empty_scene_goes_later_where_the_artist_has_many_objects() -> None:
    """Few objects of the preview go at once; Blender would go through all of the artist's again."""
    body("Ball", (0.0, 0.0, 2.0))
    scene: Any = bpy.context.scene
    play(show=True).step(3)
    player.stop()
    assert list(bpy.data.scenes) == [scene]
    for _ in range(7):
        scene.collection.objects.link(bpy.data.objects.new("Beside", None))
    play(show=True).step(3)
    player.stop()
    assert not left()
    assert [each.name for each in stage.tagged("scenes")] == ["Empty"]
    idle()
    assert list(bpy.data.scenes) == [scene]


def test_few_are_removed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removal, "_FEW", 500)
    in_volume(3)
    play(place="SCENE").step(3)
    player.stop()
    assert not stage.is_left()


def test_nothing_is_removed_while_a_preview_runs() -> None:
    stopped()
    names = {obj.name for obj in left()}
    session = play(place="SCENE")
    mine = {obj.name for obj in left()} - names
    assert {of(obj) for obj in left()} >= {"Body", "Raft"}
    assert len(mine) == len(names)
    assert removal.remove_some() is not None
    session.step(3)
    assert session.error == ""
    player.stop()
    idle()
    assert not stage.is_left()


def test_no_file_gets_any_of_it(tmp_path: Path) -> None:
    stopped()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "left.blend"), copy=True)
    assert not stage.is_left()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "left.blend"))
    assert not stage.is_left()


def test_nothing_is_left_when_the_add_on_is_disabled() -> None:
    stopped()
    player.unregister()
    try:
        assert not stage.is_left()
        assert not bpy.app.timers.is_registered(removal.remove_some)
    finally:
        player.register()


def test_what_an_undo_brings_back_goes_while_blender_is_idle() -> None:
    stopped()
    removal.remove_rest()
    in_volume(3)
    bpy.ops.ed.undo_push(message="before")
    play(place="SCENE").step(3)
    player.stop()
    bpy.ops.ed.undo_push(message="left")
    idle()
    bpy.ops.ed.undo_push(message="idle")
    bpy.ops.ed.undo()
    assert bpy.app.timers.is_registered(removal.remove_some) == stage.is_left()
    if stage.is_left():
        idle()
    assert not stage.is_left()


@pytest.mark.parametrize("few", [6, 500])
def test_the_cache_of_the_scene_is_as_good_as_before(
    monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Found in a window: constraints that let go of their objects marked it as outdated."""
    monkeypatch.setattr(removal, "_FEW", few)
    in_volume(3)
    scene: Any = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    for frame in (1, 2, 3, 1):
        scene.frame_set(frame)
    cache = scene.rigidbody_world.point_cache
    assert not cache.is_outdated
    play(place="COPY").step(3)
    player.stop()
    if stage.is_left():
        idle()
    assert not cache.is_outdated
