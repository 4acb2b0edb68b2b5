"""Which bodies, and which groups of them, may touch at all."""

from __future__ import annotations

import numpy as np

from omi_physics_addon.model.bodies import CollisionFilter
from omi_physics_addon.model.shapes import Sphere
from omi_physics_addon.simulation.bullet.meetings import Meetings
from omi_physics_addon.simulation.state import WORLD
from omi_physics_addon.simulation.world import Body, Frame, JointFrames, Solid, World

GHOST = CollisionFilter(collision_systems=("ghosts",), not_collide_with_systems=("ghosts",))
PLAIN, GHOSTS = frozenset([None]), frozenset([GHOST])


def body(filter_: CollisionFilter | None = None) -> Body:
    zero = np.zeros(3)
    solid = Solid(0, Sphere(), np.eye(3), zero, None, filter_)
    return Body(0, "dynamic", np.eye(3), zero, (solid,), 1.0, zero, np.eye(3), zero, zero, zero)


def tied(first: int, second: int, collide: bool = False) -> JointFrames:
    ends = [Frame(at, np.zeros(3), np.eye(3)) for at in (first, second)]
    return JointFrames(0, ends[0], ends[1], (), (), collide)


def world(*joints: JointFrames) -> Meetings:
    bodies = (body(), body(), body(GHOST), body(GHOST))
    return Meetings(World(bodies, {}, joints, (), {}, None))


def test_bodies_meet_by_filters_and_joints() -> None:
    found = world(tied(0, 1), tied(0, 2, collide=True), tied(WORLD, 3))
    assert [found.of(0, at) for at in range(4)] == [False, False, True, True]
    assert not found.of(2, 3)
    assert found.of_solid(0, 2, body(GHOST).solids[0])
    assert not found.of_solid(2, 3, body(GHOST).solids[0])


def test_groups_meet_where_any_two_do() -> None:
    groups, filters = [[0], [1], [2, 3]], [PLAIN, PLAIN, GHOSTS]
    assert world().of_groups(groups, filters).tolist() == [
        [False, True, True],  # Nobody meets itself.
        [True, False, True],
        [True, True, False],
    ]
    apart = world(tied(0, 1), tied(0, 2)).of_groups(groups, filters)
    assert apart[0].tolist() == [False, False, True]  # The other ghost is free.
    both = world(tied(0, 2), tied(0, 3)).of_groups(groups, filters)
    assert both[0].tolist() == [False, True, False]


def test_solids_of_one_body_do_not_meet() -> None:
    assert not world().of_groups([[0], [0]], [PLAIN, PLAIN]).any()


def test_nobody_meets_nobody() -> None:
    assert world().of_groups([], []).shape == (0, 0)


def test_parts_of_bodies_meet_as_their_bodies_and_filters_do() -> None:
    found = world(tied(0, 1), tied(0, 2, collide=True), tied(WORLD, 3))
    meet = found.of_parts(np.array([0, 1, 2, 3, 3]), [PLAIN, PLAIN, GHOSTS, GHOSTS, PLAIN])
    pairs = [(0, 1), (0, 2), (2, 3), (2, 4), (4, 3), (1, 4)]
    first, second = np.array(pairs).T
    assert meet(first, second).tolist() == [False, True, False, True, False, True]
    assert meet(second, first).tolist() == meet(first, second).tolist()
    assert meet(first[:0], second[:0]).shape == (0,)
