"""How hard the solver of Bullet works at contacts and at joints."""

from __future__ import annotations

from typing import Final

import numpy as np

from ....simulation.bullet.convergence import needed_iterations
from ....simulation.bullet.proxies import LIGHTEST
from ....simulation.state import Array
from ....simulation.world import World

_LEAST: Final = 10
_CHAINED: Final = 30  # Motors of forces need no agreement between bodies, but chains of joints do.
_MOST: Final = 1000  # Blender allows no more.
_PER_RATIO: Final = 0.3  # For each time that one body is as heavy as another.
_JOINT_BUDGET: Final = 20_000  # Iterations times joints, which take 7 ms of a frame.
_BUDGET: Final = 300_000  # Iterations times bodies, above which a preview is too slow to use.


def iterations(world: World, has_joints: bool) -> int:
    """How often the solver of Bullet goes through all contacts and joints in a substep.

    With fewer, what is heavy sinks into what is light; see `heaviest_carried`.
    """
    masses = _masses(world)
    least = _CHAINED if has_joints else _LEAST
    if not len(masses):
        return least
    most = max(least, min(_MOST, _BUDGET // len(masses)))
    return int(np.clip(_PER_RATIO * masses.max() / masses.min(), least, most))


def heaviest_carried(world: World, has_joints: bool) -> float:
    """The largest mass that the lightest body carries in a stack, kg."""
    masses = _masses(world)
    return iterations(world, has_joints) / _PER_RATIO * float(masses.min(initial=np.inf))


def _masses(world: World) -> Array:
    """Of the bodies that forces move, kg."""
    found = (max(body.mass, LIGHTEST) for body in world.bodies if body.is_forced)
    return np.array([mass for mass in found if np.isfinite(mass)])


def joint_iterations(world: World, gravity: Array, step: float) -> int:
    """How often it goes through all joints in a substep, so that levers and loads are held.

    Args:
        step: s, of the solver.
    """
    count = len(world.joints)
    if not count:
        return 0
    wanted = needed_iterations(world, float(np.linalg.norm(gravity)), step)
    most = min(_MOST, _JOINT_BUDGET // count)
    return max(iterations(world, has_joints=True), min(round(wanted), most))
