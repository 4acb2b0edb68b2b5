"""Fits the shapes of colliders, triggers and gravity to what their objects show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import bpy

from ..base import groups, mesh_arrays
from ..base.mesh_arrays import MESHLIKE
from ..properties import choices, fits
from .chosen_objects import (
    NOTHING_SELECTED,
    Undoable,
    can_change,
    counted,
    finished,
    has_targets,
    leave_edit_mode_data,
    pgettext_rpt,
    refuse,
    split,
    targets,
    unavailable,
)

if TYPE_CHECKING:
    from ..authoring.fit_destinations import Outcome, Plan

_FITTED: Final = {
    "BOX": ("{count} box", "{count} boxes"),
    "SPHERE": ("{count} sphere", "{count} spheres"),
    "CAPSULE": ("{count} capsule", "{count} capsules"),
    "CYLINDER": ("{count} cylinder", "{count} cylinders"),
    "CONVEX": ("{count} convex hull", "{count} convex hulls"),
    "TRIMESH": ("{count} trimesh", "{count} trimeshes"),
}
_NOTHING: Final = "Nothing fitted: select objects with vertices that have the part to fit"
_NOTHING_IN_EDIT: Final = "Nothing fitted: select vertices in Edit Mode"
_ONE_SHAPE: Final = "Gravity has one shape; choose a source and a type that give one"
_WHERE: Final = {"PARTS": "to the loose parts", "MATERIALS": "to the faces of the materials"}
SIMPLEST_OPTIONS: Final = (
    *("source", "mesh_state", "one_more", "margin", "planes", "use_budget", "budget", "hold_all"),
)

Children = Mapping[Any, Sequence[Any]]


class _Fits(Undoable):
    """An operator that fits shapes to the selected objects."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an object could have vertices; others are skipped."""
        if not has_targets(context):
            return unavailable(cls, NOTHING_SELECTED)
        shown = context.object
        if len(context.selected_editable_objects) > 1 or shown is None or shown.type in MESHLIKE:
            return True
        if shown.children:  # With Children may find some.
            return True
        if shown.parent and _has_part(shown, "GRAVITY"):  # Its shape is that of what is above.
            return True
        return unavailable(cls, "The object has no vertices to fit a shape to")

    def _run(self, context: bpy.types.Context, plan: Plan) -> set[Any]:
        from ..authoring import fitted_objects
        from ..authoring.fit_destinations import Outcome, fit_object
        from ..authoring.fit_sources import SPLITTING, Sources, TooManyPartsError

        chosen: Any = self
        if plan.part == "GRAVITY" and (plan.source in SPLITTING or plan.kind == "VOXEL"):
            return refuse(chosen, _ONE_SHAPE)
        objects = _objects(context, plan.source)
        leave_edit_mode_data(objects)
        children = mesh_arrays.children_of_all()
        sources = Sources(context.evaluated_depsgraph_get(), children)
        outcome, useless, fitted = Outcome(), list[Any](), 0
        too_many: list[str] = []
        why = ""
        for obj in objects:
            old = fitted_objects.below(obj, plan.part, children)
            adds = chosen.add_missing and plan.part != "GRAVITY"
            if not (_has_part(obj, plan.part) or old or adds):
                continue
            try:
                found = sources.pieces(obj, plan.source, plan.part, plan.mesh_state)
                if found:
                    useless += fit_object(obj, found, old, plan, outcome)
                    fitted += 1
            except TooManyPartsError as problem:
                too_many.append(obj.name)
                why = str(problem)
        outcome.kept = fitted_objects.remove_unchanged(useless, plan.part)
        outcome.remove_dropped()
        if too_many:  # What was fitted before stays, so that undo knows of it.
            refuse(chosen, why, name=too_many[0])
            if not fitted:
                return {"CANCELLED"}
        if not fitted:
            return refuse(chosen, _NOTHING_IN_EDIT if plan.source == "SELECTION" else _NOTHING)
        where = _WHERE.get(plan.source, "")
        text = sentence(outcome, fitted, len(objects) - fitted, where)
        if outcome.misses:
            text += "; " + _miss_text(outcome, plan.threshold)
        return finished(chosen, text, warns=outcome.misses)


