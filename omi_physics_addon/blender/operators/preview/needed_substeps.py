"""Gives a preview as many substeps as it needs."""

from __future__ import annotations

from typing import Any

import bpy

from ...base import groups
from ...preview import player
from ...properties.choices import NeededSubsteps
from ..chosen_objects import done, message
from .preview import options_of


class OMIPHYSICS_OT_preview_set_substeps(NeededSubsteps, bpy.types.Operator):
    """Sets the substeps of the preview, and checks it again."""

    bl_idname = "scene.omi_physics_preview_set_substeps"
    bl_label = "Set Substeps"
    bl_description = "Let the preview take as many substeps as this needs, and check it again"
    bl_options: Any = {"REGISTER", "UNDO"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether no preview runs."""
        if player.running() is not None:
            message(cls, "Stop the preview first")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Set them; the list for the panel is made anew."""
        from ...preview import limitations  # Which read the whole scene.

        scene: Any = context.scene
        me: Any = self
        groups.of_scene(scene).preview.substeps = me.substeps
        found = limitations.of_scene(scene, options_of(scene))
        player.keep_limitations(scene.name, found)
        return done(self, "The preview takes {count} substeps", count=me.substeps)


CLASSES = (OMIPHYSICS_OT_preview_set_substeps,)
