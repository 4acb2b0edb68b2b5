"""Inverses of many placements, against numpy's own of each."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_addon.geometry.affine import inverse


def _random(count: int) -> np.ndarray:
    """Placements with turns, uneven scales, mirrors and shears."""
    random = np.random.default_rng(20)
    matrices = np.tile(np.eye(4), (count, 1, 1))
    matrices[:, :3] = random.normal(size=(count, 3, 4)) * 10.0 ** random.uniform(
        -3, 3, (count, 1, 1)
    )
    return matrices


def test_inverses_are_those_of_each_matrix():
    matrices = _random(200)
    found = inverse(matrices)
    for mine, matrix in zip(found, matrices, strict=True):
        np.testing.assert_allclose(mine, np.linalg.inv(matrix), rtol=1e-9, atol=1e-12)


def test_inverse_undoes_a_placement():
    matrices = _random(50)
    points = np.random.default_rng(21).normal(size=(50, 4, 1))
    points[:, 3] = 1.0
    np.testing.assert_allclose(inverse(matrices) @ (matrices @ points), points, atol=1e-7)


def test_no_matrix_has_no_inverse():
    assert inverse(np.empty((0, 4, 4))).shape == (0, 4, 4)


def test_flat_matrix_is_refused():
    matrices = _random(3)
    matrices[1, :3, 2] = 0.0
    with pytest.raises(np.linalg.LinAlgError, match="flat"):
        inverse(matrices)
