"""Bodies that are too fast for the steps of the solver pass through what is thin; that is told."""

from __future__ import annotations

import math
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.preview import limitations
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    body,
    floor,
    gravity,
    material,
    place,
    play,
    run,
)

PHASES = 12  # Bodies that are at other parts of their steps when they come to the wall.


pytestmark = pytest.mark.usefixtures("no_gravity")


def wall(kind: str, thick: float) -> Any:
    """Something that stands upright at the origin, 40 m wide."""
    obj = scenes.add("wall", scenes.cube_mesh())
    obj.scale = (40.0, 40.0, 1.0) if kind == "PLANE" else (thick, 40.0, 40.0)
    if kind == "PLANE":
        obj.rotation_euler = (0.0, -math.pi / 2.0, 0.0)  # It faces -X.
    scenes.add_collider(obj, kind)
    return obj


def shots(kind: str, size: float, speed: float) -> None:
    """Bodies that fly against the wall."""
    for i in range(PHASES):
        start = -speed / 10.0 - size - i * speed / 240.0 / PHASES
        obj = body(f"shot {i}", (start, i * 2.0 * size - PHASES * size, 0.3), kind)
        shape = obj.omi_physics.collider.shape
        shape.box.size, shape.sphere.radius = (size,) * 3, size / 2.0
        obj.omi_physics.motion.linear_velocity = (speed, 0.0, 0.0)


def told(**options: Any) -> dict[str, tuple[str, ...]]:
    found = limitations.of_scene(bpy.context.scene, PreviewOptions(**options))
    return {limit.text: limit.objects for limit in found}


def warning(**options: Any) -> str:
    """What is told of fast bodies; empty for nothing."""
    return next((text for text in told(**options) if text.startswith("Fast enough")), "")


# The speeds at which a step of 1/240 s is half of both thicknesses, without the round edges of
# boxes on triangles.
CASES = [
    ("BOX", 0.1, "BOX", 0.1, 24.0),
    ("BOX", 0.02, "BOX", 0.1, 14.4),
    ("TRIMESH", 0.02, "BOX", 0.1, 10.8),
    ("PLANE", 0.0, "SPHERE", 0.1, 132.0),
    ("BOX", 0.1, "SPHERE", 0.4, 60.0),
]


@pytest.mark.parametrize("share", [0.9, 2.0])
@pytest.mark.parametrize(("ground", "thick", "kind", "size", "speed"), CASES)
def test_bodies_pass_where_that_was_told(
    ground: str, thick: float, kind: str, size: float, speed: float, share: float
) -> None:
    wall(ground, thick)
    shots(kind, size, share * speed)
    text = warning()
    session = play(show=False)
    run(session, 0.3)
    passed = sum(place(session, f"shot {i}")[0] > 0.2 for i in range(PHASES))
    assert (passed > 0) == bool(text) == (share > 1.0)


def test_as_many_substeps_as_are_told_stop_them() -> None:
    wall("BOX", 0.02)
    shots("BOX", 0.1, 40.0)
    text = "Fast enough to pass through something thin; 12 substeps stop it"
    assert told()[text] == tuple(f"shot {i}" for i in range(PHASES))
    assert not warning(substeps=12)
    session = play(substeps=12, show=False)
    run(session, 0.3)
    assert max(place(session, f"shot {i}")[0] for i in range(PHASES)) < 0.0


def test_a_long_fall_onto_a_thin_floor_is_told() -> None:
    gravity()
    floor(thick=0.02)
    stone = body("stone", (0.0, 0.0, 5.0))
    stone.omi_physics.collider.shape.box.size = (0.1, 0.1, 0.1)
    assert not warning()
    stone.location.z = 20.0  # It comes down at 20 m/s.
    bpy.context.view_layer.update()
    assert "substeps" in warning()
    stone.location.x = 150.0  # Beside the floor.
    bpy.context.view_layer.update()
    assert not warning()


def test_what_slides_along_or_flies_away_is_not_told() -> None:
    floor(thick=0.02)
    for name, way in (("along", (80.0, 0.0, 0.0)), ("away", (0.0, 0.0, 80.0))):
        body(name, (0.0, 0.0, 0.51), linear_velocity=way)
    assert not warning()


def test_nothing_is_told_to_help_where_no_substeps_do() -> None:
    wall("TRIMESH", 0.02)
    shots("BOX", 0.1, 1000.0)
    assert warning() == "Fast enough to pass through something thin; thicker things stop it"


def ball(name: str, x: float, speed: float = 0.0) -> Any:
    obj = body(name, (x, 0.0, 0.0), "SPHERE", linear_velocity=(speed, 0.0, 0.0))
    obj.omi_physics.collider.shape.sphere.radius = 0.05
    return obj


@pytest.mark.parametrize(("speed", "is_told"), [(10.0, False), (60.0, True)])
def test_what_flies_at_a_thin_wall_that_moves_is_told(speed: float, is_told: bool) -> None:
    scenes.add_body(wall("BOX", 0.02)).linear_velocity = (-3.0, 0.0, 0.0)
    ball("ball", -3.0, speed)
    assert bool(warning()) == is_told


def test_what_flies_beside_a_thin_wall_is_not_told() -> None:
    scenes.add_body(wall("BOX", 0.02)).linear_velocity = (60.0, 0.0, 0.0)
    ball("ball", -3.0, 60.0)
    assert not warning()


