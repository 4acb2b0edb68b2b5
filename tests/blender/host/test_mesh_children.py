"""Objects with physics go out as two nodes in OMI and come back as the one object they were."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import groups
from tests.blender.support.gltf_files import read_glb
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, node

BODY, SHAPE = "OMI_physics_body", "OMI_physics_shape"
FORMS = [("OMI", "SPECIFICATION"), ("OMI", "GODOT_4"), ("BOTH", "SPECIFICATION")]
Json = dict[str, Any]


@pytest.fixture(params=FORMS, ids=lambda form: "-".join(form).lower())
def form(request: pytest.FixtureRequest) -> Any:
    settings: Any = groups.of_scene(bpy.context.scene).export
    settings.family, settings.target = request.param
    return request.param


def trip(tmp_path: Any, **options: Any) -> Json:
    """Export the scene, import the file in its place, and give the file."""
    path = str(tmp_path / "trip.glb")
    bpy.ops.export_scene.gltf(filepath=path, **options)
    bpy.data.batch_remove([*bpy.data.objects, *bpy.data.meshes])
    bpy.ops.import_scene.gltf(filepath=path)
    return read_glb(tmp_path / "trip.glb")[0]


def test_no_node_has_physics_and_a_mesh(form: Any, tmp_path: Any) -> None:
    obj = add("Crate", cube_mesh())
    add_body(obj)
    add_collider(obj)
    written = trip(tmp_path)
    assert [each["name"] for each in written["nodes"]] == ["Crate", "Crate Mesh"]
    assert "mesh" not in written["nodes"][0]
    assert [(each.name, each.type) for each in bpy.data.objects] == [("Crate", "MESH")]
    assert bpy.data.objects["Crate"].omi_physics.use_motion
    assert [each.name for each in bpy.data.collections] == []


def test_a_skinned_body_with_keys_comes_back_whole(form: Any, tmp_path: Any) -> None:
    mesh = cube_mesh()
    obj = add("Blob", mesh)
    add_body(obj)
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Wide")
    key.data[0].co.x -= 1.0
    for frame, value in ((1, 0.0), (20, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    obj.keyframe_insert("location", frame=1)
    obj.location.z = 2.0
    obj.keyframe_insert("location", frame=20)
    written = trip(tmp_path)
    names = [each["name"] for each in written["nodes"]]
    targets = [c["target"] for a in written["animations"] for c in a["channels"]]
    moved = {t["path"]: names[t["node"]] for t in targets}
    assert moved == {"translation": "Blob", "weights": "Blob Mesh"}
    (back,) = bpy.data.objects
    assert (back.name, back.data.shape_keys.key_blocks[1].name) == ("Blob", "Wide")
    assert back.data.shape_keys.animation_data.nla_tracks or back.data.shape_keys.animation_data


def test_cameras_and_lights_come_back(form: Any, tmp_path: Any) -> None:
    for name, data in (
        ("Eye", bpy.data.cameras.new("Eye")),
        ("Lamp", bpy.data.lights.new("Lamp", "POINT")),
    ):
        obj = add(name, data, location=(1.0, 2.0, 3.0))
        add_body(obj)
        add_collider(obj)
    written = trip(tmp_path, export_cameras=True, export_lights=True)
    assert {"Eye Camera", "Lamp Light"} < {each["name"] for each in written["nodes"]}
    assert "camera" not in node(written, "Eye")
    assert "KHR_lights_punctual" not in node(written, "Lamp")["extensions"]
    found = {each.name: each.type for each in bpy.data.objects}
    assert found == {"Eye": "CAMERA", "Lamp": "LIGHT"}


def test_objects_below_stay_objects(form: Any, tmp_path: Any) -> None:
    body = add("Body", cube_mesh("Body"))
    add_body(body)
    add("Sticker", cube_mesh("Sticker"), parent=body)
    frame = add("Frame")
    add_body(frame)
    add("Panel", cube_mesh("Panel"), parent=frame)
    trip(tmp_path)
    found = {each.name: (each.type, getattr(each.parent, "name", "")) for each in bpy.data.objects}
    assert found == {
        "Body": ("MESH", ""),
        "Sticker": ("MESH", "Body"),
        "Frame": ("EMPTY", ""),
        "Panel": ("MESH", "Frame"),
    }
    assert not [each.name for each in bpy.data.objects if "omi_physics_addon" in each]


def test_a_second_trip_writes_the_same_file(form: Any, tmp_path: Any) -> None:
    body = add("Body", cube_mesh("Body"))
    body.scale = (2.0, 1.0, 1.0)
    add_body(body)
    add_collider(body)
    add("Sticker", cube_mesh("Sticker"), parent=body)
    trip(tmp_path)
    settings: Any = groups.of_scene(bpy.context.scene).export
    settings.family, settings.target = form
    trip(tmp_path)
    first = (tmp_path / "trip.glb").read_bytes()
    trip(tmp_path)
    assert (tmp_path / "trip.glb").read_bytes() == first


def others(child: Json, **members: Any) -> Json:
    """A file as others publish them: a body, and a child that shows its mesh."""
    body = {"name": "Crate", "children": [1], "extensions": {BODY: {"motion": {"type": "dynamic"}}}}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [BODY],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
        "nodes": [body, {"name": "Looks", "camera": 0, **child}],
        "scenes": [{"nodes": [0]}],
        "scene": 0,
        **members,
    }


def test_children_of_others_are_folded_and_keep_their_names(import_json: Any, export: Any) -> None:
    import_json(others({}))
    assert [(each.name, each.type) for each in bpy.data.objects] == [("Crate", "CAMERA")]
    written = export(export_cameras=True)
    assert [each["name"] for each in written["nodes"]] == ["Crate", "Looks"]


def test_children_of_others_that_are_moved_stay(import_json: Any) -> None:
    import_json(others({"translation": [0, 1, 0]}))
    assert {each.name for each in bpy.data.objects} == {"Crate", "Looks"}


def test_files_of_khr_stay_as_they_are(import_json: Any) -> None:
    name = "KHR_physics_rigid_bodies"
    json = others({}, extensionsUsed=[name])
    json["nodes"][0]["extensions"] = {name: {"motion": {"mass": 1}}}
    import_json(json)
    assert {each.name for each in bpy.data.objects} == {"Crate", "Looks"}


def test_a_file_of_the_last_release_imports_as_it_did(import_json: Any) -> None:
    json = others({})
    json["nodes"] = [{**json["nodes"][0], "camera": 0}]
    del json["nodes"][0]["children"]
    import_json(json)
    assert [(each.name, each.type) for each in bpy.data.objects] == [("Crate", "CAMERA")]


def test_names_that_ask_for_physics_stay_with_their_meshes(export: Any) -> None:
    obj = add("Wall", cube_mesh())
    add_collider(obj, "TRIMESH")
    settings: Any = groups.of_scene(bpy.context.scene).export
    settings.names = "GODOT"
    (wall,) = export()["nodes"]
    assert (wall["name"], wall["mesh"]) == ("Wall-col", 0)
    settings.target = "GODOT_4"
    assert [each["name"] for each in export()["nodes"]] == ["Wall-col", "Wall-col Mesh"]