def _objects(context: bpy.types.Context, source: str) -> list[Any]:
    """The selection; in Edit Mode also objects that are edited without being selected."""
    objects = targets(context)
    if source == "SELECTION":
        edited: Any = context.objects_in_mode
        objects += [o for o in edited or () if o not in objects and can_change(o)]
    return objects


def _has_part(obj: Any, part: str) -> bool:
    group = groups.of_object(obj)
    if part == "GRAVITY" and group.gravity.type != "SHAPED":
        return False
    return bool(getattr(group, f"use_{part.lower()}"))


def shapes_in_words(outcome: Outcome, threshold: float) -> str:
    """What was fitted, and how near it is, as a part of a longer sentence."""
    text = pgettext_rpt("fitted {shapes}").format(shapes=_counts(outcome))
    text += error_text(outcome.errors)
    return f"{text}; {_miss_text(outcome, threshold)}" if outcome.misses else text


def _counts(outcome: Outcome) -> str:
    return ", ".join(
        pgettext_rpt(_FITTED[kind][count != 1]).format(count=count)
        for kind, count in outcome.kinds.items()
    )


def sentence(outcome: Outcome, objects: int, skipped: int, where: str = "") -> str:
    """What was fitted, in words.

    Args:
        where: to what, in English, where there are more shapes than objects.
    """
    text = pgettext_rpt("Fitted {shapes}").format(shapes=_counts(outcome))
    if where and sum(outcome.kinds.values()) > objects > 0:
        text += " " + pgettext_rpt(where)
    text += error_text(outcome.errors)
    if outcome.beyond > 0.0 and outcome.beyond >= 1e-5:
        text += "; " + pgettext_rpt("vertices stick out by {length:.3g} m").format(
            length=outcome.beyond
        )
    text += kept_text(outcome.kept)
    if skipped:
        rest = pgettext_rpt("{count} skipped, because they have no vertices or not the part to fit")
        text += "; " + rest.format(count=skipped)
    return text


def kept_text(count: int) -> str:
    """How many parts of an earlier fit stay as the artist made them."""
    if not count:
        return ""
    one, many = "{count} part edited by hand was kept", "{count} parts edited by hand were kept"
    return "; " + counted(one, many, count)


def error_text(errors: Sequence[float]) -> str:
    """By how much the shapes are larger than their meshes."""
    if not errors:
        return ""
    low, high = percent(min(errors)), percent(max(errors))
    if low == high and min(errors) < -5e-4:
        text = pgettext_rpt("{share} smaller than the mesh")
        return ", " + text.format(share=low.removeprefix("-"))
    if low == high:
        return ", " + pgettext_rpt("{share} larger than the mesh").format(share=low)
    return ", " + pgettext_rpt("{low} to {high} larger than the meshes").format(low=low, high=high)


def _miss_text(outcome: Outcome, threshold: float) -> str:
    """That nothing simple was near enough, and how near the best came."""
    low, high = percent(min(outcome.misses)), percent(max(outcome.misses))
    what = "none is within the tolerance of {tolerance}"
    if sum(outcome.kinds.values()) > 1:
        what = "for {count} none is within the tolerance of {tolerance}"
    tolerance = f"{100.0 * threshold:g} %"
    text = pgettext_rpt(what).format(count=len(outcome.misses), tolerance=tolerance)
    best = "the best is {low} larger" if low == high else "the best are {low} to {high} larger"
    return f"{text}, {pgettext_rpt(best).format(low=low, high=high)}"


