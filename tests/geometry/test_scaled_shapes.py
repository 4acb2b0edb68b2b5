from __future__ import annotations

import pytest

from omi_physics_addon.geometry.scaled_shapes import of_same_volume
from omi_physics_addon.model.shapes import Capsule, Cylinder, Sphere

CYLINDER = Cylinder(height=2.0, radius_bottom=0.5, radius_top=0.4)


def test_a_cylinder_along_its_axis_stays_exactly_one():
    longer = Cylinder(height=6.0, radius_bottom=1.0, radius_top=0.8)
    assert of_same_volume(CYLINDER, (2.0, 3.0, 2.0)) == longer


@pytest.mark.parametrize(
    ("shape", "scaled"),
    [
        (Sphere(radius=0.5), Sphere(radius=1.0)),
        (CYLINDER, Cylinder(height=4.0, radius_bottom=1.0, radius_top=0.8)),
        (Capsule(height=2.0), Capsule(height=4.0, radius_bottom=1.0, radius_top=1.0)),
    ],
)
def test_others_take_the_even_scale_of_the_same_volume(shape, scaled):
    assert of_same_volume(shape, (1.0, 2.0, 4.0)) == scaled
