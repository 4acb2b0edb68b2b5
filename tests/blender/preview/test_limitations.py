"""What a preview says of instances that it does not play."""

from __future__ import annotations

import random

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import limitations
from tests.blender.support.instancers import by_nodes, by_particles, by_vertices
from tests.blender.support.preview_scenes import (
    axes,
    body,
    collision_filter,
    floor,
    free_rotation,
    gravity,
    place,
    play,
    run,
)
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


def _named() -> list[str]:
    bpy.context.view_layer.update()
    found = limitations.of_scene(bpy.context.scene)
    return [name for each in found if "by Geometry Nodes" in each.text for name in each.objects]


def test_objects_whose_instances_have_no_physics_in_the_preview_are_named():
    by_nodes("Decor", add("Leaf", cube_mesh()))
    by_nodes("Bare", None)
    assert not _named()
    stone = add("Stone", cube_mesh())
    add_collider(stone)
    add_body(stone)
    inner = bpy.data.collections.new("Inner")
    by_nodes("Nodes", stone)
    by_particles("Hairs", stone, cube_mesh())
    by_nodes("Nested", stone, collection=inner)
    outer = add("Outer")
    outer.instance_type, outer.instance_collection = "COLLECTION", inner
    assert sorted(_named()) == ["Hairs", "Nested", "Nodes"]
    by_vertices("Vertices", stone)
    assert "Vertices" in _named()


@pytest.mark.parametrize(
    ("angle", "count", "is_named"), [(0.25, 2, True), (0.15, 2, False), (0.5, 1, False)]
)
def test_wheels_that_steer_far_are_named(angle: float, count: int, is_named: bool) -> None:
    car = add("Car", cube_mesh())
    add_collider(car)
    add_body(car)
    car.omi_physics.use_vehicle_body = True
    for i in range(count):
        wheel = add(f"Wheel {i}", None, location=(i - 0.5, 1.0, 0.0), parent=car)
        wheel.omi_physics.use_wheel = True
        wheel.omi_physics.wheel.max_steering_angle = angle
    bpy.context.view_layer.update()
    found = limitations.of_scene(bpy.context.scene)
    named = [name for one in found if "wider than they point" in one.text for name in one.objects]
    assert named == [f"Wheel {i}" for i in range(count)] * is_named


@pytest.mark.parametrize(("most", "is_told"), [(10, True), (1000, False)])
def test_pairs_that_are_kept_apart_one_by_one_are_told(
    monkeypatch: pytest.MonkeyPatch, most: int, is_told: bool
) -> None:
    """40 bodies that each let through others by chance, in the 20 groups that Blender has."""
    monkeypatch.setattr(limitations, "_SLOW_PAIRS", most)
    chance = random.Random(3)
    for i in range(40):
        others = [f"system {j}" for j in range(40) if chance.random() < 0.5]
        obj = body(f"Body {i}", (2.0 * i, 0.0, 0.0))
        collision_filter(f"{i}", obj, systems=(f"system {i}",), mode="NOT", others=others)
    found = limitations.of_scene(bpy.context.scene)
    told = [
        one for one in found if "pairs must be kept apart one by one, which is slow" in one.text
    ]
    assert len(told) == is_told
    assert not told or int(told[0].text.split()[0]) > most


@pytest.mark.parametrize(
    ("mass", "sizes", "is_named"),
    [
        (0.005, (0.02, 0.02, 0.002), True),
        (0.005, (0.02, 0.02, 0.02), False),
        (0.2, (0.1, 0.1, 0.02), False),
    ],
    ids=["coin", "die", "tile"],
)
def test_what_is_too_small_to_tumble_is_named(
    mass: float, sizes: tuple[float, float, float], is_named: bool
) -> None:
    gravity(0.0)
    thing = body("Thing", mass=mass, angular_velocity=(2.0, 0.0, 3.0))
    thing.omi_physics.collider.shape.box.size = sizes
    bpy.context.view_layer.update()
    told = [one for one in limitations.of_scene(bpy.context.scene) if "to tumble" in one.text]
    assert [one.objects for one in told] == [("Thing",)] * is_named
    session = play(substeps=10)
    run(session, 0.5)
    moments = [mass / 12.0 * (sum(a * a for a in sizes) - b * b) for b in sizes]
    expected = free_rotation(moments, (2.0, 0.0, 3.0), 0.5)
    assert (np.abs(axes(session, "Thing") - expected).max() > 0.05) == is_named


@pytest.mark.parametrize(("share", "is_named"), [(0.1, False), (0.01, False), (1e-4, True)])
def test_what_sinks_as_it_is_too_light_to_turn_is_named(share: float, is_named: bool) -> None:
    gravity()
    floor()
    moment = share * 100.0
    crate = body("Crate", (0.0, 0.0, 0.6), mass=100.0, inertia_mode="VALUE")
    crate.omi_physics.motion.inertia_diagonal = (moment, moment, moment)
    bpy.context.view_layer.update()
    told = [one for one in limitations.of_scene(bpy.context.scene) if "sinks in" in one.text]
    assert [one.objects for one in told] == [("Crate",)] * is_named
    session = play()
    run(session, 2.0)
    assert (place(session, "Crate")[2] < 0.45) == is_named


@pytest.mark.parametrize("radius", [0.0, 2.0])
def test_a_gravity_without_ground_is_named_and_throws_nothing_away(radius: float) -> None:
    """Dropped from 3 m into 9 m/s² at 5 m without ground, nothing gets farther than it was."""
    gravity(0.0)
    planet = add("Planet")
    part = planet.omi_physics
    part.use_trigger = part.use_gravity = True
    part.trigger.shape.type, part.trigger.shape.sphere.radius = "SPHERE", 40.0
    part.gravity.type, part.gravity.gravity = "POINT", 9.0
    part.gravity.point.unit_distance = 5.0
    part.gravity.replace = part.gravity.stop = True
    body("Ball", (3.0, 0.3, 0.0), "SPHERE")
    if radius:
        ground = add("Ground")
        add_collider(ground, "SPHERE")
        ground.omi_physics.collider.shape.sphere.radius = radius
    bpy.context.view_layer.update()
    told = [each for each in limitations.of_scene(bpy.context.scene) if "middle" in each.text]
    assert [each.objects for each in told] == ([] if radius else [("Planet",)])
    session = play(show=False)
    for _ in range(30):
        run(session, 0.1)
        assert np.linalg.norm(place(session, "Ball")) < 3.02 * 1.02
