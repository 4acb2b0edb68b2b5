"""Springs and dampers as forces that stay the same during a whole step.

A spring with a damper of its own on a mass m turns its state, the offset x and the speed v, by a
linear map in every step of length h. Its eigenvalues exp(λh) follow from m·λ² + d·λ + k = 0. A
force that is the same during a step makes another linear map,

    x' = x + h·v + b·h²·a,  v' = v + h·a,  a = -p·x - q·v,

where b is 1/2 in the limit of many substeps and (1 + 1/n)/2 for n semi-implicit ones. Its trace
is 2 - b·h²·p - h·q and its determinant 1 - h·q + (1 - b)·h²·p, so p and q can be chosen such that
the eigenvalues are those of the spring: frequency and decay are then exact, whatever the step, and
nothing explodes. This goes further than stable PD controllers (Tan, Liu and Turk 2011, "Stable
Proportional-Derivative Controllers"), whose implicit Euler step damps every spring.

Range: any stiffness and damping from 0 to infinity. Oscillations of less than 2π steps cannot be
shown well; they get the phase of 1 rad per step and decay the faster the stiffer they are. No
offset decays by more than to a quarter in a step, so that a mass guessed twice too large still
does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...geometry.arrays import Array

Complex = NDArray[np.complex128]

_MIN_RATE: Final = 1e-150  # 1/s; complex numbers cannot be divided by less.
_MAX_PHASE_RAD: Final = 1.0  # rad, the most that an oscillation may go on in a step.
_MIN_REMAINDER: Final = 0.25  # What is left of an offset after a step, at least.
# Relative difference of eigenvalues below which they count as equal.
_EIGENVALUE_TOLERANCE: Final = 1e-6


def drift(substeps: int) -> float:
    """How much of h²·a a body moves in a step h of some semi-implicit Euler substeps."""
    return (1.0 + 1.0 / substeps) / 2.0


@dataclass(frozen=True, eq=False)
class Modes:
    """The two eigenvalues of springs on masses, kept within what steps can show.

    Attributes:
        first, second: (k,) complex, 1/s; conjugate or both real.
        step: s.
    """

    first: Complex
    second: Complex
    step: float

    def gains(self, share: float) -> tuple[Array, Array]:
        """The p (k,), 1/s², and q (k,), 1/s, with which a = -p·x - q·v has these eigenvalues.

        Args:
            share: from `drift`.
        """
        one, two = np.exp(self.first * self.step), np.exp(self.second * self.step)
        offset = ((1.0 - one) * (1.0 - two)).real
        speed = 1.0 - (one * two).real + (1.0 - share) * offset
        return offset / self.step**2, speed / self.step

    def speeds(self, speed: Array, time: Array) -> Array:
        """The speeds (k,) that are left of others, a time after a spring began to be pressed."""
        split = self.first - self.second
        size = np.abs(self.first) + np.abs(self.second)
        equal = np.abs(split) <= _EIGENVALUE_TOLERANCE * size
        one, two = np.exp(self.first * time), np.exp(self.second * time)
        apart = (self.first * one - self.second * two) / np.where(equal, 1.0, split)
        return np.where(equal, ((1.0 + self.first * time) * one).real, apart.real) * speed


def modes(stiffness: Array, damping: Array, inverse_mass: Array, step: float) -> Modes:
    """How springs (k,) with dampers (k,) on masses behave, as far as steps can show it.

    Args:
        stiffness: N/m or N m/rad; inf stands for critical damping as fast as steps allow.
        damping: N s/m or N m s/rad.
        inverse_mass: 1/kg or 1/(kg m²).
    """
    hard = np.isinf(stiffness)
    square = np.where(hard, 0.0, stiffness) * inverse_mass
    half = damping * inverse_mass / 2.0
    root = np.sqrt((half * half - square).astype(np.complex128))
    second = -half - root
    # The product of both is the square; so no digits are lost where the first is small.
    still = np.abs(second) < _MIN_RATE
    first = np.where(still, 0.0, square / np.where(still, 1.0, second))
    swings = root.imag != 0.0
    phase = np.abs(root.imag) * step
    over = np.where(swings & (phase > _MAX_PHASE_RAD), phase / _MAX_PHASE_RAD, 1.0)
    lowest = np.log(_MIN_REMAINDER) / step
    decay = np.maximum(-half - np.log(over) / step, lowest)
    turning = decay + 1j * (root.imag / over)
    first = np.where(swings, turning, np.maximum(first.real, lowest))
    second = np.where(swings, np.conj(turning), np.maximum(second.real, lowest))
    return Modes(np.where(hard, lowest, first), np.where(hard, lowest, second), step)
