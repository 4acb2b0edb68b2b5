"""Fits shapes again, as they were fitted, where their mesh has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, cast

import bpy

from ....issue_codes import Code
from ....issues import Issues
from ...base import groups, mesh_arrays
from ...base.hierarchy import Children
from .. import fitted_objects
from ..fit_destinations import Outcome, Plan, fit_object
from ..fit_sources import Sources, TooManyPartsError, fingerprint, is_of, surfaces_in

Plans = dict[str, tuple[Plan, dict[str, Any]]]  # By part, how it was fitted and what is kept.
_PARTS: Final = ("COLLIDER", "TRIGGER", "GRAVITY")


@dataclass
class Refitted:
    """What came of fitting again.

    Attributes:
        objects: that got other shapes.
        same: how many still fit.
        by_hand: objects whose shapes were changed by hand since, and were left.
        lost: how many show nothing to fit to any more.
    """

    objects: list[Any] = field(default_factory=list[Any])
    same: int = 0
    by_hand: list[Any] = field(default_factory=list[Any])
    lost: int = 0


def refit(objects: Iterable[Any], depsgraph: bpy.types.Depsgraph, outcome: Outcome) -> Refitted:
    """Fit shapes again, as they were fitted, where the mesh is another one now.

    Args:
        outcome: gets what came of all fits.
    """
    result, useless = Refitted(), list[tuple[str, list[Any]]]()
    wanted = {obj: _plans(obj) for obj in objects}
    sources = _sources(wanted.values(), depsgraph)
    children = sources.children
    outcomes: dict[Plan, Outcome] = {}  # What is known of a piece is for one plan.
    for obj, plans in wanted.items():
        changed = by_hand = False
        for part, (plan, recipe) in plans.items():
            try:
                found = sources.pieces(obj, plan.source, part, plan.mesh_state)
                if not found or is_of(recipe["mesh"], found):
                    result.same += bool(found)
                    result.lost += not found
                elif _is_by_hand(obj, part, recipe, children):
                    by_hand = True
                else:
                    old = fitted_objects.below(obj, part, children)
                    own = outcomes.setdefault(plan, Outcome())
                    useless.append((part, fit_object(obj, found, old, plan, own)))
                    changed = True
            except TooManyPartsError:
                result.lost += 1
        result.objects += [obj] if changed else []
        result.by_hand += [obj] if by_hand else []
    for part in _PARTS:
        parts = [each for name, those in useless if name == part for each in those]
        outcome.kept += fitted_objects.remove_unchanged(parts, part)
    for own in outcomes.values():
        outcome.include(own)
    outcome.remove_dropped()
    return result


def outdated(objects: Iterable[Any], sources: Sources) -> list[Any]:
    """Objects with a shape that a fit made of another mesh than they show now."""
    found: list[Any] = []
    for obj in objects:
        for part, (plan, recipe) in _plans(obj).items():
            try:
                pieces = sources.pieces(obj, plan.source, part, plan.mesh_state)
            except TooManyPartsError:
                continue
            is_other = bool(pieces) and not is_of(recipe["mesh"], pieces)
            if is_other and not _is_by_hand(obj, part, recipe, sources.children):
                found.append(obj)
                break
    return found


@dataclass(frozen=True)
class Standing:
    """A fit that nobody has changed by hand.

    Attributes:
        obj, part: whose shape.
        plan: how it was fitted.
        recipe: what is kept of it.
        fits: whether the mesh is still what the shape was fitted to.
    """

    obj: Any
    part: str
    plan: Plan
    recipe: dict[str, Any]
    fits: bool


def standing(objects: Iterable[Any], children: Children) -> list[Standing]:
    """The fits of objects whose meshes and shapes are about to become others together."""
    wanted = [obj for obj in objects if _recipe(obj)]
    sources = Sources(bpy.context.evaluated_depsgraph_get(), children) if wanted else None
    return [
        Standing(
            obj, part, plan, recipe, recipe["mesh"] == _mesh_of(sources, obj, part, plan, recipe)
        )
        for obj in wanted
        for part, (plan, recipe) in _plans(obj).items()
        if not _is_by_hand(obj, part, recipe, children)
    ]


def keep_standing(
    fits: Sequence[Standing], children: Children, scales: Mapping[Any, float]
) -> None:
    """Let fits be those of what their objects are now, so that they still follow the mesh.

    Args:
        scales: by how much objects are larger in their own units than before.
    """
    sources = Sources(bpy.context.evaluated_depsgraph_get(), children) if fits else None
    for each in fits:
        plan = {**each.recipe["plan"], "margin": each.plan.margin * scales.get(each.obj, 1.0)}
        known = (each.obj, each.part, each.plan, each.recipe)
        mesh = _mesh_of(sources, *known) if each.fits else ""
        is_own = each.recipe["form"] is not None
        fitted_objects.remember(each.obj, each.part, plan, mesh, is_own)


def _mesh_of(sources: Any, obj: Any, part: str, plan: Plan, recipe: dict[str, Any]) -> str:
    """The fingerprint of what a shape would be fitted to; empty where that is too much."""
    try:
        pieces = sources.pieces(obj, plan.source, part, plan.mesh_state)
        return fingerprint(pieces, surfaces_in(recipe["mesh"]))
    except TooManyPartsError:
        return ""


def note_outdated(objects: list[Any], issues: Issues) -> None:
    """Note the objects of a view layer that `outdated` finds; others are not evaluated."""
    shown = {obj for obj in cast(Any, bpy.context).view_layer.objects if _recipe(obj)}
    wanted = [obj for obj in objects if obj in shown]
    if not wanted:
        return
    sources = _sources(map(_plans, wanted), bpy.context.evaluated_depsgraph_get())
    for obj in outdated(wanted, sources):
        why = (
            "the mesh has changed since its shape was fitted, so the shape may not match; "
            "refit the shape"
        )
        issues.add(Code.SHAPE_OUTDATED, obj.name, why)


def _recipe(obj: Any) -> str:
    return str(groups.read(obj).fit_recipe)


def _sources(plans: Iterable[Plans], depsgraph: bpy.types.Depsgraph) -> Sources:
    """What shapes are fitted to, with what is below objects where that matters for any of them.

    For that Blender looks through all that there are.
    """
    needs = any(
        plan.source == "CHILDREN" or recipe["form"] is None
        for each in plans
        for plan, recipe in each.values()
    )
    return Sources(depsgraph, mesh_arrays.children_of_all() if needs else {})


def _plans(obj: Any) -> Plans:
    """How each part that the object still has was fitted."""
    names = {each.name for each in fields(Plan)}
    found: Plans = {}
    for part, recipe in fitted_objects.recipes(obj).items():
        if part not in _PARTS or not (recipe["form"] is None or fitted_objects.has_part(obj, part)):
            continue
        values = {name: value for name, value in recipe["plan"].items() if name in names}
        found[part] = Plan(**values), recipe
    return found


def _is_by_hand(obj: Any, part: str, recipe: dict[str, Any], children: Children) -> bool:
    form = recipe["form"]
    if form is not None:
        return form != fitted_objects.own_form(obj, part)
    below = fitted_objects.below(obj, part, children)
    return any(fitted_objects.is_reshaped(each, part) for each in below)