def percent(share: float) -> str:
    """A share with two or three digits."""
    value = 100.0 * share
    if abs(value) < 0.05:
        return "0 %"
    return f"{value:.1f} %" if abs(value) < 100.0 else f"{value:.0f} %"


class OMIPHYSICS_OT_fit_shape(
    choices.FittedShape,
    choices.FittedPart,
    fits.FitOptions,
    fits.AddMissing,
    _Fits,
    bpy.types.Operator,
):
    """Fits shapes to the vertices of the selected objects."""

    bl_idname = "object.omi_physics_fit_shape"
    bl_label = "Fit Shape"
    bl_description = (
        "Fit the shapes of the selected objects tightly to their vertices, with modifiers"
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Show options only where they say something."""
        layout = split(self.layout)
        layout.prop(self, "type")
        draw_common(layout, self)
        draw_options(layout, self, {str(getattr(self, "type"))})  # noqa: B009 - From a mixin.

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Objects without vertices or without the part are skipped and counted."""
        from ..authoring.fit_destinations import Plan

        chosen: Any = self
        names = ("part", "along", *fits.FIT_OPTIONS)
        values = {name: getattr(chosen, name) for name in names}
        return self._run(context, Plan(kind=chosen.type, **values))


class OMIPHYSICS_OT_fit_simplest(
    choices.FittedPart,
    fits.FitOptions,
    fits.FitThreshold,
    fits.AddMissing,
    _Fits,
    bpy.types.Operator,
):
    """Fits the simplest shapes that are near enough."""

    bl_idname = "object.omi_physics_fit_simplest"
    bl_label = "Fit Simplest Shape"
    bl_description = (
        "Fit the simplest close shape to each selected object: sphere, box, capsule or "
        "cylinder, also rotated or tapered, or the convex hull"
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Show what is asked for, and the options of the hull it may become."""
        layout = split(self.layout)
        layout.prop(self, "threshold")
        draw_common(layout, self)
        draw_options(layout, self, {"CONVEX"})

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Each object gets its own."""
        from ..authoring.fit_destinations import Plan

        chosen: Any = self
        values = {name: getattr(chosen, name) for name in ("part", *SIMPLEST_OPTIONS)}
        return self._run(
            context, Plan(kind="SIMPLEST", threshold=chosen.threshold / 100.0, **values)
        )


def draw_common(layout: Any, options: Any) -> None:
    """Draw whose shape is fitted, and to what."""
    layout.prop(options, "part")
    layout.prop(options, "source")
    if options.source == "SELECTION" and options.part != "GRAVITY":
        layout.prop(options, "one_more")
    if hasattr(options, "add_missing"):
        layout.prop(options, "add_missing")


def draw_options(layout: Any, options: Any, kinds: set[str]) -> None:
    """Draw what applies to any of some types of shapes."""
    if options.source != "SELECTION":  # Which has no modifiers.
        layout.prop(options, "mesh_state")
    is_round = bool(kinds & {"CAPSULE", "CYLINDER"})
    if is_round or "BOX" in kinds:
        layout.prop(options, "orientation")
    if is_round:
        if options.orientation == "OBJECT":
            layout.prop(options, "along")
        layout.prop(options, "taper")
    if kinds != {"TRIMESH"}:
        layout.prop(options, "margin")
    if "CONVEX" in kinds:
        _draw_hull(layout.column(heading="Convex"), options)
    if "VOXEL" in kinds:
        column = layout.column(heading="Voxels")
        column.prop(options, "cells")
        column.prop(options, "hold_all")
    if "TRIMESH" in kinds:
        column = layout.column(heading="Trimesh")
        column.prop(options, "use_triangles")
        if options.use_triangles:
            column.prop(options, "triangles")


def _draw_hull(column: Any, options: Any) -> None:
    column.prop(options, "planes")
    if options.planes != "ANY":
        return
    column.prop(options, "use_budget")
    if options.use_budget:
        column.prop(options, "budget")
        column.prop(options, "hold_all")
