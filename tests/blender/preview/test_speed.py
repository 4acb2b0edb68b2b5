"""What a preview costs must grow as the scene does."""

from __future__ import annotations

import math
import re
import time
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.stage import stage
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, floor, gravity, of, play, shown, tied, volume
from tests.support import pace
from tools.bench import benchmark_growth

FRAMES = 8


def in_volume(count: int) -> None:
    """Bodies that do not meet, far from a point that attracts them."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    mesh = scenes.cube_mesh()
    for i in range(count):
        obj = scenes.add("Body", mesh, location=(3.0 * (i % 40), 3.0 * (i // 40), 0.0))
        scenes.add_collider(obj)
        scenes.add_body(obj)
    pull = volume("Gravity", "POINT", "SPHERE")
    pull.location.z, pull.omi_physics.trigger.shape.sphere.radius = -500.0, 5000.0


def seconds_of_frames(count: int) -> float:
    in_volume(count)
    session = player.start(bpy.context.scene, PreviewOptions(show=False))
    session.step(3)
    start = time.process_time()
    session.step(FRAMES)
    taken = time.process_time() - start
    player.stop()
    return taken


def test_frames_under_forces_grow_as_the_bodies_do() -> None:
    """Four times the bodies, four to seven times the time; were each a group, fifteen times."""
    pace.check_growth(seconds_of_frames, 400, 1600, most=12.0)


def test_forces_join_all_bodies_into_one_group() -> None:
    in_volume(3)
    session = player.start(bpy.context.scene, PreviewOptions())
    session.step(1)
    (raft,) = {one.object1 for one in tied(session)}
    assert {of(one.object2) for one in tied(session)} == {"Body"}
    assert raft.rigid_body.type == "ACTIVE"
    assert not raft.rigid_body.use_deactivation
    session.step(60)
    assert raft.matrix_world.to_translation().length < 1e-6


def test_bodies_have_as_many_motors_as_their_forces_have_directions() -> None:
    """Each motor takes as much time as a body without forces."""
    in_volume(5)  # Which fall to a point: each along one line.
    session = player.start(bpy.context.scene, PreviewOptions(show=False))
    session.step(30)
    assert len(tied(session)) == 5
    player.stop()
    bpy.data.objects["Body"].omi_physics.motion.linear_velocity = (0.0, 3.0, 0.0)
    session = player.start(bpy.context.scene, PreviewOptions(show=False))
    session.step(30)
    assert len(tied(session)) == 5 + 1  # It falls in a plane.


def test_what_nothing_pushes_yet_is_pushed_later() -> None:
    """A body outside falls in, and one that stays outside is not moved."""
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    coming, _ = body("coming", (0.0, 0.0, 5.0)), body("staying", (20.0, 0.0, 0.0))
    coming.omi_physics.motion.linear_velocity = (0.0, 0.0, -2.0)
    group = volume("Gravity", "DIRECTIONAL", "BOX", gravity=6.0).omi_physics
    group.trigger.shape.box.size = (4.0, 4.0, 4.0)
    group.gravity.directional.direction = (1.0, 0.0, 0.0)
    session = play(seconds=4.0)
    session.step(round(1.0 * session.options.rate) + session.begin - 1)
    assert shown(session, "coming").matrix_world.translation[0] == pytest.approx(0.0, abs=1e-6)
    session.step(round(1.0 * session.options.rate))
    # It touches the volume at 2.5 m, after 1.25 s, and is pushed from the next frame on.
    pushed = 2.0 - 1.25 - session.bodies.step / 2.0
    way = shown(session, "coming").matrix_world.translation[0]
    assert way == pytest.approx(6.0 * pushed**2 / 2.0, rel=0.02)
    assert shown(session, "staying").matrix_world.translation[:] == pytest.approx((20, 0, 0))


def operations(session: Any) -> int:
    """How many operations Blender keeps for the objects of a preview."""
    with stage.inside(session.scene):
        depsgraph: Any = bpy.context.evaluated_depsgraph_get()
    found = re.search(r"([0-9]+) Operations", depsgraph.debug_stats())
    assert found is not None
    return int(found[1])


def instanced() -> None:
    """A body in an instance, which This Scene shows by a background of copies."""
    group = bpy.data.collections.new("Group")
    part = body("Part", (0.0, 0.0, 20.0))
    bpy.context.collection.objects.unlink(part)
    group.objects.link(part)
    empty = scenes.add("Instance", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", group
    bpy.context.view_layer.update()


@pytest.mark.parametrize("place", ["COPY", "SCENE"])
def test_blender_evaluates_no_motors(place: Any) -> None:
    """Their objects would take as long as those of three bodies each."""

    def more(*, has_gravity: bool) -> int:
        """How many operations ten bodies more have."""
        counts: list[int] = []
        for count in (10, 20):
            in_volume(count)
            instanced()
            if not has_gravity:
                bpy.data.objects.remove(bpy.data.objects["Gravity"])
            session = player.start(bpy.context.scene, PreviewOptions(place=place))
            session.step(3)
            assert bool(tied(session)) == has_gravity
            assert (session.display is None) == (place == "COPY")
            counts.append(operations(session))
            player.stop()
        return counts[1] - counts[0]

    assert more(has_gravity=True) == more(has_gravity=False)


def test_actors_that_show_a_mesh_have_no_other_one() -> None:
    """Each mesh costs as much as a body when a preview starts."""
    for i in range(4):
        box = body(f"box {i}", (3.0 * i, 0.0, 0.0))
        box.scale = (0.6 + 0.1 * i,) * 3
    play()
    assert len(stage.tagged("meshes")) == 4 + 1  # That of the anchor in the world.


@pytest.mark.parametrize("kind", ["CONVEX", "TRIMESH"])
def test_actors_that_show_one_mesh_share_a_copy_of_it(kind: str) -> None:
    for i in range(2):
        mesh = ball_mesh(2 + i)
        for j in range(3):
            rock = scenes.add(f"rock {i} {j}", mesh, location=(3.0 * i, 3.0 * j, 0.0))
            scenes.add_collider(rock, kind)
    body("box", (0.0, 0.0, 5.0))
    play()
    # That of the anchor in the world, and a copy of each of three, however many show it.
    assert len(stage.tagged("meshes")) == 1 + 3


def test_actors_that_show_nothing_have_their_sizes() -> None:
    for i in range(4):
        box = body(f"box {i}", (3.0 * i, 0.0, 0.0))
        box.scale = (0.5 + 0.1 * i,) * 3
    bpy.context.view_layer.update()
    session = player.start(bpy.context.scene, PreviewOptions(show=False))
    for i in range(4):
        size = session.bodies.actor(i).dimensions[:]
        assert size == pytest.approx((0.5 + 0.1 * i,) * 3, rel=1e-5)


def test_names_of_previews_sort_behind_those_of_the_artist() -> None:
    """Blender sorts by names, and finds the place of the last ones soonest."""
    for name in ("Anton", "zebra", "body"):
        body(name)
    play()
    names = [obj.name for obj in bpy.data.objects]
    mine = [obj.name for obj in bpy.data.objects if obj.get(stage.TAG)]
    assert names[-len(mine) :] == mine
    found = {of(obj) for obj in stage.tagged("objects")}
    assert found == {"Anton", "zebra", "body", "Grab", "World"}


def ball_mesh(divisions: int = 2, *, smooth: bool = False, stretch: float = 1.0) -> Any:
    """A ball of triangles, only some corners of which are as far out as 0.5 m."""
    data: Any = bpy.data.meshes.new("Ball")
    made = bmesh.new()
    bmesh.ops.create_icosphere(made, subdivisions=divisions, radius=0.5)
    bmesh.ops.scale(made, vec=(1.0, 1.0, stretch), verts=made.verts)
    made.to_mesh(data)
    made.free()
    data.polygons.foreach_set("use_smooth", [smooth] * len(data.polygons))
    return data


@pytest.mark.parametrize(
    ("kind", "is_worn"), [("SPHERE", True), ("CONVEX", True), ("BOX", False), ("CAPSULE", False)]
)
def test_what_is_round_or_a_hull_is_shown_by_its_actor(kind: str, is_worn: bool) -> None:
    """An object more for each body costs as much in a frame as the body."""
    ball = body("ball", (0.0, 0.0, 3.0), kind)
    ball.data = ball_mesh()
    copy = shown(play(), "ball")
    assert (copy.rigid_body is not None) == is_worn
    assert copy.matrix_world.translation[:] == pytest.approx((0.0, 0.0, 3.0), abs=1e-5)


@pytest.mark.parametrize("smooth", [False, True])
def test_what_is_smooth_is_not_stretched(smooth: bool) -> None:
    """Blender would shade it in another way than the artist sees it."""
    egg = body("egg", kind="CONVEX")
    egg.data = ball_mesh(smooth=smooth, stretch=2.0)
    copy = shown(play(), "egg")
    is_even = np.ptp(copy.scale) < 0.01 * max(copy.scale)
    assert is_even or not smooth
    assert copy.dimensions[:] == pytest.approx(egg.dimensions[:], rel=1e-4)


@pytest.mark.parametrize("kind", ["SPHERE", "CONVEX"])
@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_bodies_move_the_same_whether_they_are_shown_or_not(kind: str, turn: float) -> None:
    gravity()
    floor()
    for i in range(3):
        ball = body(f"ball {i}", (0.3 * i, 0.0, 0.7 + 1.1 * i), kind)
        ball.data = ball_mesh(1 + i % 2)
        ball.rotation_euler = (turn, turn * i, 0.0)
    bpy.context.view_layer.update()
    found: list[Any] = []
    for show in (True, False):
        session = player.start(bpy.context.scene, PreviewOptions(show=show))
        session.step(40)
        found.append(session.poses().position)
        player.stop()
    np.testing.assert_allclose(found[0], found[1], atol=2e-4)


def test_meshes_of_alike_hulls_are_made_once() -> None:
    meshes = [ball_mesh() for _ in range(4)]
    for i, mesh in enumerate(meshes):
        ball = body(f"ball {i}", (3.0 * i, 0.0, 0.0), "CONVEX")
        ball.data = mesh
        ball.rotation_euler = (0.3 * i, 0.2, 0.1)
    bpy.context.view_layer.update()
    player.start(bpy.context.scene, PreviewOptions(show=False))
    assert len(stage.tagged("meshes")) == 1 + 1  # That of the anchor in the world.


@pytest.mark.parametrize("kind", list(benchmark_growth.KINDS))
def test_everything_grows_as_the_scene_does(kind: str) -> None:
    """Six times as many: six to nine times the time; thirty-six times were it their square.

    Each the fastest of three runs, or 5 ms; of the many no more runs than it takes to tell.
    """

    def faster(before: list[float], number: int) -> list[float]:
        found = benchmark_growth.measure(bpy, kind, number)[2:]
        return [max(5.0, min(pair)) for pair in zip(before, found, strict=True)]

    few = many = [math.inf] * 4
    for _ in range(3):
        few = faster(few, 150)
    for _ in range(3):
        many = faster(many, 900)
        if all(b < 14.0 * a for a, b in zip(few, many, strict=True)):
            return
    pytest.fail(f"check, start, frame and stop of 150: {few} ms, of 900: {many} ms")


def test_a_stop_evaluates_nothing_of_what_goes() -> None:
    """Where no window shows the temporary scene; that would cost as much as a start."""
    body("Box", (0.0, 0.0, 5.0))
    session = play(place="SCENE")
    session.step(3)
    name, evaluated = session.stage, list[str]()

    def note(scene: Any, *_args: Any) -> None:
        evaluated.append(scene.name)

    handlers: list[Any] = bpy.app.handlers.depsgraph_update_post
    handlers.append(note)
    try:
        player.stop()
    finally:
        handlers.remove(note)
    assert name not in evaluated
    assert bpy.context.scene.name in evaluated
