"""Records the preview to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy_extras.io_utils import ExportHelper

from ...preview import player
from ...properties import choices
from ..chosen_objects import done, failed, refuse
from .watching import can_play

_FileSelector: Any = ExportHelper  # The stubs have it differ from operators.


class OMIPHYSICS_OT_record(choices.RecordedTime, _FileSelector, bpy.types.Operator):
    """Plays the physics of the scene and writes where the bodies are."""

    bl_idname = "scene.omi_physics_record"
    bl_label = "Record Physics"
    bl_description = (
        "Simulate the physics of the scene and save the motion of all bodies, in glTF axes, "
        "to a .json or .csv file"
    )
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.
    filename_ext = ".json"

    filter_glob: bpy.props.StringProperty(  # pyright: ignore[reportInvalidTypeForm]
        default="*.json;*.csv", options={"HIDDEN"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether no preview runs and there is a scene in object mode."""
        return can_play(cls, context)

    def check(self, context: bpy.types.Context) -> bool:
        """Leave .csv alone; anything else is .json."""
        from ...preview import recorder  # Which only those need who record.

        path = Path(self.filepath)
        if path.suffix.lower() in recorder.SUFFIXES:
            return False
        self.filepath = str(path.with_suffix(".json"))
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Play, write, report."""
        from ...preview import limitations, recorder

        scene: Any = context.scene
        me: Any = self
        path = Path(bpy.path.abspath(me.filepath))
        if path.suffix.lower() not in recorder.SUFFIXES:
            return refuse(self, "The name must end in .json or .csv")
        chosen = recorder.options(me.rate, me.substeps, me.seconds)
        try:
            found = limitations.of_scene(scene, chosen)
            made = recorder.record(scene, chosen, me.seconds)
            recorder.write(path, made, found)
        except (ValueError, RuntimeError, OSError) as error:
            return failed(self, error)
        if found:
            text = "{count} properties are not exact; see Preview > Differences from Export"
            self.report({"WARNING"}, text.format(count=len(found)))
            player.keep_limitations(scene.name, found)
        return done(
            self,
            "Recorded {bodies} bodies in {frames} frames",
            bodies=len(made.recording.names),
            frames=len(made.recording),
        )
