"""Frictions that multiply, as an engine wants them, in place of combine modes.

Each thing has one number, and products of two give what two materials make together. Of few
materials all products can be right; of more, those of things that come near each other can, as far
as these form no rings. So numbers are fitted for all that may ever meet, and, where that is not
exact, again and again for what is near.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

import numpy as np

from ...geometry.arrays import Array, Flags, Indices
from ...model.bodies import CombineMode, PhysicsMaterial
from ..neighbors import Neighbors
from ..state import Masses, State
from ..world import World
from .collision_groups import Filters, filters_of
from .meetings import Meetings
from .proxies import parts_of

# The first mode that either side has is taken. Source: OMI_physics_body, `physicsMaterials[]`.
_ORDER: Final[tuple[CombineMode, ...]] = ("average", "minimum", "maximum", "multiply")
_LEAST_VALUE: Final = 1e-6  # Stands for zero where logarithms are taken.
_LEAST_ROOT: Final = _LEAST_VALUE**0.5
_ZERO_WEIGHT: Final = 0.05  # How much it matters that nothing is nothing.
_MOVING_PAIR_WEIGHT: Final = 0.001  # How much pairs of moving surfaces matter beside the others.
_MOST_TOGETHER: Final = 128  # Surfaces that are fitted to each other.
_CLOSE: Final = 0.01  # Share of a friction that it may be off and is right,
_CLOSE_TO_NONE: Final = 1e-3  # or so much.
_ROUNDS: Final = 200  # In which numbers agree.
_AGREED: Final = 1e-5  # Share of a friction that still changes then.

_PLAIN: Final = PhysicsMaterial()

# A surface, whether it is on something that moves, and what decides whom that may touch.
Kind = tuple[PhysicsMaterial, bool, Filters]
# Which kinds (n) may touch some of them (k), whose numbers it is given, (n, k).
Meet = Callable[[Sequence[int]], Flags]


def pair_weights(rows: Sequence[Kind], columns: Sequence[Kind]) -> Array:
    """How much each of some surfaces together with each of others matters, (n, k).

    1 for two of which one moves, a little for two that move, 0 for two that cannot meet.
    """
    first, second = _moves(rows)[:, None], _moves(columns)[None]
    return np.abs(first - second) + _MOVING_PAIR_WEIGHT * first * second


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
    return _mixed(_numbers(rows)[:, :, None], _numbers(columns)[:, None])


def _numbers(surfaces: Sequence[PhysicsMaterial]) -> Array:
    """The friction of each of some surfaces and the place of its combine mode, (2, n)."""
    found = [(each.dynamic_friction, _ORDER.index(each.friction_combine)) for each in surfaces]
    return np.array(found, dtype=np.float64).reshape(-1, 2).T


def _mixed(one: Array, other: Array) -> Array:
    """The frictions that surfaces make together; see `_numbers`."""
    (first, a), (second, b) = one, other
    mode = np.minimum(a, b)
    ways = [(first + second) / 2.0, np.minimum(first, second), np.maximum(first, second)]
    return np.select([mode == i for i in range(3)], ways, first * second)


def is_off(products: Array, wanted: Array) -> Flags:
    """Which frictions are not near enough to those wanted."""
    return np.abs(products - wanted) > _CLOSE * wanted + _CLOSE_TO_NONE


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
    return matters.any(axis=1) & ~((wanted > _LEAST_VALUE) & matters).any(axis=1)


def _without_least(values: Array) -> Array:
    """Numbers with zeros where they stand for zero."""
    return np.where(values <= 2.0 * _LEAST_ROOT, 0.0, values)


class Frictions:
    """The numbers of all rigid bodies of an engine that stand for the bodies of a world.

    Attributes:
        values: (k,), of each rigid body, as `parts_of` gives them for one body after the other.
        is_exact: whether they are right for all that may ever meet, so that `look` does nothing.
    """

    def __init__(self, world: World) -> None:
        """Take a world."""
        parts = [(at, part) for at, body in enumerate(world.bodies) for part in parts_of(body)]
        self.solids = [part for _, part in parts]
        bodies = np.array([at for at, _ in parts], dtype=np.int64)
        self._moving = world.forced[bodies]
        filters = [filters_of(part) for part in self.solids]
        materials = [(part[0].material if part else None) or _PLAIN for part in self.solids]
        kinds = list(zip(materials, self._moving.tolist(), filters, strict=True))
        meetings = Meetings(world)
        self.values, self.is_exact = _for_all(kinds, bodies.tolist(), meetings)
        self._base = self.values
        self._pairs, self._material = np.zeros((2, 0), dtype=np.int64), _numbers(materials)
        if not self.is_exact:
            may_touch = meetings.of_parts(bodies, filters)
            self._neighbors = Neighbors(self.solids, bodies, self._moving, may_touch)

    def look(
        self, state: State, masses: Masses, ways: Sequence[Array], *, is_close: bool = False
    ) -> bool:
        """Fit them to what comes near; whether there may be other ones now.

        Args:
            ways: (n, 3) each, m, that bodies may go.
            is_close: see `Neighbors.pairs`.
        """
        if self.is_exact:
            return False
        found = [
            np.stack(self._neighbors.pairs(state, masses, way, is_close=is_close)) for way in ways
        ]
        pairs = np.unique(np.concatenate(found, axis=1), axis=1)
        if np.array_equal(pairs, self._pairs):
            return False
        self._pairs = pairs
        self.values = settled(self._base, pairs, self._wanted(), self._weights())
        return True

    def inexact(self) -> list[int]:
        """The rigid bodies whose friction with one that is near is off."""
        first, second = self._pairs
        off = is_off(self.values[first] * self.values[second], self._wanted())
        return np.unique(self._pairs[:, off]).tolist()

    def _wanted(self) -> Array:
        first, second = self._pairs
        return _mixed(self._material[:, first], self._material[:, second])

    def _weights(self) -> Array:
        first, second = self._moving[self._pairs]
        return np.where(first & second, _MOVING_PAIR_WEIGHT, 1.0)


def _for_all(
    kinds: Sequence[Kind], bodies: Sequence[int], meetings: Meetings
) -> tuple[Array, bool]:
    """Numbers (k,) of things of some kinds on bodies, and whether they are right for all pairs."""
    groups: dict[Kind, dict[int, None]] = {}
    for kind, body in zip(kinds, bodies, strict=True):
        groups.setdefault(kind, {})[body] = None
    rows, members = list(groups), [list(group) for group in groups.values()]

    def meet(columns: Sequence[int]) -> Flags:
        return meetings.of_groups(members, [filters for *_, filters in rows], columns)

    found, few = fitted(rows, meet), typical(rows)
    some = [rows[at] for at in few]
    wanted = frictions([material for material, *_ in rows], [material for material, *_ in some])
    off = is_off(np.outer(found, found[few]), wanted) & (pair_weights(rows, some) > 0.0)
    at = {kind: row for row, kind in enumerate(rows)}
    is_exact = not (off.any() and (off & meet(few)).any())
    return found[[at[kind] for kind in kinds]], is_exact


def settled(base: Array, pairs: Indices, wanted: Array, weights: Array) -> Array:
    """Numbers (n,) near to those of a base whose products are as near as can be to those wanted.

    The squares of the relative errors have the least sum, and of all numbers for which they have,
    these differ least from the base. Things that are not in any pair keep theirs.

    Args:
        pairs: (2, p), of different things.
        wanted, weights: (p,), for each pair, and how much it matters.
    """

    def sums(values: Array) -> Array:
        found = np.bincount(pairs.ravel(), np.tile(values, 2), minlength=len(base))
        return found.astype(np.float64)

    rough = wanted > _LEAST_VALUE
    slick = (sums(np.ones(len(wanted))) > 0.0) & (sums(rough.astype(np.float64)) == 0.0)
    weights = weights * np.where(rough, 1.0, _ZERO_WEIGHT) * ~slick[pairs].any(axis=0)
    logs = np.log(np.maximum(base, _LEAST_ROOT))
    goal = np.log(np.maximum(wanted, _LEAST_VALUE)) - logs[pairs].sum(axis=0)
    diagonal = sums(weights)
    change = _solved(
        lambda way: sums(weights * way[pairs].sum(axis=0)),
        np.where(diagonal > 0.0, diagonal, 1.0),
        sums(weights * goal),
    )
    return np.where(slick, 0.0, np.where(diagonal > 0.0, np.exp(logs + change), base))


def _solved(turned: Callable[[Array], Array], diagonal: Array, left: Array) -> Array:
    """The smallest of the vectors (n,) that a symmetric matrix turns into another one.

    Args:
        turned: what the matrix makes of a vector.
        diagonal: (n,), of the matrix.
        left: (n,), the other one.

    Source: Hestenes and Stiefel 1952, "Methods of conjugate gradients for solving linear systems",
    with the diagonal as preconditioner.
    """
    scaled = left / diagonal
    found, way, size = np.zeros(len(left)), scaled, float(left @ scaled)
    for _ in range(_ROUNDS):
        if float(np.abs(scaled).max(initial=0.0)) <= _AGREED:
            break
        more = turned(way)
        step = size / float(way @ more)
        found, left = found + step * way, left - step * more
        scaled, before = left / diagonal, size
        size = float(left @ scaled)
        way = scaled + (size / before) * way
    return found
