"""Imports robots, by way of a glTF that is thrown away."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import bpy
from bpy_extras.io_utils import ImportHelper

from ....formats.table import SUFFIXES, FormatError
from ..chosen_objects import Undoable, failed, finished

_FileSelector: Any = ImportHelper  # The stubs have it differ from operators.


class OMIPHYSICS_OT_import_robot(_FileSelector, Undoable, bpy.types.Operator):
    """Reads a robot with its links, joints and meshes."""

    bl_idname = "scene.omi_physics_import_robot"
    bl_label = "Import Robot"
    bl_description = "Import a robot from a URDF or USD file: links, colliders, joints and meshes"
    filename_ext = ".urdf"

    filter_glob: bpy.props.StringProperty(  # pyright: ignore[reportInvalidTypeForm]
        default=";".join(f"*{each}" for each in SUFFIXES), options={"HIDDEN"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a glTF can be imported."""
        importer: Any = bpy.ops.import_scene.gltf
        return importer.poll()

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Read the robot and report what glTF cannot say of it."""
        from ....codec.gltf import containers
        from ....formats import files
        from ....issues import Issues
        from ...scripting import import_gltf

        path, issues = Path(bpy.path.abspath(self.filepath)), Issues()
        try:
            container = files.read(path, issues)
            with tempfile.TemporaryDirectory(dir=bpy.app.tempdir) as folder:
                gltf = Path(folder) / "robot.glb"
                gltf.write_bytes(containers.write(container, container.json))
                report = import_gltf(gltf)
        except (FormatError, RuntimeError, OSError) as problem:
            return failed(self, problem)
        report.file = path.name
        report.issues.found[:0] = issues
        report.number += 1
        return finished(self, report.headline(), warns=report.is_alarming())
