"""Decimated meshes: few triangles, the same form, closed and the right way around."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.fit.decimation import decimate
from omi_physics_addon.geometry.fit.mesh_volumes import closed_volume
from omi_physics_addon.geometry.fit.voxels import BOX_CORNERS, BOX_TRIANGLES
from tools.bench import benchmark_fits


def grid(count: int):
    steps = np.linspace(0.0, 1.0, count + 1)
    across, along = (part.ravel() for part in np.meshgrid(steps, steps))
    first = np.arange((count + 1) * count).reshape(count, -1)[:, :-1].ravel()
    low = np.stack([first, first + 1, first + count + 2], axis=1)
    high = np.stack([first, first + count + 2, first + count + 1], axis=1)
    return np.stack([across, along, 0.0 * across], axis=1), np.concatenate([low, high])


@pytest.mark.parametrize(("most", "error"), [(2000, 0.005), (400, 0.02), (60, 0.15)])
def test_a_closed_mesh_stays_closed_and_as_large(most, error):
    points, triangles = benchmark_fits.blob(3000)
    found, faces = decimate(points, triangles, most)
    assert most - 4 <= len(faces) <= most
    assert closed_volume(found, faces) == pytest.approx(closed_volume(points, triangles), rel=error)
    assert set(faces.ravel()) == set(range(len(found)))


def test_what_is_flat_keeps_its_border():
    points, triangles = grid(20)
    found, faces = decimate(points, triangles, 2)
    assert len(faces) == 2
    assert found[np.lexsort(found.T)] == pytest.approx(
        np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype=float), abs=1e-9
    )


def test_a_box_of_many_triangles_becomes_one_of_twelve():
    points, triangles = BOX_CORNERS, BOX_TRIANGLES
    for _ in range(3):  # Each side of each triangle is halved.
        corners = points[triangles]
        middles = (corners + np.roll(corners, -1, axis=1)) / 2.0
        a, b, c = (corners[:, i] for i in range(3))
        ab, bc, ca = (middles[:, i] for i in range(3))
        fours = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        points = np.concatenate([np.stack(each, axis=1) for each in fours]).reshape(-1, 3)
        triangles = np.arange(len(points)).reshape(-1, 3)
    found, faces = decimate(points, triangles, 12)
    assert len(faces) == 12
    assert closed_volume(found, faces) == pytest.approx(1.0)


def test_few_triangles_stay_and_points_at_one_place_are_joined():
    corners = BOX_CORNERS[BOX_TRIANGLES].reshape(-1, 3)
    found, faces = decimate(corners, np.arange(36).reshape(-1, 3), 12)
    assert (len(found), len(faces)) == (8, 12)


def test_a_tetrahedron_cannot_be_less():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    triangles = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    assert len(decimate(points, triangles, 2)[1]) == 4


def test_the_same_mesh_gives_the_same_triangles():
    points, triangles = benchmark_fits.blob(1000)
    one, other = (decimate(points, triangles, 200) for _ in range(2))
    assert np.array_equal(one[0], other[0])
    assert np.array_equal(one[1], other[1])
