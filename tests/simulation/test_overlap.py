"""Which points are in a form."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Sphere
from omi_physics_addon.simulation.overlap import contains, hull_of

FORMS = {
    "box": Box(size=(2.0, 4.0, 2.0)),
    "sphere": Sphere(radius=2.0),
    "capsule": Capsule(height=2.0, radius_bottom=1.0, radius_top=1.0),
    "cylinder": Cylinder(height=4.0, radius_bottom=1.0, radius_top=1.0),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_surface_counts(name):
    form = FORMS[name]
    heights = np.array([0.0, 1.9, 2.0, -2.0, 2.1, -2.1])
    points = np.outer(heights, (0.0, 1.0, 0.0))
    found = contains(form, hull_of(form), points)
    assert found.tolist() == [True, True, True, True, False, False]
