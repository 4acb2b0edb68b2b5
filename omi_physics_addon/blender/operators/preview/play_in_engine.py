"""Plays the scene in an engine, and installs the importer of physics into its projects."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, Final

import bpy

from ....engines import PLAYER
from ...base import groups, preferences, report_window
from ...preview import player
from ..chosen_objects import done, failed, refuse
from ..inspect_file import ExportsScene

_FOLDER: Final = "omi_physics_engine"  # Below the temporary files of Blender.
_FILE: Final = "scene.glb"
# The program that plays, and the name of the scene that it plays.
_playing: list[tuple[subprocess.Popen[bytes], str]] = []


class OMIPHYSICS_OT_play_in_engine(ExportsScene, bpy.types.Operator):
    """Exports the scene and plays it in an engine."""

    bl_idname = "scene.omi_physics_play_in_engine"
    bl_label = f"Play in {PLAYER.name}"
    bl_description = PLAYER.text
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Export, and start the engine unless it plays this scene."""
        scene: Any = context.scene
        preferred = preferences.of_artist()
        chosen = "" if preferred is None else bpy.path.abspath(preferred.engine_program)
        program = PLAYER.find(chosen)
        if program is None:
            name = PLAYER.name
            where = f"No {name} at {chosen}" if chosen else f"{name} was not found"
            return refuse(self, PLAYER.missing, where=where)
        try:
            if not PLAYER.is_new_enough(program):
                return refuse(self, PLAYER.too_old, path=str(program))
            project = _project(scene)
            file = export(scene)
            if is_playing(scene):
                return done(self, "{name} plays the scene again", name=PLAYER.name)
            _restart(PLAYER.command(program, project, file), scene)
        except (ValueError, RuntimeError, OSError) as problem:
            return failed(self, problem)
        return done(self, "{name} plays the scene", name=PLAYER.name)


class OMIPHYSICS_OT_install_importer(bpy.types.Operator):
    """Copies the importer into a project of an engine."""

    bl_idname = "scene.omi_physics_install_importer"
    bl_label = PLAYER.install
    bl_description = PLAYER.install_text
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    directory: bpy.props.StringProperty(  # pyright: ignore[reportInvalidTypeForm]
        name="Project", description=f"Folder with {PLAYER.project}", subtype="DIR_PATH"
    )
    filter_folder: bpy.props.BoolProperty(  # pyright: ignore[reportInvalidTypeForm]
        default=True, options={"HIDDEN", "SKIP_SAVE"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a window to ask in, or nobody who is asked."""
        return bpy.app.background or context.window is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Ask for the folder."""
        scene: Any = context.scene
        self.directory = groups.of_scene(scene).preview.engine_project or self.directory
        manager: Any = context.window_manager
        manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Copy and enable it."""
        me: Any = self
        project = Path(bpy.path.abspath(me.directory))
        try:
            PLAYER.install_into(project)
        except (ValueError, OSError) as problem:
            return failed(self, problem)
        return done(self, "The importer is in {project}", project=project.name or str(project))


def export(scene: Any) -> Path:
    """Write the scene for the importer, whatever is wrong with it, and give the file.

    Raises:
        RuntimeError: nothing was written; the message says why.
    """
    from ...scripting import export_gltf

    folder = Path(bpy.app.tempdir) / _FOLDER
    folder.mkdir(exist_ok=True)
    # The engine reads the file whenever it changes, so it changes all at once.
    written = folder / f"next_{_FILE}"
    export_gltf(written, target=PLAYER.target, allow_errors=True)
    report_window.unregister()  # Who plays does not ask for the report.
    return written.replace(folder / _FILE)


def is_playing(scene: Any) -> bool:
    """Whether a program plays this scene."""
    _playing[:] = [each for each in _playing if each[0].poll() is None]
    return any(name == scene.name for _, name in _playing)


def _project(scene: Any) -> Path:
    """The project of the scene, with the importer; one among the temporary files where it has none.

    Raises:
        ValueError, OSError: as `Player.install_into`.
    """
    chosen = groups.of_scene(scene).preview.engine_project
    if chosen:
        project = Path(bpy.path.abspath(chosen))
        PLAYER.install_into(project)
        return project
    project = Path(bpy.app.tempdir) / _FOLDER / "project"
    PLAYER.make(project)
    return project


def _restart(command: list[str], scene: Any) -> None:
    """Play a scene, and no other: what still plays is ended."""
    for process, _ in _playing:
        process.terminate()
    _playing[:] = [(subprocess.Popen(command, env=dict(os.environ)), scene.name)]


@bpy.app.handlers.persistent
def _after_save(*_args: Any) -> None:
    scene: Any = groups.current_scene()
    if not (groups.of_scene(scene).preview.engine_live and is_playing(scene)):
        return
    try:
        export(scene)
    except (RuntimeError, OSError) as problem:  # The file is saved; the panel says the rest.
        player.message = f"{PLAYER.name} does not show this save: {problem}"


def register() -> None:
    """Watch for saves."""
    bpy.app.handlers.save_post.append(_after_save)


def unregister() -> None:
    """Undo `register`, and end the program that plays."""
    bpy.app.handlers.save_post.remove(_after_save)
    for process, _ in _playing:
        process.terminate()
    _playing.clear()
