"""What is right alone, together: speeds at the start with joints, heavy on light, ropes."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import limitations
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support.preview_scenes import (
    G,
    axes,
    body,
    drive,
    gravity,
    joint,
    limit,
    place,
    play,
    run,
)
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tools.random_runs import energy_search

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


@pytest.mark.parametrize("substeps", [1, 4, 10])
def test_a_trapdoor_falls_on_its_end_and_stays(substeps: int) -> None:
    door = body("Door", (0.5, 0.0, 0.0))
    entry = joint("Hinge", None, door, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "Y", -1.0, 1.0)
    session = play(show=False, substeps=substeps)
    angles = []
    for _ in range(90):
        session.step()
        x, _, z = place(session, "Door")
        angles.append(math.atan2(-z, x))
    speed = np.diff(angles) / session.options.step
    assert speed.max() > 4.0
    assert speed.min() > -0.05 * speed.max()
    assert max(angles) < 1.01
    assert angles[-1] == pytest.approx(1.0, abs=0.002)


@pytest.mark.parametrize("axis", "XYZ")
@pytest.mark.parametrize("speed", [-3.0, 3.0])
def test_a_piston_stops_at_both_ends(axis: str, speed: float) -> None:
    gravity(0.0)
    at = "XYZ".index(axis)
    moving = [0.0, 0.0, 0.0]
    moving[at] = speed
    cube = body("Cube", (0.0, 0.0, 0.0), linear_velocity=moving, angular_velocity=moving)
    entry = joint("Piston", None, cube, (0.0, 0.0, 0.0))
    rest = "XYZ".replace(axis, "")
    for kind in ("LINEAR", "ANGULAR"):
        limit(entry, kind, rest, 0.0, 0.0)
        limit(entry, kind, axis, -1.0, 0.5)
    session = play(show=False)
    run(session, 1.5)
    one, other = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    turned = axes(session, "Cube")
    angle = math.atan2(turned[other, one], turned[one, one])
    end = 0.5 if speed > 0.0 else -1.0
    assert place(session, "Cube")[at] == pytest.approx(end, abs=0.02)
    assert angle == pytest.approx(end, abs=0.02)


# Levers


def test_what_starts_against_its_pin_gains_nothing() -> None:
    """A pin that takes most of the speed away; it is made where the body starts."""
    gravity(0.0)
    ball = body("Ball", (1.2, 0.15, -0.7), linear_velocity=(17.1, 3.6, -9.8))
    entry = joint("Pin", None, ball, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    session = play(show=False)
    found = []
    for state in energy_search.states(session, 2.0):
        found.append(energy_search.energy(session, state, 0.0)[0])
        assert float(np.linalg.norm(state.position[0])) < 1.45
    assert max(found[1:]) < 1.02 * found[1]
    assert max(found) == found[0]


@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_a_light_flap_on_a_long_arm_stops_at_its_end(damping: float) -> None:
    """It has 0.3 % of its moment about its hinge in itself."""
    flap = body("Flap", (2.0, 0.0, 0.0))
    flap.omi_physics.collider.shape.box.size = (0.2, 0.2, 0.2)
    entry = joint("Hinge", None, flap, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "Y", -1.0, 0.7)
    drive(entry, "ANGULAR", "Y", damping=damping)
    session = play(show=False)
    begin = None
    for state in energy_search.states(session, 3.0):
        found = energy_search.energy(session, state, G)[0]
        begin = found if begin is None else begin
        assert found < begin + 0.02 * G * 2.0
    x, _, z = place(session, "Flap")
    assert math.atan2(-z, x) == pytest.approx(0.7, abs=0.01)


@pytest.mark.parametrize("substeps", [4, 10])
@pytest.mark.parametrize("engine", ["OMI", "KHR"])
def test_the_rope_between_two_cubes_gains_nothing(engine: str, substeps: int) -> None:
    """A rope of 1 m to the middle of a crate of 0.4 m that is let go 2 m to its side."""
    bpy.context.scene.omi_physics.preview.engine = engine
    crate = body("Crate", (1.995, 0.0, -0.141))
    crate.omi_physics.collider.shape.box.size = (0.4, 0.4, 0.4)
    entry = joint("Rope", None, crate, (1.2, 0.0, -0.1))
    bpy.data.objects["Rope A"].location = (0.0, 0.0, 0.0)
    limit(entry, "LINEAR", "XYZ", None if engine == "KHR" else -1.3, 1.3)
    session = play(show=False, engine=engine, substeps=substeps)
    begin, lowest, highest = None, np.inf, -np.inf
    for state in energy_search.states(session, 6.0):
        total, height = energy_search.energy(session, state, G)
        begin = total if begin is None else begin
        lowest, highest = min(lowest, height), max(highest, total)
    assert begin is not None
    assert highest - begin < 0.02 * (begin - lowest)


@pytest.mark.parametrize("seed", [3, 8, 13, 22, 24, 35, 47, 55])
def test_random_mechanisms_gain_nothing_or_are_named(seed: int) -> None:
    scene = energy_search.build(seed)
    found = energy_search.follow(scene)
    assert found.gain < 0.02 or found.named, scene.words


@pytest.mark.parametrize(("reach", "is_named"), [(0.01, False), (0.04, True)])
def test_a_heavy_ball_in_a_wide_room_along_its_own_axes_is_named(
    reach: float, is_named: bool
) -> None:
    """It turns by 37 rad/s to and fro at the corners of its room, which frames do not show."""
    ball = body("Ball", (-0.02, 0.0, 0.02), "SPHERE", mass=100.0)
    ball.omi_physics.collider.shape.sphere.radius = 0.03
    entry = joint("Room", None, ball, (0.0, 0.0, 0.0))
    bpy.data.objects["Room B"].matrix_world.translation = ball.location
    limit(entry, "LINEAR", "XYZ", -reach, reach)
    bpy.context.scene.omi_physics.preview.engine = "OMI"
    told = [one for one in limitations.of_scene(bpy.context.scene) if "long lever" in one.text]
    assert [one.objects for one in told] == [("Room B",)] * is_named


@pytest.mark.parametrize("engine", ["OMI", "KHR"])
def test_a_rope_at_a_long_lever_is_named_by_what_is_played(engine: Any) -> None:
    """Its line has no direction yet; the scene itself says OMI."""
    ball = body("Ball", (0.3, 0.0, 0.0), "SPHERE")
    ball.omi_physics.collider.shape.sphere.radius = 0.05
    limit(joint("Rope", None, ball, (0.0, 0.0, 0.0)), "LINEAR", "XYZ", None, 0.4)
    options = PreviewOptions(engine=engine)
    found = limitations.of_scene(bpy.context.scene, options)
    assert ["Rope B"] in [[*one.objects] for one in found if "long lever" in one.text]


def test_a_spring_whose_axis_may_swing_to_the_other_side_is_named() -> None:
    ball = body("Ball", (0.0, 0.0, -1.0))
    entry = joint("Pin", None, ball, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    drive(entry, "ANGULAR", "X", stiffness=5.0, position=0.0)
    limit(entry, "ANGULAR", "YZ", None, 1.0)
    for engine, is_named in (("OMI", True), ("KHR", False)):
        found = limitations.of_scene(bpy.context.scene, PreviewOptions(engine=engine))
        named = [one.objects for one in found if "angle jumps" in one.text]
        assert named == [("Pin B",)] * is_named


@pytest.mark.parametrize("seed", [278, 281, 296])
def test_what_exploded_keeps_its_energy(seed: int) -> None:
    """They gained 6 000, 26 and 5 000 times what they had."""
    assert energy_search.follow(energy_search.build(seed)).gain < 0.02


# Ropes


@pytest.mark.parametrize("substeps", [1, 4, 10])
@pytest.mark.parametrize(("length", "left"), [(0.5, 0.91), (1.0, 0.97), (2.0, 0.98)])
def test_a_rope_gains_no_energy(length: float, left: float, substeps: int) -> None:
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
    assert gained.max() < 1.005
    assert gained.min() > left


# Heavy on light


@pytest.mark.parametrize("substeps", [4, 16])
@pytest.mark.parametrize(
    ("lean", "gap", "stands"), [(0.115, 0.0, True), (0.1, 0.02, True), (0.125, 0.0, False)]
)
def test_a_leaning_tower_falls_where_statics_has_it(
    lean: float, gap: float, stands: bool, substeps: int
) -> None:
    """Of five crates of 0.6 m, the upper four are balanced by the lowest up to 0.3 m / 2.5."""
    tower()
    for i in range(5):
        crate = body(f"Crate {i}", (lean * i, 0.0, 0.3 + (0.6 + gap) * i + gap), mass=10.0)
        crate.omi_physics.collider.shape.box.size = (0.6, 0.6, 0.6)
    session = play(show=False, substeps=substeps)
    run(session, 4.0)
    assert (place(session, "Crate 4")[2] > 2.6) == stands


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
    assert [each.name for each in session.changes.driven()] == [entry.name]
    run(session, 0.2)
    entry.drives[0].position_angle = 0.6
    run(session, 2.0)
    turned = axes(session, "Arm")
    assert math.atan2(turned[1, 0], turned[0, 0]) == pytest.approx(0.6, abs=0.01)
