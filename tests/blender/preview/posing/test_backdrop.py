"""What bones bend is seen in the artist's own scene, as a background of copies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.posing import posable
from omi_physics_addon.blender.preview.session import Session
from omi_physics_addon.blender.preview.stage import stage
from tests.blender.preview.input.test_bones import (
    armature,
    corners,
    hide,
    on_bone,
    reach,
    skinned,
    stand_in,
    stiff,
    turn,
    walk,
)
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, fall, place, play, run
from tools.random_runs.blender_dump import differences, dump

pytestmark = pytest.mark.usefixtures("standard_gravity")


def views() -> list[Any]:
    """The corners of what the artist's view shows that is called Skin and has a size there."""
    bpy.context.view_layer.update()
    rows = bpy.context.view_layer.depsgraph.object_instances
    return [
        np.array([row.matrix_world @ vertex.co for vertex in row.object.data.vertices])
        for row in rows
        if row.object.original.name.partition(".")[0] == "Skin" and row.matrix_world.determinant()
    ]


def middle() -> Any:
    """Where the one skin is that is seen."""
    (found,) = views()
    return found.mean(axis=0)


def limb() -> None:
    """A bone that is a body, and what it bends."""
    rig = armature()
    skinned(rig)
    stand_in(rig, "middle", "SPHERE").omi_physics.motion.mass = 1.0
    bpy.context.view_layer.update()


def limp() -> Session:
    """A preview in which a bone and what it bends have fallen for half a second."""
    limb()
    session = play(place="SCENE")
    run(session, 0.5)
    assert session.why_copies == ""
    return session


START = (0.0, 0.0, 6.5)


def test_the_skin_follows_in_the_artists_scene() -> None:
    artist = bpy.context.scene
    session = limp()
    assert bpy.context.window.scene == artist
    fallen = place(session, "middle Physics")[2] - 6.0
    assert fallen < -1.0
    np.testing.assert_allclose(middle(), (0.0, 0.0, 6.5 + fallen), atol=2e-3)
    rig = bpy.data.objects["Rig"]
    assert not any(len(bone.constraints) for bone in rig.pose.bones)
    player.stop()
    np.testing.assert_allclose(middle(), START, atol=1e-4)
    assert artist.background_set is None
    assert not stage.is_left()


@pytest.mark.parametrize("move", [turn, reach, walk, stiff, hide])
def test_keyframes_of_bones_go_on_bending(move: Any) -> None:
    rig = armature()
    skin = skinned(rig)
    skin.vertex_groups.new(name="tip").add(range(4), 0.5, "REPLACE")
    move(rig)
    on_bone(body("Ball", kind="SPHERE"), rig, "tip")
    scene: Any = bpy.context.scene
    scene.render.fps = 24
    expected = {}
    for frame in (5, 11, 17):
        scene.frame_set(frame)
        expected[frame] = corners(bpy.context.evaluated_depsgraph_get(), skin)
    scene.frame_set(5)
    before = dump()
    session = play(place="SCENE")
    for frame in (11, 17):
        run(session, (frame - 5) / 24 - session.time)
        (found,) = views()
        np.testing.assert_allclose(found, expected[frame], atol=1e-3)
    assert scene.frame_current == 5
    player.stop()
    assert differences(before, dump()) == []


def test_while_something_else_listens_there_is_one_skin_and_it_is_where_it_was() -> None:
    session = limp()
    assert session.display is not None
    session.display.wait()
    np.testing.assert_allclose(middle(), START, atol=1e-4)
    session.display.go_on()
    assert middle()[2] < 5.5


def test_an_edit_disturbs_nothing() -> None:
    session = limp()
    before = middle()
    bpy.data.objects["Rig"].location.x = 3.0
    np.testing.assert_allclose(middle(), before, atol=2e-3)
    session.step(3)
    assert middle()[2] < before[2] - 0.05
    player.stop()
    np.testing.assert_allclose(middle(), (3.0, 0.0, 6.5), atol=1e-4)


def test_the_background_that_was_there_is_kept(tmp_path: Path) -> None:
    """It is drawn all the while, and is there again after a stop, an undo and a crash."""
    scene: Any = bpy.context.scene
    stars: Any = bpy.data.scenes.new("Stars")
    scene.background_set = stars
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="made")
    limp()
    assert scene.background_set.background_set == stars
    bpy.ops.ed.undo_push(message="edited meanwhile")
    path = tmp_path / "crashed.blend"
    handlers = bpy.app.handlers.save_pre
    kept = list(handlers)
    handlers.clear()
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    finally:
        handlers.extend(kept)
    player.stop()
    assert scene.background_set == stars
    bpy.ops.ed.undo()
    assert bpy.context.scene.background_set.name == "Stars"
    assert not stage.is_left()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert bpy.context.scene.background_set.name == "Stars"
    assert sorted(each.name for each in bpy.data.scenes) == ["Scene", "Stars"]
    assert not stage.is_left()


