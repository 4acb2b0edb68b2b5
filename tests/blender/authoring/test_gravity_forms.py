"""Gravity volumes begin with the sizes of their meshes, and their triggers hold these."""

from __future__ import annotations

import math

import numpy as np
import pytest

from omi_physics_addon.blender.authoring.gravity_forms import start_gravity
from tests.blender.support.scenes import add

RING = np.array(
    [
        (radius * math.cos(angle), radius * math.sin(angle), 0.0)
        for radius in (2.0, 4.0)
        for angle in np.linspace(0.0, 2.0 * math.pi, 32, endpoint=False)
    ],
    dtype=np.float32,
)


@pytest.mark.parametrize(("kind", "radius"), [("DISC", 4.0), ("TORUS", 3.0)])
def test_a_ring_gives_its_radius_and_the_trigger_holds_it(kind, radius):
    physics = add("Ring").omi_physics
    start_gravity(physics.id_data, kind, RING)
    assert getattr(physics.gravity, kind.lower()).radius == pytest.approx(radius, rel=1e-5)
    assert physics.trigger.shape.cylinder.radius_top == pytest.approx(6.0, rel=1e-5)


def test_the_trigger_of_a_line_reaches_past_each_end_by_a_quarter():
    physics = add("Line").omi_physics
    start_gravity(physics.id_data, "LINE", np.array([(1, -4, 0), (1, 4, 1)], dtype=np.float32))
    ends = [tuple(point.location) for point in physics.gravity.line.points]
    assert ends == [(1.0, -4.0, 0.5), (1.0, 4.0, 0.5)]
    assert tuple(physics.trigger.shape.box.size) == (4.0, 12.0, 5.0)
    assert tuple(physics.trigger.shape.location) == (1.0, 0.0, 0.5)
