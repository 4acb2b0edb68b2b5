"""Hulls and meshes with both sides that an engine gets are in its file and nowhere else."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.support.gltf_files import read_glb
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

pytestmark = pytest.mark.usefixtures("_empty_file")
TARGETS = {"GODOT_4": "OMI", "BABYLON": "KHR"}


def fill(scale):
    pin = add("Pin", location=(0.0, 0.0, 2.0))
    pin.scale = scale
    add_body(pin)
    shape = add_collider(pin)
    shape.type = "CAPSULE"
    shape.capsule.height, shape.capsule.radius_bottom, shape.capsule.radius_top = 1.0, 0.4, 0.2
    bpy.context.view_layer.update()


def export(path, target, family):
    settings = bpy.context.scene.omi_physics.export
    settings.target, settings.family = target, family
    bpy.ops.export_scene.gltf(filepath=str(path))
    return read_glb(path)[0]


@pytest.mark.parametrize("y_up", [True, False])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (2.0, 1.0, 3.0)])
def test_a_hull_is_written_and_gone_when_the_file_is_read(tmp_path, target, scale, y_up):
    fill(scale)
    meshes = [mesh.name for mesh in bpy.data.meshes]
    settings = bpy.context.scene.omi_physics.export
    settings.target, settings.family = target, TARGETS[target]
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "ours.glb"), export_yup=y_up)
    gltf, _ = read_glb(tmp_path / "ours.glb")
    assert [mesh.name for mesh in bpy.data.meshes] == meshes
    (mesh,) = gltf["meshes"]
    corners = gltf["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]
    assert mesh["name"] == ("Pin Hull" if y_up else "Pin Collider Hull")
    assert corners["max"][1] > 0.15
    told = {issue.code for issue in reports.latest("EXPORT").issues}
    assert not told & {"X02", "X44", "S21"}
    again = import_and_export(tmp_path, target)
    assert "meshes" not in again
    assert [mesh.name for mesh in bpy.data.meshes] == []
    names = ["Pin"] if y_up else ["Pin", "Pin Collider"]  # The importer takes Y to be up.
    assert [obj.name for obj in bpy.data.objects] == names
    shape = bpy.data.objects[names[-1]].omi_physics.collider.shape
    assert (shape.type, shape.capsule.radius_top) == ("CAPSULE", pytest.approx(0.2))


def import_and_export(folder, target):
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(folder / "ours.glb"))
    return export(folder / "again.glb", "SPECIFICATION", TARGETS[target])


def test_nothing_stays_of_an_export_that_was_stopped(tmp_path):
    fill((1.0, 1.0, 1.0))
    hollow = add("Hollow")
    hollow.omi_physics.use_collider = True
    hollow.omi_physics.collider.shape.type = "CONVEX"
    meshes = len(bpy.data.meshes)
    settings = bpy.context.scene.omi_physics.export
    settings.target, settings.family = "BABYLON", "KHR"
    with pytest.raises(RuntimeError, match="nothing was written"):
        bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"))
    assert len(bpy.data.meshes) == meshes


def trimesh(name, mesh, **options):
    obj = add(name, mesh, **options)
    add_collider(obj, "TRIMESH")
    add_body(obj, "STATIC")
    bpy.context.view_layer.update()
    return obj


@pytest.mark.parametrize("y_up", [True, False])
def test_a_sheet_has_both_sides_for_godot_and_one_when_the_file_is_read(tmp_path, y_up):
    mesh = bpy.data.meshes.new("Sheet")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 2), (0, 1, 2)], [], [(0, 1, 2, 3)])
    trimesh("Sheet", mesh)
    bpy.context.scene.omi_physics.export.target = "GODOT_4"
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.glb"), export_yup=y_up)
    gltf, _ = read_glb(tmp_path / "out.glb")
    shown, both = gltf["meshes"]
    assert gltf["extensions"]["OMI_physics_shape"]["shapes"][0]["trimesh"] == {"mesh": 1}
    (shown,), (both,) = shown["primitives"], both["primitives"]
    counts = [gltf["accessors"][each["indices"]]["count"] for each in (shown, both)]
    assert counts == [6, 12]
    # Nobody sees it, so that it needs no normals, which would split its corners.
    assert both["attributes"].keys() == {"POSITION"}
    corners = [gltf["accessors"][each["attributes"]["POSITION"]] for each in (shown, both)]
    assert corners[0]["count"] == corners[1]["count"] == 4
    assert (corners[0]["min"], corners[0]["max"]) == (corners[1]["min"], corners[1]["max"])
    assert [mesh.name for mesh in bpy.data.meshes] == ["Sheet"]
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "out.glb"))
    (back,) = (obj for obj in bpy.data.objects if obj.data is not None)
    assert back.omi_physics.collider.shape.type == "TRIMESH"
    assert back.omi_physics.collider.shape.mesh_source == "OWN"
    assert len(back.data.loop_triangles) == 2


def test_a_box_that_looks_outward_is_written_as_for_everybody(tmp_path):
    trimesh("Box", cube_mesh())
    found = [export(tmp_path / f"{name}.glb", name, "OMI") for name in ("SPECIFICATION", "GODOT_4")]
    assert found[0] == found[1] | {"asset": found[0]["asset"]}
