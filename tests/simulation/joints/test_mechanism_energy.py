"""What mechanisms make from nothing is taken back, and nothing else."""

import numpy as np
import pytest

from omi_physics_addon.simulation.joints.joint_rows import Linkage
from omi_physics_addon.simulation.joints.mechanism_energy import MechanismEnergy
from omi_physics_addon.simulation.state import WORLD, Masses, State, Wrench
from omi_physics_addon.simulation.world import Frame, JointFrames

STEP = 1.0 / 60.0
PIN = (True, True, True, False, False, False)


def bodies(count, still=()):
    dynamic = np.array([i not in still for i in range(count)])
    some = np.where(dynamic, 1.0, 0.0)
    return Masses(
        np.where(dynamic, 1.0, np.inf),
        some,
        np.tile(0.1 * np.eye(3), (count, 1, 1)),
        some[:, None, None] * np.tile(10.0 * np.eye(3), (count, 1, 1)),
        np.zeros((count, 3)),
        dynamic,
        np.ones(count),
    )


def pinned(*pairs):
    frames = [
        JointFrames(i, *(Frame(body, np.zeros(3), np.eye(3)) for body in pair), (), (), False)
        for i, pair in enumerate(pairs)
    ]
    return Linkage(frames, [PIN] * len(frames))


def at(places, velocities):
    count = len(places)
    axes = np.tile(np.eye(3), (count, 1, 1))
    return State(np.array(places), axes, np.array(velocities, dtype=float), np.zeros((count, 3)))


def followed(linkage, masses, states, *, force=None, disturbed=(), driven=(), falling=None):
    """The share of its speed that each body keeps after some states, and the last wrench."""
    joints, count = len(linkage.first), len(masses)
    made = MechanismEnergy(
        linkage,
        masses,
        np.ones(joints, dtype=bool),
        np.isin(np.arange(joints), driven),
        np.full(count, 0.5),
    )
    none, keep, wrench = np.zeros((count, 3)), np.ones(count), Wrench.zero(count)
    for state in states:
        wrench = Wrench.zero(count)
        outer = (none if force is None else force, none, none if falling is None else falling)
        springs = np.zeros(joints), np.zeros(joints)
        touched = np.array(disturbed, dtype=np.int64)
        keep = made.damp(state, wrench, outer, springs, touched, STEP)
    return keep, wrench


def test_what_comes_from_nowhere_is_taken_back():
    states = [at([(1.0, 0.0, 0.0)], [(0.0, speed, 0.0)]) for speed in (1.0, 1.0, 1.1)]
    keep, _ = followed(pinned((WORLD, 0)), bodies(1), states)
    # Twice what was gained, as it will go on, less half of a hundredth.
    wanted = np.sqrt(1.0 - 2.0 * (0.105 - 0.0025) / 0.605)
    assert keep == pytest.approx([wanted], abs=0.01)


def test_what_explodes_is_stopped():
    states = [at([(1.0, 0.0, 0.0)], [(0.0, speed, 0.0)]) for speed in (1.0, 1.0, 30.0, 40.0)]
    assert followed(pinned((WORLD, 0)), bodies(1), states)[0].tolist() == [0.0]


def test_what_forces_put_in_stays():
    masses, states = bodies(1), list[State]()
    for i in range(8):  # First a speed changes, and then a place by it.
        time, pull = i * STEP, 9.81
        fallen = 0.5 * pull * time * (time + STEP)
        states.append(at([(fallen, 0.0, 0.0)], [(pull * time, 0.0, 0.0)]))
    linkage, pull = pinned((WORLD, 0)), np.array([(9.81, 0.0, 0.0)])
    assert followed(linkage, masses, states, force=pull)[0].tolist() == [1.0]
    assert followed(linkage, masses, states, falling=pull)[0].tolist() == [1.0]
    assert followed(linkage, masses, states)[0].tolist() == [0.0]


def test_motors_and_hands_may_do_work():
    states = [at([(1.0, 0.0, 0.0)], [(0.0, speed, 0.0)]) for speed in (1.0, 1.0, 3.0)]
    linkage = pinned((WORLD, 0))
    assert followed(linkage, bodies(1), states, driven=[0])[0].tolist() == [1.0]
    assert followed(linkage, bodies(1), states, disturbed=[0])[0].tolist() == [1.0]


def test_who_is_hit_gets_what_the_other_one_lost():
    def play(place, left):
        before = at([(1.0, 0.0, 0.0), place], [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)])
        after = at([(1.0, 0.0, 0.0), place], [(3.9, 0.0, 0.0), (left, 0.0, 0.0)])
        return followed(pinned((WORLD, 0)), bodies(2), [before, before, after])[0].tolist()

    assert play((0.1, 0.0, 0.0), 0.1) == [1.0, 1.0]
    assert play((-9.0, 0.0, 0.0), 0.1) == [0.0, 1.0]
    assert play((0.1, 0.0, 0.0), 3.9)[0] < 0.5


def test_what_led_ends_carry_may_gain():
    masses = bodies(2, still=[1])
    places = [(1.0, 0.0, 0.0), (0.0, 0.0, 0.0)]

    def play(led):
        states = [at(places, [(0.0, v, 0.0), (0.0, led, 0.0)]) for v in (1.0, 1.0, 3.0)]
        return followed(pinned((1, 0)), masses, states)[0].tolist()

    assert play(1.0) == [1.0, 1.0]
    assert play(0.0)[0] < 0.5


def test_what_moves_freely_goes_on():
    """Only what two bodies move against each other is taken away."""
    places = [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)]
    states = [at(places, [(5.0, 0.0, v), (5.0, 0.0, v)]) for v in (0.0, 0.0, 3.0)]
    assert followed(pinned((0, 1)), bodies(2), states)[0].tolist() == [1.0, 1.0]
    states = [at(places, [(5.0 + v, 0.0, 0.0), (5.0 - v, 0.0, 0.0)]) for v in (2.0, 2.0, 2.2)]
    keep, wrench = followed(pinned((0, 1)), bodies(2), states)
    assert keep[0] == keep[1] < 0.99
    # What the engine takes of the common speed, the force gives back.
    assert wrench.force[:, 0] == pytest.approx(-np.log(keep[0]) / STEP * 5.0)
