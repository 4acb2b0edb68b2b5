"""Fits shapes again, as they were fitted, where the mesh has changed since."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ..base import groups
from ..preview import player
from ..properties import fits
from .chosen_objects import (
    NOTHING_SELECTED,
    Undoable,
    can_change,
    counted,
    has_targets,
    leave_edit_mode_data,
    pgettext_rpt,
    refuse,
    targets,
    unavailable,
)

_NONE: Final = "Nothing to refit: the shapes of these objects were not fitted"
_SAME: Final = "All shapes match their meshes"


class OMIPHYSICS_OT_refit(fits.RefitScope, Undoable, bpy.types.Operator):
    """Fits the shapes of objects again."""

    bl_idname = "object.omi_physics_refit"
    bl_label = "Refit"
    bl_description = (
        "Refit shapes whose mesh or modifiers have changed, with the options of the last "
        "fit. Shapes edited by hand are kept"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an object that can be changed."""
        scene: Any = context.scene
        if has_targets(context) or (scene is not None and len(scene.objects)):
            return True
        return unavailable(cls, NOTHING_SELECTED)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Only what changed is fitted."""
        from ..authoring.fit_destinations import Outcome
        from ..authoring.following import refitting

        objects = _objects(context, str(getattr(self, "scope")))  # noqa: B009 - From a mixin.
        objects = [obj for obj in objects if groups.read(obj).fit_recipe]
        if not objects:
            return refuse(self, _NONE)
        leave_edit_mode_data(objects)
        outcome = Outcome()
        found = refitting.refit(objects, context.evaluated_depsgraph_get(), outcome)
        text = _sentence(found, outcome)
        self.report({"WARNING" if found.by_hand or found.lost else "INFO"}, text)
        return {"FINISHED" if found.objects else "CANCELLED"}


def _objects(context: bpy.types.Context, scope: str) -> list[Any]:
    if scope == "SELECTED":
        return targets(context)
    player.hold()
    scene: Any = context.scene
    return [obj for obj in scene.objects if can_change(obj)]


def _sentence(found: Any, outcome: Any) -> str:
    from .fit import sentence

    parts: list[str] = []
    if found.objects:
        parts.append(sentence(outcome, len(found.objects), 0))
    elif not found.by_hand and not found.lost:
        parts.append(pgettext_rpt(_SAME))
    if found.by_hand:
        one, many = "{name} was edited by hand", "{count} objects were edited by hand"
        parts.append(counted(one, many, len(found.by_hand), name=found.by_hand[0].name))
    if found.lost:
        parts.append(pgettext_rpt("{count} have no geometry to fit to").format(count=found.lost))
    return "; ".join(parts)
