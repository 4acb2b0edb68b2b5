"""Which things come near each other in the next moments."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.arrays import Array, Flags, Indices
from omi_physics_addon.model.shapes import Box, Sphere
from omi_physics_addon.simulation.neighbors import Neighbors
from omi_physics_addon.simulation.world import Body, Form, Mesh, Solid, World

ZERO, ONE = np.zeros(3), np.ones(3)


def body(place: tuple[float, float, float], form: Form, turn: float = 0.0) -> Body:
    c, s = np.cos(turn), np.sin(turn)
    axes = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    solid = Solid(0, form, np.eye(3), ZERO)
    return Body(0, "dynamic", axes, np.array(place), (solid,), 1.0, ZERO, axes, ONE, ZERO, ZERO)


def found(
    bodies: list[Body], moving: list[bool], ways: Array | None = None, *, is_close: bool = True
) -> list[tuple[int, int]]:
    def all_meet(first: Indices, second: Indices) -> Flags:
        return np.ones(len(first), dtype=np.bool_)

    world = World(tuple(bodies), {}, (), (), {}, None)
    count = np.arange(len(bodies))
    things = [each.solids for each in bodies]
    neighbors = Neighbors(things, count, np.array(moving, dtype=bool), all_meet)
    way = np.zeros((len(bodies), 3)) if ways is None else ways
    first, second = neighbors.pairs(world.state(), world.masses(), way, is_close=is_close)
    return list(zip(first.tolist(), second.tolist(), strict=True))


def test_what_touches_is_near_and_what_is_5_cm_away_is_not() -> None:
    boxes = [body((x, 0.0, 0.0), Box()) for x in (0.0, 1.0, 2.05)]
    assert found(boxes, [True, False, True]) == [(0, 1)]


def test_two_that_stand_are_no_pair() -> None:
    boxes = [body((x, 0.0, 0.0), Box()) for x in (0.0, 1.0, 2.0)]
    assert found(boxes, [False, False, True]) == [(1, 2)]


def test_what_comes_near_on_its_way_is_a_pair() -> None:
    """Also where the way ends behind it; what goes the same way stays as far."""
    boxes = [body((0.0, y, 0.0), Box()) for y in (0.0, 3.0, 6.0)]
    fall = np.array([0.0, -20.0, 0.0])
    assert found(boxes, [False, True, True], np.array([ZERO, fall, fall])) == [(0, 1), (0, 2)]


@pytest.mark.parametrize("is_close", [True, False])
def test_lanes_beside_each_other_that_are_turned_are_apart(is_close: bool) -> None:
    """Although the boxes around them overlap; two that move are looked at so only if asked."""
    lane, side = Box(size=(40.0, 1.0, 1.0)), np.array([0.5, 0.0, 0.866]) * 1.2
    lanes = [body((i * side[0], 0.0, i * side[2]), lane, np.pi / 6.0) for i in range(3)]
    assert found(lanes, [True, False, False], is_close=is_close) == []
    both = found(lanes, [True, True, False], is_close=is_close)
    assert both == ([] if is_close else [(0, 1)])


def test_a_ball_beside_a_corner_is_apart() -> None:
    ball = body((1.0, 1.0, 0.0), Sphere(radius=0.6))
    assert found([body((0.0, 0.0, 0.0), Box()), ball], [True, False]) == []


def test_a_mesh_counts_as_the_box_around_it_wherever_its_origin_is() -> None:
    corners = np.array([[5.0, 0.0, -1.0], [7.0, 0.0, -1.0], [6.0, 0.0, 1.0]])
    mesh = Mesh(corners, np.array([[0, 1, 2]]), is_convex=False)
    things = [body((0.0, 0.0, 0.0), mesh), body((6.0, 0.5, 0.0), Box()), body((0, 0.5, 0), Box())]
    assert found(things, [False, True, True]) == [(0, 1)]


def test_nothing_is_near_nothing() -> None:
    assert found([], []) == []
