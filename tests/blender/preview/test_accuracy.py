"""How exactly the preview moves things: closed formulas, at the substeps that it begins with."""

from __future__ import annotations

import itertools
import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from omi_physics_addon.blender.preview import limitations, player
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from omi_physics_addon.model.bodies import CombineMode
from omi_physics_addon.simulation.bullet.materials import combined
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    G,
    axes,
    body,
    drive,
    fall,
    floor,
    gravity,
    joint,
    limit,
    material,
    place,
    play,
    run,
)
from tools.random_runs import energy_search

pytestmark = pytest.mark.usefixtures("no_gravity")


SLOPE = 0.5  # rad, whose tangent is 0.5463.


@pytest.mark.parametrize("friction", [0.3, 0.53, 0.5463, 0.56, 0.8])
@pytest.mark.parametrize("kind", ["BOX", "TRIMESH"])
def test_sliding_near_the_friction_angle(kind: str, friction: float) -> None:
    """Friction within 0.005, which is a way of 2 cm in the first second; 1 mm where it holds.

    On triangles of 10 m within 0.01; where bodies slide over edges of larger ones, it is more.
    """
    gravity()
    ground = floor(SLOPE, 10.0)
    if kind == "TRIMESH":
        ground.omi_physics.collider.shape.type = kind
        ground.scale = (10.0, 10.0, 2.0)
    up = np.array([math.sin(SLOPE), 0.0, math.cos(SLOPE)])
    box = body("box", tuple(0.5 * up))
    box.rotation_euler = (0.0, SLOPE, 0.0)
    material("both", ground, box, dynamic_friction=friction, static_friction=friction)
    session = play()
    run(session, 1.0)
    moved = float(np.linalg.norm(place(session, "box") - 0.5 * up))
    pull = G * (math.sin(SLOPE) - friction * math.cos(SLOPE))
    off = 0.005 if kind == "BOX" else 0.01
    slack = 0.5 * G * off * math.cos(SLOPE) if pull > 0.0 else 1e-3
    assert moved == pytest.approx(max(pull, 0.0) / 2.0, abs=slack)


def lane(at: int, kind: str, speed: float, ground: str = "BOX") -> tuple[Any, Any]:
    """A ball or a flat body that begins to slide along a ground of its own, near the next one."""
    y, high = 1.05 * at, 0.6 if kind == "SPHERE" else 0.15
    under = scenes.add(f"lane {at}", scenes.cube_mesh(), location=(10.0, y, -0.5))
    scenes.add_collider(under, ground)
    under.scale = (40.0, 1.0, 1.0)
    spot = (0.0, y, high / 2.0)
    obj = body(f"thing {at}", spot, kind, linear_velocity=(speed, 0.0, 0.0))
    shape = obj.omi_physics.collider.shape
    shape.box.size, shape.sphere.radius = (0.6, 0.6, high), 0.3
    shape.cylinder.height, shape.cylinder.radius_bottom, shape.cylinder.radius_top = high, 0.3, 0.3
    if kind == "CONVEX":
        obj.scale = (0.6, 0.6, high)
    return obj, under


MODES: tuple[CombineMode, ...] = ("average", "minimum", "maximum", "multiply")


def rub(name: str, friction: float, mode: str, *objects: Any) -> None:
    values = {"dynamic_friction": friction, "static_friction": friction}
    material(name, *objects, friction_combine=mode.upper(), **values)


def near_only() -> set[str]:
    """The objects whose friction is named in *Differences from Export*."""
    told = limitations.of_scene(bpy.context.scene)
    return {name for one in told if one.text.startswith("Friction") for name in one.objects}


