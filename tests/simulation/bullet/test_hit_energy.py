"""Accounts of what bodies that hit each other may have of energy."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.arrays import Array
from omi_physics_addon.simulation.bullet.hit_energy import HitEnergy
from omi_physics_addon.simulation.bullet.pair_contacts import Contacts, Weights

NOBODY = np.zeros(0, dtype=np.int64)
STEP = 1.0 / 60.0
STILL = np.zeros((3, 3))
MASS = np.array([1.0, 2.0, 3.0])
WEIGHTS = Weights(MASS, 1.0 / MASS, np.tile(np.eye(3), (3, 1, 1)), np.tile(np.eye(3), (3, 1, 1)))


def moving(*speeds: float) -> Array:
    """Velocities along X."""
    return np.array([[speed, 0.0, 0.0] for speed in speeds])


def hit(velocity: Array, lost: float = 0.0, *, held: bool = False) -> HitEnergy:
    """Accounts after the first two of three bodies have hit each other."""
    accounts = HitEnergy(np.array([held, False, False]))
    pair = np.array([0]), np.array([1])
    still = np.zeros((1, 3))
    contacts = Contacts.of(pair, np.array([[-1.0, 0.0, 0.0]]), (still, still))
    contacts.most = WEIGHTS.energies(contacts, (velocity, STILL)) - lost
    accounts.hit(contacts, WEIGHTS, (velocity, STILL))
    accounts.see(np.zeros(3, dtype=np.bool_))
    return accounts


@pytest.mark.parametrize("lost", [0.0, 2.0])
def test_what_two_have_too_much_is_taken_and_their_momentum_stays(lost: float) -> None:
    accounts = hit(moving(3.0, -1.0, 5.0), lost)
    after = moving(-3.4, 2.2, 9.0)
    changed = after + accounts.surplus(WEIGHTS, after, after, STILL)
    energy = WEIGHTS.energy((changed, STILL))
    assert energy[:2].sum() == pytest.approx(5.5 - lost)
    assert MASS @ changed == pytest.approx(MASS @ after)
    assert (changed[2] == after[2]).all()


def test_who_has_less_is_left_alone() -> None:
    accounts = hit(moving(3.0, -1.0, 5.0))
    after = moving(-1.0, 1.0, 5.0)
    assert not accounts.surplus(WEIGHTS, after, after, STILL).any()


def test_who_is_hitting_something_is_left_alone() -> None:
    """Until all of the group are free again."""
    accounts, after = hit(moving(3.0, -1.0, 5.0)), moving(-4.0, 2.5, 9.0)
    accounts.see(np.array([True, False, False]))
    assert not accounts.surplus(WEIGHTS, after, after, STILL).any()
    accounts.see(np.zeros(3, dtype=np.bool_))
    assert accounts.surplus(WEIGHTS, after, after, STILL).any()


def test_what_others_or_joints_push_is_given_up() -> None:
    accounts, pushed = hit(moving(3.0, -1.0, 5.0)), moving(-4.0, 3.5, 9.0)
    assert not accounts.surplus(WEIGHTS, pushed, pushed, STILL).any()
    assert accounts.is_empty
    assert hit(moving(3.0, -1.0, 5.0), held=True).is_empty


def test_other_forces_do_their_work() -> None:
    """What falls may have the energy that gravity gives."""
    start, pull = moving(3.0, -1.0, 0.0), np.tile([0.0, -600.0, 0.0], (3, 1))
    accounts = hit(start)
    accounts.go_on(WEIGHTS, (start, STILL), pull, STEP)
    later = start + pull * STEP
    accounts.see(np.zeros(3, dtype=np.bool_))
    assert not accounts.surplus(WEIGHTS, later, later, STILL).any()
    assert accounts.surplus(WEIGHTS, later, later + moving(-2.0, 1.0, 0.0) * 5.0, STILL).any()


def test_groups_that_meet_are_one_and_end_after_some_frames() -> None:
    """Two that hit a wall each, and then each other, have what they had before the walls."""
    accounts = HitEnergy(np.zeros(3, dtype=np.bool_))
    start = moving(3.0, -1.0, 0.0)
    accounts.wall(np.array([0, 1]), NOBODY, WEIGHTS, (start, STILL))
    pair, still = (np.array([0]), np.array([1])), np.zeros((1, 3))
    contacts = Contacts.of(pair, np.array([[-1.0, 0.0, 0.0]]), (still, still))
    slow = 0.5 * start
    contacts.most = WEIGHTS.energies(contacts, (slow, STILL))
    accounts.hit(contacts, WEIGHTS, (slow, STILL))
    accounts.see(np.zeros(3, dtype=np.bool_))
    assert not accounts.surplus(WEIGHTS, start, start, STILL).any()
    assert accounts.surplus(WEIGHTS, start, 2.0 * start, STILL).any()
    for _ in range(10):
        accounts.go_on(WEIGHTS, (start, STILL), STILL, STEP)
    assert accounts.is_empty
    accounts.wall(np.array([0, 1]), np.array([0, 1]), WEIGHTS, (start, STILL))
    assert accounts.is_empty  # What moves may give them energy.
