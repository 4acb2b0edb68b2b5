"""Uncoupled combinations (modes) of the springs of one joint.

A spring far from the body that it holds turns that body more than it moves it, and two such
springs at an angle each see a body that is light, although together they carry all of its weight.
With A the response of the rows and K their stiffness, the eigenvectors of √K·A·√K are
combinations of rows that know nothing of each other: each is a spring of stiffness 1 on a mass of
its own, which `oscillator` treats exactly.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from .effective_mass import Ends
from .joint_rows import Rows, runs

# Coupling of two rows, of at most 1, that is left to Jacobi's method.
_COUPLING_TOLERANCE: Final = 0.05


@dataclass(frozen=True, eq=False)
class Modes:
    """Rows of g joints, and the combinations that take their places.

    Attributes:
        at: (g, m), which rows of a joint; -1 in front where it has fewer than m.
        mix: (g, m, m), whose columns are the combinations.
        damping: (g, m), of the combinations.
    """

    at: Indices
    mix: Array
    damping: Array

    def combined(self, values: Array) -> Array:
        """Something of all rows, (k,) or (k, 3), with the combinations in the rows' places."""
        padded = np.concatenate([values, np.zeros_like(values[:1])])
        mixed = np.einsum("gji,gj...->gi...", self.mix, padded[self.at])
        return self._put(values, mixed)

    def rows(self, rows: Rows) -> Rows:
        """Rows in whose places the combinations push and measure."""
        return dataclasses.replace(
            rows,
            value=self.combined(rows.value),
            force=self.combined(rows.force),
            torque=self.combined(rows.torque),
        )

    def damped(self, damping: Array) -> Array:
        """The damping of rows (k,), with that of the combinations in their places."""
        return self._put(damping, self.damping)

    def ones(self, values: Array) -> Array:
        """Values of rows (k,), with 1 for the combinations."""
        return self._put(values, np.ones(self.at.shape))

    def apart(self, forces: Array) -> Array:
        """The forces of the rows (k,) from those of the combinations."""
        padded = np.append(forces, 0.0)
        return self._put(forces, np.einsum("gij,gj->gi", self.mix, padded[self.at]))

    def _put(self, values: Array, mixed: Array) -> Array:
        real = self.at >= 0
        result = values.copy()
        result[self.at[real]] = mixed[real]
        return result


def modes_of(
    rows: Rows, ends: Ends, stiffness: Array, damping: Array, chosen: Flags
) -> Modes | None:
    """The combinations of those chosen rows that share a joint; None where all are alone.

    Args:
        stiffness, damping: (k,); those of chosen rows are above zero and not below it.
        chosen: (k,), rows that may push and pull without bounds.
    """
    at = _grouped(rows.joint, chosen)
    if not len(at):
        return None
    count = len(rows)
    pad = at < 0
    places = np.stack([at, at + count], axis=2)
    act = np.where(pad[:, :, None, None], 0.0, ends.act[places])
    move = np.where(pad[:, :, None, None], 0.0, ends.move[places])
    matrix = np.einsum("gaes,gbes->gab", act, move)
    root = np.where(pad, 0.0, np.sqrt(stiffness[at]))
    matrix *= root[:, :, None] * root[:, None, :]
    close = _is_coupled(matrix)
    if not close.any():
        return None
    at, pad, root, matrix = at[close], pad[close], root[close], matrix[close]
    # Fillers get the lowest eigenvalues, below less than the sum of all, and so stay in front.
    filler = np.where(pad[:, :, None], np.eye(at.shape[1]), 0.0)
    above = 1.0 + np.einsum("gii->g", matrix)[:, None, None]
    even = (matrix + matrix.transpose(0, 2, 1)) / 2.0
    turn: Array = np.linalg.eigh(even - filler * above)[1]
    share = np.where(pad, 0.0, damping[at]) / np.where(pad, 1.0, stiffness[at])
    return Modes(at, root[:, :, None] * turn, np.einsum("gji,gj->gi", turn**2, share))


def _is_coupled(matrix: Array) -> Flags:
    size = np.sqrt(np.einsum("gii->gi", matrix))
    off = np.abs(matrix) * (1.0 - np.eye(matrix.shape[1]))
    return (off > _COUPLING_TOLERANCE * size[:, :, None] * size[:, None, :]).any(axis=(1, 2))


def _grouped(joint: Indices, chosen: Flags) -> Indices:
    """The chosen rows of each joint that has several: (g, m), with -1 in front."""
    order = np.flatnonzero(chosen)
    order = order[np.argsort(joint[order], kind="stable")]
    start, sizes = runs(joint[order])
    several = sizes > 1
    start, sizes = start[several], sizes[several]
    most = int(sizes.max(initial=0))
    from_end = np.arange(most) - most
    inside = from_end[None, :] >= -sizes[:, None]
    places = np.where(inside, (start + sizes)[:, None] + from_end[None, :], 0)
    return np.where(inside, order[places], -1) if most else np.zeros((0, 0), dtype=np.int64)