def test_pairs_that_never_meet_have_the_friction_of_their_own() -> None:
    """Four lanes, each with another combine mode; ways within 1 %."""
    gravity()
    ways: list[float] = []
    numbers = [(0.2, 0.9), (0.3, 0.6), (0.15, 0.5), (0.6, 0.7)]
    for i, ((first, second), mode) in enumerate(zip(numbers, MODES, strict=True)):
        box, under = lane(i, "BOX", 3.0)
        rub(f"box {i}", first, mode, box)
        rub(f"lane {i}", second, mode, under)
        ways.append(9.0 / (2.0 * G * combined(first, second, (mode, mode))) - 3.0 / 480.0)
    assert not near_only()
    session = play(show=False)
    run(session, 2.5)
    assert [place(session, f"thing {i}")[0] for i in range(4)] == pytest.approx(ways, rel=0.01)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_neighbors_slide_as_if_alone(seed: int) -> None:
    """60 pairs of 24 materials: none is named, ways are within 1 % of those with one number."""
    gravity()
    chance = np.random.default_rng(seed)
    kinds = [(chance.uniform(0.1, 0.9), MODES[chance.integers(4)]) for _ in range(24)]
    users: list[list[Any]] = [[] for _ in kinds]
    pairs: list[tuple[Any, Any, float]] = []
    for i in range(60):
        kind = ("BOX", "SPHERE", "CONVEX", "CYLINDER")[chance.integers(4)]
        ground = "BOX" if i % 5 else "TRIMESH"
        thing, under = lane(i, kind, chance.uniform(1.0, 6.0), ground)
        first, second = chance.integers(24, size=2).tolist()
        users[first].append(thing)
        users[second].append(under)
        (f, p), (g, q) = kinds[first], kinds[second]
        pairs.append((thing, under, combined(f, g, (p, q))))
    for at, (friction, mode) in enumerate(kinds):
        rub(f"material {at}", friction, mode, *users[at])
    assert not near_only()
    found = ways_of_a_second(len(pairs))
    for i, (thing, under, friction) in enumerate(pairs):
        rub(f"alone {i}", math.sqrt(friction), "multiply", thing, under)
    assert found == pytest.approx(ways_of_a_second(len(pairs)), rel=0.01)


def ways_of_a_second(count: int) -> list[float]:
    session = play(show=False)
    run(session, 1.0)
    found = [float(place(session, f"thing {i}")[0]) for i in range(count)]
    player.stop()
    return found


def test_what_slides_on_a_flat_side_of_a_cylinder_is_named() -> None:
    """It brakes by a tenth too much at most; what stands still, rolls or is a box is not named."""
    gravity()
    things = {"BOX": 2.0, "SPHERE": 2.0, "CYLINDER": 2.0, "CONVEX": 2.0, "still": 0.0}
    for at, (kind, speed) in enumerate(things.items()):
        thing, under = lane(at, "CYLINDER" if kind == "still" else kind, speed)
        rub(kind, 0.5, "average", thing, under)
    told = limitations.of_scene(bpy.context.scene)
    named = [one.objects for one in told if one.text.startswith("Slides on its own flat side")]
    assert named == [("thing 2",)]
    way = ways_of_a_second(len(things))[2]
    assert 0.88 < way / (2.0**2 / (2.0 * 0.5 * G)) < 1.01


def test_friction_follows_from_ground_to_ground() -> None:
    """Of two boxes on the same two grounds, which no four numbers can make; brakes within 1 %."""
    gravity()
    grounds: list[tuple[float, CombineMode]] = [(0.1, "average"), (0.7, "average")]
    for at, one in enumerate(grounds):
        ground = floor(0.0, 10.0)
        ground.location.x = 10.0 * at
        rub(f"ground {at}", *one, ground)
    boxes: list[tuple[float, CombineMode]] = [(0.3, "average"), (0.4, "minimum")]
    for at, own in enumerate(boxes):
        box = body(f"box {at}", (0.0, 8.0 * at - 4.0, 0.1), linear_velocity=(7.0, 0.0, 0.0))
        box.omi_physics.collider.shape.box.size = (0.2, 0.2, 0.2)
        rub(f"box {at}", *own, box)
    session = play(show=False)
    run(session, 0.2)
    for under in grounds:
        brakes = braking(session, ["box 0", "box 1"])
        wanted = [combined(own[0], under[0], (own[1], under[1])) for own in boxes]
        assert brakes == pytest.approx(wanted, rel=0.01)
        run(session, 0.5)


def braking(session: Any, names: list[str], seconds: float = 0.15) -> list[float]:
    """By which share of gravity things brake along X."""
    spots: list[Any] = []
    for _ in range(3):
        spots.append([place(session, name)[0] for name in names])
        run(session, seconds)
    found: list[float] = (-np.diff(spots, n=2, axis=0)[0] / (G * seconds**2)).tolist()
    return found


def test_friction_in_a_ring_is_named() -> None:
    """Two boxes that both lie across both of two grounds."""
    gravity()
    for at, (friction, mode) in enumerate([(0.1, "average"), (0.7, "average")]):
        ground = floor(0.0, 10.0)
        ground.location.x, ground.name = 10.0 * at, f"ground {at}"
        rub(ground.name, friction, mode, ground)
    for at, (friction, mode) in enumerate([(0.3, "average"), (0.4, "minimum")]):
        box = body(f"box {at}", (5.0, 4.0 * at, 0.5))
        rub(box.name, friction, mode, box)
    alone = body("alone", (0.0, -3.0, 0.5))
    rub("alone", 0.9, "maximum", alone)
    assert near_only() == {"ground 0", "ground 1", "box 0", "box 1"}


