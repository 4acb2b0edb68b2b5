"""Meshes of round shapes are closed, as large as these, and convex."""

from __future__ import annotations

import math

import numpy as np
import pytest

from omi_physics_addon.geometry import inertia
from omi_physics_addon.geometry.hull import convex_hull
from omi_physics_addon.geometry.round_hulls import round_mesh
from omi_physics_addon.model.shapes import Capsule, Cylinder

SHAPES = {
    "capsule": Capsule(height=0.8, radius_bottom=0.4, radius_top=0.2),
    "wider above": Capsule(height=0.8, radius_bottom=0.1, radius_top=0.3),
    "straight": Capsule(height=0.5, radius_bottom=0.2, radius_top=0.2),
    "pointed": Capsule(height=1.0, radius_bottom=0.3, radius_top=0.0),
    "pointed below": Capsule(height=1.0, radius_bottom=0.0, radius_top=0.3),
    "one ball in the other": Capsule(height=0.1, radius_bottom=0.5, radius_top=0.2),
    "one ball in the other, above": Capsule(height=0.1, radius_bottom=0.2, radius_top=0.5),
    "cylinder": Cylinder(height=1.0, radius_bottom=0.4, radius_top=0.2),
    "cone": Cylinder(height=1.0, radius_bottom=0.4, radius_top=0.0),
    "cone on its point": Cylinder(height=1.0, radius_bottom=0.0, radius_top=0.4),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_mesh_is_closed_and_as_large_as_its_shape(name):
    shape = SHAPES[name]
    corners, triangles = round_mesh(shape)
    edges = {edge for a, b, c in triangles for edge in ((a, b), (b, c), (c, a))}
    assert len(edges) == 3 * len(triangles)
    assert {(b, a) for a, b in edges} == edges
    points, faces = np.array(corners), np.array(triangles)
    assert len(points) < 256
    assert {*faces.ravel().tolist()} == set(range(len(points)))
    mesh, whole = inertia.measure_mesh(points, faces), inertia.measure_primitive(shape)
    assert mesh.mass == pytest.approx(whole.mass, rel=0.035)
    assert mesh.center == pytest.approx(whole.center, abs=5e-3)
    hull = inertia.measure_mesh(*convex_hull(points))
    assert hull.mass == pytest.approx(mesh.mass, rel=1e-6)


def test_a_capsule_is_as_high_as_it_is_and_can_stand():
    corners, _ = round_mesh(SHAPES["capsule"])
    heights = [corner[1] for corner in corners]
    assert (min(heights), max(heights)) == pytest.approx((-0.8, 0.6))
    lowest = [math.hypot(x, z) for x, y, z in corners if y == min(heights)]
    assert len(lowest) > 3
    assert max(lowest) == pytest.approx(0.4 * math.tan(math.radians(10.0)), rel=0.2)
