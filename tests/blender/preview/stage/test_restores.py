"""A preview leaves the artist's file as it was, whatever ends it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.preview import bake, player
from omi_physics_addon.blender.preview.bodies.actors import Actors
from omi_physics_addon.blender.preview.bodies.motors import Motors
from omi_physics_addon.blender.preview.copies.copies import Copies
from omi_physics_addon.blender.preview.session import Session
from omi_physics_addon.blender.preview.stage import stage
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from omi_physics_addon.blender.preview.stage.stage import Stage
from tests.blender.support import scenes
from tests.support import pace
from tools.random_runs import random_scene
from tools.random_runs.blender_dump import differences, dump

FRAMES = 120


def rich_scene(tmp_path: Path | None = None) -> Any:
    """Physics of ours, and beside it an own rigid-body world, animation and a second scene."""
    scene: Any = bpy.context.scene
    box = scenes.add("Box", scenes.cube_mesh(), location=(0, 0, 3))
    scenes.add_collider(box)
    motion = scenes.add_body(box)
    motion.angular_velocity = (0, 0, 1)
    child = scenes.add("Child", scenes.cube_mesh(), location=(1, 0, 0), parent=box)
    scenes.add_collider(child, "CONVEX")
    floor = scenes.add("Floor", scenes.cube_mesh(), location=(0, 0, -1))
    floor.scale = (10, 10, 1)
    scenes.add_collider(floor, "TRIMESH")
    lift = scenes.add("Lift", scenes.cube_mesh(), location=(4, 0, 0))
    scenes.add_collider(lift)
    scenes.add_body(lift, "KINEMATIC")
    for frame, height in ((1, 0.0), (40, 3.0)):
        lift.location.z = height
        lift.keyframe_insert("location", frame=frame)
    joint = scenes.add("Joint", None, location=(0, 0, 4), parent=box)
    joint.omi_physics.use_joint = True
    anchor = scenes.add("Anchor", None, location=(0, 0, 4))
    joint.omi_physics.joint.connected_object = anchor
    entry = scene.omi_physics.joint_settings.add()
    entry.name = "Ball"
    limit = entry.limits.add()
    limit.axes = (True, True, True)
    limit.use_min = limit.use_max = True
    joint.omi_physics.joint.settings = "Ball"
    random_scene.add_own_world(8.0)
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(scenes.add("Shared", scenes.cube_mesh()))
    scene.frame_set(7)
    lift.location.x = 4.5  # Not keyed at this place.
    bpy.context.view_layer.update()
    return scene


def play(scene: Any, frames: int = FRAMES, **options: Any) -> Session:
    session = player.start(scene, PreviewOptions(seconds=5.0, **options))
    session.step(frames)
    assert session.error == ""
    return session


def test_the_file_is_the_same_after_a_preview() -> None:
    scene = rich_scene()
    before = dump()
    session = play(scene)
    moved = session.poses().position
    player.stop()
    assert abs(moved).max() > 0.0
    assert differences(before, dump()) == []


@pytest.mark.parametrize(("shown", "first"), [(1, 2), (2, 1)])
@pytest.mark.parametrize("is_outdated", [False, True])
def test_a_cancelled_bake_changes_nothing(shown: int, first: int, *, is_outdated: bool) -> None:
    """Between the first two frames Blender takes back that a cache is outdated."""
    scene = rich_scene()
    scene.frame_set(shown)
    if is_outdated:
        bpy.data.objects["Own"].rigid_body.mass = 2.0
    assert scene.rigidbody_world.point_cache.is_outdated == is_outdated
    before = dump()
    work = bake.Bake(scene, bake.Span(start=first, end=9), None)
    work.step()
    work.cancel()
    assert differences(before, dump()) == []


@pytest.mark.parametrize("which", ["start", "frames", "grab", "pause", "stop"])
def test_the_artists_cache_stays_whatever_the_context_is(which: str) -> None:
    """Editors may have the artist's scene as their own while a window shows the preview."""
    scene = rich_scene()
    motion = bpy.data.objects["Box"].omi_physics.motion
    motion.gravity_factor, motion.mass = 0.5, 1.0
    before = dump()

    @contextlib.contextmanager
    def seen_from(what: str) -> Iterator[None]:
        if what != which:
            yield
            return
        with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
            yield

    with seen_from("start"):
        session = player.start(scene, PreviewOptions(seconds=5.0))
    with seen_from("frames"):
        session.step(10)
    with seen_from("grab"):
        session.grab.take(0, session.poses().position[0])
        session.step(3)
        session.grab.release()
    with seen_from("pause"):
        motion.mass = 3.0
        player.toggle()
        motion.mass = 1.0
        session.step(3)
    with seen_from("stop"):
        player.stop()
    assert differences(before, dump()) == []


