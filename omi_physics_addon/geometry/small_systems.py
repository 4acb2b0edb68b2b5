"""Many small systems of equations at once.

numpy's own `solve` of a stack wakes threads for the little work of each matrix, which go on waiting
for more: on four cores it takes four times the CPU time and twice the time of one.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from .arrays import Array

_MAX_ROWS: Final = 64  # Rows from which on the work of one matrix is worth waking threads.


def solved(matrices: Array, right: Array) -> Array:
    """The solutions X (n, k, m) of A·X = B, by elimination without search for pivots.

    Args:
        matrices: (n, k, k), symmetric and positive definite, but each row may be scaled, and what
            is left of it may be a row of the identity; such matrices need no search (Golub and
            Van Loan, Matrix Computations, 4.2).
        right: (n, k, m).

    Returns:
        The solutions; NaN where a system has a NaN, as with numpy.

    Raises:
        LinAlgError: a matrix is singular.
    """
    size = matrices.shape[1]
    if size > _MAX_ROWS:
        return np.asarray(np.linalg.solve(matrices, right), dtype=np.float64)
    # (k, k + m, n): what is done to all matrices alike lies together.
    both = np.ascontiguousarray(np.concatenate([matrices, right], axis=2).transpose(1, 2, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        for k in range(size - 1):
            share = both[k + 1 :, k] / both[k, k]
            both[k + 1 :, k + 1 :] -= share[:, None] * both[k, None, k + 1 :]
        rows = both[:, size:]
        for k in range(size - 1, -1, -1):
            rows[k] /= both[k, k]
            rows[:k] -= both[:k, k, None] * rows[k, None]
    found = rows.transpose(2, 0, 1)
    lost = ~np.isfinite(found).all(axis=(1, 2))
    if lost.any():
        given = np.concatenate([matrices[lost], right[lost]], axis=2)
        if np.isfinite(given).all(axis=(1, 2)).any():
            raise np.linalg.LinAlgError("a matrix is singular")
    return found
