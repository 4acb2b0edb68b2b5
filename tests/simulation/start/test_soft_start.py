"""What overlaps at the start is held, with what is near it, until all of it has come out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.model.bodies import CollisionFilter
from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from omi_physics_addon.simulation.bullet.meetings import Meetings
from omi_physics_addon.simulation.start.soft_start import SoftStart
from omi_physics_addon.simulation.world import Body, Form, Mesh, World
from tests.simulation.test_neighbors import body

STEP, SUBSTEPS = 1.0 / 60.0, 4
FLOOR = replace(body((0.0, -0.5, 0.0), Box(size=(50.0, 1.0, 50.0))), type="static")
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
ROUND = np.array([[np.sin(i) * 0.5, y, np.cos(i) * 0.5] for i in range(200) for y in (-0.5, 0.5)])
NONE = np.zeros((0, 3), dtype=np.int64)
FORMS: dict[str, Form] = {
    "box": Box(),
    "sphere": Sphere(radius=0.5),
    "cylinder": Cylinder(height=1.0, radius_bottom=0.5, radius_top=0.3),
    "capsule": Capsule(height=0.5, radius_bottom=0.25, radius_top=0.25),
    "hull": Mesh(CORNERS, NONE, True),
    "hull of many corners": Mesh(ROUND, NONE, True),
}


def surface(size: float = 50.0, at: float = 0.0) -> Body:
    corners = np.array([[x, at, z] for x in (-size, size) for z in (-size, size)])
    mesh = Mesh(corners, np.array([[0, 1, 2], [1, 3, 2]]), False)
    return replace(body((0.0, 0.0, 0.0), mesh), type="static")


GROUNDS = {
    "box": FLOOR,
    "plane": replace(body((0.0, 0.0, 0.0), Plane()), type="static"),
    "triangles": surface(),
}


def started(*bodies: Body, joints: Any = ()) -> SoftStart:
    world = World(bodies, {}, joints, (), {}, None)
    return SoftStart(world, Meetings(world), STEP, SUBSTEPS)


def held(*bodies: Body) -> list[bool]:
    return started(*bodies).held(None).tolist()


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("sunk", "wanted"), [(0.0, False), (5e-4, False), (4e-3, True)])
def test_what_is_in_the_ground_is_held(form, ground, sunk, wanted) -> None:
    resting = body((3.0, 0.5 - sunk, 2.0), FORMS[form])
    assert held(GROUNDS[ground], resting) == [False, wanted]


def test_what_is_near_it_is_held_and_what_is_far_is_not() -> None:
    heights = (0.48, 1.485, 2.485, 3.6)
    tower = [body((0.0, height, 0.0), Box()) for height in heights]
    beside = body((5.0, 0.5, 0.0), Box())
    assert held(FLOOR, *tower, beside) == [False, True, True, True, False, False]


def test_two_that_overlap_are_both_held() -> None:
    pair = [body((x, 5.0, 0.0), Box()) for x in (0.0, 0.99)]
    assert held(*pair) == [True, True]


def test_what_moves_is_not_held() -> None:
    moving = replace(body((0.0, 0.4, 0.0), Box()), velocity=np.array([1.0, 0.0, 0.0]))
    turning = replace(body((5.0, 0.4, 0.0), Box()), spin=np.array([0.0, 1.0, 0.0]))
    assert held(FLOOR, moving, turning) == [False, False, False]


def test_what_may_not_touch_is_not_held() -> None:
    ghosts = CollisionFilter(collision_systems=("ghosts",), not_collide_with_systems=("ghosts",))
    pair = [body((x, 5.0, 0.0), Box()) for x in (0.0, 0.5)]
    pair = [replace(b, solids=(replace(b.solids[0], filter=ghosts),)) for b in pair]
    assert held(*pair) == [False, False]


def test_a_heap_is_let_go_together_when_all_of_it_is_calm() -> None:
    near = [body((x, 0.48, 0.0), Box()) for x in (0.0, 1.0)]
    far = body((9.0, 0.48, 0.0), Box())
    soft = started(FLOOR, *near, far)
    assert soft.held(None).tolist() == [False, True, True, True]
    ways = np.zeros((4, 3))
    ways[1, 1] = 0.01
    assert soft.held(ways).tolist() == [False, True, True, False]
    assert soft.is_open
    assert soft.held(np.zeros((4, 3))).tolist() == [False] * 4
    assert not soft.is_open


def test_nobody_is_held_for_long() -> None:
    soft = started(FLOOR, body((0.0, 0.4, 0.0), Box()))
    ways = np.full((2, 3), 0.1)
    frames = sum(bool(soft.held(ways).any()) for _ in range(60))
    assert frames == round(0.5 / STEP) - 1


def test_nothing_is_looked_for_where_nothing_moves() -> None:
    assert held(FLOOR) == [False]
    assert held() == []
