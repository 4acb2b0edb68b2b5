"""Gives every mesh of a scene a collider, as a command does for whole files."""

from __future__ import annotations

import fnmatch
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import bpy

from ..base import groups
from ..base.hierarchy import body_of, depth
from ..base.mesh_arrays import MESHLIKE, children_of_all
from ..scene.migrations import PARTS
from . import fitted_objects
from .decomposition import cutting
from .fit_destinations import Outcome, Plan, fit_object
from .fit_sources import Piece, Sources, TooManyPartsError
from .starting_shapes import has_shape

_WHY_KEPT: Final = "it has physics already"
_WHY_EMPTY: Final = "it has no vertices"
_MESH: Final = "the mesh"  # In place of its name, which is told beside.


@dataclass(frozen=True)
class Wish:
    """Which meshes get colliders, and what they are made.

    Attributes:
        only: patterns of names, "Crate *"; all meshes where there are none.
        replace: fit what has a collider already anew.
        body: the type of those that belong to no body yet; None leaves them without.
        mass: of each new body, kg; None for that of a new body.
        density: of each new body, kg/m³, in place of a mass.
    """

    only: Sequence[str] = ()
    replace: bool = False
    body: str | None = "STATIC"
    mass: float | None = None
    density: float | None = None


@dataclass
class Made:
    """What came of it.

    Attributes:
        fitted: names of objects with the types of their shapes, one for each loose part.
        skipped: names of objects with why they got none.
        bodies: names of objects that became bodies.
        outcome: what is known of the shapes.
    """

    fitted: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    bodies: list[str] = field(default_factory=list[str])
    outcome: Outcome = field(default_factory=Outcome)


def add(
    depsgraph: bpy.types.Depsgraph, objects: Collection[Any], plan: Plan, wish: Wish | None = None
) -> Made:
    """Give colliders to meshes; a mesh below a new body becomes a part of it.

    Raises:
        CutError: a mesh cannot be cut into convex parts.
    """
    wish, made = wish or Wish(), Made()
    children = children_of_all()
    sources = Sources(depsgraph, children)
    # Asked before anything is made, as what is new is no reason to keep the rest as it is.
    shaped: dict[Any, bool] = {}
    chosen = [obj for obj in objects if obj.type in MESHLIKE and _is_named(obj, wish.only)]
    kept = {obj for obj in chosen if not _wants(obj, wish, children, shaped)}
    fitted: list[Any] = []
    useless: list[Any] = []
    known: dict[Piece, list[Piece]] = {}
    for obj in sorted(chosen, key=depth):
        if obj in kept:
            made.skipped[obj.name_full] = _WHY_KEPT
            continue
        try:
            found = sources.pieces(obj, plan.source)
            if not found:
                made.skipped[obj.name_full] = _WHY_EMPTY
                continue
            if plan.cuts is not None:
                found = cutting.parts_of(found, plan.cuts, known)
            old = fitted_objects.below(obj, plan.part, children)
            useless += fit_object(obj, found, old, plan, made.outcome)
        except TooManyPartsError as problem:
            made.skipped[obj.name_full] = str(problem).format(name=_MESH)
            continue
        fitted.append(obj)
        if wish.body is not None and body_of(obj) is None:
            _make_body(groups.of_object(obj), wish)
            made.bodies.append(obj.name_full)
    fitted_objects.remove_unchanged(useless, plan.part)
    made.outcome.remove_dropped()
    made.fitted = fitted_objects.types_of(fitted, plan.part)
    return made


def _is_named(obj: Any, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(obj.name, each) for each in patterns)


def _wants(obj: Any, wish: Wish, children: Any, shaped: dict[Any, bool]) -> bool:
    """Whether a mesh gets a collider: not as the look of what has physics.

    Args:
        shaped: whether bodies have shapes, as far as somebody asked.
    """
    group = groups.of_object(obj)
    if group.is_fitted_part:
        return False
    if wish.replace and (group.use_collider or fitted_objects.below(obj, "COLLIDER", children)):
        return True
    if any(getattr(group, flag) for flag in PARTS if flag != "use_motion"):
        return False
    body = body_of(obj)
    if body is None:
        return True
    if body not in shaped:
        shaped[body] = has_shape(body, children)
    return not shaped[body]


def _make_body(group: Any, wish: Wish) -> None:
    group.use_motion = True
    group.motion.type = wish.body
    if wish.mass is not None:
        group.motion.mass = wish.mass
    elif wish.density is not None:
        group.motion.mass_mode = "DENSITY"
        group.motion.density = wish.density