def test_a_report_stays_of_today_while_copies_move() -> None:
    limb()
    scene: Any = bpy.context.scene
    bpy.ops.scene.omi_physics_check()
    report = reports.of_scene("CHECK", scene)
    assert report is not None
    report.is_followed = True
    session = play(place="SCENE")
    bpy.context.view_layer.update()
    report.is_followed = True
    session.step(2)
    bpy.context.view_layer.update()
    assert report.is_followed
    bpy.data.objects["Rig"].location.x = 3.0
    bpy.context.view_layer.update()
    assert not report.is_followed


def test_what_is_hidden_has_no_copy() -> None:
    rig = armature()
    skinned(rig).hide_set(True)
    stand_in(rig, "middle")
    bpy.context.view_layer.update()
    session = play(place="SCENE")
    run(session, 0.2)
    assert views() == []
    player.stop()


def test_a_preview_whose_copies_were_removed_ends() -> None:
    session = limp()
    group = bpy.context.scene.background_set.collection.children[0]
    bpy.data.objects.remove(group.objects[0])
    assert not session.is_whole
    session.scene.frame_set(session.frame + 1)
    assert session.error == player.GONE
    player.stop()
    np.testing.assert_allclose(middle(), START, atol=1e-4)


def test_linked_armatures_fall_too(tmp_path: Path) -> None:
    rig = armature()
    skinned(rig)
    stand_in(rig, "middle", "SPHERE")
    path = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    with bpy.data.libraries.load(str(path), link=True) as (_, wanted):
        wanted.objects = ["Rig", "Skin", "middle Physics"]
    for obj in wanted.objects:
        bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.update()
    session = play(place="SCENE")
    run(session, 0.5)
    assert session.why_copies == ""
    assert middle()[2] < 5.5
    player.stop()
    np.testing.assert_allclose(middle(), START, atol=1e-4)


def instances() -> list[Any]:
    """Two instances of a collection with a box that falls and a board that does not."""
    group = bpy.data.collections.new("Group")
    part = body("Part")
    part.modifiers.new("Round", "BEVEL")
    board = scenes.add("Board", scenes.cube_mesh(), location=(0.0, 2.0, 0.0))
    for obj in (part, board):
        bpy.context.collection.objects.unlink(obj)
        group.objects.link(obj)
    found = []
    for i in range(2):
        empty = scenes.add("Instance", None, location=(5.0 * i, 0.0, 10.0))
        empty.instance_type, empty.instance_collection = "COLLECTION", group
        found.append(empty)
    bpy.context.view_layer.update()
    return found


def seen(name: str) -> Any:
    """Where all is that views show of a name and that has a size, sorted, (n, 3)."""
    bpy.context.view_layer.update()
    rows = bpy.context.view_layer.depsgraph.object_instances
    return np.array(
        sorted(
            tuple(row.matrix_world.translation)
            for row in rows
            if row.object.original.name.partition(".")[0].endswith(name)
            and row.matrix_world.determinant()
        )
    ).round(3)


def test_bodies_in_instances_fall_in_the_artists_scene() -> None:
    instances()
    session = play(place="SCENE")
    run(session, 0.5)
    assert session.why_copies == ""
    height = 10.0 - fall(0.5)
    np.testing.assert_allclose(seen("Part"), [(0, 0, height), (5, 0, height)], atol=2e-3)
    np.testing.assert_allclose(seen("Board"), [(0, 2, 10), (5, 2, 10)])
    player.stop()
    np.testing.assert_allclose(seen("Part"), [(0, 0, 10), (5, 0, 10)])
    assert not stage.is_left()


def test_the_mouse_finds_what_only_copies_show() -> None:
    session = limp()
    scenes.add("Wall", scenes.cube_mesh(), location=(0.0, 4.0, 5.0)).scale = (9.0, 1.0, 9.0)
    bpy.context.view_layer.update()
    layer = bpy.context.view_layer
    height = float(place(session, "middle Physics")[2])
    find = session.grab.find
    found = find((0.0, -9.0, height), (0.0, 1.0, 0.0), layer)
    assert found is not None
    assert session.names[session.world.bodies[found[0]].node] == "middle Physics"
    assert found[1][2] == pytest.approx(1.0, abs=0.6)
    # The wall is before it, seen from the other side.
    assert find((0.0, 9.0, height), (0.0, -1.0, 0.0), layer) is None
    assert find((0.0, -9.0, 9.5), (0.0, 1.0, 0.0), layer) is None


@pytest.mark.parametrize(("make", "why"), [(instances, posable.INSTANCES), (limb, posable.BONES)])
def test_a_view_in_local_view_has_a_copy(
    make: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class View:
        local_view = object()

    make()
    monkeypatch.setattr(posable, "views_of", lambda _scene: [View()])
    assert play(place="SCENE").why_copies == why
