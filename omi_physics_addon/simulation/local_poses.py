"""From the movement of bodies to the places and rotations that objects have below their parents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry.affine import inverse, placement
from ..geometry.arrays import Array
from ..geometry.rotations import nearest_rotations

_SHEAR = 1e-4  # Of lengths, that a rotation alone may leave.


@dataclass(frozen=True, eq=False)
class Keys:
    """What an object has at k times.

    Attributes:
        places: (k, 3), below the parent.
        turns: (k, 3, 3), by which its rotation at the start is turned.
        is_sheared: whether an uneven scale above would have to shear it, which keys cannot say.
    """

    places: Array
    turns: Array
    is_sheared: bool


def moves(places: Array, rotations: Array) -> Array:
    """How something has moved since the first of k places (k, 3) and rotations (k, 3, 3).

    Returns:
        (k, 4, 4), from where points were at first to where they are.
    """
    turn = rotations @ rotations[0].T
    return placement(turn, places - turn @ places[0])


def keyed(own: Array, above: Array | None, parent: Array, place: Array) -> Keys:
    """The keys of an object.

    Args:
        own: (k, 4, 4), how its body moves.
        above: (k, 4, 4), how its parent is moved by what is baked, too; None for not at all.
        parent: (4, 4), from the space of its place to the world, at the start.
        place: (3,), where it is in that space at the start.
    """
    moved = own if above is None else inverse(above) @ own
    local = inverse(parent[None]) @ moved @ parent
    turns = nearest_rotations(local[:, :3, :3])
    off = np.abs(local[:, :3, :3] - turns).max(initial=0.0)
    places = local[:, :3, :3] @ place + local[:, :3, 3]
    return Keys(places, turns, bool(off > _SHEAR))
