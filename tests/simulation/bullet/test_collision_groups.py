"""Who collides with whom in the groups of an engine."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest

from omi_physics_addon.geometry.arrays import Array
from omi_physics_addon.model.bodies import CollisionFilter, PhysicsMaterial
from omi_physics_addon.model.filters import meets
from omi_physics_addon.simulation.bullet import materials
from omi_physics_addon.simulation.bullet.collision_groups import (
    Filters,
    grouped,
    sets_meet,
)
from omi_physics_addon.simulation.bullet.materials import (
    Kind,
    Meet,
    combined,
    factors,
    fitted,
    typical,
)


def frictions(surfaces: list[PhysicsMaterial]) -> Array:
    """The friction between each two surfaces."""
    return materials.frictions(surfaces, surfaces)


def named(
    *systems: str, only: tuple[str, ...] = (), other: tuple[str, ...] = ()
) -> CollisionFilter:
    return CollisionFilter(
        collision_systems=systems, collide_with_systems=only, not_collide_with_systems=other
    )


def test_both_sides_must_let_each_other_through() -> None:
    ground, ghost = named("ground"), named("ghost", other=("ground",))
    picky = named("picky", only=("ground",))
    assert meets(ground, None)
    assert not meets(ground, ghost)
    assert not meets(ghost, ground)
    assert meets(picky, ground)
    assert not meets(picky, ghost)
    assert not meets(picky, None)


def check(kinds: list[Filters], moving: list[bool], single: Sequence[bool] = ()) -> int:
    """How many pairs share a group that should not; fails where one does not that should."""
    groups = grouped(kinds, moving, single)
    extra = set(groups.extra)
    for i, first in enumerate(kinds):
        for j in range(i, len(kinds)):
            together = bool((groups.members[i] & groups.members[j]).any())
            if i == j and single and single[i]:
                continue
            if moving[i] or moving[j]:
                wanted = sets_meet(first, kinds[j])
                assert together or not wanted
                assert ((i, j) in extra) == (together and not wanted)
    return len(extra)


def test_a_kind_that_does_not_meet_itself_meets_others() -> None:
    ground, thing = named("ground"), named("thing", other=("thing",))
    assert check([frozenset({ground}), frozenset({thing})], [False, True]) == 1


def test_random_filters_fit_or_are_told() -> None:
    chance = random.Random(5)
    names = "abcdef"
    for _ in range(200):
        count = chance.randint(1, 12)
        kinds: list[Filters] = []
        for _ in range(count):
            own, listed = chance.sample(names, 1), tuple(chance.sample(names, chance.randint(0, 3)))
            only = chance.random() < 0.5
            kinds.append(
                frozenset({named(*own, only=listed if only else (), other=() if only else listed)})
            )
        moving = [chance.random() < 0.7 for _ in range(count)]
        check(kinds, moving)
        check(kinds, moving, [chance.random() < 0.5 for _ in range(count)])


def test_all_of_one_kind_need_one_group() -> None:
    groups = grouped([frozenset({None})], [True])
    assert groups.members.sum() == 1
    assert not groups.extra


def test_the_first_mode_of_either_side_counts() -> None:
    assert combined(0.2, 0.8, ("average", "multiply")) == 0.5
    assert combined(0.2, 0.8, ("multiply", "maximum")) == 0.8
    assert combined(0.2, 0.8, ("minimum", "maximum")) == 0.2


def test_products_that_can_be_met_are_met() -> None:
    wanted = frictions(
        [
            PhysicsMaterial(dynamic_friction=0.2, friction_combine="multiply"),
            PhysicsMaterial(dynamic_friction=0.9, friction_combine="multiply"),
        ]
    )
    found = factors(wanted, np.ones((2, 2)))
    assert np.allclose(np.outer(found, found), wanted)


def test_pairs_that_do_not_matter_leave_room_for_those_that_do() -> None:
    ice = PhysicsMaterial(dynamic_friction=0.0)
    rubber = PhysicsMaterial(dynamic_friction=1.0)
    wood = PhysicsMaterial(dynamic_friction=0.4)
    moves = np.array([False, False, True])
    wanted = frictions([ice, rubber, wood])
    matters = moves[:, None] | moves[None]
    found = factors(wanted, matters.astype(float))
    assert np.allclose(np.outer(found, found)[matters], wanted[matters], rtol=1e-3)


def kind(material: PhysicsMaterial, moves: bool = True) -> Kind:
    return material, moves, frozenset([None])


def all_meet(count: int) -> Meet:
    return lambda columns: np.ones((count, len(columns)), dtype=np.bool_)


def test_what_moves_meets_what_does_not_first() -> None:
    """All pairs with one ground are exact; those of moving bodies take what is left."""
    surfaces = [PhysicsMaterial(dynamic_friction=f) for f in (0.0, 0.6, 1.0)]
    ground = PhysicsMaterial(dynamic_friction=0.2)
    kinds = [kind(ground, False), kind(ground), *map(kind, surfaces)]
    found, wanted = fitted(kinds, all_meet(5)), frictions([kind[0] for kind in kinds])
    assert found[0] * found[1:] == pytest.approx(wanted[0, 1:], rel=0.02)


def test_no_friction_stays_none() -> None:
    slick = PhysicsMaterial(dynamic_friction=0.0, friction_combine="multiply")
    assert factors(frictions([slick]), np.ones((1, 1))) == 0.0


def test_what_is_slick_takes_nothing_from_what_is_not() -> None:
    """However many ice there is, wood and the ground keep the friction of the two."""
    ground, wood, *ices = (
        PhysicsMaterial(dynamic_friction=value, friction_combine="multiply", name=str(at))
        for at, value in enumerate((0.6, 0.5, *[0.0] * 200))
    )
    for count in (6, 200):
        kinds = [kind(ground, False), kind(wood), *map(kind, ices[:count])]
        found = fitted(kinds, all_meet(len(kinds)))
        assert found[0] * found[1] == pytest.approx(0.3, rel=1e-3)
        assert not (found[0] * found[2:]).any()


def test_no_bodies_need_no_groups() -> None:
    assert grouped([], []).extra == ()


def test_many_surfaces_fit_as_well_as_few() -> None:
    chance = random.Random(7)
    kinds = [
        kind(PhysicsMaterial(dynamic_friction=chance.uniform(0.3, 0.7), name=str(i)), i % 3 > 0)
        for i in range(600)
    ]
    many, few = fitted(kinds, all_meet(600)), fitted(kinds[:120], all_meet(120))
    assert many[:120] == pytest.approx(few, abs=0.01)
    assert len(typical(kinds)) < 200
    assert len(typical(kinds[:120])) == 120


def test_filters_with_names_of_their_own_that_no_other_names_are_as_one() -> None:
    kinds: list[Filters] = [frozenset({named(f"own {i}", "team")}) for i in range(2000)]
    kinds.append(frozenset({named("picky", only=("team", "nobody"))}))
    kinds.append(frozenset({named("alone", only=("nobody",))}))
    groups = grouped(kinds, [True] * len(kinds))
    assert groups.extra == ((2000, 2000),)
    assert len(np.unique(groups.members[:2000], axis=0)) == 1
    assert (groups.members[0] & groups.members[2000]).any()
    assert not groups.members[2001].any()


def test_hundreds_of_filters_that_do_not_meet_their_own_kind() -> None:
    kinds: list[Filters] = [frozenset({named(f"{i}", other=(f"{i}",))}) for i in range(150)]
    assert check(kinds, [True] * len(kinds)) == len(kinds)


def loops(count: int) -> list[Filters]:
    """Each meets all but the next one."""
    names = [str(i) for i in range(count)]
    return [frozenset({named(name, other=(names[i - 1],))}) for i, name in enumerate(names)]


def test_hundreds_of_which_few_pairs_are_apart_share_groups() -> None:
    assert check(loops(300), [True] * 300, [True] * 300) == 300


def test_thousands_of_which_few_pairs_are_apart_need_no_table_of_all_pairs() -> None:
    count = 2000
    tracemalloc.start()
    assert len(grouped(loops(count), [True] * count).extra) == count
    assert tracemalloc.get_traced_memory()[1] < 2 * count**2
    tracemalloc.stop()


def test_compounds_of_which_few_pairs_are_apart_are_so_with_all_their_filters() -> None:
    """And two that do not move never matter, nor what meets by another of its filters."""
    rows = loops(600)
    kinds = [first | second for first, second in zip(rows[::2], rows[1::2], strict=True)]
    kinds += [frozenset({named("a", other=("b",))}), frozenset({named("b"), named("b", "c")})]
    moving = [i % 3 > 0 for i in range(len(kinds))]
    assert check(kinds, moving) == 1
    assert check(kinds, [*moving[:-2], False, False]) == 0


def test_single_bodies_that_do_not_meet_their_own_kind_are_as_one() -> None:
    kinds: list[Filters] = [frozenset({named(f"{i}", other=(f"{i}",))}) for i in range(150)]
    groups = grouped(kinds, [True] * 150, [True] * 150)
    assert not groups.extra
    assert len(np.unique(groups.members, axis=0)) == 1
