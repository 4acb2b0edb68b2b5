"""Gives objects the convex parts of what they show as shapes below them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....geometry.fit.best_fit import volume_error
from ....geometry.fit.mesh_volumes import closed_volume
from ...base import mesh_arrays
from .. import fitted_objects
from ..fit_destinations import Outcome, Plan, fit_object
from ..fit_sources import Cuts, Piece
from .cutting import found_of


@dataclass
class Made:
    """What came of it.

    Attributes:
        objects: that have hulls now.
        hulls: how many hulls they have together.
        kept: how many earlier hulls stay, as they were changed by hand.
        errors: by what part of its mesh the hulls of each object are larger, where it has no holes.
    """

    objects: list[Any] = field(default_factory=list[Any])
    hulls: int = 0
    kept: int = 0
    errors: list[float] = field(default_factory=list[float])


def put(
    wanted: Sequence[tuple[Any, Sequence[Piece]]],
    parts: Mapping[Piece, Sequence[Piece]],
    part: str,
    cuts: Cuts,
) -> Made:
    """Write hulls.

    Args:
        wanted: objects and the pieces of what they show.
        parts: the convex parts of pieces; what has none is a hull as it is.
        part: COLLIDER or TRIGGER.
    """
    children = mesh_arrays.children_of_all()
    plan = Plan(
        kind="CONVEX", part=part, use_budget=True, budget=cuts.vertices, is_remembered=False
    )
    made, outcome, useless = Made(), Outcome(), list[Any]()
    found_before = {obj: fitted_objects.below(obj, part, children) for obj, _ in wanted}
    before = [each for those in found_before.values() for each in those]
    free = set(fitted_objects.release_changed(before, part))
    made.kept = len(before) - len(free)
    for obj, pieces in wanted:
        found = found_of(pieces, parts)
        if not found:
            continue
        old = [each for each in found_before[obj] if each in free]
        useless += fit_object(obj, found, old, plan, outcome)
        made.objects.append(obj)
        made.hulls += len(found)
        volumes = [closed_volume(piece.points, piece.triangles) for piece in pieces]
        if None not in volumes:
            whole = sum(hull.hull_volume for hull in found)
            error = volume_error(whole, sum(volume for volume in volumes if volume))
            made.errors += [] if error is None else [error]
    fitted_objects.remove_unchanged(useless, part)
    outcome.remove_dropped()
    return made