def test_a_bat_that_hits_what_rests_is_told() -> None:
    bat = wall("BOX", 0.02)
    scenes.add_body(bat, "KINEMATIC").linear_velocity = (-60.0, 0.0, 0.0)
    ball("ball", -3.0)
    assert told()["Fast enough to pass through something thin; 17 substeps stop it"] == ("ball",)


def test_what_a_thruster_accelerates_is_told() -> None:
    wall("BOX", 0.02)
    ship = ball("ship", -20.0)
    jet = scenes.add("jet", None, parent=ship)
    jet.rotation_euler = (0.0, 0.0, math.pi / 2.0)  # It pushes along +X.
    jet.omi_physics.use_thruster = True
    jet.omi_physics.thruster.max_force = 100.0
    assert not warning()
    jet.omi_physics.thruster.target_force_ratio = 1.0
    assert warning()  # It comes there at 63 m/s.


def test_what_a_gravity_volume_accelerates_is_told() -> None:
    ground = wall("BOX", 0.02)
    ball("stone", -20.0)
    zone = scenes.add("zone", None)
    zone.omi_physics.use_trigger = True
    zone.omi_physics.trigger.shape.box.size = (100.0, 100.0, 100.0)
    field = zone.omi_physics
    assert not warning()
    field.use_gravity = True
    field.gravity.gravity, field.gravity.directional.direction = 50.0, (1.0, 0.0, 0.0)
    assert warning()  # It comes there at 45 m/s.
    ground.location.x = -60.0
    bpy.context.view_layer.update()
    assert not warning()


def thrown() -> tuple[str, ...]:
    """Who is told to be thrown back by a hit."""
    return next((names for text, names in told().items() if "may be thrown back" in text), ())


def reached() -> set[str]:
    """Who is told to be in the reach of these."""
    found = [set(names) for text, names in told().items() if text.startswith("May be hit by")]
    return found[0] if found else set()


@pytest.mark.parametrize("other", ["wall", "ball"])
@pytest.mark.parametrize("restitution", [0.0, 0.01])
def test_hits_that_steps_find_late_are_named(other: str, restitution: float) -> None:
    """What hits at 5 m/s is thrown back by up to 1 m/s; with any restitution it is as it says."""
    shots("SPHERE", 0.2, 5.0)
    names = [f"shot {i}" for i in range(PHASES)]
    if other == "wall":
        wall("BOX", 0.5)
        bpy.data.objects["wall"].location.x = 0.25
    else:
        for i in range(PHASES):
            at = bpy.data.objects[f"shot {i}"].location
            body(
                f"hit {i}", (0.1, at.y, at.z), "SPHERE"
            ).omi_physics.collider.shape.sphere.radius = 0.1
            names.append(f"hit {i}")
    material("skin", *(bpy.data.objects[name] for name in names), restitution=restitution)
    if other == "wall":
        material("stone", bpy.data.objects["wall"], restitution=restitution)
    assert set(thrown()) == set(names if restitution == 0.0 else ())
    session = play(show=False)
    run(session, 0.5)
    before = [place(session, f"shot {i}")[0] for i in range(PHASES)]
    run(session, 0.5)
    ways = [place(session, f"shot {i}")[0] - at for i, at in enumerate(before)]
    end = 0.0 if other == "wall" else 2.5
    worst = max(abs(way / 0.5 - end) for way in ways)
    assert worst < 0.06 if restitution else worst > 0.15


def test_what_falls_over_after_a_hit_is_named() -> None:
    """A row of dominoes and the pins of a bowling alley, but not what stands out of reach."""
    gravity()
    floor()
    for i in range(4):
        body(f"Domino {i}", (0.4 * i, 0.0, 0.5)).scale = (0.1, 0.3, 1.0)
    pins = [(row * 0.26, 9.0 + (i - row / 2.0) * 0.3) for row in range(3) for i in range(row + 1)]
    for i, (x, y) in enumerate(pins):
        body(f"Pin {i}", (x, y, 0.19)).scale = (0.12, 0.12, 0.38)
    body("Out of reach", (4.0, 0.0, 0.5))
    bpy.context.view_layer.update()
    assert not reached()
    for name, y in (("Push", 0.0), ("Ball", 9.0)):
        pushed = body(name, (-1.0, y, 0.5), "SPHERE", linear_velocity=(3.0, 0.0, 0.0))
        pushed.omi_physics.collider.shape.sphere.radius = 0.4
    named = {f"Domino {i}" for i in range(4)} | {f"Pin {i}" for i in range(6)} | {"Push", "Ball"}
    assert reached() | set(thrown()) == named
    assert {"Domino 3", "Pin 5"} <= reached()
    assert "Ball" in thrown()


def test_slow_hits_falls_and_what_friction_stops_are_not_named() -> None:
    gravity()
    floor()
    body("falls", (0.0, 0.0, 3.0), linear_velocity=(0.0, 0.0, -5.0))
    for name, y, kind, speed in (("box", 3.0, "BOX", 1.0), ("ball", 6.0, "SPHERE", 0.03)):
        pushed = body(name, (0.0, y, 0.5), kind, linear_velocity=(speed, 0.0, 0.0))
        pushed.omi_physics.collider.shape.sphere.radius = 0.5
        body(f"{name} block", (1.2, y, 0.5))
    assert thrown() == ()
    bpy.data.objects["ball"].omi_physics.motion.linear_velocity = (1.0, 0.0, 0.0)
    assert set(thrown()) == {"ball"}
