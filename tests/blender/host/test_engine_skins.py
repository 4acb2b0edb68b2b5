"""Armatures whose bones are bodies, written for Godot: told with a skin, and without none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.operators.rigging.test_make_ragdoll import facts, made, named, update


def exported(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """The file for Godot, and what its export tells of skeletons."""
    settings = bpy.context.scene.omi_physics.export
    settings.target = "GODOT_4"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    told = [i for i in reports.latest("EXPORT").issues if i.code == "X69"]
    return json.loads(path.read_text()), told


@pytest.mark.parametrize("bare", [False, True])
def test_a_skin_stays_only_where_it_bends_a_mesh_and_comes_back(bare: bool, tmp_path: Path) -> None:
    made("rigify", is_bare=bare)
    before = facts()
    written, told = exported(tmp_path / "ragdoll.gltf")
    assert [issue.pointer for issue in told] == ([] if bare else ["Rig"])
    assert ("skins" in written) is not bare
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "ragdoll.gltf"))
    update()
    after = facts()
    assert before.keys() == after.keys()
    assert len(named("Rig").data.bones) == 26
    assert any(obj.find_armature() for obj in bpy.data.objects) is not bare
    again, _ = exported(tmp_path / "again.gltf")
    assert ("skins" in again) is not bare
