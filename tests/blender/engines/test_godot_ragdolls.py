"""What is seen of ragdolls in Godot, as its editor imports them: GODOT, or `godot` on PATH."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.engines import godot_projects as reader
from tests.blender.engines import test_godot
from tests.blender.operators.rigging.test_make_ragdoll import RAGDOLL, named, update
from tests.blender.operators.test_bodies import run, select
from tests.blender.support.scenes import add, cube_mesh
from tests.blender.support.skeletons import skeleton
from tools import environment, programs
from tools.engines import godot_projects

HEAD = "DEF-spine.006"
# Says where the head's bone, its body and the mesh on it are after a second of falling.
ASK = """
extends SceneTree

func _initialize() -> void:
	for name in ["ragdoll", "following"]:
		var scene: Node3D = load("res://ragdoll.gltf").instantiate()
		scene.name = name
		if name == "following":
			scene.set_script(load("res://follow.gd"))
		root.add_child(scene)

func _process(_delta: float) -> bool:
	if Engine.get_physics_frames() < 60:
		return false
	var said := {}
	for scene in root.get_children():
		var heights := {}
		for skeleton in scene.find_children("*", "Skeleton3D", true, false):
			for at in skeleton.get_bone_count():
				if skeleton.get_bone_name(at).contains("006"):
					var pose: Transform3D = skeleton.get_bone_global_pose(at)
					heights["bone"] = (skeleton.global_transform * pose).origin.y
		for looked_for in [["RigidBody3D", "*006*"], ["MeshInstance3D", "Hat*"]]:
			for node in scene.find_children(looked_for[1], looked_for[0], true, false):
				heights[looked_for[0]] = node.global_position.y
		said[scene.name] = heights
	var file := FileAccess.open("res://said.json", FileAccess.WRITE)
	file.store_string(JSON.stringify(said))
	file.close()
	return true
"""


@pytest.fixture
def godot() -> list[str]:
    command = test_godot.find_godot()
    if command is None:
        pytest.skip("no Godot here: set GODOT to its command, or put godot on PATH")
    return command


def said(godot: list[str], folder: Path, target: str = "GODOT_4") -> dict[str, dict[str, float]]:
    """Heights after a second, without the script of the manual and with it."""
    bpy.context.scene.omi_physics.export.target = target
    bpy.ops.export_scene.gltf(filepath=str(folder / "ragdoll.gltf"), export_format="GLTF_SEPARATE")
    shutil.copy(test_godot.PROJECT / "project.godot", folder)
    if target == "GODOT_READER":
        reader.install(folder)
    manual = (environment.ROOT / "docs" / "rigging.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```gdscript\n(.*?)```", manual, re.DOTALL)
    (folder / "follow.gd").write_text(script, encoding="utf-8")
    (folder / "ask.gd").write_text(ASK, encoding="utf-8")
    command = [*godot, "--headless", "--audio-driver", "Dummy", "--path", str(folder)]
    for arguments in (["--import"], ["--fixed-fps", "60", "--script", "ask.gd"]):
        programs.run([*command, *arguments], folder, godot_projects.homes(folder))
    found: dict[str, Any] = json.loads((folder / "said.json").read_text(encoding="utf-8"))
    return found


def hat(rig: Any) -> None:
    """A mesh that only the head carries."""
    obj = add("Hat", cube_mesh("Hat"))
    obj.parent, obj.parent_type, obj.parent_bone = rig, "BONE", HEAD
    update()


def test_the_skin_stands_still_unless_the_script_of_the_manual_moves_it(
    godot: list[str], tmp_path: Path
) -> None:
    select(skeleton("rigify"))
    assert run(RAGDOLL) == {"FINISHED"}
    found = said(godot, tmp_path)
    plain, following = found["ragdoll"], found["following"]
    assert plain["bone"] == pytest.approx(1.53, abs=0.01)
    assert plain["RigidBody3D"] < 0.0  # There is no floor.
    assert following["RigidBody3D"] < 0.0
    assert following["bone"] == pytest.approx(following["RigidBody3D"], abs=0.3)  # One frame.


def test_the_skin_falls_with_our_importer(godot: list[str], tmp_path: Path) -> None:
    select(skeleton("rigify"))
    assert run(RAGDOLL) == {"FINISHED"}
    found = said(godot, tmp_path, "GODOT_READER")["ragdoll"]
    assert found["RigidBody3D"] < 0.0  # There is no floor.
    assert found["bone"] == pytest.approx(found["RigidBody3D"], abs=0.3)  # One frame.


def test_meshes_on_bones_fall_with_their_bodies(godot: list[str], tmp_path: Path) -> None:
    rig = skeleton("rigify")
    bpy.data.objects.remove(named("Skin"))
    hat(rig)
    start = named("Hat").matrix_world.translation.z
    select(rig)
    assert run(RAGDOLL, smallest=0.0) == {"FINISHED"}
    found = said(godot, tmp_path)["ragdoll"]
    assert "bone" not in found
    assert found["RigidBody3D"] < 0.0
    assert found["MeshInstance3D"] < start - 1.5
