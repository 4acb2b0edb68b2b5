"""Bodies on bones in a preview."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_physics_addon.blender.preview import bake, limitations, player
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import G, at, body, floor, place, play, run
from tools.random_runs.blender_dump import differences, dump

BONES = ("root", "middle", "tip")


pytestmark = pytest.mark.usefixtures("standard_gravity")


def armature() -> Any:
    """Three bones of 1 m, one after the other, upwards from 5 m above the origin."""
    obj = scenes.add("Rig", bpy.data.armatures.new("Rig"), location=(0.0, 0.0, 5.0))
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for i, name in enumerate(BONES):
        bone = obj.data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0.0, 0.0, i), (0.0, 0.0, i + 1.0), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj


def on_bone(obj: Any, rig: Any, bone: str) -> Any:
    obj.parent, obj.parent_type, obj.parent_bone = rig, "BONE", bone
    return obj


def stand_in(rig: Any, bone: str, kind: str = "BOX") -> Any:
    """A body of a bone, as an import makes it: an empty in the frame of the bone."""
    obj = on_bone(body(f"{bone} Physics", kind=kind), rig, bone)
    obj.location = (0.0, -1.0, 0.0)  # Children begin at the tip.
    obj.omi_physics.is_bone_stand_in = True
    return obj


def falls(name: str) -> bool:
    """Whether a body of the preview falls for a second."""
    bpy.context.view_layer.update()
    session = play(show=False)
    before = place(session, name)
    run(session, 1.0)
    way = float(before[2] - place(session, name)[2])
    assert way == pytest.approx(0.0, abs=1e-3) or way == pytest.approx(G / 2.0, abs=0.2)
    player.stop()
    return way > 1.0


def test_a_body_on_a_bone_at_rest_falls() -> None:
    on_bone(body("Ball"), armature(), "tip")
    assert falls("Ball")


def key(rig: Any, path: str, bone: str) -> None:
    rig.pose.bones[bone].keyframe_insert(path, frame=1)


def hold(rig: Any, bone: str, kind: str = "LIMIT_LOCATION", **values: Any) -> None:
    constraint = rig.pose.bones[bone].constraints.new(kind)
    for name, value in values.items():
        setattr(constraint, name, value)


def drive(rig: Any, bone: str) -> None:
    rig.pose.bones[bone].driver_add("location", 0).driver.expression = "0"


@pytest.mark.parametrize(
    ("move", "is_moved"),
    [
        (lambda rig: key(rig, "location", "middle"), True),
        (lambda rig: key(rig, "location", "root"), True),
        (lambda rig: key(rig, "location", "tip"), False),
        (lambda rig: key(rig, "bbone_curveinx", "middle"), False),
        (lambda rig: hold(rig, "root"), True),
        (lambda rig: hold(rig, "root", mute=True), False),
        (lambda rig: hold(rig, "tip"), False),
        (lambda rig: hold(rig, "tip", "IK", chain_count=2), True),
        (lambda rig: hold(rig, "tip", "IK", chain_count=1), False),
        (lambda rig: hold(rig, "tip", "IK", chain_count=0), True),
        (lambda rig: drive(rig, "middle"), True),
        (lambda rig: rig.keyframe_insert("location", frame=1), True),
    ],
)
def test_only_what_moves_a_bone_holds_its_bodies(move: Any, is_moved: bool) -> None:
    rig = armature()
    on_bone(body("Ball"), rig, "middle")
    move(rig)
    assert falls("Ball") != is_moved


def test_keys_of_a_rig_that_shows_its_rest_move_nothing() -> None:
    rig = armature()
    on_bone(body("Ball"), rig, "middle")
    key(rig, "location", "middle")
    rig.data.pose_position = "REST"
    assert falls("Ball")


def test_what_hangs_on_a_bone_belongs_to_the_body_of_the_bone() -> None:
    rig = armature()
    low, high = stand_in(rig, "root", ""), stand_in(rig, "tip", "")
    near = on_bone(scenes.add("Near", scenes.cube_mesh()), rig, "middle")
    far = on_bone(scenes.add("Far", scenes.cube_mesh()), rig, "tip")
    for part in (near, far):
        scenes.add_collider(part)
    bpy.context.view_layer.update()
    session = play(show=False)
    assert at(session, "Near") == at(session, low.name)
    assert at(session, "Far") == at(session, high.name) != at(session, low.name)


def skinned(rig: Any) -> Any:
    """A cube around the middle of the middle bone, which that bone moves."""
    obj = scenes.add("Skin", scenes.cube_mesh(), parent=rig)
    obj.data.transform(Matrix.Translation((0.0, 0.0, 1.5)))
    obj.vertex_groups.new(name="middle").add(range(8), 1.0, "REPLACE")
    modifier = obj.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig
    return obj


def seen(session: Any, name: str) -> Any:
    """Where the corners of what shows an object are in the middle, in the preview."""
    scene = bpy.data.scenes[session.stage]
    graph = scene.view_layers[0].depsgraph
    (obj,) = [o for o in scene.objects if o.name.partition(".")[0] == name]
    shown = obj.evaluated_get(graph)
    corners = [shown.matrix_world @ vertex.co for vertex in shown.data.vertices]
    return np.mean(corners, axis=0)


def test_the_skin_follows_the_bodies_of_its_bones() -> None:
    rig = armature()
    skinned(rig)
    stand_in(rig, "middle", "SPHERE").omi_physics.motion.mass = 1.0
    bpy.context.view_layer.update()
    session = play()
    np.testing.assert_allclose(seen(session, "Skin"), (0.0, 0.0, 6.5), atol=1e-4)
    fallen = place(session, "middle Physics")
    run(session, 0.5)
    fallen = place(session, "middle Physics") - fallen
    assert fallen[2] < -1.0
    np.testing.assert_allclose(seen(session, "Skin"), (0.0, 0.0, 6.5) + fallen, atol=1e-3)


def turn(rig: Any) -> None:
    """Keyframes of a bone, which carries the next one, with growing sizes."""
    bone = rig.pose.bones["middle"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (30, 2.0)):
        bone.rotation_euler.x, bone.scale.y = angle, 1.0 + angle
        bone.keyframe_insert("rotation_euler", frame=frame)
        bone.keyframe_insert("scale", frame=frame)


def reach(rig: Any) -> None:
    """A chain that reaches for something that keyframes move."""
    aim = scenes.add("Aim", None, location=(0.0, 0.0, 8.0))
    for frame, y in ((1, 0.0), (30, 2.5)):
        aim.location.y = y
        aim.keyframe_insert("location", frame=frame)
    rig.pose.bones["middle"].rotation_mode = "XYZ"
    rig.pose.bones["middle"].rotation_euler.x = 0.2  # Else it would not know which way to bend.
    hold(rig, "tip", "IK", chain_count=3, target=aim)


def grow(rig: Any) -> None:
    """Keyframes of a shape key below the bones, and of a bone."""
    turn(rig)
    skin = bpy.data.objects["Skin"]
    skin.shape_key_add(name="Basis")
    up = skin.shape_key_add(name="Up")
    for point in up.data:
        point.co.x += 1.0
    for frame, value in ((1, 0.0), (30, 1.0)):
        up.value = value
        up.keyframe_insert("value", frame=frame)


def walk(rig: Any) -> None:
    """Keyframes of a bone, and of the armature itself."""
    turn(rig)
    for frame, x in ((1, 0.0), (30, 4.0)):
        rig.location.x = x
        rig.keyframe_insert("location", frame=frame)


def corners(graph: Any, obj: Any) -> Any:
    shown = obj.evaluated_get(graph)
    return np.array([shown.matrix_world @ vertex.co for vertex in shown.data.vertices])


def stiff(rig: Any) -> None:
    """Keyframes of a bone whose turn and scale the next one does not take over."""
    turn(rig)
    rig.data.bones["tip"].inherit_scale = "NONE"
    rig.data.bones["tip"].use_inherit_rotation = False


def hide(rig: Any) -> None:
    """Keyframes that make a bone, and what it carries, nothing for a while."""
    turn(rig)
    for name, value in (("root", 0.0), ("middle", 0.0)):
        bone = rig.pose.bones[name]
        for frame, scale in ((1, 1.0), (8, value), (14, value), (20, 1.0)):
            bone.scale = (scale, scale, scale)
            bone.keyframe_insert("scale", frame=frame)


@pytest.mark.parametrize("move", [turn, reach, grow, walk, stiff, hide])
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
    assert np.abs(expected[17] - expected[5]).max() > 0.2
    before = dump()
    session = play()
    shown = bpy.data.scenes[session.stage]
    (obj,) = [each for each in shown.objects if each.name.partition(".")[0] == "Skin"]
    for frame in (5, 11, 17):
        run(session, (frame - 5) / 24 - session.time)
        found = corners(shown.view_layers[0].depsgraph, obj)
        np.testing.assert_allclose(found, expected[frame], atol=1e-3)
    player.stop()
    assert differences(before, dump()) == []
    assert not any("keeps the shape" in one.text for one in limitations.of_scene(scene))


def test_a_rig_comes_to_rest_on_the_floor_and_stop_brings_it_back() -> None:
    rig = armature()
    skinned(rig)
    stand_in(rig, "middle")
    floor()
    bpy.context.view_layer.update()
    before = [bone.matrix.copy() for bone in rig.pose.bones]
    blocks = {name: len(getattr(bpy.data, name)) for name in ("objects", "meshes", "armatures")}
    session = play()
    run(session, 3.0)
    assert place(session, "middle Physics")[2] == pytest.approx(0.5, abs=0.01)
    assert seen(session, "Skin")[2] == pytest.approx(1.0, abs=0.02)
    player.stop()
    bpy.context.view_layer.update()
    assert [bone.matrix for bone in rig.pose.bones] == before
    assert not any(len(bone.constraints) for bone in rig.pose.bones)
    assert blocks == {name: len(getattr(bpy.data, name)) for name in blocks}


def test_a_bake_leaves_out_bodies_of_bones_and_says_so() -> None:
    rig = armature()
    stand_in(rig, "middle")
    body("Ball", (5.0, 0.0, 5.0))
    bpy.context.view_layer.update()
    done = bake.Bake(bpy.context.scene, bake.Span(start=1, end=3), None)
    for _ in range(done.count):
        done.step()
    found = done.finish()
    assert (found.objects, found.skipped) == (("Ball",), ("middle Physics",))
