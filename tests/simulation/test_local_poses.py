"""From moves of bodies to keys below parents."""

import numpy as np
import pytest

from omi_physics_addon.geometry.rotations import rotations_of_vectors
from omi_physics_addon.simulation.local_poses import keyed, moves


def random_turns(count, seed):
    return rotations_of_vectors(np.random.default_rng(seed).normal(size=(count, 3)))


def matrix(turn, place, scale=1.0):
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = turn * scale, place
    return made


def test_moves_lead_from_the_first_pose_to_each():
    turns, places = random_turns(4, 1), np.random.default_rng(2).normal(size=(4, 3))
    found = moves(places, turns)
    assert found[0] == pytest.approx(np.eye(4))
    for i in range(4):
        expected = matrix(turns[i], places[i])
        assert found[i] @ matrix(turns[0], places[0]) == pytest.approx(expected)


@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_keys_below_a_moving_parent_give_the_same_world(scale):
    turns = random_turns(9, 3)
    places = np.random.default_rng(4).normal(size=(9, 3))
    own, above = moves(places[:4], turns[:4]), moves(places[4:8], turns[4:8])
    parent = matrix(turns[8], places[8], scale)
    local = matrix(turns[2], places[1])
    keys = keyed(own, above, parent, local[:3, 3])
    assert not keys.is_sheared
    for i in range(4):
        basis = matrix(keys.turns[i] @ local[:3, :3], keys.places[i])
        assert above[i] @ parent @ basis == pytest.approx(own[i] @ parent @ local)


def test_shear_is_told():
    turns = random_turns(3, 5)
    own = moves(np.zeros((2, 3)), turns[:2])
    parent = matrix(np.diag([1.0, 1.0, 3.0]), np.zeros(3))
    assert keyed(own, None, parent, np.zeros(3)).is_sheared
