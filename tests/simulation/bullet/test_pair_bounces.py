"""Bodies part as fast as restitution says, or as what else they hit throws them."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from omi_physics_addon.model.shapes import Sphere
from omi_physics_addon.simulation.bullet.meetings import Meetings
from omi_physics_addon.simulation.bullet.pair_bounces import PairBounces
from omi_physics_addon.simulation.pushes import with_pushes
from omi_physics_addon.simulation.world import World
from tests.simulation.bullet.test_bounces import lively
from tests.support.rigid_bodies import resting, solids, step

STEP, SUBSTEPS = 1.0 / 24.0, 4
MASS = np.array((1.0, 2.0))
APPROACH = 3.0


def stop(state) -> None:
    """What the engine does with two balls in each other: they go on as one."""
    (first, second), gap = state.position[:, 0], np.ptp(state.position[:, 0]) - 1.0
    if gap < 0.0 and first < second:
        state.position[:, 0] += (gap / 2.0, -gap / 2.0)
        if np.ptp(state.velocity[:, 0]) > 0.0 and state.velocity[0, 0] > state.velocity[1, 0]:
            state.velocity[:, 0] = MASS @ state.velocity[:, 0] / MASS.sum()


def parted(bounce: float, thrown: float | None = None) -> tuple[np.ndarray, float]:
    """The velocities along X after a hit, and the one with which the second was to leave it.

    Args:
        thrown: how much faster than that a wall lets the second one leave, m/s.
    """
    balls = tuple(lively(Sphere(radius=0.5), each) for each in (bounce, 1.0))
    meetings = Meetings(World(balls, {}, (), (), {}, None))
    pairs = PairBounces(balls, meetings, (), itertools.count(-2, -1), substeps=SUBSTEPS)
    state, masses = resting((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)), solids(MASS, [[0.1] * 3, [0.2] * 3])
    state.velocity[:, 0] = 2.0, -1.0
    falling, leaving = np.zeros((2, 3)), 0.0

    def throw(state, masses, dt, wrench) -> None:
        nonlocal leaving
        state = replace(state)  # The integrator goes on with its own.
        struck = pairs.follow(state, masses, dt)
        if len(struck):
            leaving = float(pairs.leaving(struck)[1, 0])
        if len(struck) and thrown is not None:
            pairs.redirect({1: np.array((leaving + thrown, 0.0, 0.0))})
        pushes = pairs.pushes(state, masses, dt, (wrench, []), falling, {}, ())
        made = with_pushes(wrench, state, pushes)
        wrench.force[:], wrench.torque[:] = made.force, made.torque

    for _ in range(24):
        step(state, masses, [throw], dt=STEP, substeps=SUBSTEPS, falling=falling, after=stop)
    return state.velocity[:, 0], leaving


@pytest.mark.parametrize("bounce", [1.0, 0.5])
def test_two_balls_part_by_their_restitution(bounce):
    velocities, leaving = parted(bounce)
    assert velocities[1] - velocities[0] == pytest.approx(bounce * APPROACH, rel=0.01)
    assert MASS @ velocities == pytest.approx(0.0, abs=1e-9)
    assert velocities[1] == pytest.approx(leaving, rel=0.01)


def test_what_a_wall_holds_back_parts_slower():
    velocities, _ = parted(0.5, thrown=-0.5)
    assert velocities[1] - velocities[0] == pytest.approx(0.5 * APPROACH - 0.5, rel=0.01)