CHANGES: dict[str, Callable[[], Any]] = {
    "Own/location": lambda: setattr(bpy.data.objects["Own"], "location", (1e-6, 8.0, 5.0)),
    "Other/frame_current": lambda: setattr(bpy.data.scenes["Other"], "frame_current", 3),
    "meshes/more: only after": lambda: bpy.data.meshes.new("more"),
    "actions/": lambda: bpy.data.actions.new("more"),
    "Own/users": lambda: bpy.data.scenes["Other"].collection.objects.link(bpy.data.objects["Own"]),
    "co: ": lambda: setattr(bpy.data.objects["Box"].data.vertices[3].co, "z", 9.0),
    "attributes": lambda: bpy.data.objects["Box"].data.attributes.new("some", "FLOAT", "POINT"),
    "keyframe_points": lambda: bpy.data.objects["Lift"].keyframe_insert("location", frame=5),
    "mass: ": lambda: setattr(bpy.data.objects["Box"].omi_physics.motion, "mass", 3.0),
    "rigidbody_world": lambda: setattr(bpy.context.scene.rigidbody_world, "time_scale", 3.0),
    "point_cache": lambda: setattr(bpy.context.scene.rigidbody_world.point_cache, "name", "x"),
    "sync_mode": lambda: setattr(bpy.context.scene, "sync_mode", "FRAME_DROP"),
    "/[]/mine": lambda: bpy.data.objects["Box"].__setitem__("mine", {"deep": [1, 2]}),
    "active": lambda: setattr(bpy.context.view_layer.objects, "active", bpy.data.objects["Own"]),
    "view of": lambda: bpy.data.objects["Own"].select_set(True),
    "Box: (": lambda: bpy.data.objects["Box"].hide_set(True),
    "shading": lambda: setattr(viewport().shading, "type", "WIREFRAME"),
    "view_perspective": lambda: setattr(viewport().region_3d, "view_perspective", "ORTHO"),
    "window 0/scene": lambda: setattr(bpy.context.window, "scene", bpy.data.scenes["Other"]),
    "handlers/frame_change_post": lambda: bpy.app.handlers.frame_change_post.append(print),
    "driver namespace": lambda: bpy.app.driver_namespace.__setitem__("mine", 1),
    "undo_steps": lambda: setattr(bpy.context.preferences.edit, "undo_steps", 9),
}


def viewport() -> Any:
    areas = bpy.context.window.screen.areas
    return next(area for area in areas if area.type == "VIEW_3D").spaces.active


def test_the_dump_tells_differences() -> None:
    """One after the other, in one scene."""
    rich_scene()
    before = dump()
    assert differences(before, dump()) == []
    steps = bpy.context.preferences.edit.undo_steps
    try:
        for what, change in CHANGES.items():
            change()
            after = dump()
            assert any(what in each for each in differences(before, after)), what
            before = after
    finally:
        bpy.context.preferences.edit.undo_steps = steps
        bpy.app.driver_namespace.pop("mine", None)
        if print in bpy.app.handlers.frame_change_post:
            bpy.app.handlers.frame_change_post.remove(print)


