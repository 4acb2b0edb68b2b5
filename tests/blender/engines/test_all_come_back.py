"""Files for engines come back as authored: every scene of `engine_cases`, side by side."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from tests.blender.support.engine_cases import CASES
from tests.blender.support.gltf_files import read_glb

TARGETS = {"OMI": "GODOT_4", "KHR": "BABYLON"}


def fill() -> None:
    """Make all scenes in one; what has the name of something else gets a number."""
    for make in CASES.values():
        make()
    bpy.context.scene.omi_physics.export.write_anyway = True
    bpy.context.view_layer.update()


def exported(path: Path, family: str, target: str) -> Path:
    settings = bpy.context.scene.omi_physics.export
    settings.family, settings.target = family, target
    assert bpy.ops.export_scene.gltf(filepath=str(path)) == {"FINISHED"}
    return path


def again(source: Path, path: Path, family: str) -> Path:
    """Import a file into an empty scene, and export it in the specification's form."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(source))
    bpy.context.scene.omi_physics.export.write_anyway = True
    return exported(path, family, "SPECIFICATION")


@pytest.mark.parametrize("family", TARGETS)
def test_what_an_engine_gets_comes_back_as_authored(family: str, tmp_path: Path) -> None:
    fill()
    plain = exported(tmp_path / "plain.glb", family, "SPECIFICATION")
    engine = exported(tmp_path / "engine.glb", family, TARGETS[family])
    assert read_glb(engine)[0] != read_glb(plain)[0]
    wanted, _ = read_glb(again(plain, tmp_path / "plain again.glb", family))
    found, _ = read_glb(again(engine, tmp_path / "engine again.glb", family))
    assert found == wanted