def sliding(mass: float, *, name: str = "", place: Any = (0.0, 0.0, 0.0), **values: Any) -> Any:
    """A box that can move along X only; the settings of its joint."""
    box = body(f"box {name}".strip(), place, mass=mass, **values)
    entry = joint(f"slide {name}".strip(), None, box, place)
    limit(entry, "LINEAR", "YZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XYZ", 0.0, 0.0)
    return entry


def follow(session: Any, seconds: float, *names: str) -> tuple[Any, Any]:
    """Times, and where these are along X then, (times, names)."""
    times, found = [], []
    while session.time < seconds:
        session.step()
        if session.time > 0.0:
            times.append(session.time)
            found.append([place(session, name)[0] for name in names])
    return np.array(times), np.array(found)


def swing(mass: float, stiffness: float, damping: float, times: Any, start: Any) -> Any:
    """Where a damped oscillator is that begins at a place with a speed."""
    decay = damping / mass / 2.0
    omega = math.sqrt(stiffness / mass - decay**2)
    first, speed = start
    second = (speed + decay * first) / omega
    return np.exp(-decay * times) * (first * np.cos(omega * times) + second * np.sin(omega * times))


def rate_and_decay(times: Any, found: Any) -> tuple[float, float]:
    """The angular frequency, rad/s, and the decay, 1/s, of swings about zero."""
    cross = [
        float(times[i] + (times[i + 1] - times[i]) * found[i] / (found[i] - found[i + 1]))
        for i in range(len(found) - 1)
        if found[i] * found[i + 1] < 0.0
    ]
    peaks = []
    for first, last in itertools.pairwise(cross):
        inside = (times > first) & (times < last)
        curve = np.polyfit(times[inside], found[inside], 6)
        fine = np.linspace(first, last, 200)
        values = np.abs(np.polyval(curve, fine))
        peaks.append((fine[values.argmax()], math.log(values.max())))
    line = np.polyfit(*np.array(peaks).T, 1)
    return math.pi * (len(cross) - 1) / (cross[-1] - cross[0]), -float(line[0])


@pytest.mark.parametrize("damping", [0.0, 2.0])
@pytest.mark.parametrize("soft", [False, True])
def test_springs_have_their_frequency_and_damping(soft: bool, damping: float) -> None:
    """Of a drive, and of a limit that is soft; frequency within 0.2 %, decay within 0.01 1/s."""
    mass, stiffness, speed = 2.0, 80.0, 2.0
    entry = sliding(mass, linear_velocity=(speed, 0.0, 0.0))
    if soft:
        row = limit(entry, "LINEAR", "X", 0.0, 0.0)
        row.use_stiffness, row.stiffness, row.damping = True, stiffness, damping
    else:
        drive(entry, "LINEAR", "X", position=0.0, stiffness=stiffness, damping=damping)
    times, found = follow(play(), 4.0, "box")
    found = found[:, 0]
    decay = damping / mass / 2.0
    rate, found_decay = rate_and_decay(times, found)
    assert rate == pytest.approx(math.sqrt(stiffness / mass - decay**2), rel=2e-3)
    assert found_decay == pytest.approx(decay, abs=0.01)
    expected = swing(mass, stiffness, damping, times, (0.0, speed))
    assert np.abs(found - expected).max() < 0.01 * speed / rate


def test_a_motor_turns_with_no_more_than_its_torque() -> None:
    """By torque / inertia until it has its speed; way and speed within 0.1 %."""
    box = body("box", mass=6.0)  # Of 1 m: its moment of inertia is 1 kg m².
    entry = joint("hinge", None, box, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "YZ", 0.0, 0.0)
    drive(entry, "ANGULAR", "X", velocity=2.0, damping=1e4, max_force=2.0)
    session = play()

    def angle() -> float:
        turn = axes(session, "box")
        return math.atan2(turn[2, 1], turn[1, 1])

    run(session, 0.5)
    assert angle() == pytest.approx(fall(0.5, 2.0), rel=1e-3)
    run(session, 1.0)
    before = angle()
    run(session, 0.5)
    assert angle() - before == pytest.approx(1.0, rel=1e-3)


SWINGS = "overshoots its target and returns with its maximum force"


# Stiffness, damping, largest force, way, and whether it is told.
DRIVES = (
    (500.0, 20.0, 10.0, 2.0, True),
    (500.0, 5.0, 10.0, 0.5, True),
    (500.0, 20.0, 200.0, 2.0, True),
    (100.0, 20.0, 10.0, 2.0, False),
)