def test_the_baked_cache_plays_on_as_before() -> None:
    scene = rich_scene()

    def heights() -> list[float]:
        found = []
        for frame in (1, 5, 12, 20):
            scene.frame_set(frame)
            found.append(bpy.data.objects["Own"].matrix_world.translation.z)
        return found

    expected = heights()
    assert expected[0] > expected[-1]
    play(scene)
    player.stop()
    assert heights() == expected


def _counts() -> dict[str, int]:
    rows = [row.identifier for row in bpy.data.bl_rna.properties if row.type == "COLLECTION"]
    return {row: len(getattr(bpy.data, row)) for row in rows}


def test_a_hundred_previews_leave_nothing_behind_and_take_no_memory() -> None:
    scene = rich_scene()
    for _ in range(10):
        play(scene, 5)
        player.stop()
    there, counts = dump(), _counts()
    grown = list[int]()
    for _ in range(2):  # What else this process has done may give or take some once.
        before = pace.memory()
        for _ in range(50):
            play(scene, 5)
            player.stop()
        grown.append(pace.memory() - before)
    assert min(grown) < 5_000  # A scene of this size takes about 2 000 for each preview.
    assert _counts() == counts
    assert differences(there, dump()) == []


def test_saving_ends_the_preview_and_saves_the_artists_scene(tmp_path: Path) -> None:
    scene = rich_scene()
    play(scene, 10)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    assert player.running() is None
    assert bpy.context.window.scene == scene
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not stage.is_left()
    assert len(bpy.data.scenes) == 2


def test_opening_a_file_ends_the_preview(tmp_path: Path) -> None:
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    play(rich_scene(), 10)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert player.running() is None
    assert not stage.is_left()


