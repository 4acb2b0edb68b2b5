"""Which bodies are about to land on something that stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from omi_physics_addon.model.shapes import Box
from omi_physics_addon.simulation.bullet.meetings import Meetings
from omi_physics_addon.simulation.rest import SoftLanding
from omi_physics_addon.simulation.state import State
from omi_physics_addon.simulation.world import World
from tests.simulation.test_neighbors import body

FLOOR = (0.0, -0.5, 0.0)
FAST = -5.0  # m/s


def lands(height: float, other: tuple[float, float, float], speed: float, *, moves: bool) -> bool:
    """Whether a box of 1 m at a height is about to land, with another one somewhere."""
    still = replace(body(other, Box()), type="dynamic" if moves else "static")
    world = World((body((0.0, height, 0.0), Box()), still), {}, (), (), {}, None)
    start = world.state()
    velocity = np.array([[0.0, speed, 0.0], [0.0, 0.0, 0.0]])
    state = State(start.position, start.rotation, velocity, np.zeros((2, 3)))
    landing = SoftLanding(world, Meetings(world))
    found = landing.about_to_land(state, world.masses())
    assert not found[1]
    return bool(found[0])


@pytest.mark.parametrize(
    ("height", "speed", "wanted"),
    [(0.8, FAST, True), (3.0, FAST, False), (0.5, FAST, False), (0.8, -0.1, False)],
    ids=["near", "far", "touching", "slow"],
)
def test_who_comes_near_and_touches_nothing_is_about_to_land(height, speed, wanted) -> None:
    assert lands(height, FLOOR, speed, moves=False) is wanted


def test_landing_on_what_moves_does_not_count() -> None:
    assert not lands(0.8, FLOOR, FAST, moves=True)
