"""Numbers beyond what Bullet computes with: told before a preview starts, and while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from ....simulation.state import Array
from ....simulation.world import Node
from .actors import Actors

_LARGEST: Final = 1e9  # m, of shapes, and away from the origin; Bullet has numbers of 32 bits.
# m, across the box around what forces move: Bullet takes larger things out of its world
# (updateSingleAabb in btCollisionWorld.cpp).
_LARGEST_MOVING: Final = 1e6
_NAMED: Final = 3  # Objects that are named before the rest is counted.


class OutOfBoundsError(RuntimeError):
    """A body went where nothing can be computed."""


def require_playable(actors: Actors, nodes: Sequence[Node], names: Sequence[str]) -> None:
    """Refuse what is too large, or too far away.

    Args:
        nodes: of the scene, by which infinite numbers are found.
        names: of the nodes.

    Raises:
        ValueError: names the objects.
    """
    bodies = actors.world.bodies
    owners: list[int] = actors.owners[:-1].tolist()
    _, places = actors.poses(actors.world.state())
    found: dict[str, None] = {}
    for body in bodies:
        if not np.isfinite(nodes[body.node].matrix).all():
            found[names[body.node]] = None
    for plan, owner, place in zip(actors.plans, owners, places, strict=True):
        body = bodies[owner]
        reaches = (float(np.abs(part.vertices).max(initial=0.0)) for part in plan.parts)
        size = max(reaches, default=0.0) * float(plan.scale.max())
        most = _LARGEST_MOVING / 2.0 if body.is_forced else _LARGEST
        if not (size < most and np.abs(place).max() < _LARGEST):
            found[names[body.node]] = None
    if found:
        raise ValueError(
            f"{_listed(found)} cannot be played: too large or too far away; moving bodies may be "
            "1000 km wide, all others a million km, and as far from the origin"
        )


def require_finite(matrices: Array, actors: Actors, names: Sequence[str]) -> None:
    """Refuse to go on where the numbers of a body have become too large to compute with.

    Args:
        matrices: (k, 4, 4), of the actors.
        names: of the nodes.

    Raises:
        OutOfBoundsError: names the objects.
    """
    if np.isfinite(matrices.sum()):
        return
    broken = ~np.isfinite(matrices[: len(actors.plans)]).all(axis=(1, 2))
    owners: list[int] = actors.owners[:-1][broken].tolist()
    found = dict.fromkeys(names[actors.world.bodies[i].node] for i in owners)
    raise OutOfBoundsError(f"{_listed(found)} went too fast or too far to be computed")


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - _NAMED
    return ", ".join(every[:_NAMED]) + (f" and {more} more" if more > 0 else "")
