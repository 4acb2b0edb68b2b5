"""Frictions and bounces that multiply, as an engine wants them, in place of combine modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import numpy as np

from ...geometry.arrays import Array, Flags
from ...model.bodies import CombineMode, PhysicsMaterial
from .collision_groups import Filters

# The first mode that either side has is taken. Source: OMI_physics_body, `physicsMaterials[]`.
_ORDER: Final[tuple[CombineMode, ...]] = ("average", "minimum", "maximum", "multiply")
_LEAST_VALUE: Final = 1e-6  # Stands for zero where logarithms are taken.
_ZERO_WEIGHT: Final = 0.05  # How much it matters that nothing is nothing.
_MOVING_PAIR_WEIGHT: Final = 0.01  # How much pairs of moving surfaces matter beside the others.


def combined(first: float, second: float, modes: tuple[CombineMode, CombineMode]) -> float:
    """What two surfaces make together."""
    mode = min(modes, key=_ORDER.index)
    if mode == "average":
        return (first + second) / 2.0
    if mode == "multiply":
        return first * second
    return min(first, second) if mode == "minimum" else max(first, second)


def frictions(materials: Sequence[PhysicsMaterial]) -> Array:
    """The friction (n, n) between each two materials, while they slide."""
    return _table([(m.dynamic_friction, m.friction_combine) for m in materials])


def restitutions(materials: Sequence[PhysicsMaterial]) -> Array:
    """The restitution (n, n) between each two materials."""
    return _table([(m.restitution, m.restitution_combine) for m in materials])


def _table(values: Sequence[tuple[float, CombineMode]]) -> Array:
    rows = [[combined(a, b, (p, q)) for b, q in values] for a, p in values]
    return np.array(rows, dtype=np.float64).reshape(len(values), len(values))


# A surface, whether it is on something that moves, and what decides whom that may touch.
Kind = tuple[PhysicsMaterial, bool, Filters]


def fitted(kinds: Sequence[Kind], meet: Flags) -> tuple[Array, Array]:
    """Frictions and restitutions (n,) of surfaces, whose products are as near as can be.

    What moves meets what does not in every scene, so those pairs come first. Their restitutions
    are 0, because `bounces` makes those.

    Args:
        meet: (n, n), which of them may touch each other at all; see `Meetings.of_groups`.
    """
    surfaces = [material for material, *_ in kinds]
    moves = np.array([moving for _, moving, _ in kinds], dtype=np.bool_)
    both = (np.outer(moves, moves) & meet).astype(np.float64)
    bounces = factors(restitutions(surfaces), both)
    found = factors(frictions(surfaces), pair_weights(kinds, meet))
    return found, np.where(moves, bounces, 0.0)


def pair_weights(kinds: Sequence[Kind], meet: Flags) -> Array:
    """How much the pairs (n, n) of surfaces matter: those that cannot meet do not."""
    moves = np.array([moving for _, moving, _ in kinds], dtype=np.float64)
    both = moves[:, None] * moves[None]
    result: Array = np.abs(moves[:, None] - moves[None]) + _MOVING_PAIR_WEIGHT * both
    return np.where(meet, result, 0.0)


def factors(wanted: Array, weights: Array) -> Array:
    """Numbers (n,) whose products are as near as can be to those wanted (n, n).

    Args:
        weights: (n, n), how much the products matter; a number that no product needs is taken
            from its own square.

    The squares of the relative errors have the least sum.
    """
    logs = np.log(np.maximum(wanted, _LEAST_VALUE))
    weights = weights * np.where(wanted > _LEAST_VALUE, 1.0, _ZERO_WEIGHT)
    alone = weights.sum(axis=1) == 0.0
    weights[alone, alone] = 1.0
    own = weights.diagonal()
    # Each pair is there twice, a square once; the latter counts its number twice.
    matrix = weights + np.diag(weights.sum(axis=1) + 2.0 * own)
    right = (weights * logs).sum(axis=1) + own * logs.diagonal()
    found = cast(Array, np.linalg.lstsq(matrix, right, rcond=1e-12)[0])
    result: Array = np.exp(found)
    return np.where(result <= 2.0 * np.sqrt(_LEAST_VALUE), 0.0, result)
