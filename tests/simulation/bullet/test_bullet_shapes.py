"""What stands for forms in Bullet reaches as far as they do."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Plane, Sphere
from omi_physics_addon.simulation.bullet.bullet_shapes import FAR, THICK, surface_points


@pytest.mark.parametrize(
    ("form", "low", "high"),
    [
        (Box(size=(1.0, 2.0, 3.0)), (-0.5, -1.0, -1.5), (0.5, 1.0, 1.5)),
        (Sphere(radius=2.0), (-2.0, -2.0, -2.0), (2.0, 2.0, 2.0)),
        (Plane(size_x=2.0), (-1.0, -THICK, -FAR / 2.0), (1.0, 0.0, FAR / 2.0)),
        (
            Capsule(height=4.0, radius_bottom=1.0, radius_top=0.5),
            (-1.0, -3.0, -1.0),
            (1.0, 2.5, 1.0),
        ),
        (
            Cylinder(height=4.0, radius_bottom=1.0, radius_top=0.5),
            (-1.0, -2.0, -1.0),
            (1.0, 2.0, 1.0),
        ),
    ],
)
def test_points_of_a_surface_reach_to_its_ends(form, low, high):
    points = surface_points(form)
    assert points.min(axis=0) == pytest.approx(low, abs=0.02)
    assert points.max(axis=0) == pytest.approx(high, abs=0.02)
    if isinstance(form, Cylinder):
        away = np.hypot(points[:, 0], points[:, 2])
        assert away[points[:, 1] < 0.0] == pytest.approx(form.radius_bottom)
        assert away[points[:, 1] > 0.0] == pytest.approx(form.radius_top)