@pytest.mark.parametrize("per_mass", [False, True])
def test_a_drive_swings_between_its_largest_forces(per_mass: bool) -> None:
    """x'' = clip(k·x - c·v, F) / m, for 3 s: within 1 % of its way at a rate of 240.

    At 60 it is so, or named before.
    """
    mass = 2.0 if per_mass else 1.0
    for at, (stiffness, damping, most, way, _) in enumerate(DRIVES):
        entry = sliding(mass, name=f"{at}", place=(0.0, 5.0 * at, 0.0))
        numbers = {"position": way, "stiffness": stiffness, "damping": damping, "max_force": most}
        drive(entry, "LINEAR", "X", **numbers).mode = "ACCELERATION" if per_mass else "FORCE"
    named = {
        rate: {
            name
            for one in limitations.of_scene(bpy.context.scene, PreviewOptions(rate=rate))
            for name in one.objects
            if SWINGS in one.text
        }
        for rate in (60, 240)
    }
    told = {f"slide {at} B" for at, row in enumerate(DRIVES) if row[-1]}
    assert named[240] == set()
    assert told <= named[60] if per_mass else told == named[60]
    for rate in (60, 240):
        times, found = follow(play(rate=rate), 3.0, *(f"box {at}" for at in range(len(DRIVES))))
        for at, row in enumerate(DRIVES):
            if rate == 240 or f"slide {at} B" not in named[60]:
                expected = driven(mass, *row[:-1], times, per_mass=per_mass)
                off = np.abs(found[: len(expected), at] - expected)
                assert off.max() < 0.01 * np.ptp(expected), (rate, row, off.max())
        player.stop()


def driven(
    mass: float,
    stiffness: float,
    damping: float,
    most: float,
    way: float,
    times: Any,
    *,
    per_mass: bool,
) -> list[float]:
    """Where a drive with a largest force takes what rests at zero, in steps of 0.1 ms."""
    part, place, speed = 1e-4, 0.0, 0.0
    expected: list[float] = []
    for step in range(round(times[-1] / part)):
        if step * part >= times[len(expected)] - part / 2.0:
            expected.append(place)
        force = stiffness * (way - place) - damping * speed
        force *= mass if per_mass else 1.0
        speed += part * max(-most, min(most, force)) / mass
        place += part * speed
    return expected


@pytest.mark.parametrize("kind", ["BOX", "CYLINDER", "CAPSULE", "CONVEX"])
def test_a_free_body_precesses_at_the_rate_of_its_moments(kind: str) -> None:
    """About its angular momentum L, at |L|/I: within 0.1 % in two seconds; a flat hull, too."""
    across, along, spin = 1.0, 1.2, (0.5, 0.0, 3.0)
    thing = body("thing", kind=kind, mass=5.0, angular_velocity=spin, inertia_mode="VALUE")
    if kind == "CONVEX":
        for vertex in thing.data.vertices:
            vertex.co.z = 0.0
    thing.omi_physics.motion.inertia_diagonal = (across, across, along)
    momentum = np.array([across * spin[0], 0.0, along * spin[2]])
    rate = float(np.linalg.norm(momentum)) / across
    about = momentum / np.linalg.norm(momentum)
    session = play()
    turned, last = 0.0, np.array([0.0, 0.0, 1.0])
    for _ in range(120):
        session.step()
        axis = axes(session, "thing")[:, 2]
        first, second = (v - (v @ about) * about for v in (last, axis))
        turned += math.atan2(np.cross(first, second) @ about, first @ second)
        last = axis
    assert turned == pytest.approx(rate * session.time, rel=1e-3)
    assert last @ about == pytest.approx(about[2], abs=1e-3)


def hovering(height: float, mass: float, energy: float, spot: float, **values: Any) -> Any:
    """A body with four hover thrusters below its corners."""
    gravity()
    floor()
    ship = body("ship", (0.0, 0.0, height), mass=mass, **values)
    ship.omi_physics.collider.shape.box.size = (2.0, 2.0, 0.2)
    for number, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
        jet = scenes.add(f"jet {number}", None, location=(x * spot, y * spot, 0.0), parent=ship)
        jet.rotation_euler = (-math.pi / 2.0, 0.0, 0.0)  # Its thrust, along -Y, is up.
        jet.omi_physics.use_hover_thruster = True
        group = jet.omi_physics.hover_thruster
        group.max_hover_energy, group.target_hover_ratio = energy / 4.0, 1.0
    return ship


