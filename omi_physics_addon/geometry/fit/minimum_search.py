"""Finds the smallest value of a function of a few numbers that has edges and valleys."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Array

_SEED: Final = 20240229  # The same points give the same shape, every time.


def minimize(
    function: Callable[[Array], Array],
    start: ArrayLike,
    step: float,
    rounds: int = 60,
    precision: float = 1e-9,
) -> tuple[Array, float]:
    """The place near a start where a function is least, and the value there.

    Args:
        function: takes places (k, d) and gives their values (k,); it may have edges.
        start: (d,).
        step: how far away to look first, about the distance to the place looked for.
        rounds: of about two dozen places each.
        precision: distance between places below which the search is over.

    Source: Hansen 2016, "The CMA evolution strategy: a tutorial", with its default settings.
    """
    mean = np.asarray(start, dtype=np.float64).copy()
    random = np.random.default_rng(_SEED)
    state = _Strategy(len(mean), step)
    best, least = mean.copy(), float(function(mean[None])[0])
    for _ in range(rounds):
        places = state.sample(mean, random)
        values = function(places)
        order = np.argsort(values, kind="stable")
        if values[order[0]] < least:
            best, least = places[order[0]].copy(), float(values[order[0]])
        mean = state.learn(mean, places[order])
        if state.width < precision:
            break
    return best, least


class _Strategy:
    """The cloud of places that is looked at next: its width, its form, and how it moved."""

    def __init__(self, size: int, step: float) -> None:
        self.count = 8 + 4 * size
        half = self.count // 2
        weights = math.log(half + 0.5) - np.log(np.arange(1, half + 1))
        self._weights: Array = weights / weights.sum()
        mass = float(1.0 / np.sum(self._weights**2))
        self._mass = mass
        self._path_rate = (mass + 2.0) / (size + mass + 5.0)
        self._damping = (
            1.0 + self._path_rate + 2.0 * max(0.0, math.sqrt((mass - 1.0) / (size + 1.0)) - 1.0)
        )
        self._form_path_rate = (4.0 + mass / size) / (size + 4.0 + 2.0 * mass / size)
        self._one_rate = 2.0 / ((size + 1.3) ** 2 + mass)
        self._many_rate = min(
            1.0 - self._one_rate, 2.0 * (mass - 2.0 + 1.0 / mass) / ((size + 2.0) ** 2 + mass)
        )
        # The mean length of a normally distributed vector.
        self._usual = math.sqrt(size) * (1.0 - 1.0 / (4.0 * size) + 1.0 / (21.0 * size**2))
        self._step = step
        self._path = np.zeros(size)
        self._form_path = np.zeros(size)
        self._form = np.eye(size)
        self._axes, self._lengths = np.eye(size), np.ones(size)

    @property
    def width(self) -> float:
        """How far apart the places are, along the longest axis of their cloud."""
        return self._step * float(self._lengths.max())

    def sample(self, mean: Array, random: np.random.Generator) -> Array:
        """Places (count, d) around the mean."""
        normal = random.standard_normal((self.count, len(mean)))
        return mean + self._step * (normal * self._lengths) @ self._axes.T

    def learn(self, mean: Array, places: Array) -> Array:
        """The new mean, for places that are sorted, best first."""
        apart = places[: len(self._weights)] - mean
        moves = apart / self._step
        move: Array = self._weights @ moves
        rate = self._path_rate
        straight = self._axes @ ((self._axes.T @ move) / self._lengths)
        drift = math.sqrt(rate * (2.0 - rate) * self._mass)
        self._path = (1.0 - rate) * self._path + drift * straight
        longer = math.sqrt(self._path @ self._path) / self._usual
        rate = self._form_path_rate
        drift = math.sqrt(rate * (2.0 - rate) * self._mass) if longer < 2.0 else 0.0
        self._form_path = (1.0 - rate) * self._form_path + drift * move
        one, many = self._one_rate, self._many_rate
        self._form = (
            (1.0 - one - many) * self._form
            + one * (self._form_path[:, None] * self._form_path)
            + many * (moves.T * self._weights) @ moves
        )
        self._step *= math.exp(min(1.0, self._path_rate / self._damping * (longer - 1.0)))
        squares, self._axes = np.linalg.eigh((self._form + self._form.T) / 2.0)
        self._lengths = np.sqrt(np.maximum(squares, 1e-30))
        return mean + apart.T @ self._weights
