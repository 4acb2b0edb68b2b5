"""Names that Godot's editor reads as commands, in exports from Blender and back."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.support.gltf_files import read_glb
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support.godot_names import WORDS


@pytest.fixture
def settings(_empty_file, _addon) -> Any:
    found = bpy.context.scene.omi_physics.export
    found.family, found.target = "OMI", "GODOT_4"
    return found


def crate(name: str, mesh: Any = None) -> Any:
    obj = add(name, mesh or cube_mesh("Cube"))
    add_body(obj)
    add_collider(obj)
    return obj


def written(path: Any) -> tuple[dict[str, Any], list[str]]:
    """The file, and what the report says of names."""
    bpy.context.view_layer.update()
    bpy.ops.export_scene.gltf(filepath=str(path), export_extras=True)
    told = [i for i in reports.latest("EXPORT").issues if i.code in ("X57", "X68")]
    return read_glb(path)[0], [f"{i.pointer}: {i.message}" for i in told]


def names(gltf: dict[str, Any], kind: str = "nodes") -> set[str]:
    return {item["name"] for item in gltf[kind]}


@pytest.mark.parametrize("word", WORDS)
def test_a_body_is_written_so_that_its_name_is_none(settings, tmp_path, word):
    crate(f"X-{word}")
    gltf, told = written(tmp_path / "out.glb")
    acts = word in ("noimp", "vehicle", "wheel")  # On bodies; the others need a mesh.
    assert names(gltf) == {f"X {word}" if acts else f"X-{word}", f"X-{word} Mesh"}
    assert len(told) == acts
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "out.glb"))
    assert [obj.name for obj in bpy.data.objects if obj.omi_physics.use_motion] == [f"X-{word}"]


def test_the_child_that_shows_a_mesh_has_a_name_that_is_none(settings, tmp_path):
    obj = crate("Crate")
    obj.omi_physics.mesh_node_name = "Wall-colonly"
    gltf, told = written(tmp_path / "out.glb")
    assert names(gltf) == {"Crate", "Wall colonly"}
    assert len(told) == 1


def test_meshes_and_animations_come_back(settings, tmp_path):
    lift = crate("Lift_wheel", cube_mesh("Lift-col"))
    lift.omi_physics.motion.type = "KINEMATIC"
    lift.keyframe_insert("location", frame=1)
    lift.location.z = 1.0
    lift.keyframe_insert("location", frame=20)
    lift.animation_data.action.name = "Up-loop"
    gltf, told = written(tmp_path / "out.glb")
    assert "Lift wheel" in names(gltf)
    assert names(gltf, "meshes") == {"Lift col"}
    assert names(gltf, "animations") == {"(Up-loop)"}
    assert [line.partition(":")[0] for line in told] == ["Lift_wheel", "Lift-col", "Up-loop"]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "out.glb"))
    (back,) = (obj for obj in bpy.data.objects if obj.omi_physics.use_motion)
    assert (back.name, back.data.name) == ("Lift_wheel", "Lift-col")
    assert back.animation_data.action.name.startswith("Up-loop")


def test_wishes_of_the_artist_stay(settings, tmp_path):
    crate("Crate")
    add("Wall-col", cube_mesh("Wall-convcol"))
    add("Sun_vehicle")
    gltf, told = written(tmp_path / "out.glb")
    assert {"Wall-col", "Sun_vehicle"} <= names(gltf)
    assert "Wall-convcol" in names(gltf, "meshes")
    assert told == []


def test_the_specification_keeps_them_and_says_how_many(settings, tmp_path):
    settings.target = "SPECIFICATION"
    crate("A-wheel")
    crate("B", cube_mesh("B-col"))
    gltf, told = written(tmp_path / "out.glb")
    assert {"A-wheel", "B"} <= names(gltf)
    assert told == ["export: Godot 4 interprets 2 objects differently; choose Target: Godot 4"]


def test_physics_by_names_stays(settings, tmp_path):
    settings.names = "GODOT"
    crate("Crate")
    crate("Box-rigid")
    crate("Fan_wheel").omi_physics.motion.type = "KINEMATIC"  # For which there is no word.
    gltf, _ = written(tmp_path / "out.glb")
    assert {"Crate-rigid", "Box-rigid", "Fan wheel"} <= names(gltf)
