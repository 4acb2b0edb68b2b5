"""Baking the preview to keyframes."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from omi_physics_addon.blender.base import compat
from omi_physics_addon.blender.preview import bake, player, recorder
from omi_physics_addon.blender.preview.stage import stage
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, floor, gravity

FPS = 24
TOLERANCE = 1e-4


@pytest.fixture(autouse=True)
def _begin() -> None:
    gravity()
    bpy.context.scene.render.fps = FPS


def baked(**options: Any) -> set[str]:
    return bpy.ops.object.omi_physics_bake(**{"start": 1, "end": 25, **options})


def recorded(seconds: float) -> dict[str, Any]:
    """What a recording of the same steps says, by name: places and rotations at each frame."""
    scene = bpy.context.scene
    made = recorder.record(scene, recorder.options(72, 4, seconds), seconds).recording
    places, turns, _, _ = made.stacked()
    return {name: (places[::3, i], turns[::3, i]) for i, name in enumerate(made.names)}


def world_at(frame: int, name: str) -> Matrix:
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    return bpy.data.objects[name].evaluated_get(graph).matrix_world.copy()


def expected(pose: tuple[Any, Any], i: int) -> Any:
    """A recorded pose as a matrix in Blender's axes."""
    (x, y, z), (qx, qy, qz, qw) = pose[0][i], pose[1][i]
    return Matrix.LocRotScale((x, -z, y), Quaternion((qw, qx, -qz, qy)), None)


def same(found: Any, wanted: Any) -> None:
    assert np.abs(np.array(found) - np.array(wanted)).max() < TOLERANCE


def tumbling(name: str, place: Any = (0.0, 0.0, 4.0)) -> Any:
    obj = body(name, place, angular_velocity=(1.0, 9.0, 3.0), linear_velocity=(1.0, 0.0, 2.0))
    bpy.context.scene.omi_physics.preview.rate = 60
    return obj


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "QUATERNION", "AXIS_ANGLE"])
def test_keys_follow_the_recorded_poses(mode: str) -> None:
    floor()
    box = tumbling("box")
    box.rotation_mode = mode
    box.delta_location = (0.5, 0.0, 0.0)
    box.delta_rotation_euler = (0.1, 0.0, 0.0)
    box.delta_rotation_quaternion = Quaternion((0.0, 0.0, 1.0), 0.2)
    poses = recorded(1.0)["box"]
    assert baked() == {"FINISHED"}
    assert bpy.ops.object.omi_physics_bake.poll()  # Else there is no redo panel.
    for frame in (1, 2, 13, 25):
        same(world_at(frame, "box"), expected(poses, frame - 1))
    for curve in compat.curves(box.animation_data):
        values = [point.co[1] for point in curve.keyframe_points]
        assert len(values) == 25
        assert np.abs(np.diff(values)).max() < 2.5, "the rotation jumps"
        assert {point.interpolation for point in curve.keyframe_points} == {"LINEAR"}
        assert curve.group.name == "Object Transforms"
    assert not stage.is_left()


def test_parents_are_respected_and_scale_stays() -> None:
    above = scenes.add("above", None, location=(1.0, 2.0, 3.0))
    above.rotation_euler = (0.3, 0.4, 0.5)
    above.scale = (2.0, 2.0, 2.0)
    box = tumbling("box")
    box.parent = above
    box.scale = (1.0, 0.5, 2.0)
    child = tumbling("child", (3.0, 0.0, 1.0))
    child.parent = box
    child.parent_type = "OBJECT"
    box.scale = (1.0, 1.0, 1.0)
    poses = recorded(1.0)
    assert baked() == {"FINISHED"}
    for frame in (1, 7, 25):
        for name in ("box", "child"):
            place, turn, scale = world_at(frame, name).decompose()
            wanted = expected(poses[name], frame - 1).decompose()
            assert np.abs(np.array(place - wanted[0])).max() < TOLERANCE
            assert abs(abs(turn.dot(wanted[1])) - 1.0) < TOLERANCE
            assert tuple(scale) == pytest.approx((2.0, 2.0, 2.0), abs=1e-5)


def test_only_selected_bodies_get_keys_though_all_play() -> None:
    hit, hitter = tumbling("hit"), body("hitter", (-3.0, 0.0, 4.0), linear_velocity=(9.0, 0, 0))
    bpy.ops.object.select_all(action="DESELECT")
    hit.select_set(True)
    poses = recorded(1.0)["hit"]
    assert baked(only_selected=True) == {"FINISHED"}
    same(world_at(25, "hit"), expected(poses, 24))
    assert hitter.animation_data is None
    assert hit.animation_data.action is not None


