"""Voxels against what they fill: exact boxes, all of the surface held, few boxes, no overlap."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.fit.mesh_volumes import mesh_volume
from omi_physics_addon.geometry.fit.voxels import BOX_CORNERS, BOX_TRIANGLES, Boxes, voxel_boxes
from tools.bench import benchmark_fits


def is_held(boxes: Boxes, places, by: float = 1e-9):
    inside = (places[:, None] >= boxes.low - by) & (places[:, None] <= boxes.high + by)
    return inside.all(axis=2).any(axis=1)


def samples(points, triangles, count=5000):
    random = np.random.default_rng(1)
    shares = random.dirichlet((1.0, 1.0, 1.0), count)
    rows = random.integers(len(triangles), size=count)
    return np.einsum("ki,kij->kj", shares, points[triangles[rows]])


def overlap(boxes: Boxes) -> float:
    low = np.maximum(boxes.low[:, None], boxes.low)
    high = np.minimum(boxes.high[:, None], boxes.high)
    both = np.prod(np.maximum(high - low, 0.0), axis=2)
    return float(both.sum() - both.trace())


@pytest.mark.parametrize("cells", [1, 3, 8])
def test_a_box_is_one_box(cells):
    found = voxel_boxes(BOX_CORNERS * (1.0, 2.0, 3.0) + 5.0, BOX_TRIANGLES, cells)
    assert found.low == pytest.approx(np.array([[5.0, 5.0, 5.0]]))
    assert found.high == pytest.approx(np.array([[6.0, 7.0, 8.0]]))
    assert mesh_volume(BOX_CORNERS, BOX_TRIANGLES) == pytest.approx(1.0)


def test_an_l_of_boxes_that_overlap_is_two_boxes():
    points = np.concatenate([BOX_CORNERS * (4, 1, 1), BOX_CORNERS * (1, 1, 4)])
    found = voxel_boxes(points, np.concatenate([BOX_TRIANGLES, BOX_TRIANGLES + 8]), 8)
    assert len(found.low) == 2
    assert found.volume == pytest.approx(7.0)


@pytest.mark.parametrize("cells", [5, 12, 24])
@pytest.mark.parametrize("is_open", [False, True])
def test_all_of_the_surface_is_held(cells, is_open):
    points, triangles = benchmark_fits.blob(400)
    triangles = triangles[10:] if is_open else triangles
    found = voxel_boxes(points, triangles, cells)
    assert is_held(found, samples(points, triangles)).all()
    assert overlap(found) == pytest.approx(0.0, abs=1e-9)


def test_the_middles_of_cells_give_the_volume():
    points, triangles = benchmark_fits.blob(400)
    volume = mesh_volume(points, triangles)
    assert voxel_boxes(points, triangles, 40, hold_all=False).volume == pytest.approx(
        volume, rel=0.02
    )
    assert voxel_boxes(points, triangles, 40).volume > volume


def test_the_inside_of_what_has_a_small_hole_is_full():
    points, triangles = benchmark_fits.blob(2000)
    found = voxel_boxes(points, triangles[3:], 6)
    assert is_held(found, points.mean(axis=0)[None]).all()


def test_sheets_and_single_points_get_a_thin_box():
    sheet = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    found = voxel_boxes(sheet, np.array([[0, 1, 2], [0, 2, 3]]), 8)
    assert found.volume == pytest.approx(1e-3)
    none = np.zeros((0, 3), dtype=np.int64)
    assert len(voxel_boxes(sheet[:1], none, 8).low) == 1
    for cells, points in ((0, sheet), (4, sheet + np.nan)):
        with pytest.raises(ValueError, match="cells"):
            voxel_boxes(points, none, cells)


def test_a_wall_between_two_cells_is_held():
    wall = np.array([[0.5, 0, 0], [0.5, 1, 0], [0.5, 1, 1], [0.5, 0, 1]], dtype=float)
    points = np.concatenate([wall, [[0, 0, 0], [1, 1, 1], [1, 1, 0.9]]])
    triangles = np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6]])
    assert is_held(voxel_boxes(points, triangles, 4), samples(points, triangles[:2])).all()
