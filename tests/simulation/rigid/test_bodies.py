"""Collision collections of Blender's rigid bodies as filters of ours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omi_physics_addon.model.bodies import CollisionFilter
from omi_physics_addon.simulation.rigid.bodies import COLLECTIONS, collections_of, filter_of


def among(*numbers: int) -> list[bool]:
    return [at + 1 in numbers for at in range(COLLECTIONS)]


@pytest.mark.parametrize("numbers", [(), (1,), (2, 5, COLLECTIONS), range(1, COLLECTIONS + 1)])
def test_collections_come_back(numbers):
    found = filter_of(among(*numbers))
    assert collections_of(found) == among(*numbers)
    assert collections_of(replace(found, not_collide_with_systems=("a",))) is None


@pytest.mark.parametrize("name", ["a", "Collision Collection 0", "Collision Collection 21"])
def test_other_filters_are_no_collections(name):
    assert (
        collections_of(CollisionFilter(collision_systems=(name,), collide_with_systems=(name,)))
        is None
    )