@pytest.mark.parametrize("name", ["glTF Physics Preview", "OMI Physics Preview"])
def test_what_a_crash_left_in_a_file_is_removed_whatever_it_was_called(
    name: str, tmp_path: Path
) -> None:
    artist: Any = bpy.context.scene
    artist_name = artist.name
    left: Any = bpy.data.scenes.new(f"~ {name}")
    left[stage.TAG] = artist.name_full
    group: Any = bpy.data.collections.new(f"{name} Copies")
    mesh: Any = bpy.data.meshes.new(name)
    copy: Any = bpy.data.objects.new("~00001 Box", mesh)
    for block in (group, mesh, copy):
        block[stage.TAG] = True
    group.objects.link(copy)
    left.collection.children.link(group)
    bpy.context.window.scene = left
    path = str(tmp_path / "crashed.blend")
    # As an autosave does, without the handlers that would tidy up before.
    bpy.data.libraries.write(path, {artist, left}, fake_user=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not stage.is_left()
    assert [scene.name for scene in bpy.data.scenes] == [artist_name]


def test_a_new_file_ends_the_preview() -> None:
    play(rich_scene(), 10)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert player.running() is None
    assert not stage.is_left()


def test_undo_and_redo_end_the_preview() -> None:
    scene = rich_scene()
    bpy.ops.ed.undo_push(message="Before")
    bpy.data.objects["Box"].location.x = 2.0
    bpy.ops.ed.undo_push(message="Moved")
    name = scene.name
    for step in (bpy.ops.ed.undo, bpy.ops.ed.redo):
        play(bpy.data.scenes[name], 10)
        step()
        assert player.running() is None
        assert not stage.is_left()
        assert bpy.context.window.scene.name == name
    assert bpy.data.objects["Box"].location.x == 2.0
    play(bpy.data.scenes[name], 10)


def test_an_object_that_is_deleted_meanwhile_does_no_harm() -> None:
    scene = rich_scene()
    session = play(scene, 10)
    bpy.data.objects.remove(bpy.data.objects["Box"])
    bpy.data.objects.remove(bpy.data.objects["Child"])
    session.step(10)
    assert session.error == ""
    player.stop()
    assert bpy.context.window.scene == scene


@pytest.mark.parametrize("name", ["Alpha", "Scene", "~", "~ H", "Сцена", "\u30b7\u30fc", "😀"])
def test_the_scene_of_a_preview_is_the_last_one(name: str) -> None:
    scene = rich_scene()
    scene.name = name
    session = player.start(scene, PreviewOptions())
    assert list(bpy.data.scenes)[-1] == session.scene


@pytest.mark.parametrize("which", ["Own", "Own Floor"])
def test_bodies_of_an_own_world_may_be_deleted_meanwhile(which: str) -> None:
    """Blender takes them out of the worlds of all scenes, and crashed where a world was rebuilt."""
    scene = rich_scene()
    for i in range(8):  # Something that is moved, and so many that the tree of boxes is deep.
        lift = scenes.add(f"Lift {i}", scenes.cube_mesh(), location=(3.0 * i, 5.0, 0.0))
        scenes.add_collider(lift)
        scenes.add_body(lift, "KINEMATIC")
        for frame in (1, 30):
            lift.location.z = frame / 10.0
            lift.keyframe_insert("location", frame=frame)
    for frame in (1, 2, 3):
        scene.frame_set(frame)
    session = play(scene, 25)
    bpy.data.objects.remove(bpy.data.objects[which])
    session.step(10)
    assert session.error == ""
    player.stop()
    for frame in (1, 2, 3):
        scene.frame_set(frame)


def test_the_artists_scene_may_be_deleted_meanwhile() -> None:
    scene = rich_scene()
    play(scene, 10)
    bpy.data.scenes.remove(scene)
    player.stop()
    assert bpy.context.window.scene.name == "Other"


def test_a_switch_to_another_scene_does_not_disturb_the_stop() -> None:
    rich_scene()
    session = play(bpy.context.scene, 10)
    bpy.context.window.scene = bpy.data.scenes["Other"]
    session.step(5)
    player.stop()
    assert bpy.context.window.scene.name == "Other"


def test_disabling_the_addon_ends_the_preview() -> None:
    play(rich_scene(), 10)
    player.unregister()
    try:
        assert player.running() is None
        assert not stage.is_left()
    finally:
        player.register()


@pytest.mark.parametrize("at", ["_animate", "bodies.push", "bodies._look"])
def test_an_error_in_a_frame_is_told_and_everything_goes(
    at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = rich_scene()
    bpy.data.objects["Box"].omi_physics.motion.gravity_factor = 0.5
    before = dump()
    session = player.start(scene, PreviewOptions())
    session.step(10)

    def fails(*_args: Any, **_named: Any) -> None:
        raise ZeroDivisionError("of all things")

    owner, _, method = at.rpartition(".")
    monkeypatch.setattr(session.bodies if owner else session, method, fails)
    session.step(1)
    assert session.error == "of all things"
    assert player.message == "of all things"
    player.stop()
    assert differences(before, dump()) == []


@pytest.mark.parametrize(
    ("cls", "method"),
    [(Actors, "make"), (Motors, "configure"), (Copies, "make"), (Stage, "make_world")],
)
def test_an_error_at_the_start_leaves_nothing(
    cls: type, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = rich_scene()
    before = dump()
    original: Callable[..., Any] = getattr(cls, method)

    def fails(*args: Any, **options: Any) -> None:
        original(*args, **options)
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(cls, method, fails)
    with pytest.raises(ZeroDivisionError):
        player.start(scene, PreviewOptions())
    assert player.running() is None
    assert differences(before, dump()) == []


@pytest.mark.parametrize("where", ["COPY", "SCENE"])
def test_a_preview_ends_where_the_context_has_no_window(where: str) -> None:
    """As while a file is loaded, or Blender quits."""
    scene = rich_scene()
    known = [*bpy.data.scenes]
    with bpy.context.temp_override(window=None):
        play(scene, 2, place=where)
        player.stop()
    assert [*bpy.data.scenes] == known
    assert not stage.is_left()
