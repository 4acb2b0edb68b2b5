"""Planes in files of both families: a plane for KHR, and a box below it for OMI."""

from __future__ import annotations

import copy
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.support.scenes import add, add_collider, node

KHR, OMI = "KHR_physics_rigid_bodies", "OMI_physics_body"


def source(plane: dict[str, Any], **floor: Any) -> dict[str, Any]:
    """A file of KHR with planes as collider and as part of a compound trigger."""
    part = {"geometry": {"shape": 0}}
    material = {"staticFriction": 0.25, "name": "Ice"}
    return {
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {
                "name": "Floor",
                "extensions": {KHR: {"collider": {**part, "physicsMaterial": 0}}},
                **floor,
            },
            {"name": "Gate", "children": [2], "extensions": {KHR: {"trigger": {"nodes": [2]}}}},
            {"name": "Part", "extensions": {KHR: {"trigger": part}}},
        ],
        "extensions": {
            "KHR_implicit_shapes": {"shapes": [{"type": "plane", "plane": plane}]},
            KHR: {"physicsMaterials": [material]},
        },
        "extensionsUsed": ["KHR_implicit_shapes", KHR],
    }


def kinds() -> dict[str, str]:
    """The type of shape of every object's collider or trigger."""
    found = {}
    for obj in bpy.data.objects:
        group = obj.omi_physics
        part = group.collider if group.use_collider else group.trigger
        found[obj.name] = part.shape.type if group.use_trigger or group.use_collider else ""
    return found


def again(path: Any) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(path))


@pytest.mark.parametrize("plane", [{"sizeX": 2, "sizeZ": 3}, {"sizeX": 2}, {}])
@pytest.mark.parametrize("floor", [{}, {"scale": [2, 4, 8], "translation": [0, 3, 0]}])
def test_a_plane_comes_back_as_the_plane_alone(plane, floor, import_json, export, tmp_path):
    import_json(source(plane, **floor))
    bpy.context.scene.omi_physics.export.family = "BOTH"
    before = kinds()
    assert before["Floor"] == before["Part"] == "PLANE"
    texts = []
    for i in range(3):
        gltf = export(f"{i}.gltf")
        texts.append((tmp_path / f"{i}.gltf").read_text())
        assert [shape["type"] for shape in gltf["extensions"]["OMI_physics_shape"]["shapes"]] in (
            ["box"],
            ["box", "box"],  # Of two scales.
        )
        shapes = gltf["extensions"]["KHR_implicit_shapes"]["shapes"]
        assert shapes == [{"type": "plane", "plane": {**plane, "doubleSided": False}}]
        boxes = [n for n in gltf["nodes"] if n["name"].split()[0] in ("collider", "trigger")]
        assert len(boxes) == 2
        assert all(KHR not in n["extensions"] for n in boxes)
        assert OMI not in node(gltf, "Floor")["extensions"]
        again(tmp_path / f"{i}.gltf")
        assert kinds() == before
        assert "G08" not in reports.latest("IMPORT").issues.codes()
        gate = bpy.data.objects["Gate"].omi_physics.trigger
        assert [item.object.name for item in gate.nodes] == ["Part"]
    assert texts[2] == texts[1]


@pytest.mark.parametrize("origin", ["NONE", "OMI", "KHR", "BOTH"])
@pytest.mark.parametrize("family", ["OMI", "BOTH"])
def test_the_top_of_the_box_is_the_plane_wherever_the_scene_is_from(origin, family, export):
    plane = add_collider(add("Floor"), "PLANE").plane
    plane.use_size_x = plane.use_size_z = True
    plane.size_x = plane.size_z = 2
    settings = bpy.context.scene.omi_physics
    settings.origin, settings.export.family = origin, family
    gltf = export()
    (box,) = [n for n in gltf["nodes"] if n["name"].startswith("collider")]
    (shape,) = gltf["extensions"]["OMI_physics_shape"]["shapes"]
    assert box["translation"] == pytest.approx([0, -shape["box"]["size"][1] / 2, 0])
    assert (KHR in node(gltf, "Floor").get("extensions", {})) == (family == "BOTH")


def moved(gltf: dict[str, Any], box: dict[str, Any]) -> None:
    box["translation"] = [0, -1, 0]


def turned(gltf: dict[str, Any], box: dict[str, Any]) -> None:
    box["rotation"] = [0, 0.6, 0, 0.8]


def resized(gltf: dict[str, Any], box: dict[str, Any]) -> None:
    for shape in gltf["extensions"]["OMI_physics_shape"]["shapes"]:
        shape["box"]["size"][0] = 2.5


def unlike(gltf: dict[str, Any], box: dict[str, Any]) -> None:
    del box["extensions"][OMI]["collider"]["physicsMaterial"]


def a_body(gltf: dict[str, Any], box: dict[str, Any]) -> None:
    box["extensions"][OMI]["motion"] = {"type": "static"}


@pytest.mark.parametrize("change", [moved, turned, resized, unlike, a_body])
def test_what_is_more_than_the_box_of_a_plane_is_read(change, import_json, export):
    import_json(source({"sizeX": 2, "sizeZ": 3}))
    bpy.context.scene.omi_physics.export.family = "BOTH"
    gltf = export()
    (box,) = [n for n in gltf["nodes"] if n["name"].startswith("collider")]
    change(gltf, box)
    bpy.ops.wm.read_homefile(use_empty=True)
    import_json(copy.deepcopy(gltf))
    found = kinds()
    assert found[box["name"]] == "BOX"
    assert found["Floor"] == "PLANE"


def test_a_box_with_something_more_to_its_node_keeps_its_object(import_json, export):
    import_json(source({"sizeX": 2, "sizeZ": 3}))
    bpy.context.scene.omi_physics.export.family = "BOTH"
    gltf = export()
    (box,) = [n for n in gltf["nodes"] if n["name"].startswith("collider")]
    name, box["extras"] = box["name"], {"mine": 1}
    bpy.ops.wm.read_homefile(use_empty=True)
    import_json(copy.deepcopy(gltf))
    assert not bpy.data.objects[name].omi_physics.use_collider
    assert bpy.data.objects[name]["mine"] == 1
