"""Gives objects the shapes they start with, and makes bodies that something can bump into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import bpy

from ...geometry.fit.mesh_volumes import closed_volume
from ..base import groups
from ..base.hierarchy import Children, is_no_body, with_below
from ..base.mesh_arrays import children_of_all
from . import fitted_objects
from .fit_destinations import SIMPLEST, Outcome, Plan, fit_own
from .fit_sources import Piece, Sources


def start_shapes(
    depsgraph: bpy.types.Depsgraph, objects: Iterable[Any], part: str, kind: str = SIMPLEST
) -> Outcome:
    """Give each object a shape that holds what it shows, and the part that has it.

    One without vertices gets a shape of the usual size; a box, if it is to be the simplest.

    Args:
        part: COLLIDER or TRIGGER.
        kind: one of the types of shapes, or SIMPLEST.
    """
    plan, outcome = Plan(kind=kind, part=part), Outcome()
    sources = Sources(depsgraph, {})
    for obj in objects:
        found = [] if kind == "NONE" else sources.pieces(obj, "WHOLE")
        if found:
            fit_own(obj, found[0], plan, outcome)
        else:
            fitted_objects.shape_of(obj, part).type = "BOX" if kind == SIMPLEST else kind
        setattr(groups.of_object(obj), f"use_{part.lower()}", True)
    outcome.remove_dropped()
    return outcome


def fit_missing(
    depsgraph: bpy.types.Depsgraph, bodies: Iterable[Any], within: bool = False
) -> Outcome:
    """Give colliders to bodies that have vertices and no shape yet, on them or below them.

    Args:
        within: whether they are to be no longer than what they are fitted to.
    """
    plan, outcome = Plan(kind=SIMPLEST, within=within, for_body=True), Outcome()
    children = children_of_all()
    sources = Sources(depsgraph, children)
    for obj in bodies:
        group = groups.of_object(obj)
        if group.use_wheel or has_shape(obj, children):
            continue
        found = sources.pieces(obj, "WHOLE")
        if found:
            fit_own(obj, found[0], plan, outcome)
            group.use_collider = True
    outcome.remove_dropped()
    return outcome


def came_with_body(obj: Any) -> bool:
    """Whether the collider of an object was made with its body, and is as it was made."""
    recipe = fitted_objects.recipes(obj).get("COLLIDER")
    collider = groups.of_object(obj).collider
    if recipe is None or collider.physics_material or collider.collision_filter:
        return False
    is_made = bool(recipe["plan"].get("for_body"))
    return is_made and recipe["form"] == fitted_objects.own_form(obj, "COLLIDER")


def make_solid(depsgraph: bpy.types.Depsgraph, objects: Iterable[Any]) -> Outcome:
    """Give objects that stay where they are colliders; those without vertices get none.

    What no simple shape is near to, such as rooms and terrains, gets its mesh as it is.
    """
    outcome, plans = Outcome(), dict[Piece, Plan]()
    sources = Sources(depsgraph, {})
    for obj in objects:
        for piece in sources.pieces(obj, "WHOLE"):
            if piece not in plans:
                plans[piece] = Plan(kind=SIMPLEST if _is_simple(piece) else "TRIMESH")
            fit_own(obj, piece, plans[piece], outcome)
            groups.of_object(obj).use_collider = True
    outcome.remove_dropped()
    return outcome


def _is_simple(piece: Piece) -> bool:
    """Whether a mesh is flat, or closed and nearly convex."""
    if not piece.volume:
        return True
    if closed_volume(piece.points, piece.triangles) is None:
        return False
    return piece.hull_volume <= piece.volume * (1.0 + Plan.threshold)


def has_shape(body: Any, children: Children) -> bool:
    """Whether a body has a collider or a trigger, on it or below it."""
    parts = map(groups.of_object, with_below(body, children, is_no_body))
    return any(part.use_collider or part.use_trigger for part in parts)


def make_bodies(
    depsgraph: bpy.types.Depsgraph,
    wanted: Mapping[Any, str],
    colliders: bool = True,
    within: bool = False,
) -> Outcome:
    """Make objects bodies of a type, with colliders where they have no shape yet.

    Args:
        wanted: objects, each with its type.
        within: whether colliders are to be no longer than what they are fitted to.
    """
    for obj, kind in wanted.items():
        group = groups.of_object(obj)
        group.use_motion = True
        group.motion.type = kind
    found = fit_missing(depsgraph, wanted, within) if colliders else Outcome()
    for obj in wanted:
        obj.update_tag(refresh={"OBJECT", "DATA"})
    return found
