"""Points inside of shapes and hulls, against sampling and closed cases."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.hull import convex_hull
from omi_physics_addon.geometry.inside import in_hull, inside_of
from omi_physics_addon.model.shapes import Box, Capsule, Cylinder, Plane, Sphere, Trimesh

RANDOM = np.random.default_rng(3)


@pytest.mark.parametrize(
    ("height", "bottom", "top"), [(1.0, 0.5, 0.5), (2.0, 0.8, 0.2), (1.5, 0.0, 0.6), (0.2, 0.3, 1)]
)
def test_inside_a_capsule_is_inside_one_of_the_balls_between(height, bottom, top):
    points = RANDOM.uniform(-1.5, 1.5, (400, 3))
    part = np.linspace(0.0, 1.0, 2001)
    centers = np.zeros((len(part), 3))
    centers[:, 1] = (part - 0.5) * height
    radii = bottom + part * (top - bottom)
    depth = np.array([(radii - np.linalg.norm(p - centers, axis=1)).max() for p in points])
    clear = np.abs(depth) > 1e-3
    inside = inside_of(Capsule(height=height, radius_bottom=bottom, radius_top=top))
    assert (inside(points) == (depth >= 0.0))[clear].all()


def test_inside_the_other_shapes():
    points = np.array([(0.0, 0.9, 0.0), (0.45, -0.9, 0.0), (0.45, 0.9, 0.0), (2.0, 2.0, 2.0)])
    tests = {
        Box(size=(1.0, 2.0, 1.0)): [True, True, True, False],
        Sphere(radius=1.0): [True, False, False, False],
        Cylinder(height=2.0, radius_bottom=0.5, radius_top=0.0): [True, True, False, False],
        Capsule(height=1.0, radius_bottom=0.5, radius_top=0.5): [True, False, False, False],
        Plane(): [False, True, False, False],
    }
    for shape, expected in tests.items():
        inside = inside_of(shape)
        assert inside(points).tolist() == [bool(flag) for flag in expected], shape
    points[0, 1] = 0.0
    assert inside_of(Cylinder(height=2.0, radius_bottom=0.5, radius_top=0.0))(points)[0]
    assert inside_of(Trimesh()) is None
    assert inside_of(Plane(double_sided=True)) is None


def test_inside_a_hull():
    corners, triangles = convex_hull(RANDOM.normal(size=(30, 3)))
    weights = RANDOM.dirichlet(np.ones(len(corners)), 50)
    assert in_hull(weights @ corners, corners, triangles).all()
    assert in_hull(corners, corners, triangles).all()
    assert not in_hull(corners * 1.5 + 5.0, corners, triangles).any()
