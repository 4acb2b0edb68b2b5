"""All that pushes bodies in a preview besides what Blender itself does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...model.document import PhysicsDocument
from ...model.joints import JointLimit
from ...simulation.proxies import HEAVIEST
from ...simulation.state import Array, ForceMaker, Masses, State, Wrench
from ...simulation.world import World
from .actors import forced


class Forces:
    """The force makers of a world.

    Attributes:
        bodies: (k,), which bodies they push.
        turning: (k,), which of them they may turn.
    """

    def __init__(
        self,
        world: World,
        document: PhysicsDocument,
        gravity: Array,
        left: list[tuple[int, JointLimit]],
    ) -> None:
        self._masses = world.masses(HEAVIEST)
        self._makers: list[ForceMaker] = []
        count = len(world.bodies)
        pushed, turned = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        self._add_weight(world, gravity, pushed)
        del document, left
        mine = np.array([forced(body) for body in world.bodies], dtype=bool)
        self.bodies: NDArray[np.int64] = np.flatnonzero((pushed | turned) & mine)
        self.turning: NDArray[np.bool_] = turned[self.bodies]

    def _add_weight(self, world: World, gravity: Array, pushed: NDArray[np.bool_]) -> None:
        factors = self._masses.gravity_factor
        if gravity.any() and (factors != 1.0).any():
            pushed |= factors != 1.0
            self._makers.append(_Weight(gravity))

    def wrench(self, state: State, dt: float) -> Wrench:
        """What all makers do together in a step of `dt` seconds."""
        wrench = Wrench.zero(len(self._masses))
        for maker in self._makers:
            maker.apply(state, self._masses, dt, wrench)
        return wrench


class _Weight:
    """What a gravity factor adds to the gravity that Blender applies."""

    def __init__(self, gravity: Array) -> None:
        self._gravity = gravity

    def apply(self, state: State, masses: Masses, dt: float, wrench: Wrench) -> None:
        """Add it; only what Blender itself moves has weight."""
        del state, dt
        factor = np.where(masses.is_dynamic, masses.gravity_factor, 1.0)
        mass = np.where(masses.is_dynamic, masses.mass, 0.0)
        wrench.force += ((factor - 1.0) * mass)[:, None] * self._gravity
