"""Gives a preview as many substeps as it needs."""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from ...preview import player
from ...properties.choices import NeededSubsteps
from ..chosen_objects import Undoable, done
from .preview import options_of
from .watching import WithoutPreview


class OMIPHYSICS_OT_preview_set_substeps(
    WithoutPreview, NeededSubsteps, Undoable, bpy.types.Operator
):
    """Sets the substeps of the preview, and checks it again."""

    bl_idname = "scene.omi_physics_preview_set_substeps"
    bl_label = "Set Substeps"
    bl_description = "Set the substeps that the preview needs, and check again"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Set them; the list for the panel is made anew."""
        from ...preview import limitations  # Which read the whole scene.

        scene: Any = context.scene
        me: Any = self
        groups.of_scene(scene).preview.substeps = me.substeps
        found = limitations.of_scene(scene, options_of(scene))
        player.keep_limitations(scene.name, found)
        return done(self, "The preview uses {count} substeps", count=me.substeps)
