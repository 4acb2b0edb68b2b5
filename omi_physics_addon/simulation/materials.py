"""Frictions and bounces that multiply, as an engine wants them, in place of combine modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..model.bodies import CombineMode, PhysicsMaterial
from .state import Array, Flags

# The first mode that either side has is taken. Source: OMI_physics_body, `physicsMaterials[]`.
_ORDER: Final[tuple[CombineMode, ...]] = ("average", "minimum", "maximum", "multiply")
_NOTHING: Final = 1e-6  # Stands for zero where logarithms are taken.
_ROUNDS: Final = 200


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


def factors(wanted: Array, matters: Flags) -> Array:
    """Numbers (n,) whose products are as near as can be to those wanted (n, n).

    Args:
        matters: (n, n), which products are of interest; a number that no product needs is taken
            from its own square.

    The relative errors are evened out, one number after the other.
    """
    logs = np.log(np.maximum(wanted, _NOTHING))
    weights = np.where(matters, np.where(wanted > _NOTHING, 1.0, 0.05), 0.0)
    alone = weights.sum(axis=1) == 0.0
    weights[alone, alone] = 1.0
    found: Array = logs.diagonal() / 2.0
    for _ in range(_ROUNDS):
        before = found.copy()
        for i in range(len(found)):
            own = weights[i, i]
            others = weights[i].copy()
            others[i] = 0.0
            pull = others @ (logs[i] - found) + 2.0 * own * logs[i, i]
            found[i] = pull / (others.sum() + 4.0 * own)
        if np.abs(found - before).max(initial=0.0) < 1e-9:
            break
    result: Array = np.exp(found)
    return np.where(result <= 2.0 * np.sqrt(_NOTHING), 0.0, result)
