"""Frictions that are fitted to what is near."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.model.bodies import PhysicsMaterial
from omi_physics_addon.model.shapes import Box
from omi_physics_addon.simulation.bullet.materials import Frictions, combined, settled
from omi_physics_addon.simulation.world import Body, Solid, World

ZERO = np.zeros(3)
MATERIALS = [
    PhysicsMaterial(dynamic_friction=0.2, friction_combine="average"),
    PhysicsMaterial(dynamic_friction=0.9, friction_combine="average"),
    PhysicsMaterial(dynamic_friction=0.3, friction_combine="minimum"),
    PhysicsMaterial(dynamic_friction=0.6, friction_combine="minimum"),
    PhysicsMaterial(dynamic_friction=0.6, friction_combine="maximum"),
    PhysicsMaterial(dynamic_friction=0.7, friction_combine="multiply"),
]


def box(place: tuple[float, float, float], material: PhysicsMaterial, moves: bool = True) -> Body:
    solid = Solid(0, Box(), np.eye(3), ZERO, material)
    return Body(
        0,
        "dynamic" if moves else "static",
        np.eye(3),
        np.array(place),
        (solid,),
        1.0,
        ZERO,
        np.eye(3),
        np.ones(3),
        ZERO,
        ZERO,
    )


def looked(*bodies: Body) -> Frictions:
    world = World(bodies, {}, (), (), {}, None)
    found = Frictions(world)
    found.look(world.state(), world.masses(), [np.zeros((len(bodies), 3))])
    return found


def wanted(one: int, other: int) -> float:
    first, second = MATERIALS[one], MATERIALS[other]
    modes = first.friction_combine, second.friction_combine
    return combined(first.dynamic_friction, second.dynamic_friction, modes)


def test_pairs_that_never_meet_leave_each_other_alone() -> None:
    """On six lanes, each material with the next one; not exact for all with all."""
    bodies = [box((0.0, 1.0, 3.0 * i), MATERIALS[i]) for i in range(6)]
    bodies += [box((0.0, 0.0, 3.0 * i), MATERIALS[(i + 1) % 6], moves=False) for i in range(6)]
    found = looked(*bodies)
    assert not found.is_exact
    for i in range(6):
        product = found.values[i] * found.values[6 + i]
        assert product == pytest.approx(wanted(i, (i + 1) % 6), rel=1e-3)
    assert not found.inexact()


def test_a_tower_of_all_materials_is_exact() -> None:
    bodies = [box((0.0, float(i), 0.0), MATERIALS[i], moves=i > 0) for i in range(6)]
    found = looked(*bodies)
    products = found.values[1:] * found.values[:-1]
    assert products == pytest.approx([wanted(i, i + 1) for i in range(5)], rel=1e-3)
    assert not found.inexact()


def test_what_touches_in_a_ring_is_told() -> None:
    """Two boxes, each across both of two grounds; another pair beside them is exact."""
    ring = [
        box((0.0, 0.0, 0.0), MATERIALS[0], moves=False),
        box((1.0, 0.0, 0.0), MATERIALS[3], moves=False),
        box((0.5, 1.0, -0.6), MATERIALS[1]),
        box((0.5, 1.0, 0.6), MATERIALS[2]),
    ]
    beside = [box((9.0, 0.0, 0.0), MATERIALS[0], moves=False), box((9.0, 1.0, 0.0), MATERIALS[5])]
    found = looked(*ring, *beside)
    assert found.inexact() == [0, 1, 2, 3]
    assert found.values[4] * found.values[5] == pytest.approx(wanted(0, 5), rel=1e-3)


def test_grounds_come_before_what_moves() -> None:
    """Of boxes in a pile those on the ground are within 1 %, as nothing can be for all."""
    chance = np.random.default_rng(4)
    ground = PhysicsMaterial(dynamic_friction=0.4)
    bodies = [box((x, 0.0, z), ground, moves=False) for x in range(4) for z in range(4)]
    kinds: list[int] = chance.integers(0, 6, 48).tolist()
    bodies += [
        box((float(i % 4), 1.0 + i // 16, float(i // 4 % 4)), MATERIALS[kind])
        for i, kind in enumerate(kinds)
    ]
    found = looked(*bodies)
    for i, kind in enumerate(kinds[:16]):
        under = 4 * (i % 4) + i // 4
        modes = (MATERIALS[kind].friction_combine, ground.friction_combine)
        right = combined(MATERIALS[kind].dynamic_friction, 0.4, modes)
        assert found.values[16 + i] * found.values[under] == pytest.approx(right, rel=0.01)


def test_one_material_needs_no_look() -> None:
    bodies = [box((float(i), 0.0, 0.0), MATERIALS[2]) for i in range(5)]
    found = looked(*bodies)
    assert found.is_exact
    assert not found.inexact()
    assert found.values**2 == pytest.approx([0.3] * 5, rel=1e-3)


def test_what_is_in_no_pair_keeps_its_number_and_what_is_slick_is_zero() -> None:
    base = np.array([0.5, 0.5, 0.5, 0.7])
    pairs, goal = np.array([[0, 1], [1, 2]]), np.array([0.0, 0.36])
    found = settled(base, pairs, goal, np.ones(2))
    assert found[0] == 0.0
    assert found[1:3] == pytest.approx([0.6, 0.6], rel=1e-3)
    assert found[3] == 0.7


def test_no_pairs_change_nothing() -> None:
    nobody = np.zeros((2, 0), dtype=np.int64)
    assert settled(np.array([0.3, 0.0]), nobody, np.zeros(0), np.zeros(0)).tolist() == [0.3, 0.0]


def test_a_world_without_bodies_is_exact() -> None:
    found = looked()
    assert found.is_exact
    assert not len(found.values)
