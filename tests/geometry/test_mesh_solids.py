"""Masses of meshes under scales, and hulls where a mesh encloses nothing."""

import numpy as np
import pytest

from omi_physics_addon.geometry import inertia
from omi_physics_addon.geometry.mesh_solids import Solids, solid_of
from tests.support.meshes import FACES, POINTS

BOX = (POINTS.astype(np.float64), FACES)
OPEN = (POINTS.astype(np.float64), FACES[:-1])
# A dent in the middle of a face, which a hull does not have.
DENTED = (
    np.concatenate([BOX[0], [[0.5, 1.0, 1.5]]]),
    np.concatenate([FACES[2:], [(0, 1, 8), (1, 3, 8), (3, 2, 8), (2, 0, 8)]]),
)


def measure(mesh, convex, linear=None):
    return Solids({0: mesh}.get).measure(0, convex, np.eye(3) if linear is None else linear)


@pytest.mark.parametrize("convex", [True, False])
@pytest.mark.parametrize("scale", [(1, 1, 1), (2, 3, 4), (-1, 1, 1), (-2, -3, -0.5)])
def test_scaled_box(convex, scale):
    part = measure(BOX, convex, np.diag(scale))
    expected = inertia.measure_box(np.abs(scale) * (1, 2, 3))
    assert part.mass == pytest.approx(expected.mass)
    assert part.center == pytest.approx(np.array(scale) * (0.5, 1.0, 1.5))
    assert part.tensor == pytest.approx(expected.tensor)


def test_sheared_box_keeps_its_volume():
    part = measure(BOX, True, [[1, 0.5, 0.25], [0, 1, 0.5], [0, 0, 1]])
    assert part.mass == pytest.approx(6.0)
    assert part.center == pytest.approx((0.5 + 0.5 + 0.375, 1.0 + 0.75, 1.5))


def test_hull_only_where_it_is_wanted():
    assert measure(DENTED, True).mass == pytest.approx(6.0)
    assert measure(DENTED, False).mass == pytest.approx(5.0)


def test_open_mesh_is_taken_as_its_hull():
    assert measure(OPEN, False).mass == pytest.approx(6.0)


def test_points_that_no_triangle_has_are_no_part_of_it():
    far = (np.concatenate([BOX[0], [[9.0, 9.0, 9.0]]]), FACES)
    assert measure(far, True).mass == pytest.approx(6.0)


@pytest.mark.parametrize("convex", [True, False])
def test_nothing_to_weigh(convex):
    assert measure(None, convex) is None
    assert measure((np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)), convex) is None
    assert measure((BOX[0], FACES[:1]), convex) is None


def test_each_mesh_is_read_once():
    asked = []

    def read(index):
        asked.append(index)
        return BOX

    solids = Solids(read)
    for scale in (1.0, 2.0):
        assert solids.measure(3, True, np.eye(3) * scale).mass == pytest.approx(6.0 * scale**3)
    assert asked == [3]


def test_other_hull():
    assert solid_of(BOX, True, lambda points: (points[:4], FACES[:1]))[1].shape == (1, 3)
