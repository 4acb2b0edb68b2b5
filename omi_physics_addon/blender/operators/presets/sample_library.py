"""Shows the sample library in the Asset Browser, and takes it out again.

The library stays in the folder of the extension, as a copy elsewhere would not follow upgrades:
these replace what is in the folder, and leave its place as it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import bpy

from ...base.redraws import redraw
from ..chosen_objects import done, unavailable

NAME: Final = "OMI Physics Samples"
FOLDER: Final = Path(__file__).resolve().parents[3] / "library"


def registered(context: bpy.types.Context) -> Any:
    """The library in the preferences, whatever its name is there; None without it."""
    return next((each for each in _libraries(context) if _is_here(each)), None)


def _libraries(context: bpy.types.Context) -> Any:
    preferences: Any = context.preferences
    return preferences.filepaths.asset_libraries


def _is_here(library: Any) -> bool:
    return Path(bpy.path.abspath(library.path)) == FOLDER


class OMIPHYSICS_OT_add_sample_library(bpy.types.Operator):
    """Adds the sample library to the asset libraries of the preferences."""

    bl_idname = "scene.omi_physics_add_sample_library"
    bl_label = "Add Sample Library"
    bl_description = (
        "Show a door, a car, a ragdoll and more, ready to play, in the Asset Browser, "
        "to be dragged into the scene"
    )
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether it is not there yet."""
        if registered(context) is None:
            return True
        return unavailable(cls, "The sample library is in the Asset Browser already")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Add it; one that another install has left is moved here."""
        libraries = _libraries(context)
        library = next((each for each in libraries if each.name == NAME), None)
        if library is None:
            library = libraries.new(name=NAME, directory=str(FOLDER))
        library.path = str(FOLDER)
        library.import_method = "APPEND"  # Others share objects among drags of one asset.
        _tell(context)
        space: Any = context.space_data
        if space is not None and space.type == "FILE_BROWSER":
            params = space.params if space.browse_mode == "ASSETS" else None
            if params is not None:
                params.asset_library_reference = library.name
        return done(self, "{name} is in the Asset Browser", name=library.name)


class OMIPHYSICS_OT_remove_sample_library(bpy.types.Operator):
    """Takes the sample library out of the preferences."""

    bl_idname = "scene.omi_physics_remove_sample_library"
    bl_label = "Remove Sample Library"
    bl_description = "Take the sample library out of the Asset Browser; scenes keep what they have"
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether it is there."""
        return registered(context) is not None or unavailable(cls, "Add the sample library first")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Forget it; its files stay."""
        library = registered(context)
        name = library.name
        _libraries(context).remove(library)
        _tell(context)
        return done(self, "Removed {name} from the Asset Browser", name=name)


def _tell(context: bpy.types.Context) -> None:
    """Have Blender save its preferences, and show the list of libraries anew."""
    preferences: Any = context.preferences
    preferences.is_dirty = True
    redraw("FILE_BROWSER", "PREFERENCES")
