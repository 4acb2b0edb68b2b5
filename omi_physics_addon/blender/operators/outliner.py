"""What can be done with the rows of the Physics Outliner."""

from __future__ import annotations

from typing import Any

import bpy

from ..base import scene_outline, selection
from ..properties import choices
from .chosen_objects import Undoable, refuse, report, unavailable


class _OnRow(Undoable):
    """An operator on one row; it changes what is shown and selected, and no data."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a view layer with objects."""
        view_layer: Any = context.view_layer
        if view_layer is not None and view_layer.objects:  # Their number is counted one by one.
            return True
        return unavailable(cls, "The scene has no objects")


class OMIPHYSICS_OT_outliner_select(choices.SelectedRow, _OnRow, bpy.types.Operator):
    """Selects the object of a row."""

    bl_idname = "object.omi_physics_outliner_select"
    bl_label = "Select Object"
    bl_description = (
        "Select the object and make it active; Shift extends the selection, Ctrl also "
        "selects child rows"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Take the keys that are held."""
        self.extend, self.below = event.shift, event.ctrl
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """A selected object that is clicked with Shift stays selected and becomes active."""
        view_layer: Any = context.view_layer
        chosen: Any = self
        obj = scene_outline.find(view_layer, chosen.uid)
        if obj is None:
            return refuse(self, "The object no longer exists")
        if not selection.can_select(view_layer):
            return refuse(self, "Switch to Object Mode first")
        uids = {chosen.uid}
        if chosen.below:
            uids = scene_outline.below(context.scene, view_layer, chosen.uid)
        objects = [obj, *(o for o in view_layer.objects if o.session_uid in uids and o != obj)]
        count = selection.select(view_layer, objects, extend=chosen.extend)
        if not count:
            return refuse(self, "{name} is hidden or not selectable", name=obj.name)
        return report(self, "Selected {count} object", "Selected {count} objects", count)


class OMIPHYSICS_OT_outliner_hide(choices.Row, _OnRow, bpy.types.Operator):
    """Hides the object of a row, or shows it."""

    bl_idname = "object.omi_physics_outliner_hide"
    bl_label = "Hide in Viewport"
    bl_description = "Show or hide the object in the viewport"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Change the eye of the object in this view layer."""
        view_layer: Any = context.view_layer
        chosen: Any = self
        obj = scene_outline.find(view_layer, chosen.uid)
        if obj is None:
            return refuse(self, "The object no longer exists")
        if obj.hide_get(view_layer=view_layer):
            selection.show(view_layer, [obj])
        else:
            obj.hide_set(True, view_layer=view_layer)
        return {"FINISHED"}


class OMIPHYSICS_OT_outliner_fold(choices.Row, _OnRow, bpy.types.Operator):
    """Folds a row, or unfolds it."""

    bl_idname = "object.omi_physics_outliner_fold"
    bl_label = "Fold"
    bl_description = "Expand or collapse the child rows"
    bl_options: Any = {"INTERNAL"}  # noqa: RUF012 - Blender reads it from the class.

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Folding is no change of the file, so it is nothing to undo."""
        chosen: Any = self
        scene_outline.fold({chosen.uid}, not scene_outline.is_folded(chosen.uid))
        return {"FINISHED"}


class OMIPHYSICS_OT_outliner_fold_all(choices.Folding, _OnRow, bpy.types.Operator):
    """Folds all rows, or unfolds them."""

    bl_idname = "object.omi_physics_outliner_fold_all"
    bl_label = "Fold All"
    bl_description = "Expand or collapse all rows"
    bl_options: Any = {"INTERNAL"}  # noqa: RUF012 - Blender reads it from the class.

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """All rows with others below them."""
        chosen: Any = self
        known = scene_outline.get(context.scene, context.view_layer)
        scene_outline.fold(set(known.children) - {0}, chosen.fold)
        return {"FINISHED"}
