"""Names that ask for physics in exported files, and what names alone bring back."""

from __future__ import annotations

import json
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.authoring.names import tagging
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh


def level() -> None:
    """Bodies of all kinds, with colliders of their own and below them."""
    add_collider(add("Floor", cube_mesh()), "TRIMESH")
    wall = add("Wall", cube_mesh())
    add_collider(wall, "BOX")
    ghost = add("Ghost", cube_mesh())
    add_collider(ghost, "TRIMESH")
    ghost.omi_physics.is_collision_only = True
    crate = add("Crate", cube_mesh())
    add_collider(crate, "BOX")
    add_body(crate)
    lift = add("Lift", cube_mesh())
    add_collider(lift, "BOX")
    add_body(lift, "KINEMATIC")
    table = add("Table", cube_mesh())
    add_body(table)
    for name, kind in (("Top", "BOX"), ("Leg", "CONVEX"), ("Foot", "CAPSULE")):
        part = add(name, cube_mesh(), parent=table)
        add_collider(part, kind)
        part.omi_physics.is_collision_only = True
    add("Plant", cube_mesh())
    bpy.context.view_layer.update()


def written(export: Any, names: str) -> dict[str, Any]:
    bpy.context.scene.omi_physics.export.names = names
    return {node["name"]: node for node in export()["nodes"]}


def test_names_stay_as_they_are(export):
    level()
    found = written(export, "NONE")
    assert {"Floor", "Ghost", "Crate", "Top"} <= found.keys()
    assert "mesh" not in found["Ghost"]


def test_suffixes_of_godot(export):
    level()
    found = written(export, "GODOT")
    assert {
        *("Floor-col", "Wall-convcol", "Ghost-colonly", "Crate-rigid"),
        *("Lift", "Table", "Top", "Leg", "Foot", "Plant"),
    } <= found.keys()
    assert "mesh" in found["Ghost-colonly"]
    assert found["Crate-rigid"]["extensions"]["OMI_physics_body"]["motion"]["type"] == "dynamic"


def test_prefixes_of_unreal(export):
    level()
    found = written(export, "UNREAL")
    assert {"Top", "Leg", "Foot"} <= set(bpy.data.objects.keys())
    assert {"UBX_Table_03", "UCX_Table_02", "UCP_Table_01", "Ghost", "Crate"} <= found.keys()
    assert "mesh" in found["UBX_Table_03"]


def test_a_name_that_asks_already_stays(export):
    obj = add("Floor-col", cube_mesh())
    add_collider(obj, "BOX")
    assert "Floor-col" in written(export, "GODOT")


@pytest.mark.parametrize("names", ["GODOT", "UNREAL"])
def test_names_alone_bring_colliders_back(names, export, tmp_path):
    """What another reader makes of them is what *Physics by Names* does."""
    level()
    bpy.context.scene.omi_physics.export.names = names
    gltf = export()
    for key in ("extensions", "extensionsUsed"):
        gltf.pop(key, None)
    for node in gltf["nodes"]:
        node.pop("extensions", None)
    path = tmp_path / "named.gltf"
    path.write_text(json.dumps(gltf), encoding="utf-8")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(path))
    depsgraph = bpy.context.evaluated_depsgraph_get()
    tagging.tag(bpy.context.scene, list(bpy.data.objects), depsgraph)
    kinds = {
        obj.name: (obj.omi_physics.collider.shape.type, obj.omi_physics.is_collision_only)
        for obj in bpy.data.objects
        if obj.omi_physics.use_collider
    }
    if names == "GODOT":
        assert kinds == {
            "Floor-col": ("TRIMESH", False),
            "Wall-convcol": ("CONVEX", False),
            "Ghost-colonly": ("TRIMESH", True),
            "Crate-rigid": ("CONVEX", False),
        }
    else:
        assert kinds == {
            "UBX_Table_03": ("BOX", True),
            "UCX_Table_02": ("CONVEX", True),
            "UCP_Table_01": ("CAPSULE", True),
        }
        assert bpy.data.objects["UBX_Table_03"].parent == bpy.data.objects["Table"]