def test_hovering_is_where_energy_over_height_is_the_weight() -> None:
    """At h = ΣE / (m·g) it stays, within 0.5 %."""
    mass, rest = 20.0, 2.0
    hovering(rest, mass, mass * G * rest, 0.9)
    session = play()
    for _ in range(120):
        session.step()
        assert place(session, "ship")[2] == pytest.approx(rest, rel=5e-3)


def test_hovering_swings_between_two_heights_of_the_same_energy() -> None:
    """g·z - E/m·ln(z) is the same at both ends of the swing, each within 0.2 %."""
    mass, rest, low = 20.0, 2.0, 1.4
    hovering(low, mass, mass * G * rest, 0.9)
    session = play()
    heights = []
    for _ in range(240):
        session.step()
        heights.append(place(session, "ship")[2])

    def energy(z: float) -> float:
        return G * z - G * rest * math.log(z)

    lower, upper = rest, 2.0 * rest
    for _ in range(60):
        middle = (lower + upper) / 2.0
        lower, upper = (middle, upper) if energy(middle) < energy(low) else (lower, middle)
    assert max(heights) == pytest.approx(upper, rel=2e-3)
    assert min(heights[30:]) == pytest.approx(low, rel=2e-3)


def test_a_thruster_accelerates_by_its_force_and_stops_at_the_largest_speed() -> None:
    """Way within 0.1 %, the largest speed too."""
    ship = body("ship", mass=4.0)
    ship.omi_physics.use_vehicle_body = True
    group = ship.omi_physics.vehicle_body
    group.max_speed, group.linear_activation = 5.0, (0.0, -1.0, 0.0)
    jet = scenes.add("jet", None, parent=ship)
    jet.omi_physics.use_thruster = True
    jet.omi_physics.thruster.max_force = 20.0
    session = play()
    run(session, 0.5)
    assert -place(session, "ship")[1] == pytest.approx(fall(0.5, 5.0), rel=1e-3)
    run(session, 2.5)
    before = place(session, "ship")[1]
    run(session, 1.0)
    assert before - place(session, "ship")[1] == pytest.approx(5.0, rel=1e-3)


def test_a_cone_holds_what_leans_on_it() -> None:
    """A body that falls over to the edge of a cone of 0.5 rad stays there, within 0.02 rad."""
    gravity()
    bpy.context.scene.omi_physics.export.family = "KHR"  # For which two axes are a cone.
    box = body("box", (1.0, 0.0, 0.0), mass=3.0)
    box.omi_physics.collider.shape.box.size = (1.0, 0.2, 0.2)
    entry = joint("shoulder", None, box, (0.5, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "YZ", 0.0, 0.5)
    session = play()
    angles = []
    for _ in range(180):
        session.step()
        angles.append(math.acos(np.clip(axes(session, "box")[0, 0], -1.0, 1.0)))
    assert max(angles) < 0.52
    assert angles[60:] == pytest.approx([0.5] * 120, abs=0.02)


@pytest.mark.parametrize("substeps", [4, 10])
def test_what_circles_along_the_edge_of_a_cone_gains_nothing(substeps: int) -> None:
    """It leans out by 0.45 rad and flies along a cone of 0.5 rad with 3 m/s."""
    gravity()
    turned = Matrix.Rotation(-0.45, 3, "Y")
    speed = turned.inverted() @ Vector((0.0, 3.0, 0.0))
    start = turned @ Vector((0.0, 0.0, -1.0))
    spin = turned.inverted() @ start.cross(Vector((0.0, 3.0, 0.0)))
    bob = body("Bob", (0.0, 0.0, -1.0), linear_velocity=speed, angular_velocity=spin)
    bob.omi_physics.collider.shape.box.size = (0.5, 0.5, 0.5)
    entry = joint("Cone", None, bob, (0.0, 0.0, 0.0))
    limit(entry, "LINEAR", "XYZ", 0.0, 0.0)
    limit(entry, "ANGULAR", "XY", None, 0.5)
    bob.rotation_euler, bob.location = turned.to_euler(), start
    bpy.context.view_layer.update()
    session = play(show=False, engine="KHR", substeps=substeps)
    energies, angles = [], []
    for state in energy_search.states(session, 6.0):
        energies.append(energy_search.energy(session, state, G)[0] + G)
        x, y, z = state.position[0]
        angles.append(math.atan2(math.hypot(x, z), -y))
    assert max(energies) < 1.01 * energies[0]
    assert min(energies) > 0.9 * energies[0]
    assert max(angles) < 0.51
