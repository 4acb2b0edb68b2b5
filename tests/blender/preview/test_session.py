"""What the preview moves, against what physics says."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.session import Session
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    STEP,
    G,
    at,
    axes,
    body,
    collision_filter,
    fall,
    floor,
    free_rotation,
    gravity,
    joint,
    limit,
    material,
    of,
    place,
    play,
    run,
)

pytestmark = pytest.mark.usefixtures("standard_gravity")


def test_a_body_falls_as_it_should() -> None:
    body("ball", (1.0, 2.0, 50.0), "SPHERE")
    session = play()
    run(session, 1.0)
    assert session.time == pytest.approx(1.0)
    assert place(session, "ball") == pytest.approx((1.0, 2.0, 50.0 - fall(1.0)), abs=1e-4)
    assert math.isclose(fall(1.0), 0.5 * G, rel_tol=5e-3)


def test_half_the_speed_is_half_the_time() -> None:
    body("ball", (0.0, 0.0, 0.0), "SPHERE")
    session = play(speed=0.5)
    session.step(60)
    assert session.time == pytest.approx(0.5)
    expected = -0.5 * G * 0.5 * (0.5 + session.options.step / 4)
    assert place(session, "ball")[2] == pytest.approx(expected, abs=1e-4)


def test_a_body_starts_with_its_velocity_and_spin() -> None:
    gravity(0.0)
    body("box", linear_velocity=(1.0, 2.0, 3.0), angular_velocity=(0.0, 0.0, 2.0))
    session = play()
    run(session, 1.0)
    assert session.time == pytest.approx(1.0)
    assert place(session, "box") == pytest.approx((1.0, 2.0, 3.0), abs=1e-4)
    expected = (math.cos(2.0), math.sin(2.0), 0.0)
    assert axes(session, "box")[:, 0] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("factor", [-0.5, 0.0, 0.25, 3.0])
def test_gravity_factors_multiply_gravity(factor: float) -> None:
    body("ball", kind="SPHERE", gravity_factor=factor, mass=7.0)
    session = play()
    run(session, 1.0)
    expected = (0.0, 0.0, -factor * fall(1.0))
    assert place(session, "ball") == pytest.approx(expected, abs=1e-4)


def test_a_gravity_factor_holds_while_the_body_tumbles() -> None:
    body("box", gravity_factor=0.5, angular_velocity=(3.0, 2.0, 1.0))
    session = play()
    run(session, 1.0)
    assert place(session, "box") == pytest.approx((0.0, 0.0, -0.5 * fall(1.0)), abs=1e-3)


@pytest.mark.parametrize(("friction", "slides"), [(0.7, False), (0.45, True)])
def test_a_box_slides_where_the_slope_is_steeper_than_its_friction(
    friction: float, slides: bool
) -> None:
    slope = 0.5
    assert math.isclose(math.tan(slope), 0.5463, rel_tol=1e-3)
    ground = floor(slope)
    up = np.array([math.sin(slope), 0.0, math.cos(slope)])
    box = body("box", tuple(0.5 * up))
    box.rotation_euler = (0.0, slope, 0.0)
    material("both", ground, box, dynamic_friction=friction, static_friction=friction)
    session = play()
    run(session, 1.0)
    moved = float(np.linalg.norm(place(session, "box") - 0.5 * up))
    expected = 0.5 * G * (math.sin(slope) - friction * math.cos(slope)) if slides else 0.0
    assert moved == pytest.approx(expected, rel=0.05, abs=5e-3)


@pytest.mark.parametrize(
    ("mode", "expected"), [("AVERAGE", 0.5), ("MINIMUM", 0.2), ("MAXIMUM", 0.8), ("MULTIPLY", 0.16)]
)
def test_combine_modes_of_two_materials(mode: str, expected: float) -> None:
    slope = 1.0
    ground = floor(slope)
    up = np.array([math.sin(slope), 0.0, math.cos(slope)])
    box = body("box", tuple(0.5 * up))
    box.rotation_euler = (0.0, slope, 0.0)
    material("ground", ground, dynamic_friction=0.2, friction_combine=mode)
    material("box", box, dynamic_friction=0.8, friction_combine=mode)
    session = play()
    run(session, 1.0)
    moved = float(np.linalg.norm(place(session, "box") - 0.5 * up))
    acceleration = G * (math.sin(slope) - expected * math.cos(slope))
    assert moved == pytest.approx(0.5 * acceleration, rel=0.03)


def test_several_materials_on_one_ground_are_exact() -> None:
    slope = 1.0
    up = np.array([math.sin(slope), 0.0, math.cos(slope)])
    material("ground", floor(slope), dynamic_friction=0.0)
    starts: dict[float, np.ndarray] = {}
    for friction in (0.02, 0.5, 1.2):
        starts[friction] = 0.5 * up + (0.0, 3.0 * len(starts), 0.0)
        box = body(f"box {friction}", tuple(starts[friction]))
        box.rotation_euler = (0.0, slope, 0.0)
        material(box.name, box, dynamic_friction=friction)
    session = play()
    run(session, 1.0)
    for friction, start in starts.items():
        moved = float(np.linalg.norm(place(session, f"box {friction}") - start))
        acceleration = G * (math.sin(slope) - friction / 2.0 * math.cos(slope))
        assert moved == pytest.approx(0.5 * acceleration, rel=0.03)


@pytest.mark.parametrize("height", [1.0, 1.7, 2.5])
@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.6, 1.0])
@pytest.mark.parametrize("kind", ["BOX", "SPHERE", "CONVEX"])
def test_bodies_bounce_as_their_restitution_says(
    kind: str, restitution: float, height: float
) -> None:
    ground = floor()
    thing = body("thing", (0.0, 0.0, height + 0.5), kind)
    material("both", ground, thing, restitution=restitution)
    session = play(substeps=1)
    heights = []
    for _ in range(110):
        session.step()
        heights.append(place(session, "thing")[2] - 0.5)
    landed = int(np.argmin(heights[:50]))
    back = math.sqrt(max(max(heights[landed:]), 0.0) / height)
    # Bullet begins to slow things down 1 cm before they touch.
    assert back == pytest.approx(restitution, abs=0.3 if kind == "CONVEX" else 0.15)


@pytest.mark.parametrize(
    ("kind", "height"),
    [("BOX", 0.5), ("SPHERE", 0.5), ("CAPSULE", 1.0), ("CYLINDER", 1.0), ("CONVEX", 0.5)],
)
def test_shapes_rest_on_what_they_are(kind: str, height: float) -> None:
    floor()
    body("thing", (0.0, 0.0, height + 0.01), kind)
    session = play()
    run(session, 1.0)
    assert place(session, "thing")[2] == pytest.approx(height, abs=2e-3)


@pytest.mark.parametrize("kind", ["CAPSULE", "CYLINDER"])
def test_tapered_shapes_rest_on_what_they_are(kind: str) -> None:
    floor()
    thing = body("thing", (0.0, 0.0, 1.01))
    shape = scenes.add_collider(thing, kind)
    sizes = getattr(shape, kind.lower())
    sizes.height, sizes.radius_bottom, sizes.radius_top = 1.0, 0.5, 0.25
    session = play()
    run(session, 1.0)
    expected = 0.5 + (0.5 if kind == "CAPSULE" else 0.0)
    assert place(session, "thing")[2] == pytest.approx(expected, abs=0.01)


def test_a_compound_rests_on_its_lowest_part() -> None:
    floor()
    whole = body("whole", (0.0, 0.0, 1.51), "")
    for name, spot in (("left", (-1.0, 0.0, -1.0)), ("right", (1.0, 0.0, -1.0))):
        scenes.add_collider(scenes.add(name, scenes.cube_mesh(), location=spot, parent=whole))
    session = play()
    run(session, 2.0)
    assert place(session, "whole") == pytest.approx((0.0, 0.0, 1.5), abs=1e-3)
    assert axes(session, "whole") == pytest.approx(np.eye(3), abs=1e-3)


def test_a_shape_beside_its_body_tips_over() -> None:
    floor()
    whole = body("whole", (0.0, 0.0, 0.51), "", mass=1.0)
    scenes.add_collider(scenes.add("side", scenes.cube_mesh(), location=(1, 0, 0), parent=whole))
    session = play()
    run(session, 0.4)
    assert axes(session, "whole")[2, 0] > 0.05  # The box stays up, its centre of mass goes down.


@pytest.mark.parametrize("kind", ["TRIMESH", "PLANE", "BOX"])
def test_all_stand_on_ground_of_any_kind(kind: str) -> None:
    ground = scenes.add("ground", scenes.cube_mesh(), location=(0.0, 0.0, -0.5))
    ground.scale = (20.0, 20.0, 1.0)
    shape = scenes.add_collider(ground, kind)
    top = 0.0 if kind != "PLANE" else -0.5
    assert shape.type == kind
    body("box", (3.0, 3.0, 0.6))
    session = play()
    run(session, 1.0)
    assert place(session, "box")[2] == pytest.approx(0.5 + top, abs=2e-3)
    assert place(session, "box")[:2] == pytest.approx((3.0, 3.0), abs=0.02)


def two_parts(name: str, *heights: float) -> list[Any]:
    """A body of two boxes of 0.2 m at two heights above its origin."""
    thing = body(name, (0.0, 0.0, 2.0), "")
    parts = [
        scenes.add(f"{name} {height}", location=(0.0, 0.0, height), parent=thing)
        for height in heights
    ]
    for part in parts:
        scenes.add_collider(part).box.size = (0.2, 0.2, 0.2)
    return parts


def test_each_collider_of_a_body_has_its_own_filter() -> None:
    """The lower part goes through the ground, which holds the upper one."""
    ground = floor()
    lower, upper = two_parts("thing", -1.0, 0.0)
    collision_filter("ground", ground, systems=["ground"])
    collision_filter("ghost", lower, mode="NOT", others=["ground"])
    collision_filter("solid", upper, mode="ONLY", others=["ground"])
    session = play()
    run(session, 3.0)
    assert place(session, "thing") == pytest.approx((0.0, 0.0, 0.1), abs=5e-3)


def test_each_collider_of_a_body_has_its_own_material() -> None:
    """A body slides on a part of ice, whatever the part that touches nothing is made of."""
    slope = 0.3
    ground = floor(slope)
    up = np.array([math.sin(slope), 0.0, math.cos(slope)])
    material("ground", ground, dynamic_friction=1.0, friction_combine="MULTIPLY")
    starts: dict[str, np.ndarray] = {}
    for name, first, second in (("icy", 0.0, 1.0), ("rough", 1.0, 0.0)):
        upper, lower = two_parts(name, 0.3, 0.0)
        thing = lower.parent
        starts[name] = 0.1 * up + (0.0, 2.0 * len(starts), 0.0)
        thing.location, thing.rotation_euler = starts[name], (0.0, slope, 0.0)
        for part, friction in ((lower, first), (upper, second)):
            values = {"dynamic_friction": friction, "friction_combine": "MULTIPLY"}
            material(part.name, part, **values)
    session = play()
    run(session, 1.0)
    ways = [float(np.linalg.norm(place(session, name) - start)) for name, start in starts.items()]
    assert ways == pytest.approx([0.5 * G * math.sin(slope), 0.0], rel=0.02, abs=0.01)


def test_welded_parts_fly_and_turn_as_one() -> None:
    gravity()
    lower, _ = two_parts("thing", -0.4, 0.4)
    collision_filter("some", lower, systems=["some"])
    motion = lower.parent.omi_physics.motion
    moments, spin = (1.0, 1.0, 2.0), (0.5, 0.0, 3.0)
    motion.mass, motion.inertia_mode, motion.inertia_diagonal = 5.0, "VALUE", moments
    motion.linear_velocity, motion.angular_velocity = (1.0, 2.0, 3.0), spin
    session = play(substeps=10)
    run(session, 1.0)
    height = 2.0 + 3.0 - 0.5 * G * (1.0 + STEP / 10.0)
    assert place(session, "thing") == pytest.approx((1.0, 2.0, height), abs=5e-3)
    assert np.abs(axes(session, "thing") - free_rotation(moments, spin, 1.0)).max() < 0.03


def test_filters_let_through_whom_they_should() -> None:
    ground = floor()
    ghost, solid = body("ghost", (0.0, 0.0, 1.0)), body("solid", (5.0, 0.0, 1.0))
    above = body("above", (0.0, 5.0, 3.0))
    body("below", (0.0, 5.0, 1.0))
    collision_filter("ground", ground, systems=["ground"])
    collision_filter("ghost", ghost, systems=["a"], mode="NOT", others=["ground"])
    collision_filter("solid", solid, systems=["a"], mode="ONLY", others=["ground"])
    collision_filter("above", above, mode="ONLY", others=["ground"])
    session = play()
    run(session, 1.0)
    assert place(session, "ghost")[2] == pytest.approx(1.0 - fall(1.0), abs=1e-3)
    assert place(session, "solid")[2] == pytest.approx(0.5, abs=5e-3)
    assert place(session, "above")[2] == pytest.approx(0.5, abs=5e-3)
    assert place(session, "below")[2] == pytest.approx(0.5, abs=5e-3)


def test_things_of_one_kind_can_pass_each_other_and_stand_on_the_ground() -> None:
    ground = floor()
    things = [body(f"thing {i}", (0.0, 0.0, 0.6 + i)) for i in range(3)]
    collision_filter("ground", ground, systems=["ground"])
    collision_filter("thing", *things, systems=["thing"], mode="NOT", others=["thing"])
    session = play()
    run(session, 1.5)
    for i in range(3):
        assert place(session, f"thing {i}")[2] == pytest.approx(0.5, abs=5e-3)


def test_keyframes_carry_what_stands_on_them() -> None:
    scene: Any = bpy.context.scene
    scene.render.fps = 24
    lift = scenes.add("lift", scenes.cube_mesh())
    scenes.add_collider(lift).box.size = (4.0, 4.0, 1.0)
    scenes.add_body(lift, "KINEMATIC")
    for frame, height in ((1, 0.0), (25, 1.0)):
        lift.location.z = height
        lift.keyframe_insert("location", frame=frame)
    body("box", (0.0, 0.0, 1.0))
    scene.frame_set(1)
    session = play()
    run(session, 1.0)
    assert place(session, "lift")[2] == pytest.approx(1.0, abs=1e-3)
    run(session, 0.5)
    assert place(session, "box")[2] == pytest.approx(2.0, abs=5e-3)


def test_kinematic_bodies_keep_their_velocity() -> None:
    mover = body("mover", linear_velocity=(0.0, 0.0, 1.0), angular_velocity=(0.0, 0.0, 1.0))
    mover.omi_physics.motion.type = "KINEMATIC"
    session = play()
    run(session, 1.0)
    assert place(session, "mover") == pytest.approx((0.0, 0.0, 1.0), abs=1e-4)
    assert axes(session, "mover")[:, 0] == pytest.approx((math.cos(1), math.sin(1), 0), abs=1e-4)


def test_a_preview_begins_at_the_current_frame() -> None:
    scene: Any = bpy.context.scene
    lift = body("lift")
    for frame, height in ((1, 0.0), (25, 24.0)):
        lift.location.z = height
        lift.keyframe_insert("location", frame=frame)
    for curve_point in range(2):
        del curve_point
    scene.frame_set(13)
    start = lift.matrix_world.translation.z
    session = play()
    assert place(session, "lift")[2] == pytest.approx(start, abs=1e-4)
    run(session, 0.25)
    lift_at = place(session, "lift")[2]
    player.stop()
    scene.frame_set(19)
    assert lift_at == pytest.approx(lift.matrix_world.translation.z, abs=2e-2)


def test_infinite_masses_are_not_pushed() -> None:
    heavy, light = body("heavy", gravity_factor=0.0), body("light", (0.0, 0.0, 3.0))
    heavy.omi_physics.motion.mass_mode = "INFINITE"
    session = play()
    run(session, 2.0)
    assert place(session, "heavy") == pytest.approx((0.0, 0.0, 0.0), abs=2e-3)
    assert place(session, light.name)[2] == pytest.approx(1.0, abs=5e-3)


@pytest.mark.parametrize("kind", ["BOX", "CAPSULE", "CONVEX", "SPHERE", ""])
def test_a_given_inertia_precesses_as_it_should(kind: str) -> None:
    gravity(0.0)
    moments, spin = (1.0, 1.0, 2.0), (0.5, 0.0, 3.0)
    thing = body("thing", kind=kind, mass=5.0, angular_velocity=spin, inertia_mode="VALUE")
    thing.omi_physics.motion.inertia_diagonal = moments
    session = play(substeps=10)
    run(session, 1.0)
    expected = free_rotation(moments, spin, 1.0)
    assert np.abs(axes(session, "thing") - expected).max() < 0.03


def pendulum(length: float, angle: float) -> Any:
    """A heavy ball that hangs from a place of the world at an angle."""
    ball = body("bob", (length * math.sin(angle), 0.0, -length * math.cos(angle)), "SPHERE")
    ball.omi_physics.collider.shape.sphere.radius = 0.05
    return ball


def crossings(values: Any) -> list[float]:
    """When values go through zero, in steps."""
    return [
        i + values[i] / (values[i] - values[i + 1])
        for i in range(len(values) - 1)
        if (values[i] > 0.0) != (values[i + 1] > 0.0)
    ]


def test_a_pendulum_has_the_period_of_its_length() -> None:
    bob = pendulum(1.0, 0.1)
    entry = joint("pivot", bob, None, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    session = play(substeps=8)
    found = []
    for _ in range(600):
        session.step()
        found.append(place(session, "bob")[0])
        assert np.linalg.norm(place(session, "bob")) == pytest.approx(1.0, abs=2e-3)
    times = crossings(found)
    period = 2.0 * STEP * (times[-1] - times[0]) / (len(times) - 1)
    whole = 0.4 * 0.05**2
    expected = 2 * math.pi * math.sqrt((1.0 + whole) / G) * (1 + 0.1**2 / 16)
    assert period == pytest.approx(expected, rel=5e-3)


@pytest.mark.parametrize("axis", "XYZ")
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_slider_stops_at_its_limits_and_nowhere_else(axis: str, side: float) -> None:
    gravity(0.0)
    along = np.eye(3)["XYZ".index(axis)]
    box = body("box", (1.0, 2.0, 3.0), linear_velocity=tuple(side * along))
    entry = joint("slide", None, box, (1.0, 2.0, 3.0))
    for other in "XYZ":
        if other != axis:
            limit(entry, "LINEAR", other, 0.0, 0.0)
    limit(entry, "LINEAR", axis, -0.25, 0.5)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    session = play()
    found = []
    for _ in range(60):
        session.step()
        away = place(session, "box") - (1.0, 2.0, 3.0)
        assert away == pytest.approx(along * (away @ along), abs=5e-3)
        assert np.abs(axes(session, "box") - np.eye(3)).max() < 5e-3
        found.append(side * (away @ along))
    # It runs into the end and is pushed back a little slower than it came.
    assert max(found) == pytest.approx(0.5 if side > 0.0 else 0.25, abs=0.02)
    assert min(found) > -0.1


def turn_about(turn: Any, axis: str) -> float:
    """The angle of a rotation about an axis of Blender."""
    i, j = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    return math.atan2(turn[j, i], turn[i, i])


@pytest.mark.parametrize("axis", "XYZ")
@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_hinge_stops_at_its_limits_and_nowhere_else(
    axis: str, side: float, swapped: bool
) -> None:
    gravity(0.0)
    along = np.eye(3)["XYZ".index(axis)]
    box = body("box", angular_velocity=tuple(side * along))
    ends = (box, None) if swapped else (None, box)
    entry = joint("hinge", *ends, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    for other in "XYZ":
        if other != axis:
            limit(entry, "ANGULAR", other, 0.0, 0.0)
    limit(entry, "ANGULAR", axis, -0.3, 0.6)
    session = play()
    low, high = (-0.6, 0.3) if swapped else (-0.3, 0.6)
    found = []
    for _ in range(60):
        session.step()
        turn = axes(session, "box")
        angle = turn_about(turn, axis)
        assert np.abs(turn - np.array(Matrix.Rotation(angle, 3, axis))).max() < 5e-3
        found.append(side * angle)
    assert max(found) == pytest.approx(high if side > 0.0 else -low, abs=0.02)
    assert min(found) > -0.1


@pytest.mark.parametrize("axis", "XYZ")
def test_a_free_hinge_turns_all_the_way_round(axis: str) -> None:
    gravity(0.0)
    along = np.eye(3)["XYZ".index(axis)]
    box = body("box", angular_velocity=tuple(5.0 * along))
    entry = joint("hinge", None, box, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ".replace(axis, ""), 0.0, 0.0)
    session = play()
    run(session, 2.0)
    expected = np.array(Matrix.Rotation(10.0, 3, axis))
    assert np.abs(axes(session, "box") - expected).max() < 0.02


def test_a_fixed_joint_holds_two_bodies_together() -> None:
    gravity(0.0)
    first = body("first", linear_velocity=(1.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 1.0))
    second = body("second", (1.5, 0.0, 0.0), linear_velocity=(1.0, 1.5, 0.0))
    second.omi_physics.motion.angular_velocity = (0.0, 0.0, 1.0)
    entry = joint("weld", first, second, (0.75, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    session = play()
    run(session, 2.0)
    away = axes(session, "first").T @ (place(session, "second") - place(session, "first"))
    assert away == pytest.approx((1.5, 0.0, 0.0), abs=5e-3)
    middle = (place(session, "first") + place(session, "second")) / 2
    assert middle == pytest.approx((0.75 + 2.0, 1.5, 0.0), abs=0.02)


def test_frames_that_are_apart_at_the_start_come_together() -> None:
    gravity(0.0)
    box = body("box", (0.0, 0.0, 0.0))
    entry = joint("slide", None, box, (0.0, 0.0, 0.0))
    bpy.data.objects["slide A"].location = (0.3, 0.0, 0.0)
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    session = play()
    run(session, 2.0)
    assert place(session, "box") == pytest.approx((0.3, 0.0, 0.0), abs=5e-3)


@pytest.mark.parametrize("collide", [False, True])
def test_joined_bodies_collide_only_where_that_is_wanted(collide: bool) -> None:
    ground = body("ground")
    ground.omi_physics.motion.type = "STATIC"
    above = body("above", (0.0, 0.0, 1.5))
    entry = joint("slide", ground, above, (0.0, 0.0, 1.5))
    limit(entry, "LINEAR", "XY", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    bpy.data.objects["slide B"].omi_physics.joint.enable_collision = collide
    session = play()
    run(session, 1.0)
    height = place(session, "above")[2]
    assert height == pytest.approx(1.0 if collide else 1.5 - fall(1.0), abs=0.02)


@pytest.mark.parametrize("collide", [False, True])
def test_joined_bodies_pass_through_all_of_each_other(collide: bool) -> None:
    """What stands still has an actor for each of its colliders."""
    gate = body("gate", (0.0, 0.0, 9.0))
    gate.omi_physics.motion.type = "STATIC"
    for name, z in (("upper", -7.0), ("lower", -9.0)):
        scenes.add_collider(scenes.add(name, None, location=(0.0, 0.0, z), parent=gate))
    for name in ("a", "b"):  # Twice, as a hinge of two pins.
        falling = body("falling", (0.0, 0.0, 4.0)) if name == "a" else bpy.data.objects["falling"]
        entry = joint(name, gate, falling, (0.0, 0.0, 4.0))
        limit(entry, "LINEAR", "XY", 0.0, 0.0)
        bpy.data.objects[f"{name} B"].omi_physics.joint.enable_collision = collide
    session = play()
    run(session, 1.0)
    height = place(session, "falling")[2]
    assert height == pytest.approx(3.0 if collide else 4.0 - fall(1.0), abs=0.02)


def test_static_things_with_keyframes_move() -> None:
    door = scenes.add("door", scenes.cube_mesh())
    scenes.add_collider(door)
    for frame, x in ((1, 0.0), (25, 2.0)):
        door.location.x = x
        door.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    session = play()
    run(session, 1.0)
    assert place(session, "door")[0] == pytest.approx(2.0, abs=1e-3)


def test_copies_of_what_is_seen_follow_their_bodies() -> None:
    box = body("box", (0.0, 0.0, 5.0))
    box.scale = (1.0, 2.0, 3.0)
    scenes.add("hat", scenes.cube_mesh(), location=(0.0, 0.0, 1.0), parent=box)
    session = play()
    run(session, 0.5)
    shown = {of(obj): obj for obj in session.scene.objects}
    there = np.array(shown["hat"].matrix_world)
    drop = fall(0.5)
    assert there[:3, 3] == pytest.approx((0.0, 0.0, 8.0 - drop), abs=1e-3)
    assert np.diag(there)[:3] == pytest.approx((1.0, 2.0, 3.0), abs=1e-4)
    assert shown["hat"].data == bpy.data.objects["hat"].data


def corners(obj: Any) -> Any:
    """The lowest and the highest corner of an object in the world."""
    found = np.array([obj.matrix_world @ vertex.co for vertex in obj.data.vertices])
    return np.concatenate([found.min(axis=0), found.max(axis=0)])


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (1.0, 2.0, 3.0), (-1.0, 2.0, 1.0)])
def test_a_mesh_that_fills_its_shape_is_shown_once(scale: Any) -> None:
    box = body("box", (0.0, 0.0, 5.0))
    box.scale = scale
    box.data.materials.append(bpy.data.materials.new("paint"))
    half = np.abs(scale) / 2.0
    expected = np.concatenate([-half, half]) + (0.0, 0.0, 5.0 - fall(0.5)) * 2
    session = play()
    run(session, 0.5)
    (shown,) = [obj for obj in session.scene.objects if obj.visible_get(view_layer=layer(session))]
    assert corners(shown) == pytest.approx(expected, abs=1e-3)
    assert len(shown.data.polygons) == 6
    assert shown.data.materials[0].name == "paint"
    assert shown.data != box.data  # Which a script may remove meanwhile.
    normals = [polygon.normal.dot(polygon.center) for polygon in shown.data.polygons]
    assert min(normals) * min(p.normal.dot(p.center) for p in box.data.polygons) > 0.0


def test_a_mesh_that_is_smaller_than_its_shape_does_not_shrink_it() -> None:
    floor()
    box = body("box", (0.0, 0.0, 1.01))
    box.omi_physics.collider.shape.box.size = (2.0, 2.0, 2.0)
    session = play()
    run(session, 1.0)
    assert place(session, "box")[2] == pytest.approx(1.0, abs=2e-3)
    shown = [obj for obj in session.scene.objects if obj.visible_get(view_layer=layer(session))]
    found = {of(obj): corners(obj) for obj in shown}
    assert found["box"] == pytest.approx((-0.5, -0.5, 0.5, 0.5, 0.5, 1.5), abs=5e-3)


def layer(session: Session) -> Any:
    """What the preview's window would show."""
    return session.scene.view_layers[0]


def test_objects_of_instances_are_bodies_too() -> None:
    group = bpy.data.collections.new("group")
    obj = scenes.add("inside", scenes.cube_mesh(), location=(1.0, 0.0, 0.0), collection=group)
    scenes.add_collider(obj)
    scenes.add_body(obj)
    for i in range(2):
        instancer = scenes.add(f"instance {i}", None, location=(0.0, 3.0 * i, 0.0))
        instancer.instance_type = "COLLECTION"
        instancer.instance_collection = group
    session = play()
    run(session, 0.5)
    found = session.poses().position
    for i in range(2):
        expected = (1.0, -fall(0.5), -3.0 * i)
        assert np.abs(found - expected).max(axis=1).min() < 1e-3


def test_a_restart_begins_again() -> None:
    body("ball", (0.0, 0.0, 5.0), "SPHERE")
    session = play()
    run(session, 0.5)
    assert place(session, "ball")[2] < 4.0
    session = player.restart()
    assert place(session, "ball")[2] == pytest.approx(5.0)
    run(session, 0.5)
    assert place(session, "ball")[2] == pytest.approx(5.0 - fall(0.5), abs=1e-3)
    assert at(session, "ball") == 0
