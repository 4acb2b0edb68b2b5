"""What is right alone, together: speeds at the start with joints, heavy on light, ropes."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import limitations
from tests.blender.support.preview_scenes import (
    G,
    axes,
    body,
    gravity,
    joint,
    limit,
    place,
    play,
    run,
)
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

pytestmark = pytest.mark.usefixtures("standard_gravity")


# Speeds at the start, with joints


def test_what_hangs_on_a_coasting_cart_keeps_still() -> None:
    cart = body("Cart", (0.0, 0.0, 3.0), linear_velocity=(10.0, 0.0, 0.0), gravity_factor=0.0)
    bob = body("Bob", (0.0, 0.0, 2.0), linear_velocity=(10.0, 0.0, 0.0))
    entry = joint("Pin", cart, bob, (0.0, 0.0, 3.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    cart.omi_physics.motion.mass = 1e5
    session = play(show=False)
    away = []
    for _ in range(120):
        session.step()
        away.append(float(place(session, "Bob")[0] - place(session, "Cart")[0]))
    assert np.abs(away).max() < 1e-3


@pytest.mark.parametrize("speed", [1.0, 5.0, 20.0])
def test_a_slider_that_starts_fast_reaches_its_end(speed: float) -> None:
    gravity(0.0)
    cube = body("Cube", (0.0, 0.0, 0.0), linear_velocity=(speed, 0.0, 0.0))
    entry = joint("Slide", None, cube, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "X", -1.0, 1.0)
    limit(entry, "LINEAR", "YZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    session = play(show=False, rate=240)
    places = []
    for _ in range(480):
        session.step()
        places.append(float(place(session, "Cube")[0]))
    # A step of it passes between two frames.
    assert max(places) == pytest.approx(1.0, abs=0.012 + speed / 960.0)


@pytest.mark.parametrize("spin", [6.0, 20.0])
def test_a_hinge_that_starts_fast_reaches_its_end(spin: float) -> None:
    gravity(0.0)
    door = body("Door", (0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, spin))
    entry = joint("Hinge", None, door, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XY", 0.0, 0.0)
    limit(entry, "ANGULAR", "Z", -1.0, 1.0)
    session = play(show=False, rate=240)
    angles = []
    for _ in range(480):
        session.step()
        turned = axes(session, "Door")
        angles.append(math.atan2(turned[1, 0], turned[0, 0]))
    assert max(angles) == pytest.approx(1.0, abs=0.02 + spin / 960.0)


def test_an_arm_that_starts_fast_keeps_its_length() -> None:
    gravity(0.0)
    arm = body("Arm", (1.0, 0.0, 0.0), linear_velocity=(0.0, 10.0, 0.0))
    arm.omi_physics.motion.angular_velocity = (0.0, 0.0, 10.0)
    entry = joint("Pin", None, arm, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    session = play(show=False)
    run(session, 2.0)
    assert float(np.linalg.norm(place(session, "Arm"))) == pytest.approx(1.0, abs=0.01)


# Ends


@pytest.mark.parametrize("axis", "XYZ")
@pytest.mark.parametrize(("low", "high"), [(None, 0.5), (-0.5, None)])
def test_a_hinge_with_one_end_stops_there(axis: str, low: float | None, high: float | None) -> None:
    gravity(0.0)
    spin = [0.0, 0.0, 0.0]
    spin["XYZ".index(axis)] = 1.0 if low is None else -1.0
    door = body("Door", (0.0, 0.0, 0.0), angular_velocity=tuple(spin))
    entry = joint("Hinge", None, door, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ".replace(axis, ""), 0.0, 0.0)
    limit(entry, "ANGULAR", axis, low, high)
    session = play(show=False)
    first, second = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    angles = []
    for _ in range(60):
        session.step()
        turned = axes(session, "Door")
        angles.append(abs(math.atan2(turned[second, first], turned[first, first])))
    assert max(angles) == pytest.approx(0.5, abs=0.03)


# Ropes


@pytest.mark.parametrize("substeps", [1, 4, 10])
@pytest.mark.parametrize("length", [0.5, 2.0])
def test_a_rope_gains_no_energy(length: float, substeps: int) -> None:
    bpy.context.scene.omi_physics.preview.engine = "KHR"
    low = -length * np.array([-math.sin(1.0), 0.0, math.cos(1.0)])
    ball = body("Ball", low)
    ball.omi_physics.collider.shape.type = "SPHERE"
    ball.omi_physics.collider.shape.sphere.radius = 0.1
    # The rope holds the middle of the ball: its own end is there, and the other one above.
    entry = joint("Rope", None, ball, (0.0, 0.0, 0.0))
    bpy.data.objects["Rope B"].matrix_world.translation = low
    limit(entry, "LINEAR", "XYZ", None, length)
    session = play(show=False, engine="KHR", substeps=substeps)
    energies = []
    before = None
    for _ in range(360):
        session.step()
        now = place(session, "Ball")
        if before is not None:
            speed = np.linalg.norm(now - before) / session.options.step
            energies.append(0.5 * speed**2 + G * 0.5 * (now + before)[2])
        before = now
    deepest = -G * length
    gained = (np.array(energies) - deepest) / (energies[0] - deepest)
    assert gained.max() < 1.03
    assert gained.min() > 0.8


# Heavy on light


def tower(*masses: float) -> None:
    floor = add("Floor", cube_mesh(), location=(0.0, 0.0, -0.5))
    add_collider(floor, "BOX").box.size = (20.0, 20.0, 1.0)
    add_body(floor, "STATIC")
    for i, mass in enumerate(masses):
        body(f"Box {i}", (0.0, 0.0, 0.5 + i), mass=mass)


@pytest.mark.parametrize(
    "masses",
    [
        (1.0, 1000.0),
        (0.1, 1.0, 10.0, 100.0, 1000.0),
        (1000.0, 100.0, 10.0, 1.0, 0.1),
        (1.0, 1.0, 1.0, 1.0, 1.0, 1000.0),
    ],
    ids=str,
)
def test_the_light_carries_the_heavy(masses: tuple[float, ...]) -> None:
    tower(*masses)
    told = [one for one in limitations.of_scene(bpy.context.scene) if "sinks" in one.text]
    assert bool(told) == (max(masses) > 3334.0 * min(masses))  # More may do, but need not.
    session = play(show=False)
    run(session, 5.0)
    heights = [float(place(session, f"Box {i}")[2]) for i in range(len(masses))]
    assert heights == pytest.approx([0.5 + i for i in range(len(masses))], abs=0.01)


def test_what_is_too_heavy_is_told() -> None:
    tower(1.0, 1.0, 5e3)
    (told,) = (one for one in limitations.of_scene(bpy.context.scene) if "sinks" in one.text)
    assert told.objects == ("Box 2",)
    assert "more than 3333 times as heavy" in told.text


# Drives of settings without a name in the file


def test_drives_of_settings_that_a_file_does_not_name_can_be_changed(
    import_json: Any,
) -> None:
    gravity(0.0)
    limits = [
        {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
        {"angularAxes": [0, 2], "min": 0, "max": 0},
    ]
    servo = {"type": "angular", "mode": "force", "axis": 1, "stiffness": 500, "damping": 50}
    servo["positionTarget"] = 0.0
    import_json(
        {
            "scene": 0,
            "scenes": [{"nodes": [0, 2]}],
            "nodes": [
                {
                    "name": "Arm",
                    "children": [1],
                    "extensions": {
                        "OMI_physics_body": {
                            "motion": {"type": "dynamic", "mass": 1},
                            "collider": {"shape": 0},
                        }
                    },
                },
                {
                    "name": "Hinge",
                    "extensions": {"OMI_physics_joint": {"joint": 0, "connectedNode": 2}},
                },
                {
                    "name": "Post",
                    "translation": [0, 0, 0],
                    "extensions": {"OMI_physics_body": {"motion": {"type": "static"}}},
                },
            ],
            "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"],
            "extensions": {
                "OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1, 1, 1]}}]},
                "OMI_physics_joint": {"physicsJoints": [{"limits": limits, "drives": [servo]}]},
            },
        }
    )
    gravity(0.0)
    (entry,) = bpy.context.scene.omi_physics.joint_settings
    session = play(show=False)
    assert [each.name for each in session.interaction.changes.driven()] == [entry.name]
    run(session, 0.2)
    entry.drives[0].position_angle = 0.6
    run(session, 2.0)
    turned = axes(session, "Arm")
    assert math.atan2(turned[1, 0], turned[0, 0]) == pytest.approx(0.6, abs=0.01)
