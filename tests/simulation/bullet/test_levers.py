"""Bodies that turn away where they are hit, as they are too light to turn for their size."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Sphere
from omi_physics_addon.simulation.bullet.levers import gives_way
from omi_physics_addon.simulation.world import Body, Form, Solid

FORMS: list[Form] = [
    Box(size=(1.0, 2.0, 3.0)),
    Sphere(radius=0.7),
    Capsule(height=4.0, radius_bottom=0.1, radius_top=0.1),
    Cylinder(height=0.1, radius_bottom=2.0, radius_top=1.0),
]


def thing(form: Form, moments: tuple[float, float, float], mass: float, center: float) -> Body:
    solid = Solid(0, form, np.eye(3), np.zeros(3))
    nothing, straight = np.zeros(3), np.eye(3)
    away = np.array((center, 0.0, 0.0))
    return Body(
        0, "dynamic", straight, nothing, (solid,), mass, away, straight, np.array(moments),
        nothing, nothing,
    )  # fmt: skip


@pytest.mark.parametrize("mass", [1e-3, 1.0, np.inf])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_what_has_moments_of_its_size_does_not_give_way(form: Form, mass: float) -> None:
    heavy = min(mass, 1e6)
    assert not gives_way(thing(form, (heavy, heavy, heavy), mass, 0.0))
    assert not gives_way(thing(form, (np.inf, np.inf, np.inf), mass, 0.0))
    is_ball = isinstance(form, Sphere)
    tiny = 1e-3 * heavy
    assert gives_way(thing(form, (tiny, tiny, tiny), mass, 0.0)) != is_ball
    assert gives_way(thing(form, (tiny, tiny, tiny), mass, 1.0))


def test_a_thin_rod_does_not_give_way_about_its_length() -> None:
    """Its moment is small there, and so is what it is hit at."""
    rod = Cylinder(height=2.0, radius_bottom=0.01, radius_top=0.01)
    assert not gives_way(thing(rod, (1.0 / 3.0, 5e-5, 1.0 / 3.0), 1.0, 0.0))
