"""Many small systems of equations, against numpy's own solution of each."""

from __future__ import annotations

import time

import numpy as np
import pytest

from omi_physics_addon.geometry.small_systems import solved


def _positive(count: int, size: int, seed: int) -> np.ndarray:
    """Symmetric positive definite matrices, some of them badly scaled."""
    random = np.random.default_rng(seed)
    roots = random.normal(size=(count, size, size))
    scale = 10.0 ** random.uniform(-3.0, 3.0, (count, size, 1))
    matrices: np.ndarray = roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(size)
    return matrices * scale * scale.transpose(0, 2, 1)


def _agree(matrices: np.ndarray, right: np.ndarray) -> None:
    found = solved(matrices, right)
    for matrix, wanted, mine in zip(matrices, right, found, strict=True):
        theirs = np.linalg.solve(matrix, wanted)
        np.testing.assert_allclose(mine, theirs, rtol=1e-7, atol=1e-9 * np.abs(theirs).max())


@pytest.mark.parametrize("size", [1, 2, 3, 6, 30, 64, 65])
@pytest.mark.parametrize("columns", [1, 4])
def test_solutions_are_those_of_each_matrix(size: int, columns: int):
    right = np.random.default_rng(size).normal(size=(7, size, columns))
    _agree(_positive(7, size, size), right)


def test_rows_may_be_scaled_or_of_the_identity():
    random = np.random.default_rng(3)
    matrices = _positive(40, 8, 3) * random.uniform(0.1, 9.0, (40, 8, 1))
    fixed = random.uniform(size=(40, 8)) < 0.4
    matrices = np.where(fixed[:, :, None], np.eye(8), matrices)
    _agree(matrices, random.normal(size=(40, 8, 1)))


def test_what_is_given_is_left_alone():
    matrices, right = _positive(2, 4, 5), np.ones((2, 4, 1))
    before = matrices.copy(), right.copy()
    solved(matrices, right)
    np.testing.assert_array_equal(matrices, before[0])
    np.testing.assert_array_equal(right, before[1])


def test_no_systems_have_no_solutions():
    assert solved(np.empty((0, 3, 3)), np.empty((0, 3, 1))).shape == (0, 3, 1)
    assert solved(np.empty((2, 0, 0)), np.empty((2, 0, 1))).shape == (2, 0, 1)


def test_singular_matrix_is_refused():
    matrices = _positive(3, 3, 6)
    matrices[1] = 1.0
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        solved(matrices, np.ones((3, 3, 1)) * [[1.0], [2.0], [4.0]])


def test_nan_stays_within_its_own_system():
    matrices, right = _positive(3, 4, 8), np.ones((3, 4, 2))
    matrices[1, 2, 2] = np.nan
    found = solved(matrices, right)
    assert np.isnan(found[1]).any()
    _agree(matrices[[0, 2]], right[[0, 2]])
    np.testing.assert_array_equal(found[[0, 2]], solved(matrices[[0, 2]], right[[0, 2]]))


def test_no_other_thread_works_on_it():
    matrices, right = _positive(100, 30, 7), np.ones((100, 30, 7))
    solved(matrices, right)
    time.sleep(0.3)  # Threads that were woken before may go on waiting for a while.

    def share_of_others() -> float:
        whole, mine = time.process_time(), time.thread_time()
        for _ in range(20):
            solved(matrices, right)
        return (time.process_time() - whole) / (time.thread_time() - mine) - 1.0

    assert any(share_of_others() < 0.5 for _ in range(8))
