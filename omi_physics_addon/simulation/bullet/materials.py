"""Frictions that multiply, as an engine wants them, in place of combine modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

import numpy as np

from ...geometry.arrays import Array, Flags
from ...model.bodies import CombineMode, PhysicsMaterial
from .collision_groups import Filters

# The first mode that either side has is taken. Source: OMI_physics_body, `physicsMaterials[]`.
_ORDER: Final[tuple[CombineMode, ...]] = ("average", "minimum", "maximum", "multiply")
_LEAST_VALUE: Final = 1e-6  # Stands for zero where logarithms are taken.
_LEAST_ROOT: Final = _LEAST_VALUE**0.5
_ZERO_WEIGHT: Final = 0.05  # How much it matters that nothing is nothing.
_MOVING_PAIR_WEIGHT: Final = 0.01  # How much pairs of moving surfaces matter beside the others.
_MOST_TOGETHER: Final = 128  # Surfaces that are fitted to each other.

# A surface, whether it is on something that moves, and what decides whom that may touch.
Kind = tuple[PhysicsMaterial, bool, Filters]
# Which kinds (n) may touch some of them (k), whose numbers it is given, (n, k).
Meet = Callable[[Sequence[int]], Flags]


def pair_weights(rows: Sequence[Kind], columns: Sequence[Kind]) -> Array:
    """How much each of some surfaces together with each of others matters, (n, k).

    1 for two of which one moves, a little for two that move, 0 for two that cannot meet.
    """
    first, second = _moves(rows)[:, None], _moves(columns)[None]
    result: Array = np.abs(first - second) + _MOVING_PAIR_WEIGHT * first * second
    return result


def _moves(kinds: Sequence[Kind]) -> Array:
    return np.array([moving for _, moving, _ in kinds], dtype=np.float64)


def combined(first: float, second: float, modes: tuple[CombineMode, CombineMode]) -> float:
    """What two surfaces make together."""
    mode = min(modes, key=_ORDER.index)
    if mode == "average":
        return (first + second) / 2.0
    if mode == "multiply":
        return first * second
    return min(first, second) if mode == "minimum" else max(first, second)


def frictions(rows: Sequence[PhysicsMaterial], columns: Sequence[PhysicsMaterial]) -> Array:
    """The friction of each of some surfaces with each of others while they slide, (n, k)."""
    (a, p), (b, q) = (
        np.array([(each.dynamic_friction, _ORDER.index(each.friction_combine)) for each in side])
        .reshape(-1, 2)
        .T
        for side in (rows, columns)
    )
    first, second, mode = a[:, None], b[None], np.minimum(p[:, None], q[None])
    ways = [(first + second) / 2.0, np.minimum(first, second), np.maximum(first, second)]
    result: Array = np.select([mode == i for i in range(3)], ways, first * second)
    return result


def fitted(kinds: Sequence[Kind], meet: Meet) -> Array:
    """Frictions (n,) of surfaces, whose products are as near as can be.

    What moves meets what does not in every scene, so those pairs come first. Restitutions need
    none, because `bounces` and `pair_bounces` make them. Many surfaces are fitted to typical ones,
    so that it takes as much longer as there are more.

    Args:
        meet: which of them may touch each other at all; see `Meetings.of_groups`.
    """
    surfaces = [material for material, *_ in kinds]
    chosen = typical(kinds)
    few = [kinds[at] for at in chosen]
    typical_ones = [material for material, *_ in few]
    may_touch = meet(chosen)
    weights = np.where(may_touch[chosen], pair_weights(few, few), 0.0)
    found = factors(frictions(typical_ones, typical_ones), weights)
    if len(few) == len(kinds):
        return found
    wanted = frictions(surfaces, typical_ones)
    weights = np.where(may_touch, pair_weights(kinds, few), 0.0)
    slick = _slick(wanted, weights)
    weights *= np.where(wanted > _LEAST_VALUE, 1.0, _ZERO_WEIGHT) * (found > 0.0)
    logs = np.log(np.maximum(wanted, _LEAST_VALUE)) - np.log(np.maximum(found, _LEAST_ROOT))
    total = weights.sum(axis=1)
    own = np.array([_alone(each) for each in surfaces])
    alone = np.log(np.maximum(own, _LEAST_VALUE)) / 2.0
    mean = np.divide((weights * logs).sum(axis=1), total, out=alone, where=total > 0.0)
    return np.where(slick, 0.0, _without_least(np.exp(mean)))


def _alone(surface: PhysicsMaterial) -> float:
    """The friction of a surface with one that is as itself."""
    value, mode = surface.dynamic_friction, surface.friction_combine
    return combined(value, value, (mode, mode))


def typical(kinds: Sequence[Kind]) -> list[int]:
    """Numbers of surfaces that stand for all: of all where these are few, else of some of a sort.

    The least and the greatest of a sort are among them.
    """
    if len(kinds) <= _MOST_TOGETHER:
        return list(range(len(kinds)))
    families: dict[tuple[CombineMode, bool], list[tuple[float, int]]] = {}
    for at, (material, moving, _) in enumerate(kinds):
        family = families.setdefault((material.friction_combine, moving), [])
        family.append((material.dynamic_friction, at))
    found: list[int] = []
    for family in families.values():
        family.sort()
        steps = np.linspace(0, len(family) - 1, min(_MOST_TOGETHER // 8, len(family)))
        found += [family[i][1] for i in dict.fromkeys(round(float(step)) for step in steps)]
    return found


def factors(wanted: Array, weights: Array) -> Array:
    """Numbers (n,) whose products are as near as can be to those wanted (n, n).

    Args:
        weights: (n, n), how much the products matter; a number that no product needs is taken
            from its own square.

    The squares of the relative errors have the least sum.
    """
    logs = np.log(np.maximum(wanted, _LEAST_VALUE))
    slick = _slick(wanted, weights)
    weights = weights * np.where(wanted > _LEAST_VALUE, 1.0, _ZERO_WEIGHT)
    weights[slick] = weights[:, slick] = 0.0
    alone = weights.sum(axis=1) == 0.0
    weights[alone, alone] = 1.0
    own = weights.diagonal()
    # Each pair is there twice, a square once; the latter counts its number twice.
    matrix = weights + np.diag(weights.sum(axis=1) + 2.0 * own)
    right = (weights * logs).sum(axis=1) + own * logs.diagonal()
    found = cast(Array, np.linalg.lstsq(matrix, right, rcond=1e-12)[0])
    return np.where(slick, 0.0, _without_least(np.exp(found)))


def _slick(wanted: Array, weights: Array) -> Flags:
    """Which surfaces (n,) make nothing with all that they meet; 0 says so and binds no other."""
    matters = weights > 0.0
    result: Flags = matters.any(axis=1) & ~((wanted > _LEAST_VALUE) & matters).any(axis=1)
    return result


def _without_least(values: Array) -> Array:
    """Numbers with zeros where they stand for zero."""
    return np.where(values <= 2.0 * _LEAST_ROOT, 0.0, values)