def test_steps_and_other_starts() -> None:
    bpy.context.scene.frame_set(7)
    box = body("box", (0.0, 0.0, 9.0))
    assert baked(start=101, end=121, step=5) == {"FINISHED"}
    assert bpy.context.scene.frame_current == 7
    curve = compat.curves(box.animation_data)[2]
    assert [point.co[0] for point in curve.keyframe_points] == [101, 106, 111, 116, 121]
    assert curve.keyframe_points[0].co[1] == pytest.approx(9.0, abs=1e-5)
    fallen = 0.5 * 9.81 * (20 / FPS) ** 2
    assert curve.keyframe_points[4].co[1] == pytest.approx(9.0 - fallen, abs=0.05)


def colored(obj: Any) -> Any:
    """Give an object an action that does not move it."""
    obj.color = (0.0, 0.0, 0.0, 1.0)
    obj.keyframe_insert("color", index=0, frame=1)
    obj.color = (1.0, 0.0, 0.0, 1.0)
    obj.keyframe_insert("color", index=0, frame=11)
    return obj.animation_data.action


def test_the_action_before_is_kept_and_goes_on() -> None:
    box = body("box", (0.0, 0.0, 9.0))
    action = colored(box)
    count = len(compat.curves(box.animation_data))
    baked()
    assert box.animation_data.action is not action
    bpy.context.scene.frame_set(11)
    graph = bpy.context.evaluated_depsgraph_get()
    assert box.evaluated_get(graph).color[0] == pytest.approx(1.0)
    assert world_at(25, "box").translation.z < 6.0
    box.select_set(True)
    assert bpy.ops.object.omi_physics_remove_bake() == {"FINISHED"}
    assert box.animation_data.action is action
    assert len(compat.curves(box.animation_data)) == count
    assert not len(box.animation_data.nla_tracks)
    assert world_at(25, "box").translation.z == pytest.approx(9.0)
    assert len(bpy.data.actions) == 1


def test_baking_again_replaces_the_bake() -> None:
    box = body("box", (0.0, 0.0, 9.0))
    colored(box)
    baked()
    first = world_at(25, "box")
    assert baked() == {"FINISHED"}
    same(world_at(25, "box"), first)
    assert len(bpy.data.actions) == 2
    assert len(box.animation_data.nla_tracks) == 1


def test_cancelling_brings_the_bake_before_back() -> None:
    box = body("box", (0.0, 0.0, 9.0))
    baked()
    scene, before = bpy.context.scene, world_at(25, "box")
    action = box.animation_data.action
    work = bake.Bake(scene, bake.Span(start=1, end=9), None)
    work.step()
    work.step()
    work.cancel()
    assert box.animation_data.action == action
    assert scene.frame_current == 25
    same(world_at(25, "box"), before)
    assert not stage.is_left()


def test_cancelling_keeps_where_a_baked_body_was_moved_since() -> None:
    box = tumbling("Box")
    scene = bpy.context.scene
    assert baked(start=1, end=9) == {"FINISHED"}
    box.location.x += 2.0  # Without a key.
    moved = tuple(box.location)
    work = bake.Bake(scene, bake.Span(start=1, end=9), None)
    work.step()
    work.cancel()
    for layer in scene.view_layers:  # As Blender does before it draws.
        layer.update()
    assert tuple(box.location) == pytest.approx(moved)


def running_bake() -> bake.Bake:
    """A bake of what was baked before, some frames on its way."""
    bpy.context.scene.frame_set(25)
    work = bake.Bake(bpy.context.scene, bake.Span(start=1, end=9), None)
    work.step()
    work.step()
    assert bpy.data.objects["box"].animation_data.action is None
    return work


def _save_as(path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(path / "a.blend"))


def _undo(_path: Path) -> None:
    bpy.ops.ed.undo()


@pytest.mark.parametrize("end", [_save_as, _undo, lambda _path: player.stop()])
def test_a_bake_that_is_ended_from_elsewhere_brings_everything_back(
    end: Callable[[Path], Any], tmp_path: Path
) -> None:
    body("box", (0.0, 0.0, 9.0))
    baked()
    before = world_at(25, "box")
    for _ in range(2):
        bpy.ops.ed.undo_push(message="baked")
    work = running_bake()
    end(tmp_path)
    assert player.running() is None
    box: Any = bpy.data.objects["box"]
    assert bake.is_baked(box)
    assert box.animation_data.action.users == 1
    assert not box.animation_data.action.use_fake_user
    assert bpy.context.scene.frame_current == 25
    same(world_at(25, "box"), before)
    work.cancel()
    assert bake.is_baked(bpy.data.objects["box"])


