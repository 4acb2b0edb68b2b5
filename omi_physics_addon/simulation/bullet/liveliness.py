"""Which bodies bounce, by their materials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ...geometry.arrays import Flags
from ...model.bodies import PhysicsMaterial
from ..world import Body
from .materials import combined


def lively(bodies: Sequence[Body], forced: Flags) -> Flags:
    """Which bodies (n,) that forces move bounce off some that these do not move."""
    ground = {material_of(body) for body, moves in zip(bodies, forced, strict=True) if not moves}
    known: dict[PhysicsMaterial, bool] = {}

    def bounces(body: Body) -> bool:
        mine = material_of(body)
        if mine not in known:
            known[mine] = any(restitution(mine, other) > 0.0 for other in ground)
        return bool(body.solids) and known[mine]

    return np.array([moves and bounces(b) for b, moves in zip(bodies, forced, strict=True)], bool)


def material_of(body: Body) -> PhysicsMaterial:
    """The material of a body, that of its first solid."""
    found = body.solids[0].material if body.solids else None
    return found or PhysicsMaterial()


def restitution(first: PhysicsMaterial, second: PhysicsMaterial) -> float:
    """The restitution that two materials make together."""
    modes = (first.restitution_combine, second.restitution_combine)
    return combined(first.restitution, second.restitution, modes)


def lively_pairs(bodies: Sequence[Body], forced: Flags) -> Flags:
    """Which bodies (n,) that forces move bounce off others that these move."""
    made = [
        material_of(body) if moves and body.solids else None
        for body, moves in zip(bodies, forced, strict=True)
    ]
    counts = Counter(material for material in made if material is not None)
    lively = {
        one
        for one in counts
        if any(
            restitution(one, other) > 0.0 and (other != one or count > 1)
            for other, count in counts.items()
        )
    }
    return np.array([material in lively for material in made], dtype=np.bool_)
