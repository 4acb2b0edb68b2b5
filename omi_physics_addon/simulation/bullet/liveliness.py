"""Which bodies bounce, by their materials."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence

import numpy as np

from ...geometry.arrays import Flags
from ...model.bodies import CombineMode, PhysicsMaterial
from ..world import Body
from .materials import combined

_Kind = tuple[float, CombineMode]  # 1 where a surface bounces, else 0, and how it is combined.


def lively(bodies: Sequence[Body]) -> Flags:
    """Which bodies (n,) that forces move bounce off some that these do not move."""
    ground = {_kind(body) for body in bodies if not body.is_forced}

    @functools.cache
    def bounces(kind: _Kind) -> bool:
        return any(_bounce(kind, other) for other in ground)

    found = [body.is_forced and body.solids and bounces(_kind(body)) for body in bodies]
    return np.array([bool(each) for each in found], dtype=np.bool_)


def _kind(body: Body) -> _Kind:
    """What decides whether a body bounces off another one; there are few such kinds."""
    material = material_of(body)
    return float(material.restitution > 0.0), material.restitution_combine


def _bounce(first: _Kind, second: _Kind) -> bool:
    return combined(first[0], second[0], (first[1], second[1])) > 0.0


def material_of(body: Body) -> PhysicsMaterial:
    """The material of a body, that of its first solid."""
    found = body.solids[0].material if body.solids else None
    return found or PhysicsMaterial()


def restitution(first: PhysicsMaterial, second: PhysicsMaterial) -> float:
    """The restitution that two materials make together."""
    modes = (first.restitution_combine, second.restitution_combine)
    return combined(first.restitution, second.restitution, modes)


def lively_pairs(bodies: Sequence[Body]) -> Flags:
    """Which bodies (n,) that forces move bounce off others that these move."""
    made = [_kind(body) if body.is_forced and body.solids else None for body in bodies]
    counts = Counter(kind for kind in made if kind is not None)
    lively = {
        one
        for one in counts
        if any(
            _bounce(one, other) and (other != one or count > 1) for other, count in counts.items()
        )
    }
    return np.array([kind in lively for kind in made], dtype=np.bool_)
