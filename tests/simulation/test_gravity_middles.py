"""Which volumes have a middle that bodies can fall into."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.model.gravity import (
    DirectionalGravity,
    DiscGravity,
    LineGravity,
    PointGravity,
    ShapedGravity,
    TorusGravity,
)
from omi_physics_addon.model.shapes import Box, Cylinder, Sphere
from omi_physics_addon.simulation.gravity_middles import open_middles
from omi_physics_addon.simulation.world import World
from tests.simulation.test_gravity_forces import volume
from tests.simulation.test_trigger_watch import body, solid

STEP = 1.0 / 60.0
POINT = PointGravity(unit_distance=5.0)
LINE = LineGravity(points=((0, 0, -3), (0, 0, 3)), unit_distance=5.0)


def found(field, form=None, *, scale=1.0, gravity=9.0, dt=STEP):
    solids = (
        body(solid(Sphere(radius=0.1), (50, 0, 0))),
        body(*([] if form is None else [solid(form)])),
    )
    one = volume(field, gravity, scale=scale)
    return open_middles(World(solids, {}, (), (one,), {}, None), dt)


@pytest.mark.parametrize(
    ("field", "form", "is_open"),
    [
        (POINT, None, True),
        (POINT, Sphere(radius=5.0), False),
        (POINT, Sphere(radius=0.5), True),  # Things reach where it is weaker.
        (POINT, Box(size=(9.0, 0.5, 9.0)), True),
        (PointGravity(unit_distance=0.0), None, False),
        (DirectionalGravity(), None, False),
        (ShapedGravity(unit_distance=5.0), None, False),
        (DiscGravity(radius=2.0, unit_distance=5.0), Sphere(radius=2.0), True),
        (
            DiscGravity(radius=2.0, unit_distance=5.0),
            Cylinder(radius_top=3.0, radius_bottom=3.0),
            False,
        ),
        (TorusGravity(radius=2.0, unit_distance=5.0), Sphere(radius=1.0), True),
        (TorusGravity(radius=2.0, unit_distance=5.0), Sphere(radius=3.0), False),
        (LINE, Sphere(radius=2.0), True),
        (LINE, Box(size=(2.0, 2.0, 8.0)), False),
    ],
)
def test_a_middle_is_open_where_no_collider_covers_it(field, form, is_open):
    assert bool(found(field, form)) is is_open


def test_the_distance_is_in_the_world_and_shrinks_with_steps():
    core = found(POINT)[0]
    assert core == pytest.approx(np.cbrt(9.0 * 25.0 * (2.0 * STEP) ** 2))
    assert found(PointGravity(unit_distance=2.5), scale=2.0)[0] == pytest.approx(core)
    assert found(POINT, dt=STEP / 8.0)[0] == pytest.approx(core / 4.0)
    assert found(POINT, gravity=0.0) == {}
