"""Frictions and bounces of rigid bodies, which Blender multiplies, and their collision groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...model.bodies import PhysicsMaterial
from ..bullet import collision_groups, materials
from ..bullet.collision_groups import Filters
from ..bullet.materials import Kind
from .bodies import collections_of
from .values import BODY

Surface = tuple[PhysicsMaterial | None, bool, Filters]
_CLOSE: Final = 0.02  # Of a friction or bounce that is off by no more than this, nobody is told.


@dataclass(frozen=True)
class Contact:
    """What a rigid body has for a surface.

    Attributes:
        friction, bounce: factors, of which Blender multiplies two.
        collections: collision collections that it is in.
        differs: what of a pair with another surface is otherwise, in words.
    """

    friction: float
    bounce: float
    collections: Sequence[bool]
    differs: tuple[str, ...] = ()


def contacts_of(surfaces: Sequence[Surface]) -> dict[Surface, Contact]:
    """What each of the surfaces of a world's bodies becomes.

    Args:
        surfaces: material, whether the body moves, and filters; equal ones may be there often.
    """
    different = list(dict.fromkeys(surfaces))
    kinds: list[Kind] = [(m or PhysicsMaterial(), moving, f) for m, moving, f in different]
    frictions, rough = _factors(kinds)
    bounces, lively = _factors([(_bouncing(m), moving, f) for m, moving, f in kinds])
    groups, extra = _collections(kinds)
    found: dict[Surface, Contact] = {}
    for at, surface in enumerate(different):
        differs = [
            text
            for text, is_so in (
                ("friction with some other surfaces", at in rough),
                ("bounce on some other surfaces", at in lively),
                ("whom it collides with", at in extra),
            )
            if is_so
        ]
        found[surface] = Contact(frictions[at], bounces[at], groups[at], tuple(differs))
    return found


def _bouncing(material: PhysicsMaterial) -> PhysicsMaterial:
    """A material with its bounce in the place of its friction."""
    return replace(
        material,
        dynamic_friction=material.restitution,
        friction_combine=material.restitution_combine,
    )


def _factors(kinds: Sequence[Kind]) -> tuple[list[float], set[int]]:
    """Factors of surfaces, and the numbers of those whose products are not what is wanted."""
    own = [material.dynamic_friction for material, *_ in kinds]
    if all(material.friction_combine == "multiply" for material, *_ in kinds):
        return own, set()
    every = [filters for *_, filters in kinds]
    found = materials.fitted(kinds, lambda few: collision_groups.meetings_of(every, few))
    surfaces = [material for material, *_ in kinds]
    wanted = materials.frictions(surfaces, surfaces)
    meet = collision_groups.meetings_of(every, range(len(kinds)))
    matters = meet & (materials.pair_weights(kinds, kinds) > 0.0)
    off = (np.abs(np.outer(found, found) - wanted) > _CLOSE) & matters
    values: list[float] = found.tolist()
    numbers: list[int] = np.flatnonzero(off.any(axis=1)).tolist()
    return [float(f"{value:.6g}") for value in values], set(numbers)


def _collections(kinds: Sequence[Kind]) -> tuple[list[Sequence[bool]], set[int]]:
    usual: Sequence[bool] = BODY["collision_collections"]
    if all(filters == frozenset((None,)) for *_, filters in kinds):
        return [usual] * len(kinds), set()
    named = [_named(filters) for *_, filters in kinds]
    if all(each is not None for each in named):
        return [each or usual for each in named], set()
    groups = collision_groups.grouped(
        [filters for *_, filters in kinds], [moving for _, moving, _ in kinds]
    )
    rows: list[list[bool]] = groups.members.tolist()
    return [*rows], {at for pair in groups.extra for at in pair}


def _named(filters: Filters) -> list[bool] | None:
    """The collections that the one filter of a body stands for."""
    (only, *others) = filters
    return None if others or only is None else collections_of(only)
