"""Plays the physics of the scene, or of a glTF file, on a page in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ...base import preferences
from ..chosen_objects import done, failed, refuse
from ..inspect_file import ExportsScene, exported

if TYPE_CHECKING:
    from ....files.playing import PlayerPage


class OMIPHYSICS_OT_play_in_browser(ExportsScene, bpy.types.Operator):
    """Makes a page that plays, and opens it."""

    bl_idname = "scene.omi_physics_play_in_browser"
    bl_label = "Play in Browser"
    bl_description = (
        "Export the scene to a temporary page and play its physics in the default browser, "
        "without a network"
    )
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    filepath: bpy.props.StringProperty(  # pyright: ignore[reportInvalidTypeForm]
        name="File",
        description="The glTF file to play; the scene is exported when empty",
        subtype="FILE_PATH",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Export, write the page, open it."""
        from ....files import source

        me: Any = self
        try:
            if me.filepath:
                page, path = write(Path(bpy.path.abspath(me.filepath)))
            else:
                page, path = write_scene()
        except (source.SourceError, OSError, RuntimeError) as problem:
            return failed(self, problem)
        if not bpy.app.background and not webbrowser.open(path.as_uri()):
            return refuse(self, "No browser opened: open {path} yourself", path=path)
        found = page.found
        words = "{name}: {bodies} bodies, {issues} issues"
        return done(
            self, words, name=found.name, bodies=found.cost.bodies, issues=len(found.issues)
        )


def write_scene() -> tuple[PlayerPage, Path]:
    """The page of what an export of the scene would write, and where it is.

    Raises:
        SourceError, OSError: the page cannot be made or written.
        RuntimeError: the export failed.
    """
    with exported() as path:
        return write(path)


def write(path: Path) -> tuple[PlayerPage, Path]:
    """The page of a glTF file, and where it is: the folder of pages, or that of temporary files.

    Raises:
        SourceError: it is no glTF.
        OSError: the page cannot be written.
    """
    from ....files import playing, source

    made = playing.player_page(source.read(path))
    page = preferences.page_path(f"{path.name}.play.html", "omi_physics_player.html")
    page.write_bytes(made.content)
    return made, page
