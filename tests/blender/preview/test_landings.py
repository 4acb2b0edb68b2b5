"""What lands on an edge or a corner."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import limitations
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    axes,
    body,
    floor,
    gravity,
    joint,
    limit,
    material,
    place,
    play,
    run,
)

pytestmark = pytest.mark.usefixtures("standard_gravity")

TILTED = (0.6, 0.5, 0.3)


def named() -> list[str]:
    """What is named as landing on an edge or a corner."""
    told = limitations.of_scene(bpy.context.scene)
    return [name for one in told if "edge or a corner" in one.text for name in one.objects]


@pytest.mark.parametrize(
    ("kind", "center", "turn", "word"),
    [
        ("SPHERE", (0.1, 0.0, 0.05), 0.0, "not at the sphere's center"),
        ("SPHERE", (0.0, 0.0, 0.1), 0.0, None),  # It balances where it stands.
        ("SPHERE", (0.0, 0.0, 0.0), 0.0, None),
        ("CAPSULE", (0.0, 0.0, 0.0), 0.4, "edge or a corner"),
        ("BOX", (0.0, 0.0, 0.0), 0.4, "edge or a corner"),
    ],
)
def test_a_lopsided_ball_is_not_named_for_an_edge(kind, center, turn, word) -> None:
    floor()
    obj = body("Body", (0.0, 0.0, 3.0), kind, center_of_mass=center)
    obj.rotation_euler = (turn, 0.0, 0.0)
    bpy.context.view_layer.update()
    told = [one for one in limitations.of_scene(bpy.context.scene) if one.objects == ("Body",)]
    assert [one.objects for one in told] == ([] if word is None else [("Body",)])
    assert all(word in one.text for one in told)


def test_a_corner_that_lands_without_friction_turns_as_its_blow_says() -> None:
    """The blow J = v / (1/m + (I⁻¹·(r x n)) x r · n) turns a cube by I⁻¹·(r x n)·J."""
    ground = floor()
    gravity(0.0)
    cube = body("Cube", (0.0, 0.0, 3.0))
    cube.rotation_euler = TILTED
    material("Ice", ground, cube, static_friction=0.0, dynamic_friction=0.0)
    bpy.context.view_layer.update()
    corners = np.array(np.meshgrid(*[(-0.5, 0.5)] * 3)).reshape(3, -1)
    turned = np.array(cube.matrix_world.to_3x3())
    cube.omi_physics.motion.linear_velocity = turned.T @ (0.0, 0.0, -5.0)
    arms = turned @ corners
    arm = arms[:, arms[2].argmin()]
    hit = (3.0 + arm[2]) / 5.0
    turn = 6.0 * np.cross(arm, (0.0, 0.0, 1.0))
    wanted = turn * 5.0 / (1.0 + np.cross(turn, arm)[2])
    session = play(show=False, rate=240)
    found = list[Any]()
    for seconds in (hit + 0.01, 0.025):
        run(session, seconds)
        found.append(axes(session, "Cube"))
    step = found[1] @ found[0].T
    angle = math.acos((np.trace(step) - 1.0) / 2.0)
    rate = np.array([step[2, 1] - step[1, 2], step[0, 2] - step[2, 0], step[1, 0] - step[0, 1]])
    rate *= angle / (2.0 * math.sin(angle)) / (round(0.025 * 240) / 240)
    assert rate == pytest.approx(wanted, abs=0.03 * float(np.linalg.norm(wanted)))


@pytest.mark.parametrize("kind", ["BOX", "CYLINDER", "CAPSULE", "CONVEX"])
def test_what_lands_on_an_edge_is_named(kind: str) -> None:
    floor()
    body("Tilted", (0.0, 0.0, 3.0), kind).rotation_euler = TILTED
    body("Upright", (5.0, 0.0, 3.0), kind)
    bpy.context.view_layer.update()
    assert named() == ["Tilted"]


def test_what_lands_flat_or_cannot_tip_is_not_named() -> None:
    floor()
    body("Ball", (0.0, 0.0, 3.0), "SPHERE").rotation_euler = TILTED
    slippery = body("Slippery", (5.0, 0.0, 3.0))
    slippery.rotation_euler = TILTED
    material("Ice", slippery, static_friction=0.0, dynamic_friction=0.0)
    held = body("Held", (10.0, 0.0, 3.0))
    held.rotation_euler = TILTED
    limit(joint("Pin", None, held, (10.0, 0.0, 5.0)), "LINEAR", "XYZ", 0.0, 0.0)
    weightless = body("Weightless", (15.0, 0.0, 3.0), gravity_factor=0.0)
    weightless.rotation_euler = TILTED
    bpy.context.view_layer.update()
    assert not named()


@pytest.mark.parametrize(
    ("at", "turn", "motion", "is_named"),
    [
        (3.0, TILTED, {"linear_velocity": (2.0, 1.0, -1.0)}, True),
        (3.0, (0.0, 0.0, 0.3), {"linear_velocity": (2.0, 1.0, -1.0)}, False),
        (3.0, (0.0, 0.0, 0.0), {"angular_velocity": (0.0, 2.0, 0.0)}, True),
        (3.0, (0.0, 0.0, 0.0), {"angular_velocity": (0.0, 0.0, 2.0)}, False),
        (0.5, (0.0, 0.0, 0.0), {"angular_velocity": (0.0, 5.0, 0.0)}, True),
        (0.5, (0.0, 0.0, 0.0), {"angular_velocity": (0.0, 1.0, 0.0)}, False),
        (0.5, (0.0, 0.0, 0.0), {"linear_velocity": (3.0, 0.0, 0.0)}, False),
    ],
    ids=["tilted", "flat", "turning", "upright", "tips", "falls back", "slides"],
)
def test_what_is_thrown_is_named_if_it_lands_on_an_edge(at, turn, motion, is_named) -> None:
    """A cube of 1 m that stands tips over an edge from 4.9 rad/s on, by its energy alone."""
    floor()
    body("Thrown", (0.0, 0.0, at), **motion).rotation_euler = turn
    bpy.context.view_layer.update()
    assert named() == (["Thrown"] if is_named else [])


@pytest.mark.parametrize("kind", ["SPHERE", "CYLINDER", "CAPSULE"])
def test_what_rolls_is_not_named(kind: str) -> None:
    floor()
    roller = body("Roller", (0.0, 0.0, 0.5), kind, angular_velocity=(0.0, 4.0, 0.0))
    roller.rotation_euler = (math.pi / 2.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    assert not named()


def test_what_has_nothing_to_land_on_is_not_named() -> None:
    body("Tilted", (0.0, 0.0, 3.0)).rotation_euler = TILTED
    bpy.context.view_layer.update()
    assert not named()


def ground(uneven: float = 0.0) -> Any:
    """A mesh of 32 triangles of 10 m, as the collider of what stands still."""
    points = [(2.5 * i - 5.0, 2.5 * k - 5.0, 0.0) for i in range(5) for k in range(5)]
    points[0] = (-5.0, -5.0, uneven)
    faces = [(5 * i + k, 5 * i + k + 5, 5 * i + k + 6) for i in range(4) for k in range(4)]
    faces += [(5 * i + k, 5 * i + k + 6, 5 * i + k + 1) for i in range(4) for k in range(4)]
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(points, [], faces)
    obj = scenes.add("Ground", mesh)
    scenes.add_collider(obj, "TRIMESH")
    return obj


def thrown() -> list[str]:
    told = limitations.of_scene(bpy.context.scene)
    return [name for one in told if "flat on triangles" in one.text for name in one.objects]


@pytest.mark.parametrize(
    ("rate", "substeps"), [(60, 4), (60, 8), (120, 4), (240, 2), (480, 1), (480, 4)]
)
def test_a_box_that_lands_flat_on_a_flat_mesh_stays_there(rate: int, substeps: int) -> None:
    ground()
    for i, (x, y) in enumerate(((-3.1, 1.3), (0.2, -2.2), (2.7, 2.9), (0.4, 0.7))):
        body(f"Box {i}", (x, y, 0.8 + 0.4 * i))
    bpy.context.view_layer.update()
    assert thrown() == []
    session = play(rate=rate, substeps=substeps)
    before = [place(session, f"Box {i}") for i in range(4)]
    run(session, 2.0)
    for i, start in enumerate(before):
        moved = place(session, f"Box {i}") - start
        assert np.linalg.norm(moved[:2]) < 0.05
        assert place(session, f"Box {i}")[2] == pytest.approx(0.5, abs=2e-3)


def test_what_lands_flat_on_other_triangles_is_named() -> None:
    """And neither balls, nor what is beside, above or turned."""
    ground(uneven=0.2)
    body("Box", (1.0, 1.0, 2.0))
    body("Beside", (9.0, 1.0, 2.0))
    body("Below", (1.0, 1.0, -2.0))
    body("Ball", (3.0, 1.0, 2.0), kind="SPHERE")
    body("Turned", (-2.0, 1.0, 2.0)).rotation_euler = TILTED
    bpy.context.view_layer.update()
    assert thrown() == ["Box"]


@pytest.mark.parametrize(
    ("side", "stop", "beam", "expected"),
    [
        (1.1, None, False, {"Left", "Right", "On top"}),
        (1.2, None, False, set()),  # They balance.
        (1.1, 0.0, False, set()),  # A limit holds it.
        (1.1, None, True, set()),  # A beam does.
        (1.1, 0.5, False, {"Left", "Right", "On top"}),
    ],
)
def test_what_a_swinging_part_throws_off_is_named(side, stop, beam, expected) -> None:
    """A see-saw, loaded more on its left."""
    gravity()
    floor()
    plank = body("Plank", (0.0, 0.0, 0.6), mass=10.0)
    plank.scale = (3.0, 0.4, 0.05)
    for name, x, z, mass in (
        ("Left", -1.2, 0.78, 3.0),
        ("On top", -1.2, 1.085, 1.0),
        ("Right", side, 0.78, 4.0),
        ("Far", 4.0, 0.15, 1.0),
    ):
        body(name, (x, 0.0, z), mass=mass).scale = (0.3, 0.3, 0.3)
    if beam:
        body("Beam", (-1.3, 0.0, 0.285)).scale = (0.2, 0.4, 0.57)
    entry = joint("hinge", None, plank, (0.0, 0.0, 0.6))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XZ", 0.0, 0.0)
    if stop is not None:
        limit(entry, "ANGULAR", "Y", -stop, stop)
    bpy.context.view_layer.update()
    told = limitations.of_scene(bpy.context.scene)
    assert {
        name for one in told if "part that swings" in one.text for name in one.objects
    } == expected