def test_what_is_removed_during_a_bake_does_no_harm() -> None:
    for x, name in enumerate(("box", "gone")):
        body(name, (5.0 * x, 0.0, 9.0))
    baked()
    for end in ("cancel", "finish"):
        work = running_bake()
        bpy.data.objects.remove(bpy.data.objects["gone"])
        while work.done < work.count:
            work.step()
        getattr(work, end)()
        assert bake.is_baked(bpy.data.objects["box"])
        body("gone", (5.0, 0.0, 9.0))


def test_a_bake_leaves_values_without_keys_alone() -> None:
    box, other = body("box", (0.0, 0.0, 9.0)), scenes.add("other", scenes.cube_mesh())
    scene: Any = bpy.context.scene
    other.keyframe_insert("location", frame=1)
    baked()
    scene.frame_set(12, subframe=0.25)
    other.location.x = 4.5
    bpy.context.view_layer.update()
    work = bake.Bake(scene, bake.Span(start=1, end=9), None)
    work.step()
    work.cancel()
    assert scene.frame_current_final == 12.25
    assert other.location.x == 4.5
    below = box.location.z
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    baked()
    assert scene.frame_current_final == 12.25
    assert other.location.x == 4.5
    assert below < 8.0
    assert box.location.z == pytest.approx(9.0, abs=1e-4)


def test_linked_bodies_are_left_alone(tmp_path: Path) -> None:
    """There may be an object of the same name in the file itself."""
    path = str(tmp_path / "library.blend")
    body("box", (5.0, 0.0, 9.0))
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    own = body("box", (0.0, 0.0, 9.0))
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.objects = ["box"]
    (linked,) = wanted.objects
    bpy.context.scene.collection.objects.link(linked)
    own.omi_physics.motion.type = "STATIC"
    assert baked() == {"CANCELLED"}
    own.omi_physics.motion.type = "DYNAMIC"
    assert baked() == {"FINISHED"}
    assert linked.animation_data is None
    bpy.context.scene.frame_set(25)
    assert own.location.x == pytest.approx(0.0, abs=1e-3)


def test_refusals() -> None:
    floor()
    assert baked() == {"CANCELLED"}, "nothing moves"
    body("box")
    assert baked(start=5, end=4) == {"CANCELLED"}
    bpy.ops.object.select_all(action="DESELECT")
    assert baked(only_selected=True) == {"CANCELLED"}
    assert not stage.is_left()
    player.start(bpy.context.scene)
    assert not bpy.ops.object.omi_physics_bake.poll()


def test_undo_and_redo() -> None:
    body("box", (0.0, 0.0, 9.0))
    bpy.ops.ed.undo_push(message="before")
    baked()
    bpy.ops.ed.undo_push(message="baked")
    bpy.ops.ed.undo()
    assert bpy.data.objects["box"].animation_data is None
    bpy.ops.ed.redo()
    assert bpy.data.objects["box"].animation_data.action is not None


def floats(gltf: dict[str, Any], folder: Path, index: int) -> Any:
    """The numbers of an accessor, as rows."""
    accessor = gltf["accessors"][index]
    view = gltf["bufferViews"][accessor["bufferView"]]
    data = (folder / gltf["buffers"][view["buffer"]]["uri"]).read_bytes()
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    count = width * accessor["count"]
    return np.array(struct.unpack_from(f"<{count}f", data, start)).reshape(-1, width)


def test_the_export_has_the_same_animation(
    export: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    floor()
    tumbling("box")
    body("ball", (3.0, 0.0, 2.0), "SPHERE")
    poses = recorded(1.0)
    baked()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 25
    gltf = export()
    seen: set[tuple[str, str]] = set()
    for animation in gltf["animations"]:
        for channel in animation["channels"]:
            name = gltf["nodes"][channel["target"]["node"]]["name"]
            path = channel["target"]["path"]
            sampler = animation["samplers"][channel["sampler"]]
            times = floats(gltf, tmp_path, sampler["input"])[:, 0]
            values = floats(gltf, tmp_path, sampler["output"])
            rows = np.rint(times * FPS).astype(int) - 1
            wanted = poses[name][0 if path == "translation" else 1][rows]
            if path == "rotation":
                wanted = wanted * np.sign(np.einsum("ij,ij->i", wanted, values))[:, None]
            assert path != "scale" or np.allclose(values, 1.0)
            if path != "scale":
                assert np.abs(values - wanted).max() < TOLERANCE
                seen.add((name, path))
    assert {("box", "translation"), ("box", "rotation"), ("ball", "translation")} <= seen
    assert json.dumps(gltf).count("OMI_physics_body") > 0
    assert math.isclose(max(times), 25 / FPS, abs_tol=1e-3)
