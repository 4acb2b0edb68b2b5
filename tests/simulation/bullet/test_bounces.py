"""Bodies rise off the ground as high as restitution and energy say."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from omi_physics_addon.model.bodies import PhysicsMaterial
from omi_physics_addon.model.shapes import Box, Sphere
from omi_physics_addon.simulation.bullet.bounces import Bounces
from omi_physics_addon.simulation.pushes import with_pushes
from omi_physics_addon.simulation.vehicles.vehicle_frames import Hits
from omi_physics_addon.simulation.world import Body
from tests.simulation.test_trigger_watch import body, solid
from tests.support.rigid_bodies import resting, solids, step

RADIUS, DROP, GRAVITY, STEP = 0.5, 2.0, 9.81, 1.0 / 24.0


def lively(form, bounce: float) -> Body:
    material = PhysicsMaterial(restitution=bounce, restitution_combine="multiply")
    return body(replace(solid(form), material=material))


def below(origins, directions, lengths, _ignored) -> Hits:
    """What rays meet of a floor in the XZ plane."""
    with np.errstate(divide="ignore"):
        distance = np.where(directions[:, 1] < 0.0, origins[:, 1] / -directions[:, 1], np.inf)
    distance = np.where(distance <= lengths, distance, np.inf)
    count = len(origins)
    return Hits(distance, np.tile((0.0, 1.0, 0.0), (count, 1)), np.ones(count, dtype=np.int64))


def stop(state) -> None:
    """The floor as the engine has it: bodies on it lose what they have left of their speed."""
    if state.position[0, 1] < RADIUS:
        state.position[0, 1], state.velocity[0, 1] = RADIUS, 0.0


@pytest.mark.parametrize("bounce", [1.0, 0.5])
@pytest.mark.parametrize("substeps", [1, 3, 10])
def test_a_ball_rises_by_the_square_of_its_restitution(bounce, substeps):
    ball = lively(Sphere(radius=RADIUS), bounce)
    floor = replace(lively(Box(size=(9.0, 1.0, 9.0)), 1.0), type="static")
    bounces = Bounces((ball, floor), below, itertools.count(-2, -1), substeps=substeps)
    state, masses = (
        resting((0.0, RADIUS + DROP, 0.0), (0.0, -0.5, 0.0)),
        solids([2.0, 1.0], dynamic=[True, False]),
    )
    falling = np.array([(0.0, -GRAVITY, 0.0), (0.0, 0.0, 0.0)])

    def throw(state, masses, dt, wrench) -> None:
        pushes = bounces.pushes(state, masses, dt, wrench, falling)
        made = with_pushes(wrench, state, pushes)
        wrench.force[:], wrench.torque[:] = made.force, made.torque

    def energy() -> float:
        """The height of rest that the motion is worth, m; the same in flight. See `bounces`."""
        rise = state.velocity[0, 1] + falling[0, 1] * STEP / substeps / 2.0
        return float(state.position[0, 1] - RADIUS + rise * rise / (2.0 * GRAVITY))

    start, least = energy(), DROP
    for _ in range(24):  # One second: it has hit the floor once.
        step(state, masses, [throw], dt=STEP, substeps=substeps, falling=falling, after=stop)
        least = min(least, state.position[0, 1] - RADIUS)
    assert least < 0.3
    assert energy() == pytest.approx(start * bounce**2, rel=1e-3)
